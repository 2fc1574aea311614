"""A rule book as a page: what a player asks first comes first, and every statement has its clause.

Everything on it is read off the book, so a user's own book prints as well as a built-in one. The table of
play looks as casinos print it: Banker's points down, Player's third card across.
"""

from __future__ import annotations

from punto.documents.page import Block, Grid, Listing, Page, Section
from punto.rules import wording
from punto.rules.book import Book
from punto.rules.book_text import (
    Ante,
    BookText,
    Call,
    Insurance,
    Irregularity,
    LimitKind,
    Order,
    Replacement,
    Signal,
    Withdrawal,
)
from punto.rules.outcome import Result, shown_odds
from punto.rules.pay_table import Offers
from punto.rules.table_of_play import STOOD, Draw, Play


def play_section(compiled: Book) -> Section:
    """Who draws a third card, read off the compiled table of play."""
    play, table = compiled.play, compiled.text.play
    return Section(
        "Table of play",
        (
            f"Four cards are dealt, to Player and Banker in turn ({table.deal_clause}). "
            f"The higher points win ({play.winner_clause}); equal points are a tie ({play.tie_clause}).",
            Grid(("Player's two cards", "play", "clause"), _player_rows(play, table.naturals_clause)),
            "Banker's two cards, down, and Player's third card, across; D draws, S stands:",
            _banker_grid(play),
            f"Where Player took no card: clause {_draw_clauses(play, is_stood=True)}; "
            f"otherwise clause {_draw_clauses(play, is_stood=False)}.",
        ),
    )


def _player_rows(play: Play, naturals_clause: str) -> tuple[tuple[str, ...], ...]:
    points_by_draw: dict[Draw, list[int]] = {}
    for points, draw in enumerate(play.player):
        if draw is not None:
            points_by_draw.setdefault(draw, []).append(points)
    rows = [(points, f"Player {'draws' if d.draws else 'stands'}", d.clause) for d, points in points_by_draw.items()]
    if play.naturals:
        rows.append((list(play.naturals), "a natural, in either hand: nobody draws", naturals_clause))
    return tuple((wording.number_words(tuple(points)), words, clause) for points, words, clause in rows)


def _banker_grid(play: Play) -> Grid:
    thirds = (*range(10), STOOD)
    rows = []
    for points in range(10):
        draws = [play.banker[third][points] for third in thirds]
        if any(draw is not None for draw in draws):
            rows.append((str(points), *("D" if draw is not None and draw.draws else "S" for draw in draws)))
    return Grid(("Banker", *map(str, range(10)), "none"), tuple(rows))


def _draw_clauses(play: Play, *, is_stood: bool) -> str:
    columns = play.banker[STOOD:] if is_stood else play.banker[:STOOD]
    return wording.either_words(sorted({draw.clause for column in columns for draw in column if draw is not None}))


_ORDERS = {Order.COUNTER_CLOCKWISE: "box by box, counter-clockwise from the dealer's right"}


def rule_book_page(compiled: Book) -> Page:
    book = compiled.text
    date = f"In effect from {book.effective}." if book.effective else "The document names no date."
    sections = [
        _cards_and_layouts(book),
        _areas(book),
        _pays(compiled),
        play_section(compiled),
        *([_insurance(book.insurance, compiled.offers)] if book.insurance else []),
        *([_ante(book.ante)] if book.ante else []),
        _betting(book),
        _calls(book),
        _settlement(book),
        *([_irregularities(book)] if book.irregularities else []),
        *([_authority(book)] if book.authority else []),
        _clauses_section(book),
    ]
    lead = (
        f"{book.source}. {date}",
        f"Its name here is {book.name}. The numbers given with each rule are clauses of that document.",
    )
    return Page(book.title, tuple(sections), lead=lead)


def cited(text: str, clause: str | None) -> str:
    """A statement with the clause it rests on, where the document has one."""
    return f"{text} ({clause})" if clause else text


