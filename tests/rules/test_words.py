from __future__ import annotations

from punto.rules.role import Role
from punto.rules.text.irregularity import Options, Remedy
from punto.rules.words import OPTIONS, REMEDIES, rank_words


def test_everything_that_can_go_wrong_has_words() -> None:
    assert set(REMEDIES) == set(Remedy)
    assert set(OPTIONS) == set(Options)


def test_ranks() -> None:
    assert rank_words(Role.PIT_SUPERVISOR) == "Pit Supervisor or above"
    assert rank_words(Role.SHIFT_MANAGER) == "Shift Manager"
    assert rank_words(Role.PLAYER) == "Player"
