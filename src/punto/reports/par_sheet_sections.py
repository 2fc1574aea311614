"""The sections of a PAR sheet: bets and pay tables, odds, hold and exposure, insurance and antes, countability, method.

`par_sheet_page` puts them in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from msgspec import structs

from punto.cards.card import Rank, format_cards
from punto.documents import page
from punto.documents.page import (
    Block,
    CommandLine,
    Figure,
    Grid,
    Listing,
    Section,
    expectation,
    figures,
    fraction,
    percent,
)
from punto.money import format_money
from punto.odds.ante import GIVE_UP, AnteOdds
from punto.odds.bet_odds import BetOdds, NetResults
from punto.odds.insurance import InsuranceOdds
from punto.reports import charts
from punto.reports.par_sheet import ParSheet, RowBet, pay_rows
from punto.rules.book import label_of
from punto.rules.outcome import shown_odds
from punto.rules.pay_table import CompiledRow
from punto.rules.wording import counted, outcome_words, rate_words, row_words
from punto.studies import house_risk
from punto.studies.card_counting import Removals, suited_label
from punto.studies.composed_bets import ComposedBet
from punto.studies.expectations import InsuranceLevels, study_label
from punto.studies.significance import POWER

FEWEST_POINTS = 3  # Numbers of decks from which on a line shows more than the table does.
_WINNER_COLOURS = {"Player": charts.PLAYER, "Tie": charts.TIE, "Banker": charts.BANKER}


def bets_section(sheet: ParSheet) -> Section:
    bets = sheet.all_bets
    rows = tuple(
        (bet.label, percent(bet.edge), percent(bet.win), percent(bet.push), f"{bet.sd:.6f}", fraction(-bet.edge))
        for bet in bets
    )
    heads = ("Bet", "House edge", "Hit frequency", "Push", "Standard deviation", "Exact expectation")
    chart = charts.bars([bet.label for bet in bets], [_in_per_cent(bet.edge) for bet in bets], "House edge, %")
    return Section(
        "Bets",
        (
            "All figures are for one unit staked on a bet before the deal of a full shoe of "
            f"{counted(sheet.decks, 'deck')}, {sheet.odds.undealt.size} cards, over all {sheet.odds.total:,} ordered "
            "draws of six cards. An ante counts with its wager, per unit of ante; an insured bet with its insurance, "
            "per unit of main bet; both with optimal play by the totals shown.",
            figures("Probability, house edge and deviation of every bet", heads, rows),
            *commissions(sheet),
            Figure(chart, "House edge of every bet, in per cent of the stake."),
        ),
    )


def commissions(sheet: ParSheet) -> Iterator[Block]:
    """What the house keeps of wins: the rate, of which wins, by which clause, and when it is taken."""
    kept = [
        f"{label_of(sheet.book, bet.area)}: {rate_words(row.outcome.commission.rate)} of the winnings, when: "
        f"{row_words(row)} (clause {row.outcome.commission.clause or row.outcome.clause})"
        for bet in sheet.odds.bets
        for row in sheet.book.pay_tables[bet.area].rows
        if row.outcome.commission is not None
    ]
    if kept:
        yield (
            "The house keeps a commission of the wins below. It is taken from each win as it is paid, or later where "
            "the terms of a table say so. All figures of this sheet are after it."
        )
        yield Listing(tuple(kept))


def pay_tables_section(sheet: ParSheet) -> Section:
    composed = (_results_grid(sheet, bet) for bet in sheet.composed[sheet.decks])
    return Section("Pay tables", (*(_pay_table_grid(sheet, bet) for bet in sheet.odds.bets), *composed))


_SHARES = ("Combinations", "Probability", "Contribution")


def _results_grid(sheet: ParSheet, bet: ComposedBet) -> Grid:
    """A bet made in steps: its net results take the place of pay-outs."""
    rows = [
        (f"{float(net):+.4f}".rstrip("0").rstrip("."), bet.clause, *_shares(sheet, bet, ways, net))
        for net, ways in bet.results
    ]
    rows.append(("all", "", *_shares(sheet, bet, bet.total, bet.ev)))
    title = f"{bet.label}: net results per unit; {float(bet.staked):.4f} units staked on average"
    return figures(title, ("Net", "Clause", *_SHARES), rows)


def _pay_table_grid(sheet: ParSheet, odds: BetOdds) -> Grid:
    bet = sheet.book.bet(odds.area)
    assert bet is not None
    rows = []
    for row, ways in pay_rows(sheet.book, odds):
        shares = _shares(sheet, odds, ways, row.outcome.net)
        rows.append((row_words(row), outcome_words(row.outcome), row.outcome.clause, *shares))
    rows.append(("all", "", "", *_shares(sheet, odds, odds.total, odds.ev)))
    return figures(f"{bet.labels.en} (clause {bet.clause})", ("When", "Pays", "Clause", *_SHARES), rows)


def _shares(sheet: ParSheet, odds: NetResults, ways: int, net: Fraction) -> tuple[str, str, str]:
    chance = Fraction(ways, odds.total)
    return f"{ways * (sheet.odds.total // odds.total):,}", percent(chance, 6), expectation(chance * net)


def round_section(sheet: ParSheet) -> Section:
    total = sheet.round.total
    winners = {winner.value.capitalize(): ways for winner, ways in sheet.round.winners.items()}
    cards = {str(number): ways for number, ways in sheet.round.cards.items()}

    def grid(title: str, name: str, by_name: dict[str, int]) -> Grid:
        rows = [(key, f"{ways:,}", percent(Fraction(ways, total), 6)) for key, ways in by_name.items()]
        return figures(title, (name, "Combinations", "Probability"), rows)

    parts = [(name, winners[name] / total, colour) for name, colour in _WINNER_COLOURS.items()]
    cells = {
        (player, banker): ways / total * 100
        for player, row in enumerate(sheet.round.points)
        for banker, ways in enumerate(row)
    }
    heat = charts.heat_maps({"Final points, %": cells}, "Banker", "Player", signed=False)
    caption = "Chance of each pair of final points, in per cent: Player's by rows, Banker's by columns."
    return Section(
        "The round",
        (
            Figure(charts.shares(parts), "How rounds end."),
            grid("Winner", "Winner", winners),
            grid("Cards in a round", "Cards", cards),
            f"A round takes {float(sheet.round.mean_cards):.6f} cards on average.",
            Figure(heat, caption, 58),
        ),
    )


def decks_section(sheet: ParSheet) -> Section:
    heads = ("Bet", *(counted(decks, "deck") for decks in sheet.by_decks))
    bets = zip(*(sheet.bets_with(decks) for decks in sheet.by_decks), strict=True)
    curves = [(row[0].label, [bet.edge for bet in row]) for row in bets]
    rows = tuple((label, *map(percent, edges)) for label, edges in curves)
    blocks: list[Block] = [figures("House edge by number of decks", heads, rows)]
    drawn_curves = curves if len(sheet.by_decks) >= FEWEST_POINTS else []
    for first in range(0, len(drawn_curves), charts.MOST_LINES):
        drawn = {label: [*map(_in_per_cent, edges)] for label, edges in drawn_curves[first : first + charts.MOST_LINES]}
        chart = charts.lines(list(sheet.by_decks), drawn, "Decks", "House edge, %")
        blocks.append(Figure(chart, "House edge by number of decks, in per cent; each bet in its own scale."))
    return Section(f"Numbers of decks (clause {sheet.book.decks.clause})", tuple(blocks))


PANELS_AT_ONCE = 18  # Small charts in one figure, so that each figure fits a sheet of paper.


class PaidRow(NamedTuple):
    """A row that wins, and how the edge of its bet hangs on its odds."""

    area: str
    number: int  # Its place among the rows of the bet, from 1; 0 where it is the only one that wins.
    row: CompiledRow
    odds: Fraction
    chance: dict[int, Fraction]  # Of the row, for each number of decks.
    edge: dict[int, Fraction]  # Of the bet, for each number of decks.

    def edge_at(self, odds: Fraction, decks: int) -> Fraction:
        return self.edge[decks] - (odds - self.odds) * self.chance[decks]

    def even(self, decks: int) -> Fraction:
        """The odds at which neither side has an edge; not positive where the other rows pay too much."""
        return self.odds + self.edge[decks] / self.chance[decks]


def odds_section(sheet: ParSheet) -> Section:
    """What each row does to the edge, which is linear in its odds: a straight line for each number of decks."""
    rows = tuple(paid_rows(sheet))
    table = tuple(
        (
            f"{label_of(sheet.book, one.area)}: {row_words(one.row)}",
            shown_odds(one.odds),
            percent(one.edge[sheet.decks]),
            percent(-one.chance[sheet.decks]),
            f"{float(even):.4f}" if (even := one.even(sheet.decks)) > 0 else "never",
        )
        for one in rows
    )
    heads = ("Bet and row", "Pays", "House edge", "For 1 more to 1", "No edge at (to 1)")
    blocks: list[Block] = [
        "The edge of a bet is linear in the odds of each row: paying one more to 1 changes it by the chance of the "
        "row. The last column has the odds at which neither side has an edge, if the other rows stay as they are.",
        figures(f"House edge and odds, {counted(sheet.decks, 'deck')}", heads, table),
    ]
    for start in range(0, len(rows), PANELS_AT_ONCE):
        panels = [_odds_panel(sheet, one) for one in rows[start : start + PANELS_AT_ONCE]]
        chart = charts.slopes(panels, "Odds of the row, to 1", "House edge of the bet, %")
        which = "" if len(rows) <= PANELS_AT_ONCE else f", rows {start + 1} to {start + len(panels)} of the table"
        caption = f"House edge against the odds of each row{which}; a dot marks the odds of the book."
        blocks.append(Figure(chart, caption))
    return Section("House edge and odds", tuple(blocks))


def paid_rows(sheet: ParSheet) -> Iterator[PaidRow]:
    """Every row of every outright bet that wins, and can come with the decks of the sheet."""
    for bet in sheet.odds.bets:
        came = {id(row) for row, _ in bet.rows}
        rows = enumerate(sheet.book.pay_tables[bet.area].rows, start=1)
        wins = [(n, row, row.outcome.odds) for n, row in rows if row.outcome.odds and id(row) in came]
        by_decks = {decks: odds.bet(bet.area) for decks, odds in sheet.by_decks.items()}
        edges = {decks: odds.edge for decks, odds in by_decks.items()}
        for n, row, pays in wins:
            chances = {
                decks: Fraction(sum(ways for one, ways in odds.rows if one is row), odds.total)
                for decks, odds in by_decks.items()
            }
            yield PaidRow(bet.area, n if len(wins) > 1 else 0, row, pays, chances, edges)


def _odds_panel(sheet: ParSheet, one: PaidRow) -> charts.Slope:
    """From half the odds, or less, to half as much again, or to where the edge is gone."""
    even = one.even(sheet.decks)
    high = max(one.odds * Fraction(3, 2), min(even * Fraction(11, 10), one.odds * 4))
    low = min(one.odds / 2, max(even * Fraction(9, 10), Fraction(0)))
    others = [decks for decks in one.edge if decks != sheet.decks]
    lines = {
        counted(decks, "deck"): (_in_per_cent(one.edge_at(low, decks)), _in_per_cent(one.edge_at(high, decks)))
        for decks in (sheet.decks, *others)
    }
    place = f", row {one.number}" if one.number else ""
    title = f"{label_of(sheet.book, one.area)}{place}: {shown_odds(one.odds)}"
    now = (float(one.odds), _in_per_cent(one.edge[sheet.decks]))
    return charts.Slope(title, (float(low), float(high)), lines, now)


def _in_per_cent(share: Fraction) -> float:
    return float(share) * 100


def hold_section(sheet: ParSheet) -> Section:
    rows = tuple(
        (
            bet.label,
            percent(1 - bet.edge),
            percent(bet.edge),
            f"{bet.sd:.6f}",
            f"{house_risk.volatility_index(bet.sd):.4f}",
        )
        for bet in sheet.all_bets
    )
    heads = ("Bet", "RTP", "House edge", "Standard deviation", "Volatility index")
    grids = [_hold_grid(bet, sheet.limits.average) for bet in sheet.all_bets]
    outer = any(row[-1] == house_risk.BoundsBy.CERTAIN.value for grid in grids for row in grid.rows)
    return Section(
        "Return, volatility and hold",
        (
            "RTP is the return to player, 100 % less the house edge. The volatility index is "
            f"{house_risk.VOLATILITY} times the standard deviation of one round: a 90 % interval.",
            figures("Return to player and volatility", heads, rows),
            "Hold is given by handle, as the share of it that the house keeps, and the handle is all that is staked: "
            f"here at flat stakes of {format_money(sheet.limits.average)}, of an ante without its wager, and of an "
            "insured bet without its insurance. Bounds by rounds hold for any flat stake; stakes that vary widen the "
            "bounds by handle. A handle is given as the whole rounds that it pays for. Rounds are independent, each "
            "from a full shoe, and hold is below the first bound with half of the chance that is left, and above the "
            "second with the other half.",
            "Bounds marked exact are quantiles of the exact distribution of all rounds. Bounds marked normal "
            "are those of the normal distribution; they are given only where the theorem of Berry and Esseen "
            f"proves that none of its chances is wrong by more than {percent(house_risk.NORMAL_ERROR, 1)}."
            f"{_OUTER_BOUNDS if outer else ''}",
            *grids,
        ),
    )


_OUTER_BOUNDS = (
    " Bounds marked outer are further out than need be: the pays of the bet are too fine to count them all, "
    "and Chernoff's inequality says that hold passes each bound with no more than its chance."
)


def _hold_grid(bet: RowBet, stake: int) -> Grid:
    heads = ["Rounds", "Handle", "Expected win"]
    for confidence in house_risk.CONFIDENCES:
        heads += [f"{confidence:.0%} from", f"{confidence:.0%} to"]
    heads.append("Bounds")
    rows = []
    for row in house_risk.hold_bounds(bet.results, stake):
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
            "Played to the cut card, long rounds are over-represented, and the average over whole shoes differs from "
            "a fresh shoe by some millionths. Depths are cards behind the cut card. Each average was measured over "
            f"{number:,} shoes (seed {sheet.countability.seed}), every round by its exact expectation before the deal, "
            f"with its standard error. An ante is always played.{_not_followed(sheet)}",
            *grids,
        ),
    )


def _not_followed(sheet: ParSheet) -> str:
    followed = {shift.bet for effects in sheet.shoe_averages.values() for shift in effects[0].bets}
    names = [bet.label for bet in sheet.all_bets if bet.area not in followed]
    if not names:
        return ""
    return (
        " Not followed through shoes, because suits, both hands' pairs, a pair together with points, or "
        f"decisions about insurance decide them: {', '.join(names)}."
    )


def together_section(sheet: ParSheet) -> Section:
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
            *_exposure_blocks(sheet),
        ),
    )


def _exposure_blocks(sheet: ParSheet) -> list[Block]:
    exposure, has_bound = sheet.exposure, sheet.exposure.amount is not None
    open_areas = [label_of(sheet.book, area) for area in house_risk.without_maximum(sheet.book, sheet.limits.stakes)]
    left = f" No maximum is set for {', '.join(open_areas)}: left out." if open_areas else ""
    insured = (
        " Insurance pays back the main bet that it insures and no more: whoever holds both hands can have "
        "the losing one paid back, so the differential alone does not bound the loss."
        if sheet.book.insurance is not None
        else ""
    )
    bound = " No shoe of this many decks has the cards below: it is an upper bound." if exposure.is_bound else ""
    blocks: list[Block] = [
        f"Greatest exposure with {sheet.limits.words}: the most that the house can lose in one round, over every "
        "deal and every lawful layout with one bet on each betting area of a box, chips aside. Only bets "
        f"that win on the same cards are added.{insured}{bound}{left}"
    ]
    if not has_bound:
        blocks.append(
            "With these limits the exposure has no bound: both main bets can grow together, and insurance "
            "pays the losing one back. A maximum for each bet (--max) bounds it."
        )
    bounded = exposure if has_bound else sheet.uninsured
    if bounded and bounded.amount is not None:
        title = "Greatest exposure" if has_bound else "Greatest exposure without insurance"
        blocks.append(_exposure_grid(sheet, bounded, bounded.amount, title))
    return blocks


def _exposure_grid(sheet: ParSheet, exposure: house_risk.Exposure, amount: Fraction, title: str) -> Grid:
    rows = []
    for bet in exposure.bets:
        label = label_of(sheet.book, bet.area)
        rows.append((label, format_money(bet.stake), format_money(round(bet.net))))
        if bet.insured:
            rows.append((f"Insurance of {label}", "", format_money(round(bet.insured))))
    rows.append(("one box", "", format_money(round(amount))))
    for boxes in sheet.limits.boxes:
        rows.append((f"one round, {counted(boxes, 'box', 'boxes')}", "", format_money(round(amount * boxes))))
    if exposure.bets:
        deal = f"Player {format_cards(exposure.player)}, Banker {format_cards(exposure.banker)}"
        rows.append((f"on such a deal as {deal}", "", ""))
    return figures(title, ("Bet", "Stake", "Loss of the house"), rows)


def power_section(sheet: ParSheet) -> Section:
    heads = ("Bet", *(f"off by {percent(error, 2)}" for error in house_risk.ERRORS))
    rows = tuple(
        (bet.label, *(f"{rounds:,.0f}" for rounds in house_risk.rounds_by_error(bet.sd))) for bet in sheet.all_bets
    )
    return Section(
        "Power: rounds that show an error",
        (
            "The number of rounds of one unit each that show, at 5 % and with a chance of "
            f"{percent(POWER, 0)}, that the house edge of a bet differs by this much from the stated one.",
            figures("Rounds that show an error of the house edge", heads, rows),
        ),
    )


def insurance_section(insurance: InsuranceOdds, levels: InsuranceLevels) -> Section:
    """Every offer of insurance, those that favour the player flagged, and the best policy."""
    maps: dict[str, dict[tuple[int, int], float]] = {}
    for row in insurance.offers:
        title = f"{row.offer.window.label}, {row.offer.hand.value.capitalize()} insured"
        maps.setdefault(title, {})[row.player_points, row.banker_points] = -float(row.ev) * 100
    heat = charts.heat_maps(maps, "Banker's points", "Player's points", signed=True)
    marks = {i: page.Style.NOTICE for i, row in enumerate(insurance.offers) if row.ev > 0}
    count = len(insurance.for_players)
    warning = f"{count} of {len(insurance.offers)} offers favour the player; they are marked below. "
    return Section(
        "Insurance",
        (
            (warning if count else "No offer favours the player. ")
            + "The house edge is that of one unit of insurance, averaged over all cards that make the two "
            "totals; a bettor who knows more does better, as the levels of knowledge show.",
            Figure(heat, "House edge of insurance, in per cent; framed cells favour the player."),
            insurance.summary,
            levels.table,
            levels.remark,
            "The best policy insures to the cap or not at all, or takes the least stake to keep the second window "
            "open (keep open). A window passed up forgoes the round; pay-outs never exceed the main bet.",
            structs.replace(insurance.table, marks=marks),
        ),
    )


def ante_section(antes: AnteOdds) -> Section:
    decisions = [(side.hand.value.capitalize(), decision) for side in antes.sides for decision in side.decisions]
    lead = "Playing puts the wager beside the ante; giving up loses the ante. Ten and court cards count 0."
    blocks: list[Block] = [lead, antes.summary, antes.table]
    if len(decisions) <= 20:
        names = [f"{hand}, {' '.join(map(str, decision.shown))} shown" for hand, decision in decisions]
        edges = [-_in_per_cent(decision.play) for _, decision in decisions]
        caption = f"House edge of playing, in per cent of the ante; of giving up {-float(GIVE_UP):.0%}."
        blocks.append(Figure(charts.bars(names, edges, "House edge of playing, %"), caption))
    return Section("Antes", tuple(blocks))


def countability_section(sheet: ParSheet) -> Section:
    study = sheet.countability
    effects = {
        suited_label(sheet.book, one.area, suits): [float(effect) * 100 for effect in row]
        for one in study.bets
        for suits, row in one.removal.by_suits(one.removal.effects)
    }
    chart = charts.grouped([rank.notation for rank in Rank], effects, "Effect of removal, %")
    caption = "Effects of removal in per cent of the stake; each bet in its own scale, red helps the bettor."
    blocks: list[Block] = [
        "The effect of removal of a rank is what the expectation of a bet gains when one such card is gone. "
        "Where suits matter to a bet, it has a row for each suit.",
        Figure(chart, caption),
        Removals(sheet.book, sheet.decks, tuple(one.removal for one in study.bets)).table,
        study.tags_table,
    ]
    earning = [(study_label(sheet.book, one.area), one.perfect) for one in study.bets if one.perfect is not None]
    if earning:
        names, perfect = zip(*earning, strict=True)
        errors = [one.error or 0.0 for one in perfect]
        chart = charts.bars(names, [one.units for one in perfect], "Units per shoe", errors)
        blocks += [
            f"{study.number:,} shoes were played, burned by the first card, with {study.shoes.last_rounds} "
            "round after the cut card. Perfect play stakes one unit whenever the exact expectation is "
            f"positive; counting uses the best tags. {study.remark}",
            Figure(chart, "Units that perfect play earns per shoe, with the standard error."),
            study.table,
            *(f"{study_label(study.book, o.area)} with {beside.words}." for o in study.bets for beside in o.published),
        ]
    return Section("Countability", tuple(blocks))


_HOW_COUNTED = (
    "Every probability is a count of ordered draws of six cards from the shoe, in whole numbers of any size; "
    "expectations and variances are exact fractions, rounded only to be printed. Third cards are drawn "
    "first, which is allowed because cards are exchangeable; the first four then have a closed form. Pairs "
    "are counted by rank and suit. Nothing is simulated except the shoes of the sections on countability, "
    "on whole shoes with a cut card and on insurance with a perfect count."
)
_HOW_CHECKED = (
    "The rules come from one rule book, named by its digest above. In the tests of Punto, small shoes are "
    "dealt in every order through the table's own deal and settlement, and give the same counts."
)


def method_section(sheet: ParSheet) -> Section:
    name, decks, study, levels = sheet.argument, sheet.decks, sheet.countability, sheet.levels
    others = [other for other in sheet.by_decks if other != decks]
    played = f"--decks {decks} --shoes {study.number} --seed {study.seed}"
    options = f" {sheet.options}" if sheet.options else ""
    commands = [
        (f"rules {name} --digest", "the digest of the rule book"),
        (f"odds {name} --decks {decks} --json", "probabilities, edges, deviations, exact fractions"),
        *((f"odds {name} --decks {other} --json", f"the same with {counted(other, 'deck')}") for other in others),
    ]
    if levels is not None:
        shoes = f"--decks {decks} --shoes {levels.number} --seed {levels.seed}"
        commands.append((f"insurance {name} {shoes} --json", "insurance and its policy"))
    cut = f"--cut {study.shoes.behind_cut}"
    commands.append((f"count {name} {played} {cut} --json", "effects of removal, tags, earnings"))
    commands.append((f"report {name} {played}{options} -o sheet.pdf", "this sheet"))
    lines = (CommandLine(f"punto {line}", gives) for line, gives in commands)
    return Section("Method, and how to reproduce each figure", (_HOW_COUNTED, _HOW_CHECKED, *lines))
