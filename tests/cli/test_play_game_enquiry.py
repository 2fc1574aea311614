from __future__ import annotations

from msgspec.structs import replace

from punto.books import load
from punto.cards import parse_cards
from punto.cli.play_game import bet_lines, road_strip
from punto.cli.play_table import SoloTable
from punto.coup.coup import deal_exactly
from punto.roads.roads import Roads
from punto.table import default_terms
from punto.table.replay import EndedRound


def seated() -> SoloTable:
    solo = SoloTable(load("knockout"), "1", 500_000)
    assert solo.open(default_terms(solo.book), 1) is None
    solo.go_on()
    return solo


def ended(text: str) -> EndedRound:
    """A round of the first shoe with these cards."""
    coup = deal_exactly(load("knockout").play, parse_cards(text))
    return EndedRound(1, 1, 1, 0, coup.winner, coup.player, coup.banker, facts=coup.facts)


def test_the_roads_of_a_shoe() -> None:
    solo = seated()
    solo.rounds = (
        ended("KS 9H KD KC"),  # two kings: a Player pair
        ended("9S 2H KD 2C"),  # two twos: a Banker pair
        ended("9S 9H KD QC"),  # king and queen are none
        replace(ended("9S 9H KD QC"), winner=None),  # a void round
    )
    assert str(solo.roads()) == "BpPbT"
    solo.rounds = tuple(replace(each, shoe=2) for each in solo.rounds)
    assert str(solo.roads()) == "", "they are of another shoe"


def test_the_strip_shows_the_latest_results() -> None:
    assert road_strip(Roads.parse("BPTbP"), 80).plain == "B P T P"
    assert road_strip(Roads.parse("BPTbP"), 5).plain == "T P"


def test_every_bet_is_listed_with_what_it_pays_and_takes() -> None:
    solo = seated()
    rows = {line.split()[1]: line.split("  ") for line in bet_lines(solo)[2:]}
    assert "wager-player" not in rows
    assert [part.strip() for part in rows["banker"] if part.strip()] == ["b", "banker", "1:2 or 1:1", "10 to 10,000"]
    assert rows["winning-total-7"][-1].strip() == "beside player or banker"
