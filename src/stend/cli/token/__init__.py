"""`stend token`: who may read and change the runs of a server; one file a verb."""

from collections.abc import Callable

from stend.cli.token import add, list_, revoke

HELP = (
    "Tokens: whom a server with this store lets in, and what they may do.\n\n"
    "`add` makes one for a machine or a person and prints it, once; `list` shows what there is, "
    "and `revoke` ends one at once."
)

VERBS: dict[str, Callable[..., None]] = {
    "add": add.verb,
    "list": list_.verb,
    "revoke": revoke.verb,
}
