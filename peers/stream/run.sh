#!/bin/bash
# Compares stend's STREAM with the classic C program, interleaved. THREADS ("1" and all CPUs),
# ROUNDS pairs of repetitions in each of two processes (6), ELEMENTS an array (four last
# caches, and at most a tenth of the memory, because six arrays are there at once), VARIANTS
# (the first and the best).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
cpus=$(nproc)

cache=$(getconf -a | awk '/^LEVEL[234]_CACHE_SIZE/ && $2 > most {most = $2} END {print most + 0}')
memory=$(($(getconf _PHYS_PAGES) * $(getconf PAGESIZE)))
elements=$((4 * (cache > 33554432 ? cache : 33554432) / 8))
most=$((memory / 10 / 8))
elements=${ELEMENTS:-$((elements < most ? elements : most))}

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$cpus" >/dev/null
model=() # static arrays beyond 2 GiB
[ "$(uname -m)" = x86_64 ] && model=(-mcmodel=medium)
gcc -O3 -march=native -fopenmp "${model[@]}" -DELEMENTS="$elements" -c "$here/classic.c" -o "$build/classic.o"
g++ -std=c++20 -O2 -fopenmp "${model[@]}" -DELEMENTS="$elements" -I"$root/native" -I"$root/native/ground" "$here/versus.cpp" \
    "$build/classic.o" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/stream-versus"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $cpus CPUs, $(gcc --version | head -1)"
echo "transparent huge pages: $(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || echo unknown)"
awk -v n="$elements" 'BEGIN {printf "%d elements, %.2f GB an array\n\n", n, n * 8 / 1e9}'
# Passive: a worker that spins after its part would take the CPU from the other program.
export OMP_WAIT_POLICY=passive
for threads in ${THREADS:-$(printf '%s\n' 1 "$cpus" | uniq)}; do
    for first in classic stend; do
        # shellcheck disable=SC2086
        "$build/stream-versus" $first "$threads" "${ROUNDS:-6}" ${VARIANTS:-}
    done
done | python3 "$here/../pairs.py" classic threads operation variant
