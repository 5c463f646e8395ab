#!/bin/bash
# Compares stend's ping-pong, barrier and allreduce with plain C loops over the same MPI, interleaved.
# SIZES in bytes, PAIRS (25, of large messages 10 or 4) in each of PROCESSES (4), MPIS (openmpi mpich).
# With NODES=1, as root: between two network namespaces over TCP (tests/running/two_hosts.sh).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
mkdir -p "$build"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
sources=("$root"/native/mpi/{pairs,collectives,payload,placement}.cpp "$root/native/ground/isa/cores.cpp")

build_with() { # MPI
    "mpicc.$1" -O2 -c "$here/plain.c" -o "$build/plain-$1.o"
    "mpicxx.$1" -std=c++17 -O2 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I"$root/native" -I"$root/native/ground" -I"$here" \
        "$here/versus.cpp" "${sources[@]}" "$build/plain-$1.o" -o "$build/mpi-$1"
}

# MPI OPERATION BYTES
turns() {
    local times=$((1000 / (1 + $3 / 100000))) pairs=${PAIRS:-25} i
    ((times > 50)) || times=50
    (($3 < 1 << 23)) || pairs=${PAIRS:-10}
    (($3 < 1 << 26)) || pairs=${PAIRS:-4} times=3
    local within=() hosts=(-n 2) place=socket
    [ "$1" = mpich ] || hosts=(-n 2 --host localhost:2 --bind-to none)
    if [ "${NODES:-}" = 1 ]; then
        place=nodes
        hosts=(-n 2 -hosts n1,n2 -ppn 1)
        [ "$1" = mpich ] || hosts=(-n 2 --host n1:1,n2:1 --bind-to none)
        within=(unshare -n -u -m -p -f --kill-child --mount-proc --propagation private
            "$root/tests/running/two_hosts.sh")
    fi
    for ((i = 0; i < ${PROCESSES:-4}; ++i)); do
        "${within[@]}" "mpirun.$1" "${hosts[@]}" "$build/mpi-$1" "$1" "$2" "$3" "$times" "$pairs" $place
    done
}

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(nproc) CPUs"
for mpi in ${MPIS:-openmpi mpich}; do build_with "$mpi"; done
for mpi in ${MPIS:-openmpi mpich}; do
    for bytes in ${SIZES:-0 8 64 1024 4096 16384 65536 262144 1048576 8388608 128000000}; do
        turns "$mpi" pingpong "$bytes"
        case $bytes in 8 | 1024 | 4096 | 16384 | 65536) turns "$mpi" pingpong,alone "$bytes" ;; esac
    done
    if [ "${NODES:-}" != 1 ] && [ -z "${SIZES:-}" ]; then
        for operation in barrier barrier,alone; do turns "$mpi" "$operation" 0; done
        for operation in allreduce allreduce,alone; do turns "$mpi" "$operation" 1024; done
    fi
done | python3 "$here/../pairs.py" --unit ns --tail "plain C" MPI operation bytes
