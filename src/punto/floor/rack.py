"""The rack of a table: its chips by value, as people counted them, beside what the ledger says should be there.

An opener begins a rack and a closer ends it; fills bring chips from the cage, credits take them back, and a count looks
in between. Every slip has a number and two people: one from the table, one from the cage or the pit.

The ledger keeps on paying from the house bank what a round costs (its own fills and credits), with a rack or
without: that moves no chip, and never stops a settlement. What should lie in the rack follows from it all the same:
the opener, fills less credits, and what the table has won since. Stakes that lie on the layout are not in the rack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum

import msgspec

from punto.floor.house_rules import house_rules
from punto.floor.loaded_table import BookCache, load_table
from punto.ledger.movement import MOST_AT_CASHIER
from punto.money import Money, format_amount, format_money, parse_amount
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER, PIT_ROLES, Role
from punto.store import cage
from punto.store.cage import CLOSER, OPENER, StoredSlip
from punto.store.pit import lock_keys
from punto.store.reader import Reader
from punto.store.record import json_text
from punto.store.store import Store
from punto.store.transaction import Transaction
from punto.table.header import CommandHeader, Person

MOST_CHIPS = 1_000_000  # Of one value, in one count.
MOST_VALUES = 40  # Different values in one count.


class SlipKind(Enum):
    """What is done to a rack."""

    OPEN = OPENER
    FILL = "fill"
    CREDIT = "credit"
    COUNT = "count"
    CLOSE = CLOSER


_COUNTED = (SlipKind.COUNT, SlipKind.CLOSE)


class ChipCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chips, notes or coins of one value."""

    value: Money
    count: int


Chips = tuple[ChipCount, ...]


class RackSlip(msgspec.Struct, frozen=True):
    """A slip of a rack. Amounts are minor units."""

    number: int
    table: str
    kind: SlipKind
    chips: Chips
    amount: Money
    time: int
    by: Person
    second: Person
    expected: Money | None = None  # Where chips were counted: what should have been there by the ledger.
    difference: Money | None = None  # What was counted, less that.


class Rack(msgspec.Struct, frozen=True):
    """The rack of a table since its last opener. Amounts are minor units."""

    table: str
    currency: str
    is_open: bool
    opener: Money
    fills: Money
    credits: Money
    win: Money  # What the table has won since, less what it has lost.
    expected: Money  # Opener, fills less credits, and win.
    chips: Chips  # What was counted last, with fills and credits since; play has changed it meanwhile.
    slips: tuple[RackSlip, ...]


class AddSlip(CommandHeader, frozen=True, kw_only=True, tag="rack-slip"):
    """A slip as it waits for the second person."""

    table: str
    kind: SlipKind
    chips: Chips


def amount_of(chips: Chips) -> int:
    return sum(chip.value * chip.count for chip in chips)


_CHIPS = re.compile(r"(\d+(?:\.\d+)?)[x×](\d{1,7})", re.ASCII)


def parse_chips(texts: Iterable[str]) -> Chips:
    """Chips as people write them, `100x20 25x40`: their value and their number; `ValueError` says what is wrong."""
    counted: dict[int, int] = {}
    for text in texts:
        match = _CHIPS.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} are not chips; write their value, x and their number, such as 100x20")
        value = parse_amount(match[1])
        if value in counted:
            raise ValueError(f"chips of {match[1]} are named twice")
        counted[value] = int(match[2])
    return _sorted(counted)


def _sorted(counted: Mapping[int, int]) -> Chips:
    return tuple(ChipCount(value, count) for value, count in sorted(counted.items(), reverse=True))


def encode_chips(chips: Chips) -> str:
    return json_text({str(chip.value): chip.count for chip in _sorted({chip.value: chip.count for chip in chips})})


def decode_chips(text: str) -> Chips:
    return _sorted({int(value): count for value, count in msgspec.json.decode(text, type=dict[str, int]).items()})


