#!/usr/bin/env bash
# The tests in two gates. `first [ROOM...]` builds and runs what the machine has the programs for,
# of all rooms or of those named; `rest` runs what the first gate did not pass. A stage that fails
# stops no other. build/tests keeps the times.
set -euo pipefail
cd "$(dirname "$0")/.."
source setup/compiler_cache.sh
export PATH="$PWD/.venv/bin:$PATH"
export PYTHONDONTWRITEBYTECODE= # let the many interpreters that start cache bytecode
# tests of storage need a disk, and /tmp may be in memory
[[ $(stat -f -c %T "${TMPDIR:-/tmp}") != tmpfs ]] || export TMPDIR=/var/tmp

cores=$(nproc)
workers=$((cores < 4 ? 4 : cores > 8 ? 8 : cores)) # at least 4, as many tests wait
failed=0

stage() { python tests/stages.py run "$1" -- "${@:2}" || failed=1; }
tests() { # 5: there was no test
    python -m pytest -n "$workers" --dist worksteal --stage "$@" || (($? == 5)) || failed=1
}
rooms_there() { find tests -name 'test_*.py' -printf '%P\n' | sed -n 's,/.*,,p' | sort -u | xargs; }

first() {
    local room begun=$SECONDS all
    local pattern='' # of native tests' names
    all=$(rooms_there)
    for room in "$@"; do
        [[ " $all " == *" $room "* ]] || {
            echo "There is no room $room; the rooms are $all." >&2
            exit 2
        }
        [[ $room == native ]] && pattern+="|." || pattern+="|$room"
    done
    setup/prepare run test
    rm -rf build/tests
    python tests/stages.py keep prepare $((SECONDS - begun))
    if ! ctest --test-dir build/native -N -R "^(${pattern#|})" | grep -q 'Total Tests: 0'; then
        stage build cmake --build build/native --target native/tests/all
        stage native ctest --test-dir build/native --output-on-failure --parallel "$cores" \
            -R "^(${pattern#|})"
    fi
    tests first -m 'not full' "${@/#/tests/}"
}

rest() {
    setup/prepare run services
    tests services -m 'not full' --rest
    tests full -m full --rest
}

case ${1:-} in
    first) first "${@:2}" ;;
    rest) rest ;;
    *) echo "usage: tests/gates.sh first [ROOM...] | rest" >&2 && exit 2 ;;
esac
python tests/stages.py report || failed=1
exit "$failed"
