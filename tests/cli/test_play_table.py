from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from punto.books import NAMES, load
from punto.cards.source import seeded_bytes
from punto.cli.play_screen import statement_of
from punto.cli.play_table import PLAYER, SoloTable, TableStopped
from punto.dealer.dealer import deal_shoe
from punto.front_door import roads_of
from punto.ledger.results import purse_of
from punto.rules.authority import Authority, Role
from punto.table import Phase, Refusal, default_terms
from punto.table.antes import GiveUpAnte
from punto.table.betting import PlaceBet
from punto.table.dealing import CardDealt
from punto.table.event import Event
from punto.table.house import CardsBurned, PauseTable
from punto.table.settlement import RoundSettled

BANKROLL = 500_000_00


def seated(book: str, seed: str = "3") -> SoloTable:
    solo = SoloTable(load(book), seed, BANKROLL)
    assert solo.open(default_terms(solo.book), 2) is None
    return solo


def bet(solo: SoloTable, area: str, amount: int) -> PlaceBet:
    return PlaceBet(actor=PLAYER, role=Role.PLAYER, box=solo.box, area=area, amount=amount)


def play_round(solo: SoloTable, *bets: tuple[str, int]) -> list[Event]:
    """A round in which every ante is given up and no insurance is taken."""
    events = list(solo.go_on())
    placed = solo.give(*(bet(solo, area, amount) for area, amount in bets))
    assert not isinstance(placed, Refusal)
    events += placed
    while solo.state.phase is not Phase.IDLE:
        events += solo.go_on(is_ready=True)
        give_up = [command for command, _ in solo.decisions() if isinstance(command, GiveUpAnte)]
        for command in give_up:
            given = solo.give(command)
            assert not isinstance(given, Refusal)
            events += given
    return events


@pytest.mark.parametrize("book", NAMES)
def test_the_first_shoe_is_that_of_punto_deal(book: str) -> None:
    solo = seated(book, "11")
    coups = list(deal_shoe(8, seeded_bytes(11)).rounds(solo.book.play))
    for coup in coups:
        events = play_round(solo, ("banker", 1000))
        cards = tuple(event.card for event in events if isinstance(event, CardDealt))
        assert cards == coup.cards
    assert solo.state.shoe_number == 1
    assert str(solo.roads()) == str(roads_of(coups))
    play_round(solo)
    assert solo.state.shoe_number == 2
    assert len(solo.roads().bead) == 1


def test_a_second_shoe_has_an_order_of_its_own() -> None:
    solo = seated("ez")
    while solo.state.shoe_number < 3:
        play_round(solo)
    shown = [event.shown for event in solo.events if isinstance(event, CardsBurned)]
    assert len(shown) == 3
    assert len(set(shown)) > 1


def test_commands_all_happen_or_none() -> None:
    solo = seated("ez")
    solo.go_on()
    before = solo.table
    refused = solo.give(bet(solo, "banker", 1000), bet(solo, "tie", 999))
    assert isinstance(refused, Refusal)
    assert solo.table is before
    assert solo.state.bets == ()


def test_the_commands_and_the_seed_are_the_whole_game(tmp_path: Path) -> None:
    """A game that is kept only after some rounds is the same game in its file."""
    solo = seated("knockout", "5")
    for _ in range(3):
        play_round(solo, ("banker", 10_000), ("ante-player", 5_000))
    solo.keep_in(tmp_path / "g.db")
    again = SoloTable.resume(tmp_path / "g.db")
    assert msgspec.json.encode(again.events) == msgspec.json.encode(solo.events)
    assert again.state == solo.state
    assert (again.commands, again.shoes, again.bankroll) == (solo.commands, solo.shoes, BANKROLL)
    assert again.last_bets == solo.last_bets == {(solo.box, "banker"): 10_000, (solo.box, "ante-player"): 5_000}
    assert play_round(again), "it goes on"


def test_a_seed_is_the_same_game_again() -> None:
    games = [seated("knockout", "5") for _ in range(2)]
    for solo in games:
        play_round(solo, ("banker", 10_000))
    assert msgspec.json.encode(games[0].events) == msgspec.json.encode(games[1].events)


def test_money_that_no_cashier_takes_is_refused() -> None:
    solo = seated("ez")
    refusal = solo.buy(10**16)
    assert isinstance(refusal, Refusal) and "the amount must be from" in refusal.sentence
    assert solo.bankroll == BANKROLL
    assert solo.buy(1000) is None and solo.buy(0) is None
    assert solo.bankroll == BANKROLL + 1000
    refusal = SoloTable(load("ez"), "3", 10**16).open(default_terms(load("ez")), 2)
    assert refusal is not None and "the amount must be from" in refusal.sentence


def test_the_purse_and_the_statement_agree_with_the_settlement() -> None:
    solo = seated("ez", "8")
    net = 0
    for _ in range(20):
        for event in play_round(solo, ("banker", 10_000), ("dragon-7", 1_000)):
            if isinstance(event, RoundSettled):
                net += sum(line.net for line in event.bets)
    assert purse_of(PLAYER, 500_000, solo.events).in_hand == 500_000 + net
    statement = statement_of(500_000, solo.events)
    assert (statement.net, statement.purse.in_hand, statement.purse.on_layout) == (net, 500_000 + net, 0)
    assert (statement.rounds, statement.shoes) == (20, 1)
    assert {area: (row.bets, row.staked) for area, row in statement.rows.items()} == {
        "banker": (20, 200_000),
        "dragon-7": (20, 20_000),
    }
    solo.go_on()
    solo.give(bet(solo, "tie", 2_500))
    assert purse_of(PLAYER, 500_000, solo.events).in_hand == 500_000 + net - 2_500
    assert statement_of(500_000, solo.events).purse.on_layout == 2_500


def test_only_what_the_table_allows_is_offered() -> None:
    solo = seated("knockout")
    solo.go_on()
    assert "winning-total-7" not in solo.bets()
    solo.give(bet(solo, "banker", 1000))
    assert "winning-total-7" in solo.bets()
    assert "wager-player" not in solo.bets()
    assert solo.bets()["banker"].most == 999_000


def test_a_table_that_needs_other_people_stops_instead_of_waiting_for_ever() -> None:
    solo = SoloTable(load("ez"), "3", BANKROLL)
    supervised = replace(default_terms(solo.book), authority=(Authority("call-bets", (Role.PIT_SUPERVISOR,)),))
    assert solo.open(supervised, 1) is None
    assert [event.name() for event in solo.go_on()] == ["shoe-loaded", "cards-burned"]
    with pytest.raises(TableStopped, match="the dealer cannot give call-bets: "):
        solo.go_on()
    assert not isinstance(solo.give(PauseTable(actor="Dan", role=Role.DEALER)), Refusal)
    with pytest.raises(TableStopped, match="the table waits for resumption"):
        solo.go_on()
