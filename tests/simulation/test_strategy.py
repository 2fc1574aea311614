"""Strategies: progressions as published, stakes as laid, sessions that stop where they should."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from punto.books import load
from punto.cards.card import DECK
from punto.coup.coup import deal
from punto.refusal import Refusal
from punto.rules.outcome import Facts, Hand, Totals
from punto.simulation.deals import Recorded, ShoeTerms, record_shoes
from punto.simulation.own_kernel import OwnSessions
from punto.simulation.own_strategy import StrategyFault, own_strategy, read_source
from punto.simulation.run import deals_of
from punto.simulation.sessions import Sessions, SessionTally
from punto.simulation.strategy import (
    CountSystem,
    Insuring,
    InsuringRule,
    Progression,
    Strategy,
    follow_progression,
    fresh_progression,
    progression_number,
    units_to_stake,
)
from punto.table.slip import offers_of, settle_slip
from tests.simulation.recorded_facts import facts_of

BOOK = load("commission")
DEALS = deals_of(BOOK, ShoeTerms(), 4)
SHOES = 30


@pytest.mark.slow
@pytest.mark.parametrize(
    ("progression", "results", "staked"),
    [
        (Progression.FLAT, "LLWLT", [1, 1, 1, 1, 1, 1]),
        (Progression.MARTINGALE, "LLLWLT", [1, 2, 4, 8, 1, 2, 2]),
        (Progression.PAROLI, "WWWWLW", [1, 2, 4, 1, 2, 1, 2]),
        (Progression.DALEMBERT, "LLLWWTWWW", [1, 2, 3, 4, 3, 2, 2, 1, 1, 1]),
        (Progression.FIBONACCI, "LLLLLWWLT", [1, 1, 2, 3, 5, 8, 3, 1, 2, 2]),
        (Progression.LABOUCHERE, "LWWLWW", [5, 6, 6, 3, 6, 5, 5]),
        (Progression.ONE_THREE_TWO_SIX, "WWWWWLWT", [1, 3, 2, 6, 1, 3, 1, 3, 3]),
    ],
)
def test_progressions(progression: Progression, results: str, staked: list[int]) -> None:
    kind, fresh = progression_number(progression), fresh_progression(progression, (1, 2, 3, 4))
    memory = fresh.copy()
    units = [units_to_stake(kind, memory)]
    for result in results:
        follow_progression(kind, memory, fresh, units[-1], {"W": 1, "L": -1, "T": 0}[result])
        units.append(units_to_stake(kind, memory))
    assert units == staked


def played(strategy: Strategy, name: str = "commission", terms: ShoeTerms | None = None) -> SessionTally:
    book = load(name)
    assert strategy.problem(book) is None
    sessions = Sessions(deals_of(book, terms or ShoeTerms(), 4), book, strategy)
    return SessionTally.empty(sessions).plus(sessions.play(0, SHOES * strategy.shoes))


def rounds(recorded: Recorded) -> list[list[Facts]]:
    return [
        [facts_of(recorded, shoe, number) for number in range(int(recorded.lengths[shoe]))]
        for shoe in range(len(recorded.lengths))
    ]


def net(area: str, facts: Facts, stake: int, name: str = "commission") -> int:
    exact = load(name).pay_tables[area].outcome(facts).net * stake
    return int((2 * exact + 1) // 2)


def test_flat_stakes_are_settled_by_the_pay_tables() -> None:
    tally = played(Strategy(stakes={"banker": 101, "tie": 7, "player-pair": 3}))
    shoes = rounds(record_shoes(DEALS, 0, SHOES))
    for bet in tally.bets():
        stake = tally.sessions.strategy.stakes[bet.bet]
        nets = [net(bet.bet, facts, stake) for shoe in shoes for facts in shoe]
        assert (bet.made, bet.staked, bet.net) == (len(nets), stake * len(nets), sum(nets))
        assert bet.mean == pytest.approx(np.mean(nets) / stake)
        assert bet.error == pytest.approx(np.std(nets, ddof=1) / stake / len(nets) ** 0.5)
    assert tally.number == SHOES


def test_a_martingale_by_hand() -> None:
    """Stakes double after losses, up to the table's maximum, and a bankroll gives out."""
    strategy = Strategy(
        stakes={"player": 100}, progression=Progression.MARTINGALE, maximum=900, bankroll=2000, goal=1500
    )
    tally = played(strategy)
    total = drawdowns = ruined = reached = 0
    for shoe in rounds(record_shoes(DEALS, 0, SHOES)):
        won = peak = drawdown = losses = 0
        for facts in shoe:
            factor = min(2**losses, 9, (2000 + won) // 100)
            if factor == 0:
                ruined += 1
                break
            gain = net("player", facts, 100 * factor)
            losses = 0 if gain > 0 else losses + (gain < 0)
            won += gain
            peak = max(peak, won)
            drawdown = max(drawdown, peak - won)
            if won >= 1500:
                reached += 1
                break
        total += won
        drawdowns += drawdown
    assert tally.net[0] == pytest.approx(total / SHOES)
    assert tally.drawdown is not None
    assert tally.drawdown[0] == pytest.approx(drawdowns / SHOES)
    assert tally.ends.tolist() == [SHOES - ruined - reached, ruined, reached, 0]
    assert ruined
    assert reached
    assert tally.ruined == ruined


def test_a_count_bets_when_it_says_so() -> None:
    tags = (1, 1, -2, -2, -2, -1, -1, -2, 4, 1)
    recorded = record_shoes(DEALS, 0, SHOES)
    made = 0
    for shoe in range(SHOES):
        shown = recorded.shown_rank(shoe)
        assert shown is not None
        running, unseen = tags[min(shown, 10) - 1], 415
        for number in range(int(recorded.lengths[shoe])):
            made += Fraction(running * 52, unseen) >= 3
            ranks = recorded.round_ranks(shoe, number)
            running += sum(tags[min(rank, 10) - 1] for rank in ranks)
            unseen -= len(ranks)
    [bet] = played(Strategy(stakes={"tie": 100}, count=CountSystem(tags, 3.0))).bets()
    assert 0 < bet.made == made


def test_insurance_is_laid_and_settled_by_the_book() -> None:
    book = load("insurance")
    cells = tuple(
        InsuringRule(offer.hand, cards, p, b, Insuring.INSURE)
        for (cards, p, b), offers in book.offers.cells.items()
        for offer in offers
    )
    tally = played(Strategy(stakes={"banker": 4200}, insuring=cells), "insurance")
    recorded = record_shoes(deals_of(book, ShoeTerms(), 4), 0, SHOES)
    expected = {"insurance-banker-4": [0, 0, 0], "insurance-banker-5": [0, 0, 0]}
    for shoe in range(SHOES):
        for number in range(int(recorded.lengths[shoe])):
            ranks = recorded.round_ranks(shoe, number)
            totals = facts_of(recorded, shoe, number).totals
            winner = Totals(totals // 40, 2, totals // 4 % 10, 2).winner
            p, b = ((ranks[i].points + ranks[i + 2].points) % 10 for i in (0, 1))
            moments: list[tuple[int, int, int | None]] = [(4, p, None)]
            if totals // 2 % 2:
                moments.append((5, (p + ranks[4].points) % 10, ranks[4].points))
            cap = Fraction(4200)
            for cards, points, third in moments:
                for offer in book.open_offers(cards, points, b, third):
                    stake = int(cap / offer.odds)
                    if offer.hand is Hand.BANKER and stake:
                        cap -= stake * offer.odds
                        won = int((2 * offer.outcome(winner).net * stake + 1) // 2)
                        row = expected[offer.area]
                        expected[offer.area] = [row[0] + 1, row[1] + stake, row[2] + won]
    found = {bet.bet: [bet.made, bet.staked, bet.net] for bet in tally.bets() if bet.bet in expected}
    assert found == expected
    assert all(row[0] for row in expected.values())


@pytest.mark.clause("insurance", "5.3")
def test_an_offer_on_one_bet_that_is_passed_up_ends_insurance_for_both() -> None:
    """An offer on one bet that is passed up closes the second window for both. A slip says what may be laid."""
    book = load("insurance")
    cells = tuple(
        InsuringRule(offer.hand, cards, p, b, Insuring.INSURE)
        for (cards, p, b), offers in book.offers.cells.items()
        for offer in offers
        if cards == 5 or (p + 2 * b + (offer.hand is Hand.BANKER)) % 3 == 0
    )
    wanted = {(rule.hand, rule.cards, rule.player_points, rule.banker_points) for rule in cells}
    stakes = {"player": 4200, "banker": 4200}
    tally = played(Strategy(stakes=stakes, insuring=cells), "insurance")
    recorded = record_shoes(deals_of(book, ShoeTerms(), 4), 0, SHOES)
    expected: dict[str, list[int]] = {}
    forgone = 0
    for shoe in range(SHOES):
        for number in range(int(recorded.lengths[shoe])):
            ranks = recorded.round_ranks(shoe, number)
            coup = deal(book.play, [DECK[rank - 1] for rank in ranks])
            slip, room = dict(stakes), dict.fromkeys(Hand, Fraction(4200))
            for offer in sorted(offers_of(book, coup).values(), key=lambda one: one.window.cards):
                cards = offer.window.cards
                points = coup.player_points if cards == 5 else sum(card.points for card in coup.player[:2]) % 10
                banker = sum(card.points for card in coup.banker[:2]) % 10
                stake = int(room[offer.hand] / offer.odds)
                if (offer.hand, cards, points, banker) not in wanted or not stake:
                    continue
                if isinstance(settle_slip(book, coup, slip | {offer.area: stake}), Refusal):
                    forgone += 1
                    continue
                slip[offer.area] = stake
                room[offer.hand] -= stake * offer.odds
            lines = settle_slip(book, coup, slip)
            assert not isinstance(lines, Refusal), lines.sentence
            for line in lines:
                row = expected.setdefault(line.area, [0, 0, 0])
                expected[line.area] = [row[0] + 1, row[1] + line.stake, row[2] + line.net]
    assert {bet.bet: [bet.made, bet.staked, bet.net] for bet in tally.bets() if bet.bet in expected} == expected
    assert len(expected) == 6 and forgone


def test_antes_are_given_up_or_followed() -> None:
    tally = played(Strategy(stakes={"ante-player": 100}, giving_up={"ante-player": (0, 3)}), "knockout")
    book = load("knockout")
    recorded = record_shoes(deals_of(book, ShoeTerms(), 4), 0, SHOES)
    total = followed = 0
    for shoe, facts_list in enumerate(rounds(recorded)):
        for number, facts in enumerate(facts_list):
            if recorded.round_ranks(shoe, number)[0].points in (0, 3):
                total -= 100
                continue
            followed += 1
            assert book.ante is not None
            wager = net("wager-player", facts, 100 * book.ante.multiple, "knockout")
            total += net("ante-player", facts, 100, "knockout") + wager
    ante, wager_bet = tally.bets()
    assert (ante.net, wager_bet.made) == (total, followed)


def test_sessions_of_several_shoes_and_a_stop_loss() -> None:
    tally = played(Strategy(stakes={"banker": 100}, shoes=3, stop_loss=500))
    expected = []
    for session in range(SHOES):
        won = 0
        for shoe in rounds(record_shoes(DEALS, 3 * session, 3)):
            for facts in shoe:
                if won > -500:
                    won += net("banker", facts, 100)
        expected.append(won)
    assert tally.net[0] == pytest.approx(np.mean(expected))
    assert tally.number == SHOES


def test_a_session_broken_off_counts_for_its_bets_only() -> None:
    sessions = Sessions(DEALS, BOOK, Strategy(stakes={"banker": 100}, shoes=2))
    batch = sessions.play(0, 3, 10)
    assert len(batch.results) == 1
    assert batch.sums[0] == batch.rounds == batch.lengths.sum()
    assert batch.lengths[-1] == 10


def test_a_users_own_function(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text('def bets(view):\n    return {"banker": 100} if view.results.endswith("PP") else None\n')
    own = OwnSessions(DEALS, BOOK, own_strategy(BOOK, Strategy(stakes={})), source=read_source(str(file), "bets"))
    tally = SessionTally.empty(own).plus(own.play(0, SHOES))
    nets = []
    for shoe in rounds(record_shoes(DEALS, 0, SHOES)):
        winners = "".join("P" if f.totals // 40 > f.totals // 4 % 10 else "x" for f in shoe)
        nets += [net("banker", f, 100) for i, f in enumerate(shoe) if winners[:i].endswith("PP")]
    [bet] = tally.bets()
    assert (bet.made, bet.net) == (len(nets), sum(nets))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def bets(view):\n    return {'moon': 1}\n", "'moon', which is not a betting area"),
        ("def bets(view):\n    return {'banker': -1}\n", "stakes -1 on banker"),
        ("def bets(view):\n    raise KeyError('x')\n", "the strategy failed: KeyError"),
        ("bets = 3\n", "has no function bets"),
        ("syntax error", "cannot be loaded"),
    ],
)
def test_functions_that_cannot_be_used(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    limits = own_strategy(BOOK, Strategy(stakes={}))
    with pytest.raises(StrategyFault, match=sentence):
        OwnSessions(DEALS, BOOK, limits, source=read_source(str(file), "bets")).play(0, 1)


@pytest.mark.parametrize(
    ("strategy", "book", "sentence"),
    [
        (Strategy(stakes={}), "ez", "bets on something"),
        (Strategy(stakes={"moon": 1}), "ez", "'moon' is not an opening bet of ez"),
        (Strategy(stakes={"wager-player": 1}), "knockout", "not an opening bet of knockout"),
        (Strategy(stakes={"winning-total-7": 1}), "knockout", "together with player or banker"),
        (Strategy(stakes={"tie": 5}, minimum=10), "ez", "outside the limits"),
        (Strategy(stakes={"tie": 50}, maximum=10), "ez", "outside the limits"),
        (Strategy(stakes={"tie": 5}, minimum=10, maximum=5), "ez", "0.05 is less than the minimum"),
        (Strategy(stakes={"tie": 5, "player": 6}, bankroll=10), "ez", "0.10 is less than the first stakes, 0.11"),
        (Strategy(stakes={"tie": 5}, count=CountSystem((1, 2), 1)), "ez", "or 13, not 2"),
        (Strategy(stakes={"tie": 5}, line=()), "ez", "Labouchère line"),
        (Strategy(stakes={"tie": 5}, shoes=0), "ez", "from 1 to 1000 shoes, not 0"),
        (Strategy(stakes={"tie": 5}, giving_up={"a": ()}), "ez", "ez has no antes"),
        (Strategy(stakes={"perfect-pair": 5}), "docs/examples/side-bets.toml", "asks for suits"),
    ],
)
def test_strategies_that_cannot_be(strategy: Strategy, book: str, sentence: str) -> None:
    path = Path(__file__).parents[2] / book
    problem = strategy.problem(load(str(path) if path.suffix else book))
    assert problem is not None
    assert sentence in problem
