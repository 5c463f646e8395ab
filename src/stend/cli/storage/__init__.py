"""`stend storage`: load-tests of disks and arrays with fio; one file a verb."""

from collections.abc import Callable

from stend.cli.storage import import_, profiles, run

HELP = (
    "Load-tests of disks and arrays with fio.\n\n"
    "Profiles say which loads; `stend storage profiles` lists those that come with stend."
)

VERBS: dict[str, Callable[..., None]] = {
    "run": run.verb,
    "profiles": profiles.verb,
    "import": import_.verb,
}
