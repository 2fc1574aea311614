"""Commands through the floor: keys, versions, rounds, funds, and what is left after a restart."""

from __future__ import annotations

import pytest

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.floor.floor import SNAPSHOT_EVERY, Floor
from punto.floor.job import decode_command
from punto.floor.loaded_table import Change
from punto.floor.shoe import Seed, shoe_order
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.store.record import state_hash
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.table.betting import CloseBets, PlaceBet, WithdrawBet
from punto.table.dealing import DealCard
from punto.table.house import TakeSeat
from punto.table.insurance import DeclineInsurance, TakeInsurance
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import Effect, ReplaceCards, Report, Rule, VoidRound
from tests.floor.house import KEY, House, accepted, reason
from tests.floor.ledger_check import check_store


def test_a_round_from_the_first_card_to_the_money(house: House) -> None:
    house.seat("Ann", "Ben")
    house.call()
    accepted(house.bet("Ann", 10_000))
    accepted(house.bet("Ben", 20_000, "player"))
    assert house.holdings("Ann").free == 90_000
    house.finish()
    paid = {player: house.holdings(player) for player in ("Ann", "Ben")}
    settled = house.table().state.settled
    assert settled is not None
    for bet in settled:
        got = bet.stake + bet.net
        assert sum(paid[bet.player].held.values()) == got, "held until the next call"
        assert paid[bet.player].free == 100_000 - bet.stake
    house.call()
    for bet in settled:
        assert house.holdings(bet.player).free == 100_000 + bet.net
        assert house.holdings(bet.player).held == {}
    check_store(house.store)


# ── Versions, rounds, windows ────────────────────────────────────────────────────────────────────


def test_a_dealers_command_holds_for_the_version_it_was_decided_on(house: House) -> None:
    house.call()
    version = house.version()
    accepted(house.ask(TakeSeat, "Ann", box=1))
    late = DealCard(actor="Dan", role=Role.DEALER)
    refusal = house.floor.give("t1", late, version)
    assert reason(refusal) is Reason.VERSION
    assert reason(house.floor.give("t1", late)) is Reason.VERSION_NEEDED
    assert house.table().state.cards_out == 0


def test_a_players_command_is_decided_on_the_table_as_it_is(house: House) -> None:
    house.seat("Ann", "Ben")
    house.call()
    before = house.version()
    accepted(house.bet("Ben", 1_000))
    accepted(house.bet("Ann", 1_000))
    bet = PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=1)
    assert reason(house.floor.give("t1", bet, before)) is Reason.VERSION, "unless it names a version"


def test_commands_given_together_are_all_kept_or_none(house: House) -> None:
    house.seat("Ann", "Ben")
    house.call()
    before = house.version()
    bets = [
        PlaceBet(actor=name, role=Role.PLAYER, box=box, area="banker", amount=1_000, round=1)
        for box, name in enumerate(("Ann", "Ben"), start=1)
    ]

    def fail() -> None:
        with house.floor.together("t1") as together:
            assert accepted(together.give(bets[0], before)).version == before + 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (house.version(), house.table().state.bets) == (before, ())
    changes: list[Change] = []
    house.floor.subscribe(changes.extend)
    with house.floor.together("t1") as together:
        for each, bet in enumerate(bets):
            assert accepted(together.give(bet, before + each)).version == before + each + 1
        assert not changes, "not before it is kept"
    assert [bet.player for bet in house.table().state.bets] == ["Ann", "Ben"]
    assert [record.seq for change in changes for record in change.records] == [before + 1, before + 2]
    accepted(house.deal(DealCard))
    check_store(house.store)


def test_every_bet_names_its_round(house: House) -> None:
    house.seat("Ann")
    house.call()
    assert reason(house.bet("Ann", 1_000, round=None)) is Reason.ROUND_NEEDED
    assert reason(house.bet("Ann", 1_000, round=2)) is Reason.OTHER_ROUND
    accepted(house.bet("Ann", 1_000, round=1))
    house.finish()
    house.call()
    assert reason(house.bet("Ann", 1_000, round=1)) is Reason.OTHER_ROUND
    assert reason(house.ask(WithdrawBet, "Ann", box=1, area="banker")) is Reason.ROUND_NEEDED


def test_insurance_names_its_window(house: House) -> None:
    house.open("t2", "insurance")
    refused = house.ask(TakeInsurance, "Ann", "t2", box=1, hand=Hand.PLAYER, amount=100, round=1)
    assert reason(refused) is Reason.WINDOW_NEEDED
    assert reason(house.ask(DeclineInsurance, "Ann", "t2", round=1)) is Reason.WINDOW_NEEDED


# ── What is kept ─────────────────────────────────────────────────────────────────────────────────


def test_refused_commands_are_kept_with_their_reasons(house: House) -> None:
    house.seat("Ann")
    house.call()
    house.bet("Ann", 200_000)
    house.bet("Ann", 50)
    with house.store.read() as reader:
        kept = reader.commands("t1")
    refused = [(decode_command(command.body), command.refusal) for command in kept if command.refusal]
    assert [command.amount for command, _ in refused] == [200_000, 50]  # type: ignore[union-attr]
    assert ["not-enough-funds" in str(refused[0][1]), "not-in-chips" in str(refused[1][1])] == [True, True]


