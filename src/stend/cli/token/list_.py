"""`stend token list`: who is let in, and who was."""

from stend.cli.options import Json, Store, print_json


def verb(store: Store = None, json: Json = False) -> None:
    """List the tokens, the newest first, those that are expired or revoked, too.

    What a token says is not in the store, so it can't be shown.
    """
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs:
        found = runs.access.tokens()
    if json:
        print_json(found)
    else:
        from stend.report import terminal

        terminal.print_tokens(found)
