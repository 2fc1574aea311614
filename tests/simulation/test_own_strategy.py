"""A user's own strategy in both forms: the same numbers as a built-in one that plays alike."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from punto.books import load
from punto.money import format_amount
from punto.odds import Undealt, insurance_odds
from punto.rules.outcome import Hand, Winner
from punto.simulation.deals import ShoeTerms
from punto.simulation.own_kernel import OwnSessions
from punto.simulation.own_strategy import (
    OwnOffer,
    OwnSource,
    StrategyFault,
    View,
    given_source,
    own_strategy,
    read_source,
)
from punto.simulation.run import deals_of
from punto.simulation.sessions import Sessions, SessionTally
from punto.simulation.strategy import Insuring, InsuringRule, Progression, Strategy

FORMS = ["view", "arrays"]
SHOES = 60


def own(text: str, name: str, limits: Strategy, book_name: str) -> OwnSessions:
    book = load(book_name)
    deals = deals_of(book, ShoeTerms(), 11)
    return OwnSessions(deals, book, own_strategy(book, limits), source=OwnSource("own.py", name, text))


def tally(sessions: Sessions, shoes: int = SHOES) -> SessionTally:
    return SessionTally.empty(sessions).plus(sessions.play(0, shoes))


def assert_same(mine: Sessions, built_in: Sessions) -> None:
    one, two = tally(mine), tally(built_in)
    assert one.bets() == two.bets()
    assert (one.net, one.drawdown, one.moments) == (two.net, two.drawdown, two.moments)
    assert np.array_equal(one.nets.array(), two.nets.array())
    assert one.ends.tolist() == two.ends.tolist()


SYSTEMS = """
def flat_view(view):
    return {"banker": 10_000}

