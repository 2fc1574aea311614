"""Everything that can be asked of a table: one frozen struct per command, tagged by its name.

The JSON form is the struct's fields beside `"type"`, the name in lower case with hyphens. Every command says
who gives it, in which role, when, and under which key; where the rules ask for a second person, it names that
person too. Amounts are minor units. The commands themselves stand in the rooms.
"""

from __future__ import annotations

from punto.table.antes import AnteCommand
from punto.table.betting import BettingCommand
from punto.table.dealing import DealingCommand
from punto.table.house import HouseCommand
from punto.table.insurance import InsuranceCommand
from punto.table.irregularity_events import IrregularityCommand
from punto.table.settlement import SettlementCommand
from punto.table.shuffling import ShufflingCommand

RoundCommand = BettingCommand | DealingCommand | AnteCommand | InsuranceCommand | SettlementCommand
Command = HouseCommand | RoundCommand | IrregularityCommand | ShufflingCommand
