"""A small book with a little of everything, and ways to spoil it.

Tests of parsing and compiling change one thing in this text and say what must be found wrong, and where.
"""

from __future__ import annotations

from punto.rules import Book, BookError, read_book

TEXT = """\
name = "small"
title = "Small Baccarat"
source = "Written for tests"
effective = "2020-02-29"

[decks]
allowed = [6, 8]
clause = "1"

[[layouts]]
name = "mini-7"
label = "Mini, 7 boxes"
boxes = 7
clause = "1"

[betting]
areas_clause = "1"
late_clause = "1"
late_withdrawal = "refused"
late_withdrawal_clause = "1"

[betting.opens]
by = "call"
clause = "1"
words = { en = "Bets", zh_hans = "下注", zh_hant = "下注" }

[betting.closes]
by = "first-card"
clause = "1"

[limits]
kind = "per-bet"

[play]
naturals = [8, 9]
naturals_clause = "2"
deal_clause = "2"
points_clause = "2"

[[play.player]]
points = [0, 1, 2, 3, 4, 5]
draws = true
clause = "2"

[[play.player]]
points = [6, 7]
draws = false
clause = "2"

[[play.banker]]
points = [0, 1, 2, 3, 4, 5]
player_stood = true
draws = true
clause = "2"

[[play.banker]]
points = [6, 7]
player_stood = true
draws = false
clause = "2"

[[play.banker]]
points = [0, 1, 2, 3, 4, 5]
third = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
draws = true
clause = "2"

[[play.banker]]
points = [6, 7]
third = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
draws = false
clause = "2"

[[declarations]]
name = "natural"
labels = { en = "Natural", zh_hans = "例牌", zh_hant = "例牌" }
when = { natural = true }
clause = "2"

[[bets]]
area = "player"
kind = "main"
hand = "player"
labels = { en = "Player", zh_hans = "闲", zh_hant = "閒" }
clause = "3"
pays = [
  { when = { winner = "player" }, odds = "1:1", clause = "3" },
  { when = { winner = "tie" }, result = "push", clause = "3" },
  { when = { winner = "banker" }, result = "lose", clause = "3" },
]

[[bets]]
area = "pair"
kind = "side"
labels = { en = "Pair", zh_hans = "对", zh_hant = "對" }
clause = "3"
needs = ["player"]
needs_clause = "3"
pays = [
  { when = { player_pair = true }, odds = "11:1", clause = "3" },
  { otherwise = true, result = "lose", clause = "3" },
]

[[bets]]
area = "ante"
kind = "ante"
hand = "player"
labels = { en = "Ante", zh_hans = "底注", zh_hant = "底注" }
clause = "3"
pays = [
  { when = { winner = "player" }, odds = "1:1", clause = "3" },
  { otherwise = true, result = "lose", clause = "3" },
]

[[bets]]
area = "wager"
kind = "wager"
hand = "player"
labels = { en = "Wager", zh_hans = "加注", zh_hant = "加注" }
clause = "3"
pays = [
  { when = { winner = "player" }, odds = "1.5:1", clause = "3" },
  { otherwise = true, result = "lose", clause = "3" },
]

[ante]
label = "Up the ante"
shown_cards = 1
multiple = 2
pairs = [
  { ante = "ante", wager = "wager" },
]
clause = "3"
give_up_clause = "3"
wager_clause = "3"

[insurance]
labels = { en = "Insurance", zh_hans = "保险", zh_hant = "保險" }
tie = "push"
tie_clause = "4"
table_clause = "4"
holder_clause = "4"
draw_clause = "4"
cap_clause = "4"
forgone_clause = "4"
notice_clause = "4"
neglect_clause = "4"
windows = [
  { name = "four", label = "After four cards", cards = 4 },
  { name = "five", label = "After Player's third card", cards = 5 },
]

[[insurance.offers]]
window = "four"
hand = "player"
player_points = [6]
banker_points = [0, 1, 2, 3, 4, 5]
odds = "3:1"
clause = "4"

[[insurance.offers]]
window = "five"
hand = "player"
player_points = [7]
banker_points = [0, 1, 2, 3, 4, 5]
odds = "4:1"
tie = "win"
clause = "4"

[settlement]
order = "counter-clockwise"
clause = "3"

[[irregularities]]
kind = "uncovered"
label = "Anything else"
remedy = "ruling"
orders = "shift-manager"

[[clauses]]
number = "1"
kind = "behaviour"
sense = "Bets, decks and layouts."

[[clauses]]
number = "2"
kind = "behaviour"
sense = "Dealing."

[[clauses]]
number = "3"
kind = "behaviour"
sense = "Paying."

[[clauses]]
number = "4"
kind = "behaviour"
sense = "Insuring."
"""

FILE = "small.toml"


def altered(*changes: tuple[str, str]) -> str:
    """The text with each first occurrence of something replaced."""
    text = TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def read(*changes: tuple[str, str]) -> Book:
    """The small book, altered."""
    return read_book(altered(*changes), FILE)


def complaints(*changes: tuple[str, str]) -> list[str]:
    """What is found wrong with the altered book, a line for each problem; empty when nothing is."""
    try:
        read(*changes)
    except BookError as error:
        return error.lines
    return []


def line(text: str, start: str) -> int:
    """The number of the first line that begins so."""
    return next(i for i, each in enumerate(text.splitlines(), 1) if each.lstrip().startswith(start))
