"""A vectorised Gymnasium environment: very many players, each at a table of their own, in one compiled step."""

from __future__ import annotations

from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from punto.cards.card import DECK, Card
from punto.cards.shoe import Composition, burn_count
from punto.inputs import whole_of
from punto.rl.baccarat_env import LARGEST_SEED, WithBookInSpec, observation_space
from punto.rl.setting import AgentSetting, AgentTerms, AnyBook
from punto.rl.vector_kernel import Lanes, LaneShoes, fill_lanes, layout, step_lanes
from punto.rules.outcome import Hand
from punto.simulation.deals import Deals
from punto.simulation.machine_code import CODE_RANKS, play_masks
from punto.simulation.shoe_kernel import record_cards

LEAST_DEALT = 256  # Shoes that are dealt at once: the simulator's kernel plays this many side by side.
MOST_DEALT = 4096
CARDS = len(DECK)

Numbers = NDArray[Any]


class BaccaratVectorEnv(WithBookInSpec, VectorEnv[Numbers, Numbers, Numbers]):
    """What `BaccaratEnv` is, many times over, with the same actions, observations and rewards.

    The shoes are those that `punto simulate` deals with a seed, one after the other: whichever table needs a shoe takes
    the next one. A table whose episode has ended gets it in the next step, in which its action is not looked at
    (`AutoresetMode.NEXT_STEP`). `terms` are the parameters of `AgentSetting.of`.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self, num_envs: int = 1, book: AnyBook = "commission", *, render_mode: None = None, **terms: Unpack[AgentTerms]
    ) -> None:
        num_envs = whole_of(num_envs, "a number of environments")
        if num_envs < 1:
            raise ValueError(f"there is at least one environment, not {num_envs}")
        self.setting = AgentSetting.of(book, **terms)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space = observation_space(self.setting)
        self.single_action_space = gymnasium.spaces.Discrete(len(self.setting.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._plan = layout(self.setting)
        self._lanes = _lanes(self.setting, num_envs)
        self._seed: int | None = None  # Of the shoes.
        self._fresh, self._row, self._next = _no_shoes(self.setting, 0), 0, 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Fresh shoes for all: those of the seed, or without one those that come next. There are no options."""
        if options:
            raise ValueError(f"there are no options such as {', '.join(options)}")
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed = int(self.np_random.integers(LARGEST_SEED))
            self._fresh, self._row, self._next = _no_shoes(self.setting, 0), 0, 0
        self._deal(self.num_envs)
        self._row = fill_lanes(self._fresh, self._row, self._plan, self._lanes)
        return self._lanes.seen.copy(), self._info(np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs, np.bool_))

    def step(self, actions: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers, dict[str, Any]]:
        """One decision of every player. What an action that is not open gets is `info["refused"]`, and nothing else."""
        self._require_shoes()
        lanes, given = self._lanes, np.asarray(actions)
        if given.dtype.kind not in "iu":  # A fraction would be cut off, and what is left is another action.
            raise ValueError(f"actions are whole numbers, not an array of {given.dtype}")
        self._deal(int(np.count_nonzero(lanes.ended)))
        chosen = np.ascontiguousarray(given, np.int64)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"a step takes {self.num_envs} actions, not an array of the shape {chosen.shape}")
        nets, refused = np.empty(self.num_envs, np.int64), np.empty(self.num_envs, np.bool_)
        self._row = step_lanes(chosen, self._fresh, self._row, self._plan, lanes, nets, refused)
        rewards, never = nets / self.setting.unit, np.zeros(self.num_envs, np.bool_)
        return lanes.seen.copy(), rewards, lanes.ended.copy(), never, self._info(nets, refused)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions may be taken now, a row for each table."""
        self._require_shoes()
        return self._lanes.masks.astype(np.bool_)

    def cards(self, table: int) -> tuple[Card, ...]:
        """The shoe of a table as `reset(options={"cards": …})` of one environment takes it, to be played again.

        What lay face down, in the burn or behind the last round, comes in any order: nobody saw it.
        """
        shoes, rest = self._lanes.shoes, Composition.of_decks(self.setting.shoe.decks)
        hands = shoes.hands[table, : shoes.lengths[table]]
        dealt = [DECK[card] for row in hands for card in self._dealt(row)]
        left = list(rest.less(dealt).cards())
        burn = self.setting.shoe.burn
        if burn.by_first_card:  # the shown card comes first
            shown = next(card for card in left if card.rank is CODE_RANKS[shoes.shown[table]])
            left.remove(shown)
            left.insert(0, shown)
        burned = burn_count(burn, left[0])
        return (*left[:burned], *dealt, *left[burned:])

    def _require_shoes(self) -> None:
        if self._seed is None:
            raise gymnasium.error.ResetNeeded("reset the environment before the first step")

    def _dealt(self, row: Numbers) -> list[int]:
        """The cards of a recorded round in dealing order, as places in a new deck."""
        player, banker = (divmod(int(code), CARDS) for code in row[: len(Hand)])
        codes = (player[0], banker[0], player[1], banker[1], *(int(code) for code in row[len(Hand) :] if code < CARDS))
        return [int(self._plan.cards[code]) for code in codes]

    def _deal(self, shoes: int) -> None:
        """Have at least this many fresh shoes."""
        left = len(self._fresh.lengths) - self._row
        if left >= shoes:
            return
        assert self._seed is not None
        number = max(shoes - left, LEAST_DEALT, min(self.num_envs, MOST_DEALT))
        deals = Deals(tuple(int(mask) for mask in play_masks(self.setting.book.play)), self.setting.shoe, self._seed)
        dealing, more = deals.dealing(self._next, number), _no_shoes(self.setting, number)
        record_cards(dealing, more.hands)
        hands, shown, lengths = (part[self._row :] for part in self._fresh)
        self._fresh = LaneShoes(
            np.concatenate((hands, more.hands)),
            np.concatenate((shown, dealing.shown)),
            np.concatenate((lengths, dealing.lengths)),
        )
        self._row, self._next = 0, self._next + number

    def _info(self, nets: Numbers, refused: Numbers) -> dict[str, Any]:
        return {"action_mask": self._lanes.masks.copy(), "net": nets, "refused": refused}


def _no_shoes(setting: AgentSetting, number: int) -> LaneShoes:
    hands = np.zeros((number, setting.shoe.most_rounds, 4), np.uint16)
    return LaneShoes(hands, np.zeros(number, np.int8), np.zeros(number, np.uint16))


def _lanes(setting: AgentSetting, number: int) -> Lanes:
    return Lanes(
        seen=np.zeros((number, len(setting.columns)), np.int16),
        masks=np.zeros((number, len(setting.actions)), np.int8),
        shoes=_no_shoes(setting, number),
        cards=np.zeros((number, 6), np.int64),
        insured=np.zeros((number, 2, len(Hand)), np.int64),
        promised=np.zeros((number, len(Hand)), np.int64),
        forgone=np.zeros(number, np.uint8),
        ended=np.zeros(number, np.bool_),
    )
