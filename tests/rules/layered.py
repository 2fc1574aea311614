"""Random books in layers: changes to a built-in book as plain values, as TOML, and as files in memory."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from punto.books import NAMES, built_in_source
from punto.rules.book_file import BaseNotFound, BookSource

AREAS = ("player-pair", "banker-pair", "tie", "seven", "eight", "nine")
CLAUSES = ("1", "h-1", "h-2", "h-3")

Layer = dict[str, Any]


class Files:
    """Book files by name, as a loader reads them."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts

    def source(self, name: str) -> BookSource:
        return BookSource(name, self.texts[name], name)

    def __call__(self, name: str, source: BookSource) -> BookSource:
        assert source.file
        if name in NAMES:
            return built_in_source(name)
        if name not in self.texts:
            raise BaseNotFound(f"there is no file {name}")
        return self.source(name)


def toml(values: Layer) -> str:
    """Values as TOML, one key to a line, as a second writer that shares nothing with the first."""
    lines = [f"{key} = {inline(value)}" for key, value in values.items() if not isinstance(value, dict)]
    for key, value in values.items():
        if isinstance(value, dict):
            lines += [f"[{key}]", *(f"{name} = {inline(item)}" for name, item in value.items())]
    return "\n".join(lines) + "\n"


def inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def bet(area: str, points: int, odds: str) -> Layer:
    rows = [
        {"when": {"winning_points": points}, "odds": odds, "clause": "h-1"},
        {"otherwise": True, "result": "lose", "clause": "h-1"},
    ]
    return {"area": area, "kind": "side", "labels": {"en": area.title()}, "clause": "h-1", "pays": rows}


def clause(number: str, sense: str) -> Layer:
    return {"number": number, "kind": "behaviour", "sense": sense}


@st.composite
def layers(draw: st.DrawFn, name: str) -> Layer:
    """What one file says beside `extends` and `remove`; always with the clause that new bets rest on."""
    areas = draw(st.lists(st.sampled_from(AREAS), unique=True, max_size=4))
    bets = [bet(area, draw(st.integers(1, 9)), f"{draw(st.integers(1, 30))}:1") for area in areas]
    numbers = draw(st.lists(st.sampled_from(CLAUSES[2:]), unique=True))
    words = draw(st.sampled_from(("Some rule.", "Another rule.", "第三條。")))
    layer: Layer = {"name": name, "bets": bets}
    layer["clauses"] = [clause(number, words) for number in ("h-1", *numbers)]
    if draw(st.booleans()):
        layer["title"] = draw(st.sampled_from(("One", "Two", 'Say "three"')))
    if draw(st.booleans()):
        layer["decks"] = {"allowed": draw(st.lists(st.integers(1, 8), unique=True, min_size=1))}
    return layer
