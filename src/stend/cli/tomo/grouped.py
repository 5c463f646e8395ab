"""Options that several verbs take, as one object: a verb has the group, the command line its parts.

A group is a frozen dataclass whose fields are options, as `Annotated[…, typer.Option(…)]`.
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, get_type_hints

Verb = Callable[..., None]


def grouped(verb: Verb) -> Verb:
    """Give the verb with the fields of each group among its parameters in the group's place."""
    hints = get_type_hints(verb, include_extras=True)
    groups: dict[str, Callable[..., object]] = {
        name: hint for name, hint in hints.items() if isinstance(hint, type) and is_dataclass(hint)
    }
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(verb).parameters.items():
        of = inspect.signature(groups[name]).parameters if name in groups else {name: parameter}
        types = get_type_hints(groups[name], include_extras=True) if name in groups else hints
        parameters += [
            each.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=types[part])
            for part, each in of.items()
        ]

    @functools.wraps(verb)
    def called(**given: Any) -> None:
        for name, group in groups.items():
            parts = inspect.signature(group).parameters
            given[name] = group(**{part: given.pop(part) for part in parts})
        verb(**given)

    called.__annotations__ = {each.name: each.annotation for each in parameters}
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return called
