// stend-command FD PARENT PROGRAM [ARGUMENT…]: runs a program once and writes to descriptor FD
// what it took: "start_ns wall_ns user_us sys_us peak_bytes wait_status core switches errno\n".
// A program of its own, small, because Linux counts the launching process's memory into the
// peak of what it launches (exec keeps the high-water mark), and because it starts the
// program with vfork, whose cost doesn't grow with the launcher. It takes what it started
// along when it is killed.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

std::int64_t monotonic_ns() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

long long microseconds(const timeval& time) {
    return static_cast<long long>(time.tv_sec) * 1'000'000 + time.tv_usec;
}

void die_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
}

// The child shares this process's memory until it execs, so it can leave errno here.
volatile int exec_error = 0;

pid_t start(char** program, pid_t self) {
    const pid_t child = vfork();
    if (child == 0) {
        die_with(self);
        execvp(program[0], program);
        exec_error = errno;
        _exit(127);
    }
    return child;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) return 2;
    const int answer = std::atoi(arguments[1]);
    die_with(static_cast<pid_t>(std::atol(arguments[2])));
    fcntl(answer, F_SETFD, FD_CLOEXEC);

    const pid_t self = getpid();
    const std::int64_t begin = monotonic_ns();
    const pid_t child = start(arguments + 3, self);
    if (child < 0) return 3;
    int status = 0;
    rusage used{};
    while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
    }
    const std::int64_t end = monotonic_ns();

    dprintf(answer, "%lld %lld %lld %lld %lld %d %d %ld %d\n", static_cast<long long>(begin),
            static_cast<long long>(end - begin), microseconds(used.ru_utime),
            microseconds(used.ru_stime), static_cast<long long>(used.ru_maxrss) * 1024, status,
            sched_getcpu(), used.ru_nivcsw, exec_error);
    return 0;
}