def refuse_chips(chips: Chips) -> Refusal | None:
    """Why chips cannot be those of a count: two entries of one value, or more than anybody has."""
    values = [chip.value for chip in chips]
    if not all(chip.value > 0 and 0 <= chip.count <= MOST_CHIPS for chip in chips):
        return Refusal(Reason.WRONG_CHIPS, None, {"problem": "each has a value, and up to a million are counted"})
    if len(set(values)) < len(values):
        return Refusal(Reason.WRONG_CHIPS, None, {"problem": "one value is named twice"})
    if len(values) > MOST_VALUES or amount_of(chips) > MOST_AT_CASHIER:
        return Refusal(Reason.WRONG_CHIPS, None, {"problem": "there are too many"})
    return None


def needs_of(role: Role) -> Role:
    """The least rank of whoever agrees to a slip: beside the cage anybody of the table, beside a dealer the pit."""
    return Role.DEALER if role is Role.CASHIER else Role.PIT_SUPERVISOR


def refuse_people(by: Person, second: Person | None) -> Refusal | None:
    """Two people stand behind a slip: one of the table (dealer or pit), one of the cage or the pit."""
    if second is not None and by.name != second.name:
        roles = ((by.role, second.role), (second.role, by.role))
        if any(one in LADDER and other in (Role.CASHIER, *PIT_ROLES) for one, other in roles):
            return None
    return Refusal(Reason.TWO_PEOPLE, None)


def rack_of(reader: Reader, table: str) -> Rack | Refusal:
    """The rack of a table as it should be now; of one that is closed, as it was at its closer."""
    slips = cage.slips_of(reader, table)
    if not slips:
        return Refusal(Reason.NO_RACK, None, {"table": table})
    closer = slips[-1] if slips[-1].kind == CLOSER else None
    sums = _sums(slips)
    if closer is not None:
        assert closer.expected is not None, "a closer is counted"
        win = closer.expected - sums[OPENER] - sums["fill"] + sums["credit"]
    else:
        win = cage.won_since(reader, table, slips[0].movement)
    expected = sums[OPENER] + sums["fill"] - sums["credit"] + win
    amounts = sums[OPENER], sums["fill"], sums["credit"], win, expected
    told = tuple(map(_told, slips))
    return Rack(table, _currency(reader, table), closer is None, *amounts, _chips_of(told), told)


def _sums(slips: Iterable[StoredSlip]) -> dict[str, int]:
    sums = {kind.value: 0 for kind in SlipKind}
    for slip in slips:
        sums[slip.kind] += slip.amount
    return sums


def _chips_of(slips: Iterable[RackSlip]) -> Chips:
    counted: dict[int, int] = {}
    for slip in slips:
        own = {chip.value: chip.count for chip in slip.chips}
        if slip.kind not in (SlipKind.FILL, SlipKind.CREDIT):
            counted = own
            continue
        sign = 1 if slip.kind is SlipKind.FILL else -1
        for value, count in own.items():
            counted[value] = counted.get(value, 0) + sign * count
    # More may have gone back of one value than was counted: play brings and takes chips of every value.
    return _sorted({value: max(0, count) for value, count in counted.items()})


def _told(slip: StoredSlip) -> RackSlip:
    people = Person(slip.actor, Role(slip.role)), Person(slip.second, Role(slip.second_role))
    what = (slip.number, slip.table_id, SlipKind(slip.kind), decode_chips(slip.chips), slip.amount, slip.time_ms)
    difference = slip.amount - slip.expected if slip.expected is not None else None
    return RackSlip(*what, *people, slip.expected, difference)


def _currency(reader: Reader, table: str) -> str:
    stored = reader.table(table)
    assert stored is not None
    return load_table(reader, BookCache(), stored).table.terms.currency


