#!/bin/bash
# memcheck.sh: runs the ciphers' tests under valgrind's memcheck, as they are built for `make test`;
# only what is short, and the variants up to AVX2, for it knows no others. Leaves with 77 and a reason
# when valgrind is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/native
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed (Debian: valgrind)"; exit 77; }

flock "$build" cmake --build "$build" --target fuzz_gost test_gost_vectors test_gost_statuses test_gost_hpp >/dev/null
under=(valgrind --quiet --error-exitcode=9 --leak-check=full)
cd "$build/engines/gost/tests/native"
"${under[@]}" ./fuzz_gost 60
"${under[@]}" ./test_gost_vectors brief >/dev/null
"${under[@]}" ./test_gost_statuses >/dev/null
"${under[@]}" ./test_gost_hpp >/dev/null
