"""What moves with every event: checked against the table itself and against the purses of its players."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from punto.books import NAMES
from punto.ledger.movement import Movement, MovementKind, Posting
from punto.ledger.postings import movements_of
from punto.ledger.results import results_of
from punto.rules.outcome import Result, Winner
from punto.table import legal_commands
from punto.table.event import Event
from punto.table.house import CloseTable, LeaveSeat, PauseTable, ResumeTable, TableClosed, WalkAway, WinningsReleased
from punto.table.insurance import TakeInsurance, WishInsurance
from punto.table.irregularity_events import DismissReport, JudgeReconstruction, ReturnBets, VoidRound
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import SettledBet
from punto.table.terms import Offering
from tests.agreement.random_rounds import Rounds
from tests.ledger.kept_accounts import TABLE, KeptAccounts
from tests.table.machine_commands import ASTRAY, ONWARD, PEOPLE, PLAYERS, filled, random_terms
from tests.table.scenes import MANAGER, SHIFT, SUPERVISOR, P, Scene

ROUNDS = 120
EVENTS: type[Any] = tuple[Event, ...]


class Booked(Rounds):
    """Random rounds, with whatever goes wrong in them, whose every chip is booked."""

    with_errors = 0.5

    def __init__(self, book: str, random: Random) -> None:
        self.accounts = KeptAccounts()
        super().__init__(book, random)

    def give(self, kind: str, by: str = "Dan", **fields: Any) -> list[dict[str, Any]] | str:
        answer = super().give(kind, by, **fields)
        if not isinstance(answer, str):
            self.accounts.take_in(msgspec.convert(answer, EVENTS))
            assert self.accounts.state == self.table.state
        return answer


@pytest.mark.slow
@pytest.mark.parametrize("book", NAMES)
@pytest.mark.gli("2.9.3")
def test_random_rounds_with_irregularities(book: str) -> None:
    random, kinds = Random(f"ledger/{book}"), Counter[str]()
    for _ in range(ROUNDS // 12):
        table = Booked(book, random)
        for _ in range(12):
            table.play()
        table.act("close-table", "Sue")
        assert_final(table.accounts)
        for _, movements in table.accounts.entries:
            kinds.update(movement.kind.value for movement in movements)
    ever = {kind.value for kind in MovementKind} - {"buy-in", "cash-out", "correction", "commission", "collection"}
    assert set(kinds) == ever, "every way in which a table moves money was among them"


@pytest.mark.slow
@pytest.mark.parametrize("book", NAMES)
def test_anybody_does_anything_at_a_table(book: str) -> None:
    """Withdrawn, reduced and rejected bets, squeezes, walks, corrected cards: whatever is listed."""
    random, whys = Random(f"anything/{book}"), Counter[str]()
    for _ in range(12):
        terms = random_terms(book, random)
        fields = {name: getattr(terms, name) for name in terms.__struct_fields__ if name != "book"}
        scene, accounts, told = Scene(book, **fields), KeptAccounts(), 0
        for box, player in enumerate(PLAYERS[:2], start=1):
            scene.seat(player, box)
        for step in range(80):
            actor, role = random.choice(PEOPLE)
            kinds = ASTRAY if step % 4 == 3 else ONWARD
            listed = [each for each in legal_commands(scene.table, actor, role) if isinstance(each.command, kinds)]
            if listed:
                scene.give(filled(random.choice(listed), scene.table, random))
            accounts.take_in(scene.log[told:])
            told = len(scene.log)
        assert accounts.state == scene.state
        whys.update(
            movement.reason
            for _, movements in accounts.entries
            for movement in movements
            if movement.kind is MovementKind.RETURN
        )
    assert whys["withdrawn"] and whys["reduced"]


def assert_final(accounts: KeptAccounts) -> None:
    """The table is closed: what each round came to in the end was paid once, and the house has the rest."""
    lines = [bet for bets in accounts.settled.values() for bet in bets]
    won: Counter[str] = Counter()
    for bet in lines:
        won[bet.player] += bet.net
    for player, purse in accounts.purses.items():
        assert accounts[f"player/{player}"] == purse.bought + won[player]
    assert accounts[f"float/{TABLE}"] == 0
    assert accounts["bank/USD"] == -sum(won.values())
    results = results_of(accounts.entries)
    assert results.win == -sum(won.values())
    assert results.handle == sum(bet.stake for bet in lines)
    # Nobody has a chip to spare: whatever was bought, the table had not returned before.
    assert results.drop == sum(purse.bought for purse in accounts.purses.values())
    assert results.voids == sum(event.name() == "round-voided" for event, _ in accounts.entries)


def kept(scene: Scene) -> KeptAccounts:
    accounts = KeptAccounts()
    accounts.take_in(scene.log)
    assert accounts.state == scene.state
    return accounts


def test_what_a_settlement_pays_is_held_until_the_next_call() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000 banker=1000", Ben="banker=2000")
    assert kept(scene)[f"play/{TABLE}/1"] == 6000
    scene.deal("9H 2H KD KC")
    scene.settle()
    accounts = kept(scene)
    assert (accounts[f"held/{TABLE}/Ann"], accounts["player/Ann"]) == (6000, 0)
    assert accounts[f"float/{TABLE}"] == 0, "what Player bets won the Banker bets had lost"
    scene.call()
    assert (kept(scene)[f"held/{TABLE}/Ann"], kept(scene)["player/Ann"]) == (0, 6000)


def test_the_bank_fills_what_a_round_costs_and_gets_the_float_back_at_the_close() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.deal("9H 2H KD KC")
    scene.settle()
    accounts = kept(scene)
    assert (accounts["bank/USD"], accounts[f"float/{TABLE}"]) == (-1000, 0)
    scene.start(Ann="banker=3000")
    scene.deal("9H 2H KD KC")
    scene.settle()
    assert (kept(scene)["bank/USD"], kept(scene)[f"float/{TABLE}"]) == (-1000, 3000)
    scene.do(CloseTable, SUPERVISOR)
    accounts = kept(scene)
    assert (accounts["bank/USD"], accounts[f"float/{TABLE}"], accounts["player/Ben"]) == (2000, 0, 0)


def test_a_reversal_is_the_opposite_of_the_settlement() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.deal("9H 2H KD KC")
    before = kept(scene)
    scene.settle()
    paid = kept(scene).entries[-1][1]
    scene.report("4H:player", by=SUPERVISOR)
    accounts = kept(scene)
    (taken,) = (moved for event, moved in accounts.entries if event.name() == "settlement-reversed")
    opposite = [tuple(Posting(each.account, -each.amount) for each in done.postings) for done in paid]
    assert [movement.postings for movement in taken] == opposite[::-1]
    assert {movement.kind for movement in taken} == {MovementKind.REVERSAL}
    assert (+accounts, -accounts) == (+before, -before), "as before the settlement"


@pytest.mark.gli("2.5.6")
def test_every_movement_of_a_bet_names_it_and_its_clause() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=1000)
    *_, (event, (taken,)) = kept(scene).entries
    assert event.name() == "insurance-taken"
    assert (taken.table, taken.round, taken.box) == (TABLE, 1, 1)
    assert (taken.player, taken.area) == ("Ann", "insurance-player-4")
    scene.deal("2H")
    scene.settle()
    *_, (_, moved) = kept(scene).entries
    lines = [movement for movement in moved if movement.kind is MovementKind.SETTLEMENT]
    assert {line.area for line in lines} == {"player", "insurance-player-4"}
    assert all(line.clause and line.round == 1 and line.box == 1 for line in lines)


def test_a_void_returns_every_stake_by_its_clause() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000 tie=1000", Ben="banker=2000")
    scene.report(seen="wrong-set", by=SUPERVISOR)
    scene.do(VoidRound, SHIFT)
    accounts = kept(scene)
    (voided,) = (moved for event, moved in accounts.entries if event.name() == "round-voided")
    assert [movement.kind for movement in voided] == [MovementKind.VOID] * 3
    assert all(movement.clause for movement in voided)
    assert (accounts["player/Ann"], accounts["player/Ben"]) == (4000, 2000)
    assert results_of(accounts.entries).voids == 1


def test_bets_return_where_insurance_was_not_offered_even_after_the_settlement() -> None:
    scene = Scene("insurance", offering=Offering.DEALER)
    scene.start(Ann="player=3000 tie=1000")
    scene.deal("KS KH 6D 5C")
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.deal("4S")
    scene.settle()
    scene.report(seen="insurance-neglected")
    scene.do(ReturnBets, MANAGER)
    accounts = kept(scene)
    ((back,),) = (moved for event, moved in accounts.entries if event.name() == "bets-returned")
    assert (back.kind, back.area, back.clause) == (MovementKind.RETURN, "player", "5.13")
    assert (accounts["player/Ann"], accounts[f"play/{TABLE}/1"]) == (3000, 1000)


def test_a_partial_loss_is_shared_exactly() -> None:
    """No built-in book has one; the formula does not mind."""
    scene = Scene("insurance", chip=1)
    scene.start(Ann="player=1001")
    line = SettledBet(1, "Ann", "player", 1001, Result.LOSE, -500, "4.1.1")
    event = RoundSettled("Dan", scene.log[-1].role, 0, 1, Winner.BANKER, (line,))
    (movement,) = movements_of(TABLE, scene.state, event)
    assert {posting.account: posting.amount for posting in movement.postings} == {
        f"play/{TABLE}/1": -1001,
        f"held/{TABLE}/Ann": 501,
        f"float/{TABLE}": 500,
    }


def test_postings_that_do_not_sum_to_zero_are_a_mistake() -> None:
    with pytest.raises(AssertionError, match="sum to zero"):
        Movement(MovementKind.BET, (Posting("player/Ann", -2), Posting("play/t1/1", 1)))


def test_the_example_of_the_page_comes_out_as_it_says() -> None:
    page = (Path(__file__).parents[2] / "docs/concepts/ledger.md").read_text(encoding="utf-8")
    table = page.split("Lee has 100 and bets 100 on Player:")[1].split("##")[0]
    head, _, *rows = (line.strip("|").split("|") for line in table.splitlines() if line.startswith("|"))
    names = [name.strip(" `") for name in head[1:]]
    told = [[int(cell) if cell.strip() else 0 for cell in cells] for _, *cells in rows[1:]]

    def settled(net: int, result: Result, winner: Winner) -> Event:
        line = SettledBet(1, "Lee", "player", 100, result, net, "4.1.1")
        return RoundSettled(*by, round=1, winner=winner, bets=(line,))

    scene = Scene("insurance", chip=1, minimum=10)
    scene.start(Lee="player=100")
    by = ("Dan", scene.log[-1].role, 0)
    accounts, seen = KeptAccounts(), []
    for events in (
        scene.log,
        [settled(100, Result.WIN, Winner.PLAYER)],
        [SettlementReversed(*by, round=1)],
        [settled(-100, Result.LOSE, Winner.BANKER)],
        [TableClosed(*by)],
    ):
        accounts.take_in(events)
        seen.append([accounts[name] for name in names])
    assert seen == told


# ── Winnings that are free before the next call ──────────────────────────────────────────────────


def paid(**terms: Any) -> Scene:
    """Ann has won 100 on Player with a 6 against 5, Ben has lost 100 on Banker; the round is settled."""
    scene = Scene("commission", **terms)
    scene.start(Ann="player=10000", Ben="banker=10000")
    scene.deal("2S KH 4D 5C KC")
    scene.settle()
    return scene


def booked(scene: Scene) -> KeptAccounts:
    accounts = KeptAccounts()
    accounts.take_in(scene.log)
    return accounts


@pytest.mark.parametrize("leave", [LeaveSeat, WalkAway])
def test_who_leaves_has_the_winnings_at_once(leave: Any) -> None:
    scene = paid()
    assert booked(scene)[f"held/{TABLE}/Ann"] == 20000
    scene.do(leave, "Ann")
    accounts = booked(scene)
    assert (accounts[f"held/{TABLE}/Ann"], accounts["player/Ann"]) == (0, 20000)
    scene.call()
    assert booked(scene)["player/Ann"] == 20000, "once, and not again at the call"


def test_a_pause_frees_everything_that_is_held_and_a_loser_has_nothing_to_be_freed() -> None:
    scene = paid()
    scene.do(PauseTable)
    released = [event for event in scene.log if isinstance(event, WinningsReleased)]
    assert [(event.player, event.amount) for event in released] == [("Ann", 20000)]
    assert not scene.state.winnings()
    scene.do(ResumeTable)
    scene.do(LeaveSeat, "Ann")
    assert len([event for event in scene.log if isinstance(event, WinningsReleased)]) == 1


def test_a_reversal_leaves_who_left_with_what_was_paid_and_the_house_bears_it() -> None:
    """Ann went with 200. The round is void after all: Ben has his stake again, and Ann's goes to the bank."""
    scene = paid()
    scene.do(LeaveSeat, "Ann")
    scene.report("5H:player")
    accounts = booked(scene)
    assert (accounts["player/Ann"], accounts[f"play/{TABLE}/1"], accounts["bank/USD"]) == (20000, 20000, -20000)
    scene.do(JudgeReconstruction, SUPERVISOR, possible=False)
    accounts = booked(scene)
    assert (accounts["player/Ann"], accounts["player/Ben"], accounts["bank/USD"]) == (20000, 10000, -10000)
    scene.call()
    assert booked(scene)["player/Ann"] == 20000


def test_a_settlement_that_is_made_again_repays_the_house_first() -> None:
    scene = paid()
    scene.do(LeaveSeat, "Ann")
    scene.report("5H:player")
    scene.do(DismissReport, SUPERVISOR, reason="nothing was wrong")
    accounts = booked(scene)
    assert (accounts["player/Ann"], accounts[f"held/{TABLE}/Ann"], accounts["bank/USD"]) == (20000, 0, 0)
    scene.call()
    assert booked(scene)["player/Ann"] == 20000
