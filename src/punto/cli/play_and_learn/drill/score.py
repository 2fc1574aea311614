"""The score that is kept between sittings: how each topic went, and when it is due again.

What was missed comes back after a few other questions, and again and again until it was right twice running;
what was right is left to chance. Time is counted in questions, not days: a dealer in training sits down when
there is time.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from punto.cli.files.kept_file import CannotRead, form_of, keep, kept

KIND = "punto-drill"
VERSION = 1
GAP = 3
"""Questions between a miss and its return; each right answer doubles the gap."""
RECOVERED = 2
"""Right answers running after which a missed topic is as good as any other."""


class WrongScore(Exception):
    """A file that is no score of ours; the sentence says what is wrong with it."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one topic went so far."""

    asked: int = 0
    right: int = 0
    seconds: float = 0.0
    running: int = 0
    """Right answers since the last miss."""
    due: int | None = None
    """The number of the question from which on it is due; None while nothing was missed."""


class Sat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sitting."""

    day: str
    asked: int
    right: int
    seconds: float


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=KIND):
    """Everything that is remembered."""

    version: int = VERSION
    asked: int = 0
    topics: dict[str, Record] = {}
    sittings: tuple[Sat, ...] = ()

    def marked(self, topic: str, *, is_right: bool, seconds: float) -> Score:
        """The score after an answer."""
        old, number = self.topics.get(topic, Record()), self.asked + 1
        running = old.running + 1 if is_right else 0
        due: int | None = old.due
        if not is_right:
            due = number + GAP + 1
        elif old.due is not None:
            due = None if running >= RECOVERED else number + GAP * 2**running + 1
        record = Record(old.asked + 1, old.right + is_right, old.seconds + seconds, running, due)
        return replace(self, asked=number, topics=self.topics | {topic: record})

    def missed(self) -> tuple[str, ...]:
        """Topics that were missed and not made good, the longest due first."""
        open_topics = [(record.due, topic) for topic, record in self.topics.items() if record.due is not None]
        return tuple(topic for _, topic in sorted(open_topics))

    def due(self) -> tuple[str, ...]:
        """Those of them that are to be asked now."""
        return tuple(t for t in self.missed() if (self.topics[t].due or 0) <= self.asked + 1)

    def ended(self, sat: Sat) -> Score:
        """The score after a sitting."""
        return replace(self, sittings=(*self.sittings, sat)) if sat.asked else self


def read_score(path: Path) -> Score:
    """The score in a file, a fresh one where there is none; `WrongScore` where something else is."""
    try:
        content = kept(path)
    except CannotRead as error:
        raise WrongScore(str(error)) from None
    if content is None:
        return Score()
    version = form_of(content, KIND)
    if version not in (None, VERSION):
        raise WrongScore(f"{path} was kept in form {version}, and this punto reads form {VERSION}")
    try:
        if version is None:
            raise msgspec.ValidationError
        return msgspec.json.decode(content, type=Score)
    except (msgspec.MsgspecError, RecursionError):
        raise WrongScore(f"{path} is no score of punto drill; --score names another file") from None


def keep_score(path: Path, score: Score) -> None:
    """Keep the score in a file."""
    keep(path, msgspec.json.encode(score) + b"\n")
