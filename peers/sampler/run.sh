#!/usr/bin/env bash
# Builds stend's library and the side-by-side program, and runs it on one core. Needs Debian's
# libbenchmark-dev. With NANOBENCH=FOLDER, where nanobench.h lies, nanobench takes part.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=build/peers
[[ -e /usr/include/benchmark/benchmark.h ]] || {
    echo "skipped: Google Benchmark is not installed (Debian: libbenchmark-dev)"
    exit 0
}
cmake -S . -B $build -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF >/dev/null
cmake --build $build --target stend --parallel 2 >/dev/null

sources=(peers/sampler/{main,stend,google_benchmark}.cpp)
flags=(-std=c++20 -O3 -Inative -Inative/ground)
if [[ -n ${NANOBENCH:-} ]]; then
    sources+=(peers/sampler/nanobench.cpp)
    flags+=(-DWITH_NANOBENCH -isystem "$NANOBENCH")
else
    echo "without nanobench: NANOBENCH=FOLDER names where its nanobench.h lies"
fi
g++ "${flags[@]}" "${sources[@]}" -o $build/sampler "$build"/libstend{,_ground,_isa}.a -lbenchmark -pthread

date +%F
sed -n 's/^model name\s*: //p' /proc/cpuinfo | sort | uniq -c
core=$(taskset -cp $$ | sed 's/.*[:,-] *//') # the last one allowed
taskset -c "$core" $build/sampler
