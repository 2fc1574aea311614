"""A state goes to bytes and back, and its hash tells every state from every other."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from punto.store.record import decode_state, encode_state, fingerprint, state_hash
from punto.table.state import State
from tests.store.sessions import events_of, playthroughs, state_after, steps_of


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", playthroughs(), ids=name_of)
def test_every_state_of_a_playthrough_comes_back(path: Path) -> None:
    states = [step.before.state for step in steps_of(name_of(path))]
    again = [decode_state(encode_state(state)) for state in states]
    assert again == states
    assert [state_hash(state) for state in again] == [state_hash(state) for state in states]


@pytest.mark.slow
def test_different_states_have_different_hashes() -> None:
    seen: dict[str, State] = {}
    for path in playthroughs()[::8]:
        for step in steps_of(name_of(path)):
            state = step.before.state
            assert seen.setdefault(state_hash(state), state) == state
    assert len(seen) > 200


def test_a_new_field_changes_no_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hash of a state leaves out defaults and what came later, so a log has the same hash tomorrow."""
    state = state_after(events_of("insurance/banker-insurance-after-four-cards"))
    assert state_hash(State()) == state_hash(
        replace(state, **{f: getattr(State(), f) for f in state.__struct_fields__})
    )
    assert state_hash(State()) != state_hash(replace(State(), round=1))
    monkeypatch.setattr("punto.store.record.NOT_HASHED", {"State": ("round",)})
    assert state_hash(State()) == state_hash(replace(State(), round=1)) != state_hash(replace(State(), cases=1))


def test_the_fingerprint_is_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    made = fingerprint()
    assert len(made) == 64 and made == fingerprint()
    fingerprint.cache_clear()
    monkeypatch.setattr("punto.store.record._PACKAGES", ("punto.cards",))
    assert fingerprint() != made
    fingerprint.cache_clear()
    monkeypatch.undo()
    assert fingerprint() == made
