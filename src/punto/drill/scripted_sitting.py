"""The lines of a sitting with a script: questions, marks and the summary. docs/guides/drill.md describes the
fields.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from punto.cards.card import Card
from punto.drill.quiz import Question, WordAnswer, sense_of
from punto.drill.training import KINDS, AnswerTotals, MarkedAnswer, Score, Sitting
from punto.money import format_amount
from punto.rules.book import Book


class DrillQuestion(msgspec.Struct, frozen=True, kw_only=True, tag="question"):
    """A question, without what would give its answer away."""

    number: int
    book: str
    kind: str
    subject: str
    text: str
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    bets: dict[str, str]
    answer_with: str
    choices: tuple[str, ...] | UnsetType = UNSET
    phrases: tuple[str, ...] | UnsetType = UNSET
    seed: int
    questions: int
    what: str

    @classmethod
    def of(cls, number: int, question: Question, *, seed: int, questions: int) -> DrillQuestion:
        topic, form = question.topic, question.form
        words, phrases = (form.words, form.phrases) if isinstance(form, WordAnswer) else (UNSET, ())
        return cls(
            number=number,
            book=topic.book,
            kind=topic.kind,
            subject=topic.subject,
            text=question.text,
            player=question.player,
            banker=question.banker,
            bets={area: format_amount(stake) for area, stake in question.stakes},
            answer_with=form.hint,
            choices=words,
            phrases=phrases or UNSET,
            seed=seed,
            questions=questions,
            what=KINDS[topic.kind].what,
        )


class AskedAgain(msgspec.Struct, frozen=True, tag="again"):
    """An answer that cannot be read, and why: another one is waited for."""

    number: int
    problem: str


class AnswerMark(msgspec.Struct, frozen=True, kw_only=True, tag="mark"):
    number: int
    given: str
    right: bool
    answer: str
    why: str
    clause: str | None
    seconds: float
    shown: str  # The right answer for people.
    sense: str
    house_term: bool
    within_target: bool | UnsetType = UNSET

    @classmethod
    def of(cls, number: int, answer: MarkedAnswer, book: Book, target: float | None = None) -> AnswerMark:
        question = answer.question
        return cls(
            number=number,
            given=answer.typed,
            right=answer.is_right,
            answer=question.answer,
            why=question.why,
            clause=question.clause,
            seconds=round(answer.seconds, 3),
            shown=question.right,
            sense=sense_of(book, question.clause),
            house_term=question.clause is None,
            within_target=UNSET if target is None else answer.seconds <= target,
        )


class AllSittings(msgspec.Struct, frozen=True):
    number: int
    asked: int
    right: int


class SittingSummary(msgspec.Struct, frozen=True, kw_only=True, tag="summary"):
    """The sitting as a whole, and all sittings together."""

    asked: int
    right: int
    seconds: float
    kinds: dict[str, AnswerTotals]
    missed: tuple[str, ...]
    to_come: tuple[str, ...]
    sittings: AllSittings
    target: float | UnsetType = UNSET
    within_target: int | UnsetType = UNSET
    seed: int

    @classmethod
    def of(cls, sitting: Sitting, final: Score, target: float | None, seed: int) -> SittingSummary:
        past, topics, totals = final.sittings, sitting.topics(), sitting.totals
        return cls(
            asked=totals.asked,
            right=totals.right,
            seconds=totals.seconds,
            kinds=dict(sitting.totals_by_kind()),
            missed=tuple(sitting.missed()),
            to_come=tuple(name for name in sitting.score.missed() if name in topics),
            sittings=AllSittings(len(past), sum(one.asked for one in past), sum(one.right for one in past)),
            target=UNSET if target is None else target,
            within_target=UNSET if target is None else sitting.within(target),
            seed=seed,
        )