def test_an_unknown_table_and_an_id_that_is_taken(house: House) -> None:
    assert reason(house.ask(TakeSeat, "Ann", "t9", box=1)) is Reason.NO_TABLE
    with pytest.raises(AssertionError, match="table-exists"):
        house.open("t1")


def test_a_table_that_the_book_does_not_allow_leaves_nothing(house: House) -> None:
    with pytest.raises(AssertionError, match="wrong-terms"):
        house.open("t2", decks=3)
    with house.store.read() as reader:
        assert reader.table("t2") is None


def test_a_new_process_goes_on_in_the_middle_of_a_round(house: House, database: str) -> None:
    house.seat("Ann")
    house.call()
    accepted(house.bet("Ann", 10_000))
    accepted(house.deal(DealCard))
    hashed = state_hash(house.table().state)
    expected = _cards(house, 3)
    with open_store(database) as store, Floor(store, Seal(KEY)) as floor:
        loaded = floor.table("t1")
        assert loaded is not None
        assert state_hash(loaded.table.state) == hashed
        dealt = []
        for version in range(loaded.version, loaded.version + 3):
            answer = accepted(floor.give("t1", DealCard(actor="Eva", role=Role.DEALER), version))
            dealt.append(answer.records[0].event.card)  # type: ignore[union-attr]
        assert dealt == expected
    assert house.table().state.cards_out == 4, "the first floor sees what the other has done"


def _cards(house: House, number: int) -> list[Card]:
    """The cards that come next, by the seed that is kept for the shoe."""
    with house.store.read() as reader:
        kept = reader.seed("t1", 1)
    assert kept is not None
    order = shoe_order(Seed(kept.algorithm, Seal(KEY).open("t1", 1, kept.sealed)), 8)
    shoe = house.table().state.shoe
    assert shoe is not None
    place = shoe.size - shoe.cards_left
    return list(order[place : place + number])


def test_two_floors_at_one_table_take_turns(house: House, database: str) -> None:
    house.seat("Ann", "Ben")
    house.call()
    with open_store(database) as store, House(store) as other:
        for turn in range(6):
            accepted((house, other)[turn % 2].bet("Ann", 1_000))
        assert house.version() == other.version()
    check_store(house.store)


@pytest.mark.slow
def test_snapshots_are_taken_and_only_save_time(house: House) -> None:
    house.seat("Ann")
    house.call()
    for _ in range(SNAPSHOT_EVERY // 2 + 5):
        accepted(house.bet("Ann", 1_000))
        accepted(house.ask(WithdrawBet, "Ann", box=1, area="banker", round=1))
    with house.store.read() as reader:
        kept = reader.snapshot("t1")
    assert kept is not None
    assert SNAPSHOT_EVERY <= kept.seq < SNAPSHOT_EVERY + 2
    check_store(house.store)


# ── The key of the seeds ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("book", ["ez", "insurance"])
def test_without_the_key_a_shoe_can_only_be_replaced(house: House, book: str) -> None:
    house.open("t2", book)
    house.call("t2")
    with House(house.store, seal=Seal(bytes(32))) as other:
        if book != "ez":
            accepted(other.deal(CloseBets, "t2"))
        refusal = other.deal(DealCard, "t2")
        assert reason(refusal) is Reason.SEED_LOCKED
        assert "another key" in refusal.sentence  # type: ignore[union-attr]
        _replace_cards(other, "t2")
        house.call("t2")


def _replace_cards(house: House, id: str) -> None:
    """The way out that the refusal names."""
    accepted(house.deal(Report, id, seen=(Seen.WRONG_SET,)))
    if house.table(id).state.case is not None:
        void = {"effect": Effect.VOID, "reason": "no key"}
        ruled = house.deal(Rule, id, by="Shaw", role=Role.SHIFT_MANAGER, **void)
        if isinstance(ruled, Refusal):
            accepted(house.deal(VoidRound, id, by="Sue", role=Role.PIT_SUPERVISOR))
    if house.table(id).state.shoe is not None:
        accepted(house.deal(ReplaceCards, id, by="Sue", role=Role.PIT_SUPERVISOR))


def test_a_table_of_entered_cards_needs_no_key(house: House) -> None:
    house.open("t2", source=SourceKind.ENTERED, burn="none")
    house.call("t2")
    with house.store.read() as reader:
        assert reader.seed("t2", 1) is None


@pytest.mark.gli("3.3.2")
@pytest.mark.gli("4.4.4")
def test_no_seed_is_in_the_log_or_readable_in_the_database(house: House, store: Store) -> None:
    house.call()
    with store.read() as reader:
        kept = reader.seed("t1", 1)
        assert kept is not None
        secret = Seal(KEY).open("t1", 1, kept.sealed)
        log = "".join(reader.lines("t1"))
    assert secret not in kept.sealed
    assert secret.hex() not in log
