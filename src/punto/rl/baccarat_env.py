"""A Gymnasium environment: one player at a table, decision by decision, through a shoe."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from punto.cards.card import Card
from punto.cards.shoe import Composition
from punto.cards.source import seeded_bytes, shuffled_shoe
from punto.coup.coup import format_coup
from punto.inputs import cards_of
from punto.rl.boxes import Boxes, BoxesRound
from punto.rl.setting import Action, AgentSetting, AgentTerms, AnyBook, book_named
from punto.rules.book import Book
from punto.rules.wording import counted
from punto.suggestion import did_you_mean

LARGEST_SEED = 2**63

Observation = NDArray[np.int16]


class WithBookInSpec:
    """An environment whose spec names the digest of its book beside the book, so that whoever makes it again from the
    spec has the same rules, or an error."""

    setting: AgentSetting
    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        if spec is not None:
            book = spec.kwargs.get("book", self.setting.book.name)
            named = book if isinstance(book, Book) else book_named(book)
            spec = replace(spec, kwargs={**spec.kwargs, "book": named, "digest": self.setting.digest})
        self._spec = spec


class BaccaratEnv(WithBookInSpec, gymnasium.Env[Observation, np.int64]):
    """One player, one decision a step. An episode is a shoe, and ends sooner when the player leaves.

    The reward is what the round gained, in units, in the step that ends it; `info["net"]` has it in minor units,
    which are whole numbers. `info["action_mask"]` says what may be done; whatever else is chosen changes nothing, and
    `info["refusal"]` says why. `terms` are the parameters of `AgentSetting.of`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  Gymnasium reads it so

    def __init__(
        self, book: AnyBook = "commission", *, render_mode: str | None = None, **terms: Unpack[AgentTerms]
    ) -> None:
        self.setting = AgentSetting.of(book, **terms)
        self.render_mode = render_mode
        self.observation_space: gymnasium.spaces.Space[Any] = observation_space(self.setting)
        self.action_space = gymnasium.spaces.Discrete(len(self.setting.actions))
        self._boxes: Boxes | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A fresh shoe, shuffled by the seed; `options={"cards": …}` gives its cards in their order instead."""
        if unknown := [name for name in options or {} if name != "cards"]:
            raise ValueError(f"there is no option {unknown[0]!r}{did_you_mean(str(unknown[0]), ['cards'])}")
        super().reset(seed=seed)
        self._boxes = Boxes(self.setting, shoe_of(self.setting, self.np_random, options))
        return self._boxes.observation(0), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One decision, by the number of its action: what is seen then, the reward, whether the episode is over,
        whether it was cut short (never), and `info`."""
        boxes = self.boxes
        chosen = action_of(self.setting, action)
        refusal = boxes.refusal(0, chosen)
        if refusal is not None:
            told = self._info() | {"refusal": refusal.sentence}
            return boxes.observation(0), 0.0, boxes.is_over, False, told
        boxes.answer(chosen)
        told = self._info() | (round_info(boxes.last, 0) if boxes.last is not None else {})
        return boxes.observation(0), told["net"] / self.setting.unit, boxes.is_over, False, told

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions may be taken now, as agents with masks ask for it."""
        return self.boxes.mask(0).astype(np.bool_)

    def render(self) -> str | None:
        """The table in one line of text, where `render_mode` is `ansi`."""
        return self.boxes.line() if self.render_mode is not None else None

    @property
    def boxes(self) -> Boxes:
        """The shoe in play."""
        if self._boxes is None:
            raise gymnasium.error.ResetNeeded("reset the environment before the first step")
        return self._boxes

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.boxes.mask(0), "net": 0}


def action_of(setting: AgentSetting, action: object) -> Action:
    """The action of a number; where there is none, the error that Gymnasium has for it."""
    try:
        return setting.chosen(action)
    except ValueError as error:
        raise gymnasium.error.InvalidAction(str(error)) from None


def observation_space(setting: AgentSetting) -> gymnasium.spaces.Box:
    """The space of the observations of a setting."""
    low, high = setting.bounds
    return gymnasium.spaces.Box(low, high, dtype=np.int16)


def shoe_of(setting: AgentSetting, random: np.random.Generator, options: dict[str, Any] | None) -> tuple[Card, ...]:
    """The cards of a shoe, in the order that was given, or shuffled; `ValueError` if these make no shoe."""
    given = (options or {}).get("cards")
    if given is not None:
        order, decks = cards_of(given), setting.shoe.decks
        if Composition.of_cards(order) != Composition.of_decks(decks):
            holds = f"the shoe holds {counted(decks, 'whole deck')}, {52 * decks} cards"
            raise ValueError(f"{holds}; {counted(len(order), 'card')} that make no such shoe cannot be dealt")
        return order
    return shuffled_shoe(setting.shoe.decks, seeded_bytes(int(random.integers(LARGEST_SEED))))


def round_info(ended: BoxesRound, box: int) -> dict[str, Any]:
    """What is told of a round that is over."""
    settled = {line.area: line.net for line in ended.lines[box]}
    return {"net": ended.net(box), "round": format_coup(ended.coup), "settled": settled}
