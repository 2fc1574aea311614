"""A dealer's training: the syllabus, a sitting, the score that is kept between sittings, and how much is
mastered.

A missed topic comes back after a few other questions, until it was right twice in a row; the others come
at random. Misses never take more than every second question as long as there is anything else to ask. Time
is counted in questions, not days. Questions are shown by somebody else, a terminal or a script; a sitting
only chooses and counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

import msgspec
from msgspec.structs import replace as replace_struct

from punto.documents.page import Grid, Page, Section, Style
from punto.drill.irregularity_questions import CLAUSE_KIND, DECIDER_KIND, OPTIONS_KIND, REMEDY_KIND
from punto.drill.quiz import Chance, Question, QuestionKind, Topic, sense_of
from punto.drill.round_questions import (
    BOXES_KIND,
    CALLS_KIND,
    CHIPS_KIND,
    DRAW_KIND,
    INSURANCE_KIND,
    PAYMENT_KIND,
    WINNER_KIND,
)
from punto.rules.book import Book

KINDS: dict[str, QuestionKind] = {
    kind.name: kind
    for kind in (
        DRAW_KIND,
        WINNER_KIND,
        PAYMENT_KIND,
        BOXES_KIND,
        CHIPS_KIND,
        CALLS_KIND,
        INSURANCE_KIND,
        CLAUSE_KIND,
        REMEDY_KIND,
        DECIDER_KIND,
        OPTIONS_KIND,
    )
}


def topics_of(book: Book, kinds: tuple[str, ...]) -> list[Topic]:
    """All topics that a book has of these kinds."""
    return [Topic(book.name, kind, subject) for kind in kinds for subject in KINDS[kind].subjects(book)]


# A missed topic comes back after a few other questions, until it was right twice in a row; the others come
# at random. Misses never take more than every second question as long as there is anything else to ask, so
# that whoever misses everything still sees everything. Time is counted in questions, not days: a dealer in
# training sits down when there is time.


SCORE_TYPE = "punto-drill"
SCORE_VERSION = 1
RETURN_GAP = 3  # Questions between a miss and its return; each right answer doubles the gap.
RECOVERED_AFTER = 2  # Right answers in a row after which a missed topic is like any other.
QuestionCount = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
"""A number of questions; nobody answers more, so a file with more is damaged."""


class TopicScore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one topic went so far."""

    asked: QuestionCount = 0
    right: QuestionCount = 0
    seconds: float = 0.0
    running: QuestionCount = 0  # Right answers since the last miss.
    due: QuestionCount | None = None
    """The number of the question from which it is due; None if it is not to come again."""


