#!/bin/sh
# check.sh CMAKE BUILD CC CXX SHARED [ARCH]: uses the ciphers out of an installation of everything,
# then with the SHARED library, made of the same objects, and looks into that.
set -eu
cmake=$1 build=$2 cc=$3 cxx=$4 shared=$5 arch=${6-}
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch" >/dev/null
"$here/use.sh" "$cmake" "$scratch" "$cc" "$cxx" "$arch"
"$cmake" --build "$build" --target stend_gost_shared >/dev/null
"$cmake" --install "$build" --prefix "$scratch" --component gost_shared >/dev/null
"$here/use.sh" "$cmake" "$scratch" "$cc" "$cxx" "$arch"
"$here/../../../../../native/tests/installed/shared.sh" "$shared" gost "$scratch/include/stend/gost.h"
"$here/secrets.sh" "$shared"
