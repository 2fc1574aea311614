"""Everything that can happen at a table: one frozen struct an event, tagged by its name.

A table's whole life is its list of events, so an event says all that `evolve` needs, chance included: which
card came, who took what, what was paid. Each names who caused it, in which role and when. The JSON form is
the fields beside `"type"`. Amounts are minor units.
"""

from __future__ import annotations

from punto.table.event.betting import (
    BetPlaced,
    BetReturned,
    BetsCalled,
    BetsClosed,
    MinimumAdvised,
    WithdrawalIgnored,
)
from punto.table.event.case import (
    BetsReturned,
    CardsOrdered,
    CardsReconstructed,
    CardsReplaced,
    CaseClosed,
    CaseOpened,
    ErrorFoundLate,
    OptionChosen,
    OptionsGiven,
    ReconstructionJudged,
    RoundVoided,
    Ruled,
)
from punto.table.event.dealing import (
    CardCorrected,
    CardDealt,
    CardRevealed,
    DealFinished,
    RoundSettled,
    SettledBet,
    SettlementReversed,
)
from punto.table.event.deciding import (
    AnteGivenUp,
    AntesAsked,
    InsuranceClosed,
    InsuranceDeclined,
    InsuranceNeglected,
    InsuranceOffered,
    InsuranceTaken,
    InsuranceWished,
    OfferMade,
    SqueezeAnswered,
    SqueezeAsked,
    WagerPlaced,
)
from punto.table.event.header import (
    EventHeader,
    Stake,
)
from punto.table.event.house import (
    CameBack,
    CardsBurned,
    CutCardCameOut,
    SeatLeft,
    SeatTaken,
    ShoeLoaded,
    TableClosed,
    TableOpened,
    TablePaused,
    TableResumed,
    TermsChanged,
    WalkedAway,
)

Event = (
    TableOpened
    | TermsChanged
    | TablePaused
    | TableResumed
    | TableClosed
    | ShoeLoaded
    | CardsBurned
    | CutCardCameOut
    | SeatTaken
    | SeatLeft
    | WalkedAway
    | CameBack
    | BetsCalled
    | BetPlaced
    | BetReturned
    | WithdrawalIgnored
    | MinimumAdvised
    | BetsClosed
    | CardDealt
    | CardRevealed
    | CardCorrected
    | DealFinished
    | RoundSettled
    | SettlementReversed
    | AntesAsked
    | WagerPlaced
    | AnteGivenUp
    | InsuranceOffered
    | InsuranceTaken
    | InsuranceDeclined
    | InsuranceClosed
    | InsuranceNeglected
    | InsuranceWished
    | SqueezeAsked
    | SqueezeAnswered
    | CaseOpened
    | CaseClosed
    | ErrorFoundLate
    | ReconstructionJudged
    | CardsOrdered
    | CardsReconstructed
    | OptionsGiven
    | OptionChosen
    | CardsReplaced
    | BetsReturned
    | Ruled
    | RoundVoided
)

__all__ = [
    "AnteGivenUp",
    "AntesAsked",
    "BetPlaced",
    "BetReturned",
    "BetsCalled",
    "BetsClosed",
    "BetsReturned",
    "CameBack",
    "CardCorrected",
    "CardDealt",
    "CardRevealed",
    "CardsBurned",
    "CardsOrdered",
    "CardsReconstructed",
    "CardsReplaced",
    "CaseClosed",
    "CaseOpened",
    "CutCardCameOut",
    "DealFinished",
    "ErrorFoundLate",
    "Event",
    "EventHeader",
    "InsuranceClosed",
    "InsuranceDeclined",
    "InsuranceNeglected",
    "InsuranceOffered",
    "InsuranceTaken",
    "InsuranceWished",
    "MinimumAdvised",
    "OfferMade",
    "OptionChosen",
    "OptionsGiven",
    "ReconstructionJudged",
    "RoundSettled",
    "RoundVoided",
    "Ruled",
    "SeatLeft",
    "SeatTaken",
    "SettledBet",
    "SettlementReversed",
    "ShoeLoaded",
    "SqueezeAnswered",
    "SqueezeAsked",
    "Stake",
    "TableClosed",
    "TableOpened",
    "TablePaused",
    "TableResumed",
    "TermsChanged",
    "WagerPlaced",
    "WalkedAway",
    "WithdrawalIgnored",
]
