"""A PAR sheet for programs: one JSON object."""

from __future__ import annotations

from punto import __version__
from punto.documents.number import fraction
from punto.documents.page import CommandLine, Figure, Grid, Listing, Section
from punto.odds.bet_odds import BetOdds
from punto.reports.par_sheet import ParSheet, pay_rows
from punto.reports.sheet_page import sheet_page
from punto.rules.outcome import format_odds
from punto.rules.words import outcome_words, row_words


def record(sheet: ParSheet) -> dict[str, object]:
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
        "bets": [_bet(sheet, bet) for bet in sheet.odds.bets],
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
        **_insurance(sheet),
        **_antes(sheet),
        "countability": _countability(sheet),
        "facts": dict(sheet_page(sheet).facts),
        "page": [_section(section) for section in sheet_page(sheet).sections],
    }


def _section(section: Section) -> dict[str, object]:
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


def _bet(sheet: ParSheet, odds: BetOdds) -> dict[str, object]:
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


def _insurance(sheet: ParSheet) -> dict[str, object]:
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
    bets = [
        {"bet": one.bet.area, "gain": fraction(one.gain), "edge": float(one.edge)}
        for one in sheet.insurance.bets
    ]
    return {"insurance": {"offers": offers, "bets": bets}}


def _antes(sheet: ParSheet) -> dict[str, object]:
    if sheet.antes is None:
        return {}
    sides = [
        {
            "ante": side.pair.ante,
            "edge": float(side.edge),
            "edge_at_risk": float(side.edge_at_risk),
            "decisions": [
                {"shown": list(d.shown), "play": fraction(d.play), "best": d.best} for d in side.decisions
            ],
        }
        for side in sheet.antes.sides
    ]
    return {"ante": sides}


def _countability(sheet: ParSheet) -> dict[str, object]:
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
