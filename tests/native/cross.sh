#!/bin/sh
# cross.sh ARCH: builds the library and its C++ tests for aarch64 or riscv64 and runs them
# under qemu-user. Little optimised: this is about results. The library is shared, too, for aarch64;
# for riscv64 it is built without headers read once, so that each file has to include what it uses.
# Leaves with 77 and a reason when compiler or emulator is missing.
set -eu
arch=${1:?usage: cross.sh aarch64|riscv64}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/cross-$arch

for tool in "$arch-linux-gnu-g++" "qemu-$arch"; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is not installed (Debian: g++-$arch-linux-gnu and qemu-user)"
        exit 77
    fi
done
case $arch in
aarch64) option=-DBUILD_SHARED_LIBS=ON ;;
riscv64) option=-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON ;;
esac

cmake -S "$root" -B "$build" -G Ninja -DSTEND_PYTHON=OFF -DCMAKE_SYSTEM_NAME=Linux \
    -DCMAKE_SYSTEM_PROCESSOR="$arch" -DCMAKE_CXX_COMPILER="$arch-linux-gnu-g++" \
    -DCMAKE_CROSSCOMPILING_EMULATOR="qemu-$arch;-L;/usr/$arch-linux-gnu" \
    -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON $option >/dev/null
cmake --build "$build"
ctest --test-dir "$build" --output-on-failure --parallel 2
