"""`punto simulate` interrupted: a killed run taken up again, Ctrl-C, and checkpoints of other runs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.called import answer, refusal
from tests.cli.simulated import compile_first, without_rate

KEEPING = """
from punto.cli.main import main
from punto.cli import simulate_command as playing
playing.CHECKPOINT_SECONDS = 0.0
from punto.simulation import sessions
sessions.SESSION_SHOES = 64
main()
"""

SLOW = """
import sys
from punto.cli.main import main
from punto.simulation import deals, run
run.BATCH_SHOES = run.Threads.batch_shoes = 200
from punto.cli import simulate_command as playing
playing.CHECKPOINT_SECONDS = 0.0
play = deals.Deals.play
def told(self, first, shoes, last_rounds=None):
    if first == 40_000:
        print("far enough", file=sys.stderr, flush=True)
        sys.stdin.read()
    return play(self, first, shoes, last_rounds)
deals.Deals.play = told
main()
"""

RUN = ("simulate", "commission", "--seed", "7", "--workers", "1", "--rounds", "5e6", "--json")


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    compile_first()


def stopped_in_mid_run(signal_number: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run that waits in its 201st batch until it is sent a signal."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *RUN, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert any("far enough" in line for line in process.stderr)
    process.send_signal(signal_number)
    out, err = process.communicate()
    return subprocess.CompletedProcess([], process.returncode, out, err)


@pytest.mark.slow
def test_a_killed_run_is_taken_up_again(tmp_path: Path) -> None:
    kept = str(tmp_path / "run.checkpoint")
    killed = stopped_in_mid_run(signal.SIGKILL, "--checkpoint", kept)
    assert killed.returncode == -signal.SIGKILL
    assert Path(kept).exists()
    whole = answer(*RUN).json
    resumed = answer(*RUN, "--checkpoint", kept).json
    assert without_rate(resumed) == without_rate(whole)
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == ["run.checkpoint"]


def test_ctrl_c_gives_the_honest_partial_result(tmp_path: Path) -> None:
    file = tmp_path / "part.json"
    stopped = stopped_in_mid_run(signal.SIGINT, "-o", str(file))
    assert stopped.returncode == 130
    record = json.loads(stopped.stdout)
    assert 0 < record["rounds"] < 5_000_000
    assert f"{record['rounds']:,} rounds played out of 5,000,000" in stopped.stderr
    assert json.loads(file.read_text()) == record
    again = answer(*RUN, "--rounds", str(record["rounds"])).json
    assert without_rate(again)["bets"] == record["bets"]


def test_an_interrupt_reaches_a_run_in_the_background() -> None:
    """A shell without job control has its background commands ignore interrupts."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # a child is born ignoring what its parent ignores
    try:
        stopped = stopped_in_mid_run(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert stopped.returncode == 130
    assert "rounds played out of 5,000,000" in stopped.stderr


@pytest.mark.slow
def test_a_checkpoint_of_another_run(tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    stopped_in_mid_run(signal.SIGKILL, "--checkpoint", kept)
    common = ("simulate", "commission", "--rounds", "5e6", "--checkpoint", kept)
    assert "with seed 7, not 8" in refusal(*common, "--seed", "8")
    assert "to 5000000 rounds, not to 6000000" in refusal(*common, "--seed", "7", "--rounds", "6e6")
    assert "other decks, burn or cut card" in refusal(*common, "--seed", "7", "--cut", "20")
    assert "another strategy" in refusal(*common, "--seed", "7", "--strategy", "flat")
    other = ("simulate", "ez", "--rounds", "5e6", "--checkpoint", kept, "--seed", "7")
    assert "of commission, not of ez" in refusal(*other)
    damaged = Path(kept).read_bytes()[:500]
    for wrong, sentence in ((b"", "is not a"), (b"PK nonsense", "is not a"), (damaged, "its checksum")):
        Path(kept).write_bytes(wrong)
        assert sentence in refusal(*common, "--seed", "7")


@pytest.mark.slow
def test_a_checkpoint_of_a_file_that_has_changed(tmp_path: Path) -> None:
    """Results of two strategies, or of two policies, are never mixed."""
    kept, file = tmp_path / "kept", tmp_path / "mine.py"
    run = ("simulate", "insurance", "--seed", "7", "--rounds", "4e4", "--json", "--checkpoint", str(kept))
    state: dict[Path, str] = {}
    policy, cell = tmp_path / "policy.json", {"hand": "banker", "cards": 4, "player_points": 5}
    state[file] = "def bets(view):\n    return {'banker': 100}\n"
    state[policy] = json.dumps([{**cell, "banker_points": 6, "choice": "insure"}])
    for changed, options in (
        (file, ("--strategy", f"{file}:bets")),
        (policy, ("--strategy", "flat", "--insure", str(policy))),
    ):
        kept.unlink(missing_ok=True)
        changed.write_text(state[changed])
        keeping = [sys.executable, "-c", KEEPING, *run, *options]
        subprocess.run(keeping, check=True, capture_output=True)
        first = answer(*run, *options).json
        changed.write_text(state[changed].replace("100", "101").replace("insure", "hold"))
        assert "with another strategy, or its file has changed since" in refusal(*run, *options)
        changed.write_text(state[changed])
        assert without_rate(answer(*run, *options).json) == without_rate(first)


def test_a_strategy_is_taken_up_again_too(tmp_path: Path) -> None:
    run = ("simulate", "commission", "--seed", "7", "--rounds", "3e6", "--json", "--strategy", "fibonacci")
    kept = str(tmp_path / "kept")
    first = answer(*run, "--bankroll", "500", "--bet", "player=5", "--checkpoint", kept).json
    again = answer(*run, "--bankroll", "500", "--bet", "player=5", "--checkpoint", kept).json
    assert without_rate(first) == without_rate(again)
