"""Mutations: a text or a file with a few of its bytes or words changed, by a seed that repeats it.

Byte by byte finds what a reader does with damage; word by word gets past the first reader and finds what the
rest does with sense gone wrong. Neither looks at what it changes.
"""

from __future__ import annotations

import re
from random import Random

_TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
_WINDOW = 16 * 1024

NASTY: tuple[bytes, ...] = (
    *(b"0", b"-1", b"1", b"7", b"1000000000", b"1e999999", b"99999999999999999999", b"0.5", b"1_0", b"nan"),
    *("１００".encode(), "閒家".encode(), "\u202e".encode(), b"\xff", b"\xed\xa0\x80", b"\x00", b"\x1b[2J"),
    *(b'"', b"'", b"[", b"]", b"{", b"}", b"#", b"=", b",", b":", b">", b"\\", b"\n", b" " * 3000, b"9" * 400),
    *(b"true", b"null", b"none", b"player", b"banker", b"tie", b"dealer", b"shift-manager", b"KS", b"for"),
    *(b"--json", b"-", b"--", b"/dev/null", b"ez", b"insurance", b"[[bets]]", b"a.b.c"),
)
"""Words that readers stumble over."""


def mutated(random: Random, content: bytes) -> bytes:
    """The content with one to four changes."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        content = random.choice((_byte, _byte, _token, _token, _block))(random, content)
    return content


def mutated_words(random: Random, words: list[str], others: list[str]) -> list[str]:
    """A command line with one to three words changed, left out, repeated or taken from another one."""
    words = list(words)
    for _ in range(random.randint(1, 3)):
        place = random.randrange(len(words) + 1)
        match random.randrange(5):
            case 0:
                del words[place : place + 1]
            case 1:
                words[place:place] = words[place : place + 1]
            case 2:
                words.insert(place, random.choice(others))
            case 3:
                words[place : place + 1] = [random.choice(NASTY).decode("utf-8", "surrogateescape")]
            case _:
                old = words[place].encode("utf-8", "surrogateescape") if place < len(words) else b""
                words[place : place + 1] = [mutated(random, old).decode("utf-8", "surrogateescape")]
    return words


def _byte(random: Random, content: bytes) -> bytes:
    place = random.randrange(len(content) + 1)
    match random.randrange(4):
        case 0:
            return content[:place] + bytes([random.randrange(256)]) + content[place + 1 :]
        case 1:
            return content[:place] + content[place + 1 :]
        case 2:
            return content[:place] + bytes([random.randrange(256)]) + content[place:]
        case _:
            old = content[place : place + 1] or b"\0"
            return content[:place] + bytes([old[0] ^ 1 << random.randrange(8)]) + content[place + 1 :]


def _token(random: Random, content: bytes) -> bytes:
    # A database has a million words: they are looked for in a part of it.
    first = random.randrange(len(content) - _WINDOW) if len(content) > _WINDOW else 0
    tokens = list(_TOKEN.finditer(content, first, first + _WINDOW))
    if not tokens:
        return random.choice(NASTY)
    one, other = random.choice(tokens), random.choice(tokens)
    match random.randrange(4):
        case 0:
            new = random.choice(NASTY)
        case 1:
            new = other[0]
        case 2:
            new = b""
        case _:
            new = one[0] * random.choice((2, 2, 50))
    return content[: one.start()] + new + content[one.end() :]


def _block(random: Random, content: bytes) -> bytes:
    """Lines moved, repeated or lost, or the end cut off."""
    lines = content.split(b"\n")
    start = random.randrange(len(lines))
    end = min(len(lines), start + random.choice((1, 1, 3, 10)))
    match random.randrange(3):
        case 0:
            return b"\n".join(lines[:start] + lines[end:])
        case 1:
            place = random.randrange(len(lines))
            return b"\n".join(lines[:place] + lines[start:end] + lines[place:])
        case _:
            return content[: random.randrange(len(content) + 1)]
