#!/bin/sh
# use.sh CMAKE PREFIX CC CXX [ARCH]: uses the ciphers installed in PREFIX as a stranger does, from C and
# C++, through find_package and through pkg-config, and by the programs and the commands of
# native/gost/README.md. ARCH: programs run under qemu-ARCH.
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

# The block of native/gost/README.md in that language; of several, the one with the WORD.
example() {
    awk -v word="${2-.}" "/^\`\`\`/ { if (inside && block ~ word) printf \"%s\", block
        inside = /^\`\`\`$1\$/; block = \"\"; next } inside { block = block \$0 \"\\n\" }" \
        "$here/../../../native/gost/README.md"
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
by_pkg_config "$cxx" "$here/main.cpp" -std=c++17
by_pkg_config "$cxx" "$scratch/example.cpp" -std=c++17 | grep -x 'meet me at nine'

# As printed, but for the prefix and the compiler.
[ -z "$arch" ] || exit 0
mkdir "$scratch/reader"
ln -s "$(cd "$prefix" && pwd)" "$scratch/reader/prefix"
cp "$scratch/example.c" "$scratch/reader/program.c"
cd "$scratch/reader"
cc() {
    # shellcheck disable=SC2086
    "$cc" ${CHECKS-} "$@"
}
example sh pkg-config | sed "s|/opt/stend|$scratch/reader/prefix|" >commands
grep -q '^cc .*pkg-config' commands
(unset LD_LIBRARY_PATH && . ./commands) | grep -x 'meet me at nine'
# Into a static program the compiler for C alone links it, too.
if [ -z "${CHECKS-}" ]; then
    # shellcheck disable=SC2046
    "$cc" -static program.c $(pkg-config --cflags --static --libs stend-gost) -o static
    ./static | grep -x 'meet me at nine'
fi
