// Tries the compiled code of the constant-time variants that valgrind can't run: a child runs an
// operation instruction by instruction under ptrace, with one key and data, and with others, and
// both have to go through the same addresses of the code. Unlike valgrind this follows AVX-512, and
// unlike MemorySanitizer it follows what the product's compiler made. Addresses of data are not
// looked at. With the argument "planted" a branch depends on the key, which has to be found.
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>

#include "gost/engine.h"
#include "isa/isa.h"

using namespace stend;
using namespace stend::gost;

namespace {

constexpr std::size_t most = 70;
std::uint8_t in[most * largest_block], out[most * largest_block], key[key_bytes], state[256];
Schedule schedule;
Mgm mgm;
int failures = 0;

void secrets(unsigned seed) {
    std::mt19937_64 random(seed);
    for (auto& byte : in) byte = static_cast<std::uint8_t>(random());
    for (auto& byte : key) byte = static_cast<std::uint8_t>(random());
    std::memset(state, 0x5A, sizeof state);  // counters and registers are public
    std::memset(&mgm, 0x5A, sizeof mgm);
}

struct Trace {
    std::uint64_t steps = 0, sum = 0;
    bool operator==(const Trace&) const = default;
};

// From the child's first stop to its second.
Trace follow(pid_t child) {
    Trace trace;
    int status = 0;
    waitpid(child, &status, 0);
    while (true) {
        ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
        waitpid(child, &status, 0);
        if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) break;
        user_regs_struct registers;
        ptrace(PTRACE_GETREGS, child, nullptr, &registers);
        trace.sum = (trace.sum ^ registers.rip) * 0x9E3779B97F4A7C15;
        ++trace.steps;
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return trace;
}

Trace traced(unsigned seed, const std::function<void()>& before,
             const std::function<void()>& work) {
    const pid_t child = fork();
    if (child == 0) {
        secrets(seed);
        before();
        ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        raise(SIGSTOP);
        work();
        raise(SIGSTOP);
        _exit(0);
    }
    return follow(child);
}

void try_it(const std::string& name, const std::function<void()>& before,
            const std::function<void()>& work) {
    const Trace one = traced(1, before, work), other = traced(2, before, work);
    if (one.steps > 20 && one == other) return;
    ++failures;
    std::printf("%s: %llu steps with one key, %llu with another, or on other ways\n", name.c_str(),
                static_cast<unsigned long long>(one.steps),
                static_cast<unsigned long long>(other.steps));
}

void an_engine(const Engine& e, Cipher cipher) {
    const std::size_t block = block_bytes(cipher);
    const std::string name = std::to_string(static_cast<int>(cipher)) + ", " + e.name.data() + ": ";
    const auto before = [&] { e.schedule(schedule, cipher, key); };
    try_it(
        name + "schedule", [] {}, before);
    for (const std::size_t n : {1, 3, 16, 33, 70}) {
        const auto of = " of " + std::to_string(n);
        try_it(name + "encrypt" + of, before, [&] { e.encrypt(schedule, in, out, n); });
        try_it(name + "decrypt" + of, before, [&] { e.decrypt(schedule, in, out, n); });
        try_it(name + "count" + of, before, [&] { e.count(schedule, state, in, out, n); });
        try_it(name + "cbc_decrypt" + of, before,
               [&] { e.cbc_decrypt(schedule, state, 2, in, out, n); });
        try_it(name + "cfb_decrypt" + of, before,
               [&] { e.cfb_decrypt(schedule, state, 2, in, out, n); });
        if (e.seal == nullptr) continue;
        try_it(name + "absorb" + of, before, [&] { e.absorb(schedule, mgm, in, n); });
        try_it(name + "seal" + of, before, [&] { e.seal(schedule, mgm, in, out, n); });
        try_it(name + "open" + of, before, [&] { e.open(schedule, mgm, in, out, n); });
    }
    for (const Feed feed : {Feed::mac, Feed::cbc, Feed::cfb, Feed::ofb, Feed::imito})
        for (const std::size_t count : {1, 2, 5, 16}) {
            if (feed == Feed::imito && e.seal != nullptr) continue;
            Lane lanes[16];
            for (std::size_t i = 0; i < count; ++i)
                lanes[i] = {&schedule, state + i * block, in + i * block, out + i * block,
                            count * block};
            try_it(name + "chain of " + std::to_string(count), before, [&] {
                e.chain(feed, {lanes, count}, 3);
            });
        }
}

void plant() {
    try_it(
        "the planted branch", [] {},
        [] {
            for (const std::uint8_t byte : key)
                if (byte & 1) asm volatile("nop; nop; nop");
        });
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1 && std::strcmp(arguments[1], "planted") == 0) {
        plant();
        return failures == 1 ? 0 : 1;
    }
    const isa::Features usable = isa::usable();
    for (const Cipher cipher : {Cipher::kuznyechik, Cipher::magma, Cipher::gost28147_cryptopro_a})
        for (const Engine* const e : engines(cipher))
            if (e->constant_time && usable.contains(e->needs) &&
                (e->needs.contains({isa::gfni}) || e->needs.contains({isa::avx512})))
                an_engine(*e, cipher);
    std::printf("%d failures\n", failures);
    return failures != 0;
}
