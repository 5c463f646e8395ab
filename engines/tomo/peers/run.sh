#!/bin/bash
# Reconstructs on one core, at the sizes of the two published problems: first every variant of our
# own, METHODS as own.cpp takes them, then other people's software beside ours, by turns (versus.py, pieces.py);
# ROUNDS of each (9). GRIDREC names a library with TomoPy's gridrec, which no registry of Python has.
# With GROWTH='256 512 1024' only how the time of our own grows with n: 4/5 n angles, n² slices.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/peers

cmake -S "$root" -B "$build" -DSTEND_PYTHON=OFF -DSTEND_TESTS=OFF -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target stend_tomo --parallel "$(nproc)" >/dev/null
g++ -std=c++20 -O2 -I"$here/../include" "$here/own.cpp" \
    "$build"/libstend_{tomo,ground,isa}.a -lpthread -o "$build/tomo-own"

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(g++ --version | head -1)"
core=$(taskset -cp $$ | sed 's/.*[:,-] *//') # the last one allowed
read -ra methods <<<"${METHODS:-dfr/all dfr_half/all fbp/all fbp_int16/all hfbp/all hfbp_fine/all}"
if [[ -n ${GROWTH:-} ]]; then
    echo 'n, method, ms a slice, ns over n² log2 n, ns over n³'
    for n in $GROWTH; do
        taskset -c "$core" "$build/tomo-own" "$n" $((n * 4 / 5)) "$n" 1 "${ROUNDS:-9}" "${methods[@]}" |
            awk -v n="$n" 'NR > 1 { each = 1e6 * $2 / (n * n)
                printf "%d, %s, %.3g, %.3g, %.3g\n", n, $1, $2, each / (log(n) / log(2)), each / n }'
    done
    exit
fi
for problem in '511 420 511' '1175 400 1175'; do
    printf '\ndetectors, angles, size: %s\n' "$problem"
    # shellcheck disable=SC2086 # three numbers
    taskset -c "$core" "$build/tomo-own" $problem 1 "${ROUNDS:-9}" "${methods[@]}"
done
export OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
taskset -c "$core" "$root/.venv/bin/python" "$here/versus.py" "${ROUNDS:-9}"
taskset -c "$core" "$root/.venv/bin/python" "$here/pieces.py" "${ROUNDS:-9}"
