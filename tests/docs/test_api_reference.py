"""docs/reference/api.md names every call (metrics.md those of health), every reason of the server, status and code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.server.app import INSIDE, OUTSIDE
from punto.server.endpoint import Endpoint
from punto.server.messages import CloseCode, ServerFrame
from punto.server.validation import ServerReason

REFERENCE = Path(__file__).parents[2] / "docs/reference"
API = (REFERENCE / "api.md").read_text(encoding="utf-8")
HEALTH = (REFERENCE / "metrics.md").read_text(encoding="utf-8")


def test_every_reason_of_the_server_is_listed_and_no_other() -> None:
    listed = API.split("Every refusal is")[1].split("\n\n")[0].split("server itself are")[1]
    assert sorted(re.findall(r"`([a-z-]+)`", listed)) == sorted(reason.value for reason in ServerReason)


@pytest.mark.parametrize("endpoint", [*INSIDE, *OUTSIDE], ids=lambda e: f"{e.method} {e.path}")
def test_every_call_is_described(endpoint: Endpoint) -> None:
    path = re.sub(r"\{\w+\}", "{}", endpoint.path)
    known = {re.sub(r"\{\w+\}", "{}", found) for found in re.findall(r"/[a-z/{}.-]*", API + HEALTH)}
    ends = [f"/{'/'.join(path.split('/')[-n:])}" for n in range(1, path.count("/") + 1)]
    assert path in known or any(end in known and end != "/{}" for end in ends), path


def test_every_close_code_and_frame_is_described() -> None:
    for code in CloseCode:
        assert str(int(code)) in API
    for frame in ServerFrame.__args__:
        assert f'"type": "{frame.__struct_config__.tag}"' in API


def test_every_status_that_a_call_can_have_is_described() -> None:
    said = {int(status) for status in re.findall(r"^\| (\d{3}) \|", API, re.MULTILINE)}
    given = {status for endpoint in INSIDE for status in (*endpoint.refuses, *endpoint.also)}
    assert given | {400, 401, 403, 404, 413, 429, 503} <= said
