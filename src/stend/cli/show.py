"""`stend show`: one run's figures."""

from stend.cli.options import Json, RunName, Store, find_run


def verb(run: RunName = "last", store: Store = None, json: Json = False) -> None:
    """Show a run: every case with its figure, interval and cautions."""
    from stend.comparing import is_published
    from stend.report import figures, terminal

    found = find_run(run, store)
    if json:
        print(figures.to_json(found))
    elif is_published(found):
        terminal.print_published(found)
    else:
        terminal.print_run(found)
