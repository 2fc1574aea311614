"""`punto count`: how far each bet of a book can be beaten by counting cards."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.options.unseen import DecksOption, allowed_decks
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.studies.counting.countability import Countability, Countable
    from punto.studies.counting.perfect_play import Earnings

ShoesOption = Annotated[
    int, typer.Option("--shoes", metavar="N", min=0, help="Shoes to play; 0 for effects and tags alone.")
]
CutOption = Annotated[int, typer.Option("--cut", metavar="CARDS", min=0, help="Cards behind the cut card.")]
SeedOption = Annotated[int, typer.Option("--seed", metavar="SEED", min=0, help="Seed of the shuffles.")]


def count(
    book: BookArgument,
    decks: DecksOption = None,
    shoes: ShoesOption = 2_000,
    cut: CutOption = 14,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """How far each bet can be counted: effects of removal, tags, and what perfect play earns."""
    rule_book = open_book(book)
    decks = allowed_decks(rule_book, decks)
    if cut > 52 * decks - 52:
        from punto.rules.words import counted

        refuse(f"the cut card leaves {cut} cards behind it, too many for {counted(decks, 'deck')}")

    from punto.studies.counting.countability import countability
    from punto.studies.shoes import Shoes

    dealt = Shoes(rule_book.play, decks, cut)
    if shoes:
        say("preparing the kernels (compiled once, some seconds, then kept)")
    study = countability(rule_book, dealt, shoes, seed, lambda done: say_progress(done, shoes))
    if json:
        answer_json(_record(study))
    else:
        _draw(study)


def say(text: str) -> None:
    """What is going on, for people who wait at a terminal."""
    if sys.stderr.isatty():
        print(f"punto: {text}", file=sys.stderr)


def say_progress(done: int, of: int, what: str = "") -> None:
    """How far a study is, on one line that is written over."""
    if sys.stderr.isatty():
        named = f"{what}: " if what else ""
        end = "\n" if done >= of else ""
        print(f"\rpunto: {named}{done:,} of {of:,} shoes", end=end, file=sys.stderr, flush=True)


def _record(study: Countability) -> dict[str, object]:
    """The answer for programs; docs/reference/odds.md describes it."""
    from punto.rules.digest import digest_of

    return {
        "book": study.book.name,
        "digest": digest_of(study.book),
        "decks": study.shoes.decks,
        "cut": study.shoes.behind_cut,
        "shoes": study.number,
        "seed": study.seed,
        "rounds_per_shoe": study.rounds,
        "trigger_shoes": study.training,
        "bets": [_bet_record(study.book, one) for one in study.bets],
    }


def _bet_record(book: Book, one: Countable) -> dict[str, object]:
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


def _draw(study: Countability) -> None:
    from punto.cli.terminal.ink import show
    from punto.studies.counting.removal import Removals
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
