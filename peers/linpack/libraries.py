"""Prints how to load each BLAS that is here, a line each, separated by bars."""

from stend.machine.blas import libraries

for library in libraries():
    if library.files and not library.files.wide:
        print(library.name, library.files.blas, library.files.lapack, library.prefix, "_", sep="|")
