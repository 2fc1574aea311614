"""The hall: everything that requests share, made once when the server starts."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from punto.dealer import Pace
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.running.house import House
from punto.floor.running.house_clock import HouseClock
from punto.floor.running.run import HUMAN, pace_of_seconds
from punto.server.access.entrance import Entrance
from punto.server.access.password import PasswordDesk
from punto.server.access.session_book import SessionBook
from punto.server.access.throttle import Throttle, whole_wait
from punto.server.approval_desk import ApprovalDesk
from punto.server.count_room import CountRoom
from punto.server.http.floor_protocol import StreamProtocol
from punto.server.settings import Settings
from punto.server.stream.hub import Hub
from punto.server.stream.outlook import Outlook
from punto.server.tray import Tray
from punto.store.store import Store

BETS_PER_CARD = 20
"""How many times longer bets are open than it takes from card to card, where nothing else is said."""
OPEN_RATE = 20.0
"""Requests a second of one address without a session, such as log-ins."""
FRAMES_PER_REQUEST = 2
"""Frames that all streams of a session together may send for each request it may make."""


DAY_S = 86_400
KEPT_A_DAY = 40_000
"""Bytes of refused commands, questions and calls that are kept for one account in a day, for each request a
second that it may send. They are never thrown away, so their number has to end somewhere."""
GIVEN_A_DAY = 3_000
"""Commands that one account gives in a day, for each request a second: far above all play, and an end."""


class Hall:
    """A running server's parts."""

    def __init__(self, settings: Settings, store: Store, floor: Floor, pace: Pace = HUMAN) -> None:
        self.settings, self.store, self.floor = settings, store, floor
        self.passwords = PasswordDesk()
        self._clock = HouseClock(_machine_time)
        self.sessions = SessionBook(store, self.passwords, settings.session_ms, self.now)
        self.by_account = Throttle(settings.rate)
        self.kept = _a_day(settings.rate * KEPT_A_DAY)
        self.given = _a_day(settings.rate * GIVEN_A_DAY)
        floor.bound_refusals(partial(whole_wait, self.kept))
        self.by_address = Throttle(OPEN_RATE, 20 * OPEN_RATE)
        self.desk = Desk(store, partial(whole_wait, self.kept))
        self.house = House(floor, self.now, pace)
        self.outlook = Outlook(store, self.house.pace_of, self.now)
        self.hub = Hub(floor, self.outlook)
        self.tray = Tray(floor)
        self.counting = CountRoom(store.address, "counting")
        """For what takes up to a few tenths of a second."""
        self.long_counting = CountRoom(store.address, "long-counting")
        """For what can take a minute: verification, and searching whole logs."""
        self.approvals = ApprovalDesk(self)
        self.by_frames = Throttle(FRAMES_PER_REQUEST * settings.rate)
        self.greeting: Entrance[StreamProtocol] = Entrance()
        """Streams whose client has not said yet who it is, or never did and does not go."""
        self.is_stopping = False

    def close(self) -> None:
        """Nobody asks any more."""
        self.counting.close()
        self.long_counting.close()

    def now(self) -> int:
        """The time of the house, in milliseconds."""
        return self._clock()


def _machine_time() -> int:
    return time.time_ns() // 1_000_000


def _a_day(number: float) -> Throttle:
    """As much as this at once, and as much again within a day."""
    return Throttle(number / DAY_S, max(1.0, number))


def house_pace(settings: Settings) -> Pace:
    """The pace of automatic dealers."""
    pace = pace_of_seconds(BETS_PER_CARD * settings.pace)
    if settings.bets is None:
        return pace
    bets = int(settings.bets * 1000)
    return replace(pace, bets=bets, antes=bets, insurance=bets, squeeze=bets, options=bets, draw=bets)
