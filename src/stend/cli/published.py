"""`stend published`: the literature's figures, which reports draw beside a machine's own."""

from typing import Annotated

import typer

from stend.cli.options import Json
from stend.errors import UsageError


def verb(
    families: Annotated[
        list[str] | None, typer.Argument(metavar="[FAMILY]…", help="gost, tomo, unet or storage.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the published figures that reports draw beside a machine's own, with their sources.

    They are single figures of machines that are not here: they have no interval, and nothing is
    judged against them. Example: `stend published unet`.
    """
    from stend.report import literature

    for family in families or ():
        if family not in literature.FAMILIES:
            known = ", ".join(literature.FAMILIES)
            raise UsageError(f"nothing published is known of {family!r}; there are {known}.")
    asked = tuple(dict.fromkeys(families or literature.FAMILIES))
    if json:
        _print_json(asked)
    else:
        from stend.console import Console
        from stend.report.terminal.grid import print_listing

        for family in asked:
            print_listing(Console(), literature.listing(family))


def _print_json(families: tuple[str, ...]) -> None:
    import msgspec

    from stend.report import literature

    found = {family: literature.FAMILIES[family]() for family in families}
    print(msgspec.json.format(msgspec.json.encode(found)).decode())
