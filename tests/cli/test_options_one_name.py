"""One name for one option: what it takes is written alike in every command, and so is what every command has."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from punto.cli.app import load_command
from punto.cli.commands import LINES

TWO_MEANINGS = {
    "--days": {"N", "FOLDER"},  # How long somebody stays away; the folder of closed days, a setting of the server.
    "--from": {"TIME", "BOOK"},  # A span of time, and what a new book begins with.
    "--output": {"FILE", "FOLDER"},
    "--rounds": {"N", "FIRST-LAST"},
}
"""Names that mean two things, or take two, and nobody can take one for the other."""
NEVER = {
    "--since": "--from", "--until": "--to", "--minimum": "--min", "--maximum": "--max", "--file": "--output",
    "--out": "--output", "--write": "--output", "--show": "--limit", "--person": "--as", "--lang": "--language",
}  # fmt: skip
"""Other words for what has a name."""
GIVEN_ONCE = "--cards"  # Read as often as it is given, so that a second deal can be refused.


def options() -> dict[str, list[tuple[str, Any]]]:
    found: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    for line in LINES:
        for param in load_command(line).params:
            if param.param_type_name == "option" and not getattr(param, "hidden", False):
                for name in (name for name in param.opts if name.startswith("--")):
                    found[name].append((line, param))
    return found


def test_an_option_takes_the_same_in_every_command() -> None:
    for name, uses in options().items():
        taken = {"" if param.is_flag else str(param.metavar) for _, param in uses}
        assert len(taken) == 1 or taken == TWO_MEANINGS.get(name), (name, taken, [line for line, _ in uses])


def test_no_option_has_a_second_name() -> None:
    found = options()
    for other, name in NEVER.items():
        assert other not in found, f"{other} of {found[other][0][0]} is called {name}"
        assert name in found


def test_what_can_be_repeated_says_so_in_the_same_words() -> None:
    for name, uses in options().items():
        for line, param in uses:
            told = "can be repeated" in (param.help or "").lower()
            assert told == bool(param.multiple and name != GIVEN_ONCE), (name, line, param.help)