class PastSitting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one sitting went."""

    day: str
    asked: QuestionCount
    right: QuestionCount
    seconds: float
    topics: dict[str, tuple[int, int]] = {}  # Asked and right, by topic …
    clauses: dict[str, tuple[int, int]] = {}  # … and by book and clause.


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=SCORE_TYPE):
    """Everything that is remembered."""

    version: int = SCORE_VERSION
    asked: QuestionCount = 0
    topics: dict[str, TopicScore] = {}
    sittings: tuple[PastSitting, ...] = ()
    digests: dict[str, str] = {}  # Digests of the books that were asked about, by name, as they were then.

    def changed(self, digests: dict[str, str]) -> tuple[str, ...]:
        """The books, of those with these digests now, that said something else when last asked about."""
        return tuple(name for name, digest in digests.items() if self.digests.get(name, digest) != digest)

    def about(self, digests: dict[str, str]) -> Score:
        """The score of a sitting about books with these digests."""
        return replace_struct(self, digests=self.digests | digests)

    def marked(self, topic: str, *, is_right: bool, seconds: float) -> Score:
        """The score after an answer."""
        old, number = self.topics.get(topic, TopicScore()), self.asked + 1
        running = old.running + 1 if is_right else 0
        due: int | None = old.due
        if not is_right:
            due = number + RETURN_GAP + 1
        elif old.due is not None:
            due = None if running >= RECOVERED_AFTER else number + RETURN_GAP * 2**running + 1
        new = TopicScore(old.asked + 1, old.right + is_right, old.seconds + seconds, running, due)
        return replace_struct(self, asked=number, topics=self.topics | {topic: new})

    def missed(self) -> tuple[str, ...]:
        """Topics that were missed and not made good, the longest due first."""
        open_topics = [(score.due, topic) for topic, score in self.topics.items() if score.due is not None]
        return tuple(topic for _, topic in sorted(open_topics))

    def due(self) -> tuple[str, ...]:
        """Those of them that are to be asked now."""
        return tuple(t for t in self.missed() if (self.topics[t].due or 0) <= self.asked + 1)

    def ended(self, sitting: PastSitting) -> Score:
        """The score after a sitting; a sitting without an answer leaves no trace."""
        return replace_struct(self, sittings=(*self.sittings, sitting)) if sitting.asked else self


# Questions are shown by somebody else, a terminal or a script; a sitting only chooses and counts.


SKIP = "skip"  # The answer of somebody who passes; it counts as wrong.


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    """An answer, marked."""

    question: Question
    given: str
    is_right: bool
    seconds: float
    came_again: bool = False  # Whether its topic had been missed, and not made good since.


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
        topic_score = self.score.topics.get(str(question.topic))
        came_again = topic_score is not None and topic_score.due is not None
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
            _add_to_tally(topics, str(question.topic), is_right=one.is_right)
            if question.clause:
                _add_to_tally(clauses, f"{question.topic.book}/{question.clause}", is_right=one.is_right)
        return self.score.ended(PastSitting(day, totals.asked, totals.right, totals.seconds, topics, clauses))

    def to_come(self) -> tuple[str, ...]:
        """What was missed in these books, now or in an earlier sitting, and not made good since, in words."""
        topics = self.topics()
        missed = [topics[name] for name in self.score.missed() if name in topics]
        has_several = len(self.books) > 1
        return tuple(f"{topic.kind}: {topic.words}{f' ({topic.book})' if has_several else ''}" for topic in missed)

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


def _add_to_tally(tallies: dict[str, tuple[int, int]], name: str, *, is_right: bool) -> None:
    asked, right = tallies.get(name, (0, 0))
    tallies[name] = (asked + 1, right + is_right)


# A topic is mastered when its last answers were right twice in a row or more; what was missed and not made
# good since is to come again. The page is shown as text, HTML or any other form that pages have.


SHOWN_SITTINGS = 6  # Sittings that stand side by side: the latest ones.
LONGEST_SENSE = 90
MOST_MISSED = 30  # Topics that are listed for a class.

Tally = tuple[int, int]  # Asked and right.


def mastery_page(score: Score, books: Mapping[str, Book]) -> Page:
    """The report of a kept score."""
    topics = _topics_of_books(score, books)
    asked, right = sum(one.asked for one in topics.values()), sum(one.right for one in topics.values())
    mastered = sum(topic_state(one) == "mastered" for one in topics.values())
    lead = (
        (
            f"{right} of {asked} answers were right. Of {len(topics)} topics that were asked, {mastered} are "
            f"mastered and {sum(one.due is not None for one in topics.values())} are to come again."
        )
        if topics
        else "Nothing has been asked yet: punto drill begins."
    )
    sections = [Section("Sittings", (_sittings_grid(score),))] if score.sittings else []
    for kind, spec in KINDS.items():
        names = sorted(name for name in topics if name.split("/")[1] == kind)
        if names:
            grid = _topics_grid(names, topics, score.sittings)
            sections.append(Section(f"{spec.what[:1].upper()}{spec.what[1:]}", (grid,)))
    clauses = _clauses_grid(score.sittings, books)
    if clauses is not None:
        sections.append(Section("By clause", (clauses,)))
    return Page("Mastery report", tuple(sections), lead=(lead,))


def class_page(scores: Mapping[str, Score], books: Mapping[str, Book]) -> Page:
    """Several scores side by side, for whoever trains these people: who stands where, and what all miss."""
    topics_by_name = {name: _topics_of_books(score, books) for name, score in scores.items()}
    people = tuple(
        (
            name,
            str(len(scores[name].sittings)),
            str(sum(one.asked for one in topics.values())),
            str(sum(one.right for one in topics.values())),
            _share_of(topics.values()),
            str(sum(topic_state(one) == "mastered" for one in topics.values())),
            str(sum(one.due is not None for one in topics.values())),
        )
        for name, topics in topics_by_name.items()
    )
    heads = ("score", "sittings", "asked", "right", "share", "mastered", "to come again")
    kinds = [
        kind for kind in KINDS if any(_kind_of(name) == kind for topics in topics_by_name.values() for name in topics)
    ]
    by_kind = tuple(
        (name, *(_share_of(one for topic, one in topics.items() if _kind_of(topic) == kind) for kind in kinds))
        for name, topics in topics_by_name.items()
    )
    sections = [
        Section("Scores", (Grid(heads, people, right=range(1, len(heads))),)),
        Section("Right, by kind", (Grid(("score", *kinds), by_kind, right=range(1, len(kinds) + 1)),)),
    ]
    if missed := _missed_by_several(topics_by_name):
        grid = Grid(("topic", "to come again for", "share right"), missed, right=(1, 2), grows=0)
        sections.append(Section("What comes again for most", (grid,)))
    asked = sum(one.asked for topics in topics_by_name.values() for one in topics.values())
    return Page("Mastery report", tuple(sections), lead=(f"{len(topics_by_name)} scores, {asked} answers.",))


def _topics_of_books(score: Score, books: Mapping[str, Book]) -> dict[str, TopicScore]:
    return {name: topic for name, topic in score.topics.items() if _book_of(name) in books}


def _missed_by_several(topics_by_name: Mapping[str, Mapping[str, TopicScore]]) -> tuple[tuple[str, ...], ...]:
    """Topics that come again, those first that come again for most people; of these the hardest first."""
    rows = []
    for name in dict.fromkeys(topic for topics in topics_by_name.values() for topic in topics):
        scores = [topics[name] for topics in topics_by_name.values() if name in topics]
        if due := sum(one.due is not None for one in scores):
            right = sum(one.right for one in scores) / max(sum(one.asked for one in scores), 1)
            topic = Topic(*name.split("/", 2))
            rows.append(
                (-due, right, (f"{topic.kind}: {topic.words} ({topic.book})", f"{due} of {len(topics_by_name)}"))
            )
    return tuple((*cells, f"{right:.0%}") for _, right, cells in sorted(rows)[:MOST_MISSED])


def _kind_of(name: str) -> str:
    return name.split("/")[1]


def _share_of(topics: Iterable[TopicScore]) -> str:
    listed = list(topics)
    return _share(sum(one.asked for one in listed), sum(one.right for one in listed))


def topic_state(topic: TopicScore) -> str:
    """How a topic stands: mastered, to come again, or begun."""
    if topic.due is not None:
        return "to come again"
    return "mastered" if topic.running >= RECOVERED_AFTER else "begun"


class TopicMastery(msgspec.Struct, frozen=True):
    """How one topic has gone."""

    asked: int
    right: int
    seconds: float
    state: str
    sittings: list[Tally | None]  # Asked and right in each of the last sittings; None where it did not come.


class ClauseMastery(msgspec.Struct, frozen=True):
    """How one clause has gone."""

    asked: int
    right: int


class Mastery(msgspec.Struct, frozen=True):
    """The same as a mastery report, for programs."""

    sittings: list[PastSitting]
    topics: dict[str, TopicMastery]
    clauses: dict[str, ClauseMastery]

    @classmethod
    def of(cls, score: Score, books: Mapping[str, Book]) -> Mastery:
        """What a score says about these books."""
        return cls(
            [replace_struct(past, topics={}, clauses={}) for past in score.sittings],
            {
                name: TopicMastery(
                    *(topic.asked, topic.right, round(topic.seconds, 3), topic_state(topic)),
                    _over_time(name, score.sittings),
                )
                for name, topic in _topics_of_books(score, books).items()
            },
            {
                name: ClauseMastery(*tally)
                for name, tally in _clause_tallies(score.sittings).items()
                if _book_of(name) in books
            },
        )


def _sittings_grid(score: Score) -> Grid:
    rows = tuple(
        (past.day, str(past.asked), str(past.right), _share(past.asked, past.right), _time_each(past))
        for past in score.sittings
    )
    heads = ("day", "asked", "right", "share", "time each")
    return Grid(heads, rows, right=(1, 2, 3, 4))


def _topics_grid(names: Iterable[str], topics: Mapping[str, TopicScore], sittings: tuple[PastSitting, ...]) -> Grid:
    rows, marks = list[tuple[str, ...]](), dict[int, Style]()
    for place, name in enumerate(names):
        topic_score = topics[name]
        topic = Topic(*name.split("/", 2))
        tallies = _over_time(name, sittings)
        over_time = " ".join("-" if tally is None else f"{tally[1]}/{tally[0]}" for tally in tallies)
        each = f"{topic_score.seconds / topic_score.asked:.1f} s"
        rows.append(
            (
                f"{topic.words} ({topic.book})",
                str(topic_score.asked),
                str(topic_score.right),
                each,
                topic_state(topic_score),
                over_time,
            )
        )
        if topic_score.due is not None:
            marks[place] = Style.BAD
    heads = ("topic", "asked", "right", "time each", "stands", "sitting by sitting")
    return Grid(heads, tuple(rows), right=(1, 2, 3), grows=0, marks=marks)


def _over_time(name: str, sittings: tuple[PastSitting, ...]) -> list[Tally | None]:
    return [past.topics.get(name) for past in sittings[-SHOWN_SITTINGS:]]


def _clauses_grid(sittings: tuple[PastSitting, ...], books: Mapping[str, Book]) -> Grid | None:
    rows = [
        (name.split("/", 1)[1], _book_of(name), str(asked), str(right), _short_sense(books[_book_of(name)], name))
        for name, (asked, right) in sorted(_clause_tallies(sittings).items())
        if _book_of(name) in books
    ]
    heads = ("clause", "book", "asked", "right", "its sense")
    return Grid(heads, tuple(rows), right=(2, 3), grows=4) if rows else None


def _short_sense(book: Book, name: str) -> str:
    sense = sense_of(book, name.split("/", 1)[1])
    return sense if len(sense) <= LONGEST_SENSE else f"{sense[:LONGEST_SENSE].rsplit(' ', 1)[0]} …"


def _clause_tallies(sittings: Iterable[PastSitting]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for past in sittings:
        for name, (asked, right) in past.clauses.items():
            before = tallies.get(name, (0, 0))
            tallies[name] = (before[0] + asked, before[1] + right)
    return tallies


def _book_of(name: str) -> str:
    return name.split("/", 1)[0]


def _share(asked: int, right: int) -> str:
    return f"{right / asked:.0%}" if asked else ""


def _time_each(past: PastSitting) -> str:
    return f"{past.seconds / past.asked:.1f} s" if past.asked else ""
