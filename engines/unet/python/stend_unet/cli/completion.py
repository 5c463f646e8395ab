"""Completion of the command in shells, from its parser; the engines have copies of this file.

`--print-completion SHELL` prints it, to be evaluated: eval "$(stend-gost --print-completion bash)".
"""

from argparse import Action, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator
from typing import Any

BASH = """\
_{function}() {{
    local previous=${{COMP_WORDS[COMP_CWORD - 1]}} current=${{COMP_WORDS[COMP_CWORD]}} candidates=
    case $COMP_CWORD,${{COMP_WORDS[1]}},$previous,$current in
{cases}
    esac
    COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}}
complete -o default -F _{function} {command}
"""
ZSH = """\
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
autoload -Uz bashcompinit && bashcompinit
"""


def add_option(parser: ArgumentParser) -> None:
    """Add the option that prints the completion, and ends the program."""
    parser.add_argument(
        "--print-completion",
        action=_Print,
        choices=("bash", "zsh", "fish"),
        metavar="SHELL",
        help="print completion for bash, zsh or fish, to be evaluated",
    )


class _Print(Action):
    def __call__(
        self, parser: ArgumentParser, options: Namespace, shell: Any, name: str | None = None
    ) -> None:
        print(script(parser, shell), end="")
        parser.exit()


def script(parser: ArgumentParser, shell: str) -> str:
    """Give what the shell has to evaluate."""
    if shell == "fish":
        return "".join(f"complete -c {parser.prog} {line}\n" for line in _fish(parser))
    function, cases = parser.prog.replace("-", "_"), "\n".join(_cases(parser))
    text = BASH.format(function=function, cases=cases, command=parser.prog)
    return ZSH + text if shell == "zsh" else text


def _cases(parser: ArgumentParser) -> Iterator[str]:
    """What comes after an option with choices, for the verb, and for an option."""
    for verb, actions in [("*", _options(parser)), *_verbs(parser)]:
        for action in actions:
            for name in action.option_strings if action.choices else ():
                yield f"        *,{verb},{name},*) candidates='{' '.join(action.choices or ())}' ;;"
    own = " ".join([*(verb for verb, _ in _verbs(parser)), *_names(_options(parser))])
    yield f"        1,*) candidates='{own}' ;;"
    for verb, actions in _verbs(parser):
        yield f"        *,{verb},*,-*) candidates='{' '.join(_names(actions))}' ;;"


def _fish(parser: ArgumentParser) -> Iterator[str]:
    first = "-n __fish_use_subcommand"
    yield from (f"{first} {_fish_option(action)}" for action in _options(parser))
    for verb, actions in _verbs(parser):
        yield f"{first} -xa {verb} -d {_quoted(_summaries(parser)[verb])}"
        seen = f"-n '__fish_seen_subcommand_from {verb}'"
        yield from (f"{seen} {_fish_option(action)}" for action in actions)


def _fish_option(action: Action) -> str:
    names = [
        f"-l {name[2:]}" if name[1] == "-" else f"-s {name[1:]}" for name in action.option_strings
    ]
    if action.choices:
        names.append(f"-xa '{' '.join(action.choices)}'")
    elif action.nargs != 0:
        names.append("-r")
    return f"{' '.join(names)} -d {_quoted(action.help or '')}"


def _quoted(text: str) -> str:
    escaped = text.replace("%%", "%").replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _subparsers(parser: ArgumentParser) -> "_SubParsersAction[ArgumentParser]":
    (found,) = (action for action in parser._actions if isinstance(action, _SubParsersAction))
    return found


def _verbs(parser: ArgumentParser) -> list[tuple[str, list[Action]]]:
    return [(name, _options(verb)) for name, verb in _subparsers(parser).choices.items()]


def _summaries(parser: ArgumentParser) -> dict[str, str]:
    return {verb.dest: verb.help or "" for verb in _subparsers(parser)._get_subactions()}


def _options(parser: ArgumentParser) -> list[Action]:
    return [action for action in parser._actions if action.option_strings]


def _names(actions: list[Action]) -> list[str]:
    return [name for action in actions for name in action.option_strings]
