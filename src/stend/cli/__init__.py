"""The command line: one file a verb; a verb calls the rooms and prints.

Exit codes: 0 done; 1 `compare --fail-on` found what it was asked to fail on; 2 wrong
usage; 3 the store; 4 a run file; 5 something could not be measured, or was done wrongly;
6 something is not installed; 130 ended by Ctrl-C.
"""

import signal
import sys
from collections.abc import Callable

import typer

from stend.cli import (
    compare,
    export,
    import_,
    list_,
    machine,
    report,
    run,
    runs,
    show,
    time_,
)
from stend.errors import StendError

app = typer.Typer(
    name="stend",
    help=(
        "A performance laboratory for computers: measures a machine, proves the work, keeps "
        "every sample, and says faster, slower, same or cannot tell.\n\n"
        "Begin with `stend run`, then `stend report last -o report.html`."
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from stend import __version__

        print(f"stend {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and leave."
    ),
) -> None:
    """What all verbs share."""


VERBS: dict[str, Callable[..., None]] = {
    "list": list_.verb,
    "machine": machine.verb,
    "run": run.verb,
    "time": time_.verb,
    "runs": runs.verb,
    "show": show.verb,
    "compare": compare.verb,
    "report": report.verb,
    "export": export.verb,
    "import": import_.verb,
}
for _name, _verb in VERBS.items():
    app.command(_name)(_verb)


def _as_ctrl_c(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Run a verb; what stend raises on purpose is one sentence and an exit code."""
    signal.signal(signal.SIGTERM, _as_ctrl_c)
    try:
        app()
    except StendError as error:
        print(f"stend: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
