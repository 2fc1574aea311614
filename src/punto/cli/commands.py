"""The commands of `punto`: their groups and summaries, where each is found, and command lines to begin with.
The list of commands and all examples, in `commands.json`, are printed without loading any command.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

_LISTS: dict[str, Any] = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes())

GROUPS: dict[str, dict[str, str]] = _LISTS["groups"]
"""The commands by the groups in which they are listed, each with the first sentence of its help."""
SUBCOMMANDS: dict[str, dict[str, str]] = _LISTS["subcommands"]
"""The commands that have commands of their own."""
COMMANDS: dict[str, str] = {name: group for group, commands in GROUPS.items() for name in commands}
"""Each command with its group."""
EXAMPLES: dict[str, str] = _LISTS["first_examples"]
"""Command lines to begin with, and what each shows."""
EXAMPLES_OF: dict[str, dict[str, str]] = _LISTS["examples"]
"""By command, two lines for its help: what is typed, and what comes. A test runs all of them."""

LINES: tuple[str, ...] = tuple(
    f"{name} {below}".strip() for group in GROUPS.values() for name in group for below in SUBCOMMANDS.get(name, ("",))
)
"""Everything that can be called, as it is typed after `punto`."""

SETTINGS: dict[str, Any] = {
    # Typer's panels and coloured help would load Rich, which takes longer than the command itself.
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["--help", "-h"]},
}

TRUST = "Whoever can open the database is trusted: no password is asked."
ANY_NAME = "The option --as takes any name and role."
"""What everybody who keeps tables from the command line should know."""


def place_of(line: str) -> tuple[str, str]:
    """Where a command is: its module of `punto.cli`, and its function, which is called like it. Commands that have
    commands of their own are in a module of their name.
    """
    first = line.partition(" ")[0]
    module = next((module for module, commands in _LISTS["modules"].items() if first in commands), f"{first}_commands")
    return f"punto.cli.{module}", line.replace(" ", "_").replace("-", "_")
