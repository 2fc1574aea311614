"""Commands through the floor: keys, versions, rounds, funds, and what is left after a restart."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.floor.batch import SNAPSHOT_EVERY
from punto.floor.floor import Floor
from punto.floor.job import Job, decode_command
from punto.floor.seed import Seed, shoe_order
from punto.refusal import Reason, Refusal
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.store.seal import Seal
from punto.store.snapshot import state_hash
from punto.store.store import Store, open_store
from punto.table import command as c
from punto.table.irregularities.sighting import Seen
from tests.floor.house import CASHIER, KEY, House, accepted, reason
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


# ── Keys ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_repeat_has_the_first_answer_and_no_other_effect(house: House) -> None:
    house.seat("Ann")
    house.call()
    first = accepted(house.bet("Ann", 10_000, key="k1"))
    accepted(house.bet("Ann", 5_000, key="k2"))
    assert house.bet("Ann", 10_000, key="k1") == first, "whatever the time is now"
    assert house.holdings("Ann").free == 85_000
    house.finish()
    house.call()
    assert house.bet("Ann", 10_000, key="k1", round=1) == first, "as long as the log is kept"
    assert not house.table().state.bets


def test_a_repeat_of_a_refusal_is_refused_the_same_way(house: House) -> None:
    house.seat("Ann")
    house.call()
    first = house.bet("Ann", 200_000, key="k1")
    assert reason(first) is Reason.NOT_ENOUGH_FUNDS
    assert not isinstance(house.desk.buy_in("Ann", 500_000, CASHIER, 0), Refusal)
    assert house.bet("Ann", 200_000, key="k1") == first
    accepted(house.bet("Ann", 200_000, key="k2"))


def test_a_key_with_another_body_is_refused(house: House) -> None:
    house.open("t2")
    house.seat("Ann")
    house.call()
    accepted(house.bet("Ann", 10_000, key="k1"))
    assert reason(house.bet("Ann", 20_000, key="k1")) is Reason.KEY_REUSED
    assert reason(house.bet("Ann", 10_000, key="k1", id="t2", box=1)) is Reason.KEY_REUSED
    assert house.holdings("Ann").free == 90_000


def test_a_key_belongs_to_whoever_sends_it(house: House) -> None:
    house.seat("Ann", "Ben")
    house.call()
    accepted(house.bet("Ann", 10_000, key="k"))
    accepted(house.bet("Ben", 10_000, key="k"))
    assert len(house.table().state.bets) == 2


def test_a_dealers_repeat_draws_no_second_card(house: House) -> None:
    house.call()
    version = house.version()
    deal = c.DealCard(actor="Dan", role=Role.DEALER, key="d1")
    first = accepted(house.floor.give("t1", deal, version))
    assert house.floor.give("t1", deal, version) == first
    assert house.table().state.cards_out == 1


def test_the_same_key_twice_in_one_batch(house: House) -> None:
    house.seat("Ann")
    house.call()
    bet = c.PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=1, key="k")
    other = replace(bet, amount=2_000)
    with house.store.write() as transaction:
        answers = house.floor._run(transaction, [Job("t1", sent) for sent in (bet, bet, other, bet)])
    assert answers[0] == answers[1] == answers[3]
    assert reason(answers[2]) is Reason.KEY_REUSED
    assert house.holdings("Ann").free == 99_000


# ── Versions, rounds, windows ────────────────────────────────────────────────────────────────────


def test_a_dealers_command_holds_for_the_version_it_was_decided_on(house: House) -> None:
    house.call()
    version = house.version()
    accepted(house.ask(c.TakeSeat, "Ann", box=1))
    late = c.DealCard(actor="Dan", role=Role.DEALER)
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
    bet = c.PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=1)
    assert reason(house.floor.give("t1", bet, before)) is Reason.VERSION, "unless it names a version"


def test_every_bet_names_its_round(house: House) -> None:
    house.seat("Ann")
    house.call()
    assert reason(house.bet("Ann", 1_000, round=None)) is Reason.ROUND_NEEDED
    assert reason(house.bet("Ann", 1_000, round=2)) is Reason.OTHER_ROUND
    accepted(house.bet("Ann", 1_000, round=1))
    house.finish()
    house.call()
    assert reason(house.bet("Ann", 1_000, round=1)) is Reason.OTHER_ROUND
    assert reason(house.ask(c.WithdrawBet, "Ann", box=1, area="banker")) is Reason.ROUND_NEEDED


def test_insurance_names_its_window(house: House) -> None:
    house.open("t2", "insurance")
    refused = house.ask(c.TakeInsurance, "Ann", "t2", box=1, hand=Hand.PLAYER, amount=100, round=1)
    assert reason(refused) is Reason.WINDOW_NEEDED
    assert reason(house.ask(c.DeclineInsurance, "Ann", "t2", round=1)) is Reason.WINDOW_NEEDED


# ── Funds ────────────────────────────────────────────────────────────────────────────────────────


def test_a_bet_needs_an_account_with_money_in_the_right_currency(house: House) -> None:
    house.buy_in("Dee", 100_000, "HKD")
    house.buy_in("Eve", 0)
    house.seat("Ann", "Dee", "Eve", "Fay")
    house.call()
    assert reason(house.bet("Ann", 100_100)) is Reason.NOT_ENOUGH_FUNDS
    assert reason(house.bet("Dee", 1_000)) is Reason.OTHER_CURRENCY
    assert reason(house.bet("Eve", 1_000)) is Reason.NOT_ENOUGH_FUNDS
    assert reason(house.bet("Fay", 1_000)) is Reason.NO_ACCOUNT
    accepted(house.bet("Ann", 100_000))
    assert reason(house.bet("Ann", 1_000)) is Reason.NOT_ENOUGH_FUNDS


def test_what_follows_a_bet_that_cannot_be_paid_is_decided_without_it(house: House) -> None:
    """In one batch: Ben would stand behind Ann's bet, but there is none."""
    house.seat("Ann")
    house.call()

    def bet(player: str, amount: int) -> Job:
        fields = {"box": 1, "area": "banker", "round": 1, "amount": amount}
        return Job("t1", c.PlaceBet(actor=player, role=Role.PLAYER, **fields))  # type: ignore[arg-type]

    jobs = [bet("Ann", 100_100), bet("Ben", 1_000), bet("Ann", 2_000), bet("Ben", 1_000)]
    with house.store.write() as transaction:
        answers = house.floor._run(transaction, jobs)
    assert [type(answer).__name__ for answer in answers] == ["Refusal", "Refusal", "Accepted", "Accepted"]
    assert reason(answers[0]) is Reason.NOT_ENOUGH_FUNDS
    assert reason(answers[1]) is Reason.BEHIND_NOBODY
    check_store(house.store)


