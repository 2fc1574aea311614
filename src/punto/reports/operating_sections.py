"""The sections of a PAR sheet that an operator plans with: hold over time, the cut card, bets together,
exposure, and how many rounds show an error."""

from __future__ import annotations

from punto.cards.card import format_cards
from punto.documents.number import percent
from punto.documents.page import Block, Grid, Section, figures
from punto.money import format_money
from punto.reports.par_sheet import ParSheet, RowBet
from punto.rules.labels import label_of
from punto.rules.words import counted
from punto.studies.exposure import Exposure, StakeLimits, without_maximum
from punto.studies.hold import (
    CONFIDENCES,
    ERRORS,
    NORMAL_ERROR,
    VOLATILITY,
    BoundsBy,
    hold_bounds,
    rounds_by_error,
    volatility_index,
)
from punto.studies.seen import POWER


def hold_section(sheet: ParSheet) -> Section:
    """Return to player, volatility, and the bounds of hold for every bet."""
    rows = tuple(
        (
            bet.label,
            percent(1 - bet.edge),
            percent(bet.edge),
            f"{bet.sd:.6f}",
            f"{volatility_index(bet.sd):.4f}",
        )
        for bet in sheet.all_bets
    )
    heads = ("Bet", "RTP", "House edge", "Standard deviation", "Volatility index")
    grids = [_hold(bet, sheet.limits.average) for bet in sheet.all_bets]
    outer = any(row[-1] == BoundsBy.CERTAIN.value for grid in grids for row in grid.rows)
    return Section(
        "Return, volatility and hold",
        (
            "RTP is the return to player, 100 % less the house edge. The volatility index is "
            f"{VOLATILITY} times the standard deviation of one round: a 90 % interval.",
            figures("Return to player and volatility", heads, rows),
            "Hold is given by handle, as the share of it that the house keeps, and the handle is all that "
            "is staked: "
            f"here at flat stakes of {format_money(sheet.limits.average)}, of an ante without its wager, and "
            "of an insured bet without its insurance. Bounds by rounds hold for any flat "
            "stake; stakes that vary widen the bounds by handle. A handle is given as the whole rounds that "
            "it pays for. Rounds are independent, each from a full shoe, and hold is below the first bound "
            "with half of the chance that is left, and above the second with the other half.",
            "Bounds marked exact are quantiles of the exact distribution of all rounds. Bounds marked normal "
            "are those of the normal distribution; they are given only where the theorem of Berry and Esseen "
            f"proves that none of its chances is wrong by more than {percent(NORMAL_ERROR, 1)}."
            f"{_OUTER if outer else ''}",
            *grids,
        ),
    )


_OUTER = (
    " Bounds marked outer are further out than need be: the pays of the bet are too fine to count them all, "
    "and Chernoff's inequality says that hold passes each bound with no more than its chance."
)


def _hold(bet: RowBet, stake: int) -> Grid:
    heads = ["Rounds", "Handle", "Expected win"]
    for confidence in CONFIDENCES:
        heads += [f"{confidence:.0%} from", f"{confidence:.0%} to"]
    heads.append("Bounds")
    rows = []
    for row in hold_bounds(bet.results, stake):
        cells = [percent(value, 2) for bound in row.bounds for value in bound]
        handle, won = format_money(row.handle), format_money(round(row.handle * row.edge))
        rows.append((f"{row.rounds:,}", handle, won, *cells, row.by.value))
    return figures(f"{bet.label}: hold", heads, rows)


def cut_card_depths_section(sheet: ParSheet) -> Section | None:
    """House edges over whole shoes with a cut card beside those of a fresh shoe, by decks and depth."""
    if not sheet.shoe_averages:
        return None
    grids: list[Block] = []
    for decks, effects in sheet.shoe_averages.items():
        heads = ["Bet", "Fresh shoe"]
        for effect in effects:
            behind = effect.shoes.behind_cut
            heads += [f"{behind} behind", f"{behind}, ± error"]
        rows = []
        for i, shift in enumerate(effects[0].bets):
            cells = [label_of(sheet.book, shift.bet), percent(-shift.fresh)]
            for effect in effects:
                one = effect.bets[i]
                cells += [percent(-one.fresh - one.shift), percent(one.error) if one.error else ""]
            rows.append(tuple(cells))
        grids.append(figures(f"House edge over whole shoes, {counted(decks, 'deck')}", heads, rows))
    number = next(iter(sheet.shoe_averages.values()))[0].number
    return Section(
        "Whole shoes with a cut card",
        (
            "Played to the cut card, long rounds are over-represented, and the average over whole shoes "
            "differs from a fresh shoe by some millionths. Depths are cards behind the cut card. Each "
            f"average was measured over {number:,} shoes (seed {sheet.countability.seed}), every round by "
            "its exact expectation before the deal, with its standard error. An ante is always played."
            f"{_not_followed(sheet)}",
            *grids,
        ),
    )


