# Where ccache is installed, CMake calls compilers through it: another build of the same sources
# takes seconds. To be sourced by whatever builds.

if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_C_COMPILER_LAUNCHER=ccache
    export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros} # else no file that reads a precompiled header is kept
fi
