"""A round as a page for people who disagree about it: what came, who did what and when, the felt at one moment,
every line that was paid, and by which clause. After it the same in fields, for programs: the API answers with them, in
minor units, and the command line prints them with amounts as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from fractions import Fraction

import msgspec

from punto.audit import round_history
from punto.audit.round_history import GivenCommand, Happened, RoundHistory, RoundStep, SettlementStep
from punto.cards.card import Card
from punto.documents.page import Block, Grid, Listing, Page, Section, Style
from punto.documents.text import page_lines
from punto.money import format_exact, format_money
from punto.rules.authority import Role
from punto.rules.book import Book, label_of
from punto.rules.outcome import Result, Winner, insurance_area, shown_odds
from punto.store.record import Dispute
from punto.table import irregularity_events as irregular
from punto.table.default_decision import Decided, DecidedBecause, DefaultDecision
from punto.table.header import EventHeader
from punto.table.state import AnteState, LaidBet, LaidInsurance, OfferMade, Phase, Slot, Stake, State, shown_points
from punto.table.words import hand_name

FIRST_REAL_TIME = 86_400_000
"""Milliseconds: an earlier time than this was made up, in a lesson or a test, and is shown as a number."""


def moment_text(time: int) -> str:
    """A time in full: `2023-11-14 22:13:20.123 UTC`."""
    return str(time) if time < FIRST_REAL_TIME else f"{_iso_time(time).replace('T', ' ')} UTC"


def time_of_day(time: int) -> str:
    return str(time) if time < FIRST_REAL_TIME else _iso_time(time).partition("T")[2]


def _iso_time(time: int) -> str:
    try:
        moment = datetime.fromtimestamp(time // 1000, UTC).replace(microsecond=time % 1000 * 1000)
    except (OverflowError, ValueError, OSError):
        return str(time)  # beyond the calendar
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds")


def who_did(act: EventHeader | RoundStep | GivenCommand) -> str:
    """Who did something: players by name, people of the house with their role."""
    return act.by if act.role is Role.PLAYER else f"{act.by} ({act.role.value})"


PHASE_WORDS = {
    Phase.NEW: "the table is not open yet",
    Phase.IDLE: "between rounds",
    Phase.BETTING: "bets are open",
    Phase.DEALING: "bets are closed, cards are dealt",
    Phase.ANTES: "antes are being decided",
    Phase.FINISHED: "the deal is finished, to be settled",
    Phase.CLOSED: "the table is closed",
}


def felt_section(book: Book, state: State, seq: int) -> Section:
    layout = (_felt_layout(book, state),) if state.stakes else ()
    return Section(f"The table after event {seq:,}", (Listing(tuple(_felt_facts(book, state))), *layout))


def slots_text(slots: tuple[Slot, ...]) -> str:
    """The cards of a hand as they lie, with their points once all lie open."""
    if not slots:
        return "no cards"
    seen = ", ".join(slot.card.symbol if slot.face_up and slot.card else "face down" for slot in slots)
    total = shown_points(slots)
    return seen if total is None else f"{seen} = {total}"


def _felt_facts(book: Book, state: State) -> Iterator[str]:
    yield f"{PHASE_WORDS[state.phase]}{'; the table is paused' if state.is_paused else ''}"
    yield f"Player: {slots_text(state.player)}"
    yield f"Banker: {slots_text(state.banker)}"
    if state.carried:
        yield f"carried over, to come first: {slots_text(state.carried).partition(' = ')[0]}"
    if state.shoe is not None:
        yield f"shoe {state.shoe_number}: {state.shoe.cards_left} of {state.shoe.size} cards left"
    else:
        yield "no shoe in play"
    if state.last_round is not None:
        yield f"the cut card is out: round {state.last_round} is the last of this shoe"
    seats = ", ".join(f"{box} {name}" for box, name in sorted(state.seats.items()))
    yield f"seats: {seats or 'nobody is seated'}"
    if state.away:
        yield f"away: {', '.join(sorted(state.away))}"
    for offer in state.offers:
        assert state.window is not None, "offers are open in a window"
        area = insurance_area(offer.hand, state.window)
        whose = f"{offer.player}, box {offer.box}, {label_of(book, area)}"
        yield f"insurance on offer to {whose}: {shown_odds(offer.odds)}, at most {format_money(offer.most)}"
    if state.forgone or state.walked_off:
        yield f"insurance forgone: {', '.join(sorted(state.forgone | state.walked_off))}"
    for box, player, area in state.antes_open:
        yield f"ante to be decided: {player}, box {box}, {label_of(book, area)}"
    for squeeze in state.squeezes:
        answer = {None: "not answered yet", True: "agreed", False: "refused"}[squeeze.consent]
        yield f"squeeze asked by {squeeze.player}: {squeeze.kind.value}, {answer}"
    if state.case is not None:
        finding = state.case.found
        clause = f", clause {finding.clause}" if finding and finding.clause else ""
        yield f"case {state.case.number} is open: {finding.finding.value if finding else 'not judged'}{clause}"
        if state.case.undecided:
            yield f"still to choose: {', '.join(state.case.undecided)}"
    if state.settled is not None:
        yield "the round is settled; an error of it can still be put right until the next call"


def _felt_layout(book: Book, state: State) -> Grid:
    notes = {AnteState.GIVEN_UP: "ante given up", AnteState.WAGERED: "followed by its wager"}
    lying: list[tuple[LaidBet | LaidInsurance, int, str]] = [
        (bet, bet.stake, notes.get(bet.ante, "under the minimum, noticed" if bet.is_advised else ""))
        for bet in state.bets
    ]
    lying += [(taken, taken.amount, f"{shown_odds(taken.odds)}, after {taken.window} cards") for taken in state.insured]
    rows = tuple(
        (str(bet.box), bet.player, label_of(book, bet.area), format_money(amount), note) for bet, amount, note in lying
    )
    title = "On the layout, settled" if state.settled is not None else "On the layout"
    return Grid(("box", "player", "bet", "stake", ""), rows, title, right=(3,), grows=2)


_RESULT_STYLES = {Result.WIN: Style.GOOD, Result.LOSE: Style.BAD}


def settled_sections(history: RoundHistory) -> Iterator[Section]:
    for step in history.settlements:
        words = f"Settled by {who_did(step)} at event {step.seq:,}, {time_of_day(step.time)}."
        if step.taken_back is not None:
            words += f" Taken back at event {step.taken_back:,}: all of these stakes were in play again."
        heading = "Every line paid" if step.taken_back is None else "A settlement that was taken back"
        yield Section(heading, (words, *_settled_lines(history, step)))


def _settled_lines(history: RoundHistory, step: SettlementStep) -> tuple[Block, ...]:
    if not step.lines:
        return ("There was no bet to settle.",)
    rows = []
    for line in step.lines:
        exact = f"rounded from {format_exact(Fraction(line.exact))}" if line.exact is not None else ""
        amounts = (format_money(line.stake), line.result.value, shown_odds(line.odds) if line.odds else "")
        net = format_money(line.net, is_signed=True)
        area, due = label_of(history.book, line.area), " due" if line.is_due else ""
        kept = f"commission {format_money(line.commission)}{due}"
        notes = ", ".join(filter(None, (kept if line.commission else "", exact)))
        rows.append((str(line.box), line.player, area, *amounts, net, line.clause, notes))
    marks = {i: _RESULT_STYLES[line.result] for i, line in enumerate(step.lines) if line.result in _RESULT_STYLES}
    heads = ("box", "player", "bet", "stake", "", "odds", "net", "clause", "")
    has_notes = any(row[-1] for row in rows)
    cells = rows if has_notes else [row[:-1] for row in rows]
    grid = Grid(heads if has_notes else heads[:-1], tuple(cells), right=(3, 5, 6), grows=2, marks=marks)
    house, commission = -sum(line.net for line in step.lines), sum(line.commission for line in step.lines)
    kept = f", {format_money(commission)} of it commission" if commission else ""
    return grid, f"The house: {format_money(house, is_signed=True)}{kept}."


def balances_section(history: RoundHistory) -> Section:
    heading = "Balances before and after"
    if history.table.imported:
        return Section(heading, ("An imported table has no ledger.",))
    if not history.balances:
        return Section(heading, ("Nobody's money moved.",))
    is_elsewhere = any(one.elsewhere for one in history.balances)
    rows = [
        (
            one.player,
            format_money(one.before),
            format_money(one.here, is_signed=True),
            *((format_money(one.elsewhere, is_signed=True),) if is_elsewhere else ()),
            format_money(one.after),
            format_money(one.held),
        )
        for one in history.balances
    ]
    heads = ("player", "before", "this round", *(("elsewhere",) if is_elsewhere else ()), "after", "of it held")
    return Section(heading, (Grid(heads, tuple(rows), right=range(1, len(heads))), _HELD))


_HELD = (
    "A balance is what the player is free to use and what this table holds for them. What a settlement paid "
    "is held until the next call, because it can be taken back until then."
)


def history_page(history: RoundHistory) -> Page:
    place, title = history.place, f"Round {history.table.id}/{history.place.round}"
    lead = [outcome_sentence(history)]
    if history.table.imported:
        lead.append("This table was imported: commands that were refused and balances were not in its file.")
    if place.is_last and history.at == place.last:
        lead.append("No later round has been called: more can happen in this one.")
    sections = (
        *([felt_section(history.book, history.after, history.at)] if history.at < place.last else []),
        _cards_section(history),
        _stakes(history),
        *_wrong(history),
        *_decided_sections(history),
        *_given_sections(history),
        *settled_sections(history),
        balances_section(history),
        *_dispute_sections(history),
        Section("Everything that happened", (_story(history.happened),)),
        *_clauses(history),
    )
    return Page(title, sections, history.book.title, tuple(lead), tuple(_round_facts(history)), title)


def _round_facts(history: RoundHistory) -> Iterator[tuple[str, str]]:
    events, place = [one.event for one in history.happened], history.place
    part = "" if history.at == place.last else f", shown up to {history.at:,}"
    yield "events", f"{place.first:,} to {place.last:,} of table {history.table.id}{part}"
    yield "time", f"{moment_text(events[0].time)} to {moment_text(events[-1].time)}"
    yield "shoe", f"{history.table.id}/{history.end.round_shoe}"
    yield "book", f"{history.book.name}, digest {history.table.digest}"
    yield "amounts", history.end.round_terms.currency
    people = dict.fromkeys(who_did(event) for event in events if event.role is not Role.PLAYER)
    yield "house", ", ".join(people) or "nobody"


def outcome_sentence(history: RoundHistory) -> str:
    if history.void is not None:
        clause = getattr(history.void.event, "clause", None)
        return f"The round is void{f' by clause {clause}' if clause else ''}: every bet went back."
    hands = f"Player {slots_text(history.end.player)}; Banker {slots_text(history.end.banker)}"
    if history.end.winner is None:
        return f"The deal is not finished: {hands}."
    winner = history.end.winner.value
    words = "A tie" if winner == "tie" else f"{winner.title()} wins"
    times = len(history.settlements)
    state = "settled" if history.end.settled is not None else "not settled"
    again = f", for the {_ORDINALS.get(times, f'{times}.')} time" if times > 1 else ""
    return f"{words}: {hands}. The round is {state}{again}."


_ORDINALS = {2: "second", 3: "third", 4: "fourth"}


def _seq_and_time(one: Happened) -> tuple[str, str]:
    return f"{one.seq:,}", time_of_day(one.event.time)


def _event_words(one: Happened) -> str:
    words = "\n".join(sentence.text for sentence in one.sentences) or one.event.name().replace("-", " ")
    reason = getattr(one.event, "reason", "")
    return words if not reason or reason in words else f"{words}\nreason: {reason}"


def _cards_section(history: RoundHistory) -> Section:
    rows, dealt, end = [], 0, history.end
    for one in history.happened:
        if isinstance(one.event, _OF_CARDS):
            rows.append(("", *_seq_and_time(one), "", "", one.sentences[0].text, who_did(one.event)))
        if (step := one.card) is None:
            continue
        is_new = step.what in ("dealt", "carried")
        dealt += is_new
        words = {
            "dealt": "dealt" if step.card else "dealt face down",
            "carried": "carried over from an earlier round",
            "revealed": "turned up",
            "corrected": f"put right, was {step.was.symbol if step.was else ''}",
        }[step.what]
        face, whose = step.card.symbol if step.card else "face down", f"{hand_name(step.hand)} {step.number}"
        rows.append((str(dealt) if is_new else "", *_seq_and_time(one), whose, face, words, who_did(one.event)))
    heads = ("no.", "event", "time", "hand", "card", "", "by")
    blocks: list[Block] = [Grid(heads, tuple(rows), right=(1,), grows=5)] if rows else []
    hands = [f"Player: {slots_text(end.player)}", f"Banker: {slots_text(end.banker)}"]
    if end.carried:
        hands.append(f"over, for the next round: {slots_text(end.carried).partition(' = ')[0]}")
    blocks += [Listing(tuple(hands))] if rows or end.player or end.banker else ["No card was dealt."]
    return Section("Cards in order", tuple(blocks))


_OF_CARDS = (
    *(irregular.CaseOpened, irregular.EvidenceAdded, irregular.EvidenceWithdrawn, irregular.CardsOrdered),
    *(irregular.CardsReconstructed, irregular.CardsPlayedAsTheyLie, irregular.CardsReplaced),
)
"""What is said of cards when something went wrong."""


def _stakes(history: RoundHistory) -> Section:
    rows = []
    for one in history.happened:
        for step in one.stakes:
            ante = history.book.bet(step.note)  # the note of a wager names its ante
            note = step.note if ante is None else f"after {ante.labels.en}"
            what = ", ".join(filter(None, (step.what, note)))
            what = f"back: {what}" if step.change < 0 else what
            bet = (str(step.box), step.player, label_of(history.book, step.area))
            if step.change:
                moved = (what, format_money(step.change, is_signed=True))
            else:
                moved = (f"{what}: {format_money(step.amount)}", "")
            rows.append((*_seq_and_time(one), *bet, *moved, step.clause or ""))
    heads = ("event", "time", "box", "player", "bet", "what", "stake", "clause")
    grid = Grid(heads, tuple(rows), right=(2, 6), grows=5)
    return Section("Who bet what, and when", (grid if rows else "Nobody bet.",))


def _wrong(history: RoundHistory) -> Iterator[Section]:
    stories = [(happened, f"Case {number}") for number, happened in history.cases]
    stories += [(history.late, "Found out in a later round"), (history.rulings, "Outside a case")]
    blocks = tuple(_story(happened, title) for happened, title in stories if happened)
    if blocks:
        yield Section("What went wrong, and who decided", blocks)


def _story(happened: Sequence[Happened], title: str = "") -> Grid:
    rows = tuple((*_seq_and_time(one), who_did(one.event), _event_words(one)) for one in happened)
    return Grid(("event", "time", "by", "what"), rows, title, grows=3)


_DECIDED_WORDS = {
    Decided.ANTE_GIVEN_UP: "ante given up",
    Decided.CONTINUED: "continues with the round",
    Decided.INSURANCE_FORGONE: "insurance forgone",
    Decided.DRAW_TAKEN: "the dealer draws the cards",
    Decided.CARD_OPENED: "a card was opened by the dealer",
    Decided.BET_RETURNED: "bet returned",
}
_BECAUSE_WORDS = {
    DecidedBecause.TIME: "the time was over",
    DecidedBecause.AWAY: "the player was away",
    DecidedBecause.RULE: "by the rules",
    DecidedBecause.STAFF: "by the house",
}


def _decided_sections(history: RoundHistory) -> Iterator[Section]:
    rows = []
    for one in history.decided:
        bet = "" if one.area is None else f": {label_of(history.book, one.area)}, {format_money(one.amount)}"
        told = (f"{_DECIDED_WORDS[one.what]}{bet}", _BECAUSE_WORDS[one.why], one.clause or "house term")
        rows.append((f"{one.seq:,}", time_of_day(one.time), one.player, *told))
    if rows:
        heads = ("event", "time", "player", "decided", "why", "clause")
        yield Section("What was decided for players", (Grid(heads, tuple(rows), right=(0,), grows=3),))


def _dispute_sections(history: RoundHistory) -> Iterator[Section]:
    rows = []
    for one in history.disputes:
        answer = "not answered yet"
        if one.answered is not None:
            answer = f"{one.answered_by}, {moment_text(one.answered)}: {one.answer}"
        rows.append((one.player, moment_text(one.raised), one.text, answer))
    if rows:
        heads = ("player", "raised", "says", "answer")
        yield Section("Disputes", (Grid(heads, tuple(rows), grows=2),))


def _given_sections(history: RoundHistory) -> Iterator[Section]:
    rows = []
    for one in history.approved:
        both = f"{who_did(one)}\nand {one.second.name} ({one.second.role.value})"
        span = "–".join(f"{seq:,}" for seq in dict.fromkeys((one.first, one.last)) if seq is not None)
        rows.append((span, time_of_day(one.time), both, one.words))
    if rows:
        heads = ("events", "time", "by both", "command")
        yield Section("What two people approved", (Grid(heads, tuple(rows), grows=3),))
    refused = tuple(
        (f"{one.version:,}", time_of_day(one.time), who_did(one), f"{one.words}\n{one.refusal.sentence}")
        for one in history.refused
    )
    if refused:
        heads = ("after event", "time", "by", "command, and why not")
        yield Section("What was refused", (Grid(heads, refused, grows=3),))


def _clauses(history: RoundHistory) -> Iterator[Section]:
    named = {getattr(one.event, "clause", None) for one in history.happened}
    named |= {line.clause for step in history.settlements for line in step.lines}
    named |= {command.refusal.clause for command in history.refused}

    def by_number(row: tuple[str, str]) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdecimal() else (0, part) for part in row[0].split(".")]

    rows = sorted(((each.number, each.sense) for each in history.book.clauses if each.number in named), key=by_number)
    if rows:
        yield Section("The clauses named here", (Grid(("clause", "says"), tuple(rows), grows=1),))


class EventRecord(RoundStep, frozen=True):
    """An event of the round in words."""

    type: str
    clause: str | None
    words: tuple[str, ...]


class CaseRecord(msgspec.Struct, frozen=True):
    """Everything that was done about one case."""

    case: int
    events: tuple[EventRecord, ...]


class HandsRecord(msgspec.Struct, frozen=True):
    """The cards of both hands, null for one that lies face down."""

    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]


class UndecidedAnte(msgspec.Struct, frozen=True):
    """An ante that its player has to decide on."""

    box: int
    player: str
    area: str


class FeltRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The felt of a table at one moment, as everybody could see it; a card that lies face down is null."""

    phase: Phase
    paused: bool
    since: str
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    carried: tuple[Card | None, ...]
    shoe: int
    cards_left: int | None
    last_round: int | None
    seats: dict[str, str]
    away: tuple[str, ...]
    stakes: tuple[Stake, ...]
    window: int | None
    offers: tuple[OfferMade, ...]
    forgone: tuple[str, ...]
    antes_open: tuple[UndecidedAnte, ...]
    case: int | None
    settled: bool


class RoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a round."""

    table: str
    round: int
    shoe: int
    book: str
    digest: str
    currency: str
    imported: bool
    first: int
    last: int
    at: int  # The last event that is looked at.
    outcome: str
    winner: Winner | None
    void: bool
    settled: bool
    hands: HandsRecord
    cards: tuple[round_history.CardStep, ...]
    stakes: tuple[round_history.StakeStep, ...]
    cases: tuple[CaseRecord, ...]
    rulings: tuple[EventRecord, ...]  # What was decided outside a case.
    found_late: tuple[EventRecord, ...]  # Errors of this round that were found out in a later one.
    approvals: tuple[round_history.ApprovedCommand, ...]
    refusals: tuple[round_history.RefusedCommand, ...]
    settlements: tuple[SettlementStep, ...]
    balances: tuple[round_history.PlayerBalance, ...]
    felt: FeltRecord
    events: tuple[EventRecord, ...]
    decided: tuple[DefaultDecision, ...]  # For players who did not decide.
    disputes: tuple[Dispute, ...]


def round_record(history: RoundHistory) -> RoundRecord:
    place, end = history.place, history.end
    return RoundRecord(
        table=history.table.id,
        round=place.round,
        shoe=end.round_shoe,
        book=history.book.name,
        digest=history.table.digest,
        currency=end.round_terms.currency,
        imported=history.table.imported,
        first=place.first,
        last=place.last,
        at=history.at,
        outcome=outcome_sentence(history),
        winner=None if history.void else end.winner,
        void=history.void is not None,
        settled=history.after.settled is not None,
        hands=HandsRecord(_seen_cards(end.player), _seen_cards(end.banker)),
        cards=tuple(one.card for one in history.happened if one.card is not None),
        stakes=tuple(step for one in history.happened for step in one.stakes),
        cases=tuple(CaseRecord(number, _event_records(happened)) for number, happened in history.cases),
        rulings=_event_records(history.rulings),
        found_late=_event_records(history.late),
        approvals=history.approved,
        refusals=history.refused,
        settlements=history.settlements,
        balances=history.balances,
        felt=_felt_record(history.after),
        events=_event_records(history.happened),
        decided=history.decided,
        disputes=history.disputes,
    )


def round_file(history: RoundHistory, kind: str) -> str:
    """A round as a file: `html` and `txt` for people, `json` for programs."""
    if kind == "json":
        return msgspec.json.format(msgspec.json.encode(round_record(history)), indent=2).decode() + "\n"
    page = history_page(history)
    if kind == "txt":
        return "".join(f"{line}\n" for line in page_lines(page))
    from punto.documents.typesetting import html_page

    return html_page(page)


def _event_records(happened: tuple[Happened, ...]) -> tuple[EventRecord, ...]:
    records = []
    for one in happened:
        event, words = one.event, tuple(sentence.text for sentence in one.sentences)
        head = (one.seq, event.time, event.by, event.role)
        records.append(EventRecord(*head, event.name(), getattr(event, "clause", None), words))
    return tuple(records)


def _felt_record(state: State) -> FeltRecord:
    return FeltRecord(
        phase=state.phase,
        paused=state.is_paused,
        since=moment_text(state.since),
        player=_seen_cards(state.player),
        banker=_seen_cards(state.banker),
        carried=_seen_cards(state.carried),
        shoe=state.shoe_number,
        cards_left=None if state.shoe is None else state.shoe.cards_left,
        last_round=state.last_round,
        seats={str(box): name for box, name in sorted(state.seats.items())},
        away=tuple(sorted(state.away)),
        stakes=state.stakes,
        window=state.window,
        offers=state.offers,
        forgone=tuple(sorted(state.forgone | state.walked_off)),
        antes_open=tuple(UndecidedAnte(*ante) for ante in state.antes_open),
        case=None if state.case is None else state.case.number,
        settled=state.settled is not None,
    )


def _seen_cards(slots: tuple[Slot, ...]) -> tuple[Card | None, ...]:
    return tuple(slot.card if slot.face_up else None for slot in slots)
