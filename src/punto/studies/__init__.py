"""Studies: what needs exact odds over many shoes, or simulation, or both.

The names below are loaded when they are asked for: they bring NumPy and Numba with them, and `punto check`,
which is a study too, needs neither.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["CardCount", "Countability", "Countable", "Earnings", "PerfectPlay", "Removal", "Removals", "Shoes", "Tags"]
__all__ += ["best_tags", "correlation", "countability", "perfect_play", "removals"]

_HOMES = {name: "expectations" if name == "Shoes" else "card_counting" for name in __all__}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"punto.studies.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
