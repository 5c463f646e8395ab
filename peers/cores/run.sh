#!/bin/bash
# Compares stend's way between two CPUs with a plain ping-pong in C and with core-to-core-latency, by
# turns. CPUS, two of them (the first and the last usable one); ROUNDS pairs (21); CORE_TO_CORE, the
# program, else cargo installs it into a folder of its own outside the repository.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers

read -r first last <<<"${CPUS:-$(python3 -c 'import os; c = sorted(os.sched_getaffinity(0)); print(c[0], c[-1])')}"
[ "$first" != "$last" ] || { echo "skipped: a line travels between two CPUs, and there is one"; exit 0; }

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$(nproc)" >/dev/null
gcc -O2 -c "$here/pingpong.c" -o "$build/pingpong.o"
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/versus.cpp" "$build/pingpong.o" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/cores-versus"
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/measured.cpp" "$build"/libstend{,_ground,_isa}.a -lpthread -o "$build/cores-measured"

crate=${CORE_TO_CORE:-$(command -v core-to-core-latency || true)}
if [ -z "$crate" ] && command -v cargo >/dev/null; then
    folder=${TMPDIR:-/tmp}/stend-peers
    cargo install -q core-to-core-latency --version 1.2.0 --root "$folder" && crate=$folder/bin/core-to-core-latency
fi

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(gcc --version | head -1)"
echo "${crate:+core-to-core-latency 1.2.0}"
echo
{
    taskset -c "$first,$last" "$build/cores-versus" "$first" "$last" "${ROUNDS:-21}"
    [ -z "$crate" ] || python3 "$here/interleave.py" "${ROUNDS:-21}" "$first" "$last" "$build" "$crate"
} | python3 "$here/../pairs.py" --unit ns peer CPUs program statistic
