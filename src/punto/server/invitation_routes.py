"""Calls about invitations: an administrator makes, lists and withdraws them; who has a code makes their own log-in."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec

from punto.floor.answers import Invitation, Joined, NewInvitation
from punto.floor.invitation import LONGEST_HOURS, MOST_AT_ONCE, USUAL_HOURS, Wanted
from punto.floor.log_ins import network_of
from punto.floor.people import ADMINISTRATORS
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.messages import LARGEST_AMOUNT
from punto.server.sessions import accepted
from punto.server.validation import rejected
from punto.store.record import StoredPerson

MOST_SHOWN = 200  # Characters of the address of a floor.


class Invite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Invitations to be made."""

    number: Annotated[int, msgspec.Meta(ge=1, le=MOST_AT_ONCE)] = 1
    role: Role = Role.PLAYER
    buy_in: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_AMOUNT)] = 0  # Minor units.
    currency: str = "USD"
    hours: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_HOURS)] = USUAL_HOURS
    address: Annotated[str, msgspec.Meta(max_length=MOST_SHOWN)] = ""
    """Where people reach the floor, such as https://floor.example, for the links."""


class InvitationsAnswer(msgspec.Struct, frozen=True):
    """Every invitation, oldest first."""

    invitations: tuple[Invitation, ...]


class NewInvitationsAnswer(msgspec.Struct, frozen=True):
    """Invitations that were just made, with their codes."""

    invitations: tuple[NewInvitation, ...]


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whoever comes by an invitation: the name to log in with, a password, and a name to be shown."""

    name: str
    password: str
    display: str | None = None


async def make_invitations(ask: Inquiry) -> NewInvitationsAnswer | Refusal:
    """Make invitations; their codes are told only here."""
    wanted = Wanted(**msgspec.structs.asdict(ask.body))
    made = await asyncio.to_thread(ask.app_state.invitations.make, wanted, ask.caller.author)
    return made if isinstance(made, Refusal) else NewInvitationsAnswer(made)


async def list_invitations(ask: Inquiry) -> InvitationsAnswer:
    """Every invitation, and what became of it."""
    return InvitationsAnswer(await ask.app_state.read(ask.app_state.invitations.listed))


async def withdraw_invitation(ask: Inquiry) -> Invitation:
    """Withdraw an invitation that nobody has used."""
    id, invitations = ask.path["invitation"], ask.app_state.invitations
    return accepted(await asyncio.to_thread(invitations.withdraw, id, ask.caller.author))


async def join(ask: Inquiry) -> Joined:
    """Make your own log-in with an invitation, and get the first buy-in."""
    app_state, body, code, place = ask.app_state, ask.body, ask.path["code"], network_of(ask.address)
    refusal = await asyncio.to_thread(app_state.invitations.refuse, code, place, StoredPerson(body.name, body.display))
    if refusal is not None:
        raise rejected(refusal)
    shortest = app_state.orders().rules.profile.shortest_password
    hashed = accepted(await app_state.passwords.hash(body.password, place, body.name, shortest))
    person = StoredPerson(body.name, body.display, None, hashed)
    return accepted(await asyncio.to_thread(app_state.invitations.join, code, place, person))


_house = partial(Endpoint, roles=ADMINISTRATORS, tag="invitations")
_new = partial(_house, answer=NewInvitationsAnswer, status=201, is_fresh=True, refuses=(409,))
_join = partial(Endpoint, answer=Joined, status=201, is_open=True, is_address_secret=True, refuses=(404, 409))
INVITATION_ENDPOINTS = (
    _house("GET", "/house/invitations", list_invitations, answer=InvitationsAnswer),
    _new("POST", "/house/invitations", make_invitations, body=Invite),
    _house("DELETE", "/house/invitations/{invitation}", withdraw_invitation, answer=Invitation, refuses=(404,)),
    _join("POST", "/invitations/{code}", join, body=Join),
)
