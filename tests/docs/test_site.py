"""The site of the documentation: everything is in it, nothing leads nowhere, and nothing is fetched from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import browser
from tools import site
from tools.site import DOCS, ROOT, sections

__all__ = ["browser"]  # a fixture

INDEX = (DOCS / "README.md").read_text(encoding="utf-8")
LISTED = sections(INDEX)
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "web/README.md", *sorted(DOCS.rglob("*.md"))]
CODE = re.compile(r"^```.*?^```$|^(?: {4}|\t).*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def slugs(page: Path) -> set[str]:
    """The places that a host of code gives a page: its headings in small letters, with hyphens for blanks."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        found.add(re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    dead = []
    for target in re.findall(r"\]\(([^()\s]+)\)", text):
        place, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        goal = (page.parent / place).resolve() if place else page
        if not goal.exists() or (anchor and goal.suffix == ".md" and anchor not in slugs(goal)):
            dead.append(target)
    assert dead == []


def test_every_page_is_in_the_list() -> None:
    listed = {(DOCS / entry.page).resolve() for entries in LISTED.values() for entry in entries}
    there = {path.resolve() for path in DOCS.rglob("*.md")} - {DOCS / "README.md"}
    assert there - listed == set()
    assert {path for path in listed if not path.exists()} == set()
    assert all(entry.about for entries in LISTED.values() for entry in entries)


def test_both_first_pages_begin_alike() -> None:
    """Whoever comes to the repository and whoever comes to the site find the same paths."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("(docs/", "(")

    def paths(text: str) -> list[str]:
        return [line for line in text.splitlines() if line.startswith("| ")][:7]

    assert len(paths(INDEX)) == 7 and paths(INDEX) == paths(readme)
    assert INDEX.split("\n\n")[1] in readme


def test_the_list_has_the_four_kinds_of_pages() -> None:
    assert {"Tutorials", "Guides", "Reference", "Internals"} <= set(LISTED)


# ── The copy ─────────────────────────────────────────────────────────────────────────────────────────


def test_links_lead_to_the_same_things_in_the_copy() -> None:
    def led(text: str) -> str:
        return site.with_links(text, DOCS / "guides/audit.md", "guides/audit.md")

    assert led("[a](../concepts/shuffle.md#check-a-shoe)") == "[a](../concepts/shuffle.md#check-a-shoe)"
    assert led("[a](../../ARCHITECTURE.md)") == "[a](../project/architecture.md)"
    assert led("[a](../../tests/test_tidy.py)") == "a"
    assert led("[a](../notebooks/exact-odds.ipynb)") == "[a](../notebooks/exact-odds.md)"
    assert led("[a](https://example.org)") == "[a](https://example.org)"
    assert led("```\n[a](../../LICENSE)\n```") == "```\n[a](../../LICENSE)\n```"


def test_formulas_become_mathml() -> None:
    made = site.with_formulas("one $`n^2`$ and\n\n```math\nE_s = \\sum_a n_a\n```\n")
    assert made.count("<math") == 2 and "<msup>" in made and ("∑" in made or "&#x02211;" in made)
    assert "```" not in made and "$`" not in made


def test_a_notebook_becomes_a_page() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Odds\n"]},
        {"cell_type": "code", "source": ["1 + 1"], "outputs": [{"data": {"text/plain": ["2"]}}]},
        {"cell_type": "code", "source": ["book"], "outputs": [{"data": {"text/html": ["<b>ez</b>"]}}]},
    ]
    made = site.notebook_page({"cells": cells}, "odds.ipynb")
    assert made.startswith("# Odds\n")
    assert "```python\n1 + 1\n```\n\n```text\n2\n```" in made and "<b>ez</b>" in made and "(odds.ipynb)" in made


def test_the_list_for_programs_has_every_page() -> None:
    text = site.llms_text(LISTED)
    assert text.startswith("# Punto\n\n> Punto runs, proves and studies baccarat tables by the book. ")
    assert text.count("\n- [") == sum(map(len, LISTED.values()))


# ── What is looked for in a built site ───────────────────────────────────────────────────────────────

GOOD = '<html><head><link rel="stylesheet" href="a.css"></head><body id="top"><a href="#top">x</a></body></html>'


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(GOOD, encoding="utf-8")
    (tmp_path / "a.css").write_text("body { background: url(data:image/png;base64,AA) }", encoding="utf-8")
    return tmp_path


def test_a_site_in_order_has_no_problems(small: Path) -> None:
    assert site.problems(small) == []


@pytest.mark.parametrize(
    ("added", "told"),
    [
        ('<script src="https://cdn.example/x.js"></script>', "index.html fetches https://cdn.example/x.js"),
        ('<img src="//cdn.example/x.png">', "index.html fetches //cdn.example/x.png"),
        ('<link rel="preconnect" href="https://fonts.example">', "index.html fetches https://fonts.example"),
        ('<p style="background: url(https://a.example/b)">', "index.html fetches https://a.example/b"),
        ('<a href="gone.html">x</a>', "index.html: gone.html leads nowhere"),
        ('<a href="#gone">x</a>', "index.html: #gone names a place that is not on that page"),
        ('<img src="gone.png">', "index.html: gone.png leads nowhere"),
    ],
)
def test_what_is_wrong_with_a_page_is_told(small: Path, added: str, told: str) -> None:
    page = small / "index.html"
    page.write_text(GOOD.replace("</body>", f"{added}</body>"), encoding="utf-8")
    assert told in site.problems(small)


def test_a_style_that_fetches_is_told(small: Path) -> None:
    (small / "a.css").write_text("@import 'https://fonts.example/a.css';", encoding="utf-8")
    assert site.problems(small) == ["a.css fetches https://fonts.example/a.css"]


# ── The whole site ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("docs")
    assert site.build(place) == []
    return place / "site"


@pytest.fixture
def opened(built: Path, browser: Browser) -> Iterator[Page]:
    """The first page, opened as a file without any server; nothing else may be asked for."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{built.as_uri()}/index.html")
    yield page
    page.close()
    assert asked and [address for address in asked if not address.startswith(built.as_uri())] == []


