"""Every command is read from JSON as it was given, and the JSON of a report is that of the reference."""

from __future__ import annotations

import json
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings

from punto.rules.authority import Role
from punto.table.command import Command
from punto.table.header import CommandHeader
from punto.table.irregularity_case import OrderKnown, Seen, parse_sighting
from punto.table.irregularity_events import Report, WithdrawEvidence
from tests.table.drawn import FEW, record

COMMANDS: tuple[type[CommandHeader], ...] = get_args(Command)
JSON = msgspec.json.Decoder(Command)


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_a_command_survives_json(kind: type[CommandHeader]) -> None:
    @settings(max_examples=FEW * settings().max_examples // 100)
    @given(record(kind))
    def check(command: Command) -> None:
        assert JSON.decode(msgspec.json.encode(command)) == command

    check()


REPORT = """
{"type":"report","actor":"Ann","role":"dealer",
 "cards":[{"card":"5H","lies":"player","together":true},{"card":null,"lies":"banker","face":"down"},
          {"nth":3,"is":"2S"}],
 "seen":["foreign-card"],"order":"seen","round":12,"note":"seen by two"}
"""


def test_a_report_in_json() -> None:
    entries = ("5H:player:together", "unseen:banker:down", "3:is-2S")
    report = Report(
        actor="Ann",
        role=Role.DEALER,
        cards=tuple(map(parse_sighting, entries)),
        seen=(Seen.FOREIGN_CARD,),
        order=OrderKnown.SEEN,
        round=12,
        note="seen by two",
    )
    assert JSON.decode(REPORT) == report
    assert json.loads(msgspec.json.encode(report)) == json.loads(REPORT)


def test_what_a_report_does_not_say_is_left_out() -> None:
    report = Report(actor="Ann", role=Role.DEALER, seen=(Seen.INTERRUPTION,))
    assert json.loads(msgspec.json.encode(report)) == {
        "type": "report", "actor": "Ann", "role": "dealer", "seen": ["interruption"],
    }  # fmt: skip
    back = WithdrawEvidence(actor="Pia", role=Role.PIT_SUPERVISOR, cards=(3,))
    assert json.loads(msgspec.json.encode(back)) == {
        "type": "withdraw-evidence", "actor": "Pia", "role": "pit-supervisor", "cards": [3],
    }  # fmt: skip


@pytest.mark.parametrize("field", ["kind", "hand", "number", "placed"])
def test_there_is_no_kind_in_a_report(field: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        JSON.decode(json.dumps({"type": "report", "actor": "Ann", "role": "dealer", field: "excess"}))
