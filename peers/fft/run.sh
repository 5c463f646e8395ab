#!/bin/bash
# Compares stend's Fourier transforms with the same libraries called by a plain loop, interleaved on
# one core, ROUNDS pairs (15). FFTW and MKL take part where they are installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
python=$root/.venv/bin/python
prefix=$("$python" -c 'import sys; print(sys.prefix)')/lib

mkdir -p "$build"
libraries=()
if ldconfig -p | grep -q 'libfftw3\.so\.3 '; then
    libraries+=(-DFFTW -l:libfftw3.so.3)
fi
if [ -e "$prefix/libmkl_rt.so.3" ]; then
    libraries+=(-DMKL -L"$prefix" "-Wl,-rpath,$prefix" -l:libmkl_rt.so.3)
fi
gcc -O2 -shared -fPIC "$here/plain.c" "${libraries[@]}" -o "$build/fft-plain.so"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(gcc --version | head -1)"
echo
core=$(taskset -cp $$ | sed 's/.*[:,-] *//') # the last one allowed
export MKL_THREADING_LAYER=SEQUENTIAL OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
taskset -c "$core" "$python" "$here/versus.py" "$build/fft-plain.so" "${ROUNDS:-15}" |
    "$python" "$here/../pairs.py" --unit GFLOP/s plain library size
