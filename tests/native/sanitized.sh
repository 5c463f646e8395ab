#!/bin/bash
# sanitized.sh asan|valgrind: runs the ciphers' tests, and those of reading ONNX files, compiled for
# AddressSanitizer and UndefinedBehaviorSanitizer, or the ciphers' under valgrind's memcheck; there
# only what is short, and the variants up to AVX2, for it knows no others. Leaves with 77 and a reason when valgrind is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/sanitized-${1:?usage: sanitized.sh asan|valgrind}

case $1 in
asan)
    type=None
    # Without optimisation, or GCC takes minutes over each bitsliced variant.
    flags="-O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
    under=(env)
    rounds=300
    ;;
valgrind)
    type=Release
    flags="-g -DSTEND_FOR_VALGRIND"
    command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed (Debian: valgrind)"; exit 77; }
    build=$root/build/constant-time-valgrind # the same build serves both
    under=(valgrind --quiet --error-exitcode=9 --leak-check=full)
    rounds=60
    ;;
esac

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF "-DCMAKE_BUILD_TYPE=$type" \
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON "-DCMAKE_CXX_FLAGS=$flags" >/dev/null
cmake --build "$build" --parallel 2 --target fuzz_gost \
    test_gost_vectors test_gost_lengths test_gost_statuses test_gost_hpp >/dev/null
cd "$build/native/tests"
"${under[@]}" ./fuzz_gost $rounds
"${under[@]}" ./test_gost_vectors brief >/dev/null
"${under[@]}" ./test_gost_statuses >/dev/null
"${under[@]}" ./test_gost_hpp >/dev/null
[[ $1 = asan ]] || exit 0
./test_gost_lengths brief >/dev/null

# Of the engine, only what reads and writes; the rest would take long to compile.
objects=$build/onnx
mkdir -p "$objects"
printf '%s\n' "$root"/native/unet/onnx/*.cpp "$root"/native/unet/{model,classic}.cpp \
    "$root"/native/tests/unet/test_unet_onnx*.cpp |
    xargs -P 2 -I {} sh -c 'file=$0; "$@" -c "$file" -o '"'$objects'"'/$(basename "$file" .cpp).o' {} \
        "${CXX:-c++}" -std=c++20 $flags "-I$root/native" "-I$root/native/include" "-I$root/native/tests"
for test in "$objects"/test_unet_onnx*.o; do
    # shellcheck disable=SC2046,SC2086
    "${CXX:-c++}" $flags "$test" $(find "$objects" -name '*.o' ! -name 'test_*') -o "${test%.o}" -pthread
    "${test%.o}" brief
done
echo "ONNX files, good and bad"
