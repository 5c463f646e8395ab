#!/bin/bash
# onnx.sh [SECONDS]: fuzzes the reading of ONNX files (onnx.cpp) with clang's libFuzzer, compiled for
# AddressSanitizer and UndefinedBehaviorSanitizer. An input that broke something is left in build/fuzz;
# so is what was learnt, for the next time.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/fuzz
compiler=clang++-16
command -v $compiler >/dev/null || { echo "onnx: skipped, $compiler is not installed (Debian: clang-16 libclang-rt-16-dev)"; exit 0; }

# Of the engine, only what reads and writes; the rest would take long to compile.
flags=(-std=c++20 -O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
    "-I$root/native" "-I$root/native/ground" "-I$here/native" "-I$here/include" "-I$root/native/tests"
    "-I$here/tests/native")
objects=$build/onnx_objects
mkdir -p "$objects"
printf '%s\n' "$here"/native/unet/onnx/*.cpp "$here"/native/unet/{model,classic}.cpp | grep -v _windows |
    xargs -P 2 -I {} sh -c 'file=$0; "$@" -c "$file" -o '"'$objects'"'/$(basename "$file").o' {} \
        $compiler "${flags[@]}"
$compiler "${flags[@]}" "$here/fuzz/onnx.cpp" "$objects"/*.o -o "$build/onnx_seeds" &
$compiler "${flags[@]}" -fsanitize=fuzzer -DSTEND_LIBFUZZER "$here/fuzz/onnx.cpp" "$objects"/*.o -o "$build/onnx"
wait $!

mkdir -p "$build/onnx_corpus" "$build/onnx_seeds.d"
"$build/onnx_seeds" "$build/onnx_seeds.d"
cat >"$build/onnx.words" <<'WORDS'
"Conv" "ConvTranspose" "MaxPool" "Concat" "Relu" "BatchNormalization" "Sigmoid" "Softmax" "Constant"
"Identity" "Dropout" "pads" "strides" "dilations" "group" "kernel_shape" "auto_pad" "SAME_UPPER" "axis"
"epsilon" "value" "location" "offset" "length" "Shape" "Gather" "Slice" "Squeeze" "Unsqueeze"
"Reshape" "Transpose" "Cast" "ConstantOfShape" "Add" "Sub" "Mul" "Div" "Min" "Max" "Pad" "Resize"
"Upsample" "start" "end" "axes" "perm" "to" "mode" "nearest" "constant" "scales"
WORDS
tr ' ' '\n' <"$build/onnx.words" | grep . >"$build/onnx.dict"
cd "$build/onnx_seeds.d" # where weights may lie
head -c 4096 /dev/zero >weights
"$build/onnx" -max_total_time="${1:-60}" -max_len=4096 -rss_limit_mb=2048 -malloc_limit_mb=256 \
    -print_final_stats=1 -verbosity=0 -dict="$build/onnx.dict" -artifact_prefix="$build/onnx-" \
    "$build/onnx_corpus" "$build/onnx_seeds.d"
