"""What is a good password, and that only its hash is kept."""

from __future__ import annotations

import pytest

from punto.floor import password
from punto.floor.password import LONGEST_PASSWORD, SHORTEST_PASSWORD, draw_password, hash_password, is_password
from punto.refusal import Reason, Refusal
from tests.server.running_floor import CHEAP


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(password, "_hasher", CHEAP)


@pytest.mark.parametrize("text", ["", "x" * (SHORTEST_PASSWORD - 1), "x" * (LONGEST_PASSWORD + 1), "correct\thorse"])
def test_a_password_can_be_typed_and_not_be_guessed_at_once(text: str) -> None:
    refusal = hash_password(text)
    assert isinstance(refusal, Refusal) and refusal.reason is Reason.WEAK_PASSWORD
    assert refusal.sentence == "a password must have 8 to 200 printable characters"


@pytest.mark.parametrize("text", ["x" * SHORTEST_PASSWORD, "x" * LONGEST_PASSWORD])
def test_what_is_kept_of_a_password_tells_nothing(text: str) -> None:
    hashed = hash_password(text)
    assert isinstance(hashed, str) and text not in hashed
    assert is_password(hashed, text) and not is_password(hashed, text[:-1]) and not is_password(None, text)


def test_a_password_that_is_drawn_is_a_good_one() -> None:
    drawn = {draw_password() for _ in range(20)}
    assert len(drawn) == 20
    assert not any(isinstance(hash_password(password), Refusal) for password in drawn)
