#!/bin/bash
# Compares stend's bandwidth kernels, stream.copy and stream.triad with likwid-bench's for AVX-512,
# interleaved, a process each. THREADS ("1" and all CPUs), ROUNDS pairs (9), ONLY what begins so
# ("memory copy").
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers

command -v likwid-bench >/dev/null || {
    echo "skipped: likwid-bench is not installed (Debian: apt-get install likwid)"
    exit 0
}
grep -qw avx512f /proc/cpuinfo || {
    echo "skipped: likwid-bench's best kernels are for AVX-512, which this processor lacks"
    exit 0
}
cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$(nproc)" >/dev/null
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/measured.cpp" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/bandwidth-measured"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(likwid-bench -v | head -1)"
printf 'transparent huge pages: %s\n\n' "$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || echo unknown)"
for threads in ${THREADS:-$(printf '%s\n' 1 "$(nproc)" | uniq)}; do
    python3 "$here/interleave.py" "$build/bandwidth-measured" "${ROUNDS:-9}" "$threads" "${ONLY:-}"
done | python3 "$here/../pairs.py" likwid level operation variant kernel threads
