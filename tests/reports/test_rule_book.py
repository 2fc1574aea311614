"""A rule book as a page: the same in every form, and made from the book alone."""

from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.documents.text import page_lines, width
from punto.documents.typesetting import html_page, pdf_bytes
from punto.reports.rule_book import rule_book_page


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_a_page_in_every_form(name: str) -> None:
    book = load(name)
    page = rule_book_page(book)
    assert page.title == book.title
    for columns in (40, 66, 120):
        assert max(map(width, page_lines(page, columns))) <= columns
    text = html_page(page)
    for section in page.sections:
        assert f"<h2>{section.heading.replace(chr(39), '&#x27;')}</h2>" in text


def test_a_book_can_be_printed() -> None:
    assert pdf_bytes(rule_book_page(load("insurance"))).startswith(b"%PDF-")
