"""Logging in and out, giving the password again, and tickets for streams."""

from __future__ import annotations

from typing import Annotated

import msgspec

from punto.server.access.session_book import Caller
from punto.server.http.answers import LoggedInAnswer, SessionAnswer, TicketAnswer
from punto.server.http.endpoint import Answered, Endpoint, Inquiry

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
GivenPassword = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class LogIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password."""

    name: Name
    password: GivenPassword


class PasswordAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password of the caller."""

    password: GivenPassword


async def log_in(ask: Inquiry) -> Answered:
    found = await ask.hall.sessions.log_in(ask.body.name, ask.body.password, ask.address)
    caller, expires = found.caller, found.caller.session.expires_ms
    answer = LoggedInAnswer(caller.handle, caller.roles, found.token, caller.csrf, expires)
    seconds = max(1, (expires - ask.hall.now()) // 1000)
    return Answered(201, answer, ((found.token, seconds),))


async def current(ask: Inquiry) -> SessionAnswer:
    return session_answer(ask.caller)


async def log_out(ask: Inquiry) -> Answered:
    await ask.hall.sessions.log_out(ask.caller)
    ask.hall.hub.look(ask.caller.handle)
    return Answered(204, None, (("", 0),))


async def authenticate(ask: Inquiry) -> SessionAnswer:
    return session_answer(await ask.hall.sessions.authenticate(ask.caller, ask.body.password, ask.address))


async def ticket(ask: Inquiry) -> TicketAnswer:
    return TicketAnswer(*await ask.hall.sessions.ticket(ask.caller))


def session_answer(caller: Caller) -> SessionAnswer:
    session = caller.session
    return SessionAnswer(
        caller.handle, caller.roles, caller.csrf, session.expires_ms, session.authenticated_ms
    )


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/sessions",
        call=log_in,
        summary="Log in; the answer has a token for programs and sets a cookie for browsers.",
        tag="sessions",
        body=LogIn,
        answer=LoggedInAnswer,
        status=201,
        is_open=True,
        refuses=(401,),
    ),
    Endpoint(
        method="GET",
        path="/sessions/current",
        needs_role=False,
        call=current,
        summary="Who you are, with the CSRF token of the session.",
        tag="sessions",
        answer=SessionAnswer,
    ),
    Endpoint(
        method="DELETE",
        path="/sessions/current",
        needs_role=False,
        call=log_out,
        summary="Log out.",
        tag="sessions",
        status=204,
    ),
    Endpoint(
        method="POST",
        path="/sessions/current/authenticate",
        needs_role=False,
        call=authenticate,
        summary="Give your password again, for acts that ask for it.",
        tag="sessions",
        body=PasswordAgain,
        answer=SessionAnswer,
    ),
    Endpoint(
        method="POST",
        path="/tickets",
        call=ticket,
        summary="A ticket for one stream: used once, within 30 seconds.",
        tag="sessions",
        answer=TicketAnswer,
    ),
)
