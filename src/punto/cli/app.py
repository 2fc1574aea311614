"""The application that Typer runs: what stands before any subcommand."""

from __future__ import annotations

from typing import Annotated

import typer

from punto import __version__
from punto.cli.command_group import PuntoGroup
from punto.cli.commands import SETTINGS

app = typer.Typer(name="punto", cls=PuntoGroup, **SETTINGS)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        print(f"punto {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def punto(
    context: typer.Context,
    _: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Baccarat by the book: play, run tables, compute odds, simulate, study."""
    if context.invoked_subcommand is None:
        print(context.get_help())
