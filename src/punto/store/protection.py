"""What protects players, and what their play came to, as it is stored.

A protection is one decision about one player: limits, an exclusion, how often to be told. Each change is an act of the
house. The totals of play are running sums of what is posted to the player's own account, kept in the same transaction
as the postings; verification finds them again from those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

import msgspec

from punto.ledger.movement import player_account
from punto.ledger.play import PlayCount
from punto.store.chain import HouseCode, Subject
from punto.store.connection import placeholders
from punto.store.reader import SOME, Reader
from punto.store.transaction import Transaction

PLAY_AFTER = "play-after"
"""The mark of a database that is older than the totals: the last movement that is in none of them."""


class ProtectionKind(Enum):
    """What is decided for a player, and by whom."""

    LIMITS = "limits"
    HOUSE_LIMITS = "house-limits"
    EXCLUSION = "exclusion"
    HOUSE_EXCLUSION = "house-exclusion"
    CHECK = "check"  # How often the player wants to be told time and net.
    ANSWERED = "answered"  # When the player last answered that.


Stored = dict[str, dict[str, str]]  # By handle and kind: a protection, as JSON.
_plays = msgspec.json.Decoder(PlayCount)
_encoder = msgspec.json.Encoder()


def stored_protections(reader: Reader, handles: Iterable[str]) -> tuple[dict[str, str], Stored]:
    """What the house has decided for its floor, by name, and for each of these players; one look for both."""
    settings: dict[str, str] = {}
    stored: Stored = {}
    for some in _parts(handles):
        rows = reader.connection.all(
            "SELECT '', name, value FROM house_settings "
            f"UNION ALL SELECT handle, kind, value FROM protections WHERE handle IN ({placeholders(len(some))})",
            some,
        )
        for handle, name, value in rows:
            if handle:
                stored.setdefault(handle, {})[name] = value
            else:
                settings[name] = value
    return settings, stored


def keep_protection(
    transaction: Transaction,
    handle: str,
    kind: ProtectionKind,
    value: Mapping[str, Any] | None,
    code: HouseCode,
    by: str,
    now: int,
    reason: str = "",
) -> None:
    """Keep a decision about a player, or None for none any more, with whoever took it and what there was before."""
    rows = transaction.connection.all(
        "SELECT value FROM protections WHERE handle = ? AND kind = ?", (handle, kind.value)
    )
    before = msgspec.json.decode(rows[0][0]) if rows else None
    if value is None:
        transaction.connection.run("DELETE FROM protections WHERE handle = ? AND kind = ?", (handle, kind.value))
    else:
        row = {"handle": handle, "kind": kind.value, "value": _encoder.encode(value).decode()}
        transaction.connection.put("protections", ("handle", "kind"), row)
    after = dict(value) if value is not None else None
    transaction.note(code, subject_of(handle, kind.value), by, now, before=before, after=after, reason=reason or None)


def subject_of(handle: str, kind: str) -> str:
    return Subject.PROTECTION.of(f"{kind}/{handle}")


def hold_buyer(transaction: Transaction, handle: str) -> None:
    """Nobody else buys in for a player until the transaction ends, also before there is a wallet that can be locked.

    It comes before the locks of wallets.
    """
    transaction.connection.lock(player_account(handle))


def hold_player(transaction: Transaction, handle: str) -> None:
    """Nobody else bets or buys in for a player, or changes what protects them, until the transaction ends."""
    hold_buyer(transaction, handle)
    transaction.lock_balances([player_account(handle)])


def stored_plays(reader: Reader, handles: Iterable[str]) -> dict[str, PlayCount]:
    """Where these players stand; those who never played are left out."""
    plays: dict[str, PlayCount] = {}
    for some in _parts(handles):
        statement = f"SELECT handle, play FROM plays WHERE handle IN ({placeholders(len(some))})"
        plays.update((handle, _plays.decode(text)) for handle, text in reader.connection.all(statement, some))
    return plays


def keep_plays(transaction: Transaction, plays: Mapping[str, PlayCount]) -> None:
    """Keep where players stand now; whoever calls holds these players."""
    transaction.connection.many(
        "INSERT INTO plays (handle, play) VALUES (?, ?) ON CONFLICT (handle) DO UPDATE SET play = excluded.play",
        [(handle, play_text(play)) for handle, play in sorted(plays.items())],
    )


def play_text(play: PlayCount) -> str:
    return _encoder.encode(play).decode()


def _parts(handles: Iterable[str]) -> Iterable[Sequence[str]]:
    names = list(handles)
    return (names[start : start + SOME] for start in range(0, len(names), SOME))
