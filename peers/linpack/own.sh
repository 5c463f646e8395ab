#!/bin/bash
# Compares our own LU with the dgetrf of libraries, interleaved, a library a process: those of
# Debian that are installed, and those of wheels in the Python of PYTHON (.venv). THREADS ("1"
# and all CPUs), ROUNDS pairs of factorisations (9, at least 2), ORDERS ("100 300 1000 2000"), VARIANT (the
# best that this machine has).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
cpus=$(nproc)
debian=/usr/lib/$(uname -m)-linux-gnu
python=${PYTHON:-$root/.venv/bin/python}
wheels=$("$python" -c 'import sys; print(sys.prefix)')/lib
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend --parallel "$cpus" >/dev/null
g++ -std=c++20 -O2 -I"$root/native" -I"$root/native/ground" "$here/own_versus.cpp" "$build"/libstend{,_ground,_isa}.a -lpthread -ldl \
    -o "$build/linpack-own-versus"

# Name and what to load, in this order. Reference LAPACK takes the libblas.so.3 that is there first.
libraries=(
    "reference $debian/blas/libblas.so.3:$debian/lapack/liblapack.so.3"
    "atlas $debian/atlas/libblas.so.3:$debian/atlas/liblapack.so.3"
    "blis $debian/blis-pthread/libblas.so.3:$debian/lapack/liblapack.so.3"
    "openblas $debian/openblas-pthread/libopenblas.so.0"
    "openblas-wheel $packages/scipy_openblas32/lib/libscipy_openblas.so"
    "mkl $wheels/libmkl_rt.so.3"
)

factorisations() { # of all libraries that are here, on THREADS threads
    local library name paths pin=()
    [ "$1" = 1 ] && pin=(taskset -c $((cpus - 1)))
    for library in "${libraries[@]}"; do
        read -r name paths <<<"$library"
        [ -e "${paths##*:}" ] && [ -e "${paths%%:*}" ] || continue
        # shellcheck disable=SC2086
        "${pin[@]}" "$build/linpack-own-versus" "$name" "$paths" "${VARIANT:-best}" "$1" \
            "${ROUNDS:-9}" ${ORDERS:-100 300 1000 2000}
    done
}

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $cpus CPUs, $(gcc --version | head -1)"
echo
# Passive: workers that spin after their part would take the CPU from the other program.
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 OPENBLAS_THREAD_TIMEOUT=4
for threads in ${THREADS:-$(printf '%s\n' 1 "$cpus" | uniq)}; do
    export OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads MKL_NUM_THREADS=$threads \
        BLIS_NUM_THREADS=$threads
    factorisations "$threads"
done | python3 "$here/../pairs.py" --unit GFLOP/s library library variant threads n
