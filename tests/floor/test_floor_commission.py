"""Commission through the floor: what is due is set aside, shown, cannot be spent, and is collected in the end."""

from __future__ import annotations

import pytest

from punto.cards.card import parse_cards
from punto.cards.source import SourceKind
from punto.floor.answers import Account
from punto.floor.desk import account_of, all_holdings
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.table.betting import CloseBets
from punto.table.dealing import DealCard
from punto.table.house import CloseTable, LeaveSeat
from punto.table.settlement import SettleRound
from punto.table.terms import Collecting
from punto.views.table_view import view_of
from punto.views.viewer import BOARD, Viewer
from tests.floor.house import CASHIER, House, accepted, reason
from tests.floor.ledger_check import check_store


def win_banker(house: House, stake: int) -> None:
    """Ann wins a Banker bet."""
    house.call("c1")
    accepted(house.bet("Ann", stake, id="c1"))
    accepted(house.deal(CloseBets, "c1"))
    for card in parse_cards("KS KH 6D 7C"):
        accepted(house.deal(DealCard, "c1", card=card))
    accepted(house.deal(SettleRound, "c1"))


@pytest.fixture
def table(house: House) -> House:
    """A table of Commission Baccarat that collects when players leave; Ann sits there."""
    house.open("c1", "commission", source=SourceKind.ENTERED, burn="none", commission=Collecting.ON_LEAVING)
    house.seat("Ann", id="c1")
    return house


@pytest.mark.clause("commission", "4.1.1")
@pytest.mark.gli("4.14")
def test_what_is_due_is_shown_and_cannot_be_spent(table: House) -> None:
    win_banker(table, 100_000)
    holds = table.holdings("Ann")
    assert (holds.free, holds.held, holds.due) == (0, {"c1": 195_000}, {"c1": 5_000})
    table.call("c1")
    holds = table.holdings("Ann")
    assert (holds.free, holds.held, holds.due) == (195_000, {}, {"c1": 5_000})
    assert reason(table.bet("Ann", 200_000, id="c1")) is Reason.NOT_ENOUGH_FUNDS
    answer = table.desk.cash_out("Ann", 200_000, CASHIER, 1)
    assert isinstance(answer, Refusal) and answer.reason is Reason.NOT_ENOUGH_FUNDS
    with table.store.read() as reader:
        account = account_of(reader, "Ann")
        assert isinstance(account, Account) and account.due == {"c1": 5_000}
        assert all_holdings(reader)["Ann"] == holds
    loaded = table.floor.table("c1")
    assert loaded is not None
    seen = {
        viewer: view_of(loaded, viewer, None, 0)
        for viewer in (Viewer("Ann"), Viewer("Ben"), Viewer("Dan", Role.DEALER), BOARD)
    }
    due = {viewer: [(one.player, one.amount) for one in view.due] for viewer, view in seen.items()}
    own = [("Ann", 5_000)]
    assert list(due.values()) == [own, [], own, []]
    mine = seen[Viewer("Ann")].mine
    assert mine is not None and mine.due == 5_000
    check_store(table.store)


@pytest.mark.clause("commission", "4.1.1")
def test_it_is_collected_from_who_leaves_and_when_the_table_closes(table: House) -> None:
    win_banker(table, 100_000)
    win_banker(table, 40_000)
    left = accepted(table.ask(LeaveSeat, "Ann", "c1"))
    assert [record.event.name() for record in left.records] == [
        "seat-left",
        "commission-collected",
        "winnings-released",
    ]
    assert table.holdings("Ann").due == {"c1": 2_000}, "of the round that can still be reversed"
    closed = accepted(table.deal(CloseTable, "c1", "Sue", Role.PIT_SUPERVISOR))
    assert [record.event.name() for record in closed.records] == ["commission-collected", "table-closed"]
    assert table.holdings("Ann") == type(table.holdings("Ann"))(100_000 + 95_000 + 38_000, {}, {})
    with table.store.read() as reader:
        balances = reader.all_balances()
    assert balances["float/c1"] == 0, "the whole float went back to the bank, what was collected too"
    assert balances["bank/USD"] == -133_000
    check_store(table.store)


@pytest.mark.parametrize("collecting", [Collecting.ON_LEAVING, Collecting.END_OF_SHOE])
def test_a_book_without_a_commission_has_none_to_collect(house: House, collecting: Collecting) -> None:
    with pytest.raises(AssertionError, match="this book has no commission"):
        house.open("t2", "ez", commission=collecting)
