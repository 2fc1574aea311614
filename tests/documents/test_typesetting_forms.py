"""One page in Markdown, HTML and PDF: the same words, and none of them read as markup."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from punto.documents.page import CommandLine, Figure, Grid, Listing, Page, Section, Style, figures
from punto.documents.text import markdown_lines
from punto.documents.typesetting import grid_html, html_page, pdf_bytes, typst_source

PICTURE = SimpleNamespace(
    svg='<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path id="a" d="M0 0"/></svg>'
)
HOSTILE = '1. A <b> & #b *c* _d_ [x](y) $z$ `e` |f| // g \\ "h" @i = - + ~j~ <!--k'
GRID = Grid((HOSTILE, "n"), ((HOSTILE, "1"), ("two\nlines", "2")), HOSTILE, (1,), marks={1: Style.NOTICE})
BLOCKS = (HOSTILE, Listing((HOSTILE,)), GRID, Figure(PICTURE, HOSTILE), CommandLine("punto x | y", HOSTILE))
PAGE = Page(
    HOSTILE,
    (
        Section(
            HOSTILE, (HOSTILE, Listing((HOSTILE,)), GRID, Figure(PICTURE, HOSTILE), CommandLine("punto x | y", HOSTILE))
        ),
    ),
    HOSTILE,
    (HOSTILE,),
    ((HOSTILE, HOSTILE),),
)


def test_a_pdf_is_set() -> None:
    assert pdf_bytes(PAGE).startswith(b"%PDF-")
    assert pdf_bytes(Page("Only a title", ())).startswith(b"%PDF-")


def test_typst_sees_words_as_strings() -> None:
    assert '[#"1. A <b> & #b *c*' in typst_source(PAGE)
    assert '\\\\ \\"h\\" @i' in typst_source(PAGE)


def test_html_keeps_words_apart_from_markup() -> None:
    text = html_page(PAGE)
    assert "<h1>1. A &lt;b&gt; &amp; #b" in text
    assert "<!--k" not in text
    assert "two<br>lines" in text
    assert '<tr class="notice">' in text
    assert 'id="c0-3-a"' in text, "names of a chart are unique on the page"


def test_a_grid_shows_itself_in_a_notebook() -> None:
    grid = figures("Odds", ("Bet", "Edge"), [("Player", "1.2 %")])
    assert grid._repr_html_() == grid_html(grid)
    assert '<th scope="row" style="text-align:left">Player</th>' in grid_html(grid)
    assert 'style="text-align:right">1.2 %</td>' in grid_html(grid)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. first", r"1\. first"),
        ("- item", r"\- item"),
        ("# head", r"\# head"),
        ("a # b - c", "a # b - c"),
        ("4.1.2", r"4\.1.2"),
        ("a*b_c|d", r"a\*b\_c\|d"),
        ("<b> &amp; `x` [y]", r"\<b\> \&amp; \`x\` \[y\]"),
        ("two\nlines", "two<br>lines"),
    ],
)
def test_markdown_takes_no_word_for_its_own(text: str, written: str) -> None:
    assert list(markdown_lines(Page("t", (Section("s", (text,)),))))[-1] == written


def test_numbers_are_set_to_the_right_in_markdown() -> None:
    lines = list(markdown_lines(Page("t", (Section("s", (figures("g", ("a", "b"), [("c", "1")]),)),))))
    assert lines[-4:] == ["", "| a | b |", "| --- | --: |", "| c | 1 |"]
