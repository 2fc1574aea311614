"""A round as a page for people who disagree about it: what came, who did what when, and by which clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from punto.audit.history.felt import felt_section, slots_text
from punto.audit.history.moment import moment, time_of_day
from punto.audit.history.money_sections import balances_section, settled_sections
from punto.audit.history.people import giver, who
from punto.audit.history.round_history import GivenCommand, Happened, RoundHistory
from punto.documents.page import Block, Grid, Listing, Page, Section
from punto.money import format_money
from punto.rules.labels import label_of
from punto.rules.role import Role
from punto.table import event as e
from punto.table.notation.phrase import format_phrase
from punto.table.words import hand_name


def history_page(history: RoundHistory) -> Page:
    """Everything about a round."""
    table, place = history.table, history.place
    sections = [
        *([felt_section(history.book, history.after, history.at)] if history.at < place.last else []),
        _cards(history),
        _stakes(history),
        *_wrong(history),
        *_given(history),
        *settled_sections(history),
        balances_section(history),
        _everything(history),
        *_clauses(history),
    ]
    return Page(
        f"Round {table.id}/{place.round}",
        tuple(sections),
        subtitle=history.book.title,
        lead=tuple(_lead(history)),
        facts=tuple(_facts(history)),
        header=f"Round {table.id}/{place.round}",
    )


def _facts(history: RoundHistory) -> Iterator[tuple[str, str]]:
    first, last = history.happened[0].event, history.happened[-1].event
    place, terms = history.place, history.end.round_terms
    part = "" if history.at == place.last else f", shown up to {history.at:,}"
    yield "events", f"{place.first:,} to {place.last:,} of table {history.table.id}{part}"
    yield "time", f"{moment(first.time)} to {moment(last.time)}"
    yield "shoe", f"{history.table.id}/{history.end.round_shoe}"
    yield "book", f"{history.book.name}, digest {history.table.digest}"
    yield "amounts", terms.currency
    people = {
        f"{one.event.by} ({one.event.role.value})": None
        for one in history.happened
        if one.event.role is not Role.PLAYER
    }
    yield "house", ", ".join(people) or "nobody"


def _lead(history: RoundHistory) -> Iterator[str]:
    yield outcome(history)
    if history.table.imported:
        yield "This table was imported: commands that were refused and balances were not in its file."
    if history.place.is_last and history.at == history.place.last:
        yield "No later round has been called: more can happen in this one."


def outcome(history: RoundHistory) -> str:
    """What the round came to, in a sentence."""
    void = history.void
    if void is not None:
        clause = getattr(void.event, "clause", None)
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


def _at(one: Happened) -> tuple[str, str]:
    return f"{one.seq:,}", time_of_day(one.event.time)


def _words(one: Happened) -> str:
    """An event in sentences, with the reason that was given for it."""
    told = "\n".join(told.text for told in one.told) or one.event.name().replace("-", " ")
    reason = getattr(one.event, "reason", "")
    return told if not reason or reason in told else f"{told}\nreason: {reason}"


def _cards(history: RoundHistory) -> Section:
    rows, dealt = [], 0
    for one in history.happened:
        if isinstance(one.event, _MOVED):
            rows.append(("", *_at(one), "", "", one.told[0].text, who(one.event)))
        if one.card is None:
            continue
        is_new = one.card.what in ("dealt", "carried")
        dealt += is_new
        words = {
            "dealt": "dealt" if one.card.card else "dealt face down",
            "carried": "carried over from an earlier round",
            "revealed": "turned up",
            "corrected": f"put right, was {one.card.was.symbol if one.card.was else ''}",
        }
        face = one.card.card.symbol if one.card.card else "face down"
        whose = f"{hand_name(one.card.hand)} {one.card.number}"
        rows.append(
            (str(dealt) if is_new else "", *_at(one), whose, face, words[one.card.what], who(one.event))
        )
    heads = ("no.", "event", "time", "hand", "card", "", "by")
    blocks: list[Block] = [Grid(heads, tuple(rows), right=(1,), grows=5)] if rows else []
    end = history.end
    hands = [f"Player: {slots_text(end.player)}", f"Banker: {slots_text(end.banker)}"]
    if end.carried:
        hands.append(f"over, for the next round: {slots_text(end.carried).partition(' = ')[0]}")
    blocks += [Listing(tuple(hands))] if rows or end.player or end.banker else ["No card was dealt."]
    return Section("Cards in order", tuple(blocks))


_MOVED = (
    *(e.CaseOpened, e.EvidenceAdded, e.EvidenceWithdrawn),
    *(e.CardsOrdered, e.CardsReconstructed, e.CardsPlayedAsTheyLie, e.CardsReplaced),
)
"""What is said of cards when something went wrong."""


def _stakes(history: RoundHistory) -> Section:
    rows, on_layout = [], 0
    for one in history.happened:
        for step in one.stakes:
            on_layout += step.change
            area = label_of(history.book, step.stake.area)
            what = ", ".join(filter(None, (step.what, _ante(history, step.note))))
            what = f"back: {what}" if step.change < 0 else what
            change = format_money(step.change, is_signed=True) if step.change else ""
            rows.append(
                (
                    *_at(one),
                    str(step.stake.box),
                    step.stake.player,
                    area,
                    what if step.change else f"{what}: {format_money(step.stake.amount)}",
                    change,
                    step.clause or "",
                )
            )
    if not rows:
        return Section("Who bet what, and when", ("Nobody bet.",))
    heads = ("event", "time", "box", "player", "bet", "what", "stake", "clause")
    return Section("Who bet what, and when", (Grid(heads, tuple(rows), right=(2, 6), grows=5),))


def _ante(history: RoundHistory, note: str) -> str:
    """The note of a wager names its ante."""
    bet = history.book.bet(note)
    return note if bet is None else f"after {bet.labels.en}"


def _wrong(history: RoundHistory) -> Iterator[Section]:
    blocks: list[Block] = []
    for number, happened in history.cases:
        rows = [(*_at(one), who(one.event), _words(one)) for one in happened]
        blocks.append(_story(rows, f"Case {number}"))
    if history.late:
        rows = [(*_at(one), who(one.event), _words(one)) for one in history.late]
        blocks.append(_story(rows, "Found out in a later round"))
    if history.rulings:
        rows = [(*_at(one), who(one.event), _words(one)) for one in history.rulings]
        blocks.append(_story(rows, "Outside a case"))
    if blocks:
        yield Section("What went wrong, and who decided", tuple(blocks))


def _story(rows: Iterable[tuple[str, str, str, str]], title: str = "") -> Grid:
    return Grid(("event", "time", "by", "what"), tuple(rows), title, grows=3)


def _given(history: RoundHistory) -> Iterator[Section]:
    if history.approved:
        rows = []
        for given in history.approved:
            second = given.command.second
            assert second is not None
            both = f"{giver(given.command)}\nand {second.name} ({second.role.value})"
            rows.append((_span(given), time_of_day(given.command.time), both, format_phrase(given.command)))
        grid = Grid(("events", "time", "by both", "command"), tuple(rows), grows=3)
        yield Section("What two people approved", (grid,))
    if history.refused:
        rows = []
        for given in history.refused:
            refusal = given.refusal
            assert refusal is not None
            row = (f"{given.version:,}", time_of_day(given.command.time), giver(given.command))
            rows.append((*row, f"{format_phrase(given.command)}\n{refusal.sentence}"))
        heads = ("after event", "time", "by", "command, and why not")
        yield Section("What was refused", (Grid(heads, tuple(rows), grows=3),))


def _span(given: GivenCommand) -> str:
    if given.first_seq is None or given.last_seq is None:
        return ""
    same = given.first_seq == given.last_seq
    return f"{given.first_seq:,}" if same else f"{given.first_seq:,}–{given.last_seq:,}"


def _everything(history: RoundHistory) -> Section:
    rows = [(*_at(one), who(one.event), _words(one)) for one in history.happened]
    return Section("Everything that happened", (_story(rows),))


def _clauses(history: RoundHistory) -> Iterator[Section]:
    """The clauses that the page names, in the words of the book."""
    named: dict[str, None] = {}
    for one in history.happened:
        named.update(dict.fromkeys(filter(None, [getattr(one.event, "clause", None)])))
    for _, step, _ in history.settlements:
        named.update({line.clause: None for line in step.lines})
    for given in history.refused:
        if given.refusal is not None and given.refusal.clause:
            named[given.refusal.clause] = None
    known = {clause.number: clause.sense for clause in history.book.clauses}
    rows = [(number, known[number]) for number in sorted(named, key=_by_number) if number in known]
    if rows:
        yield Section("The clauses named here", (Grid(("clause", "says"), tuple(rows), grows=1),))


def _by_number(clause: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (0, part) for part in clause.split(".")]
