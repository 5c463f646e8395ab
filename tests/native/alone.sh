#!/bin/bash
# alone.sh gost|tomo|unet: builds that engine's library without the rest by clang, for
# AddressSanitizer and UndefinedBehaviorSanitizer; installs it, moves it elsewhere, uses it as a
# stranger does, removes it; and runs the tests of what takes bytes of strangers. Not optimised, for
# this is about what the code does and not how fast. Leaves with 77 and a reason when clang is
# missing.
set -euo pipefail
engine=${1:?usage: alone.sh gost|tomo|unet}
root=$(cd "$(dirname "$0")/../.." && pwd)
tests=$root/native/tests
home=$root/engines/$engine
build="$root/build/alone $engine" # a blank, as folders of users have
case $engine in
tomo) engine_tests="checks preparation dfr cone projector" ;;
unet) engine_tests="onnx onnx_refused onnx_hostile" ;;
esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cc=clang-16 cxx=clang++-16

skip() { echo "skipped: $*"; exit 77; }
stop() { echo "$*" >&2; exit 1; }

command -v $cxx >/dev/null || skip "$cxx is not installed (Debian: clang-16)"
export CHECKS="-fsanitize=address,undefined -fno-sanitize-recover=all"
# These two need a runtime library that programs in C are not linked with.
[[ $engine != gost ]] || CHECKS+=" -fno-sanitize=function,vptr"
# shellcheck disable=SC2086
echo 'int main() {}' | $cxx -x c++ $CHECKS -o /dev/null - 2>/dev/null ||
    skip "AddressSanitizer is not installed (Debian: libclang-rt-16-dev)"

# Into "$scratch/the SHARED one".
install() {
    prefix="$scratch/the $1 one"
    cmake -S "$root" -B "$build" -G Ninja "-DSTEND_ONLY=$engine" "-DBUILD_SHARED_LIBS=$1" -DCMAKE_CXX_COMPILER=$cxx \
        "-DCMAKE_CXX_FLAGS_RELEASE=-O0 $CHECKS" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
    grep -q -- '-O0' "$build/compile_commands.json" || stop 'no release, though nobody asked for another'
    cmake --build "$build" >/dev/null
    cmake --install "$build" --prefix "$scratch/elsewhere" >/dev/null
    sed "s|^$scratch/elsewhere/|$prefix/|" "$build/install_manifest.txt" >"$scratch/manifest"
    mv "$scratch/elsewhere" "$prefix"
}

removed() {
    while read -r file || [ -n "$file" ]; do rm "$file"; done <"$scratch/manifest"
    left=$(find "$prefix" ! -type d)
    [ -z "$left" ] || stop "not in the manifest of what was installed: $left"
}

# SOURCE ARGUMENT…: builds a program of the tests and runs it.
run() {
    program=$scratch/$(basename "$1" .cpp) source=$1
    shift
    # shellcheck disable=SC2086
    $cxx $CHECKS -std=c++20 -O1 "-DSTEND_VECTORS=\"$home/tests/vectors\"" "-I$root/native" "-I$root/native/ground" \
        "-I$root/native/include" "-I$home/native" "-I$home/include" "-I$tests" "$source" "${libraries[@]}" -pthread -o "$program"
    "$program" "$@"
}

install OFF
libraries=("$build/libstend_$engine.a")
[[ ! -e $build/libstend_ground.a ]] || libraries+=("$build/libstend_ground.a")
libraries+=("$build/libstend_isa.a")
case $engine in
gost)
    "$home/tests/native/installed/use.sh" cmake "$prefix" $cc $cxx
    removed
    install ON # from the same objects
    "$home/tests/native/installed/use.sh" cmake "$prefix" $cc $cxx
    removed
    run "$home/fuzz/fuzz_gost.cpp" 300
    for test in vectors lengths statuses hpp; do
        run "$home/tests/native/test_gost_$test.cpp" brief >"$scratch/said" || { cat "$scratch/said"; exit 1; }
    done
    ;;
*)
    "$home/tests/native/installed/use.sh" cmake "$prefix" $cxx
    removed
    install ON # from the same objects
    "$home/tests/native/installed/use.sh" cmake "$prefix" $cxx
    removed
    for test in $engine_tests; do
        run "$home/tests/native/test_${engine}_$test.cpp" brief >"$scratch/said" || { cat "$scratch/said"; exit 1; }
    done
    "$tests/apart.sh" "$build/libstend_$engine.a"
    ;;
esac
echo "$engine: clean"
