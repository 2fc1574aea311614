"""Write web/src/api/schema.ts and frames.ts: what the server sends and takes, as TypeScript types.

Usage: .venv/bin/python tools/page_types.py [--check]

The pages are compiled against these files, so a field that is renamed in the server breaks the build of the
pages. A test compares the files in the repository with what the structs give; --check does the same.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from punto.audit.history_page import RoundRecord
from punto.audit.house_report import (
    AlterationsReport,
    CashierReport,
    FloorReport,
    PlayerReport,
    StaffReport,
    TableReport,
)
from punto.audit.shuffle import ShoeCheck
from punto.audit.significant_events import CashMark
from punto.audit.verification import Verification
from punto.floor.answers import (
    Account,
    AccountStatement,
    Approval,
    BegunFactor,
    DisputesAnswer,
    Exclusion,
    Moved,
    NewDevice,
    PitCallsAnswer,
    PlayerLimits,
    PlayerPlay,
    RecoveryCodes,
    SecondFactorStatus,
    Waiting,
)
from punto.floor.board import BoardAnswer, BoardKey
from punto.floor.doctor import Diagnosis
from punto.floor.gaming_day import ClosedDay
from punto.floor.house_rules import HouseRules
from punto.floor.rack import Rack
from punto.floor.rule_form import RuleForms
from punto.floor.rules_effect import RulesEffect
from punto.floor.shift import CashierShift, Receipt
from punto.odds.odds_answer import ExploredOdds, OddsAnswer
from punto.reports.comparison import ComparedBooks
from punto.server.board_routes import CodeAnswer, TypedResults
from punto.server.book_routes import BookAnswer, BookEntry, BooksAnswer
from punto.server.cage_routes import FoundAccounts, ReceiptsAnswer
from punto.server.device_routes import DevicesAnswer
from punto.server.house_routes import HouseAnswer
from punto.server.invitation_routes import InvitationsAnswer, NewInvitationsAnswer
from punto.server.messages import (
    ApprovalsAnswer,
    CasesAnswer,
    CatalogueAnswer,
    CatalogueSectionAnswer,
    ClientFrame,
    CommandBody,
    CostsAnswer,
    ExaminedBook,
    HealthAnswer,
    HistoryAnswer,
    IntegrityAnswer,
    MyRoundsAnswer,
    PeopleAnswer,
    RemovalAnswer,
    RoadsAnswer,
    RoundsAnswer,
    RoundStepsAnswer,
    ServerFrame,
    SessionAnswer,
    SessionsAnswer,
    SignificantEventsAnswer,
    StatisticsAnswer,
    TablesAnswer,
)
from punto.server.report_routes import DaysAnswer, ReportsAnswer
from punto.server.table_routes import RunningAnswer
from punto.server.watch_routes import WatchedTables
from punto.views.audit_view import AuditedRound
from punto.views.effect_view import EffectView, TermsChoices
from punto.views.history_view import DealingView
from punto.views.pit_view import StopsAnswer, WallAnswer

FOLDER = Path(__file__).parents[1] / "web/src/api"
TYPES: tuple[type, ...] = (
    *(SessionAnswer, TablesAnswer, Account, AccountStatement, CostsAnswer),
    *(PlayerPlay, PlayerLimits, Exclusion, HouseAnswer),
    *(ApprovalsAnswer, PitCallsAnswer, DisputesAnswer, MyRoundsAnswer),
    *(SessionsAnswer, SecondFactorStatus, BegunFactor, RecoveryCodes),
    *(BooksAnswer, BookAnswer, RoadsAnswer, HistoryAnswer, RoundStepsAnswer, StatisticsAnswer),
    *(CasesAnswer, RoundsAnswer, RoundRecord, AuditedRound, ShoeCheck, Verification, DealingView),
    *(HealthAnswer, IntegrityAnswer, SignificantEventsAnswer),
    *(WallAnswer, StopsAnswer, EffectView, TermsChoices, RunningAnswer),
    *(FoundAccounts, ReceiptsAnswer, Receipt, CashierShift, Rack, Moved, Waiting, Approval, HouseRules),
    *(ReportsAnswer, DaysAnswer, ClosedDay, FloorReport, TableReport, PlayerReport),
    *(CashierReport, StaffReport, AlterationsReport),
    *(ExploredOdds, OddsAnswer, RemovalAnswer, CatalogueAnswer, CatalogueSectionAnswer),
    *(BoardAnswer, BoardKey, CodeAnswer, TypedResults, WatchedTables),
    *(
        PeopleAnswer,
        InvitationsAnswer,
        NewInvitationsAnswer,
        HouseRules,
        ExaminedBook,
        BookEntry,
        DevicesAnswer,
        NewDevice,
        Diagnosis,
        ComparedBooks,
        RuleForms,
        RulesEffect,
        CashMark,
    ),
)
UNIONS: dict[str, Any] = {"CommandBody": CommandBody, "ClientFrame": ClientFrame, "ServerFrame": ServerFrame}
"""What goes over a stream: each is one of several structs."""
HEAD = "// {what}, generated from the server's structs by tools/page_types.py: do not edit.\n\n"


def schema() -> str:
    """The file of what the server answers."""
    _, components = msgspec.json.schema_components(TYPES)
    return HEAD.format(what="What the server sends") + _all_declared(components)


def frames() -> str:
    """The file of what goes over a stream, both ways; what both files need stands in the other one."""
    _, known = msgspec.json.schema_components(TYPES)
    unions, components = msgspec.json.schema_components(UNIONS.values())
    ours = {name: component for name, component in components.items() if name not in known}
    declared = _all_declared(ours | dict(zip(UNIONS, unions, strict=True)))
    used = sorted(name for name in known if re.search(rf"\b{name}\b", declared))
    head = HEAD.format(what="What goes over the stream of a table")
    return f'{head}import type {{ {", ".join(used)} }} from "./schema";\n\n{declared}'


FILES: dict[str, Callable[[], str]] = {"schema.ts": schema, "frames.ts": frames}


def _all_declared(components: dict[str, Any]) -> str:
    return "\n".join(_declared(name, component) for name, component in sorted(components.items()))


def _declared(name: str, component: dict[str, Any]) -> str:
    lines = _comment(component.get("description"), "")
    if "properties" not in component:
        return "\n".join([*lines, f"export type {name} = {_type(component)};", ""])
    needed = set(component.get("required", ()))
    lines.append(f"export interface {name} {{")
    for field, value in component["properties"].items():
        mark = "" if field in needed else "?"
        lines.append(f"  {field}{mark}: {_type(value)};")
    return "\n".join([*lines, "}", ""])


def _comment(text: str | None, indent: str) -> list[str]:
    first = (text or "").split("\n\n")[0].replace("\n", " ").strip()
    return [f"{indent}/** {first} */"] if first else []


_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        return str(value["$ref"]).rsplit("/", 1)[-1]
    if "enum" in value:
        return " | ".join(msgspec.json.encode(one).decode() for one in value["enum"])
    if "anyOf" in value:
        return " | ".join(dict.fromkeys(_type(one) for one in value["anyOf"]))
    if "const" in value:
        return msgspec.json.encode(value["const"]).decode()
    match value.get("type"):
        case "array":
            inner = _type(value["items"]) if value.get("items") else "unknown"
            return f"readonly ({inner})[]" if "|" in inner else f"readonly {inner}[]"
        case "object":
            values = value.get("additionalProperties")
            return f"Record<string, {_type(values) if isinstance(values, dict) and values else 'unknown'}>"
        case str() as plain:
            return _PLAIN[plain]
        case _:
            return "unknown"


def main() -> int:
    """Write the files, or say whether they are the ones that the structs give."""
    is_check, stale = "--check" in sys.argv[1:], []
    for name, made in FILES.items():
        path, text = FOLDER / name, made()
        if is_check and path.read_text(encoding="utf-8") != text:
            stale.append(name)
        elif not is_check:
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"web/src/api/{name} is out of date; type: .venv/bin/python tools/page_types.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
