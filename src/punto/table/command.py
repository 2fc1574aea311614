"""Everything that can be asked of a table: one frozen struct per command, tagged by its name.

The JSON form is the struct's fields beside `"type"`, the name in lower case with hyphens. Every command says
who gives it, in which role, when, and under which key; where the rules ask for a second person, it names that
person too. Amounts are minor units. The commands themselves stand in the rooms.
"""

from __future__ import annotations

from punto.table.antes.commands import *
from punto.table.betting.commands import *
from punto.table.dealing.commands import *
from punto.table.house.commands import *
from punto.table.insurance.commands import *
from punto.table.irregularities.commands import *
from punto.table.settlement.commands import *
from punto.table.shuffling.commands import *

Command = (
    HouseCommand
    | BettingCommand
    | DealingCommand
    | AnteCommand
    | InsuranceCommand
    | SettlementCommand
    | IrregularityCommand
    | ShufflingCommand
)
