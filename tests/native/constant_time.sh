#!/bin/bash
# constant_time.sh valgrind|msan|steps: runs engines/gost/tests/native/gost_secrets.cpp under a tool that follows
# secret bytes, first with leaks planted, each of which has to be reported. valgrind's memcheck sees
# machine code, but knows neither GFNI nor AVX-512 and says so in CPUID; clang's MemorySanitizer
# sees those, but before the compiler's last steps. Together they look at every variant.
# `steps` runs engines/gost/tests/native/gost_steps.cpp in whole, of which `make test` runs the brief form.
# Leaves with 77 and a reason when the tool is not installed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

skip() { echo "skipped: $*"; exit 77; }

case ${1:?usage: constant_time.sh valgrind|msan|steps} in
steps)
    build=$root/build/native
    flock "$build" cmake --build "$build" --target gost_steps >/dev/null
    for cipher in 0 1 2 3; do
        echo "cipher $cipher, step by step:"
        "$build/engines/gost/tests/native/gost_steps" $cipher
    done
    exit
    ;;
valgrind)
    command -v valgrind >/dev/null || skip "valgrind is not installed (Debian: valgrind)"
    build=$root/build/native # the library's own code
    target=gost_secrets_under_valgrind
    under=(valgrind --quiet --error-exitcode=9 --exit-on-first-error=yes)
    flock "$build" cmake "$build" >/dev/null # valgrind may have come after it was configured
    ;;
msan)
    build=$root/build/msan
    target=gost_secrets
    compiler=clang++-16
    command -v $compiler >/dev/null || skip "$compiler is not installed (Debian: clang-16)"
    echo 'int main() {}' | $compiler -x c++ -fsanitize=memory -o /dev/null - 2>/dev/null ||
        skip "MemorySanitizer is not installed (Debian: libclang-rt-16-dev)"
    # Secrets may be arguments and results: what counts is what is done with them.
    cmake -S "$root" -B "$build" -G Ninja -DSTEND_PYTHON=OFF -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON \
        -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER=$compiler \
        "-DCMAKE_CXX_FLAGS=-O1 -gline-tables-only -fsanitize=memory -fno-sanitize-recover=all -fno-sanitize-memory-param-retval" >/dev/null
    under=(env MSAN_OPTIONS=exit_code=9)
    ;;
esac

flock "$build" cmake --build "$build" --target $target >/dev/null # of tests side by side one builds
program=$build/engines/gost/tests/native/$target
said=$build/planted-$1

for planted in load branch gather comparison; do
    status=0
    "${under[@]}" "$program" planted $planted 2>"$said" || status=$?
    [[ $status = 9 ]] || { echo "the planted $planted was not reported:"; cat "$said"; exit 1; }
done
! "${under[@]}" "$program" planted lost >"$said" || { echo "the planted loss was not found"; exit 1; }
"${under[@]}" "$program"
