"""Many clients at once: nothing is lost, done twice or paid for with money that is not there."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from punto.floor.floor import Floor
from punto.floor.job import Accepted
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.table.betting import CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.settlement import SettleRound
from tests.floor.crowd import meet
from tests.floor.house import House, accepted
from tests.floor.ledger_check import check_store

COMMANDS = 5_000
ROUNDS = 12


@pytest.mark.slow
def test_sixty_four_clients_on_shared_tables_and_wallets(database: str) -> None:
    counts = meet(database, COMMANDS)
    print(dict(counts))
    assert counts["clients"] == 64
    assert counts["answered"] >= COMMANDS // 64 * 64
    for seen in ("repeats", "keys reused", "refused not-enough-funds", "refused other-round"):
        assert counts[seen], f"the crowd has met {seen}"


@pytest.mark.slow
def test_bets_that_race_the_close_have_one_verdict_by_their_place(house: House) -> None:
    """Whoever comes before the close in the stream is in, everybody else is told so."""
    house.open("t2", "commission")
    for player in _PLAYERS:
        house.buy_in(player, 10**9)
    house.seat(*_PLAYERS, id="t2")
    verdicts, random = Counter[str](), Random(1)
    for round in range(1, ROUNDS + 1):
        house.call("t2")
        with ThreadPoolExecutor(len(_PLAYERS)) as crowd:
            bets = [crowd.submit(_bet_on, house, box, round) for box in range(1, 7)]
            closed = _close(house, random)
            answers = [answer for bet in bets for answer in bet.result()]
        taken = [answer.version for answer in answers if isinstance(answer, Accepted)]
        refused = [answer for answer in answers if isinstance(answer, Refusal)]
        assert all(version < closed.version for version in taken)
        assert len(set(taken)) == len(taken)
        assert {answer.reason for answer in refused} <= {Reason.BETS_CLOSED}
        verdicts["taken"] += len(taken)
        verdicts["refused"] += len(refused)
        staked = sum(stake.amount for stake in house.table("t2").state.stakes)
        assert staked == 1_000 * len(taken), "every bet that was taken lies, and no other"
        while house.table("t2").state.phase.value == "dealing":
            accepted(house.deal(DealCard, "t2"))
        accepted(house.deal(SettleRound, "t2"))
    assert verdicts["taken"] + verdicts["refused"] == 36 * ROUNDS
    assert min(verdicts["taken"], verdicts["refused"]) > 0, verdicts
    check_store(house.store)


def _close(house: House, random: Random) -> Accepted:
    """A dealer who guesses how many bets will have come, and looks again where the guess was wrong."""
    while True:
        expected = house.version("t2") + random.randint(0, 6)
        closed = house.floor.give("t2", CloseBets(actor="Dan", role=Role.DEALER), expected)
        if isinstance(closed, Accepted):
            return closed
        assert closed.reason is Reason.VERSION, closed


def _bet_on(house: House, box: int, round: int) -> list[Accepted | Refusal]:
    """A few bets, one after the other: none of them looks whether bets are still open."""
    return [house.floor.give("t2", _bet(_PLAYERS[box - 1], box, round)) for _ in range(6)]


def test_a_bet_and_the_close_at_two_floors(house: House) -> None:
    """The one that comes second knows of the first, whichever process it is in."""
    house.open("t2", "commission")
    house.seat("Ann", id="t2")
    house.call("t2")
    with Floor(house.store) as other:
        before = house.version("t2")
        accepted(other.give("t2", _bet("Ann", 1, 1)))
        late = house.floor.give("t2", CloseBets(actor="Dan", role=Role.DEALER), before)
        assert isinstance(late, Refusal)
        assert late.reason is Reason.VERSION
        accepted(house.deal(CloseBets, "t2"))
        refused = other.give("t2", _bet("Ann", 1, 1))
        assert isinstance(refused, Refusal)
        assert refused.reason is Reason.BETS_CLOSED


_PLAYERS = ("Dee", "Eve", "Fay", "Gus", "Hal", "Ida")


def _bet(player: str, box: int, round: int) -> Command:
    return PlaceBet(actor=player, role=Role.PLAYER, box=box, area="banker", amount=1_000, round=round)
