#!/bin/bash
# use.sh CMAKE PREFIX CXX: uses the library of tomography installed in PREFIX as a stranger does,
# through find_package and through pkg-config. CHECKS in the environment: further options of the
# compiler.
set -euo pipefail
cmake=$1 prefix=$2 cxx=$3
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

stop() {
    echo "$*" >&2
    exit 1
}

"$cmake" -S "$here" -B "$scratch/found" "-DCMAKE_PREFIX_PATH=$prefix" \
    "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_CXX_FLAGS=${CHECKS-}" >/dev/null
"$cmake" --build "$scratch/found" >/dev/null
"$scratch/found/stranger"

# Here the headers are not the system's, so that the compiler warns of what is in them.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
eval "flags=(${CHECKS-} -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags stend-tomo))"
# It quotes for a shell.
eval "libraries=($(pkg-config --libs stend-tomo) -Wl,-rpath,$(pkg-config --variable=libdir stend-tomo))"
"$cxx" "${flags[@]}" "$here/main.cpp" -o "$scratch/stranger" "${libraries[@]}"
"$scratch/stranger"
said=$("$cxx" "${flags[@]}" -std=c++17 -fsyntax-only "$here/main.cpp" 2>&1) && stop "C++17 was taken"
[[ $said = *"needs C++20"* ]] || stop "with C++17 it says: $said"
