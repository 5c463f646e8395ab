#!/bin/bash
# check.sh CMAKE CXX [BUILD]: the library of tomography, installed from that build, or built alone with
# that compiler, and used through find_package and through pkg-config, or made a part of another
# project. What is built alone isn't optimised, which is not what it is for, and is compiled for
# AddressSanitizer and UndefinedBehaviorSanitizer where the compiler has them: with it go the tests of
# what users call.
set -euo pipefail
cmake=$1 cxx=$2 build=${3-}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

stop() {
    echo "$*" >&2
    exit 1
}

checks=
if [[ -z $build ]]; then
    build=$scratch/build
    checks="-fsanitize=address,undefined -fno-sanitize-recover=all"
    # shellcheck disable=SC2086
    echo 'int main() {}' | "$cxx" -x c++ $checks -o /dev/null - 2>/dev/null || checks=
    "$cmake" -S "$root" -B "$build" -DSTEND_ONLY=tomo "-DCMAKE_CXX_COMPILER=$cxx" \
        "-DCMAKE_CXX_FLAGS_RELEASE=-O0 $checks" >/dev/null
    "$cmake" --build "$build" --parallel 2 >/dev/null
fi
"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null

"$cmake" -S "$here" -B "$scratch/found" "-DCMAKE_PREFIX_PATH=$scratch/prefix" \
    "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_CXX_FLAGS=$checks" >/dev/null
"$cmake" --build "$scratch/found" >/dev/null
"$scratch/found/stranger"
# What isn't there by that name ends the configuration.
[[ -n $checks ]] ||
    "$cmake" -S "$here" -B "$scratch/inside" "-DSTEND_FOLDER=$root" "-DCMAKE_CXX_COMPILER=$cxx" >/dev/null

# Here the headers are not the system's, so that the compiler warns of what is in them.
export PKG_CONFIG_PATH="$scratch/prefix/lib/pkgconfig"
read -ra flags <<<"$checks -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags stend-tomo)"
read -ra libraries <<<"$(pkg-config --libs stend-tomo)"
"$cxx" "${flags[@]}" "$here/main.cpp" -o "$scratch/stranger" "${libraries[@]}"
"$scratch/stranger"
said=$("$cxx" "${flags[@]}" -std=c++17 -fsyntax-only "$here/main.cpp" 2>&1) && stop "C++17 was taken"
[[ $said = *"needs C++20"* ]] || stop "with C++17 it says: $said"

[[ -n $checks ]] || exit 0
for test in checks preparation dfr cone projector; do
    "$cxx" "${flags[@]}" -O1 "-I$root/native/tests" "$root/native/tests/tomo/test_tomo_$test.cpp" \
        -o "$scratch/$test" "${libraries[@]}"
    "$scratch/$test" brief
done
"$root/native/tests/apart.sh" "$build/libstend_tomo.a"
