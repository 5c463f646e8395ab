#!/bin/bash
# Takes images through the classic U-Net, ROUNDS of each (15): every variant of stend beside ONNX
# Runtime and the best beside OpenVINO, PyTorch and ncnn, where they are installed, by turns, on one
# core and on two threads; then how exact each variant is and what memory it takes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
python=$root/.venv/bin/python

echo "$(date -u +%F), $(awk -F ': ' '/^model name/ {print $2; exit}' /proc/cpuinfo)"
core=$(taskset -cp $$ | sed 's/.*[:,-] *//') # the last one allowed
for threads in 1 2; do
    printf '\nthreads: %s\n\n' "$threads"
    pinned=()
    [[ $threads == 1 ]] && pinned=(taskset -c "$core")
    "${pinned[@]}" "$python" "$here/versus.py" "$threads" "${ROUNDS:-15}" |
        "$python" "$root/peers/pairs.py" --unit GFLOP/s peer \
        peer "its precision" variant "own precision"
done
echo
taskset -c "$core" "$python" "$here/whole.py"
