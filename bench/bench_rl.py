"""How fast agents are served: decisions a second on one core, of one environment and of very many in a compiled step.

The aim is 5 million decisions a second and core for every book. The baseline in the same run is the environment of one
player, which settles as a slip is settled: it answers the same decisions at the same kind of table. Actions are chosen
by a table before the clock runs, and only `step` is timed: half of the decisions are bets, the others deal, and
insurance is taken and antes are played where they are asked about.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import punto
from punto.rl import BaccaratEnv
from punto.rl.setting import stake_column
from punto.rl.vector_env import BaccaratVectorEnv

AIM = 5e6
TABLES, STEPS, REPEATS, ONE_STEPS = 4096, 60, 7, 4000


def chosen(env: BaccaratEnv | BaccaratVectorEnv, area: str, seen: NDArray[Any]) -> NDArray[np.int64]:
    """A bet on an area, then the cards, and yes to what is asked."""
    number_of, phase = env.setting.number_of, seen[:, 0]
    laid = seen[:, env.setting.places[stake_column(area)]] > 0
    actions = np.where(laid, number_of["deal"], number_of[f"bet {area} 1"])
    actions = np.where(phase == 1, number_of.get("play", 0), actions)
    return np.where(phase == 2, number_of.get("insure", 0), actions).astype(np.int64)


def many_rate(book: str, area: str) -> float:
    env = BaccaratVectorEnv(TABLES, book)
    seen, _ = env.reset(seed=1)
    best = 0.0
    for _ in range(REPEATS):
        spent = 0.0
        for _ in range(STEPS):
            actions = chosen(env, area, seen)
            begun = time.thread_time()
            seen, *_ = env.step(actions)
            spent += time.thread_time() - begun
        best = max(best, TABLES * STEPS / spent)
    return best


def one_rate(book: str, area: str) -> float:
    env = BaccaratEnv(book)
    seen, _ = env.reset(seed=1)
    spent = 0.0
    for _ in range(ONE_STEPS):
        (action,) = chosen(env, area, seen[None])
        begun = time.thread_time()
        seen, _, is_over, _, _ = env.step(action)
        if is_over:
            seen, _ = env.reset()
        spent += time.thread_time() - begun
    return ONE_STEPS / spent


def main() -> None:
    print(f"{TABLES} tables, best of {REPEATS}; the aim is {AIM / 1e6:.0f} million decisions a second and core")
    for book, area in (*((name, "banker") for name in punto.books()), ("knockout", "ante-player")):
        many, one = many_rate(book, area), one_rate(book, area)
        verdict = "met" if many >= AIM else "MISSED"
        print(
            f"{book + ', ' + area:24} {many / 1e6:6.2f} million a second ({verdict}); "
            f"one environment {one:8,.0f}, so {many / one:6,.0f} times as many"
        )


if __name__ == "__main__":
    main()
