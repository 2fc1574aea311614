"""How many deals with five bets a second the engine deals and settles, in pure Python on one core.

The aim is 500,000. The baseline, measured in the same run, is the least that a deal can be: a bare loop over
points that follows the table of play and knows no cards, no pairs, no bets and no money. How many times as
long the engine takes says more than a number of deals, which depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from punto import books
from punto.cards import Card, Composition, seeded_bytes, shuffled
from punto.coup import deal
from punto.table import settle_bet

AIM_PER_SECOND = 500_000
SHOES = 24
ROUNDS = 15
BARE = "bare deals (baseline)"

FIVE_BETS = {
    "commission": ("player", "banker", "tie", "player-pair", "banker-pair"),
    "easy-six": ("player", "banker", "tie", "player-pair", "easy-six"),
    "ez": ("player", "banker", "tie", "dragon-7", "panda-8"),
    "insurance": ("player", "banker", "tie", "super-six-plus", "player-pair"),
    "knockout": ("player", "banker", "tie", "player-pair", "winning-total-8"),
}


def bare_deals(points: list[int]) -> int:
    """Number of deals in a shoe of points; Banker's draws are written out as the charts print them."""
    start = deals = player_wins = 0
    while start < len(points) - 6:
        player = (points[start] + points[start + 2]) % 10
        banker = (points[start + 1] + points[start + 3]) % 10
        start += 4
        if player < 8 and banker < 8:
            if player < 6:
                third = points[start]
                start += 1
                player = (player + third) % 10
                draws = banker < 3 or (
                    banker < 7 and (0, 0, 0, 0b1011111111, 0b11111100, 0b11110000, 0b11000000)[banker] >> third & 1
                )
            else:
                draws = banker < 6
            if draws:
                banker = (banker + points[start]) % 10
                start += 1
        deals += 1
        player_wins += player > banker
    return deals


def settled_deals(name: str, shoe: tuple[Card, ...]) -> int:
    """Number of deals in a shoe, each dealt and its five bets settled."""
    book = books.load(name)
    bets = [(area, book.pay_tables[area]) for area in FIVE_BETS[name]]
    play, start, deals = book.play, 0, 0
    while start < len(shoe) - 6:
        coup = deal(play, shoe, start)
        start += len(coup.player) + len(coup.banker)
        facts = coup.facts
        for area, table in bets:
            settle_bet(area, 1_000, table.outcome_of_deal(facts, coup.player, coup.banker))
        deals += 1
    return deals


def seconds(work: Callable[[], object]) -> float:
    """How long the processor is busy with one run."""
    start = process_time()
    work()
    return process_time() - start


def main() -> None:
    shoes = [shuffled(Composition.of_decks(8).cards(), seeded_bytes(seed)) for seed in range(SHOES)]
    points = [[card.points for card in shoe] for shoe in shoes]
    deals = sum(map(bare_deals, points))
    works: dict[str, Callable[[], int]] = {BARE: lambda: sum(map(bare_deals, points))}
    for name in FIVE_BETS:
        works[name] = lambda name=name: sum(settled_deals(name, shoe) for shoe in shoes)  # type: ignore[misc]
        assert works[name]() == deals, "baseline and engine deal alike"
    # They take turns, so that whatever else the machine does falls on all of them; the quickest run counts.
    rounds = [{name: seconds(work) for name, work in works.items()} for _ in range(ROUNDS)]
    quickest = {name: min(times[name] for times in rounds) for name in works}
    print(f"{'deals with five bets':24} {'a second':>10} {'aim':>10} {'times a bare deal':>20}")
    for name, taken in quickest.items():
        ratio = f"{taken / quickest[BARE]:.1f}"
        aim = "" if name == BARE else f"{AIM_PER_SECOND:,}"
        verdict = "" if deals / taken >= AIM_PER_SECOND else "   below the aim"
        print(f"{name:24} {deals / taken:10,.0f} {aim:>10} {ratio:>20}{verdict}")


if __name__ == "__main__":
    main()
