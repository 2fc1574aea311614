"""The end of a game: biggest win, streaks, what was staked, what that was expected to cost and what it did.

What bets were expected to cost is exact, by the odds of a full shoe: stake times house edge, for insurance
by the points at which it was taken, and for an ante with optimal play. It looks back and predicts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from punto.cli.play_and_learn.play.account.rounds import PlayedRound
from punto.coup.coup import points
from punto.money import format_money
from punto.rules.book import Book
from punto.rules.text.bet import Area


def summary_lines(book: Book, decks: int, rounds: Sequence[PlayedRound]) -> Iterator[str]:
    """The game in a few sentences; nothing where no bet was settled."""
    bet_on = [played for played in rounds if played.bets]
    if not bet_on:
        return
    best, worst = max(bet_on, key=_net), min(bet_on, key=_net)
    if best.net > 0:
        yield f"Biggest win: {format_money(best.net, is_signed=True)} in round {best.number}."
    if worst.net < 0:
        yield f"Biggest loss: {format_money(worst.net)} in round {worst.number}."
    won, lost = streak(bet_on, 1), streak(bet_on, -1)
    yield f"Longest streaks: {_counted(won)} won, {_counted(lost)} lost."
    staked, net = sum(played.staked for played in bet_on), sum(played.net for played in bet_on)
    cost = round(expected_cost(book, decks, bet_on))
    yield (
        f"Staked {format_money(staked)}. On average that {_costs(cost)}; it {_cost(-net)}. "
        f"(By the odds of a full shoe; the difference is chance.)"
    )


def streak(rounds: Sequence[PlayedRound], sign: int) -> int:
    """The most rounds in a row that were won, or lost; a round that brought nothing ends neither."""
    longest = running = 0
    for played in rounds:
        if played.net:
            running = running + 1 if played.net * sign > 0 else 0
        longest = max(longest, running)
    return longest


def expected_cost(book: Book, decks: int, rounds: Sequence[PlayedRound]) -> Fraction:
    """What the bets of these rounds cost on average, in minor units; negative where they gain."""
    from punto.odds.advice import advise
    from punto.odds.insurance import insurance_odds
    from punto.odds.undealt import Undealt

    fresh = Undealt.of_decks(decks)
    advice = advise(book, fresh)
    evs = {bet.area: bet.ev for bet in advice.odds.bets}
    evs |= {side.pair.ante: side.ev for side in advice.ante_sides}
    offers = {}
    if any(bet.area in book.insurance_areas for played in rounds for bet in played.bets):
        offers = {
            (odds.offer.area, odds.player_points, odds.banker_points): odds.ev
            for odds in insurance_odds(book, fresh).offers
        }
    cost = Fraction(0)
    for played in rounds:
        for bet in played.bets:
            if bet.area in book.insurance_areas:
                cost -= bet.stake * offers[(bet.area, *_at_window(book, played, bet.area))]
            elif not is_wager(book, bet.area):  # a wager is counted with its ante
                cost -= bet.stake * evs[bet.area]
    return cost


def is_wager(book: Book, area: str) -> bool:
    """Whether an area is the wager that goes with an ante."""
    bet = book.bet(area)
    return bet is not None and bet.kind is Area.WAGER


def _at_window(book: Book, played: PlayedRound, area: str) -> tuple[int, int]:
    """The points of both hands when this insurance was offered."""
    _, number = book.insurance_areas[area]
    cards = played.cards[:number]
    return points((cards[0], cards[2], *cards[4:])), points((cards[1], cards[3]))


def _net(played: PlayedRound) -> int:
    return played.net


def _counted(rounds: int) -> str:
    return "1 round" if rounds == 1 else f"{rounds} rounds"


def _costs(cost: int) -> str:
    return f"costs {format_money(cost)}" if cost >= 0 else f"gains {format_money(-cost)}"


def _cost(cost: int) -> str:
    if not cost:
        return "came out even"
    return f"cost you {format_money(cost)}" if cost > 0 else f"brought you {format_money(-cost)}"
