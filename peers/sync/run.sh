#!/bin/bash
# Compares stend's synchronisation of threads with plain loops in C, and its context switch with
# `perf bench sched pipe`, interleaved, on the same CPUs. ROUNDS pairs (21).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
rounds=${ROUNDS:-21}

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$(nproc)" >/dev/null
gcc -O2 -Wall -Wextra -c "$here/plain.c" -o "$build/sync-plain.o"
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/versus.cpp" "$build/sync-plain.o" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/sync-versus"

printf '%s, %s, %s, %s\n\n' "$(date -u +%F)" "$(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo)" "$(gcc --version | head -1)" "$(ldd --version | head -1)"
"$build/sync-versus" plain "$rounds" | python3 "$here/../pairs.py" --unit ns "plain C" what threads
echo
if command -v perf >/dev/null; then
    printf '%s\n\n' "$(perf --version)"
    "$build/sync-versus" perf "$rounds" | python3 "$here/../pairs.py" --unit ns "perf bench" what threads
else
    echo "skipped: perf is not installed (Debian: linux-perf)"
fi
