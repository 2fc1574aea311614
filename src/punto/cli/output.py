"""What a command says, and the streams it says it on: refusals on stderr, answers for programs as JSON, plain
letters where a terminal lacks ♠. A shell may hand over a stream closed and a disk may be full; none of
this is worth a traceback, since the exit status can still be read.
"""

from __future__ import annotations

import codecs
import io
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import NoReturn, TextIO

import typer

STAND_IN_HANDLER = "punto.plain-letters"

_STAND_INS = dict(zip("─·…–×±“”’♠♥♦♣", '-|.-x~""\'SHDC', strict=True))


def use_plain_letters(stream: TextIO) -> None:
    """Let a stream show something readable for what its encoding has no sign for."""
    codecs.register_error(STAND_IN_HANDLER, _stand_in)
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=STAND_IN_HANDLER)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_STAND_INS.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


def can_show(text: str, encoding: str) -> bool:
    """Whether a terminal of this encoding has a sign for every letter of a text."""
    try:
        text.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def ready_streams() -> None:
    """Put something in place of each stream that was closed, and let the others show what they can."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    if sys.stdout is None:
        # A pipe that nobody reads: the first word ends the command, as in any other closed pipe.
        reading, writing = os.pipe()
        os.close(reading)
        sys.stdout = os.fdopen(writing, "w", encoding="utf-8")
    if sys.stderr is None:
        # Not so here: `print` takes None for stdout, and a refusal is not an answer.
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        use_plain_letters(stream)


def hush(stream: TextIO) -> None:
    """Let what is still buffered go nowhere: it would fail again when Python closes the stream."""
    with suppress(OSError, ValueError):  # a stream without a file has nothing to close
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


REFUSED = 2  # Exit status of a refusal and of a wrong command line.


def typed_name() -> str:
    """How `punto` can be typed here: by name where the shell finds it, else by the path it was called by."""
    called = sys.argv[0]
    return called if "/" in called and shutil.which("punto") is None else "punto"


def complain(sentence: str) -> None:
    """One line on stderr."""
    _tell(f"punto: {one_line(sentence)}")


def refuse(sentence: str) -> NoReturn:
    """End the command with one sentence on stderr; stdout stays empty."""
    complain(sentence)
    raise typer.Exit(REFUSED)


def refuse_lines(lines: list[str]) -> NoReturn:
    for line in lines:
        _tell(one_line(line))
    raise typer.Exit(REFUSED)


PREPARING = "preparing the kernels (compiled once, some seconds, then kept)"


def say_waiting(text: str) -> None:
    """What is going on, for people who wait at a terminal."""
    if sys.stderr.isatty():
        print(f"punto: {text}", file=sys.stderr)


def say_progress(what: str, done: int, of: int) -> None:
    """How far a study is, on one line that is written over: `punto: shoes: 512 of 2,000`."""
    if sys.stderr.isatty():
        end = "\n" if done >= of else ""
        print(f"\rpunto: {what}: {done:,} of {of:,}", end=end, file=sys.stderr, flush=True)


def _tell(line: str) -> None:
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        hush(sys.stderr)  # a full disk: the exit status has to say it all


def told_time(milliseconds: int) -> str:
    """A time as the clock of the reader has it, with how far that is from UTC; records and JSON have UTC."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()
    offset = f"{moment:%z}"
    return f"{moment:%Y-%m-%d %H:%M} UTC{'' if offset == '+0000' else f'{offset[:3]}:{offset[3:5]}'}"


def told_times(moments: Sequence[int]) -> tuple[str, list[str]]:
    """The times of a list, to the second, by the clock of the reader, and the name of that clock: `UTC+08:00`.

    It is UTC where the clock of the reader was put on or back between them, and numbers stay numbers where nobody had a
    clock.
    """
    from punto.audit.history_page import FIRST_REAL_TIME

    if any(time < FIRST_REAL_TIME for time in moments):
        return "UTC", [str(time) for time in moments]
    there = [datetime.fromtimestamp(time // 1000, UTC) for time in moments]
    here = [moment.astimezone() for moment in there]
    is_one_clock = len({moment.utcoffset() for moment in here}) == 1
    zone = told_time(moments[0]).split()[-1] if is_one_clock else "UTC"
    return zone, [f"{moment:%Y-%m-%d %H:%M:%S}" for moment in (here if is_one_clock else there)]


def answer_json(value: object) -> None:
    """The whole answer as one JSON document, in UTF-8 whatever the terminal reads."""
    import msgspec

    document = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.flush()
    sys.stdout.buffer.write(document + b"\n")
    sys.stdout.buffer.flush()


def answer_lines(values: Iterable[object]) -> None:
    import msgspec

    sys.stdout.flush()
    sys.stdout.buffer.write(b"".join(msgspec.json.encode(value) + b"\n" for value in values))
    sys.stdout.buffer.flush()


def one_line(text: str) -> str:
    """The text without line breaks or other control characters, which a user's input may carry."""
    return "".join(character if character.isprintable() else " " for character in text)
