"""Completion scripts for bash, zsh and fish, from one description of the commands."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

BASH = """\
# bash completion for slad, written by: slad completion bash
_slad() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" place=slad i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$place ${{COMP_WORDS[i]}}" in
            {places}) place="$place ${{COMP_WORDS[i]}}" ;;
        esac
    done
    local IFS=$' \\n' words= files=
    case "$place $before" in
{values}
        *) case "$place" in
{follows}
        esac ;;
    esac
    if [[ $word == -* || -z $files ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    else
        IFS=$'\\n'
        COMPREPLY=($(compgen -f -- "$word"))
        compopt -o filenames 2>/dev/null
    fi
}}
complete -F _slad slad
"""

ZSH = """\
#compdef slad
# zsh completion for slad, written by: slad completion zsh
_slad() {{
    local place=slad each
    local -a list
    for each in ${{words[2,CURRENT-1]}}; do
        case "$place $each" in
            {places}) place="$place $each" ;;
        esac
    done
    case "$place ${{words[CURRENT-1]}}" in
{values}
    esac
    case "$place" in
{follows}
    esac
}}
if [ "$funcstack[1]" = "_slad" ]; then _slad "$@"; else compdef _slad slad; fi
"""

FISH = """\
# fish completion for slad, written by: slad completion fish
function __slad_place
    set -l place slad
    for each in (commandline -opc)[2..-1]
        switch "$place $each"
            case {places}
                set place "$place $each"
        end
    end
    test "$place" = "$argv"
end
complete -c slad -f
{lines}
"""


@dataclass(frozen=True)
class Value:
    """What an option or a command takes: nothing, one of several words, a file, or any text."""

    taken: bool = False
    choices: tuple[str, ...] = ()
    files: bool = False


@dataclass(frozen=True)
class Place:
    """A command and the words that may follow it."""

    path: str
    commands: dict[str, str]
    options: list[tuple[str, str, Value]]
    positional: Value


def bash(places: list[Place]) -> str:
    values, follows = [], []
    for place in places:
        for name, _, value in place.options:
            if value.taken:
                does = f'words="{" ".join(value.choices)}"' + " files=yes" * value.files
                values.append(f'        "{place.path} {name}") {does} ;;')
        words = [*place.commands, *place.positional.choices, *(name for name, *_ in place.options)]
        does = f'words="{" ".join(words)}"' + " files=yes" * place.positional.files
        follows.append(f'            "{place.path}") {does} ;;')
    return BASH.format(places=_either(places), values="\n".join(values), follows="\n".join(follows))


def zsh(places: list[Place]) -> str:
    values, follows = [], []
    for place in places:
        for name, _, value in place.options:
            if value.taken:
                choices = f"compadd -- {' '.join(value.choices)}" if value.choices else ":"
                does = "_files" if value.files else choices
                values.append(f'        "{place.path} {name}") {does}; return ;;')
        offered = [*place.commands.items(), *((name, text) for name, text, _ in place.options)]
        offered += [(choice, "") for choice in place.positional.choices]
        listed = " ".join(_quoted(f"{name}:{text}") for name, text in offered)
        files = "; _files" if place.positional.files else ""
        follows.append(f'        "{place.path}") list=({listed}); _describe slad list{files} ;;')
    return ZSH.format(places=_either(places), values="\n".join(values), follows="\n".join(follows))


def fish(places: list[Place]) -> str:
    lines = []
    for place in places:
        at = f"complete -c slad -n '__slad_place {place.path}'"
        for name, text in place.commands.items():
            lines.append(f"{at} -a {name} -d {_quoted(text)}")
        for name, text, value in place.options:
            lines.append(f"{at} -l {name[2:]}{_fish_value(value)} -d {_quoted(text)}")
        if place.positional.choices:
            lines.append(f"{at} -a '{' '.join(place.positional.choices)}'")
        if place.positional.files:
            lines.append(f"{at} -F")
    cases = " ".join(_quoted(place.path) for place in places[1:])
    return FISH.format(places=cases, lines="\n".join(lines))


def _fish_value(value: Value) -> str:
    if value.choices:
        return f" -x -a '{' '.join(value.choices)}'"
    return " -r -F" if value.files else " -x" if value.taken else ""


def _either(places: Iterable[Place]) -> str:
    """A pattern of all commands; the first place is the program itself."""
    return "|".join(f'"{place.path}"' for place in list(places)[1:])


def _quoted(text: str) -> str:
    return shlex.quote(text)
