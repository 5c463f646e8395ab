"""What launchers print when they fail → the sentence that tells most."""

import os
import subprocess

import pytest

from needed import needs
from stend.processes.mpi import last_words

RULE = "-" * 74


def boxed(text: str) -> str:
    return f"{RULE}\n{text}\n{RULE}\n"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", "it printed nothing"),
        (
            "ssh: connect to host n2 port 22: No route to host\r\n"
            + boxed("ORTE was unable to reliably start one or more daemons.\nThis usually is"),
            "ssh: connect to host n2 port 22: No route to host",
        ),
        (
            boxed("ORTE was unable to reliably start one or more daemons.\nThis usually is"),
            "ORTE was unable to reliably start one or more daemons",
        ),
        (
            boxed("WARNING: There was an error initializing a device.")
            + boxed("Primary job  terminated normally, but 1 process returned\na non-zero code.")
            + boxed(
                "mpirun noticed that process rank 1 with PID 0 on node n2 exited on\nsignal 9."
            ),
            "mpirun noticed that process rank 1 with PID 0 on node n2 exited on signal 9",
        ),
        (
            "ssh: Could not resolve hostname n9: Name or service not known\n"
            "[mpiexec@n1] HYDU_sock_write (sock.c:254): write error (Bad file descriptor)",
            "ssh: Could not resolve hostname n9: Name or service not known",
        ),
        (
            "[proxy:0:0@n1] HYDU_create_process (launch.c:73): execvp error on file /x (No such)",
            "[proxy:0:0@n1] HYDU_create_process (launch.c:73): execvp error on file /x (No such)",
        ),
        (
            "Abort(1) on node 0: Fatal error in internal_Init: Other MPI error, error stack:\n"
            "init(145).: ucx function returned with failed status(Destination is unreachable)",
            "init(145).: ucx function returned with failed status(Destination is unreachable)",
        ),
        (
            "= BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n"
            "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)",
            "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)",
        ),
        (
            "srun: error: Unable to create step: More processors requested than permitted",
            "srun: error: Unable to create step: More processors requested than permitted",
        ),
    ],
)
def test_the_sentence_that_tells_most_is_found(said: str, words: str) -> None:
    assert last_words(said) == words


def test_too_few_slots_are_told_in_open_mpis_own_sentence() -> None:
    mpirun = needs("mpirun.openmpi", "openmpi-bin")
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        [mpirun, "-n", "3", "--host", "localhost:2", "true"],
        capture_output=True,
        text=True,
        env={**os.environ, **root},
    )
    assert last_words(done.stderr).startswith("There are not enough slots available in the system")
