#!/bin/sh
# check.sh CMAKE BUILD CC CXX SHARED [ARCH]: uses the ciphers out of an installation of everything, and looks
# into the SHARED library, made of the same objects.
set -eu
cmake=$1 build=$2 cc=$3 cxx=$4 shared=$5 arch=${6-}
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch" >/dev/null
"$here/use.sh" "$cmake" "$scratch" "$cc" "$cxx" "$arch"
"$cmake" --build "$build" --target stend_gost_shared >/dev/null
"$here/shared.sh" "$shared" "$scratch/include/stend/gost.h"
