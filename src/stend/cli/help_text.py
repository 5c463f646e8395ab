"""Verbs and groups of verbs whose help is plain text: what typer's own lack."""

from typing import Any, Final

import typer
import typer.core

from stend.cli.streams import until_nobody_reads

PLAIN: Final = None
"""Help and faults of usage are plain text: Rich's boxes take as long as all else of `--help`."""


class Command(typer.core.TyperCommand):
    """A verb whose wrong values are told without the name that their checker gives the fault."""

    def get_help_option(self, ctx: Any) -> Any:
        """Give `--help`, which may be read as far as one likes."""
        return _until_nobody_reads(super().get_help_option(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The arguments as their metavars have them, which say what is optional or many."""
        return ["[OPTIONS]", *(argument.metavar for argument in self._arguments())]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """List the arguments without their Python types, then the options."""
        arguments = [(argument.metavar, argument.help) for argument in self._arguments()]
        options = (one.get_help_record(ctx) for one in self.get_params(ctx)
                   if one.param_type_name == "option")  # fmt: skip
        sections = (("Arguments", arguments), ("Options", list(filter(None, options))))
        for title, records in sections:
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def _arguments(self) -> list[Any]:
        return [one for one in self.params if one.param_type_name == "argument"]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed."""
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


class Group(typer.core.TyperGroup):
    """Verbs below one name."""

    def get_help_option(self, ctx: Any) -> Any:
        """Give `--help`, which may be read as far as one likes."""
        return _until_nobody_reads(super().get_help_option(ctx))


def _until_nobody_reads(option: Any) -> Any:
    if option is not None:
        option.callback = _print_help
    return option


def _print_help(ctx: Any, _: Any, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        with until_nobody_reads():
            print(ctx.get_help())
        ctx.exit()
