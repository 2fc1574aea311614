"""The calls of whoever plays, deals or looks on: sessions, tables, the pit, books, and their own account."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from punto.client.api_call import (
    AnyCommand,
    ApiCall,
    Json,
    Method,
    card_names,
    command_body,
    limit_fields,
    own_fields,
    part,
    read,
    role_or_none,
    send,
)
from punto.floor.answers import (
    Account,
    AccountStatement,
    Approval,
    BegunFactor,
    CommandAnswer,
    DecidedAnswer,
    EventsAnswer,
    Exclusion,
    Joined,
    Limit,
    LoggedInAnswer,
    OpenedTable,
    OpenSession,
    PlayerLimits,
    PlayerPlay,
    RecoveryCodes,
    SecondFactorStatus,
    ShownTable,
    TicketAnswer,
    Waiting,
)
from punto.inputs import AnyCards, AnyRole, cards_of, role_of
from punto.roads.roads import RoundResult, parse_results
from punto.rules.authority import Role
from punto.store.record import Dispute, Member, PitCall
from punto.table.terms import Terms


class FloorCalls:
    """Calls about tables, books and your own account."""

    # Sessions.

    @Method
    def log_in(self, name: str, password: str, code: str | None = None) -> ApiCall[LoggedInAnswer]:
        """Open a session; every later call is made by this person. With a second factor, `code` is needed too."""
        return send("POST", "/sessions", name=name, password=password, code=code)

    @Method
    def enter(self, code: str) -> ApiCall[LoggedInAnswer]:
        """Come in by the link that a demonstration shows when it starts."""
        return send("POST", "/sessions/entry", code=code)

    @Method
    def log_out(self) -> ApiCall[None]:
        """Log out."""
        return ApiCall("DELETE", "/sessions/current", ends_session=True)

    @Method
    def current_session(self) -> ApiCall[Json]:
        """Who you are, and when you logged in before."""
        return read("/sessions/current")

    @Method
    def authenticate(self, password: str) -> ApiCall[Json]:
        """Give your password again, for acts that ask for it."""
        return send("POST", "/sessions/current/authenticate", password=password)

    @Method
    def sessions(self) -> ApiCall[tuple[OpenSession, ...]]:
        """Your open sessions, with where they were opened from."""
        return read("/sessions", inner="sessions")

    @Method
    def end_session(self, session: str) -> ApiCall[None]:
        """End a session of yours, or as an administrator anybody's."""
        return send("DELETE", f"/sessions/{part(session)}")

    @Method
    def ticket(self) -> ApiCall[TicketAnswer]:
        """A ticket for one stream: used once, within 30 seconds."""
        return send("POST", "/tickets")

    # Tables.

    @Method
    def tables(self, role: AnyRole | None = None) -> ApiCall[tuple[ShownTable, ...]]:
        """Every table, as you see it."""
        return read("/tables", inner="tables", role=role_or_none(role))

    @Method
    def table(self, id: str, role: AnyRole | None = None) -> ApiCall[ShownTable]:
        """A table as you see it in a role, with what you may do."""
        return read(f"/tables/{part(id)}", role=role_or_none(role))

    @Method
    def open_table(
        self, id: str, book: str, terms: Terms | Mapping[str, Any] | None = None, role: AnyRole = Role.PIT_SUPERVISOR
    ) -> ApiCall[OpenedTable]:
        """Open a table; without terms, by those that the book begins with."""
        return send("POST", "/tables", table=id, book=book, role=role_of(role), terms=terms)

    @Method
    def events(self, id: str, after: int = 0, limit: int = 100, role: AnyRole | None = None) -> ApiCall[EventsAnswer]:
        """Events of a table after one of them, as you may see them."""
        return read(f"/tables/{part(id)}/events", after=after, limit=limit, role=role_or_none(role))

    @Method
    def give(
        self,
        id: str,
        command: AnyCommand,
        role: AnyRole = Role.PLAYER,
        *,
        expected: int | None = None,
        key: str | None = None,
    ) -> ApiCall[CommandAnswer | Waiting]:
        """Give a command; `key` is drawn unless you send the same command again. It may wait for a second person."""
        return ApiCall("POST", f"/tables/{part(id)}/commands", command_body(command, role, expected=expected, key=key))

    @Method
    def dealing(self, id: str) -> ApiCall[Json]:
        """Who deals at a table and since when, who dealt before, and how many rounds an hour."""
        return read(f"/tables/{part(id)}/dealing")

    @Method
    def running(self, id: str) -> ApiCall[Json]:
        """Who deals at a table, at which pace, and which bots sit there."""
        return read(f"/tables/{part(id)}/running")

    @Method
    def run_table(
        self, id: str, dealer: str, pace: Mapping[str, Any] | None = None, bots: Iterable[str] = ()
    ) -> ApiCall[Json]:
        """Have a table dealt by the house or by a person, and seat bots."""
        return send("PUT", f"/tables/{part(id)}/running", dealer=dealer, pace=pace, bots=tuple(bots))

    @Method
    def roads(self, id: str) -> ApiCall[Json]:
        """The five roads of the shoe in play, every mark in its place."""
        return read(f"/tables/{part(id)}/roads")

    @Method
    def history(
        self, id: str, limit: int | None = None, before: int | None = None, role: AnyRole | None = None
    ) -> ApiCall[Json]:
        """The last rounds, with what became of your bets."""
        return read(f"/tables/{part(id)}/history", limit=limit, before=before, role=role_or_none(role))

    @Method
    def round_steps(self, id: str, round: int, role: AnyRole | None = None) -> ApiCall[Json]:
        """A round that is over, step by step."""
        return read(f"/tables/{part(id)}/rounds/{round}", role=role_or_none(role))

    @Method
    def statistics(self, id: str, role: AnyRole | None = None) -> ApiCall[Json]:
        """The shoe in play in numbers, beside exact chances."""
        return read(f"/tables/{part(id)}/statistics", role=role_or_none(role))

    @Method
    def cases(self, id: str, role: AnyRole | None = None) -> ApiCall[Json]:
        """The open case, and the irregularities of the last rounds."""
        return read(f"/tables/{part(id)}/cases", role=role_or_none(role))

    @Method
    def odds(self, id: str, shoe: str | None = None) -> ApiCall[Json]:
        """Exact odds of every bet, for a `fresh` shoe or, with `live`, for the cards not yet seen."""
        return read(f"/tables/{part(id)}/odds", shoe=shoe)

    @Method
    def advice(self, id: str, cards: AnyCards = "", shoe: str | None = None) -> ApiCall[Json]:
        """What every bet is worth after these cards of a round."""
        return send("POST", f"/tables/{part(id)}/advice", cards=cards_of(cards), shoe=shoe)

    @Method
    def watch_tables(self) -> ApiCall[Json]:
        """Every table as it was before the delay that the house has set, without a session."""
        return read("/watch/tables")

    @Method
    def watch_table(self, id: str) -> ApiCall[Json]:
        """A table as it was before that delay."""
        return read(f"/watch/tables/{part(id)}")

    @Method
    def watch_roads(self, id: str) -> ApiCall[Json]:
        """The roads of its shoe as they were before that delay."""
        return read(f"/watch/tables/{part(id)}/roads")

    @Method
    def watch_round(self, id: str, round: int) -> ApiCall[Json]:
        """A round that was over before that delay, step by step."""
        return read(f"/watch/rounds/{part(id)}/{round}")

    @Method
    def watch_shoe(self, id: str, shoe: int) -> ApiCall[Json]:
        """What proves a shoe that was over before that delay."""
        return read(f"/watch/shoes/{part(id)}/{shoe}")

    @Method
    def watch_book(self, digest: str) -> ApiCall[Json]:
        """A rule book that a table which anybody may see is played by."""
        return read(f"/watch/books/{part(digest)}")

    # A second person, the pit, disputes.

    @Method
    def approvals(self) -> ApiCall[tuple[Approval, ...]]:
        """What waits for a second person: yours to decide, and what you asked for."""
        return read("/approvals", inner="approvals")

    @Method
    def approval(self, approval: str) -> ApiCall[Approval]:
        """One of them, decided or not."""
        return read(f"/approvals/{part(approval)}")

    @Method
    def decide(self, approval: str, decision: str = "approve") -> ApiCall[DecidedAnswer]:
        """Approve or decline what waits for a second person."""
        return send("POST", f"/approvals/{part(approval)}", decision=decision)

    @Method
    def call_pit(self, id: str, reason: str | None = None) -> ApiCall[PitCall]:
        """Call somebody from the pit to a table; the open call where there is one already."""
        return send("POST", f"/tables/{part(id)}/pit-calls", reason=reason)

    @Method
    def pit_calls(self) -> ApiCall[tuple[PitCall, ...]]:
        """Calls that nobody has answered, and those that somebody is coming to."""
        return read("/pit-calls", inner="calls")

    @Method
    def answer_pit_call(self, call: str, answer: str = "coming") -> ApiCall[PitCall]:
        """Say that you are coming, or with `cleared` end the call."""
        return send("POST", f"/pit-calls/{part(call)}", answer=answer)

    @Method
    def dispute(self, id: str, round: int, text: str) -> ApiCall[Dispute]:
        """Dispute a round in which you had a bet."""
        return send("POST", f"/rounds/{part(id)}/{round}/dispute", text=text)

    @Method
    def disputes(
        self, all: bool = False, before: int | None = None, limit: int | None = None
    ) -> ApiCall[tuple[Dispute, ...]]:
        """For the pit: disputes that nobody has answered, or all of them."""
        return read("/disputes", inner="disputes", all=all, before=before, limit=limit)

    @Method
    def answer_dispute(self, dispute: str, answer: str) -> ApiCall[Dispute]:
        """Answer a dispute in words."""
        return send("POST", f"/disputes/{part(dispute)}", answer=answer)

    @Method
    def my_disputes(self) -> ApiCall[tuple[Dispute, ...]]:
        """What you have disputed, with the answers."""
        return read("/accounts/me/disputes", inner="disputes")

    @Method
    def wall(self) -> ApiCall[Json]:
        """Every table with its figures, the alerts of the floor, and what waits for somebody from the pit."""
        return read("/pit/tables")

    @Method
    def acknowledge_alert(self, alert: str) -> ApiCall[Json]:
        """Say that you have seen an alert; it is kept, with who and when."""
        return send("POST", "/pit/alerts", alert=alert)

    @Method
    def effect(self, id: str, command: AnyCommand, role: AnyRole) -> ApiCall[Json]:
        """What a command would do at a table, worked out and not done."""
        return send("POST", f"/pit/tables/{part(id)}/effect", role=role_of(role), command=own_fields(command))

    @Method
    def terms_choices(self, id: str) -> ApiCall[Json]:
        """All terms of a table, and what the book leaves to choose."""
        return read(f"/pit/tables/{part(id)}/terms")

    @Method
    def opening_choices(self, digest: str) -> ApiCall[Json]:
        """The terms with which a table is opened by a book, and what the book leaves to choose."""
        return read(f"/pit/books/{part(digest)}/terms")

    # Books and odds.

    @Method
    def books(self) -> ApiCall[Json]:
        """The rule books of the floor."""
        return read("/books")

    @Method
    def book(self, digest: str) -> ApiCall[Json]:
        """A rule book by its digest or its name: bets, pay tables and clauses."""
        return read(f"/books/{part(digest)}")

    @Method
    def book_document(self, digest: str) -> ApiCall[Json]:
        """The document of a book; its digest is computed from it."""
        return read(f"/books/{part(digest)}/document")

    @Method
    def examine_book(self, source: str, file: str | None = None) -> ApiCall[Json]:
        """Examine the text of a book file, as `punto check` does. Nothing is kept."""
        return send("POST", "/books/examine", source=source, file=file)

    @Method
    def keep_book(self, source: str, file: str | None = None, reason: str | None = None) -> ApiCall[Json]:
        """Keep a book file that is in order, so that tables can be opened by it."""
        return send("POST", "/books", source=source, file=file, reason=reason)

    @Method
    def compare_books(
        self,
        book: str,
        other: str | None = None,
        source: str | None = None,
        file: str | None = None,
        decks: int | None = None,
    ) -> ApiCall[Json]:
        """A rule book beside another, or beside the text of a book file, which is not kept."""
        return send("POST", "/books/compare", book=book, other=other, source=source, file=file, decks=decks)

    @Method
    def book_odds(self, digest: str, decks: int | None = None, removed: AnyCards = "") -> ApiCall[Json]:
        """Exact odds of every bet of a book, for a full shoe or without cards; a rank in text stands for any suit."""
        return read(f"/books/{part(digest)}/odds", decks=decks, removed=card_names(removed))

    @Method
    def removals(self, digest: str, decks: int | None = None) -> ApiCall[Json]:
        """How far the bets of a book can be counted."""
        return read(f"/books/{part(digest)}/removals", decks=decks)

    @Method
    def par_sheet(self, digest: str, format: str | None = None, decks: int | None = None) -> ApiCall[bytes]:
        """The PAR sheet of a book as a file: html, pdf, csv or json."""
        return read(f"/books/{part(digest)}/par-sheet", format=format, decks=decks)

    @Method
    def catalogue(self) -> ApiCall[Json]:
        """Every published bet by section."""
        return read("/catalogue")

    @Method
    def catalogue_section(self, section: str, decks: int | None = None) -> ApiCall[Json]:
        """The bets of a section in full, each with its exact edge."""
        return read(f"/catalogue/{part(section)}", decks=decks)

    @Method
    def draw_roads(self, results: str | Iterable[Mapping[str, Any] | RoundResult]) -> ApiCall[Json]:
        """The five roads of results that you send, such as `"BBPTb"`; nothing of them is kept."""
        given = parse_results(results) if isinstance(results, str) else results
        return send("POST", "/roads", results=tuple(map(msgspec.to_builtins, given)))

    # Your own account.

    @Method
    def account(self) -> ApiCall[Account]:
        """What you are, and what you have."""
        return read("/accounts/me")

    @Method
    def statement(
        self, after: int | None = None, limit: int | None = None, latest: bool | None = None, before: int | None = None
    ) -> ApiCall[AccountStatement]:
        """Every movement of your account, oldest first, or newest first with `latest`."""
        return read("/accounts/me/statement", after=after, limit=limit, latest=latest, before=before)

    @Method
    def costs(self) -> ApiCall[Json]:
        """By table: what your stakes cost on average, beside what they did cost."""
        return read("/accounts/me/costs")

    @Method
    def my_rounds(self, limit: int | None = None, before: int | None = None, table: str | None = None) -> ApiCall[Json]:
        """Rounds in which you had a bet, at any table."""
        return read("/accounts/me/rounds", limit=limit, before=before, table=table)

    @Method
    def change_password(self, password: str) -> ApiCall[Member]:
        """Change your own password; all your sessions end."""
        return send("PUT", "/accounts/me/password", password=password)

    @Method
    def second_factor(self) -> ApiCall[SecondFactorStatus]:
        """Whether you log in with a second factor, and whether you have to."""
        return read("/accounts/me/second-factor")

    @Method
    def begin_second_factor(self) -> ApiCall[BegunFactor]:
        """Begin to set up a second factor: its secret is told only here."""
        return send("POST", "/accounts/me/second-factor")

    @Method
    def confirm_second_factor(self, code: str) -> ApiCall[RecoveryCodes]:
        """Set up the second factor that was begun, with its first code."""
        return send("POST", "/accounts/me/second-factor/confirm", code=code)

    @Method
    def limits(self) -> ApiCall[PlayerLimits]:
        """Your limits, and those of the house for you; the stricter holds."""
        return read("/accounts/me/limits")

    @Method
    def set_limits(self, limits: Iterable[Limit | Mapping[str, Any]]) -> ApiCall[PlayerLimits]:
        """Set all limits of yours: stricter ones apply at once, looser ones after 24 hours."""
        return send("PUT", "/accounts/me/limits", limits=limit_fields(limits))

    @Method
    def exclude_myself(self, days: int) -> ApiCall[Exclusion]:
        """Exclude yourself from play, from now on; nobody can make it shorter."""
        return send("POST", "/accounts/me/exclusion", days=days)

    @Method
    def play(self) -> ApiCall[PlayerPlay]:
        """What your session of play has come to, and what protects you."""
        return read("/accounts/me/play")

    @Method
    def choose_reality_check(self, minutes: int | None) -> ApiCall[PlayerPlay]:
        """Choose how often betting stops until you have seen time and net; None for as often as the house says."""
        return ApiCall("PUT", "/accounts/me/reality-check", {"minutes": minutes})

    @Method
    def answer_reality_check(self) -> ApiCall[PlayerPlay]:
        """Say that you have seen time and net, and want to go on."""
        return send("POST", "/accounts/me/reality-check")

    @Method
    def join(self, code: str, name: str, password: str, display: str | None = None) -> ApiCall[Joined]:
        """Make your own log-in with an invitation, and get the first buy-in."""
        return send("POST", f"/invitations/{part(code)}", name=name, password=password, display=display)
