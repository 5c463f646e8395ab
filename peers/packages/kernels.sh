#!/usr/bin/env bash
# The kernels in the wheel of dist/, compiled by zig's clang, next to those that were built on this
# machine (.venv): all quick cases of these families by each in turn, ROUNDS times, on one core.
#   kernels.sh [FAMILY…]        ROUNDS=5 kernels.sh gost
set -euo pipefail
compgen -G 'dist/stend-*.whl' >/dev/null || { echo 'skipped: no wheels in dist/; run `make build` first'; exit; }
families=("$@")
((${#families[@]})) || families=(gost tomo unet peak linpack.lu stream memory.bandwidth.copy)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/wheel"
"$work/wheel/bin/python" -m pip install -q --disable-pip-version-check --find-links dist stend

for ((round = 0; round < ${ROUNDS:-3}; round++)); do
    for build in native wheel; do
        [[ $build == native ]] && stend=.venv/bin/stend || stend=$work/wheel/bin/stend
        taskset -c 1 "$stend" run "${families[@]}" --store "$work/store.db" --label "$build" \
            --seconds 0.3 >/dev/null || [[ $? == 5 ]] # 5: a case could not be measured
    done
done
.venv/bin/stend compare label:native label:wheel --store "$work/store.db" --format markdown
