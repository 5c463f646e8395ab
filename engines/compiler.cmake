# Stops at a compiler that is too old for stend, with one message instead of the compiler's many
# errors. GCC 10 and clang 15 lack parts of C++20 that the sources use.
set(oldest_GNU 11)
set(oldest_Clang 16)
set(oldest ${oldest_${CMAKE_CXX_COMPILER_ID}})
if(oldest AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS oldest)
    message(FATAL_ERROR "stend needs GCC ${oldest_GNU}, clang ${oldest_Clang} or newer; "
        "${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. Install a newer "
        "compiler, and name it with CXX=g++-${oldest_GNU}.")
endif()
