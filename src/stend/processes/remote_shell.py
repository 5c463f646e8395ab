"""Remote shells: the command that starts a program on another host.

By ssh, or by what STEND_REMOTE_SHELL names in its place, which is called as ssh is: with the host
and one line for the shell there. Inside Slurm's allocation by srun.
"""

import os
import shlex
import shutil
from collections.abc import Callable, Sequence

from stend.errors import BadValue, SetupError

Shell = Callable[[str, Sequence[str]], list[str]]
"""A host and a command → the command that has it executed there."""

VARIABLE = "STEND_REMOTE_SHELL"

_SSH = (
    *("ssh", "-T", "-x"),
    *("-o", "BatchMode=yes"),  # asking for a password of one of a hundred hosts helps nobody
    *("-o", "ConnectTimeout=15"),
    *("-o", "ServerAliveInterval=10"),
    *("-o", "ServerAliveCountMax=3"),
)

_SRUN = (
    *("srun", "--nodes=1", "--ntasks=1"),
    "--overlap",  # beside other steps of the job, such as the one that stend may be in
    "--cpu-bind=none",  # which CPUs a thread gets is the benchmark's to say
    "--mem=0",
    "--mpi=none",
    "--unbuffered",
    "--quit-on-interrupt",
)


def for_launchers() -> dict[str, str]:
    """What has mpirun and mpiexec reach other hosts as stend does, where the site says nothing."""
    named = os.environ.get(VARIABLE)
    if not named:
        return {}
    variables = {
        "OMPI_MCA_plm_rsh_agent": named,
        "HYDRA_LAUNCHER": "ssh",
        "HYDRA_LAUNCHER_EXEC": named,
    }
    return {name: value for name, value in variables.items() if name not in os.environ}


def shell_for(slurm: bool) -> Shell:
    """What starts a program on a host.

    Raises:
        BadValue: STEND_REMOTE_SHELL can't be read.
        SetupError: the program that would do it is not there.
    """
    if slurm:
        return lambda host, words: [*_SRUN, f"--nodelist={host}", *words]
    named = os.environ.get(VARIABLE, "")
    try:
        shell = shlex.split(named) or list(_SSH)
    except ValueError as error:
        raise BadValue(f"{VARIABLE}={named!r} can't be read ({error}); check its quotes.") from None
    if shutil.which(shell[0]) is None:
        raise SetupError(
            f"{shell[0]} is not installed, so no other host can be reached; install it, or name "
            f"another remote shell in {VARIABLE}."
        )
    return lambda host, words: [*shell, host, shlex.join(words)]
