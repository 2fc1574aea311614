"""Profiles: what a kind of floor asks of everybody on it, as data. Three are built in; a house may write its own
as a TOML file with the same names.

A profile is about people and time, never about how a game is dealt or paid: that is the book's.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import msgspec

from punto.malformed import complaint_of
from punto.named_file import at_once
from punto.rules.authority import Role
from punto.suggestion import did_you_mean
from punto.table.terms import Audience

FOLDER = Path(__file__).with_name("profiles")
BUILT_IN = ("open", "training", "strict")
LARGEST_FILE = 64 * 1024  # Bytes of a profile.
Minutes = Annotated[int, msgspec.Meta(ge=1, le=24 * 60)]


class WrongProfile(Exception):
    """A profile cannot be used; the message is one sentence."""


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a floor asks of everybody on it. None stands for no limit."""

    name: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,40}$")]
    """What the profile is called."""
    shortest_round_seconds: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 0
    """At least this many seconds from one call for bets to the next."""
    clock_percent: Annotated[int, msgspec.Meta(ge=10, le=1000)] = 100
    """How long every clock runs, in per cent of its pace."""
    player_idle_minutes: Minutes | None = None
    """After this many minutes in which a player does nothing, the password is asked for again."""
    dealer_idle_minutes: Minutes | None = None
    """The same for everybody who works at tables."""
    advice: Audience = Audience.EVERYBODY
    """Who may ask for live odds and advice at tables whose terms do not say otherwise: `everybody`, `staff` or
    `nobody`.
    """
    limits_required: bool = False
    """Whether players must set a limit of their own before they bet."""
    reality_check_minutes: Minutes | None = None
    """How often a player is told how long the session has lasted and what it came to, and has to answer."""
    shortest_password: Annotated[int, msgspec.Meta(ge=8, le=64)] = 8
    """How many characters a password has at least."""
    second_factor: tuple[Role, ...] = ()
    """Who has to log in with a second factor: a list of roles."""


def named_profile(name: str) -> Profile:
    """A built-in profile by its name, which may come from anywhere: it is never that of a file."""
    if name not in BUILT_IN:
        raise WrongProfile(
            f"{name!r} is not a profile{did_you_mean(name, BUILT_IN)}; they are {', '.join(BUILT_IN)}, or a .toml file"
        )
    return load_profile(name)


def load_profile(name: str) -> Profile:
    """A profile by the name of a built-in one, or from a file that somebody at this machine names."""
    path = FOLDER / f"{name}.toml" if name in BUILT_IN else Path(name)
    if name not in BUILT_IN and path.suffix != ".toml":
        return named_profile(name)  # which says what there is
    try:
        with open(path, "rb", opener=at_once) as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise WrongProfile(f"{path} is larger than {LARGEST_FILE // 1024} KiB")
        return read_profile(tomllib.loads(content.decode()), str(path))
    except OSError as error:
        raise WrongProfile(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise WrongProfile(f"{path} is not TOML: {error}") from None


def read_profile(document: object, where: str) -> Profile:
    try:
        return msgspec.convert(document, type=Profile)
    except msgspec.ValidationError as error:
        raise WrongProfile(f"{where}: {complaint_of(error, Profile)}") from None
