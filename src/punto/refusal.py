"""A refusal: why something is not done, as a value. A `Reason` is the code that programs see and that can be
translated; a `Refusal` adds the values that belong to it, and says the sentence that people read.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.money import format_money


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
    CLOSED_BY_CARD = "closed-by-card"
    NOT_IN_CHIPS = "not-in-chips"
    TOO_MANY = "too-many"
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
    WRONG_AMOUNT = "wrong-amount"
    OWN_ACCOUNT = "own-account"
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
    UNREADABLE = "unreadable"


# A refusal: why something is not done, as a value.
#
# A reason code with its parameters can be translated; the sentence is for people who read English, and the
# clause says where it is written. Nothing is half done: whoever gets a refusal knows that nothing changed.


SENTENCES: dict[Reason, str] = {
    Reason.UNKNOWN_AREA: "this book has no betting area {area}; it has {areas}",
    Reason.AREA_TWICE: "{area} is bet more than once",
    Reason.NEEDS_BET: "{area} may only be bet together with {needs}",
    Reason.WAGER_NOT_MULTIPLE: "{wager} must be exactly {multiple} times {ante}, that is {amount}",
    Reason.NOT_ON_OFFER: "{area} is not on offer at Player {player_points}, Banker {banker_points}",
    Reason.NO_THIRD_CARD: "{area} is not on offer: no third card came to Player",
    Reason.WRONG_CARDS: "{problem}",
    Reason.IMPOSSIBLE_CARDS: "{count} of {card} are too many: the shoe holds {decks} of each card",
    Reason.WRONG_TERMS: "{term} cannot be {value} at a table: {problem}",
    Reason.TERM_MISSING: "{term} is missing; give it, such as {term}={example}",
    Reason.NOT_ALLOWED: "{role} may not give the command {command}; it takes {roles}{house}",
    Reason.SECOND_PERSON: "the command {command} needs a second person, {rank} or above",
    Reason.NOT_YOURS: "{actor} may not act for {player}",
    Reason.NO_PLAYER: "{role} must name a player with the command {command}",
    Reason.NOT_OPENED: "the table has not been opened",
    Reason.ALREADY_OPENED: "the table is already open",
    Reason.TABLE_CLOSED: "the table is closed",
    Reason.PAUSED: "the table is paused",
    Reason.NOT_PAUSED: "the table is not paused",
    Reason.CASE_OPEN: "the round is stopped until the case of {kind} is resolved",
    Reason.NO_CASE: "{why}",
    Reason.BETWEEN_ROUNDS: "this can be done only between rounds",
    Reason.NO_ROUND: "there is no round for this",
    Reason.NO_SHOE: "{why}: load a new shoe first",
    Reason.SHOE_IN_PLAY: "the shoe in play is not finished",
    Reason.SHOE_FINISHED: "the shoe is finished: the cut card came out and its last round was played",
    Reason.BURN_FIRST: "burn the cards first",
    Reason.NO_BURN_DUE: "there is nothing to burn",
    Reason.CARD_NEEDED: "name the card",
    Reason.CARD_NOT_THERE: "{problem}",
    Reason.UNKNOWN_BOX: "the table has boxes 1 to {boxes}, not {box}",
    Reason.SEAT_TAKEN: "box {box} is taken by {player}",
    Reason.ALREADY_SEATED: "{player} already sits at box {box}",
    Reason.NOT_SEATED: "{player} has no seat",
    Reason.BETS_LIE: "{player} has bets in this round",
    Reason.ALREADY_AWAY: "{player} is already away",
    Reason.NOT_AT_TABLE: "{player} is not at this table",
    Reason.NOT_AWAY: "{player} is not away",
    Reason.BETS_NOT_OPEN: "bets are not open",
    Reason.BETS_CLOSED: "bets are closed: no bet may be placed or raised",
    Reason.LATE_WITHDRAWAL: "bets are closed: no bet may be reduced or withdrawn",
    Reason.BETS_STILL_OPEN: "bets are still open",
    Reason.CLOSED_BY_CARD: "at this table no call closes the bets; the first card from the shoe does",
    Reason.NOT_IN_CHIPS: "{amount} must be a positive whole number of chips of {chip}",
    Reason.TOO_MANY: "a round has at most {count} {what}",
    Reason.BELOW_MINIMUM: "the minimum on {area} is {minimum}; this bet would be {amount}",
    Reason.ABOVE_MAXIMUM: "the maximum on {area} is {maximum}; this bet would be {amount}",
    Reason.OVER_DIFFERENTIAL: "box {box} is full: Banker and Player may differ by at most {differential}",
    Reason.OPENS_DIFFERENTIAL: "withdrawing this would put box {box} over the differential of {differential}",
    Reason.BEHIND_NOBODY: "a standing player bets behind a seated player's bet, and box {box} has none",
    Reason.NO_SUCH_BET: "{player} has no bet on {area} in box {box}",
    Reason.MORE_THAN_LIES: "the bet is only {stake}",
    Reason.WAGER_NOT_OPENING: "{area} is not an opening bet: it follows its ante after the card is shown",
    Reason.NOT_A_WAGER: "{area} does not take a wager; {wagers} does",
    Reason.NOT_OVER: "box {box} is not over its limits",
    Reason.NOT_UNDER: "that bet is not under the minimum, or the player has already been told",
    Reason.STRICT_LIMITS: "at this table the system enforces the limits",
    Reason.ADVISED_BETS: "{player}'s bet on {area} is under the minimum: raise, withdraw or rule on it first",
    Reason.NOT_DEALING: "cards are not being dealt now",
    Reason.ANTES_UNDECIDED: "{players} must decide an ante first",
    Reason.REVEAL_FIRST: "open the face-down cards first",
    Reason.DEAL_FINISHED: "the deal is finished: no more cards",
    Reason.DEAL_UNFINISHED: "the deal is not finished",
    Reason.CARRIED_FIRST: "{card} was carried over and comes first",
    Reason.NOT_THE_DRAWER: "{player} draws the cards of this round",
    Reason.NO_SUCH_CARD: "there is no such card: {hand} {number}",
    Reason.NOT_ENTERED: "only a card that a person entered can be corrected",
    Reason.SAME_CARD: "that card is already on record",
    Reason.DECISION_TAKEN: "players have already decided something because of that card: a ruling is needed",
    Reason.DIFFERENT_DEAL: "with that card the deal would have been different: report it",
    Reason.NO_ANTE_OPEN: "there is no ante on {area} to follow or give up",
    Reason.PLAYERS_PRESENT: "players at the table must still choose: {players}",
    Reason.NO_WINDOW: "no insurance window is open",
    Reason.NO_OFFER_DUE: "no insurance is due",
    Reason.NO_INSURANCE_HERE: "this book has no insurance",
    Reason.INSURANCE_EXCLUDED: "no insurance is offered at this table",
    Reason.INSURANCE_WAIVED: "insurance after Player's third card is waived for this round",
    Reason.NO_OFFER_TO: "there is no bet on {main} to insure",
    Reason.FORGONE: "insurance is forgone for this round: an offer was not taken",
    Reason.OVER_CAP: "the greatest insurance stake is {most}",
    Reason.WAS_OFFERED: "insurance was offered: take it or decline it",
    Reason.ALREADY_WISHED: "that wish is already on record",
    Reason.FACE_UP_TABLE: "cards are dealt face up at this table",
    Reason.NO_SQUEEZE: "this book has no squeeze",
    Reason.NOT_HIGHEST: "only the seated player with the highest bet may ask: {player}",
    Reason.CARD_ALREADY_DEALT: "that card has already been dealt",
    Reason.NOT_CERTAIN: "Banker's third card is not certain before Player's third is opened",
    Reason.ASKED_ALREADY: "a squeeze request is waiting for an answer",
    Reason.NOTHING_ASKED: "nobody has asked for a squeeze",
    Reason.NOT_YOUR_CARD: "{player} may not open that card",
    Reason.NOTHING_SEEN: "say which cards, or what else, was seen",
    Reason.NOTHING_WRONG: "nothing is wrong: the cards on the table and in the shoe are as they should be",
    Reason.PLACE_NEEDED: "say where the card lies: player, banker, table or floor",
    Reason.CHANGES_EVIDENCE: "changing what was reported takes {rank} or above{house}",
    Reason.CHOSEN_ALREADY: "players have already chosen on this evidence: it cannot be taken back",
    Reason.OTHER_ROUND: "that was for round {round}; this is round {now}",
    Reason.OTHER_WINDOW: "that was for the insurance window after {window} cards; open now: {now}",
    Reason.NO_EARLIER_ROUND: "round {round} is not an earlier round",
    Reason.CANNOT_RECONSTRUCT: "the hands cannot be reconstructed: open face-down cards first",
    Reason.NOT_THOSE_CARDS: "the cards to be ordered are {cards}",
    Reason.NOT_RANKED: "{kind} is resolved by {rank} or above{house}",
    Reason.NOT_ASKED: "{player} has no choice to make",
    Reason.NO_REPLACEMENT: "the book gives no reason to replace the cards now",
    Reason.NOT_NEGLECTED: "no player wished for insurance that was not offered and would have won it",
    Reason.NO_SUCH_RULING: "a ruling of {effect} has no effect here",
    Reason.REASON_NEEDED: "give a reason",
    Reason.NO_COMMITMENT: "there is no commitment to the shuffle of shoe {shoe} to open or to add to",
    Reason.SHUFFLE_FIXED: "the order of this shoe is fixed: bytes are added before its first card",
    Reason.PLEDGES_OPEN: "the list of pledges is still open: close it first",
    Reason.PLEDGES_CLOSED: "the list of pledges is closed",
    Reason.ALREADY_PLEDGED: "{player} has already pledged bytes for this shoe",
    Reason.NOTHING_PLEDGED: "there is no pledge to close or to open",
    Reason.WRONG_BYTES: "{problem}",
    Reason.SEED_NOT_DUE: "the seed of shoe {shoe} is opened when the next shoe is called, or at the close",
    Reason.NO_ACCOUNT: "{player} has no account: open one first",
    Reason.ACCOUNT_EXISTS: "{player} already has an account",
    Reason.OTHER_CURRENCY: "the account of {player} is in {currency}; this takes {needed}",
    Reason.NOT_ENOUGH_FUNDS: "this takes {amount}; {free} is free and {held} is held until the next call",
    Reason.WRONG_AMOUNT: "the amount must be from 0.01 to {most}, not {amount}",
    Reason.OWN_ACCOUNT: "nobody moves money of their own account at the cashier: somebody else must do it",
    Reason.NO_TABLE: "there is no table {table}",
    Reason.TABLE_EXISTS: "there is already a table {table}",
    Reason.TABLE_IMPORTED: "table {table} was imported: it can be read, and cannot go on",
    Reason.VERSION: "this was decided on version {expected}; the table is now at {now}",
    Reason.VERSION_NEEDED: "name the version of the table that this was decided on; it is now at {now}",
    Reason.KEY_REUSED: "the key {key} was used before for something else",
    Reason.TOO_MANY_REFUSED: "too many refused commands; this one was not decided, try again in {seconds} s",
    Reason.BEYOND_LEDGER: "this could pay more than an account can hold, which is {most}",
    Reason.ROUND_NEEDED: "name the round that this is for, such as round={now}",
    Reason.WINDOW_NEEDED: "name the insurance window that this is for, such as window={now}",
    Reason.CARD_NAMED: "this table draws its cards itself: {instead}",
    Reason.ASKER_GONE: "{player} is not {role} any more: what was asked in that role is not done",
    Reason.NOT_SIGNED: "approval {approval} was not decided through this house: ask for it again",
    Reason.SEED_LOCKED: "shoe {shoe} cannot be dealt: {why}; report the set and replace the cards",
    Reason.UNREADABLE: "{problem}",
}
"""The English sentence of each reason, with its parameters in braces."""

AMOUNTS = frozenset({"amount", "chip", "differential", "free", "held", "maximum", "minimum", "most", "stake"})
"""Parameters that are money, `1000.00` for programs and `1,000` in the sentence; and terms that are."""


class Refusal(msgspec.Struct, frozen=True):
    """Why something was not done."""

    reason: Reason
    clause: str | None
    params: dict[str, str | int] = {}

    @property
    def sentence(self) -> str:
        """For people, in English, with the clause."""
        text = SENTENCES[self.reason].format(**{name: self._told(name) for name in self.params})
        return f"{text} (clause {self.clause})" if self.clause else text

    def _told(self, name: str) -> str | int:
        """A parameter as people read it."""
        value = self.params[name]
        term = str(self.params.get("term", "")).partition(" ")[0]
        if name not in AMOUNTS and not (name == "value" and term in AMOUNTS):
            return value
        assert isinstance(value, str), f"{name} is money, and written as format_amount writes it"
        return format_money(int(value.replace(".", "")))
