#!/bin/bash
# engine.sh ENGINE CMAKE BUILD CXX SHARED: uses an engine's library by the program in its folder, out
# of an installation of everything, then with its SHARED library, made of the same objects, and as a
# part of another project, to which it brings nothing else.
set -euo pipefail
engine=$1 cmake=$2 build=$3 cxx=$4 shared=$5
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
program=$root/engines/$engine/tests/native/installed
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null
"$program/use.sh" "$cmake" "$scratch/prefix" "$cxx"
"$cmake" --build "$build" --target "stend_${engine}_shared" >/dev/null
"$cmake" --install "$build" --prefix "$scratch/prefix" --component "${engine}_shared" >/dev/null
"$program/use.sh" "$cmake" "$scratch/prefix" "$cxx"
"$here/shared.sh" "$shared" "$engine" "$root/engines/$engine/include/stend/$engine"/*.hpp
# What isn't there by that name ends the configuration.
"$cmake" -S "$program" -B "$scratch/inside" "-DSTEND_FOLDER=$root" "-DCMAKE_CXX_COMPILER=$cxx" >/dev/null
