#!/bin/bash
# Compares stend's copies and loads on every pair of memory nodes with plain C that is bound as numactl
# binds it, and with stend's own kernels that bind nothing. BLOCK bytes (500 MB) and SIZE of the cycle
# (1 GiB), each at most a twentieth of the memory; ROUNDS pairs (15).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers

most=$(($(getconf _PHYS_PAGES) * $(getconf PAGESIZE) / 20 / 4096 * 4096))
at_most() { echo $(($1 < most ? $1 : most)); }

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$(nproc)" >/dev/null
gcc -O2 -c "$here/bound.c" -o "$build/bound.o"
gcc -O2 -c "$here/../latency/chaser.c" -o "$build/chaser.o"
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/versus.cpp" "$build/bound.o" "$build/chaser.o" "$build"/libstend{,_ground,_isa}.a \
    -lpthread -ldl -o "$build/numa-versus"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(gcc --version | head -1)"
echo
"$build/numa-versus" copy "${ROUNDS:-15}" "$(at_most "${BLOCK:-500000000}")" |
    python3 "$here/../pairs.py" peer program nodes
echo
"$build/numa-versus" latency "${ROUNDS:-15}" "$(at_most "${SIZE:-1073741824}")" |
    python3 "$here/../pairs.py" --unit ns peer program nodes
