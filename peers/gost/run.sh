#!/bin/bash
# Compares the ciphers with RustCrypto's crates, OpenSSL's GOST engine and libgcrypt, interleaved.
# LARGEST message (64 MiB), PEERS (all of them). The crates come from their registry through cargo.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
cpus=$(nproc)
missing() { echo "gost: skipped, $1 is missing (Debian: $2)"; exit 0; }

command -v cargo >/dev/null || missing cargo "cargo, or rustup"
openssl engine gost >/dev/null 2>&1 || missing "OpenSSL's GOST engine" "libengine-gost-openssl"
for header in openssl/evp gcrypt; do
    echo "#include <$header.h>" | g++ -E -x c++ - >/dev/null 2>&1 ||
        missing "$header.h" "libssl-dev libgcrypt20-dev"
done

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend stend_gost --parallel "$cpus" >/dev/null
RUSTFLAGS="-C target-cpu=native" cargo build --quiet --release --locked \
    --manifest-path "$here/crates/Cargo.toml" --target-dir "$build/crates"
hwloc=$(pkg-config --libs hwloc 2>/dev/null || true)
stend=("$build/libstend.a" "$build/libstend_gost.a" "$build/libstend_isa.a")
includes=(-I"$root/native" -I"$root/native/include")
# shellcheck disable=SC2086
g++ -std=c++20 -O2 "${includes[@]}" "$here"/{versus,ours,crates,openssl,libgcrypt}.cpp "${stend[@]}" \
    "$build/crates/release/libcrates.a" -lcrypto -lgcrypt -lpthread -ldl $hwloc -o "$build/gost-versus"
g++ -std=c++20 -O2 "${includes[@]}" "$here/leaks.cpp" "${stend[@]:1}" -lpthread -o "$build/gost-leaks"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $cpus CPUs, $(rustc --version), $(openssl version | cut -d' ' -f1-2)"
"$build/gost-versus" | while read -r peer rest; do
    [[ " ${PEERS:-crates openssl libgcrypt} " != *" $peer "* ]] ||
        taskset -c $((cpus - 1)) "$build/gost-versus" "$peer" $rest "${LARGEST:-67108864}" </dev/null
done | python3 "$here/table.py"
echo
taskset -c $((cpus - 1)) "$build/gost-leaks"
