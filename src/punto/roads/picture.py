"""The roads as the `--json` form shows them: every mark with its cell, and the answers to ask.

What `Roads` keeps only to go on (column lengths, the path) is left out, so that it may change without
anyone noticing.
"""

from __future__ import annotations

import msgspec

from punto.roads.ask import Ask
from punto.roads.bead_plate import Bead
from punto.roads.big_road import Mark
from punto.roads.roads import Roads


class Picture(msgspec.Struct, frozen=True):
    """What is drawn, and what would be next."""

    bead: tuple[Bead, ...]
    big: tuple[Mark, ...]
    big_eye: str
    small: str
    cockroach: str
    ask: Ask


def picture(roads: Roads) -> Picture:
    """All that there is to see of these roads."""
    return Picture(roads.bead, roads.big, roads.big_eye, roads.small, roads.cockroach, roads.ask)
