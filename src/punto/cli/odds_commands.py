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
    from punto.odds.ante import AnteOdds
    from punto.odds.bet_odds import Odds
    from punto.odds.insurance import InsuranceOdds
    from punto.reports.par_sheet import TableLimits
    from punto.rules.book import Book
    from punto.studies.card_counting import Countability
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
        from punto.odds.odds_answer import shoe_odds

        answer_json(shoe_odds(bets, shoe.decks, insurance, antes))
    else:
        _draw_odds(bets, insurance, antes)


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
        from punto.odds.odds_answer import round_advice

        answer_json(round_advice(advice, shoe.decks))
    else:
        from punto.cli.ink import show

        show(advice.table)


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
        answer_json(study.answer)
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
        odds = insurance_odds(rule_book, shoe.undealt)
    except UndealtError as error:
        refuse(str(error))
    levels = _knowledge_levels(shoe, odds, shoes, cut, seed)
    if json:
        from punto.studies.expectations import insurance_study

        answer_json(insurance_study(shoe.decks, shoe.undealt.size, odds, levels))
        return
    from punto.cli.ink import show, tell
    from punto.documents.page import Style

    tell(odds.table.title, Style.TITLE)
    show(*odds.table.by_first_column())
    print()
    show(odds.summary, *odds.warning)
    print()
    show(levels.table, levels.remark)


def _knowledge_levels(shoe: UnseenCards, odds: InsuranceOdds, number: int, cut: int, seed: int) -> InsuranceLevels:
    """All four levels for a full shoe; with other cards, those that are exact."""
    from punto.odds.known_cards import Undealt
    from punto.rules.wording import counted
    from punto.studies.expectations import Shoes, insurance_levels

    if not number or shoe.decks is None or shoe.undealt != Undealt.of_decks(shoe.decks):
        return insurance_levels(odds, shoe.undealt)
    if cut > shoe.decks * 52 - 52:
        refuse(f"the cut card leaves {cut} cards behind it, too many for {counted(shoe.decks, 'deck')}")
    say_waiting("preparing the kernels (compiled once, some seconds, then kept)")
    dealt = Shoes(odds.book.play, shoe.decks, cut)
    return insurance_levels(odds, shoe.undealt, dealt, number, seed, lambda done: say_progress(done, number))


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
