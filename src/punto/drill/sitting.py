"""A sitting: which question comes next, and how its answer is marked.

Questions are shown by somebody else, a terminal or a script; a sitting only chooses and counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from punto.drill.chance import Chance
from punto.drill.question import Question, Topic
from punto.drill.score import PastSitting, Score
from punto.drill.syllabus import KINDS, topics_of
from punto.rules.book import Book

SKIP = "skip"
"""The answer of somebody who passes; it counts as wrong."""


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    """An answer, marked."""

    question: Question
    given: str
    is_right: bool
    seconds: float
    came_again: bool = False
    """Whether its topic had been missed, and not made good since."""


@dataclass(frozen=True, slots=True)
class AnswerTotals:
    """How many questions were answered, how many of them right, and in what time."""

    asked: int
    right: int
    seconds: float

    @classmethod
    def of(cls, answers: Iterable[MarkedAnswer]) -> AnswerTotals:
        """The totals of these answers."""
        listed = tuple(answers)
        right = sum(answer.is_right for answer in listed)
        return cls(len(listed), right, round(sum(answer.seconds for answer in listed), 3))


@dataclass(frozen=True, slots=True)
class Sitting:
    """Questions out of these books, of these kinds, with the answers given so far."""

    books: Mapping[str, Book]
    kinds: tuple[str, ...]
    score: Score
    answers: tuple[MarkedAnswer, ...] = ()
    weights: Mapping[str, int] = field(default_factory=dict)
    """How often each kind comes beside the others; once where nothing is said."""

    @property
    def totals(self) -> AnswerTotals:
        """All answers of the sitting together."""
        return AnswerTotals.of(self.answers)

    def topics(self) -> dict[str, Topic]:
        """Everything that can be asked, by the name under which the score has it."""
        return {str(topic): topic for book in self.books.values() for topic in topics_of(book, self.kinds)}

    def next_question(self, chance: Chance) -> Question:
        """A topic that was missed and is due; otherwise a random kind and one of its topics.

        After a topic that came again, something comes that is not to come again: misses must not crowd out
        new material, nor a kept score that is full of them.
        """
        topics = self.topics()
        missed = set(self.score.missed())
        others = tuple(topic for name, topic in topics.items() if name not in missed)
        due = next((topics[name] for name in self.score.due() if name in topics), None)
        if due is None or (others and self.answers and self.answers[-1].came_again):
            topic = self._random_topic(others or tuple(topics.values()), chance)
        else:
            topic = due
        return KINDS[topic.kind].ask(self.books[topic.book], topic.subject, chance)

    def _random_topic(self, topics: tuple[Topic, ...], chance: Chance) -> Topic:
        """A topic of a random kind: if possible one that was never asked, and not the last one."""
        kinds = sorted({topic.kind for topic in topics})
        kind = chance.one_of([kind for kind in kinds for _ in range(self.weights.get(kind, 1))] or kinds)
        last = self.answers[-1].question.topic if self.answers else None
        of_kind = [topic for topic in topics if topic.kind == kind]
        others = [topic for topic in of_kind if topic != last] or of_kind
        fresh = [topic for topic in others if str(topic) not in self.score.topics]
        return chance.one_of(fresh or others)

    def marked(self, question: Question, given: str, seconds: float) -> Sitting:
        """The sitting after an answer, which stands last in it; an empty answer is wrong."""
        is_right = bool(given) and question.is_right(given)
        kept = self.score.topics.get(str(question.topic))
        came_again = kept is not None and kept.due is not None
        return replace(
            self,
            score=self.score.marked(str(question.topic), is_right=is_right, seconds=seconds),
            answers=(*self.answers, MarkedAnswer(question, given, is_right, seconds, came_again)),
        )

    def final_score(self, day: str) -> Score:
        """The score with this sitting in it."""
        totals = self.totals
        topics, clauses = dict[str, tuple[int, int]](), dict[str, tuple[int, int]]()
        for one in self.answers:
            question = one.question
            _count(topics, str(question.topic), is_right=one.is_right)
            if question.clause:
                _count(clauses, f"{question.topic.book}/{question.clause}", is_right=one.is_right)
        return self.score.ended(PastSitting(day, totals.asked, totals.right, totals.seconds, topics, clauses))

    def to_come(self) -> tuple[str, ...]:
        """What was missed in these books, now or in an earlier sitting, and not made good since, in words."""
        topics = self.topics()
        missed = [topics[name] for name in self.score.missed() if name in topics]
        has_several = len(self.books) > 1
        return tuple(
            f"{topic.kind}: {topic.words}{f' ({topic.book})' if has_several else ''}" for topic in missed
        )

    def missed(self) -> tuple[str, ...]:
        """Topics missed in this sitting, in their order."""
        return tuple(dict.fromkeys(str(one.question.topic) for one in self.answers if not one.is_right))

    def within(self, target: float) -> int:
        """Right answers that took no longer than this many seconds."""
        return sum(one.is_right and one.seconds <= target for one in self.answers)

    def totals_by_kind(self) -> dict[str, AnswerTotals]:
        """The totals of each kind that was asked, in the order of the kinds."""
        asked = {answer.question.topic.kind for answer in self.answers}
        return {
            kind: AnswerTotals.of(one for one in self.answers if one.question.topic.kind == kind)
            for kind in self.kinds
            if kind in asked
        }


def _count(tallies: dict[str, tuple[int, int]], name: str, *, is_right: bool) -> None:
    asked, right = tallies.get(name, (0, 0))
    tallies[name] = (asked + 1, right + is_right)
