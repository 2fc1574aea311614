"""The OpenAPI document is true: what it allows is accepted, what it does not is refused, nothing fails.

Schemathesis makes requests from the document, valid ones and wrong ones, and compares every answer with it.
Names in paths and bodies are often those of things that are there, so that calls come further than "not
there".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from punto.server.access import PREFIX, Throttle
from punto.server.app import INSIDE, OUTSIDE
from tests.server.running_floor import PASSWORD, RunningFloor
from tests.server.test_table_routes_commands import opened_round

CALLS = [f"{e.method} {PREFIX}{e.path}" for e in INSIDE] + [f"{e.method} {e.path}" for e in OUTSIDE]
WHO = {"people": "Ada", "audit": "Aud", "cashier": "Cas", "approvals": "Mia"}
"""Who calls what, by tag; everything else is called by somebody with several roles."""
ENDS_SESSIONS = ("DELETE /api/v1/sessions/current", "PUT /api/v1/accounts/me/password")
EXAMPLES = 8
"""Requests of each kind for each call; under the profile `thorough` fifty times as many."""
ROLES = ("player", "dealer", "pit-supervisor")


@pytest.fixture(scope="module")
def schema(floor: RunningFloor, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The document of a running floor, and a few things on it to be named."""
    folder = tmp_path_factory.mktemp("days")
    floor.app_state.settings = msgspec.structs.replace(floor.app_state.settings, days=str(folder))
    floor.app_state.by_address = Throttle(1e6)  # each request is sent again without a session and with a wrong one
    boss = floor.client("Ada")
    body = {"name": "All", "password": PASSWORD, "roles": [*ROLES, "shift-manager"]}
    assert boss.http.post("/people", json=body).status_code == 201
    for book in ("ez", "insurance"):
        opened_round(floor, book)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        closed = floor.client("Rob").http.post("/house/close-day", json={"day": KNOWN["day"]})
        assert closed.status_code == 200 and (folder / KNOWN["day"] / KNOWN["file"]).exists()
        yield schemathesis.openapi.from_dict(httpx.get(f"{floor.url}/api/v1/openapi.json").json())


def test_the_document_is_valid_and_whole(schema: Any, operations: dict[str, Any]) -> None:
    schema.validate()
    assert set(operations) == set(CALLS)
    assert schema.raw_schema["openapi"].startswith("3.1")


def test_a_card_of_a_report_is_named_in_one_way(schema: Any) -> None:
    """What no type says by itself stands in the document too."""
    card = schema.raw_schema["components"]["schemas"]["ReportBody"]["properties"]["cards"]["items"]
    assert card["oneOf"] == [{"required": ["card"]}, {"required": ["nth"]}]


@pytest.fixture(scope="module")
def operations(schema: Any) -> dict[str, Any]:
    """Every call of the document by its label; to go through them takes longer than to make a few requests."""
    return {op.label: op for found in schema.get_all_operations() if (op := found.ok())}


KNOWN = {"id": "t1", "handle": "Lee", "digest": "ez", "round": "1", "shoe": "1", "number": "1", "approval": "none"}
KNOWN |= {"section": "pairs", "day": "2026-01-05", "file": "floor.json"}
KNOWN |= {"call": "none", "session": "none", "invitation": "none", "code": "none", "dispute": "none", "device": "none"}


@pytest.mark.slow
@pytest.mark.parametrize("label", CALLS)
def test_every_answer_is_documented(label: str, operations: dict[str, Any], floor: RunningFloor) -> None:
    operation = operations[label]
    tag = operation.tags[0]
    who = floor.client("Eve" if label in ENDS_SESSIONS else WHO.get(tag, "All"))
    statuses = Counter[int]()

    def send(case: Any, is_known: bool) -> None:
        if is_known:
            for name in case.path_parameters or {}:
                case.path_parameters[name] = KNOWN[name]
            _name_in_body(case.body)
        token = who.session
        if label in ENDS_SESSIONS:
            with floor.fresh_client("Eve") as again:
                token = again.session
        assert token is not None
        headers = {"authorization": f"Bearer {token.token}"}
        answer = case.call(base_url=floor.url, headers=headers, timeout=300)  # the first sheet compiles its kernels
        statuses[answer.status_code] += 1
        case.validate_response(answer, headers=headers)
        if label.endswith("/me/password") and answer.status_code == 200:
            floor.set_password("Eve")

    for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        strategy = operation.as_strategy(generation_mode=mode)
        is_negative = mode is schemathesis.GenerationMode.NEGATIVE
        examples = settings(
            max_examples=EXAMPLES * settings().max_examples // 100,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        try:
            examples(given(strategy, st.just(False) if is_negative else st.booleans())(send))()
        except Unsatisfiable:
            assert is_negative, "a call that nothing can be wrong with"
    assert statuses and not any(status >= 500 for status in statuses)


def _name_in_body(body: Any) -> None:
    """Put names of things that are there into a body, where it has such names."""
    if isinstance(body, dict):
        for name, value in (("account", "Lee"), ("book", "ez"), ("role", "dealer")):
            if name in body:
                body[name] = value
