#!/usr/bin/env bash
# The tests in two gates: `first [ROOM]` is what needs no service and no other architecture (of a
# room: its tests alone), `rest` all that the first gate did not pass. build/tests keeps how long
# each stage and each test took.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"
# what lies in memory is no storage that could be tested
[[ $(stat -f -c %T "${TMPDIR:-/tmp}") != tmpfs ]] || export TMPDIR=/var/tmp

stage() { python tests/stages.py run "$1" -- "${@:2}"; }
tests() { # STAGE MARKERS WORDS...: a stage of pytest; one that selects no test is done
    python -m pytest --stage "$1" -m "$2" "${@:3}" || (($? == 5))
}
beside=(-n 3 --dist worksteal) # two leave a fifth of both cores idle

first() {
    local room=${1:+tests/$1} begun=$SECONDS
    setup/prepare run test
    rm -rf build/tests
    python tests/stages.py keep prepare $((SECONDS - begun))
    if [[ ! $room ]] || compgen -G "native/tests/test_$1*" >/dev/null; then
        stage build cmake --build build/native --target native/tests/all
        stage native ctest --test-dir build/native --output-on-failure --parallel 2 -R "^${1:-}"
    fi
    tests together 'not alone and not full' ${room:+"$room"} "${beside[@]}"
    tests alone 'alone and not full' ${room:+"$room"}
}

rest() {
    setup/prepare run services
    tests rest-together 'not alone' --rest "${beside[@]}"
    tests rest-alone 'alone' --rest
}

"$@"
python tests/stages.py report
