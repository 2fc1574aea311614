"""Calls about boards: what the board of a table shows, the key of its screens, the code that leads to a table, and the
roads of results that somebody types in, for a table that has nothing but a board.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec

from punto.floor.board import BoardAddress, BoardAnswer, BoardKey, BoardSettings, board_answer, stored_board
from punto.refusal import Refusal
from punto.rules.authority import LADDER
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.validation import not_there
from punto.store import TABLE_ID
from punto.views.history_view import MOST_ROUNDS, RoadView, TypedResult, typed_roads


class TypedResults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The results of a shoe as somebody typed them in, the first one first."""

    results: Annotated[tuple[TypedResult, ...], msgspec.Meta(max_length=MOST_ROUNDS)]


class CodeQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the code leads."""

    address: BoardAddress = ""
    """Where phones reach the floor, such as https://floor.example."""


class CodeAnswer(msgspec.Struct, frozen=True):
    """A QR code, row by row: `1` is dark. The light frame around it is not among them."""

    link: str
    rows: tuple[str, ...]


async def show_board(ask: Inquiry) -> BoardAnswer:
    """What the board of a table shows."""
    table = (await ask.table()).id
    return board_answer(table, await ask.app_state.read(lambda reader: stored_board(reader, table)))


async def change_board(ask: Inquiry) -> BoardAnswer | Refusal:
    """Change what the board of a table shows; its screens follow at once."""
    table = (await ask.table()).id
    changed = await asyncio.to_thread(ask.app_state.boards.change, table, ask.body, ask.caller.author)
    ask.app_state.broadcaster.recheck_boards(table)
    return changed


async def link_board(ask: Inquiry) -> BoardKey | Refusal:
    """Make a key for the screens of a table; it is told only here, and ends the one before."""
    table = (await ask.table()).id
    made = await asyncio.to_thread(ask.app_state.boards.link, table, ask.caller.author)
    ask.app_state.broadcaster.recheck_boards(table)
    return made


async def unlink_board(ask: Inquiry) -> BoardAnswer | Refusal:
    """Take the key of a board back: its screens show nothing more of the table."""
    table = (await ask.table()).id
    changed = await asyncio.to_thread(ask.app_state.boards.unlink, table, ask.caller.author)
    ask.app_state.broadcaster.recheck_boards(table)
    return changed


async def draw_code(ask: Inquiry) -> CodeAnswer:
    """The QR code of the address of a table."""
    import segno

    if not TABLE_ID.fullmatch(ask.path["id"]):
        raise not_there(f"table {ask.path['id']}")
    link = f"{ask.query.address}/tables/{ask.path['id']}"
    rows = segno.make(link, micro=False, error="m").matrix
    return CodeAnswer(link, tuple("".join("1" if dark else "0" for dark in row) for row in rows))


async def draw_typed_roads(ask: Inquiry) -> RoadView:
    """The five roads of results that you send. Nothing of them is kept."""
    return typed_roads(ask.body.results)


_board = partial(Endpoint, tag="boards", roles=LADDER)
_open = partial(Endpoint, tag="boards", is_open=True)
BOARD_ENDPOINTS = (
    Endpoint("GET", "/tables/{id}/board", show_board, is_act=False, tag="boards", answer=BoardAnswer),
    _board("PUT", "/tables/{id}/board", change_board, body=BoardSettings, answer=BoardAnswer),
    _board("POST", "/tables/{id}/board/key", link_board, answer=BoardKey, status=201),
    _board("DELETE", "/tables/{id}/board/key", unlink_board, answer=BoardAnswer),
    _open("GET", "/board/code/{id}", draw_code, cost=5, query=CodeQuery, answer=CodeAnswer),
    _open("POST", "/roads", draw_typed_roads, body=TypedResults, answer=RoadView),
)
