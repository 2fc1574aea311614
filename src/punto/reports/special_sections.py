"""The sections of a PAR sheet that some games have, insurance and antes, and countability."""

from __future__ import annotations

from msgspec import structs

from punto.cards.card import Rank
from punto.documents.page import Block, Figure, Section, Style
from punto.odds.ante import GIVE_UP, AnteOdds
from punto.odds.insurance import InsuranceOdds
from punto.reports import charts
from punto.reports.par_sheet import ParSheet
from punto.studies.counting.countability import Countability
from punto.studies.counting.removal import Removals, suited_label
from punto.studies.expectations import study_label
from punto.studies.insured import InsuranceLevels


def insurance_section(insurance: InsuranceOdds, levels: InsuranceLevels) -> Section:
    """Every offer of insurance, those that favour the player flagged, and the best policy."""
    maps: dict[str, dict[tuple[int, int], float]] = {}
    for row in insurance.offers:
        title = f"{row.offer.window.label}, {row.offer.hand.value.capitalize()} insured"
        maps.setdefault(title, {})[row.player_points, row.banker_points] = -float(row.ev) * 100
    heat = charts.heat_maps(maps, "Banker's points", "Player's points", signed=True)
    marks = {i: Style.NOTICE for i, row in enumerate(insurance.offers) if row.ev > 0}
    count = len(insurance.for_players)
    warning = (
        f"{count} of {len(insurance.offers)} offers favour the player; they are marked below. "
        if count
        else "No offer favours the player. "
    )
    return Section(
        "Insurance",
        (
            warning
            + "The house edge is that of one unit of insurance, averaged over all cards that make the two "
            "totals; a bettor who knows more does better, as the levels of knowledge show.",
            Figure(heat, "House edge of insurance, in per cent; framed cells favour the player."),
            insurance.summary,
            levels.table,
            levels.remark,
            "The best policy insures to the cap or not at all, or takes the least stake to keep the second "
            "window open (keep open). A window passed up forgoes the round; pay-outs never exceed the main "
            "bet.",
            structs.replace(insurance.table, marks=marks),
        ),
    )


def ante_section(antes: AnteOdds) -> Section:
    """What to do with an ante for each first card, and what the house keeps."""
    names = [
        f"{side.hand.value.capitalize()}, {' '.join(map(str, decision.shown))} shown"
        for side in antes.sides
        for decision in side.decisions
    ]
    edges = [-float(decision.play) * 100 for side in antes.sides for decision in side.decisions]
    blocks: list[Block] = [
        "Playing puts the wager beside the ante; giving up loses the ante. Ten and court cards count 0.",
        antes.summary,
        antes.table,
    ]
    if len(names) <= 20:
        caption = f"House edge of playing, in per cent of the ante; of giving up {-float(GIVE_UP):.0%}."
        blocks.append(Figure(charts.bars(names, edges, "House edge of playing, %"), caption))
    return Section("Antes", tuple(blocks))


def countability_section(sheet: ParSheet) -> Section:
    """What card counters can do."""
    study = sheet.countability
    names = {one.area: study_label(sheet.book, one.area) for one in study.bets}
    effects = {
        suited_label(sheet.book, one.area, suits): [float(effect) * 100 for effect in row]
        for one in study.bets
        for suits, row in one.removal.by_suits(one.removal.effects)
    }
    ranks = [rank.notation for rank in Rank]
    blocks: list[Block] = [
        "The effect of removal of a rank is what the expectation of a bet gains when one such card is gone. "
        "Where suits matter to a bet, it has a row for each suit.",
        Figure(
            charts.grouped(ranks, effects, "Effect of removal, %"),
            "Effects of removal in per cent of the stake; each bet in its own scale, red helps the bettor.",
        ),
        Removals(sheet.book, sheet.decks, tuple(one.removal for one in study.bets)).table,
        study.tags_table,
    ]
    earning = [(names[one.area], one.perfect) for one in study.bets if one.perfect is not None]
    if earning:
        chart = charts.bars(
            [name for name, _ in earning],
            [found.units for _, found in earning],
            "Units per shoe",
            [found.error or 0.0 for _, found in earning],
        )
        blocks += [
            f"{study.number:,} shoes were played, burned by the first card, with {study.shoes.last_rounds} "
            "round after the cut card. Perfect play stakes one unit whenever the exact expectation is "
            f"positive; counting uses the best tags. {study.remark}",
            Figure(chart, "Units that perfect play earns per shoe, with the standard error."),
            study.table,
            *_published(study),
        ]
    return Section("Countability", tuple(blocks))


def _published(study: Countability) -> list[Block]:
    return [
        f"{study_label(study.book, one.area)} with {beside.words}."
        for one in study.bets
        for beside in one.published
    ]
