"""How long the roads take: a shoe of 80 rounds from scratch, one more round, and following a shoe both ways.

The aims are 40 µs for the five roads of a shoe and 2 µs for one more result. The baseline, measured in the
same run, is a display that draws the whole shoe again after every round. Processor time is measured, so that a
busy machine takes less away.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time
from timeit import repeat

from punto.roads.roads import Roads, RoundResult, format_results, parse_results

ROUNDS = 80
SHOES = 20
SHOE_AIM_US = 40
APPEND_AIM_US = 2


def random_shoe(random: Random) -> tuple[RoundResult, ...]:
    """Eighty rounds with about as many ties and pairs as real shoes have."""
    winners = random.choices("BPT", (459, 446, 95), k=ROUNDS)
    pairs = random.choices(("", "b", "p", "bp"), (86, 7, 6, 1), k=ROUNDS)
    return parse_results("".join(map("".join, zip(winners, pairs, strict=True))))


def microseconds(work: Callable[[], object], times: int) -> float:
    """The quickest of several runs: what the work costs when nothing else disturbs it."""
    return min(repeat(work, timer=process_time, number=1, repeat=30)) / times * 1e6


def main() -> None:
    random = Random(4)
    shoes = [random_shoe(random) for _ in range(SHOES)]
    texts = [format_results(shoe) for shoe in shoes]
    drawn = [Roads().extend(shoe) for shoe in shoes]
    one_more = parse_results("BPTBbPp")

    def follow(shoe: tuple[RoundResult, ...]) -> Roads:
        roads = Roads()
        for result in shoe:
            roads = roads.append(result)
        return roads

    def redraw(shoe: tuple[RoundResult, ...]) -> list[Roads]:
        return [Roads().extend(shoe[:played]) for played in range(1, ROUNDS + 1)]

    shoe = microseconds(lambda: [Roads().extend(shoe) for shoe in shoes], SHOES)
    read = microseconds(lambda: [parse_results(text) for text in texts], SHOES)
    append = microseconds(
        lambda: [roads.append(result) for roads in drawn for result in one_more], SHOES * len(one_more)
    )
    ask = microseconds(lambda: [roads.ask for roads in drawn], SHOES)
    followed = microseconds(lambda: [follow(shoe) for shoe in shoes], SHOES)
    redrawn = microseconds(lambda: [redraw(shoe) for shoe in shoes], SHOES)

    print(f"five roads of {ROUNDS} rounds   {shoe:8.1f} µs   {shoe / SHOE_AIM_US:.2f} of the aim")
    print(f"reading {ROUNDS} results        {read:8.1f} µs")
    print(f"one more result           {append:8.1f} µs   {append / APPEND_AIM_US:.2f} of the aim")
    print(f"ask for both sides        {ask:8.1f} µs")
    print(f"following a shoe          {followed:8.1f} µs")
    print(f"redrawing it every round  {redrawn:8.1f} µs   {redrawn / followed:.1f} times as long")


if __name__ == "__main__":
    main()
