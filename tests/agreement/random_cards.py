"""Random bets out of the whole vocabulary, as tables of a book file."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.agreement.second_cards import RANKS, SUITS

PLACES = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")
GROUPS = ("player_two", "banker_two", "player_hand", "banker_hand", "first_four", "round")
POKER = (
    *("mini-royal", "straight-flush", "four-of-a-kind", "three-of-a-kind", "flush"),
    *("straight", "two-pair", "pair", "high-card"),
)
NUMBERS = {
    **dict.fromkeys(("player_points", "banker_points", "winning_points", "losing_points"), (0, 9)),
    **dict.fromkeys(("either_points", "both_points", "margin"), (0, 9)),
    **dict.fromkeys(("player_two_points", "banker_two_points"), (0, 9)),
    "points_sum": (0, 18),
    **dict.fromkeys(("player_cards", "banker_cards", "winning_cards", "losing_cards"), (2, 3)),
    **dict.fromkeys(("either_cards", "both_cards"), (2, 3)),
    "cards": (4, 6),
    "pairs": (0, 2),
    "suited_pairs": (0, 2),
}
TRUTHS = (
    *("natural", "player_natural", "banker_natural", "winning_natural", "losing_natural", "player_pair"),
    *("banker_pair", "player_pair_suited", "banker_pair_suited", "same_pair"),
)


def some(chance: Random, values: Any, most: int = 3) -> Any:
    """One value, or a list of some."""
    if chance.random() < 0.5:
        return chance.choice(list(values))
    return chance.sample(list(values), min(len(list(values)), chance.randint(1, most)))


def numbers(chance: Random, low: int, high: int) -> Any:
    match chance.randrange(4):
        case 0:
            return chance.choice(("odd", "even")) if high > low else low
        case 1:
            one, other = sorted((chance.randint(low, high), chance.randint(low, high)))
            return f"{one}-{other}"
        case 2:
            return [chance.randint(low, high), f"{low}-{chance.randint(low, high)}"]
    return chance.randint(low, high)


def card_test(chance: Random) -> dict[str, Any]:
    cards = [rank + suit for rank in RANKS for suit in SUITS.values()]
    keys: dict[str, Callable[[], Any]] = {
        "rank": lambda: some(chance, RANKS, 6),
        "points": lambda: numbers(chance, 0, 9),
        "face": lambda: chance.random() < 0.5,
        "suit": lambda: some(chance, SUITS),
        "colour": lambda: chance.choice(("red", "black")),
        "card": lambda: some(chance, cards, 8),
    }
    return {key: keys[key]() for key in chance.sample(list(keys), chance.choice((1, 1, 1, 2)))}


def group_test(chance: Random, name: str) -> dict[str, Any]:
    low, high = {"first_four": (4, 4), "round": (4, 6)}.get(name, (2, 3 if name.endswith("hand") else 2))
    kinds = ("rank", "suit", "colour", "card")
    match chance.randrange(7 if name == "first_four" else 6):
        case 0:
            return {"all": card_test(chance)}
        case 1:
            return {"none": card_test(chance)}
        case 2:
            return {"number": numbers(chance, 0, high), "of": card_test(chance)}
        case 3:
            return {"same": some(chance, kinds, 2)}
        case 4:
            return {"same": "colour", "not_same": chance.choice(("rank", "suit", "card"))}
        case 5:
            return {"ranks": [chance.choice(RANKS[:4] + RANKS[-2:]) for _ in range(chance.randint(low, high))]}
    return {"poker": some(chance, POKER, 4)}


def comparison(chance: Random) -> dict[str, Any]:
    one, other = chance.sample(PLACES, 2)
    found = {"first": one.replace("_", "-"), "second": other.replace("_", "-")}
    found["result"] = some(chance, ("higher", "lower", "equal"), 2)
    if chance.random() < 0.5:
        found["by"] = chance.choice(("rank", "rank-ace-high", "points", "card"))
    return found


def condition(chance: Random, wins: tuple[str, ...] = ()) -> dict[str, Any]:
    """One to three facts, at least one of them of cards."""
    found: dict[str, Any] = {}
    match chance.randrange(5 if wins else 4):
        case 0:
            found[chance.choice(PLACES)] = card_test(chance)
        case 1 | 2:
            name = chance.choice(GROUPS)
            tests = [group_test(chance, name) for _ in range(chance.choice((1, 1, 2)))]
            found[name] = tests if len(tests) > 1 else tests[0]
        case 3:
            found["compare"] = comparison(chance)
        case 4:
            found["wins"] = some(chance, wins)
    for _ in range(chance.choice((0, 1, 1, 2))):
        match chance.randrange(5):
            case 0:
                found["winner"] = some(chance, ("player", "banker", "tie"), 2)
            case 1 | 2:
                name = chance.choice(list(NUMBERS))
                found[name] = numbers(chance, *NUMBERS[name])
            case 3:
                found[chance.choice(TRUTHS)] = chance.random() < 0.5
            case 4:
                found[chance.choice(("player_pair_of", "banker_pair_of"))] = some(chance, RANKS)
    return found


def bet(chance: Random, area: str, wins: tuple[str, ...] = ()) -> dict[str, Any]:
    """A bet of one to three rows, tried from the top, and a row for all the rest."""
    rows: list[dict[str, Any]] = []
    for i in range(chance.choice((1, 2, 3))):
        whens = [condition(chance, wins) for _ in range(chance.choice((1, 1, 2)))]
        row: dict[str, Any] = {"when": whens if len(whens) > 1 else whens[0], "clause": "h"}
        row |= {"result": "push"} if chance.random() < 0.2 else {"odds": f"{i + 1}:1"}
        rows.append(row)
    rows.append({"otherwise": True, "result": "lose", "clause": "h"})
    return {"area": area, "kind": "side", "labels": {"en": area}, "clause": "h", "first_match": True, "pays": rows}
