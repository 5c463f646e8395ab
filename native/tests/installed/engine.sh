#!/bin/bash
# engine.sh PROGRAM CMAKE BUILD CXX: uses an engine's library by the program in that folder, out of
# an installation of everything, and as a part of another project, to which it brings nothing else.
set -euo pipefail
program=$(cd "$1" && pwd) cmake=$2 build=$3 cxx=$4
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null
"$program/use.sh" "$cmake" "$scratch/prefix" "$cxx"
# What isn't there by that name ends the configuration.
"$cmake" -S "$program" -B "$scratch/inside" "-DSTEND_FOLDER=$root" "-DCMAKE_CXX_COMPILER=$cxx" >/dev/null
