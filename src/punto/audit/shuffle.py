"""A shuffle that can be checked: from a seed to the order of a shoe and the digest that binds the house to it, what is
published of a shoe, where that is read from, and whether seed, commitment, contributions and every card fit together.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import asdict, replace

from punto.cards.card import Card
from punto.cards.shoe import Composition
from punto.cards.source import SourceKind, seeded_bytes, shuffled
from punto.store.errors import StoreError
from punto.store.reader import Reader
from punto.store.record import Record, record_of_line
from punto.table.dealing import CardDealt
from punto.table.event import Event
from punto.table.house import CardsBurned, ShoeLoaded
from punto.table.irregularity_case import Evidence, Place
from punto.table.irregularity_events import CaseOpened, EvidenceAdded, EvidenceWithdrawn
from punto.table.replay import replayed
from punto.table.shuffling import BytesOpened, BytesPledged, SeedOpened
from punto.table.state import Pledge, State, digest_of_bytes

# Everything down to `check_shoe` is a function of its arguments, so that whoever deals a shoe and whoever checks it
# years later ask the same code. The way from seed to order is named: an old shoe is still checked by its own.
CHACHA20 = "chacha20-fisher-yates-1"  # A keystream of ChaCha20 under a seed of 256 bits; Fisher and Yates without bias.
SHA256_OF_TEXT = "sha256-fisher-yates-1"
"""SHA-256 in counter mode of a text that a person chose: `punto deal --seed` deals the same shoe."""
CHECKABLE = (CHACHA20,)  # Ways to which the house commits: a seed that a person chose is not a secret to be promised.

SEED_BYTES = 32
WHOLE_SHOE, ONE_CARD = 0, 1  # What a keystream is used for: the two never share a byte.
_BLOCK = 4096


class UnknownAlgorithm(Exception):
    """A seed names a way that this version of Punto does not know."""


def order_of(algorithm: str, secret: bytes, decks: int, contributions: Sequence[bytes] = ()) -> tuple[Card, ...]:
    key = shuffle_key(secret, contributions)
    return shuffled(Composition.of_decks(decks).cards(), random_bytes(algorithm, key, WHOLE_SHOE, 0))


def shuffle_key(secret: bytes, contributions: Sequence[bytes]) -> bytes:
    """The key of the keystream: the seed itself, or the seed and the bytes that players added.

    Each contribution stands behind its length, so that two lists of bytes never look the same.
    """
    if not contributions:
        return secret
    added = b"".join(len(value).to_bytes(2, "big") + value for value in contributions)
    return hmac.digest(secret, added, "sha256")


def commitment_of(table: str, shoe: int, decks: int, algorithm: str, secret: bytes) -> str:
    """The digest that binds the house to a seed for this shoe of this table and for no other."""
    bound = {"algorithm": algorithm, "decks": decks, "seed": secret.hex(), "shoe": shoe, "table": table}
    text = json.dumps(bound, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def random_bytes(algorithm: str, key: bytes, use: int, number: int) -> Iterator[int]:
    if algorithm == SHA256_OF_TEXT:
        text = key.decode()
        return seeded_bytes(text if use == WHOLE_SHOE else f"{text}, card {number}")
    if algorithm == CHACHA20:
        return _keystream(key, use, number)
    raise UnknownAlgorithm(f"this version of Punto cannot deal by {algorithm}")


def _keystream(key: bytes, use: int, number: int) -> Iterator[int]:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

    # The first eight of the 16 bytes count blocks; purpose and number are the nonce.
    nonce = bytes(8) + (use << 56 | number).to_bytes(8, "little")
    stream = Cipher(algorithms.ChaCha20(key, nonce), mode=None).encryptor()
    while True:
        yield from stream.update(bytes(_BLOCK))


class PlacedCard(msgspec.Struct, frozen=True):
    """A card, and the place in the shoe that it came from."""

    place: int  # Counted from 1 as cards leave the shoe.
    card: Card
    round: int  # 0 for the card that is shown at the burn of a new table.


class ShoeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was published of one shoe."""

    table: str
    shoe: int
    decks: int
    source: SourceKind = SourceKind.SHUFFLED
    commitment: str  # Empty where nothing was promised.
    seed: str | None  # In hexadecimal digits; None as long as it is not opened.
    algorithm: str
    contributions: tuple[str, ...] = ()  # What was mixed in, as it was told with the seed; what was opened before that.
    pledges: tuple[Pledge, ...] = ()  # In their order, each with its bytes if they were opened.
    dealt: tuple[PlacedCard, ...] = ()  # In the order of events; a card that was put back can stand here twice.

    @property
    def id(self) -> str:
        return f"{self.table}/{self.shoe}"

    @property
    def opened(self) -> tuple[str, ...]:
        """The bytes that players opened, in the order of their pledges."""
        return tuple(pledge.opened for pledge in self.pledges if pledge.opened is not None)


