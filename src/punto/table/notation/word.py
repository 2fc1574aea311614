"""The words of a line of notation: split at blanks, with quotes around what would not stand by itself.

A word is bare (`Lee`, `100.00`, `banker-pair`, `../mine.toml`) or quoted as a JSON string (`"Lee Wong"`). A
quoted piece may also stand inside a word, after an equals sign or a comma. `#` begins a comment wherever a
word could begin.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from difflib import get_close_matches

from punto.money import parse_amount

_BARE = re.compile(r"[\w.\-'/+:]*[\w.\-'/+]")
_KEPT = frozenset(("as", "at", "key", "with", "for"))
"""Words with a meaning of their own; a person of that name is quoted."""

LONGEST_LINE = 10_000
"""Characters of a line: the terms of a table with limits for every betting area fit several times."""
NEAR = 0.8
"""How alike two words are, of 1, before one is taken for the other: `bett` for `bet`, not `hit` for `sit`."""

_CHUNK = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[^"]')


def split_line(line: str) -> tuple[list[str], str]:
    """The words of a line as they are written, and its comment with the `#`."""
    if len(line) > LONGEST_LINE:
        raise ValueError(f"a line has at most {LONGEST_LINE:,} characters, and not {len(line):,}")
    words: list[str] = []
    place = 0
    while place < len(line):
        if line[place].isspace():
            place += 1
        elif line[place] == "#":
            return words, line[place:].rstrip()
        else:
            chunk = _CHUNK.match(line, place)
            if chunk is None or line[chunk.end() : chunk.end() + 1] == '"':
                raise ValueError("a quote is opened and not closed")
            words.append(chunk[0])
            place = chunk.end()
    return words, ""


def split_at(word: str, separator: str) -> list[str]:
    """The parts of a word between separators that stand outside quotes."""
    parts = [""]
    for piece in _PIECE.findall(word):
        if piece == separator:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def format_word(text: str) -> str:
    """Some text as one word, quoted where it has to be."""
    if _BARE.fullmatch(text) and text.isprintable() and text not in _KEPT:
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


def parse_word(word: str) -> str:
    """The text that a word stands for; `ValueError` says what is wrong with it."""
    if word.startswith('"'):
        try:
            text = json.loads(word)
        except json.JSONDecodeError:
            raise ValueError(f"{word} is not text in quotes") from None
        assert isinstance(text, str), "a JSON document that opens with a quote is a string"
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            raise ValueError(f"{word} is not text: it holds half of a character")
        return text
    if word in _KEPT:
        raise ValueError(f"{word!r} has a meaning of its own: quote it where it is a name")
    if not _BARE.fullmatch(word):
        raise ValueError(f"{word!r} has to be quoted")
    return word


def parse_name(word: str) -> str:
    """The name of a person, which has to be one."""
    name = parse_word(word)
    if not name.strip():
        raise ValueError("a name must not be empty")
    return name


def suggestion(text: str, known: Iterable[str]) -> str:
    """`; did you mean …?` where one of these is so near that a slip of the fingers explains it."""
    near = get_close_matches(text, list(known), 1, NEAR)
    return f"; did you mean {near[0]!r}?" if near else ""


def parse_any_amount(text: str) -> int:
    """An amount that may be nothing or less: the table refuses it, with its reason."""
    return parse_amount(text, allow_zero=True, allow_negative=True)


def parse_number(name: str, text: str) -> int:
    """A whole number."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is not a whole number for {name}")
    return int(text)
