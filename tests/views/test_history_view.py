"""Rounds, roads, history, statistics and costs, from the log of a floor and by a second way."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from punto import books
from punto.coup.coup import deal_hands
from punto.floor.loaded_table import LoadedTable
from punto.money import Rounding
from punto.odds.bet_odds import book_odds
from punto.odds.known_cards import Undealt
from punto.roads.roads import Roads, place_shades
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.store.record import Record
from punto.store.store import open_store
from punto.table.betting import CloseBets
from punto.table.dealing import RevealCard
from punto.table.house import LoadShoe, ShoeLoaded
from punto.table.irregularity_events import RoundVoided
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import State
from punto.table.terms import Faces
from punto.views.history_view import (
    RoundsCache,
    ShoeRounds,
    history_view,
    road_view,
    rounds_of,
    statistics_view,
    steps_of_rounds,
    steps_of_shoe,
)
from punto.views.layout_view import cost_views, edges_of
from punto.views.viewer import Viewer
from tests.floor.house import House, accepted
from tests.table.scenes import Scene
from tests.views.worlds import lives

ANN = Viewer("Ann")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A table of two shoes and some rounds, two players betting."""
    store = open_store(str(tmp_path_factory.mktemp("rounds") / "house.db"))
    made = House(store)
    made.open("t1", "commission", decks=6, behind_cut=250)
    for player in ("Ann", "Ben"):
        made.buy_in(player, 10_000_000)
    made.seat("Ann", "Ben")
    random = Random(4)
    for _ in range(24):
        if is_shoe_over(made.table().state):
            accepted(made.deal(LoadShoe))
        made.call()
        for player in ("Ann", "Ben"):
            area = random.choice(("player", "banker", "tie", "player-pair"))
            if area == "player-pair":
                accepted(made.bet(player, 1000, "player"))
            accepted(made.bet(player, 1000 * random.randint(1, 3), area))
        accepted(made.deal(CloseBets))
        made.finish()
    return made


def is_shoe_over(state: State) -> bool:
    return state.shoe is not None and state.last_round is not None and state.round >= state.last_round


def settled(house: House) -> list[RoundSettled]:
    with house.store.read() as reader:
        return [r.event for r in reader.records("t1") if isinstance(r.event, RoundSettled)]


def test_the_rounds_of_the_log_and_of_the_shoe(house: House) -> None:
    book = house.table().book
    everything = rounds_of(book, steps_of_rounds(house.floor, "t1", 1000))
    assert [(played.round, played.winner) for played in everything] == [
        (event.round, event.winner) for event in settled(house)
    ]
    for played in everything:
        coup = deal_hands(book.play, played.player, played.banker)
        assert (coup.winner, coup.player_points) == (played.winner, played.player_points)
        assert played.player_pair is (played.player[0].rank == played.player[1].rank)
    shoe = ShoeRounds()
    for before, record in steps_of_shoe(house.floor, "t1", 10**9):
        shoe = shoe.after(book, before, record)
    assert shoe.shoe == house.table().state.shoe_number > 1
    assert shoe.rounds == tuple(played for played in everything if played.shoe == shoe.shoe)
    assert rounds_of(book, steps_of_rounds(house.floor, "t1", 3)) == everything[-3:]
    page = rounds_of(book, steps_of_rounds(house.floor, "t1", 5, before=everything[-3].seq))
    assert page == everything[-8:-3], "a page goes on before the last one"
    assert rounds_of(book, steps_of_rounds(house.floor, "t1", 5, before=everything[0].seq)) == ()


def test_remembered_rounds_are_those_of_the_log(tmp_path: Path) -> None:
    """Whoever looks now and then, shoe after shoe, sees what a fold of the whole shoe comes to."""
    made = House(open_store(str(tmp_path / "house.db")))
    made.open("t1", "commission", decks=6, behind_cut=290)
    made.buy_in("Ann", 10_000_000)
    made.seat("Ann")
    shelf, shoes, seen = RoundsCache(made.floor), set[int](), list[tuple[LoadedTable, ShoeRounds]]()
    for number in range(9):
        if is_shoe_over(made.table().state):
            accepted(made.deal(LoadShoe))
        made.call()
        accepted(made.bet("Ann", 1000, "player"))
        accepted(made.deal(CloseBets))
        made.finish()
        if number % 3 != 1:
            found = made.floor.table("t1")
            assert found is not None
            folded = ShoeRounds()
            for before, record in steps_of_shoe(made.floor, "t1", found.version):
                folded = folded.after(found.table.book, before, record)
            assert shelf.of_shoe(found) == folded == shelf.of_shoe(found)
            seen.append((found, folded))
            assert folded.rounds
            shoes.add(folded.shoe)
    assert len(shoes) > 1
    for earlier, folded in seen:  # what came after a version is not in what is shown of it
        assert RoundsCache(made.floor).of_shoe(earlier) == folded


