"""What somebody who waits at a terminal is told on stderr, and nobody else."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from punto.cli.book_commands import check
from punto.cli.output import say_progress
from tests.odds.test_single_cards import HEARTS


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_is_written_over_until_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    say_progress("shoes", 512, 2_000)
    say_progress("shoes", 2_000, 2_000)
    assert screen.getvalue() == "\rpunto: shoes: 512 of 2,000\rpunto: shoes: 2,000 of 2,000\n"
    monkeypatch.setattr(sys, "stderr", pipe := io.StringIO())
    say_progress("shoes", 1, 1)
    assert not pipe.getvalue()


def test_checking_a_bet_on_suits_says_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "hearts.toml").write_text(HEARTS)
    monkeypatch.setattr("punto.cli.book_commands.SHOES", 2)
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    check(str(file), count=True)
    told = screen.getvalue()
    assert "\rpunto: exact odds, numbers of decks: 1 of 2\rpunto: exact odds, numbers of decks: 2 of 2\n" in told
    assert "\rpunto: bets: 7 of 7\n" in told
    assert told.endswith("\rpunto: shoes: 2 of 2\n")
    monkeypatch.setattr(sys, "stderr", quiet := Screen())
    check("ez")
    assert not quiet.getvalue()  # A book of ordinary bets takes no time that anybody would wait.
    assert "Hearts" in capsys.readouterr().out