def _cards_and_layouts(book: BookText) -> Section:
    allowed = book.decks.allowed
    decks = f"{wording.either_words([str(n) for n in allowed])} {'deck' if allowed == (1,) else 'decks'} of 52 cards"
    rows = tuple((layout.name, layout.label, layout.clause or "") for layout in book.layouts)
    return Section(
        "Decks and layouts",
        (cited(f"Played with {decks}", book.decks.clause), Grid(("layout", "boxes", "clause"), rows, grows=1)),
    )


def _areas(book: BookText) -> Section:
    rows = tuple((bet.area, *bet.labels.all, bet.clause) for bet in book.bets)
    blocks: list[Block] = [Grid(("area", "English", "简体", "繁體", "clause"), rows)]
    needs: dict[tuple[tuple[str, ...], str | None], list[str]] = {}
    for bet in book.bets:
        if bet.needs:
            needs.setdefault((bet.needs, bet.needs_clause), []).append(bet.area)
    if needs:
        lines = (
            cited(f"{wording.either_words(areas)} only beside {wording.either_words(others)}", clause)
            for (others, clause), areas in needs.items()
        )
        blocks.append(Listing(tuple(lines)))
    return Section("Betting areas", tuple(blocks))


def _pays(book: Book) -> Section:
    rows = []
    for area, table in book.pay_tables.items():
        for i, row in enumerate(table.rows):
            words = (wording.row_words(row), wording.outcome_words(row.outcome))
            rows.append((area if i == 0 else "", *words, row.outcome.clause))
    blocks: list[Block] = [Grid(("area", "when", "pays", "clause"), tuple(rows), right=(2,), grows=1)]
    kept = (
        cited(f"Of a win of {area} the house keeps a commission of {row.commission.rate}", row.commission.clause)
        for area, row in ((bet.area, row) for bet in book.bets for row in bet.pays)
        if row.commission is not None
    )
    if commissions := tuple(kept):
        blocks.append(Listing(commissions))
    if ordered := [bet.area for bet in book.bets if bet.first_match]:
        blocks.append(f"Of these the first row that holds counts: {', '.join(ordered)}.")
    return Section("What bets pay", tuple(blocks))


def _insurance(insurance: Insurance, offers: Offers) -> Section:
    rows = []
    for row, offer in zip(insurance.offers, offers.rows, strict=True):
        points = map(wording.number_words, (row.player_points, row.banker_points))
        pays = (shown_odds(offer.odds), _tie_words(offer.on_tie.result), row.clause)
        rows.append((row.hand.value.title(), offer.window.label, *points, *pays))
    head = ("insured", "offered", "Player", "Banker", "pays", "on a tie", "clause")
    bounds = (
        cited(f"On a tie it is {_tie_words(insurance.tie)}, unless the table says otherwise", insurance.tie_clause),
        cited("Only on one's own bet on that hand", insurance.holder_clause),
        cited("Only while the table of play still brings a card", insurance.draw_clause),
        cited("What insurance on a bet pays in all never exceeds the bet", insurance.cap_clause),
        cited("An offer passed up ends insurance for the round", insurance.forgone_clause),
        cited("A private table may do without insurance, and shows a notice", insurance.notice_clause),
    )
    lead = f"{insurance.labels.en}{insurance.labels.chinese} is paid when the insured hand loses."
    return Section("Insurance", (lead, Grid(head, tuple(rows), right=(4,), grows=1), Listing(bounds)))


def _tie_words(tie: Result) -> str:
    return {Result.WIN: "paid", Result.PUSH: "returned", Result.LOSE: "lost"}[tie]


def _ante(ante: Ante) -> Section:
    pairs = tuple((pair.ante, pair.wager) for pair in ante.pairs)
    cards = "the first card is" if ante.shown_cards == 1 else f"the first {ante.shown_cards} cards are"
    choices = (
        cited("either it is given up and lost", ante.give_up_clause),
        cited(f"or a wager of exactly {ante.multiple} times the ante is laid beside it", ante.wager_clause),
    )
    lead = cited(f"{ante.label}: {cards} shown, and then each ante is decided", ante.clause)
    return Section("Antes", (lead, Listing(choices), Grid(("ante", "its wager"), pairs)))


