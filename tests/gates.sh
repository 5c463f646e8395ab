#!/usr/bin/env bash
# The tests in two gates. `first [ROOM...]` builds and runs what the machine has the programs for,
# of all rooms or of those named; `rest` runs what the first gate did not pass. A failed stage does
# not stop the next, except native tests that were not built. build/tests keeps the times.
set -euo pipefail
cd "$(dirname "$0")/.."
# pytest exits as usual after Ctrl-C: without this the next stage begins, or make's next gate
trap 'trap - INT; kill -INT $$' INT
source setup/compiler_cache.sh
export PATH="$PWD/.venv/bin:$PATH:/usr/sbin:/sbin"
export PYTHONDONTWRITEBYTECODE= # let Python cache bytecode: many interpreters start
# tests of storage need a disk, and /tmp may be in memory
[[ $(stat -f -c %T "${TMPDIR:-/tmp}") != tmpfs ]] || export TMPDIR=/var/tmp

cores=$(nproc)
export CMAKE_BUILD_PARALLEL_LEVEL=$cores # of each test that builds: ninja alone takes two more
# at least 4: many tests only wait; at most 8: each worker collects all tests first
workers=$((cores < 4 ? 4 : cores > 8 ? 8 : cores))
failed=()

stage() { python tests/stages.py run "$@" || { failed+=("$1"); return 1; }; }
tests() { # pytest exits with 5 if no test was left
    python -m pytest -c pyproject.toml -n "$workers" --dist worksteal --stage "$@" || (($? == 5)) || failed+=("$1")
}
rooms_there() { # folders of tests, and engines
    { find tests -name 'test_*.py' -printf '%P\n' | sed -n 's,/.*,,p'; ls engines; } | sort -u | xargs
}
folder_of() { [[ -d engines/$1 ]] && echo "engines/$1/tests" || echo "tests/$1"; }

only_one_at_a_time() {
    exec {lock}<tests
    flock -n "$lock" || {
        echo "Tests are already running in $PWD. Wait until they end." >&2
        exit 2
    }
}

first() {
    local room begun=$SECONDS all folders=()
    local pattern='' # of native tests' names
    all=$(rooms_there)
    for room in "$@"; do
        [[ " $all " == *" $room "* ]] || {
            echo "There is no room $room; the rooms are $all." >&2
            exit 2
        }
        [[ $room == native ]] && pattern+="|." || pattern+="|$room"
        folders+=("$(folder_of "$room")")
    done
    setup/prepare run test
    rm -rf build/tests
    python tests/stages.py keep prepare $((SECONDS - begun))
    pattern="^(${pattern#|})"
    if (($# == 0)) || ! ctest --test-dir build/native -N -R "$pattern" | grep -q 'Total Tests: 0'; then
        stage build cmake --build build/native --target native/tests/all engines/{gost,tomo,unet}/tests/native/all &&
            stage native ctest --test-dir build/native --output-on-failure --no-tests=error \
                --parallel "$cores" -R "$pattern" || :
    fi
    tests first -m 'not full' "${folders[@]}"
}

rest() {
    local some
    setup/prepare run services
    forget_results_of_other_sources
    tests services -m 'not full' --rest
    mapfile -t some < <(grep -rlw 'mark\.full' --include='test_*.py' tests engines/*/tests)
    tests full -m full --rest "${some[@]}" # to collect all others takes half a minute
}

forget_results_of_other_sources() {
    local changed
    [[ -e build/tests/prepare.json ]] || return 0
    changed=$(find src tests native engines CMakeLists.txt pyproject.toml -type f ! -name '*.pyc' \
        -newer build/tests/prepare.json -print -quit)
    [[ -n $changed ]] || return 0
    echo "$changed changed since \`make test\` began, so what it passed is run again."
    rm -f build/tests/first.json
}

only_one_at_a_time
case ${1:-} in
    first) first "${@:2}" ;;
    rest) rest ;;
    *) echo "usage: tests/gates.sh first [ROOM...] | rest" >&2 && exit 2 ;;
esac
python tests/stages.py report || failed+=(limits)
((!${#failed[@]})) || {
    echo "Failed: ${failed[*]}. The output is above." >&2
    exit 1
}
