"""A PAR sheet as a page: which sections it has, in which order."""

from __future__ import annotations

from punto import __version__
from punto.documents.page import Page
from punto.reports.game_sections import bets_section, decks_section, pay_tables_section, round_section
from punto.reports.method import method_section
from punto.reports.par_sheet import ParSheet
from punto.reports.special_sections import ante_section, countability_section, insurance_section


def sheet_page(sheet: ParSheet) -> Page:
    """The PAR sheet for people."""
    book = sheet.book
    facts = [
        ("Game", book.title),
        ("Rules", book.source),
        ("Version", book.version or "not stated"),
        ("Effective", book.effective or "not stated"),
        ("Decks", f"{sheet.decks} ({sheet.odds.undealt.size} cards)"),
        ("Rule book", f"{book.name}, SHA-256 {sheet.fingerprint}"),
        ("Computed by", f"Punto {__version__}"),
    ]
    sections = [bets_section(sheet), pay_tables_section(sheet), round_section(sheet), decks_section(sheet)]
    if sheet.insurance is not None:
        sections.append(insurance_section(sheet.insurance))
    if sheet.antes is not None:
        sections.append(ante_section(sheet.antes))
    sections += [countability_section(sheet), method_section(sheet)]
    subtitle = f"{book.title}, {sheet.decks} decks"
    return Page("PAR sheet", tuple(sections), subtitle, facts=tuple(facts))
