#!/bin/sh
# check.sh CMAKE BUILD CC CXX: uses the ciphers out of an installation of everything.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" --install "$2" --prefix "$scratch" >/dev/null
"$(dirname "$0")/use.sh" "$1" "$scratch" "$3" "$4"
