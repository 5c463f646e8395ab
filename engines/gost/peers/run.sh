#!/bin/bash
# Compares the ciphers with what people can install, interleaved. What a peer needs comes from its
# language's registry through its ordinary client; where that is missing, a sentence says so.
#     run.sh              everything: builds, checks, times, prints the tables (some 8 minutes)
#     run.sh build        builds, and checks that each peer and this library make the same
#     run.sh list         the pieces that are timed, a peer and a cipher each
#     run.sh PEER CIPHER  times one piece, a minute at most, and keeps its pairs in build/peers/gost
#     run.sh leaks        looks for times that depend on secrets
#     run.sh tables       prints the tables of all pieces that were timed
#     run.sh keep         writes them to the file of this processor in measured/
# LARGEST message (64 MiB); UNDER, a command that each piece is timed under, such as a lock.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/peers
kept=$build/gost
cpus=$(nproc)
castle=1.86
mkdir -p "$kept"

without() { echo "gost: without $1: $2" >&2; }
# What versus takes for a peer of another language.
command_of() {
    case $1 in
    bouncycastle) echo "java -XX:+UseSerialGC -cp $kept:$kept/bcprov-jdk18on-$castle.jar Castle" ;;
    gostcrypto) echo "$kept/python/bin/python $here/gostcrypto_peer.py" ;;
    esac
}

build_java() {
    if ! command -v mvn javac >/dev/null; then
        without bouncycastle "mvn or javac is missing (Debian: maven default-jdk-headless)"
        return 1
    fi
    local jar=$kept/bcprov-jdk18on-$castle.jar
    [ -f "$jar" ] || mvn -q -B -Dstyle.color=never dependency:copy \
        -Dartifact="org.bouncycastle:bcprov-jdk18on:$castle" -DoutputDirectory="$kept" >&2 || true
    [ -f "$jar" ] && javac -cp "$jar" -d "$kept" "$here/Castle.java" && return
    without bouncycastle "its registry did not give bcprov-jdk18on $castle"
    return 1
}

build_python() {
    "$kept/python/bin/python" -c 'import gostcrypto' 2>/dev/null || {
        python3 -m venv "$kept/python" && "$kept/python/bin/pip" install -q gostcrypto==1.2.5
    } || {
        without gostcrypto "its registry did not give gostcrypto 1.2.5"
        return 1
    }
}

build_crates() {
    if ! command -v cargo >/dev/null; then
        without crates "cargo is missing (Debian: cargo, or rustup)"
        return 1
    fi
    RUSTFLAGS="-C target-cpu=native" cargo build --quiet --release --locked \
        --manifest-path "$here/crates/Cargo.toml" --target-dir "$build/crates" && return
    without crates "their registry did not give them"
    return 1
}

has() { echo "#include <$1>" | g++ -E -x c++ - >/dev/null 2>&1; }

build_all() {
    cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
    cmake --build "$build" --target stend stend_gost --parallel "$cpus" >/dev/null
    local peers=() sources=() link=()
    local stend=("$build/libstend.a" "$build/libstend_gost.a" "$build/libstend_isa.a")
    local compile=(g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" -I"$root/engines/gost/include")
    if build_crates; then
        peers+=(crates) sources+=("$here/crates.cpp")
        link+=("$build/crates/release/libcrates.a")
    fi
    if has openssl/evp.h && openssl engine gost >/dev/null 2>&1; then
        peers+=(openssl) sources+=("$here/openssl.cpp") link+=(-lcrypto)
    else
        without openssl "its headers or its engine gost are missing (Debian: libssl-dev libengine-gost-openssl)"
    fi
    if has gcrypt.h; then
        peers+=(libgcrypt) sources+=("$here/libgcrypt.cpp") link+=(-lgcrypt)
    else
        without libgcrypt "its headers are missing (Debian: libgcrypt20-dev)"
    fi
    build_java && peers+=(bouncycastle)
    build_python && peers+=(gostcrypto)
    "${compile[@]}" "$here"/{versus,ours,foreign}.cpp "${sources[@]}" "${stend[@]}" \
        "${link[@]}" -lpthread -ldl -o "$kept/versus"
    "${compile[@]}" "$here/leaks.cpp" "${stend[@]:1}" -lpthread -o "$kept/leaks"
    echo "${peers[*]}" >"$kept/peers"
    pieces | while read -r peer cipher; do versus "$peer" "$cipher" check </dev/null; done
    echo "gost: all agree: ${peers[*]}" >&2
}

versus() { PEER_COMMAND=$(command_of "$1") "$kept/versus" "$@"; }
pieces() {
    "$kept/versus" | while read -r peer cipher; do
        [[ " $(<"$kept/peers") " != *" $peer "* ]] || echo "$peer $cipher"
    done
}
piece() {
    PEER_COMMAND=$(command_of "$1") taskset -c $((cpus - 1)) \
        "$kept/versus" "$1" "$2" "${LARGEST:-67108864}" >"$kept/$1-$2.new" </dev/null
    mv "$kept/$1-$2.new" "$kept/$1-$2.pairs"
}
leaks() {
    taskset -c $((cpus - 1)) "$kept/leaks" >"$kept/leaks.new"
    mv "$kept/leaks.new" "$kept/leaks.table"
}
machine() {
    echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {n = $2} /^model\t/ {m = $2} /^cpu family/ {f = $2}
        END {print n " (family " f " model " m ")"}' /proc/cpuinfo), $cpus CPUs"
    echo "g++ $(g++ -dumpfullversion)"
    { rustc --version; openssl version; java --version; python3 --version; } 2>/dev/null |
        grep -E '^(rustc|OpenSSL|openjdk|Python)' | cut -d' ' -f1,2
}
# Vendor, family and model, as "AMD, family 26, model 2".
processor() {
    awk -F ': ' '/^vendor_id/ {v = $2} /^cpu family/ {f = $2} /^model\t/ {m = $2}
        END {sub("Genuine|Authentic", "", v); print v ", family " f ", model " m}' /proc/cpuinfo
}
tables() {
    echo "> $(machine | paste -sd ';' | sed 's/ *;/; /g')"
    pieces | while read -r peer cipher; do
        [ ! -f "$kept/$peer-$cipher.pairs" ] || cat "$kept/$peer-$cipher.pairs"
    done | python3 "$here/table.py"
    [ ! -f "$kept/leaks.table" ] || { echo && cat "$kept/leaks.table"; }
}

case "$*" in
build) build_all ;;
list) pieces ;;
leaks) leaks ;;
tables) tables ;;
keep)
    tables >"$kept/tables"
    mkdir -p "$here/measured"
    {
        echo "# Measured: $(processor)"
        echo 'Cycles a byte, theirs / ours, at the true core frequency, and the ratio (`../README.md`). Written by'
        echo '`run.sh keep`.'
        echo
        cat "$kept/tables"
    } >"$here/measured/$(processor | tr 'A-Z' 'a-z' | sed 's/, [a-z]* /-/g').md"
    ;;
*\ *) piece "$1" "$2" ;;
"")
    build_all
    rm -f "$kept"/*.pairs "$kept/leaks.table"
    # shellcheck disable=SC2086
    { pieces && echo leaks; } | while read -r words; do ${UNDER:-} "$here/run.sh" $words </dev/null; done
    tables
    ;;
*) echo "gost: run.sh takes nothing, build, list, leaks, tables, keep, or a peer and a cipher." >&2 && exit 2 ;;
esac
