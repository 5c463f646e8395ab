#!/bin/sh
# check.sh CMAKE CXX [BUILD]: the library of tomography, installed from that build, or built alone with
# that compiler (and not optimised, which is not what it is for), and used through find_package and
# through pkg-config.
set -eu
cmake=$1 cxx=$2 build=${3-}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ -z "$build" ]; then
    build=$scratch/build
    "$cmake" -S "$root" -B "$build" -DSTEND_ONLY=tomo "-DCMAKE_CXX_COMPILER=$cxx" \
        -DCMAKE_CXX_FLAGS_RELEASE=-O0 >/dev/null
    "$cmake" --build "$build" --parallel 2 >/dev/null
fi
"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null

"$cmake" -S "$here" -B "$scratch/found" "-DCMAKE_PREFIX_PATH=$scratch/prefix" \
    "-DCMAKE_CXX_COMPILER=$cxx" >/dev/null
"$cmake" --build "$scratch/found" >/dev/null
"$scratch/found/stranger"

export PKG_CONFIG_PATH="$scratch/prefix/lib/pkgconfig"
# shellcheck disable=SC2046
"$cxx" "$here/main.cpp" -o "$scratch/stranger" $(pkg-config --cflags --libs stend-tomo)
"$scratch/stranger"
