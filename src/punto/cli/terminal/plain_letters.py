"""Stand-ins for signs that a terminal cannot show: `-` for a line, `S` for spades.

Python's own way out is a question mark for each, which turns a table into noise.
"""

from __future__ import annotations

import codecs
import io
from typing import TextIO

HANDLER = "punto.plain-letters"

_STAND_INS = {
    "─": "-",
    "·": "|",
    "…": ".",
    "–": "-",
    "×": "x",
    "±": "~",
    "“": '"',
    "”": '"',
    "’": "'",
    "♠": "S",
    "♥": "H",
    "♦": "D",
    "♣": "C",
}


def use_plain_letters(stream: TextIO) -> None:
    """Let a stream show something readable for what its encoding has no sign for."""
    codecs.register_error(HANDLER, _stand_in)
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=HANDLER)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_STAND_INS.get(sign, "?") for sign in error.object[error.start : error.end]), error.end
