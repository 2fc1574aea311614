"""A dealer's training: the syllabus, a sitting, the score that is kept between sittings, and how much is
mastered.

A missed topic comes back after a few other questions, until it was right twice in a row; the others come
at random. Misses never take more than every second question as long as there is anything else to ask, so
that whoever misses everything still sees everything. Time is counted in questions, not days: a dealer in
training sits down when there is time. Questions are shown by somebody else, a terminal or a script; a
sitting only chooses and counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

import msgspec
from msgspec.structs import replace as replace_struct

from punto.documents.page import Grid, Page, Section, Style
from punto.drill.irregularity_questions import IRREGULARITY_KINDS
from punto.drill.quiz import Chance, Question, QuestionKind, Topic, sense_of
from punto.drill.round_questions import ROUND_KINDS
from punto.rules.book import Book

KINDS: dict[str, QuestionKind] = {kind.name: kind for kind in (*ROUND_KINDS, *IRREGULARITY_KINDS)}


def topics_of(book: Book, kinds: tuple[str, ...]) -> list[Topic]:
    return [Topic(book.name, kind, subject) for kind in kinds for subject in KINDS[kind].subjects(book)]


SCORE_TYPE = "punto-drill"
SCORE_VERSION = 1
RETURN_GAP = 3  # Questions between a miss and its return; each right answer doubles the gap.
RECOVERED_AFTER = 2  # Right answers in a row after which a missed topic is like any other.
QuestionCount = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
"""A number of questions; nobody answers more, so a file with more is damaged."""
Tally = tuple[int, int]  # Asked and right.


class TopicScore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    asked: QuestionCount = 0
    right: QuestionCount = 0
    seconds: float = 0.0
    running: QuestionCount = 0  # Right answers since the last miss.
    due: QuestionCount | None = None
    """The number of the question from which it is due; None if it is not to come again."""


class PastSitting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    day: str
    asked: QuestionCount
    right: QuestionCount
    seconds: float
    topics: dict[str, Tally] = {}
    clauses: dict[str, Tally] = {}  # By book and clause.


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
        return tuple(
            topic for _, topic in sorted((one.due, name) for name, one in self.topics.items() if one.due is not None)
        )

    def due(self) -> tuple[str, ...]:
        """Those of them that are to be asked now."""
        return tuple(t for t in self.missed() if (self.topics[t].due or 0) <= self.asked + 1)

    def ended(self, sitting: PastSitting) -> Score:
        """The score after a sitting; a sitting without an answer leaves no trace."""
        return replace_struct(self, sittings=(*self.sittings, sitting)) if sitting.asked else self


SKIP = "skip"  # The answer of somebody who passes; it counts as wrong.


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    question: Question
    typed: str
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
        topic = next((topics[name] for name in self.score.due() if name in topics), None)
        if topic is None or (others and self.answers and self.answers[-1].came_again):
            topic = self._random_topic(others or tuple(topics.values()), chance)
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

    def marked(self, question: Question, typed: str, seconds: float) -> Sitting:
        """The sitting after an answer, which stands last in it; an empty answer is wrong."""
        is_right, topic = bool(typed) and question.is_right(typed), str(question.topic)
        came_again = self.score.topics.get(topic, TopicScore()).due is not None
        answer = MarkedAnswer(question, typed, is_right, seconds, came_again)
        score = self.score.marked(topic, is_right=is_right, seconds=seconds)
        return replace(self, score=score, answers=(*self.answers, answer))

    def final_score(self, day: str) -> Score:
        totals, marks = self.totals, [(one.question, (1, int(one.is_right))) for one in self.answers]
        topics = _summed((str(one.topic), mark) for one, mark in marks)
        clauses = _summed((f"{one.topic.book}/{one.clause}", mark) for one, mark in marks if one.clause)
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
        by_kind = {kind: [one for one in self.answers if one.question.topic.kind == kind] for kind in self.kinds}
        return {kind: AnswerTotals.of(answers) for kind, answers in by_kind.items() if answers}


def _summed(tallies: Iterable[tuple[str, Tally]]) -> dict[str, Tally]:
    sums: dict[str, Tally] = {}
    for name, (asked, right) in tallies:
        before = sums.get(name, (0, 0))
        sums[name] = (before[0] + asked, before[1] + right)
    return sums


SHOWN_SITTINGS = 6  # Sittings that stand side by side: the latest ones.
LONGEST_SENSE = 90
MOST_MISSED = 30  # Topics that are listed for a class.


def mastery_page(score: Score, books: Mapping[str, Book]) -> Page:
    topics = _topics_of_books(score, books)
    lead = "Nothing has been asked yet: punto drill begins."
    if topics:
        asked, right, mastered, due = _standing(topics.values())
        lead = (
            f"{right} of {asked} answers were right. Of {len(topics)} topics that were asked, {mastered} are "
            f"mastered and {due} will come again."
        )
    sections = []
    if score.sittings:
        rows = tuple(
            (past.day, str(past.asked), str(past.right), _share(past.asked, past.right), _time_each(past))
            for past in score.sittings
        )
        grid = Grid(("day", "asked", "right", "share", "time each"), rows, right=(1, 2, 3, 4))
        sections.append(Section("Sittings", (grid,)))
    for kind, spec in KINDS.items():
        if of_kind := {topic: topics[topic] for topic in sorted(topics, key=str) if topic.kind == kind}:
            grid = _topics_grid(of_kind, score.sittings)
            sections.append(Section(f"{spec.what[:1].upper()}{spec.what[1:]}", (grid,)))
    tallies = sorted(_clause_tallies(score.sittings, books).items(), key=lambda item: "/".join(item[0]))
    if rows := tuple(
        (clause, book, str(asked), str(right), _short_sense(books[book], clause))
        for (book, clause), (asked, right) in tallies
    ):
        grid = Grid(("clause", "book", "asked", "right", "its sense"), rows, right=(2, 3), grows=4)
        sections.append(Section("By clause", (grid,)))
    return Page("Mastery report", tuple(sections), lead=(lead,))


def class_page(scores: Mapping[str, Score], books: Mapping[str, Book]) -> Page:
    """Several scores side by side, for whoever trains these people: who stands where, and what all miss."""
    topics_by_name = {name: _topics_of_books(score, books) for name, score in scores.items()}
    people, answers = list[tuple[str, ...]](), 0
    for name, topics in topics_by_name.items():
        asked, right, mastered, due = _standing(topics.values())
        sittings, share = len(scores[name].sittings), _share(asked, right)
        people.append((name, str(sittings), str(asked), str(right), share, str(mastered), str(due)))
        answers += asked
    heads = ("score", "sittings", "asked", "right", "share", "mastered", "to come again")
    kinds = [
        kind for kind in KINDS if any(topic.kind == kind for topics in topics_by_name.values() for topic in topics)
    ]
    by_kind = tuple(
        (name, *(_share(*_standing(one for topic, one in topics.items() if topic.kind == kind)[:2]) for kind in kinds))
        for name, topics in topics_by_name.items()
    )
    sections = [
        Section("Scores", (Grid(heads, tuple(people), right=range(1, len(heads))),)),
        Section("Right, by kind", (Grid(("score", *kinds), by_kind, right=range(1, len(kinds) + 1)),)),
    ]
    if missed := _missed_by_several(topics_by_name):
        grid = Grid(("topic", "to come again for", "share right"), missed, right=(1, 2), grows=0)
        sections.append(Section("What comes again for most", (grid,)))
    return Page("Mastery report", tuple(sections), lead=(f"{len(scores)} scores, {answers} answers.",))


def _topics_of_books(score: Score, books: Mapping[str, Book]) -> dict[Topic, TopicScore]:
    """What a score has of these books; a name that was cut short in the file is not a topic."""
    parts = {tuple(name.split("/", 2)): one for name, one in score.topics.items()}
    return {Topic(*topic): one for topic, one in parts.items() if len(topic) == 3 and topic[0] in books}


def _standing(topics: Iterable[TopicScore]) -> tuple[int, int, int, int]:
    """How many questions were asked and answered right, how many topics are mastered and how many come again."""
    listed = list(topics)
    asked, right = sum(one.asked for one in listed), sum(one.right for one in listed)
    states = [topic_state(one) for one in listed]
    return asked, right, states.count("mastered"), states.count("to come again")


def _missed_by_several(topics_by_name: Mapping[str, Mapping[Topic, TopicScore]]) -> tuple[tuple[str, ...], ...]:
    """Topics that come again, those first that come again for most people; of these the hardest first."""
    rows = []
    for topic in dict.fromkeys(topic for topics in topics_by_name.values() for topic in topics):
        asked, right, _, due = _standing(topics[topic] for topics in topics_by_name.values() if topic in topics)
        if due:
            cells = f"{topic.kind}: {topic.words} ({topic.book})", f"{due} of {len(topics_by_name)}"
            rows.append((-due, right / max(asked, 1), cells))
    return tuple((*cells, f"{right:.0%}") for _, right, cells in sorted(rows)[:MOST_MISSED])


def topic_state(topic: TopicScore) -> str:
    """Mastered (right twice in a row at the end), to come again (missed, and not made good since), or begun."""
    if topic.due is not None:
        return "to come again"
    return "mastered" if topic.running >= RECOVERED_AFTER else "begun"


class TopicMastery(msgspec.Struct, frozen=True):
    asked: int
    right: int
    seconds: float
    state: str
    sittings: list[Tally | None]  # Asked and right in each of the last sittings; None where it did not come.


class ClauseMastery(msgspec.Struct, frozen=True):
    asked: int
    right: int


class Mastery(msgspec.Struct, frozen=True):
    """A mastery report for programs: the sittings, and how far each topic and clause is known."""

    sittings: list[PastSitting]
    topics: dict[str, TopicMastery]
    clauses: dict[str, ClauseMastery]

    @classmethod
    def of(cls, score: Score, books: Mapping[str, Book]) -> Mastery:
        topics = {}
        for topic, one in _topics_of_books(score, books).items():
            state, over_time = topic_state(one), _over_time(topic, score.sittings)
            topics[str(topic)] = TopicMastery(one.asked, one.right, round(one.seconds, 3), state, over_time)
        clauses = {
            "/".join(key): ClauseMastery(*tally) for key, tally in _clause_tallies(score.sittings, books).items()
        }
        return cls([replace_struct(past, topics={}, clauses={}) for past in score.sittings], topics, clauses)


def _topics_grid(topics: Mapping[Topic, TopicScore], sittings: tuple[PastSitting, ...]) -> Grid:
    rows, marks = list[tuple[str, ...]](), dict[int, Style]()
    for place, (topic, one) in enumerate(topics.items()):
        tallies = _over_time(topic, sittings)
        over_time = " ".join("-" if tally is None else f"{tally[1]}/{tally[0]}" for tally in tallies)
        name, counts = f"{topic.words} ({topic.book})", (str(one.asked), str(one.right))
        rows.append((name, *counts, f"{one.seconds / one.asked:.1f} s", topic_state(one), over_time))
        if one.due is not None:
            marks[place] = Style.BAD
    heads = ("topic", "asked", "right", "time each", "stands", "sitting by sitting")
    return Grid(heads, tuple(rows), right=(1, 2, 3), grows=0, marks=marks)


def _over_time(topic: Topic, sittings: tuple[PastSitting, ...]) -> list[Tally | None]:
    return [past.topics.get(str(topic)) for past in sittings[-SHOWN_SITTINGS:]]


def _short_sense(book: Book, clause: str) -> str:
    sense = sense_of(book, clause)
    return sense if len(sense) <= LONGEST_SENSE else f"{sense[:LONGEST_SENSE].rsplit(' ', 1)[0]} …"


def _clause_tallies(sittings: Iterable[PastSitting], books: Mapping[str, Book]) -> dict[tuple[str, str], Tally]:
    """Of each clause that these books have been asked about, by book and number."""
    sums = _summed(item for past in sittings for item in past.clauses.items())
    named = ((name.partition("/"), tally) for name, tally in sums.items())
    return {(book, clause): tally for (book, _, clause), tally in named if book in books}


def _share(asked: int, right: int) -> str:
    return f"{right / asked:.0%}" if asked else ""


def _time_each(past: PastSitting) -> str:
    return f"{past.seconds / past.asked:.1f} s" if past.asked else ""
