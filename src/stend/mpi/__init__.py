"""The site's MPIs → our program compiled against one of them, and the command that starts it."""

from stend.mpi.build import program
from stend.mpi.found import INSTALL, Mpi, libraries, library
from stend.mpi.hosts import joined, parted
from stend.mpi.launch import Layout, command, environment, last_words

__all__ = [
    "INSTALL",
    "Layout",
    "Mpi",
    "command",
    "environment",
    "joined",
    "last_words",
    "libraries",
    "library",
    "parted",
    "program",
]
