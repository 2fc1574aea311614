"""`punto odds`, `advise`, `count`, `insurance` and `report`: what bets are worth, exactly. The odds of every
bet for any shoe, what each is worth at a moment of a round, how far counting beats it, the best use of
insurance, and the PAR sheet that collects all this.
"""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.files import check_result_format, put_result
from punto.cli.options import BookArgument, JsonOption, open_book
from punto.cli.output import answer_json, refuse
from punto.cli.shoe_options import (
    CompositionOption,
    DecksOption,
    SeenOption,
    UnseenCards,
    allowed_decks,
    open_shoe,
    read_cards,
)

if TYPE_CHECKING:
    from punto.odds.advice import Advice
    from punto.odds.ante import AnteOdds
    from punto.odds.bet_odds import BetOdds, Odds
    from punto.odds.insurance import InsuranceOdds
    from punto.reports.par_sheet import TableLimits
    from punto.rules.book import Book
    from punto.studies.card_counting import Countability, Countable, Earnings
    from punto.studies.expectations import InsuranceLevels


def odds(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    json: JsonOption = False,
) -> None:
    """Exact odds of every bet; with insurance and antes where the book has them."""
    from punto.odds.ante import ante_odds
    from punto.odds.bet_odds import odds_of
    from punto.odds.insurance import insurance_odds
    from punto.odds.known_cards import UndealtError

    rule_book = open_book(book)
    shoe = open_shoe(rule_book, decks, composition, seen)
    try:
        bets = odds_of(rule_book, shoe.undealt)
        insurance = insurance_odds(rule_book, shoe.undealt) if rule_book.insurance else None
        antes = ante_odds(rule_book, shoe.undealt) if rule_book.ante else None
    except UndealtError as error:
        refuse(str(error))
    if json:
        answer_json(_odds_record(shoe, bets, insurance, antes))
    else:
        _draw_odds(bets, insurance, antes)


def bet_record(bet: BetOdds) -> dict[str, object]:
    """The odds of one bet for programs."""
    from punto.documents.page import fraction

    return {
        "bet": bet.area,
        "ev": fraction(bet.ev),
        "edge": float(bet.edge),
        "sd": bet.sd,
        "win": float(bet.win),
        "push": float(bet.push),
        "lose": float(bet.lose),
    }


def _odds_record(
    shoe: UnseenCards, odds: Odds, insurance: InsuranceOdds | None, antes: AnteOdds | None
) -> dict[str, object]:
    """The answer for programs; docs/reference/odds.md describes it."""
    from punto.rules.book import digest_of

    record: dict[str, object] = {
        "book": odds.book.name,
        "digest": digest_of(odds.book),
        "decks": shoe.decks,
        "cards": shoe.undealt.size,
        "total": str(odds.total),
        "bets": [bet_record(bet) for bet in odds.bets],
    }
    if insurance is not None:
        record["insurance"] = _insurance_records(insurance)
    if antes is not None:
        record["ante"] = _ante_records(antes)
    return record


def _insurance_records(insurance: InsuranceOdds) -> list[dict[str, object]]:
    from punto.documents.page import fraction
    from punto.rules.outcome import format_odds

    return [
        {
            "window": row.offer.window.name,
            "hand": row.offer.hand.value,
            "player_points": row.player_points,
            "banker_points": row.banker_points,
            "odds": format_odds(row.offer.odds),
            "reach": fraction(row.reach),
            "ev": fraction(row.ev),
        }
        for row in insurance.offers
    ]


def _ante_records(antes: AnteOdds) -> list[dict[str, object]]:
    from punto.documents.page import fraction

    records = []
    for side in antes.sides:
        for decision in side.decisions:
            record: dict[str, object] = {"side": side.hand.value, "first": decision.shown[0]}
            if len(decision.shown) > 1:  # a book that shows more than one card
                record["shown"] = list(decision.shown)
            records.append({**record, "play": fraction(decision.play), "best": decision.best})
    return records


def _draw_odds(odds: Odds, insurance: InsuranceOdds | None, antes: AnteOdds | None) -> None:
    from punto.cli.ink import show

    show(odds.table)
    if insurance is not None:
        print()
        show(insurance.summary, *insurance.warning)
    if antes is not None:
        print()
        show(antes.table)
        print()
        show(antes.summary)


# `punto advise`: what every bet is worth now, given the cards seen of the shoe and of the round.


RoundOption = Annotated[
    str,
    typer.Option("--round", metavar="CARDS", help="Cards of this round so far, in dealing order.", show_default=False),
]


