"""The workspace of a kernel: hundreds of shoes side by side, each a lane, each row one number of all lanes.

No shoe is ever shuffled. A lane keeps how many cards of each rank are left, as counts of "cards above this
rank", and a card is drawn by comparing one random number with all of them. One flat array with constant
offsets lets the compiler see that rows never overlap.

Ranks have codes in the order 10 J Q K A 2 … 9, so that the points of a code are code - 3, or 0 below that,
and code 0 can stand for "no card".
"""

from __future__ import annotations

from punto.cards.card import Rank

LANES = 256
"""Shoes side by side: few enough that the workspace stays in the processor's nearest cache."""

RANKS = len(Rank)
COURTS = 3
"""Codes up to this one count nothing."""

CODE_RANKS: tuple[Rank, ...] = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, *tuple(Rank)[:9])
"""The rank of each code."""

ABOVE = 0
"""Rows 0 to 11: cards left whose code is above 0, …, above 11."""
UNSEEN = 12
"""Cards nobody has seen: those left and those burned face down."""
LIMIT = 13
"""The cut card is out when no more cards than this are unseen."""
FLOOR = 14
"""With fewer unseen than this a round might not be finished, so none is begun."""
PAST = 15
"""Rounds begun with the cut card out."""
ROUND = 16
"""Number of the next round of the shoe, from 1."""
DRAW = 17
"""Rows 17 to 22: the six draws of a round."""
TOTALS_ROW = 23
PAIRS_ROW = 24
"""Pair of Player × `PAIR_CODES` + pair of Banker; 0 for none, else code + 1."""
FOUR = 25
"""Codes of the first four cards in dealing order, four bits each."""
THIRDS = 26
"""Codes of the fifth and sixth card, then whether Player drew and whether Banker drew."""
LIVE = 27
"""1 while the lane has a shoe to play."""
ROWS = 28

PAIR_CODES = 1 + RANKS
SUITED_CODES = 1 + 2 * RANKS
"""Where suits are drawn too: 1 + 2 × code, and 1 more if the pair is suited."""
