# Where ccache is installed, CMake calls the compilers through it: the same sources built again,
# in this folder or in another clone, take seconds. Sourced by `prepare` and by the tests' gates.

cache=$(command -v ccache || true)
export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-$cache}
export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-$cache}
# otherwise ccache skips every file that uses a precompiled header
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
# otherwise what one clone compiled is no use to another
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
