#!/bin/bash
# shared.sh LIBRARY ENGINE HEADER…: looks into an engine's shared library: it shows what the headers
# have and nothing else, each name with the version of the binary interface, needs nothing else of
# stend, and its soname has that version alone.
set -euo pipefail
library=$1 engine=$2
shift 2
stop() {
    echo "$library $*" >&2
    exit 1
}
major=$(basename "$(readlink -f "$library")" | sed 's/.*\.so\.\([0-9]*\).*/\1/')
version=STEND_${engine^^}_$major

shown=$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }')
[[ -n $shown ]] || stop 'shows nothing'
other=$(grep -v "@@$version$" <<<"$shown" || true)
[[ -z $other ]] || stop "shows without $version: $other"
shown=$(sed 's/@@.*//' <<<"$shown" | c++filt)
strange=$(grep -Ev "^(stend_${engine}_|stend::$engine::|(typeinfo|typeinfo name|vtable) for stend::$engine::)" <<<"$shown" || true)
[[ -z $strange ]] || stop "shows: $strange"
case $engine in
gost) names=$(grep -ho 'stend_gost_[a-z_0-9]*(' "$@" | tr -d '(') ;;
*) # functions, which begin a line, and methods that are defined elsewhere
    names=$(sed -n "s/^[A-Za-z][A-Za-z0-9_:<> ]* \([a-z_]*\)(.*/stend::$engine::\1/p" "$@")
    names+=" "$(sed -n "s/^class \([A-Za-z]*\) {\$/stend::$engine::\1::~\1/p" "$@")
    ;;
esac
[[ -n $names ]] || stop 'has headers without a function'
for name in $names; do
    grep -q "^$name\((\|$\)" <<<"$shown" || stop "has no $name"
done

dynamic=$(readelf -dW "$library")
needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic" |
    grep -Ev '^(libstdc\+\+|libgcc_s|libm|libc|ld-linux-[-a-z0-9_]+)\.so\.[0-9]$' || true)
[[ -z $needed ]] || stop "needs: $needed"
grep -q "SONAME.*\[libstend_$engine\.so\.$major\]" <<<"$dynamic" || stop 'has another soname'
