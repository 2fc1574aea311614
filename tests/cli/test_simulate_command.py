"""`punto simulate`: the JSON document, files, and everything it refuses."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import polars
import pytest

from punto.books import load
from punto.cli.output import refuse
from punto.odds import Undealt, book_odds
from punto.simulation import run
from tests.cli.called import answer, refusal
from tests.cli.simulated import compile_first, simulate, without_rate

BETS = ["player", "banker", "tie", "player-pair", "banker-pair"]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    compile_first()


def test_the_json_document() -> None:
    record = simulate("--rounds", "1e6")
    assert (record["book"], record["rounds"], record["seed"]) == ("commission", 1_000_000, 7)
    assert [bet["bet"] for bet in record["bets"]] == BETS
    exact = book_odds(load("commission"), Undealt.of_decks(8))
    for bet in record["bets"]:
        assert bet["exact"] == float(exact.bet(bet["bet"]).ev)
        assert bet["z"] == pytest.approx((bet["mean"] - bet["exact"]) / bet["se"])
        assert abs(bet["z"]) < 4
        assert bet["interval"][0] < bet["mean"] < bet["interval"][1]
    assert record["rounds_per_second"] > 0


@pytest.mark.parametrize("rounds", ["1", "79", "12345"])
def test_exactly_that_many_rounds(rounds: str) -> None:
    assert simulate("--rounds", rounds)["rounds"] == int(rounds)


def test_workers_change_nothing() -> None:
    one, two = simulate("--rounds", "2e6", "--workers", "1"), simulate("--rounds", "2e6", "--workers", "5")
    assert without_rate(one) == without_rate(two)


def test_the_shoe_can_be_played_otherwise() -> None:
    fixed = simulate("--rounds", "6e4", "--rounds-per-shoe", "60")
    assert (fixed["shoes"], fixed["rounds_per_shoe"]["mean"], fixed["cut"]) == (1000, 60, None)
    deep = simulate("--rounds", "1e5", "--cut", "200", "--decks", "6", "--burn", "none")
    assert 20 < deep["rounds_per_shoe"]["mean"] < 26


def test_the_page_for_people() -> None:
    page = answer("simulate", "commission", "--rounds", "1e5", "--seed", "7").out
    assert max(map(len, page.splitlines())) <= 80
    assert "Commission Baccarat: 100,000 rounds, seed 7" in page
    assert "No bet differs from its value in a fresh shoe beyond chance" in " ".join(page.split())
    fixed = answer("simulate", "commission", "--rounds", "1e5", "--seed", "7", "--rounds-per-shoe", "60").out
    assert "No bet differs" in fixed


def test_one_round_has_no_error_to_tell() -> None:
    for bet in simulate("--rounds", "1")["bets"]:
        assert (bet["se"], bet["z"], bet["interval"]) == (None, None, None)
    assert "0.000000" not in answer("simulate", "ez", "--rounds", "1", "--seed", "7").out


def test_a_fresh_seed_is_told() -> None:
    first = answer("simulate", "ez", "--rounds", "1000", "--json").json
    again = answer("simulate", "ez", "--rounds", "1000", "--json", "--seed", str(first["seed"])).json
    assert without_rate(first) == without_rate(again)


def test_files(tmp_path: Path) -> None:
    record, *_ = (
        simulate("--rounds", "1e5", "-o", str(tmp_path / f"out.{suffix}")) for suffix in ("json", "csv", "parquet")
    )
    assert without_rate(json.loads((tmp_path / "out.json").read_text())) == without_rate(record)
    with (tmp_path / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    frame = polars.read_parquet(tmp_path / "out.parquet")
    assert [row["bet"] for row in rows] == BETS == frame["bet"].to_list()
    assert [float(row["mean"]) for row in rows] == frame["mean"].to_list()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "out.json", "out.parquet"]


@pytest.mark.slow
def test_a_handful_of_rounds(tmp_path: Path) -> None:
    assert simulate("--rounds", "1")["chi_square"] is None
    assert simulate("--rounds", "5000")["chi_square"]["degrees"] < 204
    for strategy in ((), ("--strategy", "flat"), ("--strategy", "count", "--tags", "0 0 0 0 0 0 0 0 0 0")):
        for suffix in ("html", "svg", "parquet"):
            file = tmp_path / f"few.{suffix}"
            simulate("--rounds", "3", "-o", str(file), *strategy)
            assert file.stat().st_size


@pytest.mark.slow
def test_pages_and_pictures(tmp_path: Path) -> None:
    bets, sessions = tmp_path / "bets.html", tmp_path / "sessions.html"
    simulate("--rounds", "4e6", "-o", str(bets))
    page = bets.read_text()
    assert [heading in page for heading in ("Convergence", "Cut-card effect", "The same again")] == [True] * 3
    assert page.count("<svg") == 2
    limits = ("--bet", "tie=25", "--bankroll", "900", "--min", "25", "--max", "500", "--goal", "300")
    simulate("--rounds", "1e5", "-o", str(sessions), "--strategy", "fibonacci", *limits)
    page = sessions.read_text()
    told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    for fact in ("Rounds 100,000", "Stakes 25 on Tie", "Minimum bet 25", "Maximum bet 500", "Bankroll 900", "Goal 300"):
        assert fact in told
    assert [heading in page for heading in ("Ends of sessions", "Paths", "Ruin against bankroll")] == [True] * 3
    assert page.count("<svg") == 3
    for strategy in ((), ("--strategy", "flat")):
        simulate("--rounds", "1e5", "-o", str(tmp_path / "one.svg"), *strategy)
        assert (tmp_path / "one.svg").read_text().startswith("<svg")


def test_sessions_in_json() -> None:
    record = simulate("--rounds", "1e6", "--strategy", "martingale", "--bankroll", "1000", "--max", "500")
    [bet] = record["bets"]
    assert bet["bet"] == "banker"
    assert abs(bet["z"]) < 4
    sessions = record["sessions"]
    assert sum(sessions["ends"].values()) == sessions["number"]
    assert 0 < sessions["ruin"]["share"] < 1
    assert sessions["quantiles"]["0.05"] <= sessions["quantiles"]["0.5"] <= sessions["quantiles"]["0.95"]


def test_policies_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    cell = {"hand": "banker", "cards": 4, "player_points": 5, "banker_points": 6, "choice": "insure"}
    file.write_text(json.dumps([cell]))
    run = ("simulate", "insurance", "--rounds", "1e6", "--seed", "1", "--json", "--strategy", "flat")
    record = answer(*run, "--insure", str(file)).json
    assert [bet["bet"] for bet in record["bets"]] == ["banker", "insurance-banker-4", "banker-insured"]
    best = answer(*run, "--insure", "best", "--bet", "banker", "--bet", "player=50").json
    insured = {bet["bet"]: bet for bet in best["bets"]}
    assert abs(insured["banker-insured"]["z"]) < 4
    file.write_text(json.dumps({"ante-player": [0, 1]}))
    knockout = ("simulate", "knockout", "--rounds", "1e5", "--seed", "1", "--json", "--strategy", "flat")
    record = answer(*knockout, "--bet", "ante-player", "--give-up", str(file)).json
    assert record["bets"][1]["made"] < record["bets"][0]["made"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--rounds", "0"), "'0' is not a number of rounds"),
        (("--rounds", "-5"), "is not a number of rounds"),
        (("--rounds", "1.5"), "is not a number of rounds"),
        (("--rounds", "nan"), "is not a number of rounds"),
        (("--rounds", "1e99"), "is not a number of rounds"),
        (("--rounds", "1e999999999"), "is not a number of rounds"),
        (("--rounds", "５"), "is not a number of rounds"),
        (("--decks", "3"), "not played with 3 decks"),
        (("--cut", "-1"), "cards behind the cut card must be from 0 to"),
        (("--cut", "400"), "cards behind the cut card must be from 0 to 399, not 400"),
        (("--cut", "14", "--rounds-per-shoe", "60"), "not both"),
        (("--rounds-per-shoe", "0"), "0 rounds cannot be dealt from every shoe"),
        (("--rounds-per-shoe", "68"), "give 1 to 67"),
        (("--burn", "some"), "is not a way of burning"),
        (("--burn", "415"), "no round could be dealt"),
        (("--seed", "-1"), "-1 is not a seed"),
        (("--workers", "0"), "--workers must be from 1 to 1024, not 0"),
        (("-o", "out.txt"), "has no known format"),
        (("-o", "nowhere/out.csv"), "cannot be written"),
        (("--checkpoint", "nowhere/kept"), "cannot be written"),
        (("--gpu", "--strategy", "flat"), "give --gpu without"),
        (("--strategy", "lucky"), "'lucky' is not a strategy"),
        (("--strategy", "flat", "--bet", "moon"), "'moon' is not an opening bet"),
        (("--strategy", "flat", "--bet", "banker=x"), "the stake on banker: 'x' is not a positive amount"),
        (("--strategy", "flat", "--bet", "banker=-3"), "the stake on banker: '-3' is not a positive amount"),
        (("--strategy", "flat", "--bankroll", "0"), "the bankroll: the amount is zero"),
        (("--strategy", "flat", "--min", "200"), "outside the limits"),
        (("--strategy", "count"), "a count needs --tags"),
        (("--strategy", "count", "--tags", "1,2,x"), "is not a list of tags"),
        (("--strategy", "count", "--tags", "1,2"), "or 13, not 2"),
        (("--strategy", "flat", "--insure", "best"), "commission has no insurance"),
        (("--strategy", "flat", "--give-up", "always"), "commission has no antes"),
        (("--bankroll", "100"), "--bankroll belongs to a strategy: give --strategy"),
        (
            ("--trigger", "3", "--min", "5", "--insure", "always", "--session-shoes", "4"),
            "--trigger, --insure, --min and --session-shoes belong to a strategy: give --strategy",
        ),
        (("--max", "500", "--give-up", "never"), "--give-up and --max belong to a strategy: give --strategy"),
        (("--trigger", "0"), "--trigger belongs to a strategy"),
        (
            ("--bet", "tie", "--tags", "1", "--line", "1", "--bankroll", "1", "--goal", "1", "--stop-loss", "1"),
            "--bet, --tags, --line, --bankroll, --goal and --stop-loss belong to a strategy: give --strategy",
        ),
        (("-o", "one.json", "--checkpoint", "one.json"), "give two files"),
        (("--strategy", "count", "--tags", "0,0,0,0,0,0,0,0,0,0", "--trigger", "nan"), "is not a number"),
        (("--strategy", "mine.py:bets", "--bet", "tie"), "give it no --bet"),
        (("--strategy", "nowhere.py:bets"), "there is no Python file nowhere.py"),
    ],
)
def test_refusals(arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in refusal("simulate", "commission", *arguments)
    assert not list(tmp_path.iterdir())


def test_what_an_option_is_anyway_may_be_said_without_a_strategy() -> None:
    said = simulate("--rounds", "100", "--insure", "never", "--give-up", "best", "--session-shoes", "1")
    assert without_rate(said) == without_rate(simulate("--rounds", "100"))


@pytest.mark.parametrize(
    ("given", "told"), [(("--seed", "7"), "--seed 7"), (("--seed=7",), "--seed=7"), ((), "--seed 5")]
)
def test_a_page_tells_its_command_with_the_seed_once(
    given: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.cli.simulate_command.secrets.randbits", lambda _: 5)
    arguments = ("simulate", "ez", "--rounds", "9", "-o", str(tmp_path / "page.html"), *given)
    monkeypatch.setattr(sys, "argv", ["punto", *arguments])
    answer(*arguments)
    page = (tmp_path / "page.html").read_text()
    assert re.findall(r"--seed[ =]\d+", page) == [told]


@pytest.mark.parametrize("strategy", [(), ("--strategy", "flat"), ("--strategy", "lucky")])
def test_workers_are_let_go_when_a_run_fails(strategy: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []

    class Failing(run.Threads):
        def submit(self, *_: object) -> Any:
            refuse("the disk is full")

        def close(self) -> None:
            super().close()
            closed.append(self)

    monkeypatch.setattr(run, "Threads", Failing)
    refusal("simulate", "commission", "--rounds", "9", "--seed", "7", *strategy)
    assert len(closed) == 1


def test_no_gpu_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert "install punto[gpu]" in refusal("simulate", "commission", "--gpu")


def test_no_cluster_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "install punto[cluster]" in refusal("simulate", "commission", "--cluster", "local")


def test_a_policy_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    file.write_text("[{}]")
    run = ("simulate", "insurance", "--strategy", "flat", "--insure")
    assert "is not a policy" in refusal(*run, str(file))
    assert "is not a policy" in refusal(*run, "sometimes")
    cell = {"hand": "banker", "cards": 6, "player_points": 5, "banker_points": 6, "choice": "insure"}
    file.write_text(json.dumps([cell]))
    assert "at 6 cards, Player 5 and Banker 6" in refusal(*run, str(file))
    antes = ("simulate", "knockout", "--strategy", "flat", "--bet", "ante-player", "--give-up", str(file))
    file.write_text(json.dumps({"ante-player": [10]}))
    assert "is given up are 0 to 9" in refusal(*antes)
    file.write_text(json.dumps({"tie": [1]}))
    assert "'tie' is not an ante" in refusal(*antes)


def test_progress_on_a_terminal() -> None:
    command = "import sys; from punto.cli.main import main; sys.argv[0] = 'punto'; main()"
    arguments = ["-c", command, "simulate", "commission", "--rounds", "3e7", "--seed", "1", "--workers", "1"]
    child = pexpect.spawn(sys.executable, arguments, encoding="utf-8", dimensions=(24, 100), timeout=60)
    child.expect("million rounds/s")
    child.expect("left")
    child.expect("whole shoes")
    child.expect(pexpect.EOF)


@pytest.mark.slow
def test_compiling_is_announced(tmp_path: Path) -> None:
    command = "import sys; from punto.cli.main import main; sys.argv[0] = 'punto'; main()"
    arguments = [sys.executable, "-c", command, "simulate", "ez", "--rounds", "9", "--seed", "1"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    told = [
        subprocess.run(arguments, env=environment, capture_output=True, text=True, check=True).stderr for _ in range(2)
    ]
    assert told[0].startswith("punto: compiling the kernels")
    assert told[1] == ""
