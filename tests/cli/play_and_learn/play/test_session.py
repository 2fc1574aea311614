from __future__ import annotations

import msgspec
import pytest

from punto.books import NAMES, load
from punto.cli.play_and_learn.play.purse import balance
from punto.cli.play_and_learn.play.session import PLAYER, Session
from punto.cli.play_and_learn.play.statement import statement_of
from punto.cli.rounds import deal_shoe
from punto.rules.role import Role
from punto.table import Phase, Refusal, default_terms
from punto.table import command as c
from punto.table import event as e


def seated(book: str, seed: str = "3") -> Session:
    session = Session(load(book), seed)
    assert session.open(default_terms(session.book), 2) is None
    return session


def bet(session: Session, area: str, amount: int) -> c.PlaceBet:
    return c.PlaceBet(actor=PLAYER, role=Role.PLAYER, box=session.box, area=area, amount=amount)


def play_round(session: Session, *bets: tuple[str, int]) -> list[e.Event]:
    """A round in which every ante is given up and no insurance is taken."""
    events = list(session.call_bets())
    placed = session.give(*(bet(session, area, amount) for area, amount in bets))
    closed = session.close_bets()
    assert not isinstance(placed, Refusal)
    assert not isinstance(closed, Refusal)
    events += [*placed, *closed]
    passing = False
    while session.state.phase is not Phase.IDLE:
        events += session.run(passing=passing)
        give_up = [command for command, _ in session.decisions() if isinstance(command, c.GiveUpAnte)]
        for command in give_up:
            given = session.give(command)
            assert not isinstance(given, Refusal)
            events += given
        passing = not give_up
    return events


@pytest.mark.parametrize("book", NAMES)
def test_the_first_shoe_is_that_of_punto_deal(book: str) -> None:
    session = seated(book, "11")
    coups = list(deal_shoe(8, 11).rounds(session.book.play))
    for coup in coups:
        events = play_round(session, ("banker", 1000))
        cards = tuple(event.card for event in events if isinstance(event, e.CardDealt))
        assert cards == coup.cards
    assert session.state.shoe_number == 1
    play_round(session)
    assert session.state.shoe_number == 2


def test_a_second_shoe_has_an_order_of_its_own() -> None:
    session = seated("ez")
    while session.state.shoe_number < 3:
        play_round(session)
    shown = [event.shown for event in session.events if isinstance(event, e.CardsBurned)]
    assert len(shown) == 3
    assert len(set(shown)) > 1


def test_commands_all_happen_or_none() -> None:
    session = seated("ez")
    session.call_bets()
    before = session.table
    refused = session.give(bet(session, "banker", 1000), bet(session, "tie", 999))
    assert isinstance(refused, Refusal)
    assert session.table is before
    assert session.state.bets == ()


def test_replaying_the_commands_is_the_same_game() -> None:
    session = seated("knockout", "5")
    for _ in range(3):
        play_round(session, ("banker", 10_000), ("ante-player", 5_000))
    again = Session(load("knockout"), "5")
    assert again.replay(list(session.commands)) is None
    assert msgspec.json.encode(again.events) == msgspec.json.encode(session.events)
    assert again.table == session.table
    assert again.last_bets == session.last_bets == {"banker": 10_000, "ante-player": 5_000}


def test_the_purse_and_the_statement_agree_with_the_settlement() -> None:
    session = seated("ez", "8")
    net = 0
    for _ in range(20):
        for event in play_round(session, ("banker", 10_000), ("dragon-7", 1_000)):
            if isinstance(event, e.RoundSettled):
                net += sum(line.net for line in event.bets)
    assert balance(500_000, session.events) == 500_000 + net
    statement = statement_of(500_000, session.events)
    assert (statement.net, statement.in_hand, statement.on_layout) == (net, 500_000 + net, 0)
    assert (statement.rounds, statement.shoes) == (20, 1)
    assert {area: (row.bets, row.staked) for area, row in statement.rows.items()} == {
        "banker": (20, 200_000),
        "dragon-7": (20, 20_000),
    }
    session.call_bets()
    session.give(bet(session, "tie", 2_500))
    assert balance(500_000, session.events) == 500_000 + net - 2_500
    assert statement_of(500_000, session.events).on_layout == 2_500


def test_only_what_the_table_allows_is_offered() -> None:
    session = seated("knockout")
    session.call_bets()
    assert "winning-total-7" not in session.bets()
    session.give(bet(session, "banker", 1000))
    assert "winning-total-7" in session.bets()
    assert "wager-player" not in session.bets()
    assert session.bets()["banker"].most == 999_000
