// RISC-V: whether programs may read the time CSR here.
#include "clock/rdtime.h"

#if defined(__riscv) && __riscv_xlen == 64

#include <setjmp.h>
#include <signal.h>

namespace stend::clock {
namespace {

sigjmp_buf back;

void jump_back(int) {
    siglongjmp(back, 1);
}

// The handler stands for the one instruction only and the old one is put back.
bool reading_traps() {
    struct sigaction probe {};
    struct sigaction before {};
    probe.sa_handler = jump_back;
    sigaction(SIGILL, &probe, &before);
    const bool trapped = sigsetjmp(back, 1) != 0;
    if (!trapped) RdTime::begin();
    sigaction(SIGILL, &before, nullptr);
    return trapped;
}

}  // namespace

Obstacle RdTime::obstacle() {
    static const bool traps = reading_traps();
    return traps ? Obstacle::trapped : Obstacle::none;
}

}  // namespace stend::clock
#endif
