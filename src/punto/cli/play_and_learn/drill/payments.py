"""Questions on settlement: what one bet is paid on a finished deal."""

from __future__ import annotations

from random import Random

from punto.cli.play_and_learn.drill.answer import Net
from punto.cli.play_and_learn.drill.draws import random_cards
from punto.cli.play_and_learn.drill.question import Question, Topic, label_of
from punto.coup.coup import Coup
from punto.coup.deal import deal
from punto.money import format_amount
from punto.rules.book import Book
from punto.rules.outcome import Result, format_odds
from punto.rules.text.bet import Area
from punto.table.refusal import Refusal
from punto.table.settlement import Line
from punto.table.slip import offers_of, settle_slip

PAYS = "pays"
TRIES = 4000
CHIP = 5_00
"""Stakes are whole numbers of these, in minor units."""
MOST_CHIPS = 60
CHANCE_OF_A_WIN = 0.7
"""How often a winning deal is looked for: what a dealer must know is mostly what to pay."""
CHANCE_GIVEN_UP = 0.2


def pays_subjects(book: Book) -> tuple[str, ...]:
    """Every betting area, insurance too."""
    return book.areas


def ask_pays(book: Book, area: str, random: Random) -> Question:
    """What a bet on this area is paid."""
    wants_win = random.random() < CHANCE_OF_A_WIN
    found: tuple[Coup, dict[str, int], Line] | None = None
    for _ in range(TRIES):
        coup = deal(book.play, random_cards(random))
        slip = _slip(book, coup, area, random)
        lines = settle_slip(book, coup, slip) if slip else Refusal
        if not isinstance(lines, list):
            continue
        line = next(line for line in lines if line.area == area)
        found = coup, slip, line
        if (line.outcome.result is Result.WIN) is wants_win:
            break
    assert found is not None, "every bet can be laid on some deal"
    coup, slip, line = found
    return Question(
        Topic(book.name, PAYS, area),
        f"{_laid(book, slip, area)} What is paid on {label_of(book, area)}?",
        Net(line.stake),
        format_amount(line.net),
        _why(book, coup, line),
        line.outcome.clause,
        coup.player,
        coup.banker,
        tuple(slip.items()),
    )


def _slip(book: Book, coup: Coup, area: str, random: Random) -> dict[str, int]:
    """A stake on the area, and on what may not be missing beside it; empty where it is not on offer."""
    stake = random.randint(2, MOST_CHIPS) * CHIP
    if area in book.insurance_areas:
        offer = offers_of(book, coup).get(area)
        if offer is None:
            return {}
        most = int(stake / offer.odds)
        return {book.main_area(offer.hand): stake, area: most - most % 100 or most}
    bet, ante = book.bet(area), book.ante
    assert bet is not None
    if ante is not None and bet.kind in (Area.ANTE, Area.WAGER):
        pair = next(pair for pair in ante.pairs if area in (pair.ante, pair.wager))
        if area == pair.ante and random.random() < CHANCE_GIVEN_UP:
            return {pair.ante: stake}
        return {pair.ante: stake, pair.wager: stake * ante.multiple}
    beside = {random.choice(bet.needs): stake} if bet.needs else {}
    return {**beside, area: stake}


def _laid(book: Book, slip: dict[str, int], area: str) -> str:
    """The bets that lie, in a sentence."""
    bets = [
        f"{format_amount(stake).removesuffix('.00')} on {label_of(book, bet)}" for bet, stake in slip.items()
    ]
    given_up = _is_given_up(book, slip, area)
    return f"{' and '.join(bets)}{', given up' if given_up else ''}."


def _is_given_up(book: Book, slip: dict[str, int], area: str) -> bool:
    bet = book.bet(area)
    return bet is not None and bet.kind is Area.ANTE and len(slip) == 1


def _why(book: Book, coup: Coup, line: Line) -> str:
    points = f"Player {coup.player_points}, Banker {coup.banker_points}"
    label = label_of(book, line.area)
    if line.outcome.odds is not None:
        return f"{points}: {label} pays {format_odds(line.outcome.odds)}"
    return f"{points}: {label} {'goes back' if line.outcome.result is Result.PUSH else 'loses'}"
