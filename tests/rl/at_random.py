"""Playing at random by the masks, and what was staked by the names of the actions alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import punto
from punto.refusal import Refusal
from punto.rl import BaccaratEnv
from punto.rl.setting import AgentSetting

BOOKS = punto.books()


def chosen(random: np.random.Generator, mask: NDArray[Any]) -> np.int64:
    """Any open action but leaving, which would end most episodes at once."""
    mask = mask.copy()
    mask[1] = 0
    return np.int64(random.choice(np.flatnonzero(mask)))


def steps(env: BaccaratEnv, seed: int, number: int) -> Iterator[tuple[Any, np.int64, Any]]:
    """A number of steps: what was seen and told before each, the action, and what came of it."""
    random, (seen, info) = np.random.default_rng(seed), env.reset(seed=seed)
    for _ in range(number):
        action = chosen(random, info["action_mask"])
        came = env.step(action)
        yield (seen, info), action, came
        seen, _, is_over, _, info = came
        if is_over:
            seen, info = env.reset()


class Ledger:
    """Stakes of a round in minor units, by the names of actions; insurance is staked as far as settling lets it."""

    def __init__(self, setting: AgentSetting) -> None:
        self.setting, self.slip = setting, dict[str, int]()
        self.later: list[Callable[[str], None]] = []

    def note(self, seen: dict[str, int], name: str) -> None:
        book, unit = self.setting.book, self.setting.unit
        if name.startswith("bet "):
            _, area, units = name.split()
            self.slip[area] = self.slip.get(area, 0) + int(units) * unit
        elif name == "play":
            assert book.ante is not None
            pair = book.ante.pairs[seen["asked"]]
            self.slip[pair.wager] = book.ante.multiple * self.slip[pair.ante]
        elif name in ("insure", "hold"):
            area = f"insurance-{('player', 'banker')[seen['asked']]}-{seen['dealt']}"
            self.later.append(lambda cards: self.stake(cards, area, most=name == "insure"))

    def stake(self, cards: str, area: str, *, most: bool) -> None:
        self.slip[area] = 1
        low, high = 1, 10**6
        while most and low < high:
            middle = (low + high + 1) // 2
            settled = punto.settle(self.setting.book, cards, {**self.slip, area: middle})
            low, high = (low, middle - 1) if isinstance(settled, Refusal) else (middle, high)
        self.slip[area] = low

    def net(self, cards: str) -> int:
        """By the front door's `settle`, and a fresh round after it."""
        for one in self.later:
            one(cards)
        settled = punto.settle(self.setting.book, cards, self.slip)
        assert not isinstance(settled, Refusal), settled
        self.slip, self.later = {}, []
        return settled.net