def gathered_record(table: str, shoe: int, steps: Iterable[tuple[State, Record]]) -> ShoeRecord | None:
    """What was published of a shoe, from records with the state before each; None where it was never loaded.

    Stops reading when the seed is opened.
    """
    record: ShoeRecord | None = None
    dealt: list[PlacedCard] = []
    for before, logged in steps:
        event = logged.event
        if isinstance(event, ShoeLoaded) and event.number == shoe:
            assert before.terms is not None
            record = ShoeRecord(
                table=table,
                shoe=shoe,
                decks=event.decks,
                source=before.terms.source,
                commitment=event.commitment,
                seed=None,
                algorithm=event.algorithm,
            )
        elif record is None:
            continue
        elif isinstance(event, SeedOpened) and event.shoe == shoe:
            return replace(record, seed=event.seed, contributions=event.contributions, dealt=tuple(dealt))
        elif before.shoe_number == shoe:
            record = _added(record, event)
            dealt += cards_leaving(before, event)
    return None if record is None else replace(record, contributions=record.opened, dealt=tuple(dealt))


def _added(record: ShoeRecord, event: Event) -> ShoeRecord:
    match event:
        case BytesPledged():
            return replace(record, pledges=(*record.pledges, Pledge(event.player, event.digest)))
        case BytesOpened():
            pledges = tuple(
                replace(pledge, opened=event.value) if pledge.player == event.player else pledge
                for pledge in record.pledges
            )
            return replace(record, pledges=pledges)
        case _:
            return record


def cards_leaving(before: State, event: Event) -> Iterator[PlacedCard]:
    """The cards that an event says have left the shoe in play, with their places."""
    match event:
        case CardsBurned(shown=card) | CardDealt(card=card, carried=False) if (
            card is not None and before.shoe is not None
        ):
            yield PlacedCard(before.shoe.size - before.shoe.cards_left + 1, card, before.round)
        case CaseOpened():
            yield from _brought(before, event.evidence)
        case EvidenceAdded() | EvidenceWithdrawn():
            assert before.case is not None
            yield from _brought(before.case.before, event.evidence)


def _brought(before: State, evidence: Evidence) -> Iterator[PlacedCard]:
    """The cards that reports brought up; `before` is the table before the case.

    Each has the place at which the shoe then stood; evidence that is taken back puts its cards back, and the next card
    comes from the same place again.
    """
    if before.shoe is None or not before.are_cards_in_play:
        return
    back = sum(card.nth is not None and card.lies is Place.SHOE for card in evidence.cards)
    place = before.shoe.size - before.shoe.cards_left - back
    left = [card.card for card in evidence.brought if not card.carried and card.lies is not Place.SHOE]
    for number, card in enumerate(left, start=place + 1):
        if card is not None:
            yield PlacedCard(number, card, before.round)


class ShoeCheck(ShoeRecord, frozen=True, kw_only=True):
    """What came of checking a shoe, with what was published of it."""

    order: tuple[Card, ...] | None = None  # None as long as nobody can compute it.
    matches: bool | None  # Whether everything fits; None where the shoe cannot be checked.
    problems: tuple[str, ...] = ()  # What does not fit, each as a sentence.
    closed: str | None = None  # Why the shoe cannot be checked; None where it was.

    @property
    def compared(self) -> int:
        """Places of the shoe whose cards are known from the table."""
        return len({placed.place for placed in self.dealt})


def check_shoe(record: ShoeRecord) -> ShoeCheck:
    """Find the order of a shoe again from what was published of it, and compare."""
    published = asdict(record)
    if not record.commitment or record.seed is None:
        return ShoeCheck(**published, matches=None, closed=_why_closed(record))
    order, problems = _order_and_problems(record, record.seed)
    return ShoeCheck(**published, order=order, matches=not problems, problems=tuple(problems))


def _order_and_problems(record: ShoeRecord, seed: str) -> tuple[tuple[Card, ...] | None, list[str]]:
    problems = [
        f"the bytes of {pledge.player} are not those that were pledged"
        for pledge in record.pledges
        if pledge.opened is not None and digest_of_bytes(pledge.opened) != pledge.digest
    ]
    if record.contributions != record.opened:
        problems.append("the contributions told with the seed are not those that players opened")
    secret, added = _hex_bytes(seed), [_hex_bytes(value) for value in record.contributions]
    if secret is None or len(secret) != SEED_BYTES:
        return None, [f"the seed is not {2 * SEED_BYTES} hexadecimal digits", *problems]
    if commitment_of(record.table, record.shoe, record.decks, record.algorithm, secret) != record.commitment:
        problems.insert(0, "the seed does not fit the commitment: it is not the one that was promised")
    try:
        order = order_of(record.algorithm, secret, record.decks, [value or b"" for value in added])
    except UnknownAlgorithm as error:
        return None, [*problems, str(error)]
    return order, [*problems, *_wrong_places(record, order)]


