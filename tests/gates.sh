#!/usr/bin/env bash
# The tests in two gates: `first [ROOM]` is what needs no service and no other architecture (of a
# room: its tests alone), `rest` all that the first gate did not pass. build/tests keeps how long
# each stage and each test took.
set -euo pipefail
cd "$(dirname "$0")/.."
source setup/compiler_cache.sh
export PATH="$PWD/.venv/bin:$PATH"
export PYTHONDONTWRITEBYTECODE= # a thousand interpreters start, each of which would compile anew
# tests of storage need a disk, and /tmp may be in memory
[[ $(stat -f -c %T "${TMPDIR:-/tmp}") != tmpfs ]] || export TMPDIR=/var/tmp

stage() { python tests/stages.py run "$1" -- "${@:2}"; }
tests() { # more workers than cores, as many tests wait for something; 5: none is left to run
    python -m pytest -n 4 --dist worksteal --stage "$@" || (($? == 5))
}

first() {
    local room=${1:+tests/$1} begun=$SECONDS
    [[ -d ${room:-tests} ]] || {
        echo "There is no room $1; the rooms are $(cd tests && echo [a-z]*/ | tr -d /)." >&2
        exit 2
    }
    setup/prepare run test
    rm -rf build/tests
    python tests/stages.py keep prepare $((SECONDS - begun))
    if [[ ! $room || -d native/tests/$1 ]] || compgen -G "native/tests/test_$1*" >/dev/null; then
        stage build cmake --build build/native --target native/tests/all
        stage native ctest --test-dir build/native --output-on-failure --parallel 2 -R "^${1:-}"
    fi
    tests first -m 'not full' ${room:+"$room"}
}

rest() {
    setup/prepare run services
    tests services -m 'not full' --rest
    tests full -m full --rest
}

"$@"
python tests/stages.py report