def test_the_roads_of_the_shoe_are_those_of_its_results(house: House) -> None:
    book = house.table().book
    rounds = rounds_of(book, steps_of_rounds(house.floor, "t1", 1000))
    view = road_view(ShoeRounds(1, rounds))
    letters = {"player": "P", "banker": "B", "tie": "T"}
    text = "".join(
        letters[played.winner.value]
        + "b" * (played.banker[0].rank == played.banker[1].rank)
        + "p" * (played.player[0].rank == played.player[1].rank)
        for played in rounds
        if played.winner is not None
    )
    assert view.results == text
    assert len(view.bead) == view.counts.rounds == len(rounds)
    roads = Roads.parse(text)
    assert ["B" if not mark.red else "R" for mark in view.big_eye] == list(roads.big_eye)
    assert len({(mark.column, mark.row) for mark in view.big_eye}) == len(view.big_eye)
    assert view.patterns == roads.patterns
    for letter, answer in (("B", view.ask.banker), ("P", view.ask.player)):
        after = Roads.parse(text + letter)
        assert answer.big == after.big[-1]
        for name in ("big_eye", "small", "cockroach"):
            told = getattr(answer, name)
            marks = place_shades(getattr(after, name))
            is_added = len(marks) > len(getattr(roads, name))
            assert (told is not None) is is_added
            assert told is None or ((told.column, told.row), "R" if told.red else "B") == marks[-1]
    assert view.counts.player + view.counts.banker + view.counts.tie == len(rounds)


def test_a_reversed_or_void_round_leaves_no_mark() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 7C")
    scene.settle()

    def fold() -> ShoeRounds:
        state, shoe = State(), ShoeRounds()
        for seq, event in enumerate(scene.log, start=1):
            shoe = shoe.after(scene.table.book, state, Record("t1", seq, 1, None, event))
            state = event.fold(state)
        return shoe

    assert road_view(fold()).results == "B"
    scene.report("5H:player", "foreign-card")
    assert any(isinstance(event, SettlementReversed) for event in scene.log)
    assert road_view(fold()).results == "", "it is open again"
    scene.void()
    voided = fold()
    assert road_view(voided).results == "" and voided.rounds[0].winner is None and voided.rounds[0].clause
    assert [str(card) for card in voided.rounds[0].player] == ["KS", "6D"]
    assert [str(card) for card in voided.rounds[0].banker] == ["KH", "7C"]


def test_a_void_round_tells_no_card_that_lay_face_down() -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 7C")
    scene.do(RevealCard, hand=Hand.PLAYER, number=2)
    scene.report(seen="wrong-set", by="Sue")
    before = scene.state
    scene.void()
    [voided] = [event for event in scene.log if isinstance(event, RoundVoided)]
    [played] = rounds_of(scene.table.book, [(before, Record("t1", 1, 1, None, voided))])
    assert [str(card) for card in played.player] == ["6D"] and played.banker == ()


@pytest.mark.gli("4.4.2")
@pytest.mark.gli("4.14")
def test_history_tells_a_player_of_own_bets_only(house: House) -> None:
    book = house.table().book
    rounds = rounds_of(book, steps_of_rounds(house.floor, "t1", 1000))
    mine = history_view(book, rounds, ANN)
    assert [view.round for view in mine] == [played.round for played in reversed(rounds)]
    assert {line.player for view in mine for line in view.lines} == {"Ann"}
    everybody = history_view(book, rounds, Viewer("Sue", Role.PIT_SUPERVISOR))
    assert {line.player for view in everybody for line in view.lines} == {"Ann", "Ben"}
    nobody = history_view(book, rounds, Viewer())
    assert not any(view.lines for view in nobody)
    with_money = sum(view.net for view in mine)
    held = house.holdings("Ann")
    assert 10_000_000 + with_money == held.free + sum(held.held.values())


def test_statistics_and_expected_cost(house: House) -> None:
    book, decks = house.table().book, house.table().terms.decks
    rounds = rounds_of(book, steps_of_rounds(house.floor, "t1", 1000))
    view = statistics_view(book, decks, rounds, ANN)
    bets = [bet for event in settled(house) for bet in event.bets if bet.player == "Ann"]
    assert (view.bets, view.staked, view.net) == (
        len(bets), sum(bet.stake for bet in bets), sum(bet.net for bet in bets),
    )  # fmt: skip
    staked = Counter[str]()
    for bet in bets:
        staked[bet.area] += bet.stake
    exact = book_odds(book, Undealt.of_decks(decks))
    for cost in view.costs:
        due = exact.bet(cost.area).edge * staked[cost.area]
        assert cost.expected == Rounding.HALF_UP.apply(due.numerator, due.denominator)
        assert cost.staked == staked[cost.area]
    assert view.counts.rounds == len(rounds)


@pytest.mark.parametrize("book", books.NAMES)
def test_every_area_but_wagers_has_an_edge(book: str) -> None:
    loaded = books.load(book)
    edges = edges_of(loaded, max(loaded.decks.allowed))
    wagers = {pair.wager for pair in loaded.ante.pairs} if loaded.ante else set()
    assert set(edges) == {bet.area for bet in loaded.bets} - wagers
    assert all(0 < edge < Fraction(1, 2) for edge in edges.values())
    assert cost_views(loaded, 8, [("insurance-player-4", 100, -100)])[0].expected is None


@pytest.mark.parametrize("book", books.NAMES)
def test_rounds_step_by_step_are_rounds_from_the_beginning(book: str) -> None:
    """Whatever goes wrong in a random life, both folds find the same rounds of the last shoe."""
    steps, seq, rules = [], 0, books.load(book)
    for before, _, events in lives(book, 5, 80):
        state = before
        for event in events:
            seq += 1
            steps.append((state, Record("t1", seq, 1, None, event)))
            state = event.fold(state)
    shoe = ShoeRounds()
    for before, record in steps:
        shoe = shoe.after(rules, before, record)
    loads = [i for i, (_, record) in enumerate(steps) if isinstance(record.event, ShoeLoaded)]
    # What was decided for players is told only where rounds are looked at as a whole.
    since = [replace(played, decided=()) for played in rounds_of(rules, steps[max(loads) :])]
    assert shoe.rounds == tuple(sorted(since, key=lambda played: played.seq))
