#!/bin/bash
# gost.sh [SECONDS]: fuzzes the ciphers and their modes (fuzz_gost.cpp) with clang's libFuzzer, compiled
# for AddressSanitizer and UndefinedBehaviorSanitizer. An input that broke something is left in
# build/fuzz; so is what was learnt, for the next time.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/fuzz
compiler=clang++-16
command -v $compiler >/dev/null || { echo "gost: skipped, $compiler is not installed (Debian: clang-16 libclang-rt-16-dev)"; exit 0; }

checks="-fsanitize=address,undefined -fno-sanitize-recover=all"
cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER=$compiler \
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON "-DCMAKE_CXX_FLAGS=-O1 -g $checks -fsanitize=fuzzer-no-link" >/dev/null
cmake --build "$build" --parallel 2 --target stend_gost stend_isa >/dev/null
# shellcheck disable=SC2086
$compiler -std=c++20 -O1 -g $checks -fsanitize=fuzzer -DSTEND_LIBFUZZER -I"$here/include" \
    "$here/fuzz/fuzz_gost.cpp" "$build"/libstend_gost.a "$build"/libstend_isa.a -lpthread -o "$build/gost"
mkdir -p "$build/corpus"
"$build/gost" -max_total_time="${1:-60}" -max_len=120 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$build/" "$build/corpus"
