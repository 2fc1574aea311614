"""The values of a book in words: conditions by one grammar in every language, remedies, what players may
choose, numbers, outcomes and people. Every page that shows a book says it in these words.

A condition lists facts; people read sentences: `{ winner = "banker", banker_points = 6, banker_cards = 2 }`
becomes "Banker wins on 6 with two cards", 庄以两张牌6点赢, 莊以兩張牌6點贏. The phrases are in
`words/*/conditions.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from punto.cards.card import Card, Rank
from punto.rules.authority import LADDER, Role
from punto.rules.book_text import Decks, Irregularity, Options, Remedy
from punto.rules.condition import CARD_GROUPS, CARD_PLACES, TWO_POINTS, Alike, CardTest, GroupTest, When
from punto.rules.entry import each_of, expand_numbers
from punto.rules.outcome import Outcome, Winner, shown_odds
from punto.rules.pay_table import CompiledRow
from punto.words import ENGLISH, Language, Phrases, phrases

HOUSE_TERM = "house term; the document names nobody"
"""What stands beside a decision that is the house's own: nothing of ours is shown as the document's word."""
SILENT = "house term; the document is silent"  # What stands beside a remedy that is the house's own.

NameOf = Callable[[str], str]  # What a betting area is called, where a condition names other bets.


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 deck`, `8 decks`, `1,000 rounds`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def rank_name(role: Role) -> str:
    """A role as people write it: `Pit Supervisor`."""
    return role.value.replace("-", " ").title()


def rank_words(role: Role) -> str:
    """A role and, unless it is the highest, those above it: `Pit Supervisor or above`."""
    name = rank_name(role)
    return name if role not in LADDER or role is LADDER[-1] else f"{name} or above"


def decider_words(entry: Irregularity) -> str:
    """Who orders a remedy, marked where the document does not say so; empty where nobody has to."""
    if entry.remedy in (Remedy.PLAY_ON, Remedy.COMPLETE_OR_VOID, Remedy.NO_EFFECT):
        return ""
    by = rank_words(entry.orders)
    return by if entry.orders_clause else f"{by} ({HOUSE_TERM})"


def remedy_words(remedy: Remedy, language: Language = ENGLISH) -> str:
    return _phrases(language)[f"remedies.{remedy.value}"]


def options_words(options: Options, language: Language = ENGLISH) -> str:
    """Whether players may have their bets back; empty where they never may."""
    return _phrases(language)[f"options.{options.value}"]


def outcome_words(outcome: Outcome) -> str:
    """What an outcome pays: `12:1`, `0.95:1`, `push` or `lose`."""
    return outcome.result.value if outcome.odds is None else shown_odds(outcome.odds)


def rate_words(rate: Fraction) -> str:
    """The rate of a commission as people read it, exactly: `5 %`, `4.5 %`."""
    return f"{float(rate * 100):.4f}".rstrip("0").rstrip(".") + " %"


def row_words(row: CompiledRow, language: Language = ENGLISH, name_of: NameOf = str) -> str:
    """When a bet is settled by a row of its pay table: true by itself, wherever the row is shown."""
    return condition_words(row.when, language, name_of, is_overlapped=row.is_overlapped)


def condition_words(
    when: When | tuple[When, ...] | None,
    language: Language = ENGLISH,
    name_of: NameOf = str,
    *,
    is_overlapped: bool = False,
) -> str:
    """A condition in words, alternatives one after the other; none of them is all the rest.

    `name_of` says what other bets are called. `is_overlapped`: it counts only where no row above holds. Each
    alternative says so, for it may be read alone.
    """
    say = _phrases(language)
    if when is None:
        return say["otherwise"]
    beside = say["no_row_above"] if is_overlapped else ""
    each = (say["comma"].join(_condition_phrases(one, say, name_of)) + beside for one in each_of(when))
    return say["alternatives"].join(each)


def wrong_decks(name: str, rule: Decks, decks: int) -> str | None:
    """Why a game is not played with this number of decks; None where it is."""
    if decks in rule.allowed:
        return None
    allowed = f"{number_words(rule.allowed)} (clause {rule.clause})"
    return f"{name} is not played with {counted(decks, 'deck')} but with {allowed}"


def number_words(values: int | tuple[int, ...]) -> str:
    """Numbers with runs drawn together: `1-5 or 7-9`."""
    return _numbers(each_of(values), _phrases(ENGLISH))


def either_words(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return _either(words, _phrases(ENGLISH))


def _phrases(language: Language) -> Phrases:
    return phrases(language, "conditions.toml")


def _condition_phrases(when: When, say: Phrases, name_of: NameOf) -> Iterator[str]:
    winners = each_of(when.winner)
    single = winners[0].value if len(winners) == 1 and winners[0] is not Winner.TIE else None
    if winners and single is None:
        yield _winner(winners, say)
    for name in ("player", "banker", "winning", "losing"):
        yield from [_wins(when, name, say)] if name == single else _hand(when, name, say)
    for name in ("either", "both"):
        for gap, words in _gaps(when, name, say).items():
            yield say[gap].format_map({"has": say[f"has.{name}"], gap: words})
    if (margin := _numbers_of(when, "margin")) is not None:
        by = (say["by_one"] if margin == (1,) else say["by"]) if single else say["margin"]
        yield by.format(points=_numbers(margin, say))
    if (total := _numbers_of(when, "points_sum")) is not None:
        yield say["points_sum"].format(points=_numbers(total, say))
    if (cards := _numbers_of(when, "cards")) is not None:
        yield say["cards_in_all"].format(cards=_counts(cards, say))
    if when.natural is not None:
        yield say["any_natural" if when.natural else "never_natural"]
    yield from _pairs(when, say)
    yield from _card_phrases(when, say, name_of)


def _winner(winners: tuple[Winner, ...], say: Phrases) -> str:
    if set(winners) == {Winner.PLAYER, Winner.BANKER}:
        return say["no_tie"]
    wins = [say["tie"] if one is Winner.TIE else _wins(When(), one.value, say) for one in winners]
    return _either(wins, say)


def _gaps(when: When, name: str, say: Phrases) -> dict[str, str]:
    """What is said of the points and the number of cards of a hand, as far as they are named."""
    points, cards = _numbers_of(when, f"{name}_points"), _numbers_of(when, f"{name}_cards")
    gaps = {} if points is None else {"points": _numbers(points, say)}
    return gaps if cards is None else {**gaps, "cards": _counts(cards, say)}


def _wins(when: When, name: str, say: Phrases) -> str:
    gaps, natural = _gaps(when, name, say), getattr(when, f"{name}_natural")
    how = say["on_with_cards"] if len(gaps) == 2 else say["on" if "points" in gaps else "with_cards"]
    with_natural = "" if natural is None else say["with_natural" if natural else "without_natural"]
    return say["wins"].format(who=say[f"names.{name}"], how=how.format(**gaps) if gaps else "", natural=with_natural)


def _hand(when: When, name: str, say: Phrases) -> Iterator[str]:
    has, gaps, natural = say[f"has.{name}"], _gaps(when, name, say), getattr(when, f"{name}_natural")
    if gaps:
        yield say["points_in" if len(gaps) == 2 else next(iter(gaps))].format(has=has, **gaps)
    if natural is not None:
        yield say["natural" if natural else "no_natural"].format(has=has)


def _pairs(when: When, say: Phrases) -> Iterator[str]:
    for name in ("player", "banker"):
        has = say[f"has.{name}"]
        if (pair := getattr(when, f"{name}_pair")) is not None:
            yield say["pair" if pair else "no_pair"].format(has=has)
        if (ranks := getattr(when, f"{name}_pair_of")) is not None:
            yield say["pair_of"].format(has=has, ranks=_either(each_of(ranks), say))
        if (suited := getattr(when, f"{name}_pair_suited")) is not None:
            yield say["suited_pair" if suited else "no_suited_pair"].format(has=has)
    for name in ("pairs", "suited_pairs"):
        if (count := _numbers_of(when, name)) is not None:
            yield say[f"{name}_in"].format(hands=_either([say[f"number_of_hands.{n}"] for n in count], say))
    if when.same_pair is not None:
        yield say["same_pair" if when.same_pair else "no_same_pair"]


def _numbers_of(when: When, name: str) -> tuple[int, ...] | None:
    return None if getattr(when, name) is None else when.number_of(name)


def _counts(values: tuple[int, ...], say: Phrases) -> str:
    return _either([say[f"counts.{value}"] for value in values], say)


def _card_phrases(when: When, say: Phrases, name_of: NameOf) -> Iterator[str]:
    """Everything that a condition says about single cards, and about other bets."""
    for name in TWO_POINTS:
        if name in when.named:
            group = say[f"groups.{name.removesuffix('_points')}"]
            yield say["two_points"].format(group=group, points=_numbers(when.number_of(name), say))
    for name in CARD_PLACES:
        if (test := getattr(when, name)) is not None:
            yield say["place_is"].format(place=say[f"places.{name}"], card=_card(test, say, one=True))
    for name in CARD_GROUPS:
        for test in each_of(getattr(when, name)):
            yield from _group(say[f"groups.{name}"], test, say)
    for comparison in each_of(when.compare):
        first, second = (say[f"places.{one.value.replace('-', '_')}"] for one in (comparison.first, comparison.second))
        how = _either([say[f"compared.{result.value}"] for result in each_of(comparison.result)], say)
        by = say[f"compared_by.{comparison.by.value}"]
        yield say["comparison"].format(first=first, second=second, how=how, by=by)
    if when.wins is not None:
        yield say["bet_wins"].format(bets=_either([name_of(area) for area in each_of(when.wins)], say))


def _rank(text: object) -> str:
    return Rank.parse(str(text)).notation


def _card(test: CardTest, say: Phrases, *, one: bool) -> str:
    """What a card is, or several cards are: `a red 8`, `red 8s`."""
    parts: dict[str, str] = {}
    if test.colour is not None:
        parts["colour"] = say[f"colours.{test.colour.value}"]
    if test.card is not None:
        parts["card"] = _either([Card.parse(text).symbol for text in each_of(test.card)], say)
    if test.rank is not None:
        ranks = [_rank(text) for text in each_of(test.rank)]
        is_bare, form = one and bool(parts), "a_rank" if one else "ranks"
        parts["rank"] = _either([rank if is_bare else say[f"{form}.{rank}"] for rank in ranks], say)
    if test.face is not None:
        yes, no = ("a_face", "not_a_face") if one else ("faces", "no_faces")
        parts["face"] = say[yes if test.face else no]
    if test.points is not None:
        parts["points"] = say["worth"].format(points=_numbers(expand_numbers(test.points, range(10)), say))
    if test.suit is not None:
        suits = _either([say[f"suits.{suit.value}"] for suit in each_of(test.suit)], say)
        parts["suit"] = say["of_suit"].format(suits=suits)
    words = [parts[name] for name in say["card_order"].split() if name in parts]
    if not parts.keys() & {"card", "rank", "face", "suit"} and say["any_card"]:
        words.append(say["any_card"])
    text = say["card_join"].join(words)
    return say["a_coloured"].format(card=text) if one and {"colour", "rank"} <= parts.keys() else text


def _group(group: str, test: GroupTest, say: Phrases) -> Iterator[str]:
    if test.all is not None:
        yield say["all_are"].format(group=group, card=_card(test.all, say, one=False))
    if test.none is not None:
        yield say["none_is"].format(group=group, card=_card(test.none, say, one=True))
    if test.number is not None and test.of is not None:
        number = expand_numbers(test.number, range(7))
        is_one = number == (1,)
        card = _card(test.of, say, one=is_one)
        yield say["one_is" if is_one else "some_are"].format(number=_numbers(number, say), group=group, card=card)
    for alikes, negated in ((each_of(test.same), ""), (each_of(test.not_same), "not_")):
        if Alike.CARD in alikes:
            yield say[f"{negated}identical"].format(group=group)
        if named := [say[f"alikes.{alike.value}"] for alike in alikes if alike is not Alike.CARD]:
            what = _either(named, say) if negated else say["both"].join(named)
            yield say[f"{negated}alike"].format(group=group, what=what)
    if test.ranks is not None:
        ranks = [_rank(text) for text in test.ranks]
        listed = say["both"].join((say["listed"].join(ranks[:-1]), ranks[-1]))
        yield say["ranks_are"].format(group=group, ranks=listed)
    if test.poker is not None:
        classes = [say[f"poker.{one.value}"] for one in each_of(test.poker)]
        yield say["makes"].format(group=group, what=_either(classes, say))


def _either(words: Sequence[str], say: Phrases) -> str:
    return say["either"].join(filter(None, (say["listed"].join(words[:-1]), words[-1])))


def _numbers(values: Collection[int], say: Phrases) -> str:
    ordered = sorted(set(values))
    pieces: list[str] = []
    for _, group in groupby(enumerate(ordered), key=lambda place: place[1] - place[0]):
        run = [number for _, number in group]
        pieces += [say["run"].format(first=run[0], last=run[-1])] if len(run) > 2 else map(str, run)
    return _either(pieces, say)
