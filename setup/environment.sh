# Makes .venv and installs stend into it, editable, so that the tests test the tree. Each purpose
# leaves a stamp with the checksum of all that decided it; only a changed checksum does work
# again. To be sourced by `prepare`.

examples=tomo,web,postgres # the extras that the README's examples need

make_environment() {
    if [[ $(cat .venv/location 2>/dev/null) != "$PWD" ]] || ! .venv/bin/python -c 'import pip' 2>/dev/null ||
        asks_for_another_python; then
        [[ ! -e .venv || -d .venv/ready ]] || stop "There is a .venv here that stend did not make." \
            "Move it away, and try again."
        rm -rf .venv build # both hold absolute paths: a moved clone begins anew
        say "making .venv with $("$python" --version)"
        mkdir -p .venv/ready
        "$python" -m venv .venv
        pip_install --upgrade "pip>=25.1" # the first that knows dependency groups
        echo "$PWD" >.venv/location
    fi
}

asks_for_another_python() {
    [[ -n ${PYTHON:-} && $("$python" --version) != "$(.venv/bin/python --version)" ]]
}

install_for() {
    local sum
    sum=$(checksum "$1")
    [[ $(cat ".venv/ready/$1" 2>/dev/null) != "$sum" ]] || return 0
    say "installing what $1 needs into .venv"
    if [[ $1 == run ]]; then
        install_build_requirements
        pip_install --no-build-isolation --config-settings=build-dir=build/native \
            --config-settings=cmake.define.STEND_TESTS=ON \
            --config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER="$CMAKE_CXX_COMPILER_LAUNCHER" \
            --editable ".[$examples]"
    else
        pip_install --group "$1"
    fi
    echo "$sum" >".venv/ready/$1"
}

# Without build isolation, so that a build directory outlives the build and only what changed is
# compiled again.
install_build_requirements() {
    local source requirements
    for source in pyproject backend; do
        mapfile -t requirements < <(.venv/bin/python setup/build_requires.py "$source")
        ((!${#requirements[@]})) || pip_install "${requirements[@]}"
    done
}

pip_install() {
    .venv/bin/python -m pip install -q --disable-pip-version-check "$@" ||
        stop "pip could not install \`$*\`; what it said is above."
}

# `run` holds the native build, which depends on all that is compiled and on what compiles it, and
# the editable install's list of Python files, which has their names but not what is in them.
checksum() {
    {
        cat pyproject.toml setup/environment.sh
        if [[ $1 == run ]]; then
            ${CXX:-c++} --version # may be two words: ccache g++
            echo "$CMAKE_CXX_COMPILER_LAUNCHER"
            pkg-config --modversion hwloc 2>&1 || true
            find CMakeLists.txt native -type f ! -name '*.md' -print0 | sort -z | xargs -0 sha256sum
            find src -type f ! -name '*.pyc' | sort
        fi
    } | sha256sum
}
