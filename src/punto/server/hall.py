"""The hall: everything that requests share, made once when the server starts."""

from __future__ import annotations

import time
from dataclasses import replace

from punto.dealer import Pace
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.running.house import House
from punto.floor.running.run import HUMAN, pace_of_seconds
from punto.server.access.password import PasswordDesk
from punto.server.access.session_book import SessionBook
from punto.server.access.throttle import Throttle
from punto.server.approval_desk import ApprovalDesk
from punto.server.settings import Settings
from punto.server.stream.hub import Hub
from punto.server.stream.outlook import Outlook
from punto.server.tray import Tray
from punto.store.store import Store
from punto.views.rounds_shelf import RoundsShelf

BETS_PER_CARD = 20
"""How many times longer bets are open than it takes from card to card, where nothing else is said."""
OPEN_RATE = 20.0
"""Requests a second of one address without a session, such as log-ins."""


class Hall:
    """A running server's parts."""

    def __init__(self, settings: Settings, store: Store, floor: Floor, pace: Pace = HUMAN) -> None:
        self.settings, self.store, self.floor = settings, store, floor
        self.passwords = PasswordDesk()
        self.sessions = SessionBook(store, self.passwords, settings.session_ms)
        self.by_session = Throttle(settings.rate)
        self.by_address = Throttle(OPEN_RATE, 20 * OPEN_RATE)
        self.desk = Desk(store)
        self.house = House(floor, self.now, pace)
        self.outlook = Outlook(store, self.house.pace_of, self.now)
        self.hub = Hub(floor, self.outlook)
        self.rounds = RoundsShelf(floor)
        self.tray = Tray(floor)
        self.approvals = ApprovalDesk(self)
        self.greeting = 0
        """Streams whose client has not said yet who it is."""
        self.is_stopping = False

    def now(self) -> int:
        """The time of the house, in milliseconds."""
        return time.time_ns() // 1_000_000


def house_pace(settings: Settings) -> Pace:
    """The pace of automatic dealers."""
    pace = pace_of_seconds(BETS_PER_CARD * settings.pace)
    if settings.bets is None:
        return pace
    bets = int(settings.bets * 1000)
    return replace(pace, bets=bets, antes=bets, insurance=bets, squeeze=bets, options=bets, draw=bets)
