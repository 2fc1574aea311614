"""The glossary can be found, knows every bet of the built-in books, and names only what is in the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from punto import books
from punto.rules.entry import Labels

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/concepts/glossary.md").read_text(encoding="utf-8")
WORDS, NAMES = PAGE.split("\n## Names in the code\n")


def labels() -> Iterator[Labels]:
    """The name of everything that can be bet on in a built-in book, in three languages."""
    for name in books.NAMES:
        text = books.load(name).text
        yield from (bet.labels for bet in text.bets)
        yield from (declaration.labels for declaration in text.declarations)
        if text.insurance:
            yield text.insurance.labels


def test_the_documentation_leads_to_the_glossary() -> None:
    for page, link in (("README.md", "docs/concepts"), ("docs/README.md", "concepts")):
        assert f"({link}/glossary.md)" in (ROOT / page).read_text(encoding="utf-8")


def test_every_bet_is_in_the_glossary_in_three_languages() -> None:
    rows = WORDS.lower()
    missing = {
        label.en for label in labels() if f"| {label.en} | {label.zh_hans} | {label.zh_hant} |".lower() not in rows
    }
    assert missing == set()


def names() -> list[str]:
    """What stands in the first column of the second part."""
    return [name for cell in re.findall(r"^\| (`.*?) \|", NAMES, re.MULTILINE) for name in re.findall(r"\w+", cell)]


@pytest.mark.parametrize("name", names())
def test_a_name_in_the_glossary_is_a_name_in_the_code(name: str) -> None:
    defined = re.compile(rf"^(?:class|def) {name}\b|^{name}(?:: .*)? = ", re.MULTILINE)
    files = list((ROOT / "src").rglob("*.py"))
    assert any(file.stem == name or defined.search(file.read_text(encoding="utf-8")) for file in files)


MONEY_ONLY = re.compile(r"\b(?:releas(?:e|es|ed|ing)|drop(?:s|ped|ping)?)\b", re.IGNORECASE)
OF_MONEY = {
    *("docs/concepts/glossary.md", "docs/concepts/ledger.md", "docs/guides/keep-a-table.md"),
    *("docs/reference/command-line.md", "src/punto/ledger/results.py", "src/punto/ledger/movement.py"),
    *("src/punto/ledger/postings.py", "src/punto/ledger/play.py", "docs/guides/protect-players.md"),
    *("src/punto/floor/loaded_table.py", "src/punto/cli/table_commands.py", "src/punto/cli/account_commands.py"),
    *("src/punto/audit/house_figures.py", "src/punto/audit/house_report.py", "src/punto/audit/house_report_page.py"),
    *("src/punto/audit/house_reporting.py", "src/punto/audit/house_report_layout.py", "src/punto/table/house.py"),
    *("docs/reference/notation.md", "docs/reference/table.md", "docs/reference/api-calls.md"),
}
"""Where held money is released, and where there is talk of the drop of a table."""
OF_SQL = re.compile(r"DROP (?:TABLE|SCHEMA|INDEX|COLUMN)|op\.drop_")


def test_drop_and_release_are_said_of_money_only() -> None:
    """Clients are cut off, tens are taken away, locks are let go of: one meaning for each word."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src/punto").rglob("*.py")]
    found = {
        str(page.relative_to(ROOT))
        for page in pages
        if any(
            MONEY_ONLY.search(line) and not OF_SQL.search(line)
            for line in page.read_text(encoding="utf-8").splitlines()
        )
    }
    assert found - OF_MONEY == set()
    assert found >= OF_MONEY, "a page that is not about it any more is taken off the list"


def test_hold_is_a_result_of_a_table_and_a_role_is_had() -> None:
    """The noun; that a condition holds, or a file holds something, is ordinary English."""
    for page in (*(ROOT / "docs").rglob("*.md"), *(ROOT / "src/punto").rglob("*.py")):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"\b(?:hold|holds) (?:the|no|a) role\b", text), page
        assert not re.search(r"\ba hold\b", text), page
    for word in ("held", "release", "drop", "hold", "hold by handle", "keep open"):
        assert PAGE.count(f"\n| {word} |") == 1
