#!/bin/bash
# Binds, copies and chases on every pair of four memory nodes: Linux boots in a virtual machine, without
# KVM, and its first process is native/tests/several_nodes.cpp. About 10 s, of which the machine
# takes 5. Leaves with 77 and a reason when something is not installed, and with 75 when there is no
# kernel: a mirror may be away for a while.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/native
scratch=$root/build/several-nodes

skip() { echo "skipped: $*"; exit 77; }
no_kernel() { echo "no kernel to boot could be fetched (Debian: linux-image-cloud-amd64)"; exit 75; }

fetch_kernel() { # Debian's, unpacked but not installed
    [ ! -e "$scratch/vmlinuz" ] || return 0
    local package
    package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null | awk '/Depends:/ {print $2; exit}')
    [ -n "$package" ] || return 1
    (cd "$scratch" && timeout 100 apt-get -q -o Acquire::Retries=2 download "$package" >/dev/null 2>&1 && dpkg -x "$package"_*.deb kernel &&
        mv kernel/boot/vmlinuz-* vmlinuz && rm -r kernel ./*.deb)
}

pack() { # the program, what it is linked with, and a console
    rm -rf "$scratch/image"
    mkdir -p "$scratch/image/dev"
    cp "$build/native/tests/several_nodes" "$scratch/image/init"
    ldd "$scratch/image/init" | grep -o '/[^ ]*' | while read -r library; do
        install -D "$library" "$scratch/image$library"
    done
    (cd "$scratch/image" && find . | cpio --quiet -o -H newc | gzip -1) >"$scratch/initrd"
}

boot() {
    timeout 120 qemu-system-x86_64 -accel tcg -cpu max -smp 4 -m 512 -nodefaults -no-reboot -display none \
        -serial stdio -kernel "$scratch/vmlinuz" -initrd "$scratch/initrd" \
        -append "console=ttyS0 quiet panic=-1 rdinit=/init" \
        -object memory-backend-ram,id=m0,size=192M -numa node,nodeid=0,memdev=m0,cpus=0-1 \
        -object memory-backend-ram,id=m1,size=192M -numa node,nodeid=1,memdev=m1,cpus=2 \
        -numa node,nodeid=2,cpus=3 \
        -object memory-backend-ram,id=m3,size=128M -numa node,nodeid=3,memdev=m3 \
        -numa dist,src=0,dst=1,val=21 -numa dist,src=0,dst=2,val=30 -numa dist,src=0,dst=3,val=17 \
        -numa dist,src=1,dst=2,val=21 -numa dist,src=1,dst=3,val=28 -numa dist,src=2,dst=3,val=40
}

for tool in qemu-system-x86_64 cpio; do
    command -v "$tool" >/dev/null || skip "$tool is not installed (Debian: qemu-system-x86 and cpio)"
done
[ -e "$build/CMakeCache.txt" ] || skip "nothing is built yet (make test)"
mkdir -p "$scratch"
fetch_kernel || no_kernel
flock "$build" cmake --build "$build" --target several_nodes >/dev/null
pack
boot | tee "$scratch/said"
grep -q "^several nodes: ok" "$scratch/said"
