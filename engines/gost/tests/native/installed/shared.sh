#!/bin/sh
# shared.sh LIBRARY HEADER: looks into the shared library of the ciphers: it shows what the header
# has and nothing else, and has no state that could be overwritten.
set -eu
library=$1 header=$2

stop() {
    echo "$*" >&2
    exit 1
}

# SECTION: its size in the library.
size_of() {
    printf '%d' "0x$(readelf -SW "$library" | sed 's/^ *\[[ 0-9]*\]//' | awk -v "name=$1" '$1 == name { print $5 }')"
}

dynamic=$(readelf -dW "$library")
shown=$(readelf -W --dyn-syms "$library" | awk '$4 ~ /FUNC|OBJECT|TLS/ && $7 != "UND" { print $8 }')
strange=$(echo "$shown" | grep -v '^stend_gost_' || true)
[ -z "$strange" ] || stop "the shared library shows: $strange"
for name in $(grep -o 'stend_gost_[a-z_0-9]*(' "$header" | tr -d '(' | sort -u); do
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
