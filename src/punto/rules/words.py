"""The values of a book in words: conditions, numbers, outcomes, remedies, what players may choose, people.

Every page that shows a book says it in these words. Conditions and remedies are said in the three languages
of a layout, everything else in English.
"""

from __future__ import annotations

from collections.abc import Sequence

from punto.rules.labels import Language
from punto.rules.outcome import Outcome, format_odds
from punto.rules.pay_table import CompiledRow
from punto.rules.role import LADDER, Role
from punto.rules.text.irregularity import Irregularity, Remedy
from punto.rules.text.when import When
from punto.rules.wording.card_phrases import NameOf
from punto.rules.wording.condition import say_condition
from punto.rules.wording.english import ENGLISH
from punto.rules.wording.lists import say_either, say_numbers
from punto.rules.wording.simplified import SIMPLIFIED
from punto.rules.wording.traditional import TRADITIONAL

HOUSE_TERM = "house term; the document names nobody"
"""What stands beside a decision that is the house's own: nothing of ours is shown as the document's word."""
SILENT = "house term; the document is silent"
"""What stands beside a remedy that is the house's own."""

REMEDIES = ENGLISH.remedies
OPTIONS = ENGLISH.options

PHRASEBOOKS = {Language.EN: ENGLISH, Language.ZH_HANS: SIMPLIFIED, Language.ZH_HANT: TRADITIONAL}
"""What each language of a layout has to say for conditions and remedies."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 deck`, `8 decks`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def rank_name(role: Role) -> str:
    """A role as people write it: `Pit Supervisor`."""
    return role.value.replace("-", " ").title()


def rank_words(role: Role) -> str:
    """A role and, unless it is the highest, those above it: `Pit Supervisor or above`."""
    name = rank_name(role)
    return name if role not in LADDER or role is LADDER[-1] else f"{name} or above"


_AT_ONCE = (Remedy.PLAY_ON, Remedy.COMPLETE_OR_VOID, Remedy.NO_EFFECT)


def decider_words(entry: Irregularity) -> str:
    """Who orders a remedy, marked where the document does not say so; empty where nobody has to."""
    if entry.remedy in _AT_ONCE:
        return ""
    by = rank_words(entry.orders)
    return by if entry.orders_clause else f"{by} ({HOUSE_TERM})"


def outcome_words(outcome: Outcome) -> str:
    """What an outcome pays: `12:1`, `push` or `lose`."""
    return outcome.result.value if outcome.odds is None else format_odds(outcome.odds)


def row_words(row: CompiledRow, language: Language = Language.EN, name_of: NameOf = str) -> str:
    """When a bet is settled by a row of its pay table: true by itself, wherever the row is shown."""
    say = PHRASEBOOKS[language]
    if row.when is None:
        return say.otherwise
    return say_condition(row.when, say, name_of, is_below=row.is_below)


def condition_words(
    when: When | tuple[When, ...], language: Language = Language.EN, name_of: NameOf = str
) -> str:
    """A condition in words, alternatives one after the other; `name_of` says what other bets are called."""
    return say_condition(when, PHRASEBOOKS[language], name_of)


def numbers(values: int | tuple[int, ...]) -> str:
    """Numbers with runs drawn together: `1-5 or 7-9`."""
    return say_numbers(values, ENGLISH)


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return say_either(words, ENGLISH)