def martingale_view(view):
    losses, before = view.memory.get("losses", 0), view.memory.get("net", 0)
    losses = losses + 1 if view.net < before else 0 if view.net > before else losses
    view.memory.update(losses=losses, net=view.net)
    return {"banker": 10_000 * min(2 ** losses, max(1, view.bankroll // 10_000))}
"""


ARRAYS = """
def arrays(round, net, bankroll, last, results, unseen, memory, stakes):
    begun_with = bankroll - net
    if begun_with == 205_000:
        stakes[1] = 10_000
    elif begun_with == 205_001:
        if net < memory[1]:
            memory[0] += 1
        elif net > memory[1]:
            memory[0] = 0
        memory[1] = net
        stakes[1] = 10_000 * min(2 ** int(memory[0]), max(1, bankroll // 10_000))
    elif begun_with == 50_000:
        seen = 0
        for i in range(13):
            seen += unseen[i] * 31 + i * unseen[i]
        for winner in results:
            seen += 7 if winner == 1 else 0
        seen += round + last[0]
        stakes[0], stakes[2], stakes[4] = seen % 3 * 101, seen % 5 * 7, seen % 2
    elif begun_with == 1_000_001:
        stakes[0] = -5
    elif begun_with == 1_000_002:
        stakes[5] = 5
    else:
        raise ValueError
"""
"""Several strategies in one function, for it takes seconds to compile one: the bankroll says which is played."""
BANKROLLS = {Progression.FLAT: 205_000, Progression.MARTINGALE: 205_001}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("progression", [Progression.FLAT, Progression.MARTINGALE])
def test_the_same_numbers_as_a_built_in_strategy(progression: Progression, form: str) -> None:
    bankroll = BANKROLLS[progression]
    strategy = Strategy(stakes={"banker": 10_000}, progression=progression, bankroll=bankroll, goal=300_000, shoes=2)
    source = (SYSTEMS, f"{progression.value}_view") if form == "view" else (ARRAYS, "arrays")
    mine = own(*source, strategy, "commission")
    assert_same(mine, Sessions(mine.deals, mine.book, strategy))
    assert tally(mine).ruined


INSURING = """
CELLS = {cells}

class View:
    def bets(self, view):
        return {{"banker": 10_000, "player": 5_000}}

    def insure(self, view, offer):
        place = (offer.hand.value, offer.cards, offer.player_points, offer.banker_points)
        choice = CELLS.get(place, "pass")
        return offer.most if choice == "insure" else 1 if choice == "hold" else 0

TABLE = {table}

class Arrays:
    @staticmethod
    def bets(round, net, bankroll, last, results, unseen, memory, stakes):
        stakes[0], stakes[1] = 5_000, 10_000

    @staticmethod
    def insure(offer, unseen, memory):
        choice = TABLE[offer[0]][offer[1] - 4][offer[2]][offer[3]]
        return offer[7] if choice == 1 else min(choice, 1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("form", ["View", "Arrays"])
@pytest.mark.parametrize("bankroll", [None, 60_000])
def test_insurance_is_decided_as_a_policy_would(form: str, bankroll: int | None) -> None:
    book = load("insurance")
    offers = insurance_odds(book, Undealt.of_decks(8)).offers
    rules = [
        InsuringRule(o.offer.hand, o.offer.window.cards, o.player_points, o.banker_points, Insuring(o.choice.value))
        for o in offers
    ]
    cells = {(r.hand.value, r.cards, r.player_points, r.banker_points): r.choice.value for r in rules}
    numbers = {"pass": 0, "insure": 1, "hold": 2}
    table = tuple(
        tuple(
            tuple(
                tuple(numbers[cells.get((hand, cards, player, banker), "pass")] for banker in range(10))
                for player in range(10)
            )
            for cards in (4, 5)
        )
        for hand in ("player", "banker")
    )
    strategy = Strategy(stakes={"player": 5_000, "banker": 10_000}, insuring=tuple(rules), bankroll=bankroll)
    limits = Strategy(stakes={}, bankroll=bankroll)
    mine = own(INSURING.format(cells=cells, table=table), form, limits, "insurance")
    assert_same(mine, Sessions(mine.deals, mine.book, strategy))
    assert any(bet.bet.startswith("insurance-") for bet in tally(mine).bets())


def test_a_function_that_does_not_decide_insurance_follows_the_policy() -> None:
    rule = InsuringRule(next(iter(load("insurance").offers.cells.values()))[0].hand, 4, 5, 6, Insuring.INSURE)
    strategy = Strategy(stakes={"banker": 10_000}, insuring=(rule,))
    mine = own(SYSTEMS, "flat_view", strategy, "insurance")
    assert_same(mine, Sessions(mine.deals, mine.book, strategy))


def test_the_hand_of_an_offer_is_text_as_in_a_policy_file() -> None:
    class Insures:
        def bets(self, _: View) -> dict[str, int]:
            return {"banker": 5_000}

        def insure(self, _: View, offer: OwnOffer) -> int:
            return offer.most if offer.hand == "banker" else 0

    book = load("insurance")
    deals = deals_of(book, ShoeTerms(), 1)
    mine = OwnSessions(deals, book, own_strategy(book, Strategy(stakes={})), source=given_source(Insures))
    assert any(bet.bet.startswith("insurance-banker") for bet in tally(mine, 3).bets())
    assert (f"{Hand.BANKER}", f"{Winner.TIE}") == ("banker", "tie")


def test_an_error_of_a_strategy_names_the_line_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("def bets(view):\n    return half(view)\n\ndef half(view):\n    return view.ev / 2\n")
    book = load("commission")
    source = read_source(str(file), "bets")
    mine = OwnSessions(deals_of(book, ShoeTerms(), 1), book, own_strategy(book, Strategy(stakes={})), source=source)
    with pytest.raises(StrategyFault) as told:
        mine.play(0, 1)
    assert str(told.value).startswith("the strategy failed: AttributeError: 'View' object has no attribute 'ev'")
    assert str(told.value).endswith(f"(line 5 of {file})")


def test_the_last_round_is_spelled_out() -> None:
    seen: list[tuple[str, str]] = []

    def bets(view: View) -> dict[str, int]:
        if view.last is not None:
            last = view.last.spelled
            assert last.index == view.last.totals
            higher = (last.player_points > last.banker_points) - (last.player_points < last.banker_points)
            assert last.winner == ("banker", "tie", "player")[higher + 1]
            seen.append((last.winner[0].upper(), view.results[-1]))
        return {"banker": 5_000}

    book = load("commission")
    source, deals = given_source(bets), deals_of(book, ShoeTerms(), 1)
    OwnSessions(deals, book, own_strategy(book, Strategy(stakes={})), source=source).play(0, 1)
    assert {letter for letter, _ in seen} == {"P", "B", "T"}
    assert all(letter == result for letter, result in seen)


def test_the_smallest_stake_that_keeps_a_window_open_never_passes_the_cap() -> None:
    book = load("insurance")
    rules = tuple(
        InsuringRule(offer.hand, cards, player, banker, Insuring.HOLD)
        for (cards, player, banker), offers in book.offers.cells.items()
        for offer in offers
        if offer.odds > 1
    )
    sessions = Sessions(deals_of(book, ShoeTerms(), 1), book, Strategy(stakes={"banker": 1}, insuring=rules))
    assert rules
    assert [bet.bet for bet in tally(sessions).bets()] == ["banker"], "a stake of 1 would pay more than the main bet"


ANTES = """
class View:
    def bets(self, view):
        return {"ante-player": 100}

    def follow(self, view, ante):
        return ante.shown[0].points not in (0, 3)

class Arrays:
    @staticmethod
    def bets(round, net, bankroll, last, results, unseen, memory, stakes):
        stakes[10] = 100

    @staticmethod
    def follow(ante, unseen, memory):
        return ante[2] != 0 and ante[2] != 3

def by_policy(view):
    return {"ante-player": 100}
"""


@pytest.mark.slow
@pytest.mark.parametrize("form", ["View", "Arrays", "by_policy"])
def test_antes_are_followed_or_given_up(form: str) -> None:
    given_up: dict[str, tuple[int, ...]] = {"ante-player": (0, 3)}
    strategy = Strategy(stakes={"ante-player": 100}, giving_up=given_up, bankroll=2000)
    limits = Strategy(stakes={}, bankroll=2000, giving_up=given_up if form == "by_policy" else {})
    mine = own(ANTES, form, limits, "knockout")
    assert list(mine.strategy.stakes)[10] == "ante-player"
    assert_same(mine, Sessions(mine.deals, mine.book, strategy))


SEEING = """
def view(view):
    seen = sum(view.unseen) * 31 + sum(i * n for i, n in enumerate(view.unseen))
    seen += 7 * view.results.count("B") + view.round + (view.last.totals // 40 if view.last else 0)
    return {"player": seen % 3 * 101, "tie": seen % 5 * 7, "banker-pair": seen % 2}
"""


@pytest.mark.slow
def test_both_forms_see_the_same() -> None:
    limits = Strategy(stakes={}, bankroll=50_000, stop_loss=3_000, minimum=7, maximum=150)
    one, two = own(SEEING, "view", limits, "commission"), own(ARRAYS, "arrays", limits, "commission")
    assert_same(one, two)
    assert {bet.bet for bet in tally(one).bets()} == {"player", "tie"}, "a stake of 1 is below the minimum"


def test_a_stake_that_cannot_be_afforded_ruins() -> None:
    text = "def bets(view):\n    return {'player': 1000 if view.round > 3 else 0}\n"
    ruined = tally(own(text, "bets", Strategy(stakes={}, bankroll=999), "commission"))
    assert ruined.ruined == SHOES
    assert ruined.bets() == ()
    enough = tally(own(text, "bets", Strategy(stakes={}, bankroll=10**9), "commission"))
    assert enough.ruined == 0


EIGHT = "def bets(r, n, b, l, x, u, m, s):"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def bets(a, b):\n    return {}\n", "takes 2 parameters; it takes one, a view, or 8"),
        ("class bets:\n    pass\n", "has no method bets"),
        ("class bets:\n    def bets(self, view): pass\n    def insure(self): pass\n", "takes 1 parameters, not 3"),
        ("import sys\nsys.exit(3)\n", "cannot be loaded: SystemExit: 3"),
        ("def bets(view):\n    raise SystemExit\n", "the strategy failed: SystemExit"),
        ("def bets(view):\n    return {'winning-total-7': 5}\n", "together with player or banker"),
        ("def bets(view):\n    return 'banker'\n", "gives 'banker'; it gives stakes by betting area, such as {"),
        ("def bets(view):\n    return 5\n", "the strategy gives 5; it gives stakes by betting area"),
        ("def bets(view):\n    return {'bankr': 5}\n", "not a betting area it may use (did you mean banker?)"),
        ("def bets(view):\n    return {'player': 10**10}\n", "a whole number of minor units up to 1000000000, or text"),
        ("def bets(view):\n    return {'player': 99.5}\n", "stakes 99.5 on player; a stake is a whole number"),
        ("def bets(view):\n    return {'player': '12.345'}\n", "stakes '12.345' on player; a stake is"),
        ("def bets(view):\n    return {'player': True}\n", "stakes True on player; a stake is a whole number"),
        (f"{EIGHT}\n    s.moon()\n", "cannot be compiled: an array has no moon (line 2 of "),
        (f"{EIGHT}\n    s[1] = '100' + 5\n", "+ does not take text and a whole number (line 2 of "),
        (f"{EIGHT}\n    s['banker'] = 5\n", "an array has no place for text (line 2 of "),
        (f"{EIGHT}\n    a = 1\n    if n > 0:\n        a = 'x'\n    s[1] = a\n", "and once text (line 5 of "),
        (f"{EIGHT}\n\n    s[1] = nowhere\n", "name 'nowhere' is not defined (line 3 of "),
        (f"def two():\n    return 2\n{EIGHT}\n    s[1] = two()\n", "two is not compiled (line 4 of "),
        (f"{EIGHT}\n    a = 5\n    with open('x') as f:\n        s[1] = a\n", "construct is not supported (line 3 of "),
        (f"{EIGHT}\n    if r > 2:\n        raise ValueError('out')\n", "failed: ValueError: out (line 3 of "),
        (f"{EIGHT}\n    s[r + 500] = 5\n", "failed: IndexError: index is out of bounds (in "),
        (
            f"class bets:\n    {EIGHT}\n        s[1] = 5\n    def insure(o, u, m):\n        return o.most\n",
            "no most (line 5 of ",
        ),
    ],
)
def test_what_cannot_be_used_is_told_in_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(text)
    book = load("knockout")
    with pytest.raises(StrategyFault, match=re.escape(sentence)) as told:
        OwnSessions(
            deals_of(book, ShoeTerms(), 1),
            book,
            own_strategy(book, Strategy(stakes={})),
            source=read_source(str(file), "bets"),
        ).play(0, 1)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("kind", [np.int64, np.uint16, float, np.float64, format_amount, lambda n: Decimal(n) / 100])
def test_a_stake_may_be_any_number_that_is_whole_or_an_amount_in_text(kind: Callable[[int], Any]) -> None:
    class Insures:
        def __init__(self, made: Callable[[int], Any] = kind) -> None:
            self.made = made

        def bets(self, _: View) -> dict[str, Any]:
            return {"player": self.made(5_000)}

        def insure(self, _: View, offer: OwnOffer) -> Any:
            return self.made(offer.most)

    class Plain(Insures):
        def __init__(self) -> None:
            super().__init__(int)

    book, tallies = load("insurance"), []
    for strategy in (Insures, Plain):
        sessions = OwnSessions(
            deals_of(book, ShoeTerms(), 1), book, own_strategy(book, Strategy(stakes={})), source=given_source(strategy)
        )
        tallies.append(sessions.play(0, 2).sums)
    assert tallies[0] == tallies[1] and sum(tallies[0]) != 0


def test_the_text_travels_and_not_the_file() -> None:
    sessions = own(SYSTEMS, "flat_view", Strategy(stakes={}), "commission")
    assert callable(sessions.source.loaded)
    assert pickle.loads(pickle.dumps(sessions.source)) == sessions.source


def test_insurance_is_kept_open_by_either_word() -> None:
    """Files of earlier versions say hold, which is a word for money."""
    for word in ("keep-open", "hold"):
        text = f'{{"hand":"banker","cards":4,"player_points":5,"banker_points":6,"choice":"{word}"}}'
        assert msgspec.json.decode(text, type=InsuringRule).choice is Insuring.HOLD
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode('"keep"', type=Insuring)


@pytest.mark.slow
def test_what_a_compiled_function_does_wrong_is_told_in_one_sentence() -> None:
    sentences = ("stakes -5 on player", "only beside player or banker", "the strategy failed: ValueError")
    for number, sentence in enumerate(sentences, start=1):
        sessions = own(ARRAYS, "arrays", Strategy(stakes={}, bankroll=1_000_000 + number), "knockout")
        with pytest.raises(StrategyFault, match=sentence) as told:
            sessions.play(0, 1)
        assert "\n" not in str(told.value)