def test_one_wallet_at_two_tables_in_one_batch(house: House) -> None:
    house.open("t2")
    for id in ("t1", "t2"):
        house.seat("Ann", id=id)
        house.call(id)
    bet = c.PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=60_000, round=1)
    with house.store.write() as transaction:
        first, second = house.floor._run(transaction, [Job("t2", bet), Job("t1", bet)])
    accepted(first)
    assert reason(second) is Reason.NOT_ENOUGH_FUNDS
    check_store(house.store)


def test_a_table_that_settles_and_closes_in_one_batch_leaves_no_float(house: House) -> None:
    house.seat("Ann")
    house.call()
    accepted(house.bet("Ann", 10_000, "tie"))
    while house.table().state.phase.value in ("betting", "dealing"):
        accepted(house.deal(c.DealCard))
    version = house.version()
    settle = c.SettleRound(actor="Dan", role=Role.DEALER)
    close = c.CloseTable(actor="Sue", role=Role.PIT_SUPERVISOR)
    with house.store.write() as transaction:
        answers = house.floor._run(transaction, [Job("t1", settle, version), Job("t1", close)])
    assert all(map(accepted, answers))
    with house.store.read() as reader:
        left = {name: amount for name, amount in reader.all_balances().items() if amount}
    assert not [name for name in left if name.startswith(("float/", "held/", "play/"))]
    check_store(house.store)


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
    assert reason(house.ask(c.TakeSeat, "Ann", "t9", box=1)) is Reason.NO_TABLE
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
    accepted(house.deal(c.DealCard))
    hashed = state_hash(house.table().state)
    expected = _cards(house, 3)
    with open_store(database) as store, Floor(store, Seal(KEY)) as floor:
        loaded = floor.table("t1")
        assert loaded is not None
        assert state_hash(loaded.table.state) == hashed
        dealt = []
        for version in range(loaded.version, loaded.version + 3):
            answer = accepted(floor.give("t1", c.DealCard(actor="Eva", role=Role.DEALER), version))
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
        accepted(house.ask(c.WithdrawBet, "Ann", box=1, area="banker", round=1))
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
            accepted(other.deal(c.CloseBets, "t2"))
        refusal = other.deal(c.DealCard, "t2")
        assert reason(refusal) is Reason.SEED_LOCKED
        assert "another key" in refusal.sentence  # type: ignore[union-attr]
        _replace_cards(other, "t2")
        house.call("t2")


def _replace_cards(house: House, id: str) -> None:
    """The way out that the refusal names."""
    accepted(house.deal(c.Report, id, seen=(Seen.WRONG_SET,)))
    if house.table(id).state.case is not None:
        void = {"effect": c.Effect.VOID, "reason": "no key"}
        ruled = house.deal(c.Rule, id, by="Shaw", role=Role.SHIFT_MANAGER, **void)
        if isinstance(ruled, Refusal):
            accepted(house.deal(c.VoidRound, id, by="Sue", role=Role.PIT_SUPERVISOR))
    if house.table(id).state.shoe is not None:
        accepted(house.deal(c.ReplaceCards, id, by="Sue", role=Role.PIT_SUPERVISOR))


def test_a_table_of_entered_cards_needs_no_key(house: House) -> None:
    house.open("t2", source=SourceKind.ENTERED, burn="none")
    house.call("t2")
    with house.store.read() as reader:
        assert reader.seed("t2", 1) is None


def test_no_seed_is_in_the_log_or_readable_in_the_database(house: House, store: Store) -> None:
    house.call()
    with store.read() as reader:
        kept = reader.seed("t1", 1)
        assert kept is not None
        secret = Seal(KEY).open("t1", 1, kept.sealed)
        log = "".join(reader.lines("t1"))
    assert secret not in kept.sealed
    assert secret.hex() not in log
