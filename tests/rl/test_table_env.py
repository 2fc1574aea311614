"""Several boxes at one table: PettingZoo's own checks, turns, and rounds that a real table settles in the same way."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import punto
from punto.coup.coup import parse_coup
from punto.money import format_amount
from punto.refusal import Refusal
from punto.rl.table_env import BaccaratTableEnv
from punto.table.settlement import RoundSettled
from tests.rl.at_random import BOOKS, Ledger, chosen

WITH_MASK = r"Observation (is not a NumPy array|space for each agent probably should be)"
"""What the check says of every environment whose observations have a mask."""


@pytest.mark.parametrize("book", BOOKS)
def test_pettingzoo_finds_nothing_wrong(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=WITH_MASK)
        api_test(BaccaratTableEnv(book), 100)
        seed_test(lambda: BaccaratTableEnv(book), 30)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("book", BOOKS)
def test_every_box_is_paid_what_settling_gives(book: str) -> None:
    env, random, rounds = BaccaratTableEnv(book, boxes=3, most=2), np.random.default_rng(2), 0
    env.reset(seed=3)
    ledgers = {agent: Ledger(env.setting) for agent in env.agents}
    for agent in env.agent_iter(500):
        seen, _, is_over, _, _ = env.last()
        if is_over:
            break
        action = chosen(random, seen["action_mask"])
        ledgers[agent].note(env.setting.named(seen["observation"]), str(env.setting.actions[action]))
        env.step(action)
        for each, info in env.infos.items():
            if "round" in info:
                coup = parse_coup(info["round"], env.setting.book.play)
                net = ledgers[each].net(" ".join(map(str, coup.cards)))
                assert (info["net"], env.rewards[each]) == (net, net / env.setting.unit)
                rounds += 1
    assert rounds > 15


def test_boxes_decide_in_turn_and_only_the_one_that_is_asked_may() -> None:
    env = BaccaratTableEnv("commission", boxes=2)
    env.reset(seed=1)
    deal, leave, banker = (env.setting.number_of[name] for name in ("deal", "leave", "bet banker 1"))
    assert env.agent_selection == "box_1" and not env.observe("box_2")["action_mask"].any()
    for action in (banker, deal):
        env.step(action)
    assert env.agent_selection == "box_2" and not env.observe("box_1")["action_mask"].any()
    env.step(env.setting.number_of["deal"])
    assert "round" in env.infos["box_1"] and env.infos["box_2"]["net"] == 0
    env.step(leave)
    assert env.terminations == {"box_1": True, "box_2": False} and env.agent_selection == "box_1"
    env.step(None)
    assert env.agents == ["box_2"]
    for _ in range(3):
        env.step(deal)
    assert env.agents == ["box_2"] and not env.terminations["box_2"]
    env.step(leave)
    env.step(None)
    assert env.agents == []


def test_what_a_mask_leaves_out_is_told_and_changes_nothing() -> None:
    env = BaccaratTableEnv("knockout", boxes=2, render_mode="ansi")
    env.reset(seed=1)
    before = env.render()
    env.step(env.setting.number_of["bet winning-total-7 1"])
    assert "only be bet together with player or banker" in env.infos["box_1"]["refusal"]
    assert (env.render(), env.agent_selection) == (before, "box_1")
    for wrong in (-1, 99, "deal", None, 0.5):
        with pytest.raises(gymnasium.error.InvalidAction, match="is not an action; they are numbers from 0 to"):
            env.step(wrong)  # type: ignore[arg-type]
    assert (env.render(), env.agent_selection) == (before, "box_1")
    with pytest.raises(ValueError, match="there is no agent 'box_9'; they are box_1, box_2"):
        env.observe("box_9")
    with pytest.raises(gymnasium.error.ResetNeeded):
        BaccaratTableEnv("ez").step(0)
    env.close()


def test_the_digest_is_told_and_boxes_are_as_many_as_a_layout_has() -> None:
    env = BaccaratTableEnv("insurance", boxes=9)
    assert env.metadata["digest"] == env.setting.digest and env.metadata["book"] == "insurance"
    with pytest.raises(ValueError, match="a table has from 1 to 9 boxes, not 10"):
        BaccaratTableEnv("insurance", boxes=10)


OPEN = (
    "Pia as pit-supervisor: open insurance bean-9 differential=1000000 minimum=0.01 chip=0.01 burn=none",
    "Ann as dealer: load the shoe",
    "box_1: sit 1",
    "box_2: sit 2",
)


def test_a_real_table_settles_the_same_rounds_in_the_same_way() -> None:
    """Told to `punto.table` as a session, insurance and all: the nets of its players are the rewards."""
    env, random = BaccaratTableEnv("insurance", boxes=2, most=2, burn="none"), np.random.default_rng(8)
    env.reset(seed=21)
    told, nets = list(OPEN), list[dict[str, int]]()
    while len(nets) < 30:
        told.append("Ann as dealer: place your bets")
        told += one_round(env, random)
        nets.append({agent: info["net"] for agent, info in env.infos.items()})
    outcomes = [step.outcome for step in punto.play_session("\n".join(told)).steps]
    assert not any(isinstance(outcome, Refusal) for outcome in outcomes)
    carried_out = [outcome for outcome in outcomes if not isinstance(outcome, Refusal)]
    settled = [event for events in carried_out for event in events if isinstance(event, RoundSettled)]
    assert sum(": insure " in line for line in told) > 10
    paid = [{each: sum(bet.net for bet in one.bets if bet.player == each) for each in nets[0]} for one in settled]
    assert paid == nets


def one_round(env: BaccaratTableEnv, random: np.random.Generator) -> list[str]:
    """Play a round at random, Banker held by every box, and tell it as a session does."""
    boxes, unit, lines, shown = env._boxes, env.setting.unit, list[str](), 0
    coup = boxes.coup
    assert coup is not None
    while True:
        agent, seen = env.agent_selection, env.observe(env.agent_selection)
        named, box = env.setting.named(seen["observation"]), env.possible_agents.index(env.agent_selection)
        action = chosen(random, seen["action_mask"])
        if named["phase"] == 0 and not named["stake banker"]:
            action = np.int64(env.setting.number_of["bet banker 1"])
        if named["phase"] == 2:
            lines += [*(["Ann as dealer: no more bets"] * (not shown)), *map(str, coup.cards[shown : boxes.dealt])]
            shown = boxes.dealt
        hand = ("player", "banker")[named["asked"]]
        area, name = f"insurance-{hand}-{named['dealt']}", str(env.setting.actions[action])
        env.step(action)
        if name.startswith("bet "):
            lines.append(f"{agent}: bet {box + 1} {name.split()[1]} {format_amount(unit)}")
        if name in ("insure", "hold"):
            stakes = {line.area: line.stake for line in boxes.last.lines[box]} if boxes.last else boxes.slip(box)
            lines.append(f"{agent}: insure {box + 1} {hand} {format_amount(stakes[area])}")
        if boxes.last is not None:
            lines += ["Ann as dealer: no more bets"] * (not shown)
            return [*lines, *map(str, coup.cards[shown:]), "Ann as dealer: settle"]
