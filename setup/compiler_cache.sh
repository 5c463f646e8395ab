# Where ccache is installed, CMake calls the compilers through it: another build of the same sources
# takes seconds. To be sourced by `prepare` and by the tests, which build things of their own.

cache=$(command -v ccache || true)
export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-$cache}
export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-$cache}
# otherwise ccache keeps no file that reads a precompiled header
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
