"""What the pit decides beside the tables: commands and corrections that wait for a second person, from asking to
what came of it; and calls to come to a table.

Everything is in the store. Whoever asked is told what came of it only once that is known: a command that a second
person agreed to may still be refused, because the table has moved on. What nobody decides expires, and that is
told too. What was agreed to and not carried out is finished after a restart; commands have keys, so nothing
happens twice.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

import msgspec

from punto.floor.answers import Approval, Waiting
from punto.floor.desk import SOMEBODY, AtTheCage, CorrectAccount, Desk
from punto.floor.floor import Floor
from punto.floor.job import ROW_BYTES, Accepted, Job, WaitToKeep, decode_command, is_for_another, refuse_job
from punto.floor.rack import AddSlip, Racks, needs_of
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER, PIT_ROLES, Role
from punto.store import pit as store_pit
from punto.store.people import end_expired_sessions, roles_of
from punto.store.pit import AGREED, StoredApproval
from punto.store.record import PitAnswer, PitCall, json_text
from punto.store.store import Store
from punto.store.transaction import Transaction
from punto.table.acting import authority_for, refusal_of
from punto.table.command import Command
from punto.table.header import CommandHeader, Person, subject
from punto.table.state import Table

DECLINED, EXPIRED, REFUSED = "decline", "expired", "refused"
"""How something that waited ended, beside `AGREED`. `REFUSED` also stands for what was refused when it was asked."""
MOST_APPROVALS_WAITING = 50  # What one person may have waiting for a second one.
OVER = frozenset(
    {
        *(Reason.OTHER_ROUND, Reason.OTHER_WINDOW, Reason.BETS_CLOSED, Reason.CLOSED_BY_CARD),
        *(Reason.NO_WINDOW, Reason.TABLE_CLOSED),
    }
)
"""Why a bet that waits for its player's word comes too late, and is asked about no more."""
_log = logging.getLogger("punto.floor")


class Verdict(Enum):
    """What a second person says."""

    APPROVE = AGREED
    DECLINE = DECLINED


class ApprovalOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a command that a second person agreed to, as it is kept."""

    version: int | None = None  # The version of the table after it.
    refusal: Refusal | None = None


def second_of(table: Table, command: Command) -> Role | None:
    """The rank of the second person that a command needs; None where it needs none, or the role may not
    give it anyway."""
    authority = authority_for(table, command)
    if command.role not in authority.roles:
        return None
    # Whoever bets for somebody else has that person's word, or an employee who has heard it too.
    return authority.second or (Role.DEALER if is_for_another(command) else None)


class Approvals:
    """Keeps what waits for a second person, takes decisions, and carries out what was agreed to."""

    def __init__(
        self,
        floor: Floor,
        desk: Desk,
        lifetime_ms: int,
        clock: Callable[[], int],
        tell: Callable[[StoredApproval], None] = lambda _: None,
        wait_to_keep: WaitToKeep | None = None,
    ) -> None:
        self._floor, self._desk, self._lifetime, self._clock = floor, desk, lifetime_ms, clock
        self._racks = Racks(floor.store)
        self._tell = tell
        """Called after each change, in the thread that made it."""
        self._wait_to_keep = wait_to_keep

    def ask(self, table: str, command: Command, expected: int | None, needs: Role) -> StoredApproval | Refusal:
        """Keep a command for a table until a second person decides: exactly this one, for this version.

        What would be refused whoever agrees is refused at once, and again under the same key.
        """
        loaded = self._floor.table(table)  # as the store has it: a refusal is kept
        assert loaded is not None, "tables are never removed"
        refusal = refuse_job(Job(table, command, expected), loaded)
        if refusal is None:
            refusal = refusal_of(loaded.table, msgspec.structs.replace(command, second=Person(SOMEBODY, needs)))
        if refusal is not None and refusal.reason is Reason.CARD_NEEDED:
            refusal = None  # the floor draws it then
        # A bet with its player's word holds for its round: others go on betting meanwhile.
        is_word = authority_for(loaded.table, command).second is None
        request = self._request(command, table, expected, needs, None if is_word else loaded.version)
        return self._add(request, refusal)

    def ask_correction(self, command: CorrectAccount) -> StoredApproval | Refusal:
        """Keep a correction of an account until a pit manager decides."""
        refusal = self._desk.refuse_correction(command)
        return self._add(self._request(command, None, None, Role.PIT_MANAGER, None), refusal)

    def ask_slip(self, command: AddSlip) -> StoredApproval | Refusal:
        """Keep a slip of a rack until a second person signs it: of the table beside a cashier, else of the pit."""
        request = self._request(command, None, None, needs_of(command.role), None)
        with self._floor.store.read() as reader:  # what was done is answered as it was
            if store_pit.approval_of(reader, command.actor, command.key) is not None:
                return self._add(request, None)
        return self._add(request, self._racks.refuse(command))

    def asked_before(self, table: str, command: Command, expected: int | None) -> StoredApproval | Refusal | None:
        """What was answered to this key, if it was for something that needed a second person then."""
        with self._floor.store.read() as reader:
            before = store_pit.approval_of(reader, command.actor, command.key)
        if before is None:
            return None
        return _answer_again(before, self._request(command, table, expected, command.role, None))

    def _request(
        self, command: CommandHeader, table: str | None, expected: int | None, needs: Role, version: int | None
    ) -> StoredApproval:
        now = self._clock()
        timeless: Any = msgspec.structs.replace(command, time=0)  # its time is that of the decision
        return StoredApproval(
            id=secrets.token_urlsafe(9).replace("_", "x").replace("-", "y"),
            table=table,
            actor=command.actor,
            role=command.role.value,
            key=command.key,
            body=json_text(timeless),
            version=version,
            needs=needs.value,
            asked_ms=now,
            expires_ms=now + self._lifetime,
            expected=expected,
        )

    def _add(self, request: StoredApproval, refusal: Refusal | None) -> StoredApproval | Refusal:
        """Keep a request, or that it was refused; the same key and body have the same answer again."""
        if refusal is not None:
            now, answer = self._clock(), json_text(ApprovalOutcome(refusal=refusal))
            request = msgspec.structs.replace(
                request, version=None, expires_ms=now, decision=REFUSED, decided_ms=now, answer=answer
            )
        with self._floor.store.write() as transaction:
            store_pit.lock_keys(transaction, [(request.actor, request.key)])
            if (before := store_pit.approval_of(transaction, request.actor, request.key)) is not None:
                return _answer_again(before, request)
            if transaction.answer(request.actor, request.key) is not None:
                return Refusal(Reason.KEY_REUSED, None, {"key": request.key})
            if too_many := self._refuse_more(transaction, request):
                return too_many
            store_pit.add_approval(transaction, request, self._floor.seal)
        if refusal is None:
            self._tell(request)
        return refusal or request

    def _refuse_more(self, transaction: Transaction, request: StoredApproval) -> Refusal | None:
        """Whoever has asked for much already waits until something of it is decided, or expires."""
        now = self._clock()
        waiting = [one for one in store_pit.waiting_approvals(transaction, now) if one.actor == request.actor]
        if request.decision is None and len(waiting) >= MOST_APPROVALS_WAITING:
            seconds = max(1, -(-(waiting[0].expires_ms - now) // 1000))
            return Refusal(Reason.TOO_MANY_WAIT, None, {"most": MOST_APPROVALS_WAITING, "seconds": seconds})
        size = len(request.body) + len(request.answer or "") + ROW_BYTES
        return refuse_keeping(self._wait_to_keep, request.actor, size)

    def find(self, id: str) -> StoredApproval | None:
        with self._floor.store.read() as reader:
            return store_pit.approval_by_id(reader, id)

    def waiting(self) -> list[StoredApproval]:
        with self._floor.store.read() as reader:
            return store_pit.waiting_approvals(reader, self._clock())

    def decide(self, approval: StoredApproval, verdict: Verdict, name: str) -> Person | Refusal:
        """Take a decision; who took it, in the role that lets them.

        The same person may say the same again, because an answer can get lost. Whoever has lost the rank decides
        nothing, and what has expired stays over, wherever the clock is put.
        """
        if approval.actor == name:
            return Refusal(Reason.OWN_APPROVAL, None)
        now, seal = self._clock(), self._floor.seal
        with self._floor.store.write() as transaction:
            role = decides_as(name, roles_of(transaction, name), approval)
            if role is None:
                return rank_needed(approval.needs)
            is_taken = store_pit.take_decision(transaction, approval.id, verdict.value, name, now, seal)
            if not is_taken:
                store_pit.take_decision(transaction, approval.id, EXPIRED, None, now, seal)
        decided = self._approval(approval.id)
        if not is_taken and (decided.decision, decided.decided_by) != (verdict.value, name):
            why = "has expired" if decided.decision in (None, EXPIRED) else "was decided already"
            return Refusal(Reason.APPROVAL_OVER, None, {"why": why})
        if is_taken and verdict is Verdict.DECLINE:
            self._tell(decided)
        return Person(name, role)

    def carry_out(self, id: str, second: Person) -> Accepted | Refusal | None:
        """Carry out what was agreed to, keep what came of it and tell; None for a correction that is done."""
        approval = self._approval(id)
        if (refusal := outcome_of(approval).refusal) is not None:
            return refusal  # what was refused stays so, whatever has changed since
        outcome = self._outcome(approval, second)
        version = outcome.version if isinstance(outcome, Accepted) else None
        answer = json_text(ApprovalOutcome(version, outcome if isinstance(outcome, Refusal) else None))
        with self._floor.store.write() as transaction:
            is_first = store_pit.keep_answer(transaction, id, answer, self._clock())
        if is_first:
            self._tell(self._approval(id))
        return outcome

    def _outcome(self, approval: StoredApproval, second: Person) -> Accepted | Refusal | None:
        if not approval.is_genuine(self._floor.seal):
            _log.warning("approval %s was not decided through this house; it is not carried out", approval.id)
            return Refusal(Reason.NOT_SIGNED, None, {"approval": approval.id})
        if approval.answer is None:
            with self._floor.store.read() as reader:
                is_held = Role(approval.role) in roles_of(reader, approval.actor)
                if not is_held or not store_pit.had_role_since(reader, approval):
                    return Refusal(Reason.ASKER_GONE, None, {"player": approval.actor, "role": approval.role})
        now = self._clock()
        if approval.table is not None:
            command: Command = msgspec.structs.replace(decode_command(approval.body), time=now, second=second)
            return self._floor.give(approval.table, command, approval.version)
        request = msgspec.json.decode(approval.body, type=AtTheCage)
        if isinstance(request, AddSlip):
            slip = self._racks.add(msgspec.structs.replace(request, second=second), now)
            return slip if isinstance(slip, Refusal) else None
        by = Person(request.actor, request.role)
        moved = self._desk.correct(request.account, request.amount, by, second, request.reason, now, request.key)
        return moved if isinstance(moved, Refusal) else None

    def _approval(self, id: str) -> StoredApproval:
        approval = self.find(id)
        assert approval is not None, "approvals are never removed"
        return approval

    def finish(self) -> int | None:
        """Carry out what was agreed to and left undone, and end what nobody decided in time: before it expires, or
        while the table would still have taken it; when the next one expires.
        """
        with self._floor.store.read() as reader:
            unfinished = store_pit.unfinished_approvals(reader, AGREED)
            agreed = [(one.id, _second(one, roles_of(reader, one.decided_by or ""))) for one in unfinished]
        for id, second in agreed:
            self.carry_out(id, second)
        now, late = self._clock(), [one for one in self.waiting() if self._is_late(one)]
        with self._floor.store.write() as transaction:
            end_expired_sessions(transaction, now)
            over = [
                msgspec.structs.replace(one, decision=EXPIRED, decided_ms=now)
                for one in store_pit.overdue_approvals(transaction, now)
                if store_pit.take_decision(transaction, one.id, EXPIRED, None, now, self._floor.seal)
            ]
            over += [
                msgspec.structs.replace(one, decision=EXPIRED, decided_ms=now)
                for one in late
                if store_pit.take_decision(transaction, one.id, EXPIRED, None, now, self._floor.seal, is_late=True)
            ]
        for one in over:
            self._tell(one)
        with self._floor.store.read() as reader:
            return store_pit.next_expiry(reader)

    def _is_late(self, approval: StoredApproval) -> bool:
        """Whether a bet that waits for its player's word could not be placed any more, whatever the player says."""
        if approval.table is None or whose_word(approval) is None:
            return False
        loaded = self._floor.table(approval.table)
        assert loaded is not None, "tables are never removed"
        agreed = Person(SOMEBODY, Role(approval.needs))
        refusal = refusal_of(loaded.table, msgspec.structs.replace(decode_command(approval.body), second=agreed))
        return refusal is not None and refusal.reason in OVER


