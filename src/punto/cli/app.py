"""The application that Typer runs: how commands are found and loaded, how their numbers are read, how their help is
laid out, and which errors end them with a sentence. A command is loaded when it is called and not before. What Typer
does otherwise (help too wide for a narrow terminal, numbers in other scripts, no suggestions) is put right here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from punto import __version__
from punto.cli.commands import ANY_NAME, COMMANDS, EXAMPLES, EXAMPLES_OF, GROUPS, SETTINGS, SUBCOMMANDS, TRUST, place_of
from punto.cli.output import refuse_lines
from punto.suggestion import did_you_mean

_NUMBERS = {
    "int": (r"[+-]?[0-9]+", "whole number"),
    "float": (r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", "number"),
}
_NEGATIVE = r"-[0-9][0-9.]*"
LONGEST_NUMBER = 80  # Digits of a number on the command line: a seed of 256 bits has 78.
LONGEST_EXAMPLE = 45  # Letters of a command line that is shown in a list with what it does.
TWO_COLUMNS = 58  # Width of a help page that has room for options at the left and what they do at the right.

ENDING_ERRORS = {
    "punto.books": ("BookNotFound",),
    "punto.cli.drill_sitting": ("WrongScore",),
    "punto.cli.files": ("CannotRead", "CannotWrite"),
    "punto.cli.play_table": ("WrongSave",),
    "punto.drill.quiz": ("CannotRehearse",),
    "punto.odds.known_cards": ("StageError", "UndealtError"),
    "punto.roads.roads": ("ResultsError",),
    "punto.rules.validation": ("BookError",),
    "punto.server.settings": ("WrongSetting",),
    "punto.simulation.cluster": ("NoCluster",),
    "punto.simulation.gpu": ("NoGpu",),
    "punto.simulation.own_strategy": ("StrategyFault",),
    "punto.store.errors": ("StoreError",),
    "punto.studies.tuning": ("TooManyTables",),
}
"""Errors whose message is a sentence for whoever typed the command, by the modules that may have been loaded."""


def ending_errors() -> tuple[type[Exception], ...]:
    """The errors that end any command with their sentence, of the modules that are loaded."""
    loaded = ((sys.modules[module], names) for module, names in ENDING_ERRORS.items() if module in sys.modules)
    return tuple(getattr(module, name) for module, names in loaded for name in names)


def fit_help(ctx: Any) -> None:
    """Have the help of a command fit the terminal; Click itself goes no narrower than 50 columns."""
    from punto.cli.ink import columns

    ctx.terminal_width = columns() - 2


def write_rows(formatter: Any, rows: Sequence[tuple[str, str]], **settings: int) -> None:
    """Options, commands or examples with their help: beside each other, or below in a narrow terminal."""
    longest = max((len(name) for name, _ in rows), default=0)
    if formatter.width >= max(TWO_COLUMNS, longest + 2):
        formatter.write_dl(rows, **settings)
        return
    from punto.documents.text import wrap

    margin = " " * formatter.current_indent
    for name, text in rows:
        for line in wrap(name, formatter.width, margin, f"{margin}  "):
            formatter.write(f"{line}\n")
        for line in wrap(text, formatter.width, f"{margin}    ", f"{margin}    ") if text else ():
            formatter.write(f"{line}\n")


class PuntoCommand(TyperCommand):
    """A command whose options take numbers in plain digits, and are listed in groups where they have any."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        args = self._with_negative_amount(args)
        values, _, in_order = self.make_parser(ctx).parse_args(args=list(args))
        for param in in_order:
            if isinstance(param, TyperOption) and param.type.name in ("int", "float"):
                value = values[param.name or ""]
                for text in value if isinstance(value, list) else [value]:
                    check_number(str(text), ctx, param)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ending_errors() as error:
            refuse_lines(getattr(error, "lines", None) or [f"punto: {error}"])

    def get_help(self, ctx: Any) -> str:
        fit_help(ctx)
        return super().get_help(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Arguments by their names alone: Typer puts them in braces, which nobody should type."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then the options by their groups; those that belong to none come last. Examples end the page."""
        arguments, groups, rest = list[Any](), dict[str, list[Any]](), list[Any]()
        for param in self.get_params(ctx):
            if row := param.get_help_record(ctx):
                group = getattr(param, "rich_help_panel", None)
                options = groups.setdefault(group, []) if group else rest
                (arguments if param.param_type_name == "argument" else options).append(row)
        examples = list(EXAMPLES_OF.get(ctx.command_path.removeprefix("punto "), {}).items())
        rest_title = "Other options" if groups else "Options"
        for title, rows in {"Arguments": arguments, **groups, rest_title: rest, "Examples": examples}.items():
            if rows:
                with formatter.section(title):
                    write_rows(formatter, rows)

    def _with_negative_amount(self, args: list[str]) -> list[str]:
        """`-50` is an amount where a command takes one, and not an option."""
        takes_amount = any(param.name == "amount" for param in self.params)
        places = [place for place, arg in enumerate(args) if arg.startswith("-") and re.fullmatch(_NEGATIVE, arg)]
        if not takes_amount or len(places) != 1 or "--" in args or args[places[0] - 1].startswith("--"):
            return args
        return [*args[: places[0]], *args[places[0] + 1 :], "--", args[places[0]]]


def check_number(text: str, ctx: Any, param: Any) -> None:
    """Refuse digits of other scripts, which Python would read, and more of them than anybody can mean."""
    digits, name = _NUMBERS[param.type.name]
    if not re.fullmatch(digits, text):
        raise typer.BadParameter(f"{text!r} is not a {name}", ctx=ctx, param=param)
    if len(text) > LONGEST_NUMBER:
        raise typer.BadParameter(f"{len(text)} digits are too many", ctx=ctx, param=param)


class CommandGroup(TyperGroup):
    """Commands that are known by name, and loaded when one is called."""

    @property
    def summaries(self) -> dict[str, str]:
        return SUBCOMMANDS[self.name or ""]

    @property
    def examples(self) -> dict[str, str]:
        first = (next(iter(EXAMPLES_OF[f"{self.name} {name}"].items())) for name in self.summaries)
        return {line: what for line, what in first if len(line) <= LONGEST_EXAMPLE}

    def get_help(self, ctx: Any) -> str:
        fit_help(ctx)
        return super().get_help(ctx)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(self.summaries)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        return load_command(f"{self.name} {cmd_name}") if cmd_name in self.summaries else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named; a near miss is answered with the name that was most likely meant."""
        name = args[0]  # reading the arguments takes them out
        try:
            return super().resolve_command(ctx, args)
        except typer.TyperException as error:
            error.message = f"no such command {name!r}{did_you_mean(name, self.summaries)}"
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            write_rows(formatter, list(self.summaries.items()))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """What people look for first: the commands, then how one is written, then the options."""
        self.format_commands(ctx, formatter)
        examples = self.examples
        with formatter.section("Examples"):
            write_rows(formatter, list(examples.items()), col_max=max(map(len, examples)))
        with formatter.section("Options"):
            write_rows(formatter, [row for param in self.get_params(ctx) if (row := param.get_help_record(ctx))])


class PuntoGroup(CommandGroup):
    """All commands, listed in their groups."""

    @property
    def summaries(self) -> dict[str, str]:
        return {name: summary for commands in GROUPS.values() for name, summary in commands.items()}

    @property
    def examples(self) -> dict[str, str]:
        return EXAMPLES

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        for group, commands in GROUPS.items():
            with formatter.section(group.capitalize()):
                write_rows(formatter, list(commands.items()))


def load_command(line: str) -> TyperCommand | TyperGroup:
    """One command, ready to be run: `rules`, `table` or `table new`."""
    name, _, inner = line.partition(" ")
    if name in SUBCOMMANDS and not inner:
        return _load_group(name)
    module, function = place_of(line)
    alone = typer.Typer(add_completion=False, **SETTINGS)
    alone.command(inner or name, cls=PuntoCommand)(getattr(import_module(module), function))
    command = typer.main.get_command(alone)
    assert isinstance(command, TyperCommand)
    return command


def _load_group(name: str) -> TyperGroup:
    alone = typer.Typer(name=name, cls=CommandGroup, add_completion=False, **SETTINGS)

    def show_help(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            print(context.get_help())

    summary = GROUPS[COMMANDS[name]][name]
    show_help.__doc__ = f"{summary}\n\n{TRUST}{f' {ANY_NAME}' if name in ('table', 'account') else ''}"
    alone.callback(invoke_without_command=True)(show_help)
    group = typer.main.get_command(alone)
    assert isinstance(group, TyperGroup)
    return group


app = typer.Typer(name="punto", cls=PuntoGroup, **SETTINGS)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        print(f"punto {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def punto(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Baccarat by the book: play, run tables, compute odds, simulate, study."""
    if context.invoked_subcommand is None:
        print(context.get_help())