def advise(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    round_: RoundOption = "",
    json: JsonOption = False,
) -> None:
    """What every bet is worth now: exact expectations at any moment of a round."""
    from punto.odds.advice import advise as advise_on
    from punto.odds.known_cards import StageError, UndealtError

    rule_book = open_book(book)
    shoe = open_shoe(rule_book, decks, composition, seen)
    dealt = read_cards(round_)
    try:
        shoe = UnseenCards(shoe.decks, shoe.undealt.less(dealt))
        advice = advise_on(rule_book, shoe.undealt, dealt)
    except (StageError, UndealtError) as error:
        refuse(str(error))
    if json:
        answer_json(_advice_record(shoe, advice))
    else:
        from punto.cli.ink import show

        show(advice.table)


def _advice_record(shoe: UnseenCards, advice: Advice) -> dict[str, object]:
    """The answer for programs; docs/reference/odds.md describes it."""
    from punto.cards.card import format_cards
    from punto.documents.page import fraction
    from punto.rules.book import digest_of
    from punto.rules.outcome import format_odds

    return {
        "book": advice.odds.book.name,
        "digest": digest_of(advice.odds.book),
        "decks": shoe.decks,
        "cards": shoe.undealt.size,
        "stage": advice.stage.value,
        "player": format_cards(advice.odds.dealt.player),
        "banker": format_cards(advice.odds.dealt.banker),
        "bets": [bet_record(bet) for bet in advice.odds.bets],
        "insurance": [
            {
                "window": one.offer.window.name,
                "hand": one.offer.hand.value,
                "odds": format_odds(one.offer.odds),
                "ev": fraction(one.ev),
            }
            for one in advice.offers
        ],
        "ante": [
            *(
                {"ante": side.pair.ante, "wager": side.pair.wager, "ev": fraction(side.ev)}
                for side in advice.ante_sides
            ),
            *(
                {"ante": one.ante, "wager": one.wager, "play": fraction(one.play), "best": one.best}
                for one in advice.antes
            ),
        ],
    }


# `punto count`: how far each bet of a book can be beaten by counting cards.


CountShoesOption = Annotated[
    int, typer.Option("--shoes", metavar="N", min=0, help="Shoes to play; 0 for effects and tags alone.")
]
CutOption = Annotated[int, typer.Option("--cut", metavar="CARDS", min=0, help="Cards behind the cut card.")]
SeedOption = Annotated[int, typer.Option("--seed", metavar="SEED", min=0, help="Seed of the shuffles.")]


