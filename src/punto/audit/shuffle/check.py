"""Checking a shoe: whether seed, commitment, contributions and every card that was dealt fit together."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from punto.audit.shuffle.order import (
    SEED_BYTES,
    UnknownAlgorithm,
    commitment_of,
    order_of,
)
from punto.audit.shuffle.published import ShoeRecord
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.table.shuffling.pledge import digest_of_bytes


class ShoeCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What came of checking a shoe."""

    record: ShoeRecord
    order: tuple[Card, ...] | None = None
    """None as long as nobody can compute it."""
    problems: tuple[str, ...] = ()
    """What does not fit, each as a sentence."""
    closed: str | None = None
    """Why the shoe cannot be checked; None where it was."""

    @property
    def matches(self) -> bool | None:
        """Whether everything fits; None where the shoe cannot be checked."""
        return None if self.closed is not None else not self.problems

    @property
    def compared(self) -> int:
        """Places of the shoe whose cards are known from the table."""
        return len({placed.place for placed in self.record.dealt})


def check_shoe(record: ShoeRecord) -> ShoeCheck:
    """Find the order of a shoe again from what was published of it, and compare."""
    closed = _why_closed(record)
    if closed is not None:
        return ShoeCheck(record=record, closed=closed)
    assert record.seed is not None
    problems = list(_wrong_contributions(record))
    secret, added = _bytes(record.seed), [_bytes(value) for value in record.contributions]
    if secret is None or len(secret) != SEED_BYTES:
        problems.insert(0, f"the seed is not {2 * SEED_BYTES} hexadecimal digits")
        return ShoeCheck(record=record, problems=tuple(problems))
    if commitment_of(record.table, record.shoe, record.decks, record.algorithm, secret) != record.commitment:
        problems.insert(0, "the seed does not fit the commitment: it is not the one that was promised")
    try:
        order = order_of(record.algorithm, secret, record.decks, [value or b"" for value in added])
    except UnknownAlgorithm as error:
        return ShoeCheck(record=record, problems=(*problems, str(error)))
    problems += _wrong_cards(record, order)
    return ShoeCheck(record=record, order=order, problems=tuple(problems))


def _why_closed(record: ShoeRecord) -> str | None:
    if record.commitment and record.seed is not None:
        return None
    if record.commitment:
        when = "the first call for bets of the next shoe, or when the table closes"
        return f"the seed of shoe {record.id} is not opened yet: that happens at {when}"
    if record.source is SourceKind.CONTINUOUS:
        why = "it is dealt by a continuous shuffler, which has no order to commit to"
    elif record.source is SourceKind.ENTERED:
        why = "it is a physical shoe, whose cards a person names"
    else:
        why = "its seed was chosen by a person, or it was loaded before tables made commitments"
    return f"shoe {record.id} promises nothing: {why}"


def _wrong_contributions(record: ShoeRecord) -> Iterator[str]:
    for pledge in record.pledges:
        if pledge.opened is not None and digest_of_bytes(pledge.opened) != pledge.digest:
            yield f"the bytes of {pledge.player} are not those that were pledged"
    if record.contributions != record.opened:
        yield "the contributions told with the seed are not those that players opened"


def _wrong_cards(record: ShoeRecord, order: tuple[Card, ...]) -> Iterator[str]:
    for placed in record.dealt:
        if not 1 <= placed.place <= len(order):
            yield f"the shoe has no place {placed.place}, from which {placed.card} was dealt"
        elif order[placed.place - 1] is not placed.card:
            due = order[placed.place - 1]
            yield f"place {placed.place}, round {placed.round}: {placed.card} was dealt instead of {due}"


def _bytes(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None
