"""What one bet is paid on a finished deal."""

from __future__ import annotations

from punto.coup.coup import Coup
from punto.coup.deal import deal
from punto.drill.answer import WinningsAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic, bet_name
from punto.money import format_amount, format_money
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.outcome import Result, format_odds
from punto.rules.text.bet import Area
from punto.rules.words import row_words
from punto.table.settlement.line import SettlementLine
from punto.table.settlement.slip import offers_of, settle_slip

NAME = "pays"
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


def ask_pays(book: Book, area: str, chance: Chance) -> Question:
    """What a bet on this area is paid."""
    wants_win = chance.happens(CHANCE_OF_A_WIN)
    found: tuple[Coup, dict[str, int], SettlementLine] | None = None
    for _ in range(TRIES):
        coup = deal(book.play, chance.cards())
        slip = _slip(book, coup, area, chance)
        if not slip:
            continue
        lines = settle_slip(book, coup, slip)
        if isinstance(lines, Refusal):
            continue
        line = next(line for line in lines if line.area == area)
        found = coup, slip, line
        if (line.outcome.result is Result.WIN) is wants_win:
            break
    assert found is not None, "every bet can be placed on some deal"
    coup, slip, line = found
    return Question(
        Topic(book.name, NAME, area),
        f"{_placed(book, slip, area)} What is paid on {bet_name(book, area)}?",
        WinningsAnswer(line.stake),
        format_amount(line.net),
        _why(book, coup, line),
        line.outcome.clause,
        coup.player,
        coup.banker,
        tuple(slip.items()),
    )


KIND = QuestionKind(NAME, "what a bet is paid", pays_subjects, ask_pays)


def _slip(book: Book, coup: Coup, area: str, chance: Chance) -> dict[str, int]:
    """A stake on the area, and on the area it needs beside it; empty where the area is not offered."""
    stake = chance.between(2, MOST_CHIPS) * CHIP
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
        if area == pair.ante and chance.happens(CHANCE_GIVEN_UP):
            return {pair.ante: stake}
        return {pair.ante: stake, pair.wager: stake * ante.multiple}
    beside = {chance.one_of(bet.needs): stake} if bet.needs else {}
    return {**beside, area: stake}


def _placed(book: Book, slip: dict[str, int], area: str) -> str:
    """The bets on the table, in a sentence."""
    bets = [f"{format_money(stake)} on {bet_name(book, bet)}" for bet, stake in slip.items()]
    bet = book.bet(area)
    is_given_up = bet is not None and bet.kind is Area.ANTE and len(slip) == 1
    return f"{' and '.join(bets)}{', given up' if is_given_up else ''}."


def _why(book: Book, coup: Coup, line: SettlementLine) -> str:
    points = f"Player {coup.player_points}, Banker {coup.banker_points}"
    label = bet_name(book, line.area)
    when = _row_words(book, coup, line)
    if line.outcome.odds is not None:
        return f"{points}: {label} pays {format_odds(line.outcome.odds)}{when}"
    return f"{points}: {label} {'goes back' if line.outcome.result is Result.PUSH else 'loses'}{when}"


def _row_words(book: Book, coup: Coup, line: SettlementLine) -> str:
    """The row that decided a bet whose rows overlap: odds alone do not say why. Insurance has no rows."""
    table = book.pay_tables.get(line.area)
    if table is None or not any(row.is_below for row in table.rows):
        return ""
    row = table.settled_row(coup.facts, coup.player, coup.banker)
    if row.outcome != line.outcome:  # an ante that was given up is lost by its own clause
        return ""
    return f" ({row_words(row, name_of=lambda area: bet_name(book, area))})"
