#!/bin/bash
# What stend costs beside fio: its IOPS and bare fio's in turn, its own CPU time, how fast it reads
# fio's logs. FOLDER (build/peers) is where the loaded file of 1 GiB lies; PAIRS (12) of EACH (4) seconds,
# LONG (60) seconds of one run; HOSTS to sample over ssh; MB (100) of a log in ROUNDS (5).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=${FOLDER:-$root/build/peers}
python=${PYTHON:-$root/.venv/bin/python}
[ -x "$python" ] || python=python3

if ! command -v fio >/dev/null; then
    echo "skipped: fio is not installed (Debian: fio)"
    exit 0
fi
mkdir -p "$folder"
"$python" "$here/driving.py" --pairs "${PAIRS:-12}" --seconds "${EACH:-4}" --long "${LONG:-60}" "$folder"
echo
# shellcheck disable=SC2086
"$python" "$here/own_cost.py" "${LONG:-60}" ${HOSTS:-}
echo
"$python" "$here/log_reading.py" "${MB:-100}" "${ROUNDS:-5}"