def _betting(book: BookText) -> Section:
    betting, limits = book.betting, book.limits
    withdrawal = {
        Withdrawal.REFUSED: "After the close no bet is taken off",
        Withdrawal.IN_FORCE: "A bet taken off after the close stays in force: it wins or loses",
    }
    kinds = {
        LimitKind.PER_BET: "Least and greatest amounts hold for each bet; the table sets them",
        LimitKind.DIFFERENTIAL: (
            "The table sets a least bet, and by how much Banker and Player bets of a box may differ"
        ),
    }
    blocks = (
        cited(f"Bets open {_signal_words(betting.opens)}", betting.opens.clause),
        cited(f"Bets close {_signal_words(betting.closes)}", betting.closes.clause),
        cited("After the close nothing is placed or raised", betting.late_clause),
        cited(withdrawal[betting.late_withdrawal], betting.late_withdrawal_clause),
        cited(kinds[limits.kind], limits.shown_clause),
    )
    return Section("When bets open and close", (Listing(blocks),))


def _signal_words(call: Call) -> str:
    if call.by is Signal.FIRST_CARD:
        return "with the first card out of the shoe"
    if call.words is None:
        return "when the dealer calls"
    return f'with the call "{call.words.en}"{call.words.chinese}'


def _calls(book: BookText) -> Section:
    rows = tuple((d.name, *d.labels.all, wording.condition_words(d.when), d.clause) for d in book.declarations)
    grid = Grid(("name", "English", "简体", "繁體", "when", "clause"), rows, grows=4)
    return Section("What is declared", (grid if rows else "Nothing beside the winner.",))


def _settlement(book: BookText) -> Section:
    blocks = [cited(f"Bets are settled {_ORDERS[book.settlement.order]}", book.settlement.clause)]
    if book.settlement.void_clause:
        blocks.append(cited("A void round returns every bet", book.settlement.void_clause))
    if book.squeeze:
        blocks.append(cited("At a face-down table, who has the highest bet may squeeze", book.squeeze.clause))
    return Section("Settlement", (Listing(tuple(blocks)),))


def _irregularities(book: BookText) -> Section:
    # Columns of prose do not fit side by side, so what is done and who decides stand under what happened.
    rows = []
    for entry in book.irregularities:
        decider = wording.decider_words(entry)
        who = f"\nWho decides: {decider}." if decider else ""
        rows.append((f"{entry.label}:\n{_remedy_words(entry)}.{who}", entry.clause or ""))
    head = ("what happened, what is done and who decides", "clause")
    return Section("Irregularities", (Grid(head, tuple(rows), grows=0),))


def _authority(book: BookText) -> Section:
    rows = []
    for entry in book.authority:
        roles = wording.either_words([wording.rank_name(role) for role in entry.roles])
        rows.append(
            (entry.command, roles, wording.rank_words(entry.second) if entry.second else "", entry.clause or "")
        )
    return Section("Who may do what", (Grid(("command", "given by", "agreed by", "clause"), tuple(rows), grows=1),))


def _remedy_words(irregularity: Irregularity) -> str:
    words = [cited(wording.remedy_words(irregularity.remedy), irregularity.void_clause)]
    if options := wording.options_words(irregularity.options):
        words.append(cited(options, irregularity.options_clause))
    replaced = {Replacement.MAY: "the cards may be replaced", Replacement.MUST: "the cards are replaced"}
    if irregularity.replace_cards in replaced:
        words.append(cited(replaced[irregularity.replace_cards], irregularity.replace_clause))
    return "; ".join(words)


def _clauses_section(book: BookText) -> Section:
    rows = tuple(
        (clause.number, clause.sense + (f"\nRead so: {clause.reading}" if clause.reading else ""))
        for clause in book.clauses
    )
    return Section("The clauses, in our words", (Grid(("clause", "its sense"), rows, grows=1),))
