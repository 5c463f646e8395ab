#!/bin/bash
# check.sh CMAKE CXX BUILD: the library of inference, installed from that build, used through
# find_package and through pkg-config; made a part of another project, it brings nothing else.
set -euo pipefail
cmake=$1 cxx=$2 build=$3
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null

"$cmake" -S "$here" -B "$scratch/found" "-DCMAKE_PREFIX_PATH=$scratch/prefix" \
    "-DCMAKE_CXX_COMPILER=$cxx" >/dev/null
"$cmake" --build "$scratch/found" >/dev/null
"$scratch/found/stranger"
# What isn't there by that name ends the configuration.
"$cmake" -S "$here" -B "$scratch/inside" "-DSTEND_FOLDER=$here/../../../.." "-DCMAKE_CXX_COMPILER=$cxx" >/dev/null

# Here the headers are not the system's, so that the compiler warns of what is in them.
export PKG_CONFIG_PATH="$scratch/prefix/lib/pkgconfig"
read -ra flags <<<"-Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags --libs stend-unet)"
"$cxx" "$here/main.cpp" "${flags[@]}" -o "$scratch/stranger"
"$scratch/stranger"
