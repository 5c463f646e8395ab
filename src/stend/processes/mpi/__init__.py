"""The site's MPI libraries, our program compiled against one, and the command that starts it."""

from stend.processes.mpi.launch import (
    Layout,
    command,
    environment,
    joined,
    last_words,
    parted,
    program,
)
from stend.processes.mpi.libraries import INSTALL, Mpi, libraries, library

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
