#!/bin/bash
# apart.sh LIBRARY: of a function that several of a library's files have, the linker keeps one for
# all of them. If that is one compiled for a variant's instructions, other variants die of it where
# the processor lacks these; so no such function has any, unless only files of its variant use it.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
nm "$1" >"$scratch/names"
objdump -d --no-show-raw-insn "$1" >"$scratch/code"
awk -F '\t' '
    FNR == 1 { reading++; object = 0 }
    reading == 1 && /\.o:$/ { file[++object] = substr($0, 1, length($0) - 1) }
    reading == 1 && !/\.o:$/ && length($0) > 19 {
        kind = substr($0, 18, 1)
        name = substr($0, 20)
        if (kind == "W") weak[object, name]
        if (!index(users[name] " ", " " file[object] " ")) users[name] = users[name] " " file[object]
    }
    reading == 2 && /file format/ { object++ }
    reading == 2 && /^[0-9a-f]+ <.*>:$/ {
        name = substr($0, index($0, "<") + 1)
        name = substr(name, 1, length(name) - 2)
        shared = (object, name) in weak && users[name] != " " file[object]
    }
    reading == 2 && shared && $2 ~ /^(v|k(mov|x?n?or|and|test|shift|unpck)|(andn|bextr|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx) )/ {
        print file[object] " has a copy of " name " with " $2 ", and so may get:" users[name]
        found = 1
        shared = 0
    }
    END {
        if (!object) print "There is nothing to look at in the library."
        exit found || !object
    }
' "$scratch/names" "$scratch/code" | c++filt
