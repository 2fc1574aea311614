"""A job for the floor, and its answer: one command for one table, and what was stored of it.

A job names its command, or how to find it when its turn comes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from punto.floor.cards import without_cards
from punto.floor.loaded import LoadedTable
from punto.floor.promise import without_promise
from punto.refusal import Reason, Refusal
from punto.rules.role import LADDER, Role
from punto.store.record import Record
from punto.table import command as c
from punto.table.command import Command
from punto.table.state import State

BETS = (c.PlaceBet, c.ReduceBet, c.WithdrawBet, c.PlaceWager, c.GiveUpAnte)
"""What must name its round: sent again in the next one, it would be another bet."""
INSURANCES = (c.TakeInsurance, c.DeclineInsurance)
"""What must name its window too."""

ROW_BYTES = 250
"""About what a kept command takes beside its body and its refusal."""
WaitToKeep = Callable[[str, int], int]
"""Asked before this many bytes of a refused command are kept for somebody: 0, or the seconds that they have
to wait."""


FOR_ANOTHER = (*BETS, *INSURANCES, c.WishInsurance)
"""What staff may do for a player with that player's money; an ante is given up for whoever has left."""


def is_for_another(command: Command) -> bool:
    """Whether somebody of the staff bets for somebody else (insurance 5.17, and the same in every book)."""
    if not isinstance(command, FOR_ANOTHER) or isinstance(command, c.GiveUpAnte):
        return False
    return command.role in LADDER and command.player not in (None, command.actor)


class Job(msgspec.Struct, frozen=True):
    """A command for a table; `expected` is the version of the table that it was decided on."""

    table: str
    command: Command
    expected: int | None = None


Decide = Callable[[LoadedTable], Command | None]
"""What to do at a table as it is now; None where there is nothing to do."""


@dataclass(frozen=True, slots=True)
class DueJob:
    """A command that is decided on when its turn comes, on the table as it is then.

    Whoever looks at a table and then gives a command may be too late: something has happened in between. This
    one cannot be, so that a table that deals by itself goes on however many bets come in.
    """

    table: str
    decide: Decide

    def made(self, loaded: LoadedTable) -> Job | None:
        """The job that it comes to."""
        command = self.decide(loaded)
        return Job(self.table, command, loaded.version) if command is not None else None


class Accepted(msgspec.Struct, frozen=True):
    """What came of a command that was accepted: the events as stored, and the version after them."""

    table: str
    version: int
    records: tuple[Record, ...]


def refuse_job(job: Job, version: int, state: State) -> Refusal | None:
    """Why a job is refused before the table is asked: it says too little, or was meant for an older table.

    A player's command is decided on the table as it is now. A dealer looks at the cards and decides what
    comes next, so a dealer's command holds for the version that was looked at and for no other.
    """
    command = job.command
    # A bet for a player who has agreed to it is that player's: it names its round, and holds for that.
    is_word = is_for_another(command) and command.second is not None
    if job.expected is None and command.role is Role.DEALER and not is_word:
        return Refusal(Reason.VERSION_NEEDED, None, {"now": version})
    if job.expected is not None and job.expected != version:
        return Refusal(Reason.VERSION, None, {"expected": job.expected, "now": version})
    if isinstance(command, (*BETS, *INSURANCES)) and command.round is None:
        return Refusal(Reason.ROUND_NEEDED, None, {"now": state.round})
    if isinstance(command, INSURANCES) and command.window is None:
        return Refusal(Reason.WINDOW_NEEDED, None, {"now": state.window or 4})
    return None


def is_same_job(kept: Job, sent: Job) -> bool:
    """Whether a job is one that was sent before under the same key: table, version and command.

    When it came and who agreed to it are not part of what was asked, nor is what the floor put into it:
    cards, a commitment, a seed.
    """
    if (kept.table, kept.expected) != (sent.table, sent.expected):
        return False
    first, again = _asked(kept.command), _asked(sent.command)
    return again in (first, without_promise(without_cards(first)))


def _asked(command: Command) -> Command:
    return msgspec.structs.replace(command, time=0, second=None)


# ── As they are kept ─────────────────────────────────────────────────────────────────────────────

_commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
_refusals: msgspec.json.Decoder[Refusal] = msgspec.json.Decoder(Refusal)


def encode_command(command: Command) -> str:
    """The JSON of a command."""
    return msgspec.json.encode(command).decode()


def decode_command(body: str) -> Command:
    """A command from its JSON."""
    return _commands.decode(body)


def encode_refusal(refusal: Refusal) -> str:
    """The JSON of a refusal."""
    return msgspec.json.encode(refusal).decode()


def decode_refusal(body: str) -> Refusal:
    """A refusal from its JSON."""
    return _refusals.decode(body)
