"""Checkpoints: a tally as bytes, with the run that it belongs to, so that a run goes on where it was killed.

A tally holds whole shoes and the number of the next one, and a shoe depends on the seed and its number only.
So the numbers at the end are those of a run that nobody disturbed. The run is known by the content of
everything that decides its result, so a file that has changed since under the same name is noticed; and a
checkpoint begins with a checksum of the rest, so one that was altered is noticed too.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.rules.digest import digest_of
from punto.rules.text.book_text import BookText
from punto.simulation.batch import Deals

VERSION = 2
_HEAD = b"punto checkpoint\n"
_SUM = hashlib.sha256().digest_size


class WrongCheckpoint(ValueError):
    """Bytes that are not a checkpoint of this run, in one sentence."""


class Run(msgspec.Struct, frozen=True):
    """What a run is known by: two runs with the same of these come to the same numbers."""

    book: str
    digest: str
    """Of the whole book, since a file may change under its name."""
    deals: Deals
    rounds: int
    strategy: str = ""
    """The strategy by its content; empty where bets are only counted."""
    version: int = VERSION


def run_of(book: BookText, deals: Deals, rounds: int, strategy: str = "") -> Run:
    """The run of a book to this number of rounds."""
    return Run(book.name, digest_of(book), deals, rounds, strategy)


def to_bytes(run: Run, arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """A checkpoint of a run after whole shoes."""
    with io.BytesIO() as file:
        np.savez_compressed(
            file, allow_pickle=False, run=np.frombuffer(msgspec.json.encode(run), np.uint8), **arrays
        )
        content = file.getvalue()
    return _HEAD + hashlib.sha256(content).digest() + content


def from_bytes(run: Run, content: bytes) -> dict[str, NDArray[Any]]:
    """What a checkpoint of this run holds; `WrongCheckpoint` if it is none."""
    start = len(_HEAD) + _SUM
    if not content.startswith(_HEAD) or len(content) <= start:
        raise WrongCheckpoint("is not a checkpoint of this version of Punto")
    told, content = content[len(_HEAD) : start], content[start:]
    if hashlib.sha256(content).digest() != told:
        raise WrongCheckpoint("is a damaged checkpoint: its content does not match its checksum")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        other = msgspec.json.decode(arrays.pop("run").tobytes(), type=Run)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, msgspec.MsgspecError):
        raise WrongCheckpoint("is not a checkpoint") from None
    if other != run:
        raise WrongCheckpoint(f"is a checkpoint of another run: {_difference(run, other)}")
    return arrays


def _difference(run: Run, other: Run) -> str:
    """The first thing in which they differ, in words."""
    here, there = run.deals, other.deals
    if run.book != other.book:
        return f"of {other.book}, not of {run.book}"
    if run.rounds != other.rounds:
        return f"to {other.rounds} rounds, not to {run.rounds}"
    if here.seed != there.seed:
        return f"with seed {there.seed}, not {here.seed}"
    if here.terms != there.terms:
        return "with other decks, burn or cut card"
    if run.strategy != other.strategy:
        return "with another strategy, or its file has changed since"
    return "the book or the program has changed since"
