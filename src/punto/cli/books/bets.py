"""`punto bets`: the catalogue of published bets, with pay tables, sources and exact edges."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.completion import complete_bet
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.books.catalogue import CataloguedBet, PublishedFigures
    from punto.cli.files.priced_bets import PricedBet
    from punto.rules.text.bet import PayRow


def bets(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="A bet, a section, or a part of the names of several.",
            show_default=False,
            autocompletion=complete_bet,
        ),
    ] = "",
    decks: Annotated[
        int, typer.Option("--decks", metavar="N", min=1, max=100, help="Decks in the shoe.")
    ] = 8,
    toml: Annotated[bool, typer.Option("--toml", help="Print bets as TOML, to copy into a book.")] = False,
    json: JsonOption = False,
) -> None:
    """List published bets that a book can take, each with its exact edge."""
    if toml and json:
        refuse("--toml and --json ask for different things; give one of them")
    found = _found(name)
    if toml:
        from punto.books.catalogue import piece_toml

        print("\n".join(map(piece_toml, found)), end="")
        return

    from punto.cli.files.priced_bets import priced

    counted = tuple(priced(found, decks))
    if json:
        answer_json([_record(one) for one in counted])
    elif name == found[0].bet:
        _draw_one(counted[0], decks)
    else:
        _draw(counted, decks)


def _found(name: str) -> list[CataloguedBet]:
    """The bets that are meant: one by its name, a section, or all that have the text in a name."""
    from punto.books.catalogue import SECTIONS, catalogue, section
    from punto.suggestion import did_you_mean

    every = catalogue()
    if name in every:
        return [every[name]]
    if name in SECTIONS:
        return list(section(name).bets)
    text = name.strip().lower()
    found = [bet for bet in every.values() if text in bet.bet or text in bet.labels.en.lower()]
    if not found:
        meant = did_you_mean(name, (*every, *SECTIONS))
        refuse(f"the catalogue has no bet {name!r}{meant}; its sections are {', '.join(SECTIONS)}")
    return found


def _record(one: PricedBet) -> dict[str, object]:
    """The answer for programs; docs/reference/command-line.md describes it."""
    from punto.books.catalogue import source_words

    return {
        "bet": one.bet.bet,
        "name": one.bet.labels.en,
        "pays": [
            {"when": row.when, "pays": _pays(row.row), "chance": _exact(Fraction(row.ways, one.total))}
            for row in one.rows
        ],
        "source": source_words(one.bet),
        "published": [
            {"decks": said.decks, "edge": said.edge, "hit": said.hit, "differs": said.differs}
            for said in one.bet.published
        ],
        "edge": _exact(one.edge),
        "hit": _exact(one.hit),
        "first_match": one.bet.first_match,
        "needs": list(one.bet.needs),
        "note": one.bet.note,
    }


def _exact(value: Fraction) -> dict[str, object]:
    from punto.documents.number import fraction

    return {"exact": fraction(value), "decimal": float(value)}


def _pays(row: PayRow) -> str:
    assert row.odds or row.result, "a row has odds or a result"
    return row.odds or (row.result.value if row.result else "")


def _draw(counted: tuple[PricedBet, ...], decks: int) -> None:
    from punto.books.catalogue import SECTIONS, section, sources
    from punto.cli.terminal.ink import show, tell
    from punto.documents.number import percent
    from punto.documents.page import Grid, Listing, Style
    from punto.rules.words import counted as number_of

    with_decks = number_of(decks, "deck")
    for name in SECTIONS:
        names = {bet.bet for bet in section(name).bets}
        rows = tuple(
            (
                one.bet.bet,
                ", ".join(_pays(row.row).removesuffix(":1") for row in one.rows[:-1]),
                percent(one.edge),
                _published(one.bet, decks),
                " ".join(one.bet.source),
            )
            for one in counted
            if one.bet.bet in names
        )
        if rows:
            title = f"{section(name).title} ({name}), {with_decks}"
            show(Grid(("bet", "pays to 1", "edge", "published", "source"), rows, title, (2, 3), grows=1))
            print()
    keys = dict.fromkeys(key for one in counted for key in one.bet.source)
    show(Listing(tuple(f"{key}: {text}" for key, text in sources().items() if key in keys)))
    print()
    if any(_published(one.bet, decks).endswith("*") for one in counted):
        tell("* Our exact edge is another one; punto bets NAME says why.", Style.QUIET)
    tell('Take one into a book with take = ["NAME"]. punto bets NAME shows it in full.', Style.QUIET)


def _published(bet: CataloguedBet, decks: int) -> str:
    """The edge as it was printed for this number of decks, marked where ours is another one."""
    said = next((one for one in bet.published if one.decks == decks and one.edge), None)
    return "" if said is None else f"{said.edge} %{'*' if said.differs else ''}"


def _draw_one(one: PricedBet, decks: int) -> None:
    from punto.books.catalogue import source_words
    from punto.cli.terminal.ink import show, tell
    from punto.documents.number import fraction, percent
    from punto.documents.page import Grid, Listing, Style
    from punto.rules.words import counted

    bet = one.bet
    rows = tuple((row.when, _pays(row.row), percent(Fraction(row.ways, one.total))) for row in one.rows)
    title = f"{bet.labels.en} ({bet.bet}), {counted(decks, 'deck')}"
    show(Grid(("when", "pays", "chance"), rows, title, right=(1, 2), grows=0))
    print()
    facts = (
        *(("The first row that holds counts.",) if bet.first_match else ()),
        f"House edge: {percent(one.edge)}, exactly {fraction(one.edge)}",
        f"Hit: {percent(one.hit)}, exactly {fraction(one.hit)}",
        *(f"Published for {_figures(said)}" for said in bet.published),
        *((f"Needs a bet on {' or '.join(bet.needs)}",) if bet.needs else ()),
        *((f"Note: {bet.note}",) if bet.note else ()),
        f"Source: {source_words(bet)}",
    )
    show(Listing(facts))
    print()
    tell(f'Take it into a book with take = ["{bet.bet}"].', Style.QUIET)


def _figures(said: PublishedFigures) -> str:
    from punto.rules.words import counted

    figures = (("edge", said.edge), ("hit", said.hit))
    words = ", ".join(f"{name} {figure} %" for name, figure in figures if figure)
    return f"{counted(said.decks, 'deck')}: {words}{f'. {said.differs}' if said.differs else ''}"
