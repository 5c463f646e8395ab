# Finds the Python that .venv is made with: $PYTHON if it is set, else the first of the usual names
# that is new enough. To be sourced by `prepare`.

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    local name names=(python3 python3.14 python3.13 python3.12 python3.11)
    [[ -z ${PYTHON:-} ]] || names=("$PYTHON")
    for name in "${names[@]}"; do
        if is_new_enough "$name"; then
            command -v "$name"
            return
        fi
    done
    return 1
}

python_seen() { "${PYTHON:-python3}" --version 2>/dev/null || echo "no program ${PYTHON:-python3}"; }

ask_python() { "$python" -c "$1" 2>/dev/null; }
