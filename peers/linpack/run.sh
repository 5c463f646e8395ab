#!/bin/bash
# Compares stend's LINPACK with other people's: the plain algorithm with the classic C program,
# and each library's LU through stend with the same library called from C. ROUNDS (200).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
rounds=${ROUNDS:-200}

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$(nproc)" >/dev/null
gcc -O3 -march=native -c "$here/classic.c" -o "$build/linpack-classic.o"
link() { g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$@" "$build"/libstend{,_ground,_isa}.a -lpthread -ldl; }
link "$here/plain_versus.cpp" "$build/linpack-classic.o" -o "$build/plain-versus"
link "$here/lapack_versus.cpp" -o "$build/lapack-versus"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(gcc --version | head -1)"
echo
taskset -c 0 "$build/plain-versus" "$rounds" | python3 "$here/../pairs.py" --unit GFLOP/s classic n lda variant
echo
"$root/.venv/bin/python" "$here/libraries.py" | while IFS='|' read -r name blas lapack prefix suffix; do
    for n in 100 1000; do
        taskset -c 0 "$build/lapack-versus" $((n > 500 ? rounds / 4 : rounds)) $n "$name" "$blas" "$lapack" "$prefix" "$suffix"
    done
done | python3 "$here/../pairs.py" --unit GFLOP/s direct n lda library

"$here/own.sh"
