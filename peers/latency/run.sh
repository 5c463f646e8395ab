#!/bin/bash
# Compares stend's chase with a pointer chaser in C, interleaved on one core. KIB sizes (one or
# two of each level, to 1 GiB and at most a tenth of the memory), ROUNDS pairs (15).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers

memory=$(($(getconf _PHYS_PAGES) * $(getconf PAGESIZE)))
bytes=()
for kib in ${KIB:-16 256 1024 16384 65536 262144 1048576}; do
    [ $((kib * 1024)) -gt $((memory / 10)) ] || bytes+=($((kib * 1024)))
done

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$(nproc)" >/dev/null
gcc -O2 -c "$here/chaser.c" -o "$build/chaser.o"
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/versus.cpp" "$build/chaser.o" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/latency-versus"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(gcc --version | head -1)"
printf 'transparent huge pages: %s\n\n' "$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || echo unknown)"
"$build/latency-versus" "${ROUNDS:-15}" "${bytes[@]}" | python3 "$here/../pairs.py" --unit ns chaser KiB
