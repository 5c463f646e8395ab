#!/bin/sh
# secrets.sh LIBRARY: the shared library of the ciphers has no state that could be overwritten, and
# no function that the first call binds, which would save registers with secrets on the stack.
set -eu
library=$1
stop() {
    echo "$*" >&2
    exit 1
}
# SECTION: its size in the library.
size_of() {
    printf '%d' "0x$(readelf -SW "$library" | sed 's/^ *\[[ 0-9]*\]//' | awk -v "name=$1" '$1 == name { print $5 }')"
}

readelf -dW "$library" | grep -q BIND_NOW || stop 'functions are bound at their first call'
[ "$(size_of .data)" -le 64 ] || stop 'there are constants in memory that can be written'
before_main=$(readelf -sW "$library" | grep -o '_GLOBAL__sub_I.*' || true)
[ -z "$before_main" ] || stop "initialised when the library is loaded: $before_main"