class Racks:
    """The racks of a house: slips are decided on while nobody else can play at the table or count its chips."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, command: AddSlip, now: int) -> RackSlip | Refusal:
        """Carry out a slip that two people stand behind; the same key of the same person has the same slip again."""
        with self._store.write() as transaction:
            if command.key:
                lock_keys(transaction, [(command.actor, command.key)])
            # A table is locked before the cage, by everybody: no settlement comes between count and ledger.
            is_there = bool(transaction.lock_tables([command.table]))
            cage.lock_cage(transaction)
            if command.key and (before := cage.slip_under_key(transaction, command.actor, command.key)) is not None:
                return _told(before)
            refusal = self._refuse(transaction, command, is_there=is_there)
            if refusal is None:
                refusal = refuse_people(Person(command.actor, command.role), command.second)
            return refusal or self._added(transaction, command, now)

    def refuse(self, command: AddSlip) -> Refusal | None:
        """Why a slip would be refused whoever agreed; nobody is asked to decide about such a one."""
        with self._store.read() as reader:
            return self._refuse(reader, command, is_there=reader.table(command.table) is not None)

    def _refuse(self, reader: Reader, command: AddSlip, *, is_there: bool) -> Refusal | None:
        if not is_there:
            return Refusal(Reason.NO_RACK, None, {"table": command.table})
        stored = reader.table(command.table)
        if stored is not None and stored.imported:
            return Refusal(Reason.TABLE_IMPORTED, None, {"table": command.table})
        if command.role not in (*LADDER, Role.CASHIER):
            return Refusal(Reason.TWO_PEOPLE, None)
        if refusal := refuse_chips(command.chips):
            return refusal
        if command.kind in (SlipKind.FILL, SlipKind.CREDIT) and not amount_of(command.chips):
            return Refusal(Reason.WRONG_CHIPS, None, {"problem": "there are none"})
        rack = rack_of(reader, command.table)
        is_open = isinstance(rack, Rack) and rack.is_open
        if command.kind is SlipKind.OPEN:
            return Refusal(Reason.RACK_OPEN, None, {"table": command.table}) if is_open else None
        if not is_open or isinstance(rack, Refusal):
            return Refusal(Reason.NO_RACK, None, {"table": command.table})
        if command.kind is SlipKind.CREDIT and amount_of(command.chips) > rack.expected:
            return Refusal(Reason.RACK_SHORT, None, {"most": format_amount(max(0, rack.expected))})
        return None

    def _added(self, transaction: Transaction, command: AddSlip, now: int) -> RackSlip:
        expected, second = None, command.second
        assert second is not None
        if command.kind in _COUNTED:
            rack = rack_of(transaction, command.table)
            assert isinstance(rack, Rack)
            expected = rack.expected
        what = (command.kind.value, encode_chips(command.chips), amount_of(command.chips), expected)
        people = (command.actor, command.role.value, second.name, second.role.value)
        place = (cage.last_movement(transaction), now)
        slip = cage.add_slip(transaction, StoredSlip(0, command.table, *what, *place, *people, command.key or None))
        told = _told(slip)
        if told.difference is not None:
            name = f"rack/{command.table}/{slip.number}"
            report_difference(transaction, name, told.difference, (command.actor, second.name), now, told.expected or 0)
        return told


def report_difference(
    transaction: Transaction, name: str, difference: int, people: tuple[str, str | None], now: int, expected: int
) -> None:
    """Make a significant event of a difference beyond what the house lets pass (New Jersey 13:69D-1.21)."""
    most = house_rules(transaction).rack_difference
    if most is not None and abs(difference) > most:
        what = {"expected": expected, "counted": expected + difference, "difference": difference}
        cage.note_difference(transaction, name, people, now, what)


_SLIP_WORDS = {kind: kind.value for kind in SlipKind} | {SlipKind.OPEN: "opener", SlipKind.CLOSE: "closer"}


def slip_words(slip: RackSlip) -> str:
    """A slip in one line: its number, what was done, and by whom."""
    people = f"{slip.by.name} and {slip.second.name}"
    words = f"slip {slip.number}: {_SLIP_WORDS[slip.kind]} of {slip.table}, {format_money(slip.amount)}, by {people}"
    if slip.difference is None or slip.expected is None:
        return words
    return (
        f"{words}; expected {format_money(slip.expected)}, difference {format_money(slip.difference, is_signed=True)}"
    )
