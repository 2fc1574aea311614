"""What one account can make the house keep is bounded; what was answered once is answered so again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from punto.books import NAMES, load
from punto.client import Client
from punto.floor.pit import MOST_APPROVALS_WAITING
from punto.rules.authority import (
    ABOVE_TERMS,
    HOUSE_AUTHORITY,
    LADDER,
    ROLES_OF_PEOPLE,
    Authority,
    Role,
    authority_over,
    can_terms_give,
)
from punto.server.access import Throttle
from punto.server.app_state import LARGEST_COMMAND
from punto.server.messages import KINDS
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.samples import sample
from tests.server.test_access_gate import refusal
from tests.server.test_endpoint_roles import PERSON


def commands_of(floor: RunningFloor) -> int:
    with floor.store.read() as reader:
        [(count,)] = reader.rows("SELECT count(*) FROM commands")
        [(asked,)] = reader.rows("SELECT count(*) FROM approvals")
    return int(count + asked)


def bytes_of(floor: RunningFloor, actor: str) -> int:
    with floor.store.read() as reader:
        rows = reader.rows("SELECT body, refusal FROM commands WHERE actor = ?", (actor,))
    return sum(len(body) + len(refused or "") for body, refused in rows)


def bet(client: Client, id: str, key: str, **changes: Any) -> Any:
    """A bet that is refused: bets are not open, and there is no such area."""
    command = {"type": "place-bet", "round": 1, "box": 1, "area": "x" * 400, "amount": 100, **changes}
    body = {"key": key, "role": "player", "command": command}
    return client.http.post(f"/tables/{id}/commands", json=body)


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES_OF_PEOPLE)
def test_what_a_role_may_never_do_is_refused_without_being_kept(role: Role, floor: RunningFloor) -> None:
    id, client = floor.new_table("commission"), floor.client(PERSON[role])
    never = [name for name in KINDS if not can_terms_give(name, role, load("commission").authority)]
    before = commands_of(floor)
    for name in never:
        for expected in (None, 1, 77):
            body: dict[str, Any] = {"key": f"{id}-{name}", "role": role.value, "command": sample(name)}
            body |= {} if expected is None else {"expected": expected}
            answers = [client.http.post(f"/tables/{id}/commands", json=body) for _ in range(2)]
            assert {answer.status_code for answer in answers} == {403}, (name, answers[0].text)
            assert refusal(answers[0])["reason"] == "not-allowed"
            assert answers[0].content == answers[1].content
    assert commands_of(floor) == before


@pytest.mark.parametrize("book", NAMES)
def test_who_may_never_is_nobody_whom_book_house_or_terms_could_let(book: str) -> None:
    of_book = load(book).authority
    for command in HOUSE_AUTHORITY:
        for role in Role:
            may = role in authority_over(command, of_book, ()).roles
            is_for_terms = command not in ABOVE_TERMS and all(entry.command != command for entry in of_book)
            assert can_terms_give(command, role, of_book) == (may or (is_for_terms and role in LADDER))


def test_what_is_refused_is_kept_up_to_a_day_s_measure_and_answered_again(tmp_path: Path) -> None:
    now, most = 0.0, 20_000
    with running_floor(str(tmp_path / "house.db")) as floor:
        id, lee, kim = floor.new_table("commission"), floor.client("Lee"), floor.client("Kim")
        floor.app_state.bytes_kept = Throttle(most / 86_400, most, clock=lambda: now)
        floor.app_state.floor.bound_refusals(lambda who, size: int(floor.app_state.bytes_kept.wait(who, size)))
        first = bet(lee, id, "k0")
        assert first.status_code == 409
        answers = [bet(lee, id, f"k{number}") for number in range(1, 60)]
        over = [answer for answer in answers if answer.status_code == 429]
        assert over and refusal(over[0])["reason"] == "too-many-refused"
        assert int(over[0].headers["retry-after"]) == refusal(over[0])["params"]["seconds"] >= 1
        assert bytes_of(floor, "Lee") <= most
        kept = commands_of(floor)
        again = bet(lee, id, "k0")
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert commands_of(floor) == kept
        assert bet(kim, id, "k0").status_code == 409, "others are not concerned"
        seat = {"key": "seat", "role": "player", "command": {"type": "take-seat", "box": 1}}
        assert lee.http.post(f"/tables/{id}/commands", json=seat).status_code == 200, "play goes on"
        now = 86_400.0
        assert bet(lee, id, "k59").status_code == 409, "what was not decided yesterday is decided today"


def test_a_command_that_nobody_can_mean_is_not_taken(floor: RunningFloor) -> None:
    id, before = floor.new_table("commission"), commands_of(floor)
    body = {"key": "much", "role": "pit-supervisor", "command": {"type": "order-cards", "cards": ["KS"] * 5000}}
    answer = floor.client("Sue").http.post(f"/tables/{id}/commands", json=body)
    assert answer.status_code == 413 and refusal(answer)["params"] == {"most": LARGEST_COMMAND}
    assert commands_of(floor) == before


def test_one_person_has_only_so_much_waiting_for_a_second(floor: RunningFloor) -> None:
    two = (Authority("pause-table", LADDER, second=Role.PIT_MANAGER),)
    id, sue = floor.new_table("commission", authority=two), floor.client("Sue")

    def ask(number: int) -> Any:
        body = {"key": f"{id}-{number}", "role": "pit-supervisor", "command": {"type": "pause-table"}}
        return sue.http.post(f"/tables/{id}/commands", json=body)

    statuses = [ask(number).status_code for number in range(MOST_APPROVALS_WAITING + 5)]
    assert statuses == [202] * MOST_APPROVALS_WAITING + [429] * 5
    assert refusal(ask(-1))["reason"] == "too-many-wait"
    assert ask(0).status_code == 202, "what was asked is answered again"
    assert commands_of(floor) >= MOST_APPROVALS_WAITING


def test_refusals_of_the_cashier_and_calls_of_the_pit_are_bounded_too(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db"), rate=0.05) as floor:  # 2,000 bytes in a day
        floor.app_state.by_account = Throttle(1e6)
        id, cas, dan = floor.new_table("commission"), floor.client("Cas"), floor.client("Dan")
        cash = [
            cas.http.post("/cashier/cash-out", json={"key": f"k{n}", "account": "Lee", "amount": 100})
            for n in range(20)
        ]
        assert {answer.status_code for answer in cash} == {409, 429}
        calls = [dan.http.post(f"/tables/{id}/pit-calls", json={"reason": "r" * 200}) for _ in range(20)]
        assert calls[0].status_code == 201 and calls[-1].status_code == 429
