"""A condition in the words of a phrasebook.

A condition lists facts; people read sentences: `{ winner = "banker", banker_points = 6, banker_cards = 2 }`
becomes "Banker wins on 6 with two cards", 庄以两张牌6点赢, 莊以兩張牌6點贏.
"""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.facts import Winner
from punto.rules.text.when import When
from punto.rules.wording.card_phrases import NameOf, card_phrases
from punto.rules.wording.lists import say_either, say_numbers
from punto.rules.wording.phrasebook import Phrasebook


def say_condition(
    when: When | tuple[When, ...], say: Phrasebook, name_of: NameOf = str, *, is_below: bool = False
) -> str:
    """A condition in words, alternatives one after the other.

    `is_below`: it counts only where no row above holds. Each alternative says so, for it may be read alone.
    """
    each = when if isinstance(when, tuple) else (when,)
    beside = say.no_row_above if is_below else ""
    return say.alternatives.join(say.comma.join(_phrases(one, say, name_of)) + beside for one in each)


def _phrases(when: When, say: Phrasebook, name_of: NameOf) -> Iterator[str]:
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