def count(
    book: BookArgument,
    decks: DecksOption = None,
    shoes: CountShoesOption = 2_000,
    cut: CutOption = 14,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """How far each bet can be counted: effects of removal, tags, and what perfect play earns."""
    rule_book = open_book(book)
    decks = allowed_decks(rule_book, decks)
    if cut > 52 * decks - 52:
        from punto.rules.wording import counted

        refuse(f"the cut card leaves {cut} cards behind it, too many for {counted(decks, 'deck')}")

    from punto.studies.card_counting import countability
    from punto.studies.expectations import Shoes

    dealt = Shoes(rule_book.play, decks, cut)
    if shoes:
        say_waiting("preparing the kernels (compiled once, some seconds, then kept)")
    study = countability(rule_book, dealt, shoes, seed, lambda done: say_progress(done, shoes))
    if json:
        answer_json(_count_record(study))
    else:
        _draw_count(study)


def say_waiting(text: str) -> None:
    """What is going on, for people who wait at a terminal."""
    if sys.stderr.isatty():
        print(f"punto: {text}", file=sys.stderr)


def say_progress(done: int, of: int, what: str = "") -> None:
    """How far a study is, on one line that is written over."""
    if sys.stderr.isatty():
        named = f"{what}: " if what else ""
        end = "\n" if done >= of else ""
        print(f"\rpunto: {named}{done:,} of {of:,} shoes", end=end, file=sys.stderr, flush=True)


def _count_record(study: Countability) -> dict[str, object]:
    """The answer for programs; docs/reference/odds.md describes it."""
    from punto.rules.book import digest_of

    return {
        "book": study.book.name,
        "digest": digest_of(study.book),
        "decks": study.shoes.decks,
        "cut": study.shoes.behind_cut,
        "shoes": study.number,
        "seed": study.seed,
        "rounds_per_shoe": study.rounds,
        "trigger_shoes": study.training,
        "bets": [_countable_record(study.book, one) for one in study.bets],
    }


def _countable_record(book: Book, one: Countable) -> dict[str, object]:
    from punto.cards.card import Rank

    bet = book.bet(one.area)
    return {
        "bet": one.area,
        "with": list(bet.needs) if bet is not None else [],
        "removal": {name: float(effect) for name, effect in one.effects.items()},
        "tags": one.tag_of,
        "correlation": one.tags.correlation,
        "perfect": _earnings_record(one.perfect),
        "counted": _earnings_record(one.counted),
        "published": [
            {
                "source": beside.count.source,
                "tags": {rank.notation: beside.count.by_rank[rank - 1] for rank in Rank},
                "units": beside.count.units,
                "ours": _earnings_record(beside.ours),
            }
            for beside in one.published
        ],
    }


def _earnings_record(earnings: Earnings | None) -> dict[str, object] | None:
    if earnings is None:
        return None
    trigger = earnings.trigger
    record: dict[str, object] = {
        "units": earnings.units,
        "error": earnings.error,
        "rough": earnings.is_rough,
        "share": earnings.share,
    }
    if trigger is not None:
        record["from"] = trigger if trigger < float("inf") else None
    return record


def _draw_count(study: Countability) -> None:
    from punto.cli.ink import show
    from punto.studies.card_counting import Removals
    from punto.studies.expectations import study_label

    show(Removals(study.book, study.shoes.decks, tuple(one.removal for one in study.bets)).table)
    print()
    show(study.tags_table)
    if study.number:
        print()
        show(study.table, study.remark)
    for one in study.bets:
        for beside in one.published:
            show(f"{study_label(study.book, one.area)} with {beside.words}.")


# `punto insurance`: what insurance is worth at every pair of totals, and the best use of it.


InsuranceShoesOption = Annotated[
    int, typer.Option("--shoes", metavar="N", min=0, help="Shoes to play for a bettor who counts cards; 0 for none.")
]


def insurance(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    shoes: InsuranceShoesOption = 400,
    cut: CutOption = 14,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """Insurance: how often each offer is made, who has its edge, the best policy, and what knowledge adds."""
    from punto.odds.insurance import insurance_odds
    from punto.odds.known_cards import UndealtError

    rule_book = open_book(book)
    if rule_book.insurance is None:
        refuse(f"{rule_book.name} offers no insurance")
    shoe = open_shoe(rule_book, decks, composition, seen)
    try:
        found = insurance_odds(rule_book, shoe.undealt)
    except UndealtError as error:
        refuse(str(error))
    levels = _knowledge_levels(shoe, found, shoes, cut, seed)
    if json:
        answer_json(_insurance_study_record(shoe, found, levels))
        return
    from punto.cli.ink import show, tell
    from punto.documents.page import Style

    tell(found.table.title, Style.TITLE)
    show(*found.table.by_first_column())
    print()
    show(found.summary, *found.warning)
    print()
    show(levels.table, levels.remark)


def _knowledge_levels(shoe: UnseenCards, found: InsuranceOdds, number: int, cut: int, seed: int) -> InsuranceLevels:
    """All four levels for a full shoe; with other cards, those that are exact."""
    from punto.odds.known_cards import Undealt
    from punto.rules.wording import counted
    from punto.studies.expectations import Shoes, insurance_levels

    if not number or shoe.decks is None or shoe.undealt != Undealt.of_decks(shoe.decks):
        return insurance_levels(found, shoe.undealt)
    if cut > shoe.decks * 52 - 52:
        refuse(f"the cut card leaves {cut} cards behind it, too many for {counted(shoe.decks, 'deck')}")
    say_waiting("preparing the kernels (compiled once, some seconds, then kept)")
    dealt = Shoes(found.book.play, shoe.decks, cut)
    return insurance_levels(found, shoe.undealt, dealt, number, seed, lambda done: say_progress(done, number))


def _insurance_study_record(shoe: UnseenCards, found: InsuranceOdds, levels: InsuranceLevels) -> dict[str, object]:
    """The answer for programs; docs/reference/odds.md describes it."""
    from punto.documents.page import fraction
    from punto.rules.book import digest_of
    from punto.rules.outcome import format_odds

    return {
        "book": found.book.name,
        "digest": digest_of(found.book),
        "decks": shoe.decks,
        "cards": shoe.undealt.size,
        "offers": [
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
                "after_hold": [
                    {"player_points": a.player_points, "banker_points": a.banker_points, "best": a.choice.value}
                    for a in row.after
                ],
            }
            for row in found.offers
        ],
        "bets": [
            {
                "bet": one.bet.area,
                "ev": fraction(one.bet.ev),
                "edge": float(one.bet.edge),
                "gain": fraction(one.gain),
                "insured_ev": fraction(one.ev),
                "insured_edge": float(one.edge),
            }
            for one in found.bets
        ],
        "levels": levels.records(),
        "shoes": levels.number,
        "cut": levels.shoes and levels.shoes.behind_cut,
        "seed": levels.seed if levels.shoes else None,
    }


# `punto report`: the PAR sheet of a game, as a file whose ending says of which kind.


ReportOutputOption = Annotated[
    str,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Ends in .html, .pdf, .csv, .parquet or .json.", show_default=False
    ),
]
ReportShoesOption = Annotated[
    int, typer.Option("--shoes", metavar="N", min=0, help="Shoes to play for countability; 0 for none.")
]

