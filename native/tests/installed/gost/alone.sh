#!/bin/sh
# alone.sh CMAKE CC CXX [ARCH]: the library of the ciphers without the rest, static and shared: built
# with those compilers, installed, moved elsewhere, used (use.sh), looked into, and removed.
set -eu
cmake=$1 cc=$2 cxx=$3 arch=${4-}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build="$scratch/a build"

stop() {
    echo "$*" >&2
    exit 1
}

# Into "$scratch/the SHARED one". Not optimised, for this is about the library and not its speed.
install() {
    prefix="$scratch/the $1 one"
    "$cmake" -S "$root" -B "$build" -DSTEND_ONLY=gost "-DBUILD_SHARED_LIBS=$1" \
        "-DCMAKE_CXX_COMPILER=$cxx" -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
        ${arch:+-DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_SYSTEM_PROCESSOR=$arch"} >/dev/null
    grep -q -- '-O0' "$build/compile_commands.json" || stop 'no release, though nobody asked for another'
    "$cmake" --build "$build" --parallel 2 >/dev/null
    "$cmake" --install "$build" --prefix "$scratch/elsewhere" >/dev/null
    sed "s|^$scratch/elsewhere/|$prefix/|" "$build/install_manifest.txt" >"$scratch/manifest"
    mv "$scratch/elsewhere" "$prefix"
}

removed() {
    while read -r file || [ -n "$file" ]; do rm "$file"; done <"$scratch/manifest"
    left=$(find "$prefix" ! -type d)
    [ -z "$left" ] || stop "not in the manifest of what was installed: $left"
}

# SECTION: its size in the shared library.
size_of() {
    printf '%d' "0x$(readelf -SW "$library" | sed 's/^ *\[[ 0-9]*\]//' | awk -v "name=$1" '$1 == name { print $5 }')"
}

looked_into() {
    library=$(find "$prefix" -type f -name 'libstend_gost.so*')
    dynamic=$(readelf -dW "$library")
    shown=$(readelf -W --dyn-syms "$library" | awk '$4 ~ /FUNC|OBJECT|TLS/ && $7 != "UND" { print $8 }')
    strange=$(echo "$shown" | grep -v '^stend_gost_' || true)
    [ -z "$strange" ] || stop "the shared library shows: $strange"
    for name in $(grep -o 'stend_gost_[a-z_0-9]*(' "$prefix/include/stend/gost.h" | tr -d '(' | sort -u); do
        echo "$shown" | grep -qx "$name" || stop "the shared library has no $name"
    done
    needed=$(echo "$dynamic" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -Ev '^(libstdc\+\+|libgcc_s|libm|libc|ld-linux-[-a-z0-9_]+)\.so\.[0-9]$' || true)
    [ -z "$needed" ] || stop "the shared library needs: $needed"
    echo "$dynamic" | grep -q 'SONAME.*\[libstend_gost\.so\.[0-9]*\.[0-9]*\]' || stop 'no version in the name'
    echo "$dynamic" | grep -q BIND_NOW || stop 'functions are bound at their first call'
    [ "$(size_of .data)" -le 64 ] || stop 'there are constants in memory that can be written'
    before_main=$(readelf -sW "$library" | grep -o '_GLOBAL__sub_I.*' || true)
    [ -z "$before_main" ] || stop "initialised when the library is loaded: $before_main"
}

install OFF
"$here/use.sh" "$cmake" "$prefix" "$cc" "$cxx" "$arch"
removed
install ON
"$here/use.sh" "$cmake" "$prefix" "$cc" "$cxx" "$arch"
looked_into
removed
