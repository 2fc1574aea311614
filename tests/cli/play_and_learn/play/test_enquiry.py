from __future__ import annotations

from punto.books import load
from punto.cards import Card, parse_cards
from punto.cli.play_game import bet_lines, road_strip, roads_of
from punto.cli.play_table import SoloTable
from punto.roads.roads import Roads
from punto.rules.authority import Role
from punto.rules.outcome import Hand, Winner
from punto.table import default_terms
from punto.table.betting import BetsCalled
from punto.table.dealing import CardDealt
from punto.table.event import Event
from punto.table.house import ShoeLoaded
from punto.table.irregularity_events import RoundVoided
from punto.table.settlement import RoundSettled

BY = ("somebody", Role.DEALER, 0)
LOADED = ShoeLoaded(*BY, number=1, decks=8, behind_cut=14, burn_due=False)


def dealt(hand: Hand, card: Card) -> Event:
    return CardDealt(*BY, hand=hand, card=card, face_up=True)


def cards(text: str) -> list[Event]:
    """The call, and four cards to Player and Banker by turns."""
    hands = (Hand.PLAYER, Hand.BANKER) * 2
    return [BetsCalled(*BY, round=1), *(dealt(h, c) for h, c in zip(hands, parse_cards(text), strict=True))]


def settled(winner: Winner) -> Event:
    return RoundSettled(*BY, round=1, winner=winner, bets=())


def test_the_roads_of_a_shoe() -> None:
    events = [
        *(LOADED, *cards("KS 9H KD 2C"), settled(Winner.BANKER)),  # two kings: a Player pair
        *(*cards("9S 2H KD 2C"), settled(Winner.PLAYER)),  # two twos: a Banker pair
        *(*cards("KS QH QD KC"), settled(Winner.TIE)),  # king and queen are none
        *(*cards("9S 9H 9D 9C"), RoundVoided(*BY, round=4, clause=None, returned=())),
    ]
    assert str(roads_of(events)) == "BpPbT"
    assert str(roads_of([*events, LOADED])) == ""


def test_the_strip_shows_the_latest_results() -> None:
    assert road_strip(Roads.parse("BPTbP"), 80).plain == "B P T P"
    assert road_strip(Roads.parse("BPTbP"), 5).plain == "T P"


def test_every_bet_is_listed_with_what_it_pays_and_takes() -> None:
    solo = SoloTable(load("knockout"), "1", 500_000)
    assert solo.open(default_terms(solo.book), 1) is None
    solo.go_on()
    rows = {line.split()[1]: line.split("  ") for line in bet_lines(solo)[2:]}
    assert "wager-player" not in rows
    assert [part.strip() for part in rows["banker"] if part.strip()] == ["b", "banker", "1:2 or 1:1", "10 to 10,000"]
    assert rows["winning-total-7"][-1].strip() == "beside player or banker"
