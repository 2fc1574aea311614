"""A PAR sheet as a page: which sections it has, in which order."""

from __future__ import annotations

from functools import lru_cache

from punto import __version__
from punto.documents.page import Page
from punto.reports.game_sections import bets_section, decks_section, pay_tables_section, round_section
from punto.reports.method import method_section
from punto.reports.odds_section import odds_section
from punto.reports.operating_sections import (
    cut_card_depths_section,
    hold_section,
    power_section,
    together_section,
)
from punto.reports.par_sheet import ParSheet
from punto.reports.signing import assumptions_section
from punto.reports.special_sections import ante_section, countability_section, insurance_section
from punto.reports.table_of_play import play_section
from punto.rules.words import counted


@lru_cache(maxsize=2)
def sheet_page(sheet: ParSheet) -> Page:
    """The PAR sheet for people; the last ones are kept, for drawing the charts takes longest."""
    book = sheet.book
    facts = [
        ("Game", book.title),
        ("Rules", book.source),
        ("Version", book.version or "not stated"),
        ("Effective", book.effective or "not stated"),
        ("Decks", f"{sheet.decks} ({sheet.odds.undealt.size} cards)"),
        ("Rule book", book.name),
        ("Digest", sheet.digest),
        ("Computed by", f"Punto {__version__}"),
        *sheet.signing.facts,
    ]
    sections = [
        bets_section(sheet),
        pay_tables_section(sheet),
        play_section(book),
        round_section(sheet),
        decks_section(sheet),
        odds_section(sheet),
        *([found] if (found := cut_card_depths_section(sheet)) else []),
        hold_section(sheet),
        together_section(sheet),
    ]
    if sheet.insurance is not None and sheet.levels is not None:
        sections.append(insurance_section(sheet.insurance, sheet.levels))
    if sheet.antes is not None:
        sections.append(ante_section(sheet.antes))
    sections += [
        countability_section(sheet),
        power_section(sheet),
        assumptions_section(book),
        method_section(sheet),
    ]
    subtitle = f"{book.title}, {counted(sheet.decks, 'deck')}"
    return Page(
        "PAR sheet",
        tuple(sections),
        subtitle,
        facts=tuple(facts),
        header=f"PAR sheet, {book.name}, {counted(sheet.decks, 'deck')}, digest {sheet.digest}",
        signatures=sheet.signing.signatures,
    )
