"""The command line: a file for each verb or subject; a verb calls the rooms and prints.

Exit codes: 0 done; 1 `compare` or `outliers` with `--fail-on`, or `gost mac --check`,
found what it was asked for, or `gost mac` can't read a file;
2 wrong usage; 3 the store; 4 a file that can't be read, written or
decrypted; 5 something could not be measured, or was done wrongly; 6 something is not installed;
7 a server can't be reached, or refused;
130 interrupted by Ctrl-C; 141 broken pipe.
"""

import inspect
import re
import sys
from collections.abc import Callable
from contextlib import suppress

import typer

from stend.cli import (
    administration,
    catalogue,
    compare,
    engine,
    gost,
    outliers,
    projects,
    push,
    run,
    runs,
    serve,
    storage,
    streams,
    time_,
    trend,
    unet,
)
from stend.cli.engine import SETTINGS, EngineCommand, engine_of
from stend.cli.streams import PLAIN, Command, Group, until_nobody_reads
from stend.errors import StendError
from stend.processes import interrupts
from stend.record.text import printable

app = typer.Typer(
    name="stend",
    cls=Group,
    help=(
        "A performance laboratory for computers: measures a machine, proves the work, keeps "
        "every sample, and says faster, slower, same or cannot tell.\n\n"
        "Begin with `stend run`, then `stend report last -o report.html`."
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=PLAIN,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(asked: bool) -> None:
    if asked:
        from stend import __version__

        with until_nobody_reads():
            print(f"stend {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """What all verbs share."""


VERBS: dict[str, Callable[..., None]] = {
    "list": catalogue.list_verb,
    "add": projects.add_verb,
    "forget": projects.forget_verb,
    "machine": catalogue.machine_verb,
    "run": run.verb,
    "time": time_.verb,
    "runs": runs.runs_verb,
    "show": runs.show_verb,
    "compare": compare.verb,
    "trend": trend.verb,
    "outliers": outliers.outliers_verb,
    "report": runs.report_verb,
    "export": runs.export_verb,
    "import": runs.import_verb,
    "push": push.verb,
    "remove": runs.remove_verb,
    "published": catalogue.published_verb,
    "serve": serve.verb,
    "backup": administration.backup_verb,
    "restore": administration.restore_verb,
    "audit": administration.audit_verb,
}
GROUPS: dict[str, tuple[str, dict[str, Callable[..., None]]]] = {
    "gost": (gost.HELP, gost.VERBS),
    "tomo": (engine.TOMO_HELP, engine.TOMO_VERBS),
    "storage": (storage.HELP, storage.VERBS),
    "unet": (unet.HELP, unet.VERBS),
    "token": (administration.TOKEN_HELP, administration.TOKEN_VERBS),
}
"""Verbs with verbs of their own: what each group says of itself, and its verbs."""


def _help(verb: Callable[..., None]) -> str:
    """The verb's docstring, each paragraph one line for the terminal to break."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", inspect.getdoc(verb) or "")


def _add(to: typer.Typer, verbs: dict[str, Callable[..., None]]) -> None:
    for name, verb in verbs.items():
        kind, settings = (EngineCommand, SETTINGS) if engine_of(verb) else (Command, None)
        text = _help(verb)
        summary = text.partition("\n\n")[0]
        command = to.command(
            name, cls=kind, help=text, short_help=summary, context_settings=settings
        )
        command(until_nobody_reads()(verb))


_add(app, VERBS)
for _name, (_about, _verbs) in GROUPS.items():
    _group = typer.Typer(cls=Group, help=_about, no_args_is_help=True, rich_markup_mode=PLAIN)
    _add(_group, _verbs)
    app.add_typer(_group, name=_name, short_help=_about.partition("\n\n")[0])


def main() -> None:
    """Run a verb; what stend raises on purpose is one sentence and an exit code."""
    interrupts.listen()
    streams.make_usable()
    try:
        app()
    except StendError as error:
        _leave(str(error), error.exit_code)
    except OSError as error:
        _leave(f"The system refused: {error}.", 1)
    except MemoryError:
        _leave("The system is out of memory.", 1)
    except Exception as error:
        code = getattr(error, "exit_code", None)  # each engine has errors of its own
        if code is None:
            raise
        _leave(str(error), code)


def _leave(sentence: str, code: int) -> None:
    with suppress(OSError):
        print(f"stend: {printable(sentence, name=False)}", file=sys.stderr)
    sys.exit(code)
