"""Tampering: one change to a database by somebody who owns it, of a kind and at a place that chance decides.

Most changes leave something that does not fit, and must be found whatever the anchor says. Whoever computes
every hash and every row again leaves nothing but another hash: that must be found up to the anchor, and what
comes after it must be reported as unanchored.
"""

from __future__ import annotations

from collections.abc import Callable

from punto.audit.anchor import Anchor
from punto.audit.verification import Verification, verify
from punto.store.connection import Connection
from punto.store.reader import Reader
from tests.audit import rehashing, tampered_events, tampered_rows
from tests.audit.change import ASKED, CASHIER, DESK, HOUSE, Chance, Tampering


def tamper(connection: Connection, chance: Chance) -> Tampering:
    """Do one thing."""
    kinds = KINDS if chance.random() < 0.75 else tuple(k for k in KINDS if k.__name__.startswith("event"))
    return chance.choice(kinds)(connection, chance)


def is_honest(done: Tampering, found: Verification, anchor: Anchor) -> bool:
    """Whether verification says of a change what it has to: it is found, or reported as unanchored."""
    if not found.ok:
        return True
    if done.chain is None or done.fits_from is None:
        return False
    if done.chain == CASHIER:
        return done.fits_from > anchor.cashier.seq == found.cashier.anchored
    if done.chain == DESK:
        return done.fits_from > anchor.cashier.asked
    if done.chain == HOUSE:
        assert anchor.house is not None
        return done.fits_from > anchor.house.seq == found.house.anchored
    if done.chain.startswith(ASKED):
        commands = anchor.tables.get(done.chain.removeprefix(ASKED))
        return commands is None or done.fits_from > commands.asked
    anchored = anchor.tables.get(done.chain)
    if anchored is None:
        return done.chain not in found.anchored
    return done.fits_from > anchored.seq == found.anchored[done.chain]


def look(connection: Connection, anchor: Anchor | None) -> Verification:
    """Verify what a connection sees, in the transaction that it is in."""
    return verify(Reader(connection), anchor=anchor)


KINDS: tuple[Callable[[Connection, Chance], Tampering], ...] = (
    tampered_events.event_flipped,
    tampered_events.event_key,
    tampered_events.event_version,
    tampered_events.event_hash,
    tampered_events.event_deleted,
    tampered_events.event_swapped,
    tampered_events.event_inserted,
    tampered_events.events_cut_off,
    rehashing.event_rehashed,
    rehashing.events_cut_off_neatly,
    rehashing.table_removed,
    rehashing.cashier_rehashed,
    rehashing.command_rehashed,
    rehashing.second_rewritten,
    rehashing.refusal_removed,
    rehashing.key_removed,
    rehashing.act_removed,
    rehashing.role_forged,
    rehashing.significant_removed,
    rehashing.significant_changed,
    rehashing.significant_added,
    tampered_rows.row_changed,
    tampered_rows.row_changed,
    tampered_rows.row_changed,
    tampered_rows.row_changed,
    tampered_rows.row_changed,
    tampered_rows.row_deleted,
    tampered_rows.row_deleted,
    tampered_rows.row_added,
    tampered_rows.movement_deleted,
    tampered_rows.money_inserted,
    tampered_rows.money_moved_on,
)
