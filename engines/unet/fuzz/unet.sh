#!/bin/bash
# unet.sh [SECONDS]: fuzzes the inference of networks (fuzz_unet.cpp) with clang's libFuzzer, compiled for
# AddressSanitizer and UndefinedBehaviorSanitizer. An input that broke something is left in
# build/fuzz; so is what was learnt, for the next time.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/fuzz
compiler=clang++-16
command -v $compiler >/dev/null || { echo "unet: skipped, $compiler is not installed (Debian: clang-16 libclang-rt-16-dev)"; exit 0; }

checks="-fsanitize=address,undefined -fno-sanitize-recover=all"
cmake -S "$root" -B "$build/unet_build" -DSTEND_ONLY=unet -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_COMPILER=$compiler "-DCMAKE_CXX_FLAGS=-O1 -g $checks -fsanitize=fuzzer-no-link" >/dev/null
cmake --build "$build/unet_build" --parallel 2 >/dev/null
# shellcheck disable=SC2086
$compiler -std=c++20 -O1 -g $checks -fsanitize=fuzzer -DSTEND_LIBFUZZER -I"$here/include" -I"$here/native" \
    "$here/fuzz/fuzz_unet.cpp" "$build"/unet_build/libstend_{unet,ground,isa}.a -lpthread -o "$build/unet"
mkdir -p "$build/unet_corpus"
"$build/unet" -max_total_time="${1:-60}" -max_len=400 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$build/unet-" "$build/unet_corpus"
