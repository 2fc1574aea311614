"""Calls of the cage: who is looked for, the racks of tables, the shifts of cashiers, and receipts.

A slip of a rack waits for a second person, as a correction does.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec

from punto.audit.significant_events import CashMark
from punto.floor.answers import FoundAccount, Waiting
from punto.floor.desk import find_accounts, mark_cash
from punto.floor.errand import CashKind
from punto.floor.people import no_account
from punto.floor.pit import waiting_of
from punto.floor.rack import AddSlip, Chips, Rack, SlipKind, rack_of
from punto.floor.shift import CashierShift, Receipt, latest_receipts, receipt_of, shift_of
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER, PIT_ROLES, Role
from punto.server import messages
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.people_routes import ACCOUNT_READERS
from punto.server.validation import rejected

RACK_READERS = (*LADDER, Role.CASHIER, Role.AUDITOR)
SHIFT_READERS = (*PIT_ROLES, Role.AUDITOR)


class Slip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A slip of a rack, for a second person to sign."""

    key: messages.CommandKey
    kind: SlipKind
    chips: Chips
    role: Role | None = None  # As whom you ask; default: the lowest of your ranks at tables, else cashier.


class OpenShift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in the drawer when a shift begins."""

    chips: Chips
    currency: Annotated[str, msgspec.Meta(pattern="^[A-Z]{3}$")] = "USD"


class CloseShift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in the drawer when a shift ends."""

    chips: Chips


async def show_rack(ask: Inquiry) -> Rack:
    """What should lie in the rack of a table, and its slips since the last opener."""
    table = (await ask.table()).id
    rack = await ask.app_state.read(lambda reader: rack_of(reader, table))
    if isinstance(rack, Refusal):
        raise rejected(rack, 404)
    return rack


async def add_slip(ask: Inquiry) -> Waiting | Refusal:
    """Open, fill, credit, count or close the rack of a table: it waits for a second person."""
    body, table = ask.body, (await ask.table()).id
    held = [role for role in (*LADDER, Role.CASHIER) if role in ask.caller.roles]
    role = body.role or held[0]
    if role not in held:
        return Refusal(Reason.TWO_PEOPLE, None)
    command = AddSlip(actor=ask.caller.handle, role=role, key=body.key, table=table, kind=body.kind, chips=body.chips)
    approval = await asyncio.to_thread(ask.app_state.approvals.ask_slip, command)
    return approval if isinstance(approval, Refusal) else waiting_of(approval)


async def show_own_shift(ask: Inquiry) -> CashierShift:
    """Your shift as it is now, or the last one as it ended."""
    return await _shift(ask, ask.caller.handle)


async def show_shift(ask: Inquiry) -> CashierShift:
    """The latest shift of a cashier."""
    return await _shift(ask, ask.path["handle"])


async def _shift(ask: Inquiry, cashier: str) -> CashierShift:
    shift = await ask.app_state.read(lambda reader: shift_of(reader, cashier))
    if isinstance(shift, Refusal):
        raise rejected(shift, 404)
    return shift


async def open_shift(ask: Inquiry) -> CashierShift | Refusal:
    """Begin your shift with what is in the drawer."""
    shifts, body, now = ask.app_state.shifts, ask.body, ask.app_state.now()
    return await asyncio.to_thread(shifts.begin, ask.caller.handle, body.chips, body.currency, now)


async def close_shift(ask: Inquiry) -> CashierShift | Refusal:
    """End your shift with what was counted."""
    shifts, body, now = ask.app_state.shifts, ask.body, ask.app_state.now()
    return await asyncio.to_thread(shifts.close, ask.caller.handle, body.chips, now)


async def show_receipt(ask: Inquiry) -> Receipt:
    """What the cashier moved, by the number of its receipt."""
    text = ask.path["number"]
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0
    receipt = await ask.app_state.read(lambda reader: receipt_of(reader, number))
    # A player sees the own receipts; of another number nothing is told, not even that it is there.
    is_own = isinstance(receipt, Receipt) and receipt.account == ask.caller.handle
    if isinstance(receipt, Refusal) or not (is_own or {Role.CASHIER, *SHIFT_READERS} & set(ask.caller.roles)):
        raise rejected(Refusal(Reason.NO_RECEIPT, None, {"number": number or text}), 404)
    return receipt


class FoundAccounts(msgspec.Struct, frozen=True):
    """Accounts whose name was looked for, those that begin with the text first."""

    accounts: tuple[FoundAccount, ...]


class SearchQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a name, as it is typed."""

    name: Annotated[str, msgspec.Meta(max_length=80)] = ""  # Nothing typed finds nobody.


class ReceiptsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many receipts are wanted, and whose."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50
    account: Annotated[str, msgspec.Meta(max_length=80)] | None = None


class ReceiptsAnswer(msgspec.Struct, frozen=True):
    """What was moved at the cashier's desk, the latest first."""

    receipts: tuple[Receipt, ...]


async def search_accounts(ask: Inquiry) -> FoundAccounts:
    """Players by a part of their name: who they are, not what they have."""
    text = ask.query.name
    return FoundAccounts(await ask.app_state.read(lambda reader: find_accounts(reader, text)))


async def list_receipts(ask: Inquiry) -> ReceiptsAnswer:
    """What was moved last at the cashier's desk, by whomever."""
    query = ask.query
    return ReceiptsAnswer(await ask.app_state.read(lambda reader: latest_receipts(reader, query.limit, query.account)))


class CashQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cash that somebody is about to bring or to take."""

    account: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    act: CashKind
    amount: messages.Amount


async def look_at_cash(ask: Inquiry) -> CashMark:
    """Whether a buy-in or a cash-out would be large cash, before it is confirmed."""
    query, now = ask.query, ask.app_state.now()
    looked = await ask.app_state.read(
        lambda reader: mark_cash(reader, query.account, query.act.value, query.amount, now)
    )
    if looked is None:
        raise rejected(no_account(query.account), 404)
    return looked


_own = partial(Endpoint, answer=CashierShift, roles=(Role.CASHIER,), refuses=(409,))
_sign = partial(Endpoint, roles=(*LADDER, Role.CASHIER), refuses=(404, 409))
_find = partial(Endpoint, roles=ACCOUNT_READERS)
CAGE_ENDPOINTS = (
    Endpoint("GET", "/tables/{id}/rack", show_rack, answer=Rack, roles=RACK_READERS, refuses=(404,)),
    _sign("POST", "/tables/{id}/rack", add_slip, body=Slip, answer=Waiting, status=202),
    Endpoint("GET", "/cashier/shift", show_own_shift, answer=CashierShift, roles=(Role.CASHIER,), refuses=(404,)),
    _own("POST", "/cashier/shift/open", open_shift, body=OpenShift, status=201),
    _own("POST", "/cashier/shift/close", close_shift, body=CloseShift),
    Endpoint("GET", "/cashier/shifts/{handle}", show_shift, answer=CashierShift, roles=SHIFT_READERS, refuses=(404,)),
    Endpoint(
        "GET", "/cashier/accounts", search_accounts, query=SearchQuery, answer=FoundAccounts, roles=ACCOUNT_READERS
    ),
    _find("GET", "/cashier/receipts", list_receipts, query=ReceiptsQuery, answer=ReceiptsAnswer, is_act=False, cost=3),
    Endpoint(
        "GET", "/cashier/cash", look_at_cash, query=CashQuery, answer=CashMark, roles=(Role.CASHIER,), refuses=(404,)
    ),
    Endpoint("GET", "/receipts/{number}", show_receipt, answer=Receipt, refuses=(404,)),
)
