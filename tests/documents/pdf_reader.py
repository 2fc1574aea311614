"""Reads the text out of a PDF as our typesetter writes it: objects one by one, fonts with their tables of characters.

It shares nothing with what makes the file, so that a figure that it reads is one that a reader of the file sees.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\s(.*?)\nendobj", re.DOTALL)
_SHOWN = re.compile(rb"/(f\d+) [\d.]+ Tf|(\[.*?\])TJ|(\((?:\\.|[^\\)])*\))Tj|\b(ET)\b", re.DOTALL)
_STRING = re.compile(rb"\(((?:\\.|[^\\)])*)\)", re.DOTALL)
_ESCAPED = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def text_of_pdf(content: bytes) -> list[str]:
    """Every piece of text, in the order in which it is drawn."""
    assert content.startswith(b"%PDF-1."), content[:20]
    assert content.rstrip().endswith(b"%%EOF")
    objects = {int(number): body for number, body in _OBJECT.findall(content)}
    fonts = {name: _characters(objects, int(number)) for name, number in _font_names(content)}
    assert fonts, "a page without letters"
    return [text for body in objects.values() if b" Tf" in (drawn := _stream(body)) for text in _drawn(drawn, fonts)]


def _font_names(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    for table in re.findall(rb"/Font ?<<(.*?)>>", content, re.DOTALL):
        yield from re.findall(rb"/(f\d+) (\d+) 0 R", table)


def _stream(body: bytes) -> bytes:
    _, found, packed = body.partition(b"stream\n")
    return zlib.decompress(packed) if found and b"FlateDecode" in body[:200] else b""


def _characters(objects: dict[int, bytes], font: int) -> dict[int, str]:
    """By its number in a font, what a glyph stands for."""
    named = re.search(rb"/ToUnicode (\d+) 0 R", objects[font])
    assert named is not None, "a font that nobody can copy text of"
    told = _stream(objects[int(named[1])]).decode("latin-1")
    table = re.findall(r"^<([0-9A-F]{4})> <([0-9A-F]+)>$", told, re.MULTILINE)
    return {int(glyph, 16): bytes.fromhex(units).decode("utf-16-be") for glyph, units in table}


def _drawn(stream: bytes, fonts: dict[bytes, dict[int, str]]) -> Iterator[str]:
    characters, text = dict[int, str](), ""
    for font, many, one, end in _SHOWN.findall(stream):
        if font:
            characters = fonts[font]
        elif end:
            yield text
            text = ""
        for string in _STRING.findall(many or one):
            raw = _ESCAPED.sub(_unescaped, string)
            text += "".join(characters[raw[i] << 8 | raw[i + 1]] for i in range(0, len(raw), 2))


def _unescaped(sign: re.Match[bytes]) -> bytes:
    said = sign[1]
    return bytes([int(said, 8)]) if said[:1].isdigit() else _LETTERS.get(said, said)