def refuse_keeping(wait_to_keep: WaitToKeep | None, name: str, size: int) -> Refusal | None:
    """Why this many bytes are not kept for somebody now: what one person makes the house keep is bounded."""
    seconds = wait_to_keep(name, size) if wait_to_keep is not None else 0
    return Refusal(Reason.TOO_OFTEN, None, {"seconds": seconds}) if seconds else None


def rank_needed(rank: str) -> Refusal:
    """Somebody of this rank or above has to do it."""
    return Refusal(Reason.RANK_NEEDED, None, {"rank": rank})


def outcome_of(approval: StoredApproval) -> ApprovalOutcome:
    """What came of it; empty where nothing has yet."""
    return msgspec.json.decode(approval.answer or "{}", type=ApprovalOutcome)


def decision_of(approval: StoredApproval, now: int) -> str | None:
    """How it ended: approve, decline, refused or expired; None while that is not known."""
    if approval.decision == AGREED:
        if approval.answer is None:
            return None
        return REFUSED if outcome_of(approval).refusal is not None else AGREED
    if approval.decision is None and approval.expires_ms <= now:
        return EXPIRED
    return approval.decision


def _answer_again(before: StoredApproval, request: StoredApproval) -> StoredApproval | Refusal:
    """What was answered to whoever asks again: it waits, or it was refused at once."""
    if not before.is_same_request(request):
        return Refusal(Reason.KEY_REUSED, None, {"key": before.key})
    refusal = outcome_of(before).refusal if before.decision == REFUSED else None
    return refusal or before


