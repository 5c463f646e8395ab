# Makes .venv and installs stend into it, editable, so that the tests test the tree. Each purpose
# leaves a stamp: the checksum of everything that it depends on. Work is repeated only when the
# checksum changes. To be sourced by `prepare`.

examples=tomo,web,postgres # the extras that the README's examples need

make_environment() {
    local here
    here=$(pwd -P) # the same through a link
    if [[ $(cat .venv/location 2>/dev/null) != "$here" ]] || ! .venv/bin/python -c 'import pip' 2>/dev/null ||
        asks_for_another_python; then
        [[ ! -e .venv || -d .venv/ready ]] || stop "There is a .venv here that stend did not make." \
            "Move it away, and try again."
        remove_environment
        say "making .venv with $("$python" --version)"
        mkdir -p .venv/ready
        "$python" -m venv .venv
        pip_install --upgrade "pip>=25.1" # the first that knows dependency groups
        echo "$here" >.venv/location
    fi
}

# Both folders hold absolute paths: a moved clone begins anew. `ready`, by which stend knows its
# own .venv, goes last, so that an interrupted removal can go on.
remove_environment() {
    rm -rf build
    [[ ! -e .venv ]] || find .venv -mindepth 1 -maxdepth 1 ! -name ready -exec rm -rf {} +
    rm -rf .venv
}

asks_for_another_python() {
    [[ -n ${PYTHON:-} && $("$python" --version) != "$(.venv/bin/python --version)" ]]
}

install_for() {
    local sum engine
    sum=$(checksum "$1")
    if [[ $(cat ".venv/ready/$1" 2>/dev/null) == "$sum" ]]; then
        [[ $1 == run && ! -e build/native/CMakeCache.txt ]] || return 0
    fi
    if [[ $1 == run ]]; then
        say "building stend and installing it into .venv (2 to 8 minutes in a new clone)"
        install_build_requirements
        for engine in engines/*/; do
            install_editable "$engine"
        done
        install_editable ".[$examples]"
    else
        say "installing the Python packages for $1 into .venv"
        pip_install --group "$1"
    fi
    echo "$sum" >".venv/ready/$1"
}

# All distributions share one build directory, so that a library is compiled once for all.
install_editable() {
    pip_install --no-build-isolation --config-settings=build-dir="$PWD/build/native" \
        --config-settings=cmake.define.STEND_ONLY= \
        --config-settings=cmake.define.STEND_TESTS=ON \
        --config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER="$CMAKE_CXX_COMPILER_LAUNCHER" \
        --editable "./$1"
}

# Without build isolation, so that a build directory outlives the build and only what changed is
# compiled again.
install_build_requirements() {
    local source said requirements
    for source in pyproject backend; do
        said=$(.venv/bin/python setup/build_requires.py "$source") ||
            stop "setup/build_requires.py $source failed; its message is above."
        [[ -n $said ]] || continue
        mapfile -t requirements <<<"$said"
        pip_install "${requirements[@]}"
    done
}

pip_install() {
    .venv/bin/python -m pip install -q --disable-pip-version-check "$@" ||
        stop "pip could not install \`$*\`; its message is above."
}

# `run` holds the native build, which depends on all that is compiled and on what compiles it, and
# the editable install's list of Python files, which has their names but not what is in them.
checksum() {
    {
        cat pyproject.toml engines/*/pyproject.toml setup/environment.sh
        if [[ $1 == run ]]; then
            ${CXX:-c++} --version # may be two words: ccache g++
            echo "$CMAKE_CXX_COMPILER_LAUNCHER"
            find CMakeLists.txt native engines/*.cmake engines/*/{CMakeLists.txt,native,include,tests/native} -type f ! -name '*.md' -print0 | sort -z | xargs -0 sha256sum
            find src engines/*/python -type f ! -name '*.pyc' | sort
        fi
    } | sha256sum
}
