#!/bin/sh
# check.sh CMAKE BUILD CXX: installs the build into a scratch folder and uses it from there,
# through find_package(stend) and through pkg-config; then looks for what a prefix lacks.
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

# COMPONENTS SENTENCE: how find_package refuses them where the ciphers are alone.
rm -r "$scratch/prefix/lib/cmake/stend-tomo" "$scratch/prefix/lib/cmake/stend-unet" \
    "$scratch/prefix/lib/cmake/stend/stend-targets.cmake"
refused() {
    mkdir -p "$scratch/lacking"
    cat >"$scratch/lacking/CMakeLists.txt" <<LACKING
cmake_minimum_required(VERSION 3.24)
project(lacking LANGUAGES CXX)
find_package(stend 0.1 $1)
if(stend_FOUND)
    message(FATAL_ERROR "found")
endif()
file(WRITE said "\${stend_NOT_FOUND_MESSAGE}")
LACKING
    "$cmake" -S "$scratch/lacking" -B "$scratch/lacking/build" \
        -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null 2>&1
    grep -q "$2" "$scratch/lacking/said" || { cat "$scratch/lacking/said" && exit 1; }
}
refused "" "has no component tomo, unet, laboratory. .*(stend COMPONENTS gost)"
refused "COMPONENTS gost tomo" "has no component tomo\."
refused "COMPONENTS gots" "has no component gots\."