def _not_followed(sheet: ParSheet) -> str:
    """Which bets have no such average, and why."""
    followed = {shift.bet for effects in sheet.shoe_averages.values() for shift in effects[0].bets}
    names = [bet.label for bet in sheet.all_bets if bet.area not in followed]
    if not names:
        return ""
    return (
        " Not followed through shoes, because suits, both hands' pairs, a pair together with points, or "
        f"decisions about insurance decide them: {', '.join(names)}."
    )


def together_section(sheet: ParSheet) -> Section:
    """Correlations between bets, and the greatest exposure."""
    bets = [bet for bet in sheet.all_bets if bet.area not in sheet.joint.apart]
    apart = ", ".join(label_of(sheet.book, area) for area in sheet.joint.apart)
    left_out = f" Not among them are bets on single cards: {apart}." if apart else ""
    heads = ("Bet", *(str(i + 1) for i in range(len(bets))))
    rows = tuple(
        (
            f"{i + 1} {bet.label}",
            *(f"{sheet.joint.correlation(bet.area, other.area):+.3f}" for other in bets[: i + 1]),
            *("" for _ in bets[i + 1 :]),
        )
        for i, bet in enumerate(bets)
    )
    return Section(
        "Bets together",
        (
            "The correlation of two bets in the same round: +1 where they win and lose together, -1 where "
            "one wins as the other loses. An ante counts with its wager and an insured bet with its "
            f"insurance, with optimal play by the totals shown.{left_out}",
            figures("Correlation between bets", heads, rows),
            *_exposure(sheet),
        ),
    )


def _exposure(sheet: ParSheet) -> list[Block]:
    limits, found = sheet.limits, sheet.exposure
    open_areas = [label_of(sheet.book, area) for area in _without_maximum(sheet)]
    left = f" No maximum is set for {', '.join(open_areas)}: left out." if open_areas else ""
    insured = (
        " Insurance pays back the main bet that it insures and no more: whoever holds both hands can have "
        "the losing one paid back, so the differential alone does not bound the loss."
        if sheet.book.insurance is not None
        else ""
    )
    bound = " No shoe of this many decks has the cards below: it is an upper bound." if found.is_bound else ""
    words: list[Block] = [
        f"Greatest exposure with {limits.words}: the most that the house can lose in one round, over every "
        "deal and every lawful layout with one bet on each betting area of a box, chips aside. Only bets "
        f"that win on the same cards are added.{insured}{bound}{left}"
    ]
    if found.amount is None:
        words.append(
            "With these limits the exposure has no bound: both main bets can grow together, and insurance "
            "pays the losing one back. A maximum for each bet (--max) bounds it."
        )
    shown = sheet.uninsured if found.amount is None else found
    title = "Greatest exposure" if found.amount is not None else "Greatest exposure without insurance"
    return [*words, *([_exposure_grid(sheet, shown, title)] if shown and shown.amount is not None else [])]


def _without_maximum(sheet: ParSheet) -> tuple[str, ...]:
    limits = sheet.limits
    stakes = StakeLimits(limits.minimum, limits.maximum, limits.differential)
    return without_maximum(sheet.book, stakes)


def _exposure_grid(sheet: ParSheet, found: Exposure, title: str) -> Grid:
    assert found.amount is not None
    rows = []
    for bet in found.bets:
        label = label_of(sheet.book, bet.area)
        rows.append((label, format_money(bet.stake), format_money(round(bet.net))))
        if bet.insured:
            rows.append((f"Insurance of {label}", "", format_money(round(bet.insured))))
    boxes = sheet.limits.boxes
    rows.append(("one box", "", format_money(round(found.amount))))
    rows.append((f"one round, {boxes} boxes", "", format_money(round(found.amount * boxes))))
    if found.bets:
        deal = f"Player {format_cards(found.player)}, Banker {format_cards(found.banker)}"
        rows.append((f"on such a deal as {deal}", "", ""))
    return figures(title, ("Bet", "Stake", "Loss of the house"), rows)


def power_section(sheet: ParSheet) -> Section:
    """How many rounds show an error of a given size."""
    heads = ("Bet", *(f"off by {percent(error, 2)}" for error in ERRORS))
    rows = tuple(
        (bet.label, *(f"{rounds:,.0f}" for rounds in rounds_by_error(bet.sd))) for bet in sheet.all_bets
    )
    return Section(
        "Power: rounds that show an error",
        (
            "The number of rounds of one unit each that show, at 5 % and with a chance of "
            f"{percent(POWER, 0)}, that the house edge of a bet differs by this much from the stated one.",
            figures("Rounds that show an error of the house edge", heads, rows),
        ),
    )
