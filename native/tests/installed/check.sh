#!/bin/sh
# check.sh CMAKE BUILD CXX: installs the build into a scratch folder and uses it from there,
# through find_package(stend) and through pkg-config.
set -eu
cmake=$1 build=$2 cxx=$3
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null

"$cmake" -S "$here" -B "$scratch/found" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    -DCMAKE_CXX_COMPILER="$cxx" >/dev/null
"$cmake" --build "$scratch/found"
"$scratch/found/stranger"

export PKG_CONFIG_PATH="$scratch/prefix/lib/pkgconfig"
# shellcheck disable=SC2046
"$cxx" "$here/main.cpp" -o "$scratch/stranger" $(pkg-config --cflags --libs stend)
"$scratch/stranger"
