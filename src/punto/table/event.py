"""Everything that can happen at a table: one frozen struct per event, tagged by its name.

A table's whole life is its list of events, so an event says all that its fold needs, chance included: which
card came, who took what, what was paid. Each names who caused it, in which role and when. The JSON form is
the fields beside `"type"`. Amounts are minor units. The events themselves stand in the rooms.
"""

from __future__ import annotations

from punto.table.antes.events import *
from punto.table.betting.events import *
from punto.table.dealing.events import *
from punto.table.house.events import *
from punto.table.insurance.events import *
from punto.table.irregularities.events import *
from punto.table.settlement.events import *
from punto.table.shuffling.events import *

Event = (
    HouseEvent
    | BettingEvent
    | DealingEvent
    | AnteEvent
    | InsuranceEvent
    | SettlementEvent
    | IrregularityEvent
    | ShufflingEvent
)
