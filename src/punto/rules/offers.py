"""The insurance pay table, compiled: which insurance is open at which points, and what becomes of it."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from punto.rules.facts import Hand, Winner
from punto.rules.outcome import Outcome, Result, format_odds, parse_odds
from punto.rules.play import Play
from punto.rules.reading.problem import Problem
from punto.rules.text.insurance import Insurance, OfferRow, Window


class InsuranceOffer(msgspec.Struct, frozen=True):
    """Insurance on one hand at one window, at these odds."""

    window: Window
    hand: Hand
    odds: Fraction
    on_loss: Outcome
    """When the insured hand loses: insurance wins."""
    on_tie: Outcome
    on_win: Outcome
    on_other_tie: Outcome
    """On a tie at other points than the insured hand had when it was complete: what the book says of all."""

    def __repr__(self) -> str:
        return f"<InsuranceOffer {self.area} at {format_odds(self.odds)}>"

    @property
    def area(self) -> str:
        """Its betting area, such as `insurance-banker-4`."""
        return insurance_area(self.hand, self.window)

    def outcome(self, winner: Winner, *, is_same_hand: bool = True) -> Outcome:
        """What becomes of this insurance.

        A row with a word of its own on ties means the points that it was offered at. Where the insured hand
        was complete then and has other points in the end, because an error was put right, it is another
        hand, and its tie is any tie (insurance 4.2.1).
        """
        if winner is Winner.TIE:
            return self.on_tie if is_same_hand else self.on_other_tie
        return self.on_win if winner.value == self.hand.value else self.on_loss


class Offers(msgspec.Struct, frozen=True):
    """All offers of a book, by number of cards on the table and points of both hands."""

    play: Play
    cells: dict[tuple[int, int, int], tuple[InsuranceOffer, ...]]
    """At (cards, Player's points, Banker's points), as printed in the pay table."""
    windows: tuple[Window, ...] = ()
    rows: tuple[InsuranceOffer, ...] = ()
    """The rows of the pay table, in the order of the book."""

    def __repr__(self) -> str:
        return f"<Offers: {len(self.windows)} windows, {len(self.cells)} pairs of totals>"

    def open(
        self, cards: int, player_points: int, banker_points: int, third: int | None = None
    ) -> tuple[InsuranceOffer, ...]:
        """Offers open at these points: the pay table has a row, and the table of play still brings a card.

        `third` is the points of Player's third card, once it is on the table.
        """
        found = self.cells.get((cards, player_points, banker_points), ())
        if cards == 5 and third is None:
            return ()
        return found if found and self.play.brings_card(player_points, banker_points, third) else ()


def insurance_area(hand: Hand, window: Window) -> str:
    """The betting area of insurance on a hand at a window."""
    return f"insurance-{hand.value}-{window.cards}"


def compile_offers(insurance: Insurance | None, play: Play) -> Offers | list[Problem]:
    """The insurance table of a book (empty without insurance), or its overlaps and rows never reached."""
    if insurance is None:
        return Offers(play, {})
    problems: list[Problem] = []
    cells: dict[tuple[int, int, int], tuple[InsuranceOffer, ...]] = {}
    windows = {window.name: window for window in insurance.windows}
    reachable = _reachable(play)
    rows = tuple(_offer(row, windows[row.window], insurance) for row in insurance.offers)
    for i, (row, offer) in enumerate(zip(insurance.offers, rows, strict=True)):
        keys = [(offer.window.cards, p, b) for p in row.player_points for b in row.banker_points]
        for key in keys:
            others = cells.get(key, ())
            if any(other.hand is offer.hand for other in others):
                sentence = (
                    f"a second offer on the {offer.hand.value} hand at Player {key[1]}, Banker {key[2]}"
                )
                problems.append(Problem(("insurance", "offers", i), sentence))
            cells[key] = (*others, offer)
        if not any(key in reachable for key in keys):
            problems.append(Problem(("insurance", "offers", i), "this row can never be offered"))
    return problems or Offers(play, cells, insurance.windows, rows)


def _offer(row: OfferRow, window: Window, insurance: Insurance) -> InsuranceOffer:
    odds = parse_odds(row.odds)
    on_loss = Outcome(Result.WIN, odds, row.clause)
    tie = row.tie or insurance.tie
    on_tie = Outcome(tie, odds if tie is Result.WIN else None, insurance.tie_clause)
    on_other_tie = Outcome(insurance.tie, odds if insurance.tie is Result.WIN else None, insurance.tie_clause)
    on_win = Outcome(Result.LOSE, None, row.clause)
    return InsuranceOffer(window, row.hand, odds, on_loss, on_tie, on_win, on_other_tie)


def _reachable(play: Play) -> set[tuple[int, int, int]]:
    """Where a card is still to come: (cards on the table, Player's points, Banker's points)."""
    found = set()
    for p in range(10):
        for b in range(10):
            if play.brings_card(p, b):
                found.add((4, p, b))
            if play.player_draws[p * 10 + b]:
                found |= {(5, (p + third) % 10, b) for third in range(10) if play.brings_card(p, b, third)}
    return found
