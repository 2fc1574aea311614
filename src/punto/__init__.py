"""Punto runs, proves and studies baccarat tables by the book.

The names below are the front door: text goes in, frozen values come out. Nothing is loaded before one of
them is used. The packages (`punto.odds`, `punto.table`, …) have the rest. docs/reference/python.md shows each
name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from punto.books import shelf as books
    from punto.front_door import (
        PuntoError,
        Role,
        act,
        deal,
        legal_commands,
        load,
        odds_of,
        open_table,
        play_session,
        roads_of,
        rounds,
        settle,
        shoe,
        simulate,
        strategy,
    )
    from punto.money import format_money
    from punto.refusal import Refusal

__all__ = [
    "PuntoError",
    "Refusal",
    "Role",
    "act",
    "books",
    "deal",
    "format_money",
    "legal_commands",
    "load",
    "odds_of",
    "open_table",
    "play_session",
    "roads_of",
    "rounds",
    "settle",
    "shoe",
    "simulate",
    "strategy",
]

_ELSEWHERE = {"Refusal": "punto.refusal", "format_money": "punto.money"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "books":
        return import_module("punto.books")  # a package that can be called
    return getattr(import_module(_ELSEWHERE.get(name, "punto.front_door")), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
