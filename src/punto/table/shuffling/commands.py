"""What players and house do so that a shuffle can be checked."""

from __future__ import annotations

from typing import ClassVar

from punto.table.header import CommandHeader


class PledgeBytes(CommandHeader, frozen=True, kw_only=True):
    """Promise bytes for the shuffle of a fresh shoe, by their digest."""

    phrase: ClassVar[str] = "pledge"

    digest: str


class ClosePledges(CommandHeader, frozen=True, kw_only=True):
    """Nobody can pledge any more; what was pledged may be opened."""

    phrase: ClassVar[str] = "close the pledges"


class OpenBytes(CommandHeader, frozen=True, kw_only=True):
    """Tell the bytes that were pledged, in hexadecimal digits."""

    phrase: ClassVar[str] = "open bytes"

    value: str


class OpenSeed(CommandHeader, frozen=True, kw_only=True):
    """Tell the seed of a shoe that is out of play, in hexadecimal digits."""

    phrase: ClassVar[str] = "open the seed"

    shoe: int
    seed: str


ShufflingCommand = PledgeBytes | ClosePledges | OpenBytes | OpenSeed