@pytest.mark.slow
def test_every_page_is_in_the_site(built: Path) -> None:
    for path in DOCS.rglob("*.md"):
        name = path.relative_to(DOCS).with_suffix(".html").as_posix().replace("README.html", "index.html")
        assert (built / name).exists(), name
    assert (built / "llms.txt").exists()
    assert {language for page in built.glob("zh-*.html") for language in _language(page)} == {"zh-Hans", "zh-Hant"}


def _language(page: Path) -> list[str]:
    return re.findall(r'<html lang="([^"]*)"', page.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize(("words", "page"), [("differential", "Write a rule book"), ("佣金", "Glossary")])
def test_it_is_searched_without_a_server(opened: Page, words: str, page: str) -> None:
    opened.get_by_role("button", name="Search").first.click()
    opened.get_by_placeholder("Search").fill(words)
    expect(opened.get_by_text(page).last).to_be_visible()
    expect(opened.get_by_text(re.compile(r"^\d+ results?$"))).to_be_visible()


@pytest.mark.slow
def test_all_columns_of_the_six_paths_are_seen_on_a_phone(opened: Page) -> None:
    opened.set_viewport_size({"width": 390, "height": 844})
    for cell in opened.locator("table tr:nth-child(-n+4) > :last-child").all():
        box = cell.bounding_box()
        assert box is not None and box["x"] + box["width"] <= 390


@pytest.mark.slow
def test_it_is_light_and_dark(opened: Page) -> None:
    def ground() -> int:
        colour = opened.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3]))

    assert ground() > 600
    opened.emulate_media(color_scheme="dark")
    expect(opened.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    assert ground() < 150
