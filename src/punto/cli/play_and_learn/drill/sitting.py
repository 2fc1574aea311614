"""A sitting: which question comes next, and how its answer is marked.

Questions are asked by somebody else, a person's terminal or a script; a sitting only chooses and counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from punto.cli.play_and_learn.drill.kinds import KINDS, topics_of
from punto.cli.play_and_learn.drill.question import Question, Topic
from punto.cli.play_and_learn.drill.score import Sat, Score
from punto.rules.book import Book

SKIP = "skip"
"""The answer of somebody who passes; it counts as wrong."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An answer, marked."""

    question: Question
    given: str
    is_right: bool
    seconds: float


@dataclass(slots=True)
class Sitting:
    """So many questions out of these books."""

    books: Mapping[str, Book]
    kinds: tuple[str, ...]
    random: Random
    score: Score
    marks: list[Mark] = field(default_factory=list)

    def topics(self) -> dict[str, list[Topic]]:
        """All that can be asked, by kind."""
        found: dict[str, list[Topic]] = {}
        for book in self.books.values():
            for kind, topics in topics_of(book, self.kinds).items():
                found.setdefault(kind, []).extend(topics)
        return found

    def next_question(self) -> Question:
        """What was missed and is due; otherwise a kind by chance and one of its topics."""
        by_kind = self.topics()
        known = {str(topic): topic for topics in by_kind.values() for topic in topics}
        due = next((known[name] for name in self.score.due() if name in known), None)
        topic = due or self._by_chance(by_kind[self.random.choice(sorted(by_kind))])
        return KINDS[topic.kind].ask(self.books[topic.book], topic.subject, self.random)

    def _by_chance(self, topics: Sequence[Topic]) -> Topic:
        """Any topic, but not the one asked just now where there is another, and the unasked ones rather."""
        last = self.marks[-1].question.topic if self.marks else None
        others = [topic for topic in topics if topic != last] or list(topics)
        fresh = [topic for topic in others if str(topic) not in self.score.topics]
        return self.random.choice(fresh or others)

    def mark(self, question: Question, given: str, seconds: float) -> Mark:
        """Mark an answer and count it; an empty one is wrong."""
        is_right = bool(given) and question.is_right(given)
        mark = Mark(question, given, is_right, seconds)
        self.marks.append(mark)
        self.score = self.score.marked(str(question.topic), is_right=is_right, seconds=seconds)
        return mark

    def end(self, day: str) -> Score:
        """The score with this sitting in it."""
        right = sum(mark.is_right for mark in self.marks)
        seconds = sum(mark.seconds for mark in self.marks)
        return self.score.ended(Sat(day, len(self.marks), right, round(seconds, 3)))

    def to_come(self) -> tuple[str, ...]:
        """What was missed in these books, in this sitting or before, and not made good, in words."""
        known = {str(topic): topic for topics in self.topics().values() for topic in topics}
        where = len(self.books) > 1
        return tuple(
            f"{known[name].kind} {known[name].subject}{f' ({known[name].book})' if where else ''}"
            for name in self.score.missed()
            if name in known
        )

    def missed(self) -> tuple[str, ...]:
        """Topics missed in this sitting, in their order."""
        return tuple(dict.fromkeys(str(mark.question.topic) for mark in self.marks if not mark.is_right))

    def by_kind(self) -> dict[str, list[Mark]]:
        """The marks of each kind, in the order of the kinds."""
        return {
            kind: marks
            for kind in self.kinds
            if (marks := [mark for mark in self.marks if mark.question.topic.kind == kind])
        }
