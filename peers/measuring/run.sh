#!/bin/sh
# The statistics and the measuring engine against samples whose true values are known.
# --short takes a tenth of the runs. Prints Markdown tables; leaves with 1 when a target is missed.
set -eu
cd "$(dirname "$0")"
root=../..
python=${PYTHON:-$root/.venv/bin/python}
[ -x "$python" ] || python=python3
OPENBLAS_NUM_THREADS=1 PYTHONPATH="$root/src:$root/tests" exec "$python" simulate.py "$@"