def _why_closed(record: ShoeRecord) -> str:
    if record.commitment:
        when = "the first call for bets of the next shoe, or when the table closes"
        return f"the seed of shoe {record.id} is not opened yet: that happens at {when}"
    if record.source is SourceKind.CONTINUOUS:
        why = "it is dealt by a continuous shuffler, which has no order to commit to"
    elif record.source is SourceKind.ENTERED:
        why = "it is a physical shoe, whose cards a person names"
    else:
        why = "its seed was chosen by a person, or it was loaded before tables made commitments"
    return f"shoe {record.id} promises nothing: {why}"


def _wrong_places(record: ShoeRecord, order: tuple[Card, ...]) -> Iterator[str]:
    for placed in record.dealt:
        if not 1 <= placed.place <= len(order):
            yield f"the shoe has no place {placed.place}, from which {placed.card} was dealt"
        elif (due := order[placed.place - 1]) is not placed.card:
            yield f"place {placed.place}, round {placed.round}: {placed.card} was dealt instead of {due}"


def _hex_bytes(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


class WrongRecord(Exception):
    """A file is not a record of a shoe; the sentence says why."""


class ShoesToChoose(Exception):
    """A log holds several shoes, and none was named."""

    def __init__(self, shoes: Sequence[int]) -> None:
        self.shoes = tuple(shoes)
        super().__init__()


def stored_record(reader: Reader, table: str, version: int, shoe: int) -> ShoeRecord | None:
    """The record of a shoe of a stored table; None where the table has not come to it."""
    return gathered_record(table, shoe, steps_of_shoe(reader, table, version, shoe))


def steps_of_shoe(reader: Reader, table: str, version: int, shoe: int) -> Iterator[tuple[State, Record]]:
    """The records from before a shoe was loaded up to a version, each with the state before it."""
    return reader.replayed(table, _before_shoe(reader, table, version, shoe), version)


def _before_shoe(reader: Reader, table: str, version: int, shoe: int) -> int:
    """Where the last snapshot before a shoe stands: shoes are numbered in their order, so it can be halved."""
    last, low, high = 0, 0, version
    while low < high:
        middle = (low + high + 1) // 2
        snapshot = reader.snapshot(table, middle)
        if snapshot is None or snapshot.seq <= last:
            low = middle
        elif snapshot.state.shoe_number < shoe:
            last, low = snapshot.seq, middle
        else:
            high = snapshot.seq - 1
    return last


def read_record(content: bytes, shoe: int | None = None) -> ShoeRecord:
    """The record of a shoe from a file; `shoe` says which, where the file is a log of several."""
    try:
        whole = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        whole = None
    if not isinstance(whole, dict) or "event" in whole or "format" in whole:
        return _of_log(list(_records(content.splitlines())), shoe)
    record = _of_answer(content, has_pledges="pledges" in whole)
    if shoe is not None and shoe != record.shoe:
        raise WrongRecord(f"it is the record of shoe {record.id}, not of shoe {shoe}")
    return record


def _of_answer(content: bytes, *, has_pledges: bool) -> ShoeRecord:
    """What `punto audit shoe --json` prints, as far as it is needed to check the shoe again."""
    try:
        record = msgspec.json.decode(content, type=ShoeRecord)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WrongRecord(f"it is not the record of a shoe: {error}") from None
    if not 1 <= record.decks <= _MOST_DECKS:
        raise WrongRecord(f"a shoe has from 1 to {_MOST_DECKS} decks, not {record.decks}")
    if has_pledges:
        return record
    # Only what was mixed in is told: whether it was pledged cannot be asked.
    pledges = (Pledge("", digest_of_bytes(value) or "", value) for value in record.contributions)
    return replace(record, pledges=tuple(pledges))


_MOST_DECKS = 1_000


def _records(lines: list[bytes]) -> Iterator[Record]:
    # An export begins with a line about the table; a log does not.
    begins = 1 if lines and b'"format"' in lines[0][:200] else 0
    for number, line in enumerate(lines[begins:], start=begins + 1):
        try:
            yield record_of_line(line)
        except (StoreError, RecursionError) as error:
            raise WrongRecord(f"line {number}: {error}") from None


def _of_log(records: list[Record], shoe: int | None) -> ShoeRecord:
    if not records or records[0].seq != 1:
        raise WrongRecord("a log must begin with record 1: punto table log ID prints it whole")
    table = records[0].table
    for seq, record in enumerate(records, start=1):
        if (record.table, record.seq) != (table, seq):
            raise WrongRecord(f"record {seq} of table {table} is missing")
    shoes = [record.event.number for record in records if isinstance(record.event, ShoeLoaded)]
    if shoe is None and len(shoes) > 1:
        raise ShoesToChoose(shoes)
    number = shoe if shoe is not None else next(iter(shoes), 1)
    try:
        gathered = gathered_record(table, number, replayed(records))
    except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise WrongRecord("its records cannot have happened in this order") from None
    if gathered is None:
        raise WrongRecord(f"no shoe {number} was loaded in it")
    return gathered
