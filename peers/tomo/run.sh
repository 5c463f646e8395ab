#!/bin/bash
# Times our own reconstruction, interleaved on one core, at the sizes of the two published problems.
# ROUNDS repetitions (9), METHODS as own.cpp takes them ("dfr/all").
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend_tomo --parallel "$(nproc)" >/dev/null
g++ -std=c++20 -O2 -I"$root/native/include" "$here/own.cpp" \
    "$build"/libstend_{tomo,ground,isa}.a -lpthread -o "$build/tomo-own"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(g++ --version | head -1)"
core=$(taskset -cp $$ | sed 's/.*[:,-] *//') # the last one allowed
read -ra methods <<<"${METHODS:-dfr/all}"
for problem in '511 420 511' '1175 400 1175'; do
    printf '\ndetectors, angles, size: %s\n' "$problem"
    # shellcheck disable=SC2086 # three numbers
    taskset -c "$core" "$build/tomo-own" $problem 1 "${ROUNDS:-9}" "${methods[@]}"
done
