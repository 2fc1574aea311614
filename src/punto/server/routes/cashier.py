"""The cashier: money in, money out, and putting an account right, which takes a second person."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec

from punto.floor.desk import free_after
from punto.ledger.account import player_account
from punto.ledger.movement import Movement
from punto.refusal import Refusal
from punto.rules.role import Role
from punto.server.corrections import CorrectAccount, refusal_of_correction
from punto.server.hall import Hall
from punto.server.http.answers import (
    AccountAnswer,
    MovedAnswer,
    StatementAnswer,
    WaitingAnswer,
)
from punto.server.http.command_body import LONGEST_KEY, MOST, Amount
from punto.server.http.endpoint import Answered, Endpoint, Inquiry
from punto.server.routes.accounts import StatementQuery, account_answer, statement_answer
from punto.server.routes.sessions import Name
from punto.store.access.approvals import AskedBody
from punto.table.header import Person

CASHIERS = (Role.CASHIER,)
LOOKERS = (Role.CASHIER, Role.AUDITOR, Role.SHIFT_MANAGER)
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_KEY)]


class Cash(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Money that a player brings or takes away."""

    key: Key
    """Chosen by the client; the same key with the same body is carried out once."""
    account: Name
    amount: Amount


class Correction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account to be put right."""

    key: Key
    account: Name
    amount: Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
    """Minor units; negative to take something off."""
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


async def buy_in(ask: Inquiry) -> Any:
    return await _cash(ask, ask.hall.desk.buy_in)


async def cash_out(ask: Inquiry) -> Any:
    return await _cash(ask, ask.hall.desk.cash_out)


async def _cash(ask: Inquiry, act: Any) -> Any:
    body, hall = ask.body, ask.hall
    by = Person(ask.caller.handle, Role.CASHIER)
    found = await asyncio.to_thread(act, body.account, body.amount, by, hall.now(), body.key)
    if isinstance(found, Refusal):
        return found
    return await asyncio.to_thread(_moved, hall, found, by.name, body.key)


async def correct(ask: Inquiry) -> Any:
    """Keep a correction until a second person agrees."""
    body, hall = ask.body, ask.hall
    command = CorrectAccount(
        actor=ask.caller.handle,
        role=Role.CASHIER,
        key=body.key,
        account=body.account,
        amount=body.amount,
        reason=body.reason,
    )
    text, needs = AskedBody(msgspec.json.encode(command).decode()), Role.PIT_MANAGER
    found = await asyncio.to_thread(hall.approvals.asked_before, command, text, None)
    if found is None:
        refusal = await asyncio.to_thread(refusal_of_correction, hall, command)
        if refusal is not None:
            found = await hall.approvals.refuse(command, text, needs, None, refusal)
        else:
            found = await hall.approvals.ask(command, text, needs, None, None)
    if isinstance(found, Refusal):
        return found
    return Answered(202, WaitingAnswer(found.id, Role(found.needs), found.expires_ms))


def _moved(hall: Hall, movement: Movement, actor: str, key: str) -> MovedAnswer:
    """As it was answered the first time: what is free now may be something else."""
    handle = movement.player or ""
    name = player_account(handle)
    amount = next(posting.amount for posting in movement.postings if posting.account == name)
    with hall.store.read() as reader:
        kept = free_after(reader, actor, key)
        free = reader.balances([name])[name] if kept is None else kept
    return MovedAnswer(handle, movement.kind.value, amount, free)


async def show(ask: Inquiry) -> AccountAnswer:
    return await asyncio.to_thread(account_answer, ask.hall, ask.path["handle"])


async def statement(ask: Inquiry) -> StatementAnswer:
    return await asyncio.to_thread(statement_answer, ask.hall, ask.path["handle"], ask.query)


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/cashier/buy-in",
        call=buy_in,
        summary="A player brings money.",
        tag="cashier",
        body=Cash,
        answer=MovedAnswer,
        roles=CASHIERS,
        refuses=(409,),
    ),
    Endpoint(
        method="POST",
        path="/cashier/cash-out",
        call=cash_out,
        summary="A player takes money away.",
        tag="cashier",
        body=Cash,
        answer=MovedAnswer,
        roles=CASHIERS,
        refuses=(409,),
    ),
    Endpoint(
        method="POST",
        path="/cashier/correct",
        call=correct,
        summary="Put an account right: it waits for a pit manager or above, and the house bears it.",
        tag="cashier",
        body=Correction,
        answer=WaitingAnswer,
        status=202,
        roles=CASHIERS,
        is_fresh=True,
        refuses=(409,),
    ),
    Endpoint(
        method="GET",
        path="/cashier/accounts/{handle}",
        call=show,
        summary="What a player has.",
        tag="cashier",
        answer=AccountAnswer,
        roles=LOOKERS,
    ),
    Endpoint(
        method="GET",
        path="/cashier/accounts/{handle}/statement",
        call=statement,
        summary="Every movement of a player's account.",
        tag="cashier",
        cost=lambda query: 1 + query.limit // 50,
        query=StatementQuery,
        answer=StatementAnswer,
        roles=LOOKERS,
    ),
)
