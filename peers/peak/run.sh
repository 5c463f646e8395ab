#!/bin/bash
# Compares stend's peak with likwid-bench's peakflops kernels, a process of each by turns, on one
# CPU (CPU, the last one). ROUNDS pairs (9), each first in turn.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
cpu=${CPU:-$(($(nproc) - 1))}

if [ "$(uname -m)" != x86_64 ] || ! command -v likwid-bench >/dev/null; then
    echo "skipped: likwid-bench is not installed (Debian: likwid), or this is not x86-64"
    exit 0
fi
cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$(nproc)" >/dev/null
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/one.cpp" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/peak-one"

theirs() { # KERNEL ITERATIONS: through the first-level cache, which none of these loads from much
    taskset -c "$cpu" likwid-bench -t "$1" -i "$2" -W "S0:16kB:1" 2>/dev/null |
        awk '/^MFlops\/s/ {print $2 * 1e6}'
}
ours() { taskset -c "$cpu" "$build/peak-one" "$1" "$2"; }

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(gcc --version | head -1), likwid $(likwid-bench -v 2>&1 | grep -o '[0-9.]*$' | head -1)"
echo
# type, variant, likwid's kernel, iterations for some 0.2 s
while read -r type variant kernel iterations; do
    grep -qw "$variant" <<<"$("$build/peak-one")" || continue
    for ((round = 0; round < ${ROUNDS:-9}; ++round)); do
        if ((round % 2)); then
            peer=$(theirs "$kernel" "$iterations") stend=$(ours "$type" "$variant")
        else
            stend=$(ours "$type" "$variant") peer=$(theirs "$kernel" "$iterations")
        fi
        echo "$type $variant $kernel $peer $stend"
    done
done <<'END' | python3 "$here/table.py"
float64 scalar peakflops 40000
float64 sse2 peakflops_sse 80000
float64 avx2 peakflops_avx_fma 200000
float64 avx512 peakflops_avx512_fma 400000
float32 scalar peakflops_sp 20000
float32 sse2 peakflops_sp_sse 80000
float32 avx2 peakflops_sp_avx_fma 200000
float32 avx512 peakflops_sp_avx512_fma 400000
END
