"""What can disturb a measurement: every kind, with its one line of advice."""

from stend.record import Disturbance

ADVICE = {
    "load": "Stop what else runs on this machine, or wait until it has ended (see `top`).",
    "processes": "Stop these processes, or leave cores free for them.",
    "steal": "The hypervisor gives the cores to other guests; use a dedicated machine, or compare "
    "only interleaved (`--versus`).",
    "hypervisor": "Other guests share caches and memory; expect noise, and compare only "
    "interleaved (`--versus`).",
    "governor": "Let the cores run at a steady frequency: `cpupower frequency-set -g performance`.",
    "turbo": "The frequency depends on temperature and on busy cores; switch turbo off in the "
    "firmware, or with `echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo` (Intel) or "
    "`echo 0 > /sys/devices/system/cpu/cpufreq/boost` (others).",
    "frequency": "Fix the frequency (governor, turbo) or mend the cooling, and measure again.",
    "throttling": "The processor slows down to stay cool; mend the cooling, or let it rest before "
    "measuring.",
    "swap": "Free memory, then empty the swap with `swapoff -a && swapon -a`.",
    "memory": "Free memory, or measure with smaller arrays: a shortage makes the OS reclaim pages.",
    "quota": "The container's CPU quota stops its processes in mid-work; raise it, or use fewer "
    "threads than it allows.",
    "smt": "Two threads on one core share it; use one thread a core (`taskset -c`), or switch SMT "
    "off with `echo off > /sys/devices/system/cpu/smt/control`.",
    "huge pages": "Let programs choose: `echo madvise > "
    "/sys/kernel/mm/transparent_hugepage/enabled`.",
    "battery": "Plug the machine in: on battery the firmware saves power.",
    "clock": "Reading the time is slow and coarse; choose the counter with `echo tsc > "
    "/sys/devices/system/clocksource/clocksource0/current_clocksource`, if the kernel trusts it.",
}
"""Kind → advice; the kinds are `Disturbance.kind`."""


def disturbance(
    kind: str, said: str, start: int | None = None, end: int | None = None
) -> Disturbance:
    """A disturbance with its kind's advice; `start` and `end` are CLOCK_MONOTONIC ns."""
    return Disturbance(kind=kind, said=said, advice=ADVICE[kind], start=start, end=end)
