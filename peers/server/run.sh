#!/bin/bash
# 100 machines (MACHINES) that send runs of STORE to one server over PostgreSQL at once; then the same
# while the server and the database are killed in turn, each 1 to KILL (12) seconds after it answers;
# then bombs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=${PYTHON:-$root/.venv/bin/python}
[ -x "$python" ] || python=python3
if [ -z "${STORE:-}" ]; then
    echo "skipped: STORE names no store whose runs could be sent"
    exit 0
fi
export PYTHONPATH="$root/src:$root/tests"
"$python" "$here/arriving.py" "$STORE" "${MACHINES:-100}"
echo
"$python" "$here/arriving.py" "$STORE" "${MACHINES:-100}" --kill "${KILL:-12}"
echo
"$python" "$here/bombs.py"
