"""A refusal: why something is not done, as a value. A `Reason` is the code that programs see; a `Refusal` adds
the values that belong to it and the clause that says so. Its sentence is in `words/en/refusals.json`, and in
every other language beside that. Nothing is half done: whoever gets a refusal knows that nothing changed.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import msgspec

from punto.money import format_money
from punto.words import ENGLISH, phrases


class Reason(Enum):
    """Why something is refused; the value is the code that programs see."""

    UNKNOWN_AREA = "unknown-area"
    AREA_TWICE = "area-twice"
    NEEDS_BET = "needs-bet"
    WAGER_NOT_MULTIPLE = "wager-not-multiple"
    NOT_ON_OFFER = "not-on-offer"
    NO_THIRD_CARD = "no-third-card"
    WRONG_CARDS = "wrong-cards"
    IMPOSSIBLE_CARDS = "impossible-cards"
    WRONG_TERMS = "wrong-terms"
    TERM_MISSING = "term-missing"
    NOT_ALLOWED = "not-allowed"
    SECOND_PERSON = "second-person"
    NOT_YOURS = "not-yours"
    NO_PLAYER = "no-player"
    NOT_OPENED = "not-opened"
    ALREADY_OPENED = "already-opened"
    TABLE_CLOSED = "table-closed"
    PAUSED = "paused"
    NOT_PAUSED = "not-paused"
    CASE_OPEN = "case-open"
    NO_CASE = "no-case"
    BETWEEN_ROUNDS = "between-rounds"
    NO_ROUND = "no-round"
    NO_SHOE = "no-shoe"
    SHOE_IN_PLAY = "shoe-in-play"
    SHOE_FINISHED = "shoe-finished"
    BURN_FIRST = "burn-first"
    NO_BURN_DUE = "no-burn-due"
    CARD_NEEDED = "card-needed"
    CARD_NOT_THERE = "card-not-there"
    UNKNOWN_BOX = "unknown-box"
    SEAT_TAKEN = "seat-taken"
    ALREADY_SEATED = "already-seated"
    NOT_SEATED = "not-seated"
    BETS_LIE = "bets-lie"
    ALREADY_AWAY = "already-away"
    NOT_AT_TABLE = "not-at-table"
    NOT_AWAY = "not-away"
    BETS_NOT_OPEN = "bets-not-open"
    BETS_CLOSED = "bets-closed"
    LATE_WITHDRAWAL = "late-withdrawal"
    BETS_STILL_OPEN = "bets-still-open"
    CARDS_ARE_OUT = "cards-are-out"
    CLOSED_BY_CARD = "closed-by-card"
    NOT_IN_CHIPS = "not-in-chips"
    TOO_MANY = "too-many"
    TOO_MANY_BOOKS = "too-many-books"
    BELOW_MINIMUM = "below-minimum"
    ABOVE_MAXIMUM = "above-maximum"
    OVER_DIFFERENTIAL = "over-differential"
    OPENS_DIFFERENTIAL = "opens-differential"
    BEHIND_NOBODY = "behind-nobody"
    NO_SUCH_BET = "no-such-bet"
    MORE_THAN_LIES = "more-than-lies"
    WAGER_NOT_OPENING = "wager-not-opening"
    NOT_A_WAGER = "not-a-wager"
    NOT_OVER = "not-over"
    NOT_UNDER = "not-under"
    STRICT_LIMITS = "strict-limits"
    ADVISED_BETS = "advised-bets"
    NOT_DEALING = "not-dealing"
    ANTES_UNDECIDED = "antes-undecided"
    REVEAL_FIRST = "reveal-first"
    DEAL_FINISHED = "deal-finished"
    DEAL_UNFINISHED = "deal-unfinished"
    CARRIED_FIRST = "carried-first"
    NOT_THE_DRAWER = "not-the-drawer"
    NO_SUCH_CARD = "no-such-card"
    NOT_ENTERED = "not-entered"
    SAME_CARD = "same-card"
    DECISION_TAKEN = "decision-taken"
    DIFFERENT_DEAL = "different-deal"
    NO_ANTE_OPEN = "no-ante-open"
    PLAYERS_PRESENT = "players-present"
    NO_WINDOW = "no-window"
    NO_OFFER_DUE = "no-offer-due"
    NO_INSURANCE_HERE = "no-insurance-here"
    INSURANCE_EXCLUDED = "insurance-excluded"
    INSURANCE_WAIVED = "insurance-waived"
    NO_OFFER_TO = "no-offer-to"
    FORGONE = "forgone"
    OVER_CAP = "over-cap"
    WAS_OFFERED = "was-offered"
    ALREADY_WISHED = "already-wished"
    FACE_UP_TABLE = "face-up-table"
    NO_SQUEEZE = "no-squeeze"
    NOT_HIGHEST = "not-highest"
    CARD_ALREADY_DEALT = "card-already-dealt"
    NOT_CERTAIN = "not-certain"
    ASKED_ALREADY = "asked-already"
    NOTHING_ASKED = "nothing-asked"
    NOT_YOUR_CARD = "not-your-card"
    NOTHING_SEEN = "nothing-seen"
    NOTHING_WRONG = "nothing-wrong"
    PLACE_NEEDED = "place-needed"
    CHANGES_EVIDENCE = "changes-evidence"
    CHOSEN_ALREADY = "chosen-already"
    OTHER_ROUND = "other-round"
    OTHER_WINDOW = "other-window"
    NO_EARLIER_ROUND = "no-earlier-round"
    CANNOT_RECONSTRUCT = "cannot-reconstruct"
    NOT_THOSE_CARDS = "not-those-cards"
    NOT_RANKED = "not-ranked"
    NOT_ASKED = "not-asked"
    NO_REPLACEMENT = "no-replacement"
    NOT_NEGLECTED = "not-neglected"
    NO_SUCH_RULING = "no-such-ruling"
    REASON_NEEDED = "reason-needed"
    NO_COMMITMENT = "no-commitment"
    SHUFFLE_FIXED = "shuffle-fixed"
    PLEDGES_OPEN = "pledges-open"
    PLEDGES_CLOSED = "pledges-closed"
    ALREADY_PLEDGED = "already-pledged"
    NOTHING_PLEDGED = "nothing-pledged"
    WRONG_BYTES = "wrong-bytes"
    SEED_NOT_DUE = "seed-not-due"
    NO_ACCOUNT = "no-account"
    ACCOUNT_EXISTS = "account-exists"
    OTHER_CURRENCY = "other-currency"
    NOT_ENOUGH_FUNDS = "not-enough-funds"
    FUNDS_HELD = "funds-held"
    WRONG_AMOUNT = "wrong-amount"
    OWN_ACCOUNT = "own-account"
    LIMIT = "limit"
    LIMIT_TWICE = "limit-twice"
    LIMITS_NEEDED = "limits-needed"
    EXCLUDED = "excluded"
    NOT_EXCLUDED = "not-excluded"
    REALITY_CHECK = "reality-check"
    OWN_PROTECTION = "own-protection"
    NO_TABLE = "no-table"
    TABLE_EXISTS = "table-exists"
    TABLE_IMPORTED = "table-imported"
    VERSION = "version"
    VERSION_NEEDED = "version-needed"
    KEY_REUSED = "key-reused"
    TOO_MANY_REFUSED = "too-many-refused"
    BEYOND_LEDGER = "beyond-ledger"
    ROUND_NEEDED = "round-needed"
    WINDOW_NEEDED = "window-needed"
    CARD_NAMED = "card-named"
    NOT_SIGNED = "not-signed"
    ASKER_GONE = "asker-gone"
    SEED_LOCKED = "seed-locked"
    WRONG_NAME = "wrong-name"
    UNSEEN_NAME = "unseen-name"
    HOUSE_NAME = "house-name"
    WRONG_CURRENCY = "wrong-currency"
    WEAK_PASSWORD = "weak-password"
    TEXT_TOO_LONG = "text-too-long"
    OWN_ROLES = "own-roles"
    LAST_ADMINISTRATOR = "last-administrator"
    WRONG_RULE = "wrong-rule"
    LOG_IN_SHUT = "log-in-shut"
    LINK_OVER = "link-over"
    SHUT_ALREADY = "shut-already"
    NOT_SHUT = "not-shut"
    NO_OPEN_SESSION = "no-open-session"
    SESSION_IDLE = "session-idle"
    SECOND_FACTOR_NEEDED = "second-factor-needed"
    WRONG_CODE = "wrong-code"
    SECOND_FACTOR_MISSING = "second-factor-missing"
    SECOND_FACTOR_SET = "second-factor-set"
    NO_SECOND_FACTOR = "no-second-factor"
    NOTHING_BEGUN = "nothing-begun"
    OWN_SECOND_FACTOR = "own-second-factor"
    NO_INVITATION = "no-invitation"
    INVITATION_OVER = "invitation-over"
    WRONG_INVITATION = "wrong-invitation"
    NO_DEVICE = "no-device"
    OTHER_TABLE = "other-table"
    WRONG_DEVICE_NAME = "wrong-device-name"
    OF_DEVICES = "of-devices"
    WRONG_SPAN = "wrong-span"
    DAY_NOT_OVER = "day-not-over"
    DAY_CLOSED = "day-closed"
    DAY_BEFORE_HOUSE = "day-before-house"
    ROUNDS_OPEN = "rounds-open"
    CANNOT_WRITE = "cannot-write"
    DAY_FILE_GONE = "day-file-gone"
    DAY_FILE_CHANGED = "day-file-changed"
    NO_BOOK = "no-book"
    STOPPED = "stopped"
    STOPPED_ALREADY = "stopped-already"
    NOT_STOPPED = "not-stopped"
    WRONG_CHIPS = "wrong-chips"
    TWO_PEOPLE = "two-people"
    RACK_OPEN = "rack-open"
    NO_RACK = "no-rack"
    RACK_SHORT = "rack-short"
    SHIFT_OPEN = "shift-open"
    NO_SHIFT = "no-shift"
    NO_RECEIPT = "no-receipt"
    LARGE_CASH = "large-cash"
    TOO_SOON = "too-soon"
    CLOSED_TOO_SOON = "closed-too-soon"
    NOT_ALLOWED_HERE = "not-allowed-here"
    ROLE_NEEDED = "role-needed"
    NO_SESSION = "no-session"
    WRONG_PASSWORD = "wrong-password"
    LOCKED_OUT = "locked-out"
    OWN_APPROVAL = "own-approval"
    RANK_NEEDED = "rank-needed"
    APPROVAL_OVER = "approval-over"
    TOO_MANY_WAIT = "too-many-wait"
    CALL_OVER = "call-over"
    NO_BET_THERE = "no-bet-there"
    DISPUTE_LATE = "dispute-late"
    ALREADY_DISPUTED = "already-disputed"
    TOO_MANY_DISPUTES = "too-many-disputes"
    OWN_DISPUTE = "own-dispute"
    DISPUTE_OVER = "dispute-over"
    TOO_OFTEN = "too-often"
    UNREADABLE = "unreadable"


AMOUNTS = frozenset(
    {
        *("amount", "chip", "differential", "free", "held", "maximum", "minimum", "most", "stake"),
        *("net", "staked", "threshold", "total", "won"),
    }
)
"""Parameters that are money, `1000.00` for programs and `1,000` in the sentence; and terms that are."""


class RefusalText(msgspec.Struct, frozen=True):
    """A refusal as it is sent to programs and pages, with its sentence."""

    reason: str
    params: dict[str, str | int]
    sentence: str
    clause: str | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why something was not done."""

    reason: Reason
    clause: str | None
    params: dict[str, str | int] = {}

    def __repr__(self) -> str:
        return f"<Refusal {self.reason.value}: {self.sentence}>"

    if not TYPE_CHECKING:  # Checkers are to know that nothing else is there.

        def __getattr__(self, name: str) -> Any:
            """Whoever takes a refusal for what was asked for is told what was refused, and why."""
            missing = f"'Refusal' object has no attribute {name!r}"
            is_own = name.startswith("_") or name in ("sentence", "text")
            raise AttributeError(missing if is_own else f"{missing}; this was refused: {self.sentence}")

    @property
    def sentence(self) -> str:
        """For people, in English, with the clause."""
        pattern = phrases(ENGLISH, "refusals.json")[self.reason.value]
        text = pattern.format(**{name: self._for_people(name) for name in self.params})
        return f"{text} (clause {self.clause})" if self.clause else text

    @property
    def text(self) -> RefusalText:
        """As it is sent."""
        return RefusalText(self.reason.value, self.params, self.sentence, self.clause)

    def _for_people(self, name: str) -> str | int:
        value = self.params[name]
        term = str(self.params.get("term", "")).partition(" ")[0]
        if name == "amount" and self.params.get("what") == "time":
            return f"{value} minutes"
        is_money = name in AMOUNTS or (name == "value" and term in AMOUNTS)
        if isinstance(value, int) or not is_money:
            return value  # money is written as format_amount writes it; a number is a count
        return format_money(int(value.replace(".", "")))
