"""The finding against a second reading of reading.md, on random tables of every book."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from punto import books
from punto.cards.source import SourceKind
from punto.table import Refusal
from punto.table.irregularity_case import OrderKnown, Seen
from punto.table.irregularity_events import ClauseFound, JudgeReconstruction, OptionsGiven, Report, RoundVoided
from tests.table import second_reading as reading
from tests.table.random_tables import Situation, hands_of, random_situation
from tests.table.scenes import SUPERVISOR, made

TABLES = 400
"""Random tables of each book; the seed of one that differs is in its message."""

UNUSABLE = ("card-not-there", "card-needed", "no-such-card")
"""Evidence that no table can show: five of a card, a face that nobody names."""


def reported(situation: Situation) -> Any:
    """What the program answers to the whole evidence in one report of a supervisor."""
    return situation.scene.give(
        made(
            Report,
            SUPERVISOR,
            cards=situation.sightings,
            seen=tuple(map(Seen, situation.facts)),
            order=OrderKnown.SEEN if situation.order_seen else None,
        )
    )


def found_in(answer: Any) -> tuple[str, str | None]:
    """The last clause that was found."""
    clauses = [event for event in answer if isinstance(event, ClauseFound)]
    return clauses[-1].finding.value, clauses[-1].clause


@pytest.mark.slow
@pytest.mark.parametrize("book", books.NAMES)
def test_the_finding_is_that_of_the_second_reading(book: str) -> None:
    compared = 0
    came: tuple[str, str | None] | None
    for seed in range(TABLES):
        situation = random_situation(book, Random(f"{book} {seed}"))
        answer = reported(situation)
        expected = reading.verdict(book, situation.described)
        is_own = situation.scene.table.terms.source is not SourceKind.ENTERED
        if is_own and "cards-run-out" in situation.facts:
            expected = None  # the table's own shoe has cards left
        if isinstance(answer, Refusal):
            if answer.reason.value in UNUSABLE:
                continue
            assert answer.reason.value == "nothing-wrong", (book, seed, answer)
            came = None
        else:
            came = found_in(answer)
        compared += 1
        assert came == expected, (book, seed, situation.sightings, situation.described)
    assert compared > TABLES * 0.8


JUDGED = ("wrong-side", "excess", "exposed", "face-up", "dealing-error", "record-slip")
"""Findings of the insurance book that may wait for the House's word."""


@pytest.mark.slow
@pytest.mark.parametrize("possible", [True, False], ids=["possible", "impossible"])
def test_what_the_houses_word_brings_is_that_of_the_second_reading(possible: bool) -> None:
    """Hands put right or as they lie, a void by 5.5.3, and to whom 5.12 gives its options."""
    judged = 0
    for seed in range(3 * TABLES):
        situation = random_situation("insurance", Random(f"judged {seed}"))
        answer = reported(situation)
        scene, table = situation.scene, situation.described
        if isinstance(answer, Refusal) or scene.state.case is None:
            continue
        where = (seed, situation.sightings, table)
        found = scene.state.case.found
        assert found is not None
        if found.awaits.value != "judgement" or found.finding.value not in JUDGED:
            continue
        judged += 1
        put_right = reading.hands_put_right(table)
        answer = scene.give(made(JudgeReconstruction, SUPERVISOR, possible=possible))
        if possible and put_right is None:
            assert isinstance(answer, Refusal) and answer.reason.value == "cannot-reconstruct", where
            continue
        if found.finding.value == "record-slip" and not possible:
            assert isinstance(answer, Refusal) and answer.reason.value == "no-case", where
            continue
        assert not isinstance(answer, Refusal), where
        verdict = reading.verdict("insurance", table, house_says_no=not possible)
        assert verdict is not None
        if verdict[0] == "wrong-number":
            assert [event.clause for event in answer if isinstance(event, RoundVoided)] == ["5.5.3"], where
            continue
        assert verdict == (found.finding.value, found.clause), where
        hands = put_right if possible else reading.hands_as_they_lie(table)
        assert hands is not None
        assert hands_of(scene) == hands[:2], where
        if possible:
            over = [str(slot.card) if slot.face_up else "??" for slot in scene.state.carried]
            assert over == hands[2], where
        given = [event.players for event in answer if isinstance(event, OptionsGiven)]
        expected = reading.has_options(verdict[0], hands, put_right=possible)
        assert given == ([scene.state.bettors] if expected else []), where
    assert judged > TABLES / 2


def test_what_needs_no_word_is_played_on_at_once() -> None:
    """Nothing is to be put right: the hands are as the cards lie, and options as the clause gives them."""
    played = 0
    for seed in range(3 * TABLES):
        situation = random_situation("insurance", Random(f"played {seed}"))
        answer = reported(situation)
        scene, table = situation.scene, situation.described
        if isinstance(answer, Refusal):
            continue
        first = next(event for event in answer if isinstance(event, ClauseFound))
        if first.awaits.value != "options" or first.finding.value not in JUDGED:
            continue
        played += 1
        where = (seed, situation.sightings, table)
        hands = reading.hands_put_right(table)
        assert hands is not None and hands_of(scene) == hands[:2] == reading.hands_as_they_lie(table), where
        given = [event.players for event in answer if isinstance(event, OptionsGiven)]
        expected = reading.has_options(first.finding.value, hands, put_right=False)
        assert given == ([scene.state.bettors] if expected else []), where
    assert played > TABLES / 20
