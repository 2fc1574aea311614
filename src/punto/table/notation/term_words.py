"""Two terms of a table that are lists: limits of single betting areas, and who may give which command.

limit.tie=5.00..500.00          least and greatest stake on Tie
limit.player-pair=5.00          a least stake and no greatest one
may.void-round=pit-manager,shift-manager+pit-supervisor@5.5
                                who may void, together with which second person, by which clause
"""

from __future__ import annotations

from punto.money import format_amount
from punto.rules.authority import Authority
from punto.rules.role import Role
from punto.table.notation.word import format_word, parse_any_amount, parse_word, split_at
from punto.table.terms import BetLimits


def format_limits(item: tuple[str, BetLimits]) -> str:
    """The limits of one betting area."""
    area, limits = item
    most = "" if limits.maximum is None else f"..{format_amount(limits.maximum)}"
    return f"limit.{format_word(area)}={format_amount(limits.minimum)}{most}"


def parse_limits(text: str) -> BetLimits:
    """Read `5.00..500.00` or `5.00`."""
    least, dots, most = text.partition("..")
    return BetLimits(parse_any_amount(least), parse_any_amount(most) if dots else None)


def format_authority(authority: Authority) -> str:
    """Who may give one command."""
    roles = ",".join(role.value for role in authority.roles) or "none"
    second = f"+{authority.second.value}" if authority.second else ""
    clause = f"@{format_word(authority.clause)}" if authority.clause is not None else ""
    return f"may.{format_word(authority.command)}={roles}{second}{clause}"


def parse_authority(command: str, text: str) -> Authority:
    """Read the roles, the second person after `+` and the clause after `@`."""
    people, *clause = split_at(text, "@")
    roles, *second = split_at(people, "+")
    if len(clause) > 1 or len(second) > 1:
        raise ValueError(f"{text!r} has to be roles, one +second person and one @clause")
    return Authority(
        command,
        () if roles == "none" else tuple(map(parse_role, roles.split(","))),
        parse_role(second[0]) if second else None,
        parse_word(clause[0]) if clause else None,
    )


def parse_role(text: str) -> Role:
    """Read a role."""
    try:
        return Role(text)
    except ValueError:
        roles = ", ".join(role.value for role in Role)
        raise ValueError(f"{text!r} is not a role; roles are {roles}") from None
