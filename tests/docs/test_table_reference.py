"""The reference of the table and of its notation leaves nothing out."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import fields

from punto.books import load
from punto.refusal import Reason
from punto.rules.authority import Role
from punto.rules.book_text import Finding
from punto.table.command import Command
from punto.table.event import FACT_KINDS, Event
from punto.table.header import CommandHeader, EventHeader, Person
from punto.table.house import OpenTable
from punto.table.irregularity_case import Awaits, Evidence, Face, Place, RoundCard, Seen, Sighting
from punto.table.irregularity_events import Effect, Option, Report
from punto.table.notation import PHRASES, CommandGiven, format_session, parse_line, parse_session, play_session, unmet
from punto.table.state import OfferMade, SettledBet, SqueezeKind, Stake
from punto.table.terms import Terms
from punto.words import ENGLISH, phrases

DOCS = Path(__file__).parents[2] / "docs"
TABLE = (DOCS / "reference/table.md").read_text(encoding="utf-8")
NOTATION = (DOCS / "reference/notation.md").read_text(encoding="utf-8")
IRREGULARITIES = (DOCS / "concepts/irregularities.md").read_text(encoding="utf-8")
COMMANDS: tuple[type[CommandHeader], ...] = Command.__args__
EVENTS: tuple[type[EventHeader], ...] = Event.__args__
SENTENCES = phrases(ENGLISH, "refusals.json")


def row(heading: str, first: str) -> str:
    """The row under a heading of the reference whose first cell is this."""
    section = TABLE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    (found,) = re.findall(rf"^\| `{re.escape(first)}` \|.*$", section, re.MULTILINE)
    return str(found)


def own_fields(kind: type[msgspec.Struct], header: type[msgspec.Struct]) -> list[tuple[str, bool]]:
    inherited = {field.name for field in fields(header)}
    return [(field.name, field.required) for field in fields(kind) if field.name not in inherited]


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_every_command_is_in_the_reference(kind: type[CommandHeader]) -> None:
    said = row("Commands", kind.name())
    for name, required in own_fields(kind, CommandHeader):
        assert (f"`{name}` " if required else f"`{name}`? ") in said


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_every_command_is_in_the_notation(kind: type[CommandHeader]) -> None:
    (said,) = (line for line in NOTATION.splitlines() if line.endswith(f"| `{kind.name()}` |"))
    needed = [name.upper() for name, required in own_fields(kind, CommandHeader) if required]
    words = " ".join((PHRASES[kind], *(["BOOK", "LAYOUT"] if needed == ["TERMS"] else needed)))
    assert said.startswith(f"| `{words}` |")


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_is_in_the_reference(kind: type[EventHeader]) -> None:
    said = row("Events", kind.name())
    for name, required in own_fields(kind, EventHeader):
        assert (f"`{name}` " if required else f"`{name}`? ") in said


@pytest.mark.parametrize("struct", [Stake, SettledBet, OfferMade, Person, Evidence, RoundCard])
def test_every_object_inside_them_is_in_the_reference(struct: type[msgspec.Struct]) -> None:
    listed = ", ".join(f"`{field.name}`{'' if field.required else '[?]'} [a-z ]+" for field in fields(struct))
    assert re.search(rf"\| {listed} \|", TABLE)


@pytest.mark.parametrize("reason", Reason, ids=lambda reason: reason.value)
def test_every_refusal_is_in_the_reference_with_its_sentence(reason: Reason) -> None:
    assert row("Refusals", reason.value) == f"| `{reason.value}` | {SENTENCES[reason.value]} |"


def test_nothing_is_in_the_reference_that_is_not_there() -> None:
    commands = {kind.name() for kind in COMMANDS}
    events = {kind.name() for kind in EVENTS}
    reasons = {reason.value for reason in Reason}
    terms = {field.name for field in fields(Terms)}
    named = set(re.findall(r"^\| `([a-z_-]+)` \|", TABLE, re.MULTILINE))
    assert named == commands | events | reasons | terms


@pytest.mark.parametrize("term", fields(Terms), ids=lambda field: field.name)
def test_every_term_is_in_the_reference_with_its_usual_value(term: msgspec.structs.FieldInfo) -> None:
    usual = row("Terms", term.name).split(" | ")[2]
    if term.required:
        assert usual == "needed"
    else:
        plain = Terms(book="ez", layout="house")
        value = msgspec.to_builtins(getattr(plain, term.name))
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        assert usual == f"`{text}`"


def test_every_role_and_irregularity_is_in_the_reference() -> None:
    for word in (*Role, *Finding, *SqueezeKind, *Option, *Effect):
        assert f"`{word.value}`" in TABLE


def test_every_kind_of_fact_is_in_the_notation() -> None:
    section = NOTATION.split("## Facts")[1].split("## Grammar")[0]
    rows = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
    told = {fact.split()[0] for cell in rows for fact in re.findall(r"`([^`]+)`", cell)}
    assert told == FACT_KINDS


def test_the_examples_can_be_read_and_come_true() -> None:
    examples = re.findall(r"^ {4}(\w+ as [a-z-]+.*:.*)$", NOTATION, re.MULTILINE)
    assert len(examples) >= 9
    for example in examples:
        parse_line(example)
    for path in sorted((DOCS / "examples").glob("*.punto")):
        text = path.read_text(encoding="utf-8")
        session = parse_session(text)
        assert parse_session(format_session(session)) == session
        if not any(isinstance(line, CommandGiven) and isinstance(line.command, OpenTable) for line in session):
            continue  # for a stored table, which docs/guides/keep-a-table.md opens first
        assert unmet(session, play_session(session, load)) == []
        lines = [f"    {line}".rstrip() for line in text.splitlines()]
        assert any(all(line in page for line in lines) for page in (NOTATION, IRREGULARITIES))


def test_every_word_of_a_report_is_in_both_references() -> None:
    tags = (*Place, *Face)
    for word in (*(tag.value for tag in tags), *(fact.value for fact in Seen), "seen", "together", "foreign"):
        assert f"`{word}`" in NOTATION.split("## Reports")[1] or f"={word}`" in NOTATION
    for tag in ("after-2", "is-KD", "carried", "unseen"):
        assert f"`{tag}`" in NOTATION
    for name in Sighting.__struct_encode_fields__:
        assert re.search(rf"^\| {name} \| ", TABLE, re.MULTILINE)
    for value in (*tags, *Seen, *Awaits):
        assert f"`{value.value}`" in TABLE


def test_the_report_of_the_reference_is_one() -> None:
    (example,) = re.findall(r'^ {4}(\{"type": "report".*?\})\n\n', TABLE, re.MULTILINE | re.DOTALL)
    report = msgspec.json.decode(example, type=Command)
    assert isinstance(report, Report)
    assert len(report.cards) == 3


def test_the_concept_page_names_every_finding_and_its_clause() -> None:
    book = load("insurance")
    for finding in Finding:
        assert f"`{finding.value}`" in IRREGULARITIES
    for entry in book.irregularities:
        assert entry.clause is not None
        section = re.match(r"\d+\.\d+", entry.clause)
        assert section is not None and section[0] in IRREGULARITIES
