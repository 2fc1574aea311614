"""The whole PAR sheet: as a page for people, as rows of figures for a table, and as a record for programs.

Rows and record carry the exact figures, and everything that the page shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from punto import __version__
from punto.documents.page import CommandLine, Figure, Grid, Listing, Page, Section, fraction
from punto.odds.bet_odds import BetOdds
from punto.reports.par_sheet import ParSheet, assumptions_section, pay_rows
from punto.reports.par_sheet_sections import (
    ante_section,
    bets_section,
    countability_section,
    cut_card_depths_section,
    decks_section,
    hold_section,
    insurance_section,
    method_section,
    odds_section,
    pay_tables_section,
    power_section,
    round_section,
    together_section,
)
from punto.reports.rule_book import play_section
from punto.rules.outcome import format_odds
from punto.rules.wording import counted, outcome_words, row_words


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
    sections += [countability_section(sheet), power_section(sheet), assumptions_section(book), method_section(sheet)]
    subtitle = f"{book.title}, {counted(sheet.decks, 'deck')}"
    return Page(
        "PAR sheet",
        tuple(sections),
        subtitle,
        facts=tuple(facts),
        header=f"PAR sheet, {book.name}, {counted(sheet.decks, 'deck')}, digest {sheet.digest}",
        signatures=sheet.signing.signatures,
    )


# All figures of a PAR sheet as one long table, for spreadsheets and data frames.
#
# A row is one figure: of what, which, exactly as a fraction where it is one, and as a floating-point number.
# After the figures, whatever the page shows follows as it is shown: every fact, sentence and cell.


class FigureRow(NamedTuple):
    """One figure."""

    book: str
    decks: int
    section: str
    subject: str
    """The bet, or what else the figure is of."""
    item: str
    """Which figure."""
    clause: str | None
    exact: str | None
    value: float | None
    text: str | None = None
    """What the page shows, where the figure is one of its words or cells."""


def figure_rows(sheet: ParSheet) -> list[FigureRow]:
    """Every figure of a sheet."""
    book = sheet.book.name
    found = [FigureRow(book, sheet.decks, *figure) for figure in _exact_figures(sheet)]
    for decks, odds in sheet.by_decks.items():
        for bet in odds.bets:
            found.append(
                FigureRow(book, decks, "edge-by-decks", bet.area, "edge", None, fraction(bet.edge), float(bet.edge))
            )
    return [*found, *(FigureRow(book, sheet.decks, *cells) for cells in _shown_cells(sheet))]


def _shown_cells(sheet: ParSheet) -> Iterator[tuple[str, str, str, None, None, float | None, str]]:
    """Everything on the page, as it is shown there."""
    page = sheet_page(sheet)
    for name, text in page.facts:
        yield "facts", name, "", None, None, _number_shown(text), text
    for section in page.sections:
        for block in section.blocks:
            match block:
                case Grid():
                    for row in block.rows:
                        for head, cell in zip(block.heads[1:], row[1:], strict=True):
                            subject = f"{block.title}: {row[0]}" if block.title else row[0]
                            yield section.heading, subject, head, None, None, _number_shown(cell), cell
                case Listing():
                    for item in block.items:
                        yield section.heading, "", "", None, None, None, item
                case Figure():
                    yield section.heading, "figure", "", None, None, None, block.caption
                case CommandLine():
                    yield section.heading, "command", block.gives, None, None, None, block.line
                case str():
                    yield section.heading, "", "", None, None, None, block


def _number_shown(text: str) -> float | None:
    """The number that a cell shows; a share where it is in per cent."""
    bare = text.replace(",", "").removesuffix(" %")
    try:
        return float(bare) / (100 if text.endswith(" %") else 1)
    except ValueError:
        return None


FigureCells = tuple[str, str, str, str | None, str | None, float]
"""One exact figure."""


def _exact_figures(sheet: ParSheet) -> Iterator[FigureCells]:
    for bet in sheet.odds.bets:
        yield from _bet_cells(sheet, bet)
    for winner, ways in sheet.round.winners.items():
        yield _exact_cells("round", winner.value, "probability", Fraction(ways, sheet.round.total))
    for cards, ways in sheet.round.cards.items():
        yield _exact_cells("round", f"{cards} cards", "probability", Fraction(ways, sheet.round.total))
    yield _exact_cells("round", "cards", "mean", sheet.round.mean_cards)
    yield from _insurance_cells(sheet)
    yield from _ante_cells(sheet)
    yield from _countability_cells(sheet)


def _bet_cells(sheet: ParSheet, bet: BetOdds) -> Iterator[FigureCells]:
    for name in ("ev", "edge", "variance", "win", "push", "lose"):
        yield _exact_cells("bets", bet.area, name, getattr(bet, name))
    yield "bets", bet.area, "sd", None, None, bet.sd
    for outcome, ways in bet.ways:
        chance = Fraction(ways, bet.total)
        yield "outcomes", bet.area, outcome_words(outcome), outcome.clause, fraction(chance), float(chance)
    for number, (row, ways) in enumerate(pay_rows(sheet.book, bet), start=1):
        chance, pays = Fraction(ways, bet.total), outcome_words(row.outcome)
        item = f"row {number}, {pays}: {row_words(row)}"
        yield "rows", bet.area, item, row.outcome.clause, fraction(chance), float(chance)


def _insurance_cells(sheet: ParSheet) -> Iterator[FigureCells]:
    if sheet.insurance is None:
        return
    for row in sheet.insurance.offers:
        place = f"{row.offer.area} at Player {row.player_points}, Banker {row.banker_points}"
        clause = row.offer.on_loss.clause
        for item, value in (("odds", row.offer.odds), ("reach", row.reach), ("ev", row.ev)):
            yield "insurance", place, item, clause, fraction(value), float(value)
    for one in sheet.insurance.bets:
        yield _exact_cells("insurance", one.bet.area, "gain", one.gain)
        yield _exact_cells("insurance", one.bet.area, "edge with best insurance", one.edge)


def _ante_cells(sheet: ParSheet) -> Iterator[FigureCells]:
    for side in sheet.antes.sides if sheet.antes else ():
        for decision in side.decisions:
            shown = " ".join(map(str, decision.shown))
            yield _exact_cells("antes", side.pair.ante, f"play, {shown} shown", decision.play)
        yield _exact_cells("antes", side.pair.ante, "edge per ante", side.edge)
        yield _exact_cells("antes", side.pair.ante, "edge per unit at risk", side.edge_at_risk)


def _countability_cells(sheet: ParSheet) -> Iterator[FigureCells]:
    for one in sheet.countability.bets:
        for name, effect in one.effects.items():
            yield _exact_cells("removal", one.area, name, effect)
        for name, tag in one.tag_of.items():
            yield "tags", one.area, name, None, None, float(tag)
        yield "tags", one.area, "correlation", None, None, one.tags.correlation
        if one.perfect is not None:
            yield "perfect-play", one.area, "units per shoe", None, None, one.perfect.units
            if one.perfect.error is not None:
                yield "perfect-play", one.area, "standard error", None, None, one.perfect.error


def _exact_cells(section: str, subject: str, item: str, value: Fraction) -> FigureCells:
    return section, subject, item, None, fraction(value), float(value)


# A PAR sheet for programs: one JSON object.


def sheet_record(sheet: ParSheet) -> dict[str, object]:
    """Every figure of a sheet, exact ones as fractions in text."""
    book = sheet.book
    return {
        "book": book.name,
        "title": book.title,
        "source": book.source,
        "version": book.version,
        "effective": book.effective,
        "digest": sheet.digest,
        "date": sheet.signing.date,
        "revision": sheet.signing.revision,
        "prepared_by": sheet.signing.prepared_by,
        "approved_by": sheet.signing.approved_by,
        "punto": __version__,
        "decks": sheet.decks,
        "cards": sheet.odds.undealt.size,
        "total": str(sheet.odds.total),
        "bets": [_bet_record(sheet, bet) for bet in sheet.odds.bets],
        "edges_by_decks": {
            str(decks): {bet.area: float(bet.edge) for bet in sheet.bets_with(decks)}
            for decks, odds in sheet.by_decks.items()
        },
        "composed": [
            {
                "bet": one.area,
                "ev": fraction(one.ev),
                "edge": float(one.edge),
                "sd": one.sd,
                "win": float(one.win),
                "push": float(one.push),
                "lose": float(one.lose),
                "staked": fraction(one.staked),
                "results": [{"net": fraction(net), "combinations": str(ways)} for net, ways in one.results],
            }
            for one in sheet.composed[sheet.decks]
        ],
        "round": {
            "winners": {winner.value: str(ways) for winner, ways in sheet.round.winners.items()},
            "cards": {str(cards): str(ways) for cards, ways in sheet.round.cards.items()},
            "mean_cards": fraction(sheet.round.mean_cards),
        },
        **_insurance_record(sheet),
        **_ante_record(sheet),
        "countability": _countability_record(sheet),
        "facts": dict(sheet_page(sheet).facts),
        "page": [_section_record(section) for section in sheet_page(sheet).sections],
    }


def _section_record(section: Section) -> dict[str, object]:
    """A section as the page shows it: every table, sentence and command."""
    blocks: list[object] = []
    for block in section.blocks:
        match block:
            case Grid():
                blocks.append({"table": block.title, "heads": block.heads, "rows": block.rows})
            case Listing():
                blocks.append({"list": block.items})
            case Figure():
                blocks.append({"figure": block.caption})
            case CommandLine():
                blocks.append({"command": block.line, "gives": block.gives})
            case str():
                blocks.append(block)
    return {"heading": section.heading, "blocks": blocks}


def _bet_record(sheet: ParSheet, odds: BetOdds) -> dict[str, object]:
    bet = sheet.book.bet(odds.area)
    assert bet is not None
    return {
        "bet": odds.area,
        "clause": bet.clause,
        "ev": fraction(odds.ev),
        "edge": float(odds.edge),
        "sd": odds.sd,
        "win": float(odds.win),
        "push": float(odds.push),
        "lose": float(odds.lose),
        "outcomes": [
            {
                "row": number,
                "when": row_words(row),
                "pays": outcome_words(row.outcome),
                "clause": row.outcome.clause,
                "combinations": str(ways * (sheet.odds.total // odds.total)),
                "probability": ways / odds.total,
            }
            for number, (row, ways) in enumerate(pay_rows(sheet.book, odds), start=1)
        ],
    }


def _insurance_record(sheet: ParSheet) -> dict[str, object]:
    if sheet.insurance is None:
        return {}
    offers = [
        {
            "window": row.offer.window.name,
            "hand": row.offer.hand.value,
            "player_points": row.player_points,
            "banker_points": row.banker_points,
            "odds": format_odds(row.offer.odds),
            "reach": fraction(row.reach),
            "ev": fraction(row.ev),
            "favours": row.favours,
            "best": row.choice.value,
        }
        for row in sheet.insurance.offers
    ]
    bets = [{"bet": one.bet.area, "gain": fraction(one.gain), "edge": float(one.edge)} for one in sheet.insurance.bets]
    return {"insurance": {"offers": offers, "bets": bets}}


def _ante_record(sheet: ParSheet) -> dict[str, object]:
    if sheet.antes is None:
        return {}
    sides = [
        {
            "ante": side.pair.ante,
            "edge": float(side.edge),
            "edge_at_risk": float(side.edge_at_risk),
            "decisions": [{"shown": list(d.shown), "play": fraction(d.play), "best": d.best} for d in side.decisions],
        }
        for side in sheet.antes.sides
    ]
    return {"ante": sides}


def _countability_record(sheet: ParSheet) -> dict[str, object]:
    study = sheet.countability
    return {
        "shoes": study.number,
        "seed": study.seed,
        "cut": study.shoes.behind_cut,
        "rounds_per_shoe": study.rounds,
        "bets": [
            {
                "bet": one.area,
                "removal": {name: float(effect) for name, effect in one.effects.items()},
                "tags": one.tag_of,
                "correlation": one.tags.correlation,
                "perfect": one.perfect and {"units": one.perfect.units, "error": one.perfect.error},
            }
            for one in study.bets
        ],
    }
