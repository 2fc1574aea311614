"""What was last called at a table: a code for a program, a sentence for a person, in three languages.

A book has the words of its own calls. What it does not say is said in ours, which stand here as data.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.rules.facts import Hand, Winner
from punto.rules.text.entry import Labels
from punto.table.insurance.decisions import due_offers
from punto.table.state import Phase, State, Table, shown_points
from punto.views.felt.result_view import is_void
from punto.views.labels import LabelView, hand_labels, label_view


class CallCode(Enum):
    """What a table was last told."""

    WELCOME = "welcome"
    """No round has been played."""
    BETS_OPEN = "bets-open"
    BETS_CLOSED = "bets-closed"
    ANTES = "antes"
    """A card is shown, and antes are decided."""
    INSURANCE = "insurance"
    PLAYER_DRAWS = "player-draws"
    BANKER_DRAWS = "banker-draws"
    POINTS = "points"
    """Both hands have two cards, and their points are called."""
    DEALING = "dealing"
    RESULT = "result"
    VOID = "void"
    CASE = "case"
    PAUSED = "paused"
    CLOSED = "closed"


WORDS: dict[CallCode, Labels] = {
    CallCode.WELCOME: Labels("Welcome", "欢迎", "歡迎"),
    CallCode.BETS_OPEN: Labels("Place your bets, please", "请下注", "請下注"),
    CallCode.BETS_CLOSED: Labels("No more bets", "停止下注", "停止下注"),
    CallCode.ANTES: Labels("Decide your ante", "请决定底注", "請決定底注"),
    CallCode.INSURANCE: Labels("Insurance is open", "请买保险", "請買保險"),
    CallCode.PLAYER_DRAWS: Labels("Player draws a card", "闲补牌", "閒補牌"),
    CallCode.BANKER_DRAWS: Labels("Banker draws a card", "庄补牌", "莊補牌"),
    CallCode.DEALING: Labels("Dealing", "发牌", "發牌"),
    CallCode.VOID: Labels(
        "The round is void: all bets are returned", "本局作废，退回注码", "本局作廢，退回注碼"
    ),
    CallCode.CASE: Labels("The round is stopped", "本局暂停处理", "本局暫停處理"),
    CallCode.PAUSED: Labels("The table is paused", "暂停", "暫停"),
    CallCode.CLOSED: Labels("The table is closed", "本桌已关闭", "本枱已關閉"),
}
"""Our words for calls, in the three languages of a layout."""


class CallView(msgspec.Struct, frozen=True):
    """What was last called."""

    code: CallCode
    sentence: str
    """In English."""
    label: LabelView
    """In all three languages."""


def call_view(table: Table) -> CallView:
    """What was last called at a table, by the cards and the phase alone."""
    code = _code(table)
    if code is CallCode.POINTS:
        label = _points_label(table)
    elif code is CallCode.RESULT:
        label = _result_label(table)
    else:
        label = label_view(_words(table, code))
    return CallView(code, label.en, label)


def _code(table: Table) -> CallCode:
    state = table.state
    if state.is_paused:
        return CallCode.PAUSED
    if state.case is not None:
        return CallCode.CASE
    match state.phase:
        case Phase.CLOSED:
            return CallCode.CLOSED
        case Phase.BETTING:
            return CallCode.BETS_OPEN
        case Phase.ANTES:
            return CallCode.ANTES
        case Phase.FINISHED:
            return CallCode.RESULT
        case Phase.DEALING:
            return _dealing_code(table, state)
        case _:
            if state.settled is not None and state.winner is not None:
                return CallCode.RESULT
            return CallCode.VOID if is_void(state) else CallCode.WELCOME


def _dealing_code(table: Table, state: State) -> CallCode:
    if state.window is not None or due_offers(table):
        return CallCode.INSURANCE
    if len(state.banker) > 2:
        return CallCode.BANKER_DRAWS
    if len(state.player) > 2:
        return CallCode.PLAYER_DRAWS
    if state.cards_out == 0:
        return CallCode.BETS_CLOSED
    is_open = shown_points(state.player) is not None and shown_points(state.banker) is not None
    return CallCode.POINTS if state.cards_out == 4 and is_open else CallCode.DEALING


def _words(table: Table, code: CallCode) -> Labels:
    betting = table.book.betting
    own = {CallCode.BETS_OPEN: betting.opens.words, CallCode.BETS_CLOSED: betting.closes.words}.get(code)
    return own or WORDS[code]


def _points_label(table: Table) -> LabelView:
    state = table.state
    names = [hand_labels(table.book, hand) for hand in (Hand.PLAYER, Hand.BANKER)]
    points = [shown_points(state.player), shown_points(state.banker)]
    (player, banker), (mine, other) = names, points
    return LabelView(
        f"{player.en} {mine}, {banker.en} {other}",
        f"{player.zh_hans}{mine}点，{banker.zh_hans}{other}点",
        f"{player.zh_hant}{mine}點，{banker.zh_hant}{other}點",
    )


_WINS = {
    Winner.PLAYER: Labels("Player wins", "闲赢", "閒贏"),
    Winner.BANKER: Labels("Banker wins", "庄赢", "莊贏"),
    Winner.TIE: Labels("Tie", "和", "和"),
}


def _result_label(table: Table) -> LabelView:
    winner = table.state.winner
    assert winner is not None
    wins, totals = label_view(_WINS[winner]), _points_label(table)
    return LabelView(
        f"{wins.en}: {totals.en}", f"{wins.zh_hans}：{totals.zh_hans}", f"{wins.zh_hant}：{totals.zh_hant}"
    )
