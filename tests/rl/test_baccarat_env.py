"""One player at a table as an environment: Gymnasium's own checks, masks, seeds, and rewards beside settling."""

from __future__ import annotations

import copy
import json
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from punto.books import load
from punto.coup.coup import parse_coup
from punto.refusal import Refusal
from punto.rl import ENV_ID, BaccaratEnv
from punto.rules.book import digest_of
from tests.rl.at_random import BOOKS, Ledger, steps


@pytest.mark.parametrize("book", BOOKS)
def test_gymnasium_finds_nothing_wrong(book: str) -> None:
    env = gymnasium.make(ENV_ID, book=book)
    check_env(env.unwrapped)  # a warning would fail the test


@pytest.mark.parametrize("book", BOOKS)
def test_rewards_are_what_settling_gives(book: str) -> None:
    env, rounds = BaccaratEnv(book, most=3), 0
    ledger = Ledger(env.setting)
    for (seen, _), action, (_, reward, _, _, info) in steps(env, 11, 400):
        ledger.note(env.setting.named(seen), str(env.setting.actions[action]))
        if "round" not in info:
            assert (reward, info["net"]) == (0, 0)
            continue
        coup = parse_coup(info["round"], env.setting.book.play)
        net = ledger.net(" ".join(map(str, coup.cards)))
        assert info["net"] == net == sum(info["settled"].values())
        assert reward == net / env.setting.unit and round(reward * env.setting.unit) == net
        rounds += 1
    assert rounds > 15


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_mask_leaves_out_is_refused_and_changes_nothing(book: str) -> None:
    env, refused = BaccaratEnv(book, most=2, chips=(1, 2)), set()
    for _, _, (seen, _, _, _, info) in steps(env, 5, 40):
        table = env.boxes
        for number, is_open in enumerate(info["action_mask"]):
            env._boxes = copy.deepcopy(table)
            after, reward, _, _, told = env.step(np.int64(number))
            assert ("refusal" not in told) == bool(is_open)
            if not is_open:
                refused.add(told["refusal"])
                assert reward == 0 and np.array_equal(after, seen)
                assert np.array_equal(told["action_mask"], info["action_mask"])
        env._boxes = table
    assert len(refused) > 2


def test_a_seed_fixes_the_shoe_and_the_next_ones() -> None:
    env = BaccaratEnv("ez")
    shoes = []
    for _ in range(2):
        env.reset(seed=7)
        first = env.boxes.order
        env.reset()
        shoes.append((first, env.boxes.order))
    assert shoes[0] == shoes[1] and shoes[0][0] != shoes[0][1]
    env.reset(seed=8)
    assert env.boxes.order != shoes[0][0]


def test_an_episode_is_a_shoe_as_the_dealer_deals_it() -> None:
    env = BaccaratEnv("commission")
    _, info = env.reset(options={"cards": punto_shoe().order})
    dealt, is_over = [], False
    while not is_over:
        _, _, is_over, _, info = env.step(np.int64(0))
        dealt.append(info["round"])
    assert dealt == [f"P {_text(coup.player)} B {_text(coup.banker)}" for coup in punto_shoe().rounds]
    assert not info["action_mask"].any()
    assert "shoe is finished" in env.step(np.int64(0))[4]["refusal"]


def test_the_cards_of_a_shoe_are_read_as_everywhere_and_make_a_whole_one() -> None:
    env = BaccaratEnv("commission")
    order = punto_shoe().order
    for spelled in (list(order), _text(order), [str(card) for card in order]):
        env.reset(options={"cards": spelled})
        assert env.boxes.order == order
    with pytest.raises(ValueError, match=r"there is no option 'card' \(did you mean cards\?\)"):
        env.reset(options={"card": order})
    with pytest.raises(ValueError, match="'XX' is not a card"):
        env.reset(options={"cards": "XX"})
    for given, number in ((order[1:], "415 cards"), ("AS KS", "2 cards"), ([order[0]] * 416, "416 cards")):
        with pytest.raises(ValueError, match=f"holds 8 whole decks, 416 cards; {number} that make no such shoe"):
            env.reset(options={"cards": given})


def punto_shoe() -> Any:
    import punto

    return punto.shoe("commission", seed=7)


def _text(cards: Any) -> str:
    return " ".join(map(str, cards))


def test_leaving_ends_the_episode_where_nothing_is_laid() -> None:
    env = BaccaratEnv("ez")
    env.reset(seed=1)
    number_of = env.setting.number_of
    env.step(np.int64(number_of["bet banker 1"]))
    assert "bets in this round" in env.step(np.int64(number_of["leave"]))[4]["refusal"]
    env.step(np.int64(number_of["deal"]))
    seen, reward, is_over, _, info = env.step(np.int64(number_of["leave"]))
    assert (reward, is_over, env.setting.named(seen)["phase"], info["action_mask"].any()) == (0, True, 3, False)


def test_the_spec_has_book_and_digest_and_makes_the_same_again() -> None:
    env = gymnasium.make(ENV_ID, book="insurance", most=2)
    spec = env.spec
    assert spec is not None
    digest = digest_of(env.unwrapped.setting.book)  # type: ignore[attr-defined]
    assert spec.kwargs == {"book": "insurance", "digest": digest, "most": 2}
    assert json.loads(spec.to_json())["kwargs"]["digest"] == digest
    again = gymnasium.make(spec)
    assert again.unwrapped.setting == env.unwrapped.setting  # type: ignore[attr-defined]
    of_a_book = gymnasium.make(ENV_ID, book=load("insurance"), most=2).spec
    assert of_a_book is not None
    taken = gymnasium.make(of_a_book)
    assert taken.unwrapped.setting.digest == digest  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="has changed"):
        gymnasium.make(ENV_ID, book="insurance", digest="0" * 64)


def test_the_table_in_a_line() -> None:
    env = BaccaratEnv("knockout", render_mode="ansi")
    env.reset(options={"cards": punto_shoe().order})
    env.step(np.int64(env.setting.number_of["bet ante-player 1"]))
    env.step(np.int64(0))
    dealt = punto_shoe().rounds[0].cards[0]
    assert env.render() == f"round 1, ante; cards: {dealt}; bets: box 1 ante-player 10"


def test_nothing_before_the_first_reset() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        BaccaratEnv().step(np.int64(0))
    env = BaccaratEnv()
    env.reset(seed=1)
    assert not isinstance(env.boxes.refusal(0, env.setting.actions[0]), Refusal)


@pytest.mark.parametrize("action", [-1, 99, "deal", 1.0])
def test_what_is_no_action_is_said(action: object) -> None:
    env = BaccaratEnv("ez", most=1)
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="they are numbers from 0 to"):
        env.step(action)  # type: ignore[arg-type]
