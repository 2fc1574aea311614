"""A refusal: why something is not done, as a value.

A reason code with its parameters can be translated; the sentence is for people who read English, and the clause
says where it is written. Nothing is half done: whoever gets a refusal knows that nothing changed.
"""

from __future__ import annotations

from enum import Enum

import msgspec


class Reason(Enum):
    """Why something is refused; the value is the code that programs see."""

    UNKNOWN_AREA = "unknown-area"
    AREA_TWICE = "area-twice"
    NEEDS_BET = "needs-bet"
    WAGER_WITHOUT_ANTE = "wager-without-ante"
    WAGER_NOT_MULTIPLE = "wager-not-multiple"
    NOT_ON_OFFER = "not-on-offer"
    NOTHING_TO_INSURE = "nothing-to-insure"
    BEYOND_CAP = "beyond-cap"
    INSURANCE_FORGONE = "insurance-forgone"
    WRONG_CARDS = "wrong-cards"
    IMPOSSIBLE_CARDS = "impossible-cards"


SENTENCES: dict[Reason, str] = {
    Reason.UNKNOWN_AREA: "this book has no betting area {area}; it has {areas}",
    Reason.AREA_TWICE: "{area} is bet more than once",
    Reason.NEEDS_BET: "{area} may only be bet beside {needs}",
    Reason.WAGER_WITHOUT_ANTE: "{wager} needs its ante, {ante}",
    Reason.WAGER_NOT_MULTIPLE: "{wager} must be exactly {multiple} times {ante}, that is {amount}",
    Reason.NOT_ON_OFFER: "{area} is not on offer at Player {player_points}, Banker {banker_points}",
    Reason.NOTHING_TO_INSURE: "{area} insures a bet on {main}, and there is none",
    Reason.BEYOND_CAP: "insurance on {main} would pay {payout}, more than the bet of {bet}",
    Reason.INSURANCE_FORGONE: "{area} was forgone: the offer {passed} was passed up",
    Reason.WRONG_CARDS: "{problem}",
    Reason.IMPOSSIBLE_CARDS: "{count} of {card} is more than {decks} decks hold",
}
"""The English sentence of each reason, with its parameters in braces."""


class Refusal(msgspec.Struct, frozen=True):
    """Why something was not done."""

    reason: Reason
    clause: str | None
    params: dict[str, str | int] = {}

    @property
    def sentence(self) -> str:
        """For people, in English, with the clause."""
        text = SENTENCES[self.reason].format(**self.params)
        return f"{text} (clause {self.clause})" if self.clause else text
