"""A PettingZoo environment: several boxes at one table, each an agent, who decide in turn over the same cards.

Agents bet box by box, decide their antes and insurance in the same order, and are paid together when the round is over.
"""

from __future__ import annotations

from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv

from punto.inputs import AnyNumber, whole_of
from punto.rl.baccarat_env import action_of, observation_space, round_info, shoe_of
from punto.rl.boxes import Boxes
from punto.rl.setting import AgentSetting, AgentTerms, AnyBook
from punto.rules.book import Book

Seen = dict[str, NDArray[Any]]


class BaccaratTableEnv(AECEnv[str, Seen, int]):  # type: ignore[misc]  # PettingZoo comes without types
    """Boxes at one table. Actions, rewards and what is observed are those of `BaccaratEnv`; an observation is a pair of
    `observation` and `action_mask`, and a box that is not asked has no action open.

    An agent is terminated when it leaves, and all are at the end of the shoe. `terms` are the parameters of
    `AgentSetting.of`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  PettingZoo reads it so
        "name": "punto_baccarat_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        book: AnyBook = "commission",
        boxes: AnyNumber = 3,
        *,
        render_mode: str | None = None,
        **terms: Unpack[AgentTerms],
    ) -> None:
        super().__init__()
        self.setting = AgentSetting.of(book, **terms)
        number, most = whole_of(boxes, "a number of boxes"), most_boxes(self.setting.book)
        if not 1 <= number <= most:
            raise ValueError(f"a table has from 1 to {most} boxes, not {number}")
        self.metadata = {**self.metadata, "book": self.setting.book.name, "digest": self.setting.digest}
        self.render_mode = render_mode
        self.possible_agents = [f"box_{box}" for box in range(1, number + 1)]
        self.agents: list[str] = []
        actions = len(self.setting.actions)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": observation_space(self.setting),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of what a box observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of the actions of a box."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A fresh shoe, shuffled by the seed; `options={"cards": …}` gives its cards in their order instead."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self._boxes = Boxes(self.setting, shoe_of(self.setting, self._random, options), len(self.possible_agents))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Seen:
        """What a box sees now, and which actions it may take: none where another box is asked."""
        box = self._box(agent)
        return {"observation": self._boxes.observation(box), "action_mask": self._boxes.mask(box)}

    def step(self, action: int | np.integer[Any] | None) -> None:
        """One decision of the agent whose turn it is; what its mask leaves out changes nothing: `infos` says why."""
        if self._random is None:
            raise gymnasium.error.ResetNeeded("reset the environment before the first step")
        agent, boxes = self.agent_selection, self._boxes
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        chosen = action_of(self.setting, action)  # Only an agent that is out answers None.
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos = {each: {} for each in self.agents}
        refusal = boxes.refusal(self._box(agent), chosen)
        if refusal is not None:
            self.infos[agent]["refusal"] = refusal.sentence
            return
        boxes.answer(chosen)
        for each in self.agents:
            box = self._box(each)
            if boxes.last is not None:
                self.infos[each] = round_info(boxes.last, box)
                self.rewards[each] = boxes.last.net(box) / self.setting.unit
            self.terminations[each] = boxes.is_over or not boxes.here[box]
        self._select()
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The table in one line of text, where `render_mode` is `ansi`."""
        return self._boxes.line() if self.render_mode is not None else None

    def close(self) -> None:
        """Nothing is held open."""

    def _select(self) -> None:
        decider = self._boxes.decider
        self.agent_selection = self.possible_agents[decider] if decider is not None else self.agents[0]

    def _box(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}; they are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)


def most_boxes(book: Book) -> int:
    """The most boxes that a layout of the book has."""
    return max(layout.boxes_most or layout.boxes for layout in book.layouts)
