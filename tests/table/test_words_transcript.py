from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.books import NAMES, load
from punto.cards.card import Card
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import label_of
from punto.rules.outcome import Hand
from punto.table.acting import evolve
from punto.table.dealing import CardDealt
from punto.table.event import Event, tell
from punto.table.header import EventHeader
from punto.table.notation import parse_session, play_session
from punto.table.state import Slot, State
from punto.table.words import Sentence, Theme

EVENTS: tuple[type[EventHeader], ...] = Event.__args__
PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*/*.punto"))


def told(text: str) -> list[Sentence]:
    """Everything that a session tells."""
    lines = []
    for step in play_session(parse_session(text), load):
        state = step.before.state
        assert not isinstance(step.outcome, Refusal)
        for event in step.outcome:
            state = evolve(state, event)
            lines += tell(step.before.book, state, event)
    return lines


OPENING = """\
Pia as pit-supervisor: open insurance bean-9 differential=5000 burn=none
Ann as dealer: load the shoe
Lee: sit 3
Ann as dealer: place your bets
Lee: bet 3 banker 100
Ann as dealer: no more bets
"""


def test_a_round_is_told_in_the_words_of_the_book() -> None:
    lines = told(OPENING + "KS 3H 4D 3C\nLee: insure 3 banker 33\n5H\nAnn as dealer: settle\n")
    assert [line.text for line in lines] == [
        "Non-Commission Baccarat with Insurance and Super Six Plus",
        "the table is open",
        "bean-9, 9 boxes, 8 decks, face up",
        "bets from 10, differential 5,000, chip 1 USD",
        "shoe 1 is in play, 8 decks",
        "Lee sits down at box 3",
        "Round 1",
        "Place your Bets, please",
        "Lee, Banker, box 3: 100",
        "No more Bets",
        "Player  K♠  0",
        "Banker  3♥  3",
        "Player  K♠ 4♦  4",
        "Banker  3♥ 3♣  6",
        "insurance: Banker 3:1",
        "  Lee, Banker, box 3: 3:1, at most 33",
        "Lee insures Banker, box 3: 33 at 3:1",
        "Player draws  K♠ 4♦ 5♥  9",
        "Player wins: Player 9, Banker 6",
        "round 1 is settled",
    ]
    assert [line.text for line in lines if line.about is Theme.CALL] == ["Place your Bets, please", "No more Bets"]
    assert [line.text for line in lines if line.about is Theme.RESULT][1:] == ["Player wins: Player 9, Banker 6"]


def test_what_is_declared_is_called_out() -> None:
    ez = """\
Pia as pit-supervisor: open ez house burn=none
Ann as dealer: load the shoe
Ann as dealer: place your bets
KS KH 2D 3C 3H 4C
"""
    texts = [line.text for line in told(ez)]
    assert "bets are open" in texts
    assert "the first card closes the bets (1)" in texts
    assert texts[-1] == "Banker wins, Dragon 7: Player 5, Banker 7"
    tie = OPENING + "4S 6H 2D KC\n"
    assert told(tie)[-1].text == "Tie: Player 6, Banker 6"


def test_what_goes_wrong_names_the_clause_and_who_said_it() -> None:
    texts = [
        line.text
        for line in told(
            OPENING
            + "KS\nAnn as dealer: report cards=KH:player note=fell\n"
            + "Pia as pit-supervisor: reconstruction possible yes\nLee: choose return\n"
        )
    ][-10:]
    assert texts == [
        "reported: K♥ with Player",
        "“fell”",
        "Cards were dealt to the wrong side (5.8)",
        "who says whether the cards can be put right: Pit Supervisor or above (house term; the document names nobody)",
        "Pia says that the cards can be put right (5.8)",
        "put right: Player K♠  0, Banker K♥  0 (5.8)",
        "Lee: continue with the reconstructed hand, or take all bets back? (5.8)",
        "Lee takes all bets back (5.8)",
        "back to Lee, Banker, box 3: 100",
        "the case is closed, chosen (5.8)",
    ]


def test_a_card_that_lies_face_down_is_not_named() -> None:
    hidden = CardDealt("Ann", Role.DEALER, 0, Hand.PLAYER, Card("KS"), False)
    state = State(player=(Slot(Card("9H"), face_up=True), Slot(Card("KS"), face_up=False)))
    assert tell(load("insurance"), state, hidden) == [Sentence(Theme.CARD, "Player  9♥ ▯")]


@pytest.mark.parametrize("name", NAMES)
def test_areas_have_the_names_of_the_layout(name: str) -> None:
    book = load(name)
    for area in book.areas:
        assert re.match(r"[A-Z]", label_of(book, area))
    assert label_of(book, "banker") == "Banker"


@pytest.mark.slow
def test_every_event_is_told_in_one_clean_line_or_several() -> None:
    seen: set[type[EventHeader]] = set()
    for path in PLAYTHROUGHS:
        for step in play_session(parse_session(path.read_text(encoding="utf-8")), load):
            state = step.before.state
            for event in () if isinstance(step.outcome, Refusal) else step.outcome:
                state = evolve(state, event)
                seen.add(type(event))
                for line in tell(step.before.book, state, event):
                    assert line.text.strip()
                    assert not re.search(r"[\n{}<>]|None|\(\)", line.text)
    assert seen == set(EVENTS)


def test_one_of_a_thing_is_told_as_one() -> None:
    lines = [
        line.text
        for line in told(
            "Pia as pit-supervisor: open commission bean-7 burn=1\nAnn as dealer: load the shoe\nAnn as dealer: burn\n"
        )
    ]
    assert "1 card is burned" in lines
    assert "shoe 1 is in play, 8 decks; cards are to be burned" in lines
