"""The subcommands of `punto`, each loaded when it is called and not before.

Each is the function of the same name in the module of the same name. Some load much, and whoever
settles one bet should not wait for them. The summaries are here for the same reason: the list of commands is
printed without loading any.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from punto.cli.examples import EXAMPLES_OF
from punto.suggestion import did_you_mean

GROUPS: dict[str, dict[str, str]] = {
    "play and learn": {
        "play": "Play at a table in the terminal, against the house.",
        "drill": "Ask what a dealer must know, and repeat what went wrong.",
        "demo": "Deal a few rounds by every built-in book.",
    },
    "tables": {
        "run": "Play a session and tell what happens.",
        "settle": "Settle the bets of one bettor on a finished deal.",
        "deal": "Deal a shoe and print each round.",
        "roads": "Draw the five roads of a shoe, and what would come next.",
    },
    "odds and studies": {
        "odds": "Give the exact odds of every bet.",
        "advise": "Give what every bet is worth at a moment of a round.",
        "insurance": "Give insurance exactly: offers, edges and the best policy.",
        "count": "Give how far each bet can be beaten by counting cards.",
        "simulate": "Simulate whole shoes, every bet beside its exact value.",
        "report": "Write the PAR sheet of a game: HTML, PDF, CSV, Parquet, JSON.",
    },
    "books": {
        "books": "List the built-in rule books.",
        "rules": "Print a rule book with the clause of every rule.",
        "bets": "List published bets that a book can take, each with its exact edge.",
        "compare": "Show what differs between two books, and what it does to bets.",
        "new": "Write a short, commented book file that builds on another book.",
        "check": "Check a book: errors, the edge of every bet, and warnings.",
        "tune": "Find every pay table of a bet with a house edge in a range.",
        "schema": "Print a JSON Schema of book files, for editors.",
    },
}
"""The commands by the groups in which they are listed, each with the first sentence of its help.

A group is a folder of command modules.
"""

EXAMPLES: dict[str, str] = {
    "punto play ez": "sit down at a table; ? is for help",
    "punto rules knockout": "read a rule book, clause by clause",
    "punto deal commission --seed 7": "deal a shoe, the same one every time",
    "punto roads BBPTbPpB": "draw the roads of these results",
    "punto odds insurance --decks 6": "see the exact value of every bet",
    "punto simulate ez --rounds 1e7": "play ten million rounds beside exact values",
}
"""Command lines to begin with, and what each shows."""

COMMANDS: dict[str, str] = {name: group for group, commands in GROUPS.items() for name in commands}
"""Each command with its group."""

SETTINGS: dict[str, Any] = {
    # Typer's panels and coloured help would load Rich, which takes longer than the command itself.
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["--help", "-h"]},
}


_NUMBERS = {
    "int": (re.compile(r"[+-]?[0-9]+"), "whole number"),
    "float": (re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"), "number"),
}
LONGEST_NUMBER = 80
"""Digits of a number on the command line: a seed of 256 bits has 78."""


TWO_COLUMNS = 58
"""Width of a help page that has room for options at the left and what they do at the right."""


def fit(ctx: Any) -> None:
    """Have the help of a command fit the terminal; Click itself goes no narrower than 50 columns."""
    from punto.cli.terminal.ink import columns

    ctx.terminal_width = columns() - 2


def write_rows(formatter: Any, rows: Sequence[tuple[str, str]], **settings: int) -> None:
    """Options, commands or examples with their help: beside each other, or below in a narrow terminal."""
    longest = max((len(name) for name, _ in rows), default=0)
    if formatter.width >= max(TWO_COLUMNS, longest + 2):
        formatter.write_dl(rows, **settings)
        return
    from punto.documents.columns import wrap

    margin = " " * formatter.current_indent
    for name, text in rows:
        for line in wrap(name, formatter.width, margin, f"{margin}  "):
            formatter.write(f"{line}\n")
        for line in wrap(text, formatter.width, f"{margin}    ", f"{margin}    ") if text else ():
            formatter.write(f"{line}\n")


class PuntoCommand(TyperCommand):
    """A command whose options take numbers in plain digits, and are listed in groups where they have any."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        values, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for param in given:
            if isinstance(param, TyperOption) and param.type.name in ("int", "float"):
                value = values[param.name or ""]
                for text in value if isinstance(value, list) else [value]:
                    check_number(str(text), ctx, param)
        return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        fit(ctx)
        return super().get_help(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Arguments by their names alone: Typer puts them in braces, which nobody should type."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then the options by their groups; those that belong to none come last."""
        arguments, groups, rest = list[Any](), dict[str, list[Any]](), list[Any]()
        for param in self.get_params(ctx):
            row, group = param.get_help_record(ctx), getattr(param, "rich_help_panel", None)
            if row is None:
                continue
            if param.param_type_name == "argument":
                arguments.append(row)
            else:
                (groups.setdefault(group, []) if group else rest).append(row)
        sections = {"Arguments": arguments, **groups, "Other options" if groups else "Options": rest}
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    write_rows(formatter, rows)
        examples = EXAMPLES_OF.get(self.name or "")
        if examples:
            with formatter.section("Examples"):
                write_rows(formatter, list(examples.items()))


def check_number(text: str, ctx: Any, param: Any) -> None:
    """Refuse digits of other scripts, which Python would read, and more of them than anybody can mean."""
    digits, name = _NUMBERS[param.type.name]
    if not digits.fullmatch(text):
        raise typer.BadParameter(f"{text!r} is not a {name}", ctx=ctx, param=param)
    if len(text) > LONGEST_NUMBER:
        raise typer.BadParameter(f"{len(text)} digits are too many", ctx=ctx, param=param)


class PuntoGroup(TyperGroup):
    """All commands: known by name, and loaded when one is called."""

    def get_help(self, ctx: Any) -> str:
        fit(ctx)
        return super().get_help(ctx)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:  # noqa: ARG002
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named; a near miss is answered with the name that was most likely meant."""
        try:
            return super().resolve_command(ctx, args)
        except typer.TyperException as error:
            error.message = f"no such command {args[0]!r}{did_you_mean(args[0], COMMANDS)}"
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        for group, commands in GROUPS.items():
            with formatter.section(group.capitalize()):
                write_rows(formatter, list(commands.items()))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """What people look for first: the commands, then how one is written, then the options."""
        self.format_commands(ctx, formatter)
        with formatter.section("Examples"):
            write_rows(formatter, list(EXAMPLES.items()), col_max=max(map(len, EXAMPLES)))
        rows = [param.get_help_record(ctx) for param in self.get_params(ctx)]
        with formatter.section("Options"):
            write_rows(formatter, [row for row in rows if row is not None])


def load_command(name: str) -> TyperCommand:
    """One command, ready to be run."""
    alone = typer.Typer(add_completion=False, **SETTINGS)
    folder = COMMANDS[name].replace(" ", "_")
    alone.command(name, cls=PuntoCommand)(getattr(import_module(f"punto.cli.{folder}.{name}"), name))
    command = typer.main.get_command(alone)
    assert isinstance(command, TyperCommand)
    return command
