"""The `punto` command itself, and how it ends when something goes wrong.

A person reads one sentence on stderr, and a program sees the status: 2 for a refusal, a wrong command line or
an answer that cannot be written, 130 after Ctrl-C, 1 when the reader of a pipe has gone away.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from punto import __version__
from punto.cli.commands import SETTINGS, PuntoGroup
from punto.cli.terminal.say import REFUSED, complain
from punto.cli.terminal.streams import hush, ready_streams

INTERRUPTED = 130
PIPE_CLOSED = 1
"""As Typer itself ends when it notices first."""

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


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit status says how it went."""
    try:
        status = typer.main.get_command(app).main(list(arguments), prog_name="punto", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        complain(_sentence(error))
        return REFUSED
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        hush(sys.stdout)
        return PIPE_CLOSED
    except OSError as error:
        if error.filename is not None:
            raise  # a file, not a stream: whoever opened it should have seen to that
        hush(sys.stdout)
        complain(f"the answer cannot be written: {error.strerror}")
        return REFUSED
    return status if isinstance(status, int) else 0


def main() -> None:
    """The entry point of the `punto` script."""
    ready_streams()
    sys.exit(run(sys.argv[1:]))


def _sentence(error: typer.TyperException) -> str:
    """What is wrong with a command line, and where to look; Typer writes two sentences, or a capital."""
    text = error.format_message().strip().rstrip(".").replace(". ", "; ")
    text = text.replace("is not a valid int", "is not a whole number")
    text = text.replace("is not a valid float", "is not a number")
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "punto"
    return f"{text[:1].lower()}{text[1:]}; see {command} --help"
