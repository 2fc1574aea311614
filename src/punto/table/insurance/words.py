"""Insurance in words."""

from __future__ import annotations

from collections.abc import Iterator

from punto.money import format_amount, format_money
from punto.table.insurance import events as e
from punto.table.words import (
    About,
    FactLine,
    Telling,
    Told,
    Words,
    by_clause,
    fact,
    fields,
    hand_name,
    say,
)


def _insurance_offered_facts(event: e.InsuranceOffered) -> Iterator[FactLine]:
    odds = (word for hand in sorted(event.odds) for word in (hand, event.odds[hand]))
    yield fact("window", event.window, *odds)
    for offer in event.offers:
        most = format_amount(offer.most)
        yield fact("offered", offer.box, offer.player, offer.hand.value, offer.odds, "most", most)


def _tell_offered(_: Telling, event: e.InsuranceOffered) -> Iterator[Told]:
    odds = ", ".join(f"{hand.title()} {event.odds[hand]}" for hand in sorted(event.odds))
    yield Told(About.OFFER, f"insurance: {odds}")
    for offer in event.offers:
        whose = f"{offer.player}, {hand_name(offer.hand)}, box {offer.box}"
        yield Told(About.OFFER, f"  {whose}: {offer.odds}, at most {format_money(offer.most)}")


def _insurance_taken_facts(event: e.InsuranceTaken) -> list[FactLine]:
    amount = format_amount(event.amount)
    return [fact("insured", event.box, event.player, event.hand.value, event.odds, amount)]


def _tell_insured(_: Telling, event: e.InsuranceTaken) -> Iterator[Told]:
    whose = f"{event.player} insures {hand_name(event.hand)}, box {event.box}"
    yield Told(About.NOTE, f"{whose}: {format_money(event.amount)} at {event.odds}")


def _insurance_closed_facts(event: e.InsuranceClosed) -> Iterator[FactLine]:
    yield fact("window-closed", event.window)
    for player in event.forgone:
        yield fact("forgone", player, event.clause)


def _tell_window_closed(_: Telling, event: e.InsuranceClosed) -> Iterator[Told]:
    for player in event.forgone:
        yield Told(About.NOTE, f"{player} has forgone insurance for this round{by_clause(event.clause)}")


def _tell_wished(_: Telling, event: e.InsuranceWished) -> Iterator[Told]:
    yield Told(About.NOTE, f"{event.player} wishes to insure {hand_name(event.hand)} in box {event.box}")


WORDS = {
    e.InsuranceOffered: Words(("window", "offered"), _insurance_offered_facts, _tell_offered),
    e.InsuranceTaken: Words(("insured",), _insurance_taken_facts, _tell_insured),
    e.InsuranceDeclined: Words(
        ("declined",), fields("declined", "player"), say(About.NOTE, "{player} declines insurance")
    ),
    e.InsuranceClosed: Words(("window-closed", "forgone"), _insurance_closed_facts, _tell_window_closed),
    e.InsuranceNeglected: Words(
        ("neglected",),
        fields("neglected", "window"),
        say(About.NOTE, "insurance was due after {window} cards and was not offered"),
    ),
    e.InsuranceWished: Words(
        ("wished",),
        lambda event: [fact("wished", event.box, event.player, event.hand.value, event.window)],
        _tell_wished,
    ),
}
