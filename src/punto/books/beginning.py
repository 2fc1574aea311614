"""A short book to begin with: it extends another one and adds a bet; comments say what may be changed."""

from __future__ import annotations

import json

from punto.rules.book import Book

_TEXT = """\
# {title}
#
# This book takes all of {base} and adds to it. Whatever you write here with the name of something in {base}
# replaces it; anything else is new. Try it:
#
#   punto check {file}           is it right, and what is each bet worth?
#   punto rules {file}           the rules in full, for people
#   punto play {file}            sit down and play it
#   punto rules {file} --toml    the whole book, with everything it takes over
#
# The guide to every key: docs/guides/write-a-rule-book.md

format = 1
extends = {extends}
name = {name}
title = {title_text}
source = "House rules, draft"
# version = "1"
# effective = "2026-01-31"

# What you do not want from {base}, by name: a bet by its area, a clause by its number, a key by its section.
# remove = ["bets.{last}"]

# The number of decks that may be used. Without this section it is as in {base}.
# [decks]
# allowed = [8]
# clause = {clause}

# A new bet. Every possible deal must match exactly one row.
[[bets]]
area = {area}
kind = "side"
labels = {{ en = "Lucky Seven" }}
clause = {clause}
pays = [
  {{ when = {{ winning_points = 7, winning_cards = 3 }}, odds = "9:1", clause = {clause} }},
  {{ when = {{ winning_points = 7, winning_cards = 2 }}, odds = "3:1", clause = {clause} }},
  {{ otherwise = true, result = "lose", clause = {clause} }},
]

# Every rule names a clause, and every clause is written once, in your own words.
[[clauses]]
number = {clause}
kind = "behaviour"
sense = "Lucky Seven pays 9 to 1 when a hand wins with 7 on three cards, and 3 to 1 with 7 on two cards."
"""


def first_book(base: Book, extends: str, file: str, name: str) -> str:
    """The text of a new book file that extends a base; `extends` is how the file calls the base."""
    title = name.replace("-", " ").title()
    return _TEXT.format(
        base=base.title,
        file=file,
        extends=_quoted(extends),
        name=_quoted(name),
        title=title,
        title_text=_quoted(title),
        last=base.bets[-1].area,
        area=_quoted(_free("lucky-seven", {bet.area for bet in base.bets})),
        clause=_quoted(_free("house-1", {clause.number for clause in base.clauses})),
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _free(name: str, taken: set[str]) -> str:
    """The name itself, or with the first number that makes it new."""
    names = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    return next(one for one in names if one not in taken)
