"""A table and the checker's reading of it side by side: every command is given to both, in its JSON form."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec

from punto import books
from punto.cards.card import DECK
from punto.table import Refusal, Step, Table, act, default_terms
from punto.table.command import Command
from punto.table.notation import format_command
from tests.agreement.checker import Bet
from tests.agreement.facts import facts_of
from tests.agreement.second_deal import Fact, Terms
from tests.agreement.second_reading import SecondReading

SEATED = ("Ann", "Ben", "Cat")
STANDING = ("Dee", "Eve")
STAFF = {"Dan": "dealer", "Sue": "pit-supervisor", "Mae": "pit-manager", "Shaw": "shift-manager"}
CARDS = tuple(str(card) for card in DECK) * 4
"""Half of the shoe: a card can go back to it, or prove to be another, and is there all the same."""
BURNED = 390
"""Cards that a table without many cards has burned."""


DECODER: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)


class Disagreement(AssertionError):
    """The table and the checker differ."""


class Compared:
    """A table with random terms, and its second reading."""

    sources: tuple[str, ...] = ("shuffled", "entered", "continuous")
    """Where the cards may come from; a continuous shuffler is never short of them."""

    def __init__(self, book: str, random: Random) -> None:
        self.book, self.random, self.counts = book, random, Counter[str]()
        self.opening: list[Command | str] = []
        """How the table was opened."""
        self.lines: list[Command | str] = []
        """What was done since nothing of an earlier round mattered, and what was refused of it."""
        self.windows: list[int] = []
        """Windows offered in this round."""
        self.cards = random.sample(CARDS, len(CARDS))
        self.table = Table(books.load(book))
        self.read = self._open(is_short_shoe=random.random() < 0.05)

    def _open(self, is_short_shoe: bool) -> SecondReading:
        random, book = self.random, self.book
        sources = self.sources[:2] if is_short_shoe else self.sources
        terms = msgspec.to_builtins(default_terms(books.load(book))) | {
            "decks": 8,
            "chip": random.choice((1, 50, 100)),
            "minimum": random.choice((100, 500, 1_000)),
            "maximum": None,
            "differential": random.choice((2_000, 5_000, 20_000)) if book == "insurance" else None,
            "noticing": random.choice(("strict", "dealer")),
            "rounding": random.choice(("half-up", "up", "down")),
            "faces": random.choice(("up", "up", "down")),
            "offering": random.choice(("automatic", "automatic", "dealer")),
            "source": random.choice(sources),
            "burn": str(BURNED) if is_short_shoe else "none",
            "behind_cut": 0 if is_short_shoe else 14,
        }
        self.act("open-table", "Sue", terms=terms)
        self.load()
        for box, player in enumerate(SEATED, start=1):
            self.act("take-seat", player, box=box)
        self.opening, self.lines = self.lines, []
        own = Terms(
            book,
            terms["chip"],
            terms["minimum"],
            terms["differential"] or 0,
            terms["rounding"],
            faces_down=terms["faces"] == "down",
            offers_itself=terms["offering"] == "automatic",
            is_physical=terms["source"] == "entered",
        )
        read = SecondReading(own)
        read.change(phase="idle", shoe_left=self.shoe_size)
        return read

    def load(self) -> None:
        """A new shoe."""
        self.act("load-shoe")
        if self.table.terms.burn != "none":
            self.act("burn-cards")

    @property
    def shoe_size(self) -> int:
        return 8 * 52 - (BURNED if self.table.terms.burn != "none" else 0)

    def draw(self) -> str:
        """A card that can be the next one out of the shoe."""
        return self.cards.pop() if self.cards else self.random.choice(CARDS)

    # ── Commands ─────────────────────────────────────────────────────────────────────────────────

    def give(self, kind: str, by: str = "Dan", **fields: Any) -> list[dict[str, Any]] | str:
        """Give a command to the table: its events, or the reason of the refusal."""
        told = {"type": kind, "actor": by, "role": STAFF.get(by, "player"), **fields}
        command = DECODER.decode(msgspec.json.encode(told))
        self.lines.append(command)
        step = self.carry_out(command)
        if isinstance(step, Refusal):
            self.counts["refusals"] += 1
            self.lines.append(f"> refused {step.reason.value}")
            return step.reason.value
        self.table = step.table
        events: list[dict[str, Any]] = msgspec.to_builtins(step.events)
        return events

    def carry_out(self, command: Command) -> Step | Refusal:
        """What the table makes of a command."""
        return act(self.table, command)

    def act(self, kind: str, by: str = "Dan", **fields: Any) -> list[dict[str, Any]]:
        """Give a command that must be accepted, and of which the checker does not speak."""
        answer = self.give(kind, by, **fields)
        if isinstance(answer, str):
            raise Disagreement(self.told([], [("refused", answer)]))
        return answer

    def expect(self, expected: list[Fact], kind: str, by: str = "Dan", **fields: Any) -> None:
        """Give a command of which these facts must come."""
        try:
            answer = self.give(kind, by, **fields)
        except Exception as error:
            raise Disagreement(self.told(expected, [("broke", repr(error))])) from error
        came = [("refused", answer)] if isinstance(answer, str) else facts_of(answer)
        if came != expected and Counter(came) != Counter(expected):
            raise Disagreement(self.told(expected, came))
        for fact in expected:
            self.count(fact)

    def told(self, expected: list[Fact], came: list[Fact]) -> str:
        """The difference, and how to see it again."""
        left = Counter(came)
        left.subtract(Counter(expected))
        documents = [f"# the documents: {fact}" for fact, number in left.items() if number < 0]
        table = [f"# the table:     {fact}" for fact, number in left.items() if number > 0]
        done = [line if isinstance(line, str) else format_command(line) for line in (*self.opening, *self.lines)]
        return "\n".join(["they differ", *done, *documents, *table])

    def place(self, player: str, box: int, area: str, amount: int) -> None:
        """A bet: what the table takes of it is laid, what it refuses is not."""
        answer = self.give("place-bet", player, box=box, area=area, amount=amount)
        for event in answer if not isinstance(answer, str) else ():
            if event["type"] == "came-back":  # who walked away and bets in person is there again
                self.read.came_back(event["player"])
                continue
            spot = (event["box"], event["player"], event["area"])
            sign = 1 if event["type"] == "bet-placed" else -1
            bets = self.read.bets
            at = next((i for i, bet in enumerate(bets) if (bet.box, bet.player, bet.area) == spot), None)
            stake = sign * event["amount"] + (bets[at].stake if at is not None else 0)
            if at is None:
                bets.append(Bet(*spot, stake, event["is_seated"]))
            elif stake:
                bets[at] = Bet(*spot, stake, bets[at].is_seated)
            else:
                del bets[at]

    # ── Counts ───────────────────────────────────────────────────────────────────────────────────

    def count(self, fact: Fact) -> None:
        kind, counts = fact[0], self.counts
        counts[kind] += 1
        if kind == "resolved":
            counts[f"found {fact[2]}"] += 1
            counts[f"resolved {fact[3]}"] += 1
        elif kind == "void":
            counts["returned bets"] += len(fact[3])
        elif kind == "options":
            counts["asked"] += len(fact[1])
        elif kind in ("chose", "ruled"):
            counts["returned bets"] += len(fact[-1])
        elif kind == "bets-back":
            counts["returned bets"] += len(fact[1])
        elif kind == "settled":
            counts["settled bets"] += len(fact[2])
        elif kind == "offered":
            counts["re-offers"] += fact[1] in self.windows
            self.windows.append(fact[1])
