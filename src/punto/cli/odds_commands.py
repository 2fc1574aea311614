"""`punto odds`, `advise`, `count`, `insurance` and `report`: what bets are worth, exactly. The odds of every
bet for any shoe, what each is worth at a moment of a round, how far counting beats it, the best use of
insurance, and the PAR sheet that collects all this.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

from punto.cli.files import check_result_format, write_whole
from punto.cli.ink import note, show, tell
from punto.cli.options import BookArgument, JsonOption, open_book, option, read_as
from punto.cli.output import PREPARING, answer_json, refuse, say_progress, say_waiting
from punto.cli.shoe_options import CompositionOption, DecksOption, SeenOption, allowed_decks, open_shoe, read_cards
from punto.documents.page import Style
from punto.money import parse_amount

if TYPE_CHECKING:
    from punto.cli.shoe_options import UnseenCards
    from punto.odds.insurance import InsuranceOdds
    from punto.reports.par_sheet import TableLimits
    from punto.rules.book import Book
    from punto.studies.card_counting import Countability
    from punto.studies.expectations import InsuranceLevels

CutOption = Annotated[int, option("--cut", "CARDS", "Cards behind the cut card.", min=0, show_default=True)]
SeedOption = Annotated[int, option("--seed", "SEED", "Seed of the shuffles.", min=0, show_default=True)]


def odds(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    json: JsonOption = False,
) -> None:
    """Exact odds of every bet; with insurance and antes where the book has them."""
    from punto.odds.ante import ante_odds
    from punto.odds.bet_odds import book_odds
    from punto.odds.insurance import insurance_odds

    rule_book = open_book(book)
    shoe = open_shoe(rule_book, decks, composition, seen)
    bets = book_odds(rule_book, shoe.undealt)
    insurance = insurance_odds(rule_book, shoe.undealt) if rule_book.insurance else None
    antes = ante_odds(rule_book, shoe.undealt) if rule_book.ante else None
    if json:
        from punto.odds.odds_answer import shoe_odds

        answer_json(shoe_odds(bets, shoe.decks, insurance, antes))
        return
    show(bets.table)
    if insurance is not None:
        print()
        show(insurance.summary, *insurance.warning)
    if antes is not None:
        print()
        show(antes.table)
        print()
        show(antes.summary)


def advise(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    round_: Annotated[str, option("--round", "CARDS", "Cards of this round so far, in dealing order.")] = "",
    json: JsonOption = False,
) -> None:
    """What every bet is worth now: exact expectations at any moment of a round."""
    from punto.odds.advice import advise as advise_on

    rule_book = open_book(book)
    shoe = open_shoe(rule_book, decks, composition, seen)
    dealt = read_cards(round_)
    advice = advise_on(rule_book, shoe.undealt.less(dealt), dealt)
    if json:
        from punto.odds.odds_answer import round_advice

        answer_json(round_advice(advice, shoe.decks))
    else:
        show(advice.table)


def count(
    book: BookArgument,
    decks: DecksOption = None,
    shoes: Annotated[
        int, option("--shoes", "N", "Shoes to play; 0 for effects and tags alone.", min=0, show_default=True)
    ] = 2_000,
    cut: CutOption = 14,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """How far each bet can be counted: effects of removal, tags, and what perfect play earns."""
    rule_book = open_book(book)
    decks = allowed_decks(rule_book, decks)
    _check_cut(cut, decks)

    from punto.studies.card_counting import countability
    from punto.studies.expectations import Shoes

    if shoes:
        say_waiting(PREPARING)
    dealt = Shoes(rule_book.play, decks, cut)
    study = countability(rule_book, dealt, shoes, seed, say_progress)
    if json:
        answer_json(study.answer)
    else:
        _draw_count(study)


def _check_cut(cut: int, decks: int) -> None:
    from punto.rules.wording import counted

    if cut > 52 * decks - 52:
        refuse(f"the cut card leaves {cut} cards behind it, too many for {counted(decks, 'deck')}")


def _draw_count(study: Countability) -> None:
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


def insurance(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    shoes: Annotated[
        int,
        option("--shoes", "N", "Shoes to play for a bettor who counts cards; 0 for none.", min=0, show_default=True),
    ] = 400,
    cut: CutOption = 14,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """Insurance: how often each offer is made, who has its edge, the best policy, and what knowledge adds."""
    from punto.odds.insurance import insurance_odds

    rule_book = open_book(book)
    if rule_book.insurance is None:
        refuse(f"{rule_book.name} offers no insurance")
    shoe = open_shoe(rule_book, decks, composition, seen)
    odds = insurance_odds(rule_book, shoe.undealt)
    levels = _knowledge_levels(shoe, odds, shoes, cut, seed)
    if json:
        from punto.studies.expectations import insurance_study

        answer_json(insurance_study(shoe.decks, shoe.undealt.size, odds, levels))
        return
    tell(odds.table.title, Style.TITLE)
    show(*odds.table.by_first_column())
    print()
    show(odds.summary, *odds.warning)
    print()
    show(levels.table, levels.remark)


def _knowledge_levels(shoe: UnseenCards, odds: InsuranceOdds, number: int, cut: int, seed: int) -> InsuranceLevels:
    """All four levels for a full shoe; with other cards, those that are exact."""
    from punto.odds.known_cards import Undealt
    from punto.studies.expectations import Shoes, insurance_levels

    if not number or shoe.decks is None or shoe.undealt != Undealt.of_decks(shoe.decks):
        return insurance_levels(odds, shoe.undealt)
    _check_cut(cut, shoe.decks)
    say_waiting(PREPARING)
    dealt = Shoes(odds.book.play, shoe.decks, cut)
    return insurance_levels(odds, shoe.undealt, dealt, number, seed, lambda done: say_progress("shoes", done, number))


def report(
    book: BookArgument,
    output: Annotated[str, option("--output -o", "FILE", "Ends in .html, .pdf, .csv, .parquet or .json.")],
    decks: DecksOption = None,
    shoes: Annotated[
        int, option("--shoes", "N", "Shoes to play for countability; 0 for none.", min=0, show_default=True)
    ] = 2_000,
    seed: SeedOption = 1,
    maximum: Annotated[
        str | None, option("--max", "AMOUNT", "Greatest stake on a bet, for the exposure of the house.")
    ] = None,
    differential: Annotated[
        str | None, option("--differential", "AMOUNT", "Greatest differential of a box, for the same.")
    ] = None,
    average_bet: Annotated[
        str | None, option("--average-bet", "AMOUNT", "Stake for the bounds of hold by handle; default: the minimum.")
    ] = None,
    date: Annotated[str | None, option("--date", "YYYY-MM-DD", "Date of the sheet; default: no date.")] = None,
    revision: Annotated[str | None, option("--revision", "TEXT", "Revision of the sheet.")] = None,
    prepared_by: Annotated[str | None, option("--prepared-by", "NAME", "Who prepared the sheet.")] = None,
    approved_by: Annotated[str | None, option("--approved-by", "NAME", "Who approved the sheet.")] = None,
    json: JsonOption = False,
) -> None:
    """Write the PAR sheet of a game: every figure, with charts and how to reproduce it."""
    from punto.reports.formats import FORMATS, check_libraries
    from punto.rules.wording import counted

    path = check_result_format(output, tuple(FORMATS))
    check_libraries(path.suffix.lower(), "matplotlib")  # Every format has what the charts show.
    rule_book = open_book(book)
    decks = allowed_decks(rule_book, decks)
    amounts = (maximum, differential, average_bet)
    limits = table_limits(rule_book, *(read_as(parse_amount, each) if each is not None else None for each in amounts))
    _check_date(date)

    from punto.reports.par_sheet import Signing, par_sheet

    if shoes:
        say_waiting(PREPARING)
    signatures = {"date": date, "revision": revision, "prepared-by": prepared_by, "approved-by": approved_by}
    typed = {"max": maximum, "differential": differential, "average-bet": average_bet, **signatures}
    sheet = par_sheet(
        rule_book,
        decks,
        shoes,
        seed,
        say_progress,
        limits=limits,
        signing=Signing(*signatures.values()),
        argument=shlex.quote(book),
        options=shlex.join(word for name, text in typed.items() if text is not None for word in (f"--{name}", text)),
    )
    say_waiting("drawing the sheet")
    content = FORMATS[path.suffix.lower()](sheet)
    write_whole(path, content)
    if json:
        made = {"book": rule_book.name, "digest": sheet.digest, "decks": decks}
        answer_json({**made, "file": str(path), "bytes": len(content)})
    else:
        note(f"{path}: PAR sheet of {rule_book.title}, {counted(decks, 'deck')}, {len(content):,} bytes")


def table_limits(
    book: Book, maximum: int | None = None, differential: int | None = None, average: int | None = None
) -> TableLimits:
    """The limits that a sheet states exposure for: those given, or else those of a table as it is opened."""
    from punto.reports.par_sheet import stated_limits
    from punto.studies.house_risk import StakeLimits
    from punto.table.terms import default_terms

    terms = default_terms(book)
    if differential is not None and terms.differential is None:
        refuse(f"{book.name} limits each bet, not the differential of a box; give --max")
    greatest = maximum if maximum is not None else terms.maximum
    bound = differential if differential is not None else terms.differential
    stakes = StakeLimits(terms.minimum, greatest, bound)
    return stated_limits(book, stakes, average if average is not None else terms.minimum)


def _check_date(text: str | None) -> None:
    from datetime import date

    try:
        if text is not None and date.fromisoformat(text).isoformat() != text:
            raise ValueError
    except ValueError:
        refuse(f"{text!r} is not a date; write it as 2026-01-31")
