"""The values of a book in words: conditions by one grammar in every language of a layout, numbers, outcomes,
remedies, what players may choose, and people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from punto.cards.card import Card, Rank
from punto.rules.authority import LADDER, Role
from punto.rules.book import Language
from punto.rules.book_text import Irregularity, Remedy
from punto.rules.condition import CARD_GROUPS, CARD_PLACES, TWO_POINTS, Alike, CardComparison, CardTest, GroupTest, When
from punto.rules.entry import expand_numbers
from punto.rules.outcome import Outcome, Winner, format_odds
from punto.rules.pay_table import CompiledRow
from punto.rules.phrasebook import ENGLISH, Phrasebook
from punto.rules.simplified import SIMPLIFIED
from punto.rules.traditional import TRADITIONAL


def say_either(words: Sequence[str], say: Phrasebook) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return say.either.join(filter(None, (say.listed.join(words[:-1]), words[-1])))


def say_numbers(values: int | tuple[int, ...], say: Phrasebook) -> str:
    """Numbers with runs drawn together: `1-5 or 7-9`."""
    ordered = sorted({values} if isinstance(values, int) else set(values))
    pieces: list[str] = []
    for _, group in groupby(enumerate(ordered), key=lambda place: place[1] - place[0]):
        run = [number for _, number in group]
        pieces += [say.run.format(first=run[0], last=run[-1])] if len(run) > 2 else map(str, run)
    return say_either(pieces, say)


# Conditions on cards in the words of a phrasebook: "Player's third card is an 8", 闲第三张牌是8.


NameOf = Callable[[str], str]
"""What a betting area is called, where a condition names other bets."""


def card_phrases(when: When, say: Phrasebook, name_of: NameOf) -> Iterator[str]:
    """Everything that a condition says about single cards, and about other bets."""
    for name in TWO_POINTS:
        if name in when.named:
            group = say.groups[name.removesuffix("_points")]
            yield say.two_points.format(group=group, points=say_numbers(when.number_of(name), say))
    for name in CARD_PLACES:
        if (test := getattr(when, name)) is not None:
            yield say.place_is.format(place=say.places[name], card=_card(test, say, one=True))
    for name in CARD_GROUPS:
        for test in _many(getattr(when, name)):
            yield from _group(say.groups[name], test, say)
    for comparison in _many(when.compare):
        yield _comparison(comparison, say)
    if when.wins is not None:
        yield say.bet_wins.format(bets=say_either([name_of(area) for area in _many(when.wins)], say))


def _rank(text: object) -> str:
    """A rank as it is shown, however a book writes it."""
    return Rank.parse(str(text)).notation


def _card(test: CardTest, say: Phrasebook, *, one: bool) -> str:
    """What a card is, or several cards are: `a red 8`, `red 8s`."""
    parts: dict[str, str] = {}
    if test.colour is not None:
        parts["colour"] = say.colours[test.colour]
    if test.card is not None:
        parts["card"] = say_either([Card.parse(text).symbol for text in _many(test.card)], say)
    if test.rank is not None:
        ranks = [_rank(text) for text in _many(test.rank)]
        said = say.a_rank if one else say.ranks
        is_bare = one and bool(parts)
        parts["rank"] = say_either([rank if is_bare else said[rank] for rank in ranks], say)
    if test.face is not None:
        a_face, faces = (say.a_face, say.faces) if test.face else (say.not_a_face, say.no_faces)
        parts["face"] = a_face if one else faces
    if test.points is not None:
        parts["points"] = say.worth.format(points=say_numbers(expand_numbers(test.points, range(10)), say))
    if test.suit is not None:
        suits = say_either([say.suits[suit] for suit in _many(test.suit)], say)
        parts["suit"] = say.of_suit.format(suits=suits)
    words = [parts[name] for name in say.card_order if name in parts]
    if not parts.keys() & {"card", "rank", "face", "suit"} and say.any_card:
        words.append(say.any_card)
    text = say.card_join.join(words)
    return say.a_coloured.format(card=text) if one and {"colour", "rank"} <= parts.keys() else text


def _group(group: str, test: GroupTest, say: Phrasebook) -> Iterator[str]:
    if test.all is not None:
        yield say.all_are.format(group=group, card=_card(test.all, say, one=False))
    if test.none is not None:
        yield say.none_is.format(group=group, card=_card(test.none, say, one=True))
    if test.number is not None and test.of is not None:
        number = expand_numbers(test.number, range(7))
        is_one = number == (1,)
        sentence = say.one_is if is_one else say.some_are
        card = _card(test.of, say, one=is_one)
        yield sentence.format(number=say_numbers(number, say), group=group, card=card)
    same, other = _many(test.same), _many(test.not_same)
    if Alike.CARD in same:
        yield say.identical.format(group=group)
    if named := [say.alikes[alike] for alike in same if alike in say.alikes]:
        yield say.alike.format(group=group, what=say.both.join(named))
    if Alike.CARD in other:
        yield say.not_identical.format(group=group)
    if named := [say.alikes[alike] for alike in other if alike in say.alikes]:
        yield say.not_alike.format(group=group, what=say_either(named, say))
    if test.ranks is not None:
        ranks = [_rank(text) for text in test.ranks]
        listed = say.both.join((say.listed.join(ranks[:-1]), ranks[-1]))
        yield say.ranks_are.format(group=group, ranks=listed)
    if test.poker is not None:
        what = say_either([say.poker[one] for one in _many(test.poker)], say)
        yield say.makes.format(group=group, what=what)


def _comparison(comparison: CardComparison, say: Phrasebook) -> str:
    return say.comparison.format(
        first=say.places[comparison.first.value.replace("-", "_")],
        second=say.places[comparison.second.value.replace("-", "_")],
        how=say_either([say.compared[result] for result in _many(comparison.result)], say),
        by=say.compared_by[comparison.by],
    )


def _many(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


# A condition in the words of a phrasebook.
#
# A condition lists facts; people read sentences: `{ winner = "banker", banker_points = 6, banker_cards = 2
# }` becomes "Banker wins on 6 with two cards", 庄以两张牌6点赢, 莊以兩張牌6點贏.


def say_condition(
    when: When | tuple[When, ...], say: Phrasebook, name_of: NameOf = str, *, is_below: bool = False
) -> str:
    """A condition in words, alternatives one after the other.

    `is_below`: it counts only where no row above holds. Each alternative says so, for it may be read alone.
    """
    each = when if isinstance(when, tuple) else (when,)
    beside = say.no_row_above if is_below else ""
    return say.alternatives.join(say.comma.join(_condition_phrases(one, say, name_of)) + beside for one in each)


def _condition_phrases(when: When, say: Phrasebook, name_of: NameOf) -> Iterator[str]:
    winners = when.winner if isinstance(when.winner, tuple) else (when.winner,) if when.winner else ()
    single = winners[0].value if len(winners) == 1 and winners[0] is not Winner.TIE else None
    if winners and single is None:
        yield _winner(winners, say)
    for name in ("player", "banker", "winning", "losing"):
        yield from [_wins(when, name, say)] if name == single else _hand(when, name, say)
    for name in ("either", "both"):
        if (points := _numbers_of(when, f"{name}_points")) is not None:
            yield say.points.format(has=say.has[name], points=say_numbers(points, say))
        if (cards := _numbers_of(when, f"{name}_cards")) is not None:
            yield say.cards.format(has=say.has[name], cards=_counts(cards, say))
    if (margin := _numbers_of(when, "margin")) is not None:
        by = (say.by_one if margin == (1,) else say.by) if single else say.margin
        yield by.format(points=say_numbers(margin, say))
    if (total := _numbers_of(when, "points_sum")) is not None:
        yield say.points_sum.format(points=say_numbers(total, say))
    if (cards := _numbers_of(when, "cards")) is not None:
        yield say.cards_in_all.format(cards=_counts(cards, say))
    if when.natural is not None:
        yield say.any_natural if when.natural else say.never_natural
    yield from _pairs(when, say)
    yield from card_phrases(when, say, name_of)


def _winner(winners: tuple[Winner, ...], say: Phrasebook) -> str:
    if set(winners) == {Winner.PLAYER, Winner.BANKER}:
        return say.no_tie
    wins = [say.tie if one is Winner.TIE else _wins(When(), one.value, say) for one in winners]
    return say_either(wins, say)


def _wins(when: When, name: str, say: Phrasebook) -> str:
    points, cards = _numbers_of(when, f"{name}_points"), _numbers_of(when, f"{name}_cards")
    natural = getattr(when, f"{name}_natural")
    gaps = {}
    if points is not None:
        gaps["points"] = say_numbers(points, say)
    if cards is not None:
        gaps["cards"] = _counts(cards, say)
    how = say.on_with_cards if len(gaps) == 2 else say.on if points is not None else say.with_cards
    return say.wins.format(
        who=say.names[name],
        how=how.format(**gaps) if gaps else "",
        natural="" if natural is None else say.with_natural if natural else say.without_natural,
    )


def _hand(when: When, name: str, say: Phrasebook) -> Iterator[str]:
    has = say.has[name]
    points, cards = _numbers_of(when, f"{name}_points"), _numbers_of(when, f"{name}_cards")
    natural = getattr(when, f"{name}_natural")
    if points is not None and cards is not None:
        yield say.points_in.format(has=has, points=say_numbers(points, say), cards=_counts(cards, say))
    elif points is not None:
        yield say.points.format(has=has, points=say_numbers(points, say))
    elif cards is not None:
        yield say.cards.format(has=has, cards=_counts(cards, say))
    if natural is not None:
        yield (say.natural if natural else say.no_natural).format(has=has)


def _pairs(when: When, say: Phrasebook) -> Iterator[str]:
    for name in ("player", "banker"):
        has = say.has[name]
        if (pair := getattr(when, f"{name}_pair")) is not None:
            yield (say.pair if pair else say.no_pair).format(has=has)
        if (ranks := getattr(when, f"{name}_pair_of")) is not None:
            each = (ranks,) if isinstance(ranks, str) else ranks
            yield say.pair_of.format(has=has, ranks=say_either(each, say))
        if (suited := getattr(when, f"{name}_pair_suited")) is not None:
            yield (say.suited_pair if suited else say.no_suited_pair).format(has=has)
    for name, sentence in (("pairs", say.pairs_in), ("suited_pairs", say.suited_pairs_in)):
        if (count := _numbers_of(when, name)) is not None:
            yield sentence.format(hands=say_either([say.number_of_hands[n] for n in count], say))
    if when.same_pair is not None:
        yield say.same_pair if when.same_pair else say.no_same_pair


def _numbers_of(when: When, name: str) -> tuple[int, ...] | None:
    return None if getattr(when, name) is None else when.number_of(name)


def _counts(values: tuple[int, ...], say: Phrasebook) -> str:
    return say_either([say.counts[value] for value in values], say)


# The values of a book in words: conditions, numbers, outcomes, remedies, what players may choose, people.
#
# Every page that shows a book says it in these words. Conditions and remedies are said in the three
# languages of a layout, everything else in English.


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


def condition_words(when: When | tuple[When, ...], language: Language = Language.EN, name_of: NameOf = str) -> str:
    """A condition in words, alternatives one after the other; `name_of` says what other bets are called."""
    return say_condition(when, PHRASEBOOKS[language], name_of)


def number_words(values: int | tuple[int, ...]) -> str:
    """Numbers with runs drawn together: `1-5 or 7-9`."""
    return say_numbers(values, ENGLISH)


def either_words(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return say_either(words, ENGLISH)
