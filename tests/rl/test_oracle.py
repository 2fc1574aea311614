"""The oracle's values beside every order of a few cards, settled as slips are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import Any

import gymnasium
import numpy as np
import pytest

from punto.books import load
from punto.cards.card import Card, Rank, parse_cards
from punto.coup.coup import WrongNumberOfCards, deal
from punto.odds import Undealt, advise, insurance_odds
from punto.refusal import Refusal
from punto.rl import AgentSetting, BaccaratEnv, Deciding, Oracle, regret_of
from punto.rl.oracle import unit_values
from punto.rl.setting import place_column, stake_column, unseen_column
from punto.rules.outcome import Hand
from punto.table.slip import settle_slip


def observed(
    setting: AgentSetting, phase: Deciding, table: str, unseen: str, stakes: Mapping[str, int], **more: int
) -> np.ndarray[Any, Any]:
    """What is seen with these cards on the table, these still to come, and these units staked."""
    seen, cards = np.zeros(len(setting.columns), np.int16), parse_cards(table)
    numbers = {"phase": phase.number, "dealt": len(cards), **more}
    for i, card in enumerate(cards):
        numbers[place_column(tuple(Hand)[i % 2], i // 2 + 1)] = card.rank
    for card in parse_cards(unseen):
        numbers[unseen_column(card.rank)] = numbers.get(unseen_column(card.rank), 0) + 1
    numbers |= {stake_column(area): units for area, units in stakes.items()}
    for name, value in numbers.items():
        seen[setting.places[name]] = value
    return seen


def net(setting: AgentSetting, cards: Sequence[Card], slip: Mapping[str, int]) -> int | None:
    """What a slip comes to; none where the book does not allow it."""
    settled = settle_slip(setting.book, deal(setting.book.play, cards), slip)
    return None if isinstance(settled, Refusal) else sum(line.net for line in settled)


def most(setting: AgentSetting, cards: Sequence[Card], slip: Mapping[str, int], area: str) -> int:
    """The largest insurance that settling allows."""
    low, high = 0, 10 * setting.unit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if net(setting, cards, {**slip, area: middle}) is not None else (low, middle - 1)
    return low


def second_window(setting: AgentSetting, cards: list[Card], lasts: Sequence[Card], slip: dict[str, int]) -> Fraction:
    """The best mean over the last card, with insurance in the second window or without."""
    means = [Fraction(sum(net(setting, [*cards, last], slip) or 0 for last in lasts), len(lasts))]
    for area in ("insurance-player-5", "insurance-banker-5"):
        stake = most(setting, [*cards, lasts[0]], slip, area)
        if stake:
            slips = {**slip, area: stake}
            means.append(Fraction(sum(net(setting, [*cards, last], slips) or 0 for last in lasts), len(lasts)))
    return max(means)


def by_every_order(
    setting: AgentSetting, table: str, unseen: str, slip: dict[str, int], area: str
) -> dict[str, Fraction]:
    """What each answer to an offer of the first window is worth beside the bets, over every third card."""
    dealt, rest = list(parse_cards(table)), parse_cards(unseen)
    thirds: dict[Card, list[Card]] = defaultdict(list)
    for third, last in permutations(rest, 2):
        thirds[third].append(last)
    example = [*dealt, *rest[:2]]
    stakes = {"insure": most(setting, example, slip, area), "hold": 1, "pass": 0}
    values = {}
    for name, stake in stakes.items():
        slips = {**slip, area: stake} if stake else slip
        total = NOTHING
        for third, lasts in thirds.items():
            # Cards of one name are alike to whoever remembers ranks, so the second window is decided by the third.
            total += second_window(setting, [*dealt, third], lasts, slips) / len(thirds)
            total -= Fraction(sum(net(setting, [*dealt, third, last], slip) or 0 for last in lasts), len(lasts)) / len(
                thirds
            )
        values[name] = total / setting.unit
    return values


NOTHING = Fraction(0)
FEW = "AS 2H 3S 4D 5C 6H 7S 8D 9S KH"


@pytest.mark.parametrize(
    ("table", "hand", "stakes"),
    [
        ("2S 5H 2D KC", "banker", {"banker": 1}),  # 4 to 5: Player draws, and Banker may
        ("AS 7H 2D KC", "banker", {"banker": 2}),  # 3 to 7: Banker stands whatever comes
        ("2S 4H 3D KC", "player", {"player": 1}),  # 5 to 4
        ("KS 2H 6D 3C", "player", {"player": 2}),  # 6 to 5: Player stands, so there is no second window
        ("2S 5H 2D KC", "banker", {"banker": 1, "player": 2}),  # both bets: the second window may insure the other
    ],
)
def test_insurance_is_worth_what_every_order_says(table: str, hand: str, stakes: dict[str, int]) -> None:
    setting = AgentSetting.of("insurance")
    asked = [each.value for each in Hand].index(hand)
    seen = observed(setting, Deciding.INSURANCE, table, FEW, stakes, asked=asked)
    slip = {area: units * setting.unit for area, units in stakes.items()}
    expected = by_every_order(setting, table, FEW, slip, f"insurance-{hand}-4")
    values = {str(setting.actions[number]): value for number, value in Oracle(setting).exact(seen).items()}
    assert values == expected and len(set(values.values())) > 1


def test_insurance_in_the_second_window_is_what_advice_says_times_the_stake() -> None:
    setting, book = AgentSetting.of("insurance"), load("insurance")
    table = "2S 5H 2D KC 4S"  # Player has eight of three cards, Banker five
    undealt = Undealt.of_decks(8).less(parse_cards(table))
    unseen = {unseen_column(rank): undealt.ranks[rank - 1] for rank in Rank}
    seen = observed(setting, Deciding.INSURANCE, table, "", {"player": 3}, **unseen)
    (offer,) = (each for each in advise(book, undealt, parse_cards(table)).offers if each.offer.hand is Hand.PLAYER)
    values = {str(setting.actions[number]): value for number, value in Oracle(setting).exact(seen).items()}
    assert values == {"insure": 3 / offer.offer.odds * offer.ev, "hold": offer.ev / setting.unit, "pass": 0}


@pytest.mark.parametrize("ante", ["ante-player", "ante-banker"])
@pytest.mark.parametrize("first", ["KS", "4S", "9S"])
def test_an_ante_is_worth_what_every_order_says(ante: str, first: str) -> None:
    setting = AgentSetting.of("knockout")
    asked = ("ante-player", "ante-banker").index(ante)
    seen = observed(setting, Deciding.ANTE, first, "AS 3H 4S 6D 8C 9H KS", {ante: 2}, asked=asked)
    stake = 2 * setting.unit
    wager = ante.replace("ante", "wager")
    orders = [[*parse_cards(first), *rest] for rest in permutations(parse_cards("AS 3H 4S 6D 8C 9H KS"), 5)]
    play = sum(net(setting, order, {ante: stake, wager: 2 * stake}) or 0 for order in orders)
    values = {str(setting.actions[number]): value for number, value in Oracle(setting).exact(seen).items()}
    assert values == {"play": Fraction(play, len(orders) * setting.unit), "give-up": Fraction(-2)}


def test_bets_are_worth_what_every_order_says() -> None:
    setting, unseen = AgentSetting.of("ez"), "AS 3H 4S 6D 8C 9H KS"
    seen = observed(setting, Deciding.BETTING, "", unseen, {})
    orders = list(permutations(parse_cards(unseen), 6))
    areas = setting.book.opening_areas
    sums = {area: sum(net(setting, order, {area: setting.unit}) or 0 for order in orders) for area in areas}
    means = {area: Fraction(each, len(orders) * setting.unit) for area, each in sums.items()}
    rest = {area: 10 * max(NOTHING, mean) for area, mean in means.items()}
    values = Oracle(setting).exact(seen)
    for area, mean in means.items():
        after = sum(rest.values()) - (max(NOTHING, mean))  # one unit is laid, the others follow where they gain
        assert values[setting.number_of[f"bet {area} 1"]] == mean + after
    assert values[0] == values[1] == 0 and any(mean > 0 for mean in means.values())


@pytest.mark.parametrize("unseen", [FEW, "3S 3H 4D 4C 8S 8H 9D KS", "2S 2H 2D 2C 3S 3H 4C 4D"])
def test_bets_that_need_others_are_worth_what_the_best_of_all_slips_is(unseen: str) -> None:
    setting = AgentSetting.of("knockout", most=1)
    seen = observed(setting, Deciding.BETTING, "", unseen, {})
    ranks = [sum(card.rank is rank for card in parse_cards(unseen)) for rank in Rank]
    units = unit_values(setting.book, Undealt(tuple(ranks)))
    needs = {bet.area: set(bet.needs) for bet in setting.book.bets}
    areas = setting.book.opening_areas
    slips = chain.from_iterable(combinations(areas, number) for number in range(len(areas) + 1))
    best = max(
        sum((units[area] for area in slip), NOTHING)
        for slip in slips
        if all(not needs[area] or needs[area] & set(slip) for area in slip)
    )
    values = Oracle(setting).exact(seen)
    assert max(values.values()) == best
    assert set(values) == {number for number, action in enumerate(setting.actions) if could_open(action, needs)}


def could_open(action: Any, needs: dict[str, set[str]]) -> bool:
    """Whether an action can be the first of a round."""
    return action.move.value in ("deal", "leave") or (action.move.value == "bet" and not needs[action.area])


def test_a_main_bet_counts_with_the_best_use_of_its_insurance() -> None:
    book = load("insurance")
    units = unit_values(book, Undealt.of_decks(8))
    for bet in insurance_odds(book, Undealt.of_decks(8)).bets:  # whoever goes by totals gains a little less
        assert bet.ev < units[bet.bet.area] < bet.ev + Fraction(1, 1000)


def test_the_oracle_has_no_regret_and_others_have_what_they_lose() -> None:
    env = BaccaratEnv("knockout", most=1)
    oracle, number_of = Oracle(env.setting), env.setting.number_of
    assert [one.total for one in regret_of(env, lambda seen, _: oracle.act(seen), 2, 1)] == [0, 0, 0]

    def gives_up(seen: Any, mask: Any) -> int:
        laid = seen[env.setting.places[stake_column("ante-player")]]
        return next(
            number_of[name]
            for name in ("give-up", "bet ante-banker 1", "deal")
            if mask[number_of[name]] and (name != "bet ante-banker 1" or not laid)
        )

    betting, ante, insurance = regret_of(env, gives_up, 12, 1)
    assert betting.decisions == 24 and ante.decisions == 12 and insurance.decisions == 0
    assert 0.02 < betting.total / 12 < 0.1 and betting.mistakes == 12  # the edge of the ante, each time
    assert 0 < ante.mistakes <= 12 and ante.mean > Fraction(1, 10) and insurance.mean == 0


def test_what_is_not_open_is_worth_less_than_anything() -> None:
    made = gymnasium.make("punto/Baccarat-v0", book="ez", most=1)
    policy = made.unwrapped.setting.number_of  # type: ignore[attr-defined]
    assert [one.mistakes for one in regret_of(made, lambda *_: policy["deal"], 2, 1)] == [0, 0, 0]
    with pytest.raises(ValueError, match="takes a punto/Baccarat-v0"):
        regret_of(gymnasium.Env(), lambda *_: 0, 1, 1)
    for wrong in ("deal", -1, 99, None, 0.5):
        with pytest.raises(ValueError, match="it gives the number of an action, from 0 to"):
            regret_of(made, lambda *_, given=wrong: given, 1, 1)
    env = BaccaratEnv("ez", most=1)
    seen, info = env.reset(seed=1)
    values = Oracle(env.setting).values(seen)
    assert np.array_equal(np.isfinite(values), info["action_mask"].astype(bool))
    oracle, anything = Oracle(env.setting), env
    over = np.array([3, *seen[1:]], np.int16)
    calls: tuple[tuple[Callable[[], Any], str], ...] = (
        (lambda: oracle.regret(seen, 99), "99 is not an action; they are numbers from 0 to 6"),
        (
            lambda: oracle.regret(np.array([0, *seen[1:-5], 1, 1, 1, 1, 1], np.int16), 2),
            "bet player 1 is not open here",
        ),
        (lambda: oracle.act(over), "the episode is over"),
        (lambda: oracle.act(seen[:5]), "an observation of ez has 34 numbers, not 5"),
        (lambda: Oracle(anything), "BaccaratEnv is not a setting; give that of an environment"),  # type: ignore[arg-type]
        (lambda: regret_of(env, lambda *_: 0, 0, 1), "0 is not a number of rounds"),
    )
    for call, told in calls:
        with pytest.raises(ValueError, match=told):
            call()
    with pytest.raises(ValueError, match="the policy chose bet tie 1, which is not open"):
        regret_of(env, lambda *_: env.setting.number_of["bet tie 1"], 2, 1)
    with pytest.raises(WrongNumberOfCards):
        net(env.setting, parse_cards("2S"), {})
