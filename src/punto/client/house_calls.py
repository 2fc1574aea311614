"""The calls of whoever works for the house: cage, people, rules, reports, boards, devices and audit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from punto.client.api_call import (
    ApiCall,
    Chips,
    Json,
    Method,
    chip_counts,
    fresh_key,
    limit_fields,
    one_card,
    part,
    read,
    role_or_none,
    send,
)
from punto.floor.answers import (
    Account,
    AccountStatement,
    Device,
    Exclusion,
    FoundAccount,
    Invitation,
    Limit,
    Moved,
    NewDevice,
    NewInvitation,
    OpenSession,
    PlayerLimits,
    PlayerPlay,
    SecondFactorStatus,
    Waiting,
)
from punto.inputs import AnyCards, AnyMoney, AnyRole, role_of, units_of
from punto.rules.authority import Role
from punto.store.record import Member


class HouseCalls:
    """Calls about the money, people and records of the house."""

    # The cage.

    @Method
    def buy_in(
        self, account: str, amount: AnyMoney, key: str | None = None, *, is_large: bool = False
    ) -> ApiCall[Moved]:
        """As a cashier: a player brings money. Large cash is refused, unless you say that you know it for that."""
        units, key = units_of(amount), key or fresh_key()
        return send("POST", "/cashier/buy-in", account=account, amount=units, key=key, is_large=is_large)

    @Method
    def cash_out(
        self, account: str, amount: AnyMoney, key: str | None = None, *, is_large: bool = False
    ) -> ApiCall[Moved]:
        """As a cashier: a player takes money away; large cash as in `buy_in`."""
        units, key = units_of(amount), key or fresh_key()
        return send("POST", "/cashier/cash-out", account=account, amount=units, key=key, is_large=is_large)

    @Method
    def correct_account(self, account: str, amount: int, reason: str, key: str | None = None) -> ApiCall[Waiting]:
        """Put an account right by minor units, negative to take away; it waits for a pit manager or above."""
        return send("POST", "/cashier/correct", account=account, amount=amount, reason=reason, key=key or fresh_key())

    @Method
    def accounts(self) -> ApiCall[tuple[Account, ...]]:
        """Every account, with what it has."""
        return read("/accounts", inner="accounts")

    @Method
    def account_of(self, name: str) -> ApiCall[Account]:
        """What a player has."""
        return read(f"/cashier/accounts/{part(name)}")

    @Method
    def statement_of(
        self,
        name: str,
        after: int | None = None,
        limit: int | None = None,
        latest: bool | None = None,
        before: int | None = None,
    ) -> ApiCall[AccountStatement]:
        """Every movement of a player's account."""
        return read(f"/cashier/accounts/{part(name)}/statement", after=after, limit=limit, latest=latest, before=before)

    @Method
    def find_accounts(self, name: str) -> ApiCall[tuple[FoundAccount, ...]]:
        """Players by a part of their name: who they are, not what they have."""
        return read("/cashier/accounts", inner="accounts", name=name)

    @Method
    def look_at_cash(self, account: str, act: str, amount: AnyMoney) -> ApiCall[Json]:
        """Whether a `buy-in` or a `cash-out` would be large cash, before it is confirmed."""
        return read("/cashier/cash", account=account, act=act, amount=units_of(amount))

    @Method
    def receipts(self, limit: int | None = None, account: str | None = None) -> ApiCall[Json]:
        """What was moved last at the cashier's desk, by whomever."""
        return read("/cashier/receipts", limit=limit, account=account)

    @Method
    def receipt(self, number: int) -> ApiCall[Json]:
        """What the cashier moved, by the number of its receipt."""
        return read(f"/receipts/{number}")

    @Method
    def rack(self, id: str) -> ApiCall[Json]:
        """What should lie in the rack of a table, and its slips since the last opener."""
        return read(f"/tables/{part(id)}/rack")

    @Method
    def add_slip(
        self, id: str, kind: str, chips: Chips, role: AnyRole | None = None, key: str | None = None
    ) -> ApiCall[Waiting]:
        """Open, fill, credit, count or close the rack of a table: it waits for a second person."""
        return send(
            "POST",
            f"/tables/{part(id)}/rack",
            kind=kind,
            chips=chip_counts(chips),
            role=role_or_none(role),
            key=key or fresh_key(),
        )

    @Method
    def shift(self) -> ApiCall[Json]:
        """Your shift as it is now, or the last one as it ended."""
        return read("/cashier/shift")

    @Method
    def open_shift(self, chips: Chips, currency: str | None = None) -> ApiCall[Json]:
        """Begin your shift with what is in the drawer."""
        return send("POST", "/cashier/shift/open", chips=chip_counts(chips), currency=currency)

    @Method
    def close_shift(self, chips: Chips) -> ApiCall[Json]:
        """End your shift with what was counted."""
        return send("POST", "/cashier/shift/close", chips=chip_counts(chips))

    @Method
    def shift_of(self, name: str) -> ApiCall[Json]:
        """The latest shift of a cashier."""
        return read(f"/cashier/shifts/{part(name)}")

    # People.

    @Method
    def people(self) -> ApiCall[tuple[Member, ...]]:
        """Everybody who has an account, with their roles."""
        return read("/people", inner="people")

    @Method
    def add_person(
        self,
        name: str,
        password: str,
        roles: Iterable[AnyRole] = (Role.PLAYER,),
        currency: str | None = None,
        display: str | None = None,
    ) -> ApiCall[Member]:
        """Add somebody who may log in."""
        return send(
            "POST",
            "/people",
            name=name,
            password=password,
            roles=tuple(map(role_of, roles)),
            currency=currency,
            display=display,
        )

    @Method
    def add_account(
        self,
        name: str,
        currency: str | None = None,
        display: str | None = None,
        contact: str | None = None,
        kind: str | None = None,
    ) -> ApiCall[Member]:
        """Open an account for somebody who does not log in."""
        return send("POST", "/accounts", name=name, currency=currency, display=display, contact=contact, kind=kind)

    @Method
    def erase_person(self, name: str) -> ApiCall[Json]:
        """Erase display name, contact, password and roles of somebody; account, money and name stay."""
        return send("POST", f"/accounts/{part(name)}/erase")

    @Method
    def change_roles(self, name: str, roles: Iterable[AnyRole]) -> ApiCall[Member]:
        """Set the roles of somebody else."""
        return send("PUT", f"/people/{part(name)}/roles", roles=tuple(map(role_of, roles)))

    @Method
    def reset_password(self, name: str, password: str) -> ApiCall[Member]:
        """Give somebody a new password; their sessions end."""
        return send("PUT", f"/people/{part(name)}/password", password=password)

    @Method
    def shut_log_in(self, name: str, reason: str) -> ApiCall[Member]:
        """Shut somebody's log-in: their sessions end at once, and no password lets them in."""
        return send("POST", f"/people/{part(name)}/shut", reason=reason)

    @Method
    def open_log_in(self, name: str, reason: str) -> ApiCall[Member]:
        """Let somebody log in again whose log-in was shut."""
        return send("POST", f"/people/{part(name)}/open", reason=reason)

    @Method
    def sessions_of(self, name: str) -> ApiCall[tuple[OpenSession, ...]]:
        """The open sessions of somebody."""
        return read(f"/people/{part(name)}/sessions", inner="sessions")

    @Method
    def end_sessions_of(self, name: str) -> ApiCall[Json]:
        """End every session of somebody."""
        return send("DELETE", f"/people/{part(name)}/sessions")

    @Method
    def second_factor_of(self, name: str) -> ApiCall[SecondFactorStatus]:
        """Whether somebody logs in with a second factor, and whether they have to."""
        return read(f"/people/{part(name)}/second-factor")

    @Method
    def remove_second_factor(self, name: str, reason: str) -> ApiCall[Member]:
        """Remove somebody else's second factor; their sessions end."""
        return send("POST", f"/people/{part(name)}/second-factor/remove", reason=reason)

    @Method
    def limits_of(self, name: str) -> ApiCall[PlayerLimits]:
        """The limits of a player: the player's own, and those of the house."""
        return read(f"/people/{part(name)}/limits")

    @Method
    def set_limits_of(
        self, name: str, limits: Iterable[Limit | Mapping[str, Any]], reason: str | None = None
    ) -> ApiCall[PlayerLimits]:
        """Set all limits of the house for a player."""
        return send("PUT", f"/people/{part(name)}/limits", limits=limit_fields(limits), reason=reason)

    @Method
    def play_of(self, name: str) -> ApiCall[PlayerPlay]:
        """What a player's session has come to, and what protects the player."""
        return read(f"/people/{part(name)}/play")

    @Method
    def exclude_player(self, name: str, reason: str, days: int | None = None) -> ApiCall[Exclusion]:
        """Exclude a player from play, from now on, for some days or for ever."""
        return send("POST", f"/people/{part(name)}/exclusion", reason=reason, days=days)

    @Method
    def readmit_player(self, name: str, reason: str) -> ApiCall[PlayerPlay]:
        """Lift an exclusion of the house; a player's own ends when it is over."""
        return send("POST", f"/people/{part(name)}/readmission", reason=reason)

    # The house.

    @Method
    def house(self) -> ApiCall[Json]:
        """Who runs the floor, by which profile, and whether it is for play money."""
        return read("/house")

    @Method
    def house_rules(self) -> ApiCall[Json]:
        """What the house has decided for its whole floor."""
        return read("/house/rules")

    @Method
    def house_rule_forms(self) -> ApiCall[Json]:
        """How every rule of the house is typed, and what it can be."""
        return read("/house/rules/forms")

    @Method
    def change_house_rules(self, rules: Mapping[str, Any], reason: str | None = None) -> ApiCall[Json]:
        """Change rules of the house; None takes a rule back."""
        return send("PUT", "/house/rules", rules=dict(rules), reason=reason)

    @Method
    def house_rules_effect(self, rules: Mapping[str, Any] | None = None) -> ApiCall[Json]:
        """What rules of the house would do, worked out and not changed; without any, what the present ones do."""
        return send("POST", "/house/rules/effect", rules=dict(rules or {}))

    @Method
    def doctor(self) -> ApiCall[Json]:
        """Whether the machine and the house are well, as `punto doctor` says it."""
        return read("/house/doctor")

    @Method
    def stops(self) -> ApiCall[Json]:
        """What is stopped on this floor, by whom and why, and at which tables a round is still being finished."""
        return read("/house/stops")

    @Method
    def stop_play(self, reason: str, book: str | None = None) -> ApiCall[Json]:
        """Stop the floor, or the tables of a book: rounds in play are finished, and no other begins."""
        return send("POST", "/house/stop", reason=reason, book=book)

    @Method
    def start_play(self, book: str | None = None, reason: str | None = None) -> ApiCall[Json]:
        """Start play again on the floor, or at the tables of a book."""
        return send("POST", "/house/start", book=book, reason=reason)

    @Method
    def invitations(self) -> ApiCall[tuple[Invitation, ...]]:
        """Every invitation, and what became of it."""
        return read("/house/invitations", inner="invitations")

    @Method
    def make_invitations(
        self,
        number: int = 1,
        role: AnyRole = Role.PLAYER,
        buy_in: AnyMoney | None = None,
        currency: str | None = None,
        hours: int | None = None,
        address: str | None = None,
    ) -> ApiCall[tuple[NewInvitation, ...]]:
        """Make invitations; their codes are told only here."""
        return send(
            "POST",
            "/house/invitations",
            inner="invitations",
            number=number,
            role=role_of(role),
            buy_in=None if buy_in is None else units_of(buy_in),
            currency=currency,
            hours=hours,
            address=address,
        )

    @Method
    def withdraw_invitation(self, invitation: str) -> ApiCall[Invitation]:
        """Withdraw an invitation that nobody has used."""
        return send("DELETE", f"/house/invitations/{part(invitation)}")

    @Method
    def reports(self) -> ApiCall[Json]:
        """Which reports you may see, with their columns, and which gaming day it is."""
        return read("/reports")

    @Method
    def report(
        self,
        kind: str,
        *,
        day: str | None = None,
        month: str | None = None,
        year: str | None = None,
        from_: int | None = None,
        to: int | None = None,
        table: str | None = None,
        rounds: str | None = None,
    ) -> ApiCall[Json]:
        """A report of the house: floor, table, cashier, player, staff or alterations."""
        return read(
            f"/reports/{part(kind)}", day=day, month=month, year=year, from_=from_, to=to, table=table, rounds=rounds
        )

    @Method
    def report_file(
        self,
        kind: str,
        format: str | None = None,
        *,
        day: str | None = None,
        month: str | None = None,
        year: str | None = None,
        from_: int | None = None,
        to: int | None = None,
        table: str | None = None,
        rounds: str | None = None,
    ) -> ApiCall[bytes]:
        """The same as a file: csv, xlsx, pdf, json, html, md or txt."""
        return read(
            f"/reports/{part(kind)}/file",
            format=format,
            day=day,
            month=month,
            year=year,
            from_=from_,
            to=to,
            table=table,
            rounds=rounds,
        )

    @Method
    def days(self, day: str | None = None) -> ApiCall[Json]:
        """The gaming day that can be closed next, what stands in the way, and the days that were closed."""
        return read("/house/days", day=day)

    @Method
    def day_file(self, day: str, file: str) -> ApiCall[bytes]:
        """A file of a closed day, if it is still what was written then."""
        return read(f"/house/days/{part(day)}/{part(file)}")

    @Method
    def close_day(self, day: str | None = None) -> ApiCall[Json]:
        """Close a gaming day, or without one the last that is over."""
        return send("POST", "/house/close-day", day=day)

    @Method
    def health(self) -> ApiCall[Json]:
        """Whether the server runs, and which software."""
        return ApiCall("GET", "/health", is_outside=True)

    @Method
    def ready(self) -> ApiCall[Json]:
        """Whether the server can take requests."""
        return ApiCall("GET", "/ready", accepted=(503,), is_outside=True)

    # Boards and devices.

    @Method
    def board(self, id: str) -> ApiCall[Json]:
        """What the board of a table shows."""
        return read(f"/tables/{part(id)}/board")

    @Method
    def change_board(
        self,
        id: str,
        *,
        on: bool | None = None,
        language: str | None = None,
        roads: Iterable[str] | None = None,
        mirrored: bool | None = None,
        code: bool | None = None,
        address: str | None = None,
    ) -> ApiCall[Json]:
        """Change what the board of a table shows; its screens follow at once."""
        return send(
            "PUT",
            f"/tables/{part(id)}/board",
            on=on,
            language=language,
            roads=None if roads is None else tuple(roads),
            mirrored=mirrored,
            code=code,
            address=address,
        )

    @Method
    def link_board(self, id: str) -> ApiCall[Json]:
        """Make a key for the screens of a table; it is told only here, and ends the one before."""
        return send("POST", f"/tables/{part(id)}/board/key")

    @Method
    def unlink_board(self, id: str) -> ApiCall[Json]:
        """Take the key of a board back: its screens show nothing more of the table."""
        return send("DELETE", f"/tables/{part(id)}/board/key")

    @Method
    def board_code(self, id: str, address: str) -> ApiCall[Json]:
        """The QR code of the address of a table."""
        return read(f"/board/code/{part(id)}", address=address)

    @Method
    def devices(self) -> ApiCall[tuple[Device, ...]]:
        """Every key of a device that reads cards, and whether it was revoked."""
        return read("/devices", inner="devices")

    @Method
    def issue_device_key(self, table: str, name: str) -> ApiCall[NewDevice]:
        """Issue a key for a device at a table; it is told only here, and ends the key that held there before."""
        return send("POST", "/devices", table=table, name=name)

    @Method
    def revoke_device_key(self, device: str) -> ApiCall[Device]:
        """Revoke a key: the next word of the device is refused."""
        return send("DELETE", f"/devices/{part(device)}")

    @Method
    def read_card(self, card: AnyCards, table: str | None = None, key: str | None = None) -> ApiCall[Json]:
        """As a device, with its key as the token: say which card left the shoe."""
        return send("POST", "/device/readings", card=one_card(card), table=table, key=key or fresh_key())

    @Method
    def say_alive(self) -> ApiCall[Json]:
        """As a device: say that it is there."""
        return send("POST", "/device/alive")

    # Audit.

    @Method
    def find_rounds(
        self,
        *,
        table: str | None = None,
        player: str | None = None,
        from_: int | None = None,
        to: int | None = None,
        irregularity: str | None = None,
        amount_over: AnyMoney | None = None,
        result: str | None = None,
        event: int | None = None,
        before: str | None = None,
        limit: int | None = None,
    ) -> ApiCall[Json]:
        """Find rounds by table, player, time, irregularity, amount and result, the latest first."""
        return read(
            "/audit/rounds",
            table=table,
            player=player,
            from_=from_,
            to=to,
            irregularity=irregularity,
            amount_over=None if amount_over is None else units_of(amount_over),
            result=result,
            event=event,
            before=before,
            limit=limit,
        )

    @Method
    def audited_round(self, id: str, round: int, at: int | None = None) -> ApiCall[Json]:
        """A finished round as it was: cards, bets, money, people, clauses; the felt at any event."""
        return read(f"/audit/rounds/{part(id)}/{round}", at=at)

    @Method
    def audited_steps(self, id: str, round: int) -> ApiCall[Json]:
        """A finished round event by event, with hashes and the money that it moved."""
        return read(f"/audit/rounds/{part(id)}/{round}/steps")

    @Method
    def round_file(self, id: str, round: int, format: str | None = None) -> ApiCall[bytes]:
        """A finished round as a file: json, html or txt."""
        return read(f"/audit/rounds/{part(id)}/{round}/file", format=format)

    @Method
    def table_log(self, id: str, after: int | None = None) -> ApiCall[bytes]:
        """The records of a table, to the letter, as JSON Lines."""
        return read(f"/audit/tables/{part(id)}/log", after=after)

    @Method
    def shoe_check(self, id: str, shoe: int) -> ApiCall[Json]:
        """Whether a shoe was dealt in the order that was promised."""
        return read(f"/audit/shoes/{part(id)}/{shoe}")

    @Method
    def verify(
        self, table: str | None = None, anchor: Mapping[str, Any] | None = None, public_keys: Iterable[str] = ()
    ) -> ApiCall[Json]:
        """Look for records that were changed, removed or added."""
        return send("POST", "/audit/verify", table=table, anchor=anchor, public_keys=tuple(public_keys))

    @Method
    def significant_events(
        self,
        *,
        after: int | None = None,
        before: int | None = None,
        code: str | None = None,
        table: str | None = None,
        person: str | None = None,
        from_: int | None = None,
        to: int | None = None,
        limit: int | None = None,
    ) -> ApiCall[Json]:
        """What was significant for the house: who did it, who agreed, and why."""
        return read(
            "/audit/events",
            after=after,
            before=before,
            code=code,
            table=table,
            person=person,
            from_=from_,
            to=to,
            limit=limit,
        )

    @Method
    def significant_events_file(
        self,
        format: str | None = None,
        *,
        after: int | None = None,
        code: str | None = None,
        table: str | None = None,
        person: str | None = None,
        from_: int | None = None,
        to: int | None = None,
    ) -> ApiCall[bytes]:
        """The same as a file: csv or jsonl."""
        return read(
            "/audit/events/export",
            format=format,
            after=after,
            code=code,
            table=table,
            person=person,
            from_=from_,
            to=to,
        )

    @Method
    def integrity(self) -> ApiCall[Json]:
        """Which software runs, and what was found of it at every start, every day, and on demand."""
        return read("/audit/integrity")

    @Method
    def check_integrity(self) -> ApiCall[Json]:
        """Compare every file of the software with what was installed, now; the result is kept."""
        return send("POST", "/audit/integrity")

    @Method
    def run_errand(self, errand: str) -> ApiCall[Json]:
        """For the command line of the same machine alone, with the key of the server as the token."""
        return send("POST", "/command-line", errand=errand)
