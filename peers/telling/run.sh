#!/bin/sh
# How long telling of large made runs takes: writing, opening, comparing, listing. Prints a Markdown
# table; leaves with 1 when a target is missed.
set -eu
cd "$(dirname "$0")"
root=../..
python=${PYTHON:-$root/.venv/bin/python}
exec "$python" measure.py "$@"
