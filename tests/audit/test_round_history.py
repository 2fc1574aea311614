"""A round looked back at: the story adds up to the state, the ledger and the rules, whatever went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from punto.audit.history_page import history_page, round_record
from punto.audit.round_history import RoundHistory, last_round, place_of, round_history, stake_steps
from punto.books import load
from punto.documents.text import page_lines
from punto.documents.typesetting import html_page
from punto.refusal import Refusal
from punto.store.store import Store, open_store
from punto.table.acting import evolve
from punto.table.betting import BetsCalled, CloseBets
from punto.table.dealing import DealCard
from punto.table.house import TableOpened
from punto.table.state import State
from punto.table.terms import Faces
from tests.audit.played import MONEY, book_of, store_playthrough
from tests.floor.house import CASHIER, House, accepted
from tests.store.sessions import events_of, playthroughs

NAMES = [f"{path.parent.name}/{path.stem}" for path in playthroughs()]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "house.db")) as opened:
        yield opened


def rounds_of(store: Store, name: str) -> list[RoundHistory]:
    """Every round of a playthrough, stored and looked back at."""
    found = []
    for id in store_playthrough(store, name):
        book = book_of(store, id)
        with store.read() as reader:
            table = reader.table(id)
            assert table is not None
            for round in range(1, last_round(reader, table) + 1):
                place = place_of(reader, table, round)
                assert place is not None
                found.append(round_history(reader, table, book, place))
    return found


def text_of(history: RoundHistory, columns: int = 200) -> str:
    return "\n".join(page_lines(history_page(history), columns))


@pytest.mark.parametrize("book", sorted({name.split("/")[0] for name in NAMES}))
def test_stakes_add_up_to_what_lies_on_the_layout_after_every_event(book: str) -> None:
    load(book)
    for name in (name for name in NAMES if name.startswith(f"{book}/")):
        state, layout = State(), Counter[tuple[int, str, str]]()
        for event in events_of(name):
            if isinstance(event, TableOpened):
                state, layout = State(), Counter()
            if isinstance(event, BetsCalled):
                layout = Counter()
            for step in stake_steps(state, 1, event):
                layout[step.box, step.player, step.area] += step.change
            state = evolve(state, event)
            lying = Counter[tuple[int, str, str]]()
            for stake in state.stakes:
                lying[stake.box, stake.player, stake.area] += stake.amount
            assert +layout == lying, (name, event)


SOME = [
    "commission/second-person",
    "commission/wrong-number-noticed-after-settlement",
    "commission/cut-card-and-change-of-shoe",
    "ez/errors-are-ruled-on",
    "insurance/cap-over-both-windows",
    "insurance/neglected-insurance-noticed-after-settlement",
    "insurance/face-down-table",
    "insurance/pro-rata",
    "knockout/wrong-number-with-wagers",
    "knockout/ruling-gives-one-player-all-back",
    "knockout/given-up-ante-is-lost-on-a-tie",
]


@pytest.mark.parametrize("name", SOME)
@pytest.mark.gli("2.8.2")
def test_the_money_adds_up(store: Store, name: str) -> None:
    had = Counter[str]()
    for history in rounds_of(store, name):
        net = Counter[str]()
        for step in history.settlements:
            for line in step.lines if step.taken_back is None else ():
                net[line.player] += line.net
        for one in history.balances:
            assert one.before + one.here + one.elsewhere == one.after
            assert one.before == MONEY + had[one.player], (history.place, one)
            assert one.elsewhere == 0
            if history.void or (history.settlements and history.settlements[-1].taken_back is None):
                assert one.here == net[one.player]
            had[one.player] += one.here


@pytest.mark.parametrize("name", SOME)
@pytest.mark.gli("4.14")
def test_every_moment_of_every_round_can_be_shown(store: Store, name: str) -> None:
    for id in store_playthrough(store, name):
        book = book_of(store, id)
        with store.read() as reader:
            table = reader.table(id)
            assert table is not None
            states, seqs = [State()], dict[int, list[int]]()
            for record in reader.each_record(id):
                states.append(evolve(states[-1], record.event))
                seqs.setdefault(states[-1].round, []).append(record.seq)
            for round, numbers in seqs.items():
                if not round:
                    continue
                place = place_of(reader, table, round)
                assert place is not None and (place.first, place.last) == (numbers[0], numbers[-1])
                for seq in numbers[:: max(1, len(numbers) // 6)]:
                    history = round_history(reader, table, book, place, seq)
                    assert (history.after, history.at) == (states[seq], seq)
                    assert (f"AFTER EVENT {seq}" in text_of(history)) == (seq < place.last)
            assert place_of(reader, table, max(seqs) + 1) is None
            assert place_of(reader, table, 0) is None


def words(store: Store, name: str, round: int = 1) -> str:
    [history] = [one for one in rounds_of(store, name) if one.place.round == round]
    return " ".join(text_of(history).split())


def test_a_settlement_that_was_taken_back_is_told_beside_the_one_that_holds(store: Store) -> None:
    text = words(store, "insurance/neglected-insurance-noticed-after-settlement")
    assert "The round is settled, for the second time." in text
    assert "A SETTLEMENT THAT WAS TAKEN BACK" in text and "EVERY LINE PAID" in text
    assert "Taken back at event 18" in text
    assert "back: insurance not offered -1,000 5.13" in text


@pytest.mark.gli("C.6.8")
def test_two_people_and_everybody_who_was_refused(store: Store) -> None:
    [history] = rounds_of(store, "commission/second-person")
    text = " ".join(text_of(history).split())
    assert "WHAT TWO PEOPLE APPROVED" in text and "and Max (pit-manager)" in text
    assert len(history.refused) == 4
    assert "needs a second person, pit-manager or above" in text
    assert "The round is void by clause 5.1.1" in text and "reason: red back" in text
    assert "OUTSIDE A CASE" not in text.upper(), "the void belongs to its case"


def test_insurance_in_both_windows(store: Store) -> None:
    text = words(store, "insurance/cap-over-both-windows")
    assert "insured, after 4 cards, 2:1, at Player 5, Banker 4" in text
    assert "insured, after 5 cards, 7:1, at Player 8, Banker 4" in text
    assert "insure 3 player 86.00 round=1 window=5 the greatest insurance stake is 85" in text


def test_antes_and_their_wagers(store: Store) -> None:
    text = words(store, "knockout/wrong-number-with-wagers")
    assert "Wager (Player) wagered, after Ante (Player) +20" in text
    assert "back: void -20 5.1.2" in text


def test_an_error_that_was_found_out_later_is_told_with_its_round(store: Store) -> None:
    first, second = rounds_of(store, "insurance/error-found-late")
    assert "Found out in a later round" in text_of(first)
    assert "Found out in a later round" not in text_of(second)
    assert [one.seq for one in first.late] == [18]


@pytest.mark.gli("4.18.4")
def test_a_card_that_lies_face_down_is_not_named(store: Store) -> None:
    with House(store) as house:
        house.open("t1", "insurance", faces=Faces.DOWN)
        house.call()
        accepted(house.deal(CloseBets))
        while house.table().state.cards_out < 4:
            accepted(house.deal(DealCard))
        down = [slot.card for slot in house.table().state.order if not slot.face_up]
    assert len(down) == 4 and None not in down, "the system knows them"
    book = book_of(store, "t1")
    with store.read() as reader:
        table = reader.table("t1")
        assert table is not None
        place = place_of(reader, table, 1)
        assert place is not None
        history = round_history(reader, table, book, place)
    text, record = text_of(history), str(msgspec.to_builtins(round_record(history)))
    assert "dealt face down" in text
    for card in down:
        assert card is not None and card.symbol not in text and str(card) not in record


def test_the_page_and_the_record_say_the_same(store: Store) -> None:
    [history] = rounds_of(store, "knockout/wrong-number-with-wagers")
    record = msgspec.to_builtins(round_record(history))
    assert (record["void"], record["winner"], record["settled"]) == (True, None, False)
    assert [card["card"] for card in record["cards"]] == ["9S", "KH", "KD", "2C"]
    assert [len(one["lines"]) for one in record["settlements"]] == [3]
    assert record["settlements"][0]["taken_back"] == 16
    assert record["cases"][0]["events"][-1]["type"] == "round-voided"
    html = html_page(history_page(history))
    assert "What went wrong, and who decided" in html and "5.1.2" in html


def test_money_that_moves_elsewhere_during_the_round_is_told_apart(store: Store) -> None:
    with House(store) as house:
        house.buy_in("Ann", 100_000)
        for id in ("t1", "t2"):
            house.open(id)
            house.seat("Ann", id=id)
            house.call(id)
        accepted(house.bet("Ann", 10_000, "banker", "t1"))
        accepted(house.bet("Ann", 5_000, "player", "t2"))
        assert not isinstance(house.desk.buy_in("Ann", 70_000, CASHIER, house.time), Refusal)
        house.finish("t1")
        free = house.holdings("Ann").free
        held = {table: amount for table, amount in house.holdings("Ann").held.items() if amount}
    book = book_of(store, "t1")
    with store.read() as reader:
        table = reader.table("t1")
        assert table is not None
        place = place_of(reader, table, 1)
        assert place is not None
        history = round_history(reader, table, book, place)
    [one] = history.balances
    [step] = history.settlements
    assert (one.before, one.elsewhere) == (100_000, 70_000 - 5_000)
    assert one.here == sum(line.net for line in step.lines)
    assert (one.after, one.held) == (free + held.get("t1", 0), held.get("t1", 0))
    assert "elsewhere" in text_of(history)
