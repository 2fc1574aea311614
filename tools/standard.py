"""Makes docs/reference/gli-19.md: what GLI-19 and the rules beside it ask of a table server, and how Punto meets it.

The clauses are data, in docs/reference/gli-19.toml; a test holds one when it is marked `@pytest.mark.gli("2.5.5")`.
`tools/conformance.py` writes the page, and tests/docs/test_standard.py checks that it is true: a clause that is met
has a test, one that is "not yet" has none, every mark names a clause, and every setting that is named exists.
"""

from __future__ import annotations

import tomllib
from enum import Enum
from pathlib import Path

import msgspec

from punto.floor.house_rules import HouseRules
from punto.floor.profile import Profile
from punto.table.terms import Terms

ROOT = Path(__file__).resolve().parent.parent
CLAUSES = ROOT / "docs" / "reference" / "gli-19.toml"
PAGE = ROOT / "docs" / "reference" / "gli-19.md"

INTRODUCTION = """\
What GLI-19 v3.0 asks of a server of tables, and a few rules of other places beside it: each clause in our own words,
how Punto meets it, the setting where there is one, and the tests that show it. The public text is the authority, and
a test laboratory decides; nobody has certified Punto. **Met** and **part** have tests. **Operator** is a duty of
whoever runs the floor, with what Punto gives for it. **Not yet** means that it is missing. `make conformance` writes
this page from `gli-19.toml` and from the marks on the tests; a test run fails when it is out of date, when a clause
that is met has no test, or when a test names a clause that is not here."""

SETTINGS: dict[str, tuple[str, ...]] = {
    "profile": Profile.__struct_fields__,
    "rule": HouseRules.__struct_fields__,
    "term": Terms.__struct_fields__,
}
"""What stands before the dot, and the names that may follow."""

Tests = dict[str, list[str]]
"""Names of tests by clause, each as `tests/floor/test_desk.py::test_money_in_and_out`."""


class ClauseState(Enum):
    """How far a clause is met."""

    MET = "met"
    PART = "part"
    OPERATOR = "operator"
    NOT_YET = "not yet"


class StandardClause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clause, in our own words."""

    number: str
    asks: str
    state: ClauseState
    punto: str = ""  # How it is met.
    lacks: str = ""  # What is missing.
    gives: str = ""  # What an operator has from Punto for it.
    settings: tuple[str, ...] = ()


class StandardPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clauses of one text."""

    name: str
    about: str
    clause: tuple[StandardClause, ...]


class Standard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything on the page."""

    part: tuple[StandardPart, ...]

    @property
    def clauses(self) -> tuple[StandardClause, ...]:
        return tuple(clause for part in self.part for clause in part.clause)


def load(path: Path = CLAUSES) -> Standard:
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), type=Standard)


def problems(standard: Standard, tests: Tests) -> list[str]:
    """What is not true of the clauses or of the marks, a sentence each."""
    numbers = [clause.number for clause in standard.clauses]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    found = [f"clause {number} stands twice in {CLAUSES.name}" for number in twice]
    for number, names in tests.items():
        if number not in numbers:
            found += [f"{test} is marked with clause {number}, which is not in {CLAUSES.name}" for test in names]
    for clause in standard.clauses:
        found += _problems_of(clause, has_test=clause.number in tests)
    return found


def _problems_of(clause: StandardClause, *, has_test: bool) -> list[str]:
    state, found = clause.state, []
    if state in (ClauseState.MET, ClauseState.PART) and not has_test:
        found.append(f"clause {clause.number} is said to be {state.value} and no test is marked with it")
    if state is ClauseState.NOT_YET and has_test:
        found.append(
            f"clause {clause.number} has a test and is said to be missing: say in {CLAUSES.name} how it is met"
        )
    told = {
        ClauseState.MET: (True, False, False),
        ClauseState.PART: (True, True, False),
        ClauseState.OPERATOR: (False, False, True),
        ClauseState.NOT_YET: (False, True, False),
    }[state]
    if (bool(clause.punto), bool(clause.lacks), bool(clause.gives)) != told:
        wanted = ", ".join(name for name, is_told in zip(("punto", "lacks", "gives"), told, strict=True) if is_told)
        found.append(f"clause {clause.number} is said to be {state.value}: it has {wanted}, and nothing else")
    for setting in clause.settings:
        kind, dot, name = setting.partition(".")
        if dot and name not in SETTINGS.get(kind, ()):
            found.append(f"clause {clause.number} names the setting {setting}, which does not exist")
    return found


def page(standard: Standard, tests: Tests) -> str:
    """The whole page."""
    chapters = (_chapter(part, tests) for part in standard.part)
    return "\n\n".join(["\n".join(_head(standard)), *chapters]) + "\n"


def _head(standard: Standard) -> list[str]:
    states = [state.value for state in ClauseState]
    rows = [f"| | clauses | {' | '.join(states)} |", f"|---|---:|{'---:|' * len(states)}"]
    for part in standard.part:
        counts = [sum(clause.state is state for clause in part.clause) for state in ClauseState]
        rows.append(f"| [{part.name}](#{_anchor(part.name)}) | {len(part.clause)} | {' | '.join(map(str, counts))} |")
    return ["# GLI-19", "", INTRODUCTION, "", *rows]


def _anchor(heading: str) -> str:
    """How a heading is called in an address, as GitHub makes it."""
    kept = "".join(sign for sign in heading.lower() if sign.isalnum() or sign in " -")
    return kept.replace(" ", "-")


def _chapter(part: StandardPart, tests: Tests) -> str:
    heads = ["| clause | what it asks | | Punto | setting | tests |", "|---|---|---|---|---|---|"]
    rows = [_row(clause, tests.get(clause.number, [])) for clause in part.clause]
    return "\n".join([f"## {part.name}", "", part.about, "", *heads, *rows])


def _row(clause: StandardClause, names: list[str]) -> str:
    told = [clause.punto, clause.gives, f"*Missing:* {clause.lacks}" if clause.lacks else ""]
    settings = "<br>".join(f"`{setting}`" for setting in clause.settings)
    links = "<br>".join(f"[{name.split('::')[1]}](../../{name.split('::')[0]})" for name in sorted(set(names)))
    state = f"**{clause.state.value}**"
    cells = (clause.number, clause.asks, state, "<br>".join(filter(None, told)), settings, links)
    return f"| {' | '.join(cells)} |"