DateOption = Annotated[
    str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="Date of the sheet; none without it.")
]
RevisionOption = Annotated[str | None, typer.Option("--revision", metavar="TEXT", help="Its revision.")]
PreparedOption = Annotated[str | None, typer.Option("--prepared-by", metavar="NAME", help="Who prepared it.")]
ApprovedOption = Annotated[str | None, typer.Option("--approved-by", metavar="NAME", help="Who approved it.")]
MaximumOption = Annotated[
    str | None, typer.Option("--max", metavar="AMOUNT", help="Greatest stake on a bet, for the exposure of the house.")
]
DifferentialOption = Annotated[
    str | None, typer.Option("--differential", metavar="AMOUNT", help="Greatest differential of a box, likewise.")
]
AverageOption = Annotated[
    str | None,
    typer.Option(
        "--average-bet", metavar="AMOUNT", help="Stake for the bounds of hold by handle; default: the minimum."
    ),
]


def report(
    book: BookArgument,
    output: ReportOutputOption,
    decks: DecksOption = None,
    shoes: ReportShoesOption = 2_000,
    seed: SeedOption = 1,
    maximum: MaximumOption = None,
    differential: DifferentialOption = None,
    average_bet: AverageOption = None,
    date: DateOption = None,
    revision: RevisionOption = None,
    prepared_by: PreparedOption = None,
    approved_by: ApprovedOption = None,
    json: JsonOption = False,
) -> None:
    """Write the PAR sheet of a game: every figure, with charts and how to reproduce it."""
    from punto.reports.formats import FORMATS
    from punto.rules.wording import counted

    path = check_result_format(output, tuple(FORMATS))
    rule_book = open_book(book)
    decks = allowed_decks(rule_book, decks)

    limits = table_limits(rule_book, _limit_amount(maximum), _limit_amount(differential), _limit_amount(average_bet))
    _check_date(date)

    from punto.reports.par_sheet import Signing, par_sheet

    if shoes:
        say_waiting("preparing the kernels (compiled once, some seconds, then kept)")
    signing = Signing(date, revision, prepared_by, approved_by)
    given = {
        "--max": maximum,
        "--differential": differential,
        "--average-bet": average_bet,
        "--date": date,
        "--revision": revision,
        "--prepared-by": prepared_by,
        "--approved-by": approved_by,
    }
    sheet = par_sheet(
        rule_book,
        decks,
        shoes,
        seed,
        lambda what, done, of: say_progress(done, of, what),
        limits=limits,
        signing=signing,
        argument=shlex.quote(book),
        options=shlex.join(text for item in given.items() if item[1] is not None for text in map(str, item)),
    )
    say_waiting("drawing the sheet")
    content = FORMATS[path.suffix.lower()](sheet)
    put_result(path, content)
    if json:
        answer_json(
            {"book": rule_book.name, "digest": sheet.digest, "decks": decks, "file": str(path), "bytes": len(content)}
        )
    else:
        from punto.cli.ink import note

        note(f"{path}: PAR sheet of {rule_book.title}, {counted(decks, 'deck')}, {len(content):,} bytes")


def table_limits(
    book: Book, maximum: int | None = None, differential: int | None = None, average: int | None = None
) -> TableLimits:
    """The limits that a sheet states exposure for: those given, or else those of a table as it is opened."""
    from punto.money import format_money
    from punto.reports.par_sheet import TableLimits
    from punto.table.terms import boxes_of, default_terms

    terms = default_terms(book)
    measured = terms.differential is not None
    if differential is not None and not measured:
        refuse(f"{book.name} limits each bet, not the differential of a box; give --max")
    greatest = maximum if maximum is not None else terms.maximum
    bound = differential if differential is not None else terms.differential
    words = f"a maximum of {format_money(greatest)} for each bet" if greatest is not None else ""
    if bound is not None:
        words = f"a differential of {format_money(bound)} in each box" + (f" and {words}" if words else "")
    stake = average if average is not None else terms.minimum
    return TableLimits(terms.minimum, greatest, bound, boxes_of(book, terms), stake, words)


def _limit_amount(text: str | None) -> int | None:
    from punto.money import parse_amount

    if text is None:
        return None
    try:
        amount = parse_amount(text)
    except ValueError as error:
        refuse(str(error))
    if amount <= 0:
        refuse("an amount must be positive")
    return amount


def _check_date(text: str | None) -> None:
    from datetime import date

    try:
        if text is not None and date.fromisoformat(text).isoformat() != text:
            raise ValueError
    except ValueError:
        refuse(f"{text!r} is not a date; write it as 2026-01-31")
