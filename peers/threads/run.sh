#!/bin/bash
# Compares stend's threads with plain loops in C, interleaved, and stend's own threads that are bound to
# CPUs with those that are not. ROUNDS pairs (15; a third as many beside a load); LIFE names other
# subjects than those below.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
rounds=${ROUNDS:-15}

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$(nproc)" >/dev/null
gcc -O2 -c "$here/life.c" -o "$build/life.o"
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/life_versus.cpp" "$build/life.o" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/life-versus"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(gcc --version | head -1), $(ldd --version | head -1)"
printf 'Linux %s\n\n' "$(uname -r)"
# shellcheck disable=SC2086 # a list of words
"$build/life-versus" "$rounds" ${LIFE:-create create_join create_bound create_join_bound \
    detached=15000 joined=15000 wake_one=100 wake_one=1000 wake_all=100 wake_all=1000} |
    python3 "$here/../pairs.py" --unit ns loop subject

g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/affinity.cpp" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/threads-affinity"
echo
{
    "$build/threads-affinity" "$rounds" none
    "$build/threads-affinity" $(((rounds + 2) / 3)) half all twice
} | python3 "$here/../pairs.py" --unit ns unbound what threads load | sed '1s/stend ns/bound ns/'
