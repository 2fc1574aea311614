"""What is listed for a viewer is what the table accepts, as the API takes it, and nothing less."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from punto import books
from punto.cards.card import DECK
from punto.cards.source import SourceKind
from punto.floor.answers import LegalView, Stop
from punto.floor.orders import HouseOrders, refuse_ordered
from punto.floor.shoe import refuse_unseen_card
from punto.rules.authority import Role
from punto.table import Table, legal_commands, refusal_of
from punto.table.betting import ReduceBet, WithdrawBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.house import BurnCards
from punto.table.legality import covers
from punto.table.state import Phase
from punto.views.legal_view import commands_of, legal_of
from punto.views.viewer import Viewer
from tests.table.machine_commands import PEOPLE
from tests.views.worlds import lives, loaded


def given(table: Table, view: LegalView, viewer: Viewer) -> Command:
    """The command that comes of a listed one: who gives it is added, and the card where the system draws."""
    assert not set(view.command) & {"actor", "role", "time", "key", "second"}
    named: dict[str, Any] = {**view.command, "actor": viewer.name, "role": viewer.role.value}
    if view.second is not None:
        named["second"] = {"name": "somebody else", "role": view.second.value}
    if view.command["type"] in ("deal-card", "burn-cards") and table.terms.source is not SourceKind.ENTERED:
        assert "card" not in view.command and "card" not in view.free, "nobody names a card there"
        named["card"] = next_card(table)
    made: Command = msgspec.convert(named, type=Command)
    return made


def next_card(table: Table) -> str | None:
    """Some card that may come next."""
    state = table.state
    if state.carried:
        return state.carried[0].card.value if state.carried[0].card is not None else None
    assert state.shoe is not None
    likely = min(DECK, key=state.shoe.out.count)
    return str(likely.value)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("book", books.NAMES)
def test_everything_that_is_listed_is_accepted_and_nothing_is_left_out(book: str, seed: int) -> None:
    random = Random(seed)
    for _, table, _ in lives(book, 100 + seed, 40):
        for name, role in random.sample(PEOPLE, 2):
            viewer = Viewer(name, role)
            views = legal_of(loaded(table), viewer)
            commands = [given(table, view, viewer) for view in views]
            for command in commands:
                assert refusal_of(table, command) is None, command
                assert not is_for_the_floor(table, command), command
            for legal in legal_commands(table, name, role):
                if is_for_the_floor(table, legal.command) or is_in_vain(table, legal.command):
                    continue
                assert any(covers(_freed(table, legal), command) for command in commands), legal
            if table.state.is_in_round:
                for view in views:
                    assert view.command.get("round", table.state.round) in (
                        table.state.round, table.state.round - 1,
                    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("book", ["commission", "insurance"])
def test_where_play_is_stopped_what_a_stop_refuses_is_left_out_and_nothing_else(book: str) -> None:
    orders, left_out = HouseOrders(stops=(Stop(None, 0, "Rob", "fire alarm"),)), 0
    for _, table, _ in lives(book, 7, 60):
        for name, role in PEOPLE:
            here, viewer = loaded(table), Viewer(name, role)
            allowed = commands_of(table, viewer)
            listed = commands_of(table, viewer, is_stopped=True)
            refused = [one for one in allowed if refuse_ordered(orders, here, one.command, lambda: None) is not None]
            assert listed == tuple(one for one in allowed if one not in refused)
            left_out += len(refused)
    assert left_out


def is_for_the_floor(table: Table, command: Any) -> bool:
    """Whether the floor refuses it where it draws the cards: it knows them, whatever people say of them."""
    if table.state.terms is None or table.terms.source is SourceKind.ENTERED:
        return False
    return refuse_unseen_card(table, command) is not None


def is_in_vain(table: Table, command: Any) -> bool:
    """Whether it would be taken and do nothing: bets stay as they lie once they are closed."""
    return isinstance(command, WithdrawBet | ReduceBet) and table.state.phase is not Phase.BETTING


def _freed(table: Table, legal: Any) -> Any:
    """The same entry with any card, where the system draws."""
    if isinstance(legal.command, DealCard | BurnCards) and table.terms.source is not SourceKind.ENTERED:
        return msgspec.structs.replace(legal, free=(*legal.free, "card"))
    return legal


def test_whoever_has_no_name_may_do_nothing_and_an_imported_table_is_only_looked_at() -> None:
    *_, (_, table, _) = lives("ez", 3, 10)
    assert legal_of(loaded(table), Viewer()) == ()
    imported = type(loaded(table))("t1", 1, table, True)
    assert legal_of(imported, Viewer("Dan", Role.DEALER)) == ()
