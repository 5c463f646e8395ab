#!/bin/bash
# Compares stend's memory.write with the C library's memset, interleaved on one core. REGION
# bytes (4 GiB, and at most a sixth of the memory), ROUNDS pairs (15).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers

memory=$(($(getconf _PHYS_PAGES) * $(getconf PAGESIZE)))
most=$((memory / 6 / 1073741824 * 1073741824))
region=${REGION:-$((most < 4294967296 ? most : 4294967296))}

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$(nproc)" >/dev/null
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/versus.cpp" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/memory-versus"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(gcc --version | head -1), $(ldd --version | head -1)"
echo "transparent huge pages: $(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || echo unknown)"
awk -v n="$region" 'BEGIN {printf "a region of %.2f GiB\n\n", n / 1073741824}'
"$build/memory-versus" "$region" "${ROUNDS:-15}" | python3 "$here/../pairs.py" memset "block MiB" variant
