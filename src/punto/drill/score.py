"""The score that is kept between sittings: how each topic went, and when it is due again.

A missed topic comes back after a few other questions, until it was right twice in a row; the others come at
random. Misses never take more than every second question as long as there is anything else to ask, so that
whoever misses everything still sees everything. Time is counted in questions, not days: a dealer in training
sits down when there is time.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import replace

TYPE = "punto-drill"
VERSION = 1
GAP = 3
"""Questions between a miss and its return; each right answer doubles the gap."""
RECOVERED = 2
"""Right answers in a row after which a missed topic is like any other."""
Count = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
"""A number of questions; nobody answers more, so a file with more is damaged."""


class TopicScore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one topic went so far."""

    asked: Count = 0
    right: Count = 0
    seconds: float = 0.0
    running: Count = 0
    """Right answers since the last miss."""
    due: Count | None = None
    """The number of the question from which it is due; None if it is not to come again."""


class PastSitting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one sitting went."""

    day: str
    asked: Count
    right: Count
    seconds: float
    topics: dict[str, tuple[int, int]] = {}
    """Asked and right, by topic …"""
    clauses: dict[str, tuple[int, int]] = {}
    """… and by book and clause."""


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=TYPE):
    """Everything that is remembered."""

    version: int = VERSION
    asked: Count = 0
    topics: dict[str, TopicScore] = {}
    sittings: tuple[PastSitting, ...] = ()
    digests: dict[str, str] = {}
    """Digests of the books that were asked about, by name, as they were then."""

    def changed(self, digests: dict[str, str]) -> tuple[str, ...]:
        """The books, of those with these digests now, that said something else when last asked about."""
        return tuple(name for name, digest in digests.items() if self.digests.get(name, digest) != digest)

    def about(self, digests: dict[str, str]) -> Score:
        """The score of a sitting about books with these digests."""
        return replace(self, digests=self.digests | digests)

    def marked(self, topic: str, *, is_right: bool, seconds: float) -> Score:
        """The score after an answer."""
        old, number = self.topics.get(topic, TopicScore()), self.asked + 1
        running = old.running + 1 if is_right else 0
        due: int | None = old.due
        if not is_right:
            due = number + GAP + 1
        elif old.due is not None:
            due = None if running >= RECOVERED else number + GAP * 2**running + 1
        new = TopicScore(old.asked + 1, old.right + is_right, old.seconds + seconds, running, due)
        return replace(self, asked=number, topics=self.topics | {topic: new})

    def missed(self) -> tuple[str, ...]:
        """Topics that were missed and not made good, the longest due first."""
        open_topics = [(score.due, topic) for topic, score in self.topics.items() if score.due is not None]
        return tuple(topic for _, topic in sorted(open_topics))

    def due(self) -> tuple[str, ...]:
        """Those of them that are to be asked now."""
        return tuple(t for t in self.missed() if (self.topics[t].due or 0) <= self.asked + 1)

    def ended(self, sitting: PastSitting) -> Score:
        """The score after a sitting; a sitting without an answer leaves no trace."""
        return replace(self, sittings=(*self.sittings, sitting)) if sitting.asked else self
