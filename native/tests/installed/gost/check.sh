#!/bin/sh
# check.sh CMAKE BUILD CC CXX SHARED: uses the installed ciphers from C and C++, through find_package
# and pkg-config, and the shared library, which shows the public names alone.
set -eu
cmake=$1 build=$2 cc=$3 cxx=$4 shared=$5
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name stend-gost.pc)")
export PKG_CONFIG_PATH

"$cmake" -S "$here" -B "$scratch/c" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    -DCMAKE_C_COMPILER="$cc" >/dev/null
"$cmake" --build "$scratch/c"
"$scratch/c/stranger"
"$cmake" -S "$here" -B "$scratch/cpp" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCXX=ON \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null
"$cmake" --build "$scratch/cpp"
"$scratch/cpp/stranger_cpp"

# shellcheck disable=SC2046
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$here/main.c" -o "$scratch/stranger" \
    $(pkg-config --cflags --libs stend-gost)
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") "$scratch/stranger"

# The example of native/gost/README.md
awk "/^\`\`\`/ { inside = /^\`\`\`c\$/; next } inside" "$here/../../../gost/README.md" >"$scratch/example.c"
# shellcheck disable=SC2046
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$scratch/example.c" -o "$scratch/example" \
    $(pkg-config --cflags --libs stend-gost)
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") "$scratch/example" | grep -x 'meet me at nine'

"$cc" -std=c11 -I"$scratch/prefix/include" "$here/main.c" -o "$scratch/with_shared" "$shared"
LD_LIBRARY_PATH=$(dirname "$shared") "$scratch/with_shared"
shown=$(nm -D --defined-only "$shared" | cut -d' ' -f3 | grep -v '^stend_gost_' || true)
if [ -n "$shown" ]; then
    echo "the shared library shows: $shown" >&2
    exit 1
fi
