#!/bin/sh
# use.sh CMAKE PREFIX CC CXX [ARCH]: uses the ciphers installed in PREFIX as a stranger does, from C and
# C++, through find_package and through pkg-config; the programs of native/gost/README.md; and the
# headers in every edition of both languages, with all warnings. ARCH: programs run under qemu-ARCH.
# CHECKS in the environment: further options of both compilers.
set -eu
cmake=$1 prefix=$2 cc=$3 cxx=$4 arch=${5-}
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name stend-gost.pc)")
export PKG_CONFIG_PATH
libraries=$(dirname "$PKG_CONFIG_PATH")
export CFLAGS="${CHECKS-}" CXXFLAGS="${CHECKS-}"

run() {
    if [ -n "$arch" ]; then
        "qemu-$arch" -L "/usr/$arch-linux-gnu" -E "LD_LIBRARY_PATH=$libraries" "$@"
    else
        LD_LIBRARY_PATH=$libraries "$@"
    fi
}

# COMPILER FILE OPTION…: compiles a program by what pkg-config says, which quotes for a shell, and
# runs it.
by_pkg_config() {
    compiler=$1 file=$2
    shift 2
    eval "set -- \"\$@\" \"\$file\" -o \"\$scratch/program\" $(pkg-config --cflags --libs stend-gost)"
    # shellcheck disable=SC2086
    "$compiler" ${CHECKS-} -Wall -Wextra -Wpedantic -Werror "$@"
    run "$scratch/program"
}

# The program in native/gost/README.md in that language.
example() {
    awk "/^\`\`\`/ { inside = /^\`\`\`$1\$/; next } inside" "$here/../../../native/gost/README.md"
}

for language in c cpp; do
    CC=$cc CXX=$cxx "$cmake" -S "$here" -B "$scratch/$language" -DLANGUAGE=$language \
        -DCMAKE_PREFIX_PATH="$prefix" \
        ${arch:+-DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_SYSTEM_PROCESSOR=$arch"} >/dev/null
    "$cmake" --build "$scratch/$language" >/dev/null
    run "$scratch/$language/stranger"
    example $language >"$scratch/example.$language"
done

by_pkg_config "$cc" "$here/main.c" -std=c11 | grep -x "stend-gost $(pkg-config --modversion stend-gost)"
by_pkg_config "$cxx" "$here/main.cpp" -std=c++20
by_pkg_config "$cc" "$scratch/example.c" -std=c11 | grep -x 'meet me at nine'
by_pkg_config "$cxx" "$scratch/example.cpp" -std=c++20 | grep -x 'meet me at nine'

# HEADER COMPILER LANGUAGE EDITION…
header() {
    name=$1 compiler=$2 language=$3
    shift 3
    for edition; do
        echo "#include <stend/$name>" | "$compiler" -x "$language" "-std=$edition" -fsyntax-only \
            -I "$prefix/include" -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror - ||
            { echo "$name is not $edition" >&2 && exit 1; }
    done
}
header gost.h "$cc" c c99 c11 c17 c2x
header gost.h "$cxx" c++ c++11 c++14 c++17 c++20 c++2b
header gost.hpp "$cxx" c++ c++20 c++2b