def whose_word(approval: StoredApproval) -> str | None:
    """The player for whom somebody bets, and whose word it waits for; None where it waits for a rank."""
    if approval.table is None or approval.version is not None:
        return None
    command = decode_command(approval.body)
    return subject(command) if is_for_another(command) else None


def decides_as(name: str, roles: Iterable[Role], approval: StoredApproval) -> Role | None:
    """The role in which somebody may decide: as the player whose word it is, or the lowest that is high enough."""
    needs, held = Role(approval.needs), set(roles)
    if held and name == whose_word(approval):
        return Role.PLAYER
    return next((role for role in LADDER if role in held and role.is_at_least(needs)), None)


def _second(approval: StoredApproval, roles: Iterable[Role]) -> Person:
    """Who agreed; the role may have been taken away since."""
    name = approval.decided_by or ""
    return Person(name, decides_as(name, roles, approval) or Role(approval.needs))


def waiting_of(approval: StoredApproval) -> Waiting:
    """What whoever asked is told."""
    return Waiting(approval.id, Role(approval.needs), approval.expires_ms)


def approval_for(approval: StoredApproval, name: str, roles: Iterable[Role], now: int) -> Approval:
    """Something that waits, or waited, as somebody sees it."""
    command: dict[str, Any] = msgspec.json.decode(approval.body)
    outcome, is_yours = outcome_of(approval), approval.actor != name and decides_as(name, roles, approval) is not None
    is_concerned = is_yours or approval.actor == name
    return Approval(
        *msgspec.structs.astuple(waiting_of(approval)),
        table=approval.table,
        actor=approval.actor,
        role=Role(approval.role),
        command={
            key: value
            for key, value in command.items()
            if key not in CommandHeader.__struct_fields__
            # What was said of cards is for those at the table: others learn what is asked for, and no more.
            and (is_concerned or approval.table is None or key == "type")
        },
        version=approval.version,
        asked=approval.asked_ms,
        yours=is_yours,
        decision=decision_of(approval, now),
        decided_by=approval.decided_by,
        done=outcome.version,
        refusal=outcome.refusal.text if outcome.refusal is not None else None,
    )


COMING_MS = 5 * 60_000  # How long it is still said that somebody is coming.


class PitCalls:
    """Calls for somebody from the pit to come to a table: a note beside the table, and no event of it.

    A table has at most one call that is open; it ends with the first answer.
    """

    def __init__(self, store: Store, clock: Callable[[], int], wait_to_keep: WaitToKeep | None = None) -> None:
        self._store, self._clock, self._wait_to_keep = store, clock, wait_to_keep

    def call(self, table: str, name: str, roles: Iterable[Role], reason: str | None) -> tuple[PitCall, bool] | Refusal:
        """Call somebody to a table; the call that is open there, and whether it is this one."""
        role = next((role for role in LADDER if role in roles), None)
        if role is None:
            return rank_needed(LADDER[0].value)
        why = (reason or "").strip() or None
        if refusal := refuse_keeping(self._wait_to_keep, name, len(why or "") + ROW_BYTES):
            return refusal
        call = PitCall(secrets.token_hex(9), table, name, role, why, self._clock(), None, None, None)
        with self._store.write() as transaction:
            open_call = store_pit.add_pit_call(transaction, call)
        return open_call, open_call is call

    def find(self, id: str) -> PitCall | None:
        with self._store.read() as reader:
            return store_pit.pit_call(reader, id)

    def live(self) -> list[PitCall]:
        """Every call that is open, or that somebody is coming to."""
        with self._store.read() as reader:
            return store_pit.live_pit_calls(reader, self._clock() - COMING_MS)

    def answer(self, call: PitCall, answer: PitAnswer, name: str, roles: Iterable[Role]) -> PitCall | Refusal:
        """Say that somebody from the pit is coming, or clear the call, as its caller may too; once."""
        is_own = answer is PitAnswer.CLEARED and call.caller == name
        if not is_own and not set(PIT_ROLES) & set(roles):
            return rank_needed(Role.PIT_SUPERVISOR.value)
        with self._store.write() as transaction:
            is_first = store_pit.answer_pit_call(transaction, call.call, answer, name, self._clock())
            answered = store_pit.pit_call(transaction, call.call)
        assert answered is not None, "calls are never removed"
        return answered if is_first else Refusal(Reason.CALL_OVER, None, {"person": answered.answered_by or ""})
