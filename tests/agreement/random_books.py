"""Random books over the whole vocabulary, as the values of a TOML file; a seed is a book.

Each extends a built-in book with bets of its own; some change decks, the table of play or a main bet, take
bets of the catalogue or add declarations. Conditions ask for anything that a condition can ask for, so many
books are refused: a row that never happens, rows that overlap. What is accepted must work everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from punto.books import NAMES
from punto.books.catalogue import bet_names
from punto.cards.card import DECK

Values = dict[str, Any]

CLAUSE = "house-1"
RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
CARDS = tuple(map(str, DECK))
POKER = (
    *("mini-royal", "straight-flush", "four-of-a-kind", "three-of-a-kind", "flush", "straight"),
    *("two-pair", "pair", "high-card"),
)
PLACES = tuple(f"{hand}-{number}" for hand in ("player", "banker") for number in (1, 2, 3))
SIZES = {"two": (2, 2), "hand": (2, 3), "first_four": (4, 4), "round": (4, 6)}


WITH_SUITS = 0.25
"""The part of all books whose conditions ask for suits: their odds take far longer than others."""


class Draws(Random):
    """Random choices for one book."""

    suits = True
    """Whether its conditions may ask for suits."""


def numbers(random: Draws, least: int, most: int) -> Any:
    """One number, several, a range, odd or even, or a list of all kinds."""
    match random.randrange(6):
        case 0 | 1:
            return random.randint(least, most)
        case 2:
            return sorted(random.sample(range(least, most + 1), random.randint(1, min(4, most - least + 1))))
        case 3:
            low = random.randint(least, most)
            return f"{low}-{random.randint(low, most)}"
        case 4:
            return random.choice(("odd", "even"))
    return [random.randint(least, most), f"{least}-{random.randint(least, most)}"]


def some(random: Draws, values: tuple[str, ...], most: int = 4) -> Any:
    """One text, or a list of several."""
    if random.random() < 0.5:
        return random.choice(values)
    return random.sample(values, random.randint(1, min(most, len(values))))


def card_test(random: Draws) -> Values:
    """A test on one card, of one thing or two."""
    makers: dict[str, Callable[[], Any]] = {
        "rank": lambda: some(random, RANKS),
        "points": lambda: numbers(random, 0, 9),
        "face": lambda: random.random() < 0.6,
        "suit": lambda: some(random, ("spades", "hearts", "diamonds", "clubs"), 3),
        "colour": lambda: random.choice(("red", "black")),
        "card": lambda: some(random, CARDS),
    }
    allowed = sorted(makers) if random.suits else ["face", "points", "rank"]
    names = random.sample(allowed, 1 if random.random() < 0.75 else 2)
    return {name: makers[name]() for name in names}


def group_test(random: Draws, group: str) -> Values:
    """A test on a group of cards, of one thing or two."""
    least, most = SIZES[group if group in SIZES else group.split("_")[1]]
    alike = ("rank", "suit", "colour", "card") if random.suits else ("rank",)
    makers: dict[str, Callable[[], Values]] = {
        "all": lambda: {"all": card_test(random)},
        "none": lambda: {"none": card_test(random)},
        "number": lambda: {"number": numbers(random, 0, most), "of": card_test(random)},
        "same": lambda: {"same": some(random, alike, 2)},
        "not_same": lambda: {"not_same": some(random, alike, 2)},
        "ranks": lambda: {"ranks": random.choices(RANKS, k=random.randint(least, most))},
    }
    if group == "first_four" and random.suits:
        makers["poker"] = lambda: {"poker": some(random, POKER)}
    found: Values = {}
    for name in random.sample(sorted(makers), 1 if random.random() < 0.75 else 2):
        found |= makers[name]()
    return found


def comparison(random: Draws) -> Values:
    """Two cards compared."""
    first, second = random.sample(PLACES, 2)
    found: Values = {"first": first, "second": second, "result": some(random, ("higher", "lower", "equal"), 2)}
    if random.random() < 0.5:
        found["by"] = random.choice(("rank", "rank-ace-high", "points", *(("card",) if random.suits else ())))
    return found


def _numbers(least: int, most: int) -> Callable[[Draws], Any]:
    return lambda random: numbers(random, least, most)


def _flag(random: Draws) -> bool:
    return random.random() < 0.6


def _one_or_two(maker: Callable[[Draws], Values]) -> Callable[[Draws], Any]:
    return lambda random: maker(random) if random.random() < 0.8 else [maker(random), maker(random)]


def _group(name: str) -> Callable[[Draws], Any]:
    return _one_or_two(lambda random: group_test(random, name))


_HANDS = ("player", "banker", "winning", "losing", "either", "both")
TOTALS: dict[str, Callable[[Draws], Any]] = {
    "winner": lambda random: some(random, ("player", "banker", "tie"), 2),
    **{f"{hand}_points": _numbers(0, 9) for hand in _HANDS},
    **{f"{hand}_cards": _numbers(2, 3) for hand in _HANDS},
    "margin": _numbers(0, 9),
    "points_sum": _numbers(0, 18),
    "cards": _numbers(4, 6),
    **dict.fromkeys(("natural", "player_natural", "banker_natural", "winning_natural", "losing_natural"), _flag),
}
PAIRS: dict[str, Callable[[Draws], Any]] = {
    **dict.fromkeys(("player_pair", "banker_pair", "player_pair_suited", "banker_pair_suited"), _flag),
    **dict.fromkeys(("player_pair_of", "banker_pair_of"), lambda random: some(random, RANKS)),
    **dict.fromkeys(("pairs", "suited_pairs"), _numbers(0, 2)),
    "same_pair": _flag,
}
SINGLE_CARDS: dict[str, Callable[[Draws], Any]] = {
    **dict.fromkeys(("player_two_points", "banker_two_points"), _numbers(0, 9)),
    **{place.replace("-", "_"): card_test for place in PLACES},
    **{name: _group(name) for name in ("player_two", "banker_two", "player_hand", "banker_hand")},
    **{name: _group(name) for name in ("first_four", "round")},
    "compare": _one_or_two(comparison),
}
FACTS = {**TOTALS, **PAIRS, **SINGLE_CARDS}
"""Every fact that a condition can name, but `wins`, and what it may be."""


def condition(random: Draws, facts: dict[str, Callable[[Draws], Any]] = FACTS) -> Values:
    """A condition of one to three facts."""
    # Facts are of three kinds. Most conditions stay with one of them: that is what books are like, and the
    # odds of a bet that mixes suits over the whole round with the rest take seconds instead of hundredths.
    kinds = [kind for kind in (TOTALS, PAIRS, SINGLE_CARDS) if set(kind) <= set(facts)]
    kind = random.choices(kinds, (6, 2, 2)[: len(kinds)])[0]
    found: Values = {}
    for _ in range(random.choice((1, 1, 2, 2, 3))):
        names = sorted(kind if random.random() < 0.95 else random.choice(kinds))
        name = random.choice([name for name in names if random.suits or "suited" not in name])
        found[name] = facts[name](random)
    return found


def odds(random: Draws) -> str:
    """Odds in one of the ways of writing them."""
    number = random.choice((1, 2, 3, 5, 8, 11, 25, 40, 150))
    ways = (f"{number}:1", f"{number}:2", f"{number} to 1", f"{number + 1} for 1", "0.95:1")
    return random.choice((f"{number}:1", *ways))


def _pays(random: Draws) -> Values:
    return {"result": "push"} if random.random() < 0.1 else {"odds": odds(random)}


def random_bet(random: Draws, area: str, before: list[str]) -> Values:
    """A side bet; `before` are bets of which it may ask whether they win."""
    is_ordered = random.random() < 0.4
    rows: list[Values] = []
    for _ in range(random.choice((1, 2, 2, 3)) if is_ordered else 1):
        when: Any = condition(random)
        if random.random() < 0.15:
            when = [when, condition(random)]
        elif before and random.random() < 0.08:
            when |= {"wins": random.sample(before, 1)}
        rows.append({"when": when, **_pays(random), "clause": CLAUSE})
    if not is_ordered and random.random() < 0.3:  # rows that part one fact among them
        fact, least, most = random.choice((("margin", 0, 9), ("points_sum", 0, 18), ("banker_two_points", 0, 9)))
        cuts = sorted(random.sample(range(least, most), 2))
        spans = [(least, cuts[0]), (cuts[0] + 1, cuts[1])]
        rows = [{"when": {fact: f"{a}-{b}"}, **_pays(random), "clause": CLAUSE} for a, b in spans]
    rows.append({"otherwise": True, "result": random.choice(("lose", "lose", "lose", "push")), "clause": CLAUSE})
    bet: Values = {"area": area, "kind": "side", "labels": {"en": f"Bet {area}"}, "clause": CLAUSE, "pays": rows}
    if is_ordered:
        bet["first_match"] = True
    if random.random() < 0.15:
        bet |= {"needs": random.sample(("player", "banker", *before), 1), "needs_clause": CLAUSE}
    return bet


def _main_bet(random: Draws) -> Values:
    """Banker with some points paid otherwise than the rest, as games without commission do."""
    points = random.randint(1, 9)
    rest = [number for number in range(1, 10) if number != points]
    rows = [
        {"when": {"winner": "banker", "banker_points": points}, **_pays(random)},
        {"when": {"winner": "banker", "banker_points": rest}, "odds": "1:1"},
        {"when": {"winner": "tie"}, "result": "push"},
        {"when": {"winner": "player"}, "result": "lose"},
    ]
    return {
        **{"area": "banker", "kind": "main", "hand": "banker", "labels": {"en": "Banker"}, "clause": CLAUSE},
        "pays": [{**row, "clause": CLAUSE} for row in rows],
    }


def _play(random: Draws) -> Values:
    """Another table of play: other naturals, other draws."""
    naturals = random.choice(([8, 9], [9], [8, 9], [7, 8, 9]))
    totals = [number for number in range(10) if number not in naturals]
    draws = {number: random.random() < (0.9 if number < 6 else 0.1) for number in totals}
    banker = []
    for number in totals:
        keys: list[Values] = [{"player_stood": True}] if not all(draws.values()) else []
        keys += [{"third": [third]} for third in range(10)] if any(draws.values()) else []
        for key in keys:
            drawn = random.random() < (0.9 if number < 5 else 0.2)
            banker.append({"points": [number], **key, "draws": drawn, "clause": CLAUSE})
    player = [{"points": [number], "draws": drawn, "clause": CLAUSE} for number, drawn in draws.items()]
    return {"naturals": naturals, "player": player, "banker": banker}


def random_book(seed: int) -> Values:
    """The values of a book file; the same seed gives the same book."""
    random = Draws(f"book {seed}")
    random.suits = random.random() < WITH_SUITS
    base = random.choices(NAMES, (30, 20, 35, 7, 8))[0]
    areas: list[str] = []
    bets = []
    for number in range(random.choice((1, 1, 1, 2, 3))):
        area = f"bet-{number + 1}"
        bets.append(random_bet(random, area, list(areas)))
        areas.append(area)
    decks = random.choice(((8,), (6,), (2,), (4,), (8,), (6, 8), (1, 8), (12,)))
    book: Values = {
        "format": 1,
        "extends": base,
        "name": f"random-{seed}",
        "title": f"Random book {seed}",
        "decks": {"allowed": list(decks)},
        "clauses": [{"number": CLAUSE, "kind": "behaviour", "sense": "House rule."}],
    }
    if random.random() < 0.15 and base == "commission":
        bets.append(_main_bet(random))
    if random.random() < 0.15 and base in ("commission", "ez", "easy-six"):
        book["play"] = _play(random)
    if random.random() < 0.15:
        book["take"] = random.sample(bet_names(), random.randint(1, 2))
    if random.random() < 0.15:
        when = condition(random, {**TOTALS, **PAIRS})
        book["declarations"] = [{"name": "call-1", "labels": {"en": "Call"}, "when": when, "clause": CLAUSE}]
    return {**book, "bets": bets}
