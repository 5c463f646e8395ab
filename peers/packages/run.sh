#!/usr/bin/env bash
# Measures how pip installs each distribution from its wheel in dist/ (`make build`), compared with
# packages for the same work: megabytes of the wheel, megabytes on disk with all that it needs, and
# seconds, the median of five. Everything is downloaded before, so that no network is timed.
set -euo pipefail
compgen -G 'dist/*.whl' >/dev/null || { echo 'skipped: no wheels in dist/; run `make build` first'; exit; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/pip"
pip() { "$work/pip/bin/python" -m pip --disable-pip-version-check "$@"; }

printf '%-16s %8s %8s %8s\n' package 'wheel MB' 'disk MB' seconds
for name in stend-gost cryptography stend-tomo algotom stend-unet onnxruntime stend; do
    pip download -q --only-binary=:all: --find-links dist --dest "$work/$name" "$name"
    wheel=$(ls "$work/$name/${name//-/_}"-*.whl)
    for ((round = 0; round < 5; round++)); do
        rm -rf "$work/there"
        begun=$(date +%s.%N)
        pip install -q --no-index --find-links "$work/$name" --target "$work/there" "$name"
        date +%s.%N | awk -v begun="$begun" '{ print $1 - begun }'
    done | sort -n >"$work/seconds"
    printf '%-16s %8.2f %8.0f %8.1f\n' "$name" "$(stat -c %s "$wheel" | awk '{ print $1 / 1e6 }')" \
        "$(du -sb "$work/there" | awk '{ print $1 / 1e6 }')" "$(sed -n 3p "$work/seconds")"
done
