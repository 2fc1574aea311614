"""The `punto` command itself, and how it ends when something goes wrong.

A person reads one sentence on stderr, and a program sees the status: 2 for a refusal, a wrong command line or
an answer that cannot be written, 130 after Ctrl-C, 1 when the reader of a pipe has gone away.

Only the standard library is loaded here: whoever presses Ctrl-C while the rest is being loaded sees the
command end, and no traceback.
"""

from __future__ import annotations

import gc
import re
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

INTERRUPTED = 130
_LOOK_EVERY = 50_000
"""New values before Python looks among them for rings that nobody holds. What a command loads stays, so looking after
every 700, as Python does otherwise, takes a tenth of a short command.
"""
PIPE_CLOSED = 1  # As Typer itself ends when it notices first.


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit status says how it went."""
    import typer

    from punto.cli.app import app
    from punto.cli.output import REFUSED, complain, hush

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
    except ModuleNotFoundError as error:
        from punto.extras import extra_needed

        needed = extra_needed(error)
        if needed is None:
            raise
        complain(str(needed))
        return REFUSED
    except OSError as error:
        if error.filename is not None:
            raise  # a file, not a stream: whoever opened it should have seen to that
        hush(sys.stdout)
        complain(f"the answer cannot be written: {error.strerror}")
        return REFUSED
    return status if isinstance(status, int) else 0


def main() -> None:
    gc.set_threshold(_LOOK_EVERY)
    try:
        # Until everything is loaded the system itself ends the command, which a shell also tells as 130.
        before = signal.getsignal(signal.SIGINT)
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        import_module("punto.cli.app")
        import_module("punto.cli.output").ready_streams()
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, before)
        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        status = INTERRUPTED
    gc.freeze()  # Python would look through everything once more as it ends, which takes another tenth.
    sys.exit(status)


_RANGE = r"is not in the range (?:(?P<least>-?\d+)<=)?x(?:>=(?P<only>-?\d+))?(?:<=(?P<most>-?\d+))?"


def _range_words(range_: re.Match[str]) -> str:
    least, most = range_["least"] or range_["only"], range_["most"]
    if least is None:
        return f"is more than {int(most):,}"
    return f"is less than {int(least):,}" if most is None else f"is not from {int(least):,} to {int(most):,}"


def _sentence(error: typer.TyperException) -> str:
    """What is wrong with a command line, and where to look; Typer writes two sentences, or a capital."""
    text = error.format_message().strip().rstrip(".").replace(". ", "; ")
    if possible := getattr(error, "possibilities", None):
        # All options begin with the same hyphens, so only their letters are compared.
        from punto.suggestion import nearest

        wrong = str(getattr(error, "option_name", ""))
        meant = nearest(wrong.lstrip("-"), [option.lstrip("-") for option in possible])
        text = f"no such option: {wrong}{f' (did you mean --{meant}?)' if meant else ''}"
    for kind, words in (("int", "whole number"), ("float", "number")):
        text = re.sub(f"is not a valid {kind}( range)?", f"is not a {words}", text)
    text = re.sub(_RANGE, _range_words, text)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "punto"
    return f"{text[:1].lower()}{text[1:]}; see {command} --help"
