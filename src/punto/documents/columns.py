"""Text counted in columns of a terminal, where a Chinese character takes two and a combining mark none."""

from __future__ import annotations

from unicodedata import category, east_asian_width

_INVISIBLE = ("Mn", "Me", "Cf")


def clean(text: str) -> str:
    """The text with a blank for every line break or control character, which a terminal would obey."""
    return text if text.isprintable() else "".join(c if _is_shown(c) else " " for c in text)


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_width, text))


def pad(text: str, columns: int, *, is_right: bool = False) -> str:
    """The text filled with blanks to a width."""
    blanks = " " * (columns - width(text))
    return blanks + text if is_right else text + blanks


def shorten(text: str, columns: int) -> str:
    """The text, or its beginning and an ellipsis where it is too wide."""
    return text if width(text) <= columns else f"{_cut(text, columns - 1)[0]}…"


def wrap(text: str, columns: int, first: str = "", others: str = "") -> list[str]:
    """The lines of a text in a number of columns, with something before the first line and before the others.

    A word that is wider than a line is divided; text without blanks, as in Chinese, is divided anywhere.
    """
    shown = clean(text).rstrip()
    if shown and width(first + shown) <= columns:
        return [first + shown]  # with the blanks that it has
    lines, line = [], first
    is_empty = True  # nothing but the indent on this line
    for word in shown.split():
        rest, blank = word, "" if is_empty else " "
        while width(line) + width(blank + rest) > columns:
            room = columns - width(line) - len(blank)
            head, tail = _cut(rest, room) if is_empty or _is_dense(rest) else ("", rest)
            if is_empty and not head:
                head, tail = rest[:1], rest[1:]  # one character that is wider than the line
            lines.append((line + blank + head).rstrip())
            line, rest, blank, is_empty = others, tail, "", True
        line, is_empty = line + blank + rest, is_empty and not rest
    return lines if is_empty else [*lines, line]


def _is_shown(character: str) -> bool:
    return character.isprintable() or character == "\u200d"


def _width(character: str) -> int:
    if category(character) in _INVISIBLE:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _is_dense(word: str) -> bool:
    """Whether a word is written without blanks between its words."""
    return not word.isascii() and any(_width(character) == 2 for character in word)


def _cut(text: str, columns: int) -> tuple[str, str]:
    """The text divided at a width; marks stay with the character that they belong to."""
    taken = 0
    for place, character in enumerate(text):
        taken += _width(character)
        if taken > columns:
            return text[:place], text[place:]
    return text, ""
