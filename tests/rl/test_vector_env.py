"""Very many tables in one compiled step: each is what one environment is, with the same cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import punto
from punto.rl import ENV_ID, BaccaratEnv
from punto.rl.vector_env import BaccaratVectorEnv
from punto.rules.book import digest_of
from tests.rl.at_random import BOOKS, chosen

SIDE_BETS = str(Path(__file__).parents[2] / "docs/examples/side-bets.toml")  # It has bets on single cards.
TABLES = 3
TERMS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((book, {"most": 3}) for book in BOOKS),
    ("insurance", {"unit": 17, "decks": 4, "burn": "none", "chips": (1, 2), "most": 4}),  # where much is rounded
    ("commission", {"unit": 3, "decks": 5, "burn": "7", "behind_cut": 30, "rounds_after_cut": 0}),
    (SIDE_BETS, {"most": 2}),
)


@pytest.mark.parametrize(("book", "terms"), TERMS, ids=[f"{Path(book).stem}-{i}" for i, (book, _) in enumerate(TERMS)])
def test_each_table_is_what_one_environment_is(book: str, terms: dict[str, Any]) -> None:
    many, random = BaccaratVectorEnv(TABLES, book, **terms), np.random.default_rng(3)
    ones = [BaccaratEnv(book, **terms) for _ in range(TABLES)]
    seen, info = many.reset(seed=9)
    alone = [one.reset(options={"cards": many.cards(table)}) for table, one in enumerate(ones)]
    ended, shoes, rounds = np.zeros(TABLES, np.bool_), 0, 0
    for step in range(500):
        assert np.array_equal(seen, [each for each, _ in alone])
        assert np.array_equal(info["action_mask"], [told["action_mask"] for _, told in alone])
        masks = info["action_mask"]
        actions = [np.int64(0) if not mask.any() else chosen(random, mask) for mask in masks]
        if step % 50 == 49:
            any_at_all = np.int64(random.integers(masks.shape[1]))  # perhaps not open, perhaps leaving
            actions[step // 50 % TABLES] = any_at_all
        if step == 200:  # a short way through the rest of the shoe
            actions = [np.int64(0)] * TABLES
        seen, rewards, is_over, _, info = many.step(np.array(actions))
        for table, one in enumerate(ones):
            if ended[table]:
                assert (rewards[table], is_over[table], info["refused"][table]) == (0, False, False)
                alone[table] = one.reset(options={"cards": many.cards(table)})
                shoes += 1
                continue
            one_seen, reward, one_over, _, told = one.step(actions[table])
            assert (reward, one_over, told["net"]) == (rewards[table], is_over[table], info["net"][table])
            assert ("refusal" in told) == info["refused"][table]
            alone[table], rounds = (one_seen, told), rounds + ("round" in told)
        ended = is_over.copy()
    assert rounds > 50


def test_tables_take_the_shoes_that_the_simulator_deals() -> None:
    many = BaccaratVectorEnv(2, "ez")
    many.reset(seed=4)
    assert many._seed is not None
    dealt = punto.rounds("ez", 200, seed=many._seed)
    for table in range(2):
        one = BaccaratEnv("ez")
        one.reset(options={"cards": many.cards(table)})
        lines, is_over = [], False
        while not is_over:
            _, _, is_over, _, told = one.step(np.int64(0))
            lines.append(told["round"].replace("P ", "").replace("B ", "").split())
        rows = np.flatnonzero(dealt["shoe"] == table + 1)[: len(lines)]
        names = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")
        assert lines == [[str(dealt[name][row]) for name in names if dealt[name][row]] for row in rows]


def test_an_episode_that_ended_begins_again_in_the_next_step() -> None:
    many = BaccaratVectorEnv(2, "commission")
    assert many.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    many.reset(seed=1)
    leave, deal, banker = (many.setting.number_of[name] for name in ("leave", "deal", "bet banker 1"))
    seen, _, is_over, _, info = many.step(np.array([leave, banker]))
    assert is_over.tolist() == [True, False] and seen[0, 0] == 3 and not info["action_mask"][0].any()
    seen, rewards, is_over, truncated, info = many.step(np.array([banker, deal]))
    named = many.setting.named(seen[0])
    assert (named["phase"], named["stake banker"], named["round"]) == (0, 0, 1) and rewards[0] == 0
    assert not is_over.any() and not truncated.any() and info["action_mask"][0, banker]


def test_a_seed_fixes_everything_and_without_one_new_shoes_come() -> None:
    many = BaccaratVectorEnv(3, "knockout")
    first, _ = many.reset(seed=5)
    shoes = [many.cards(table) for table in range(3)]
    many.reset()
    assert [many.cards(table) for table in range(3)] != shoes
    again, _ = many.reset(seed=5)
    assert np.array_equal(first, again) and [many.cards(table) for table in range(3)] == shoes


def test_what_is_returned_is_not_changed_by_later_steps() -> None:
    many = BaccaratVectorEnv(2, "ez")
    seen, info = many.reset(seed=5)
    kept, mask = seen.copy(), info["action_mask"].copy()
    many.step(np.array([2, 3]))
    assert np.array_equal(seen, kept) and np.array_equal(info["action_mask"], mask)
    assert many.action_masks()[0, 1] == 0 and seen in many.observation_space


def test_gymnasium_makes_it_with_book_and_digest_in_the_spec() -> None:
    many = gymnasium.make_vec(ENV_ID, num_envs=4, book="insurance")
    assert isinstance(many.unwrapped, BaccaratVectorEnv) and many.spec is not None
    assert many.spec.kwargs["digest"] == digest_of(punto.load("insurance"))
    assert many.num_envs == 4 and many.reset(seed=2)[0] in many.observation_space
    synchronous = gymnasium.make_vec(ENV_ID, num_envs=2, vectorization_mode="sync", book="insurance")
    assert synchronous.single_observation_space == many.single_observation_space
    assert synchronous.single_action_space == many.single_action_space


def test_what_cannot_be_done_is_said_in_a_sentence() -> None:
    many = BaccaratVectorEnv(2, "ez")
    with pytest.raises(gymnasium.error.ResetNeeded):
        many.step(np.array([0, 0]))
    with pytest.raises(gymnasium.error.ResetNeeded):
        many.action_masks()
    with pytest.raises(ValueError, match="no options such as cards"):
        many.reset(options={"cards": ()})
    many.reset(seed=1)
    with pytest.raises(ValueError, match="a step takes 2 actions"):
        many.step(np.array([0]))
    with pytest.raises(ValueError, match="actions are whole numbers, not an array of float64"):
        many.step(np.array([0.5, 0]))
    with pytest.raises(ValueError, match="at least one"):
        BaccaratVectorEnv(0)
