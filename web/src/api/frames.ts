// What goes over the stream of a table, generated from the server's structs by tools/page_types.py: do not edit.

import type { Balance, BoardSettings, Card, Dispute, Face, Hand, LegalView, Option, PitCall, Place, PlayerPlay, RefusalText, RoadView, Role, RoundView, Seen, SqueezeKind, TableView, Terms } from "./schema";

/** The dealer tells a player that a bet is under the minimum (`noticing` = `dealer`). */
export interface AdviseMinimumBody {
  type: "advise-minimum";
  box: number;
  area: string;
  player: string;
}

/** The answer to a command frame: a version, a refusal, or an approval that it waits for. */
export interface AnswerFrame {
  type: "answer";
  id: string;
  version?: number | null;
  refusal?: RefusalText | null;
  approval?: string | null;
  needs?: Role | null;
  expires?: number | null;
}

/** The house's answer. */
export interface AnswerSqueezeBody {
  type: "answer-squeeze";
  consent: boolean;
}

/** Something at this table waits for a second person; or it is over, with what came of it. */
export interface ApprovalFrame {
  type: "approval";
  approval: string;
  needs: Role;
  expires: number;
  decision?: string | null;
  version?: number | null;
  refusal?: RefusalText | null;
}

/** Ask to squeeze cards; `hand` and `number` name the card for kind `card`. */
export interface AskSqueezeBody {
  type: "ask-squeeze";
  kind?: SqueezeKind;
  hand?: Hand | null;
  number?: number | null;
}

/** What the viewer has, for players who asked for views: sent when it has changed at another table. */
export interface BalanceFrame {
  type: "balance";
  balance: Balance;
}

/** What the board shows, for the screens of a board: when a stream begins, and when it was changed. */
export interface BoardFrame {
  type: "board";
  settings: BoardSettings;
}

/** Burn cards as the terms say; `card` is the card shown. */
export interface BurnCardsBody {
  type: "burn-cards";
  card?: Card | null;
}

/** The call that opens a round. */
export interface CallBetsBody {
  type: "call-bets";
}

/** Replace all the terms, between rounds. */
export interface ChangeTermsBody {
  type: "change-terms";
  terms: Terms;
}

/** What has changed in the view of somebody without an account, since the snapshot or the last of these frames. */
export interface ChangesFrame {
  type: "changes";
  view: Record<string, unknown>;
}

/** A player's choice after a dealing error. */
export interface ChooseOptionBody {
  type: "choose-option";
  option: Option;
  round?: number | null;
}

export type ClientFrame = HelloFrame | CommandFrame | FoldFrame;

/** A clock that runs at an automatic table. */
export interface ClockFrame {
  type: "clock";
  what: string;
  ends_in_ms: number;
}

/** The call that closes the bets. */
export interface CloseBetsBody {
  type: "close-bets";
}

/** End the choices: players who are away continue. */
export interface CloseOptionsBody {
  type: "close-options";
}

/** Close the list of pledges: from now on bytes are opened. */
export interface ClosePledgesBody {
  type: "close-pledges";
}

/** Close the table for good, between rounds. */
export interface CloseTableBody {
  type: "close-table";
}

/** The player is back at the table. */
export interface ComeBackBody {
  type: "come-back";
  player?: string | null;
}

export type CommandBody = OpenTableBody | ChangeTermsBody | PauseTableBody | ResumeTableBody | CloseTableBody | LoadShoeBody | BurnCardsBody | TakeSeatBody | LeaveSeatBody | WalkAwayBody | ComeBackBody | CallBetsBody | PlaceBetBody | ReduceBetBody | WithdrawBetBody | RejectExcessBody | AdviseMinimumBody | CloseBetsBody | ReopenBetsBody | DealCardBody | TakeDrawBody | RevealCardBody | CorrectCardBody | AskSqueezeBody | AnswerSqueezeBody | PlaceWagerBody | GiveUpAnteBody | ExpireAntesBody | OfferInsuranceBody | TakeInsuranceBody | DeclineInsuranceBody | WishInsuranceBody | SettleRoundBody | ReportBody | WithdrawEvidenceBody | DismissReportBody | JudgeReconstructionBody | OrderCardsBody | VoidRoundBody | ReplaceCardsBody | ChooseOptionBody | CloseOptionsBody | ExpireOptionsBody | ReturnBetsBody | RuleBody | PledgeBytesBody | ClosePledgesBody | OpenBytesBody | OpenSeedBody;

/** A command, as `POST /tables/{id}/commands` takes it; the answer has the same `id`. */
export interface CommandFrame {
  type: "command";
  id: string;
  key: string;
  role: Role;
  command: OpenTableBody | ChangeTermsBody | PauseTableBody | ResumeTableBody | CloseTableBody | LoadShoeBody | BurnCardsBody | TakeSeatBody | LeaveSeatBody | WalkAwayBody | ComeBackBody | CallBetsBody | PlaceBetBody | ReduceBetBody | WithdrawBetBody | RejectExcessBody | AdviseMinimumBody | CloseBetsBody | ReopenBetsBody | DealCardBody | TakeDrawBody | RevealCardBody | CorrectCardBody | AskSqueezeBody | AnswerSqueezeBody | PlaceWagerBody | GiveUpAnteBody | ExpireAntesBody | OfferInsuranceBody | TakeInsuranceBody | DeclineInsuranceBody | WishInsuranceBody | SettleRoundBody | ReportBody | WithdrawEvidenceBody | DismissReportBody | JudgeReconstructionBody | OrderCardsBody | VoidRoundBody | ReplaceCardsBody | ChooseOptionBody | CloseOptionsBody | ExpireOptionsBody | ReturnBetsBody | RuleBody | PledgeBytesBody | ClosePledgesBody | OpenBytesBody | OpenSeedBody;
  expected?: number | null;
}

/** Correct a card that was entered wrongly. */
export interface CorrectCardBody {
  type: "correct-card";
  hand: Hand;
  number: number;
  card: Card;
}

/** Deal the next card; no card is named if it leaves a physical shoe face down. */
export interface DealCardBody {
  type: "deal-card";
  card?: Card | null;
}

/** Decline the offers open now. */
export interface DeclineInsuranceBody {
  type: "decline-insurance";
  player?: string | null;
  round?: number | null;
  window?: number | null;
}

/** The report was a mistake. */
export interface DismissReportBody {
  type: "dismiss-report";
  reason: string;
}

/** A player disputes a round, or was answered: to the pit and to that player. A stream of the pit begins with those     that are open. */
export interface DisputeFrame {
  type: "dispute";
  dispute: Dispute;
}

/** Where a card is taken hold of to bend it up, as it lies before whoever squeezes it. */
export type Edge = "bottom" | "bottom-left" | "bottom-right" | "left" | "right" | "top" | "top-left" | "top-right";

/** What a ruling does. */
export type Effect = "continue" | "return" | "stand" | "void";

/** An event; every `seq` once, in order, without what is hidden from the viewer. */
export interface EventFrame {
  type: "event";
  seq: number;
  event: Record<string, unknown>;
}

/** The time to decide is over: every undecided ante is given up. */
export interface ExpireAntesBody {
  type: "expire-antes";
}

/** The time to choose is over: whoever has not chosen continues. */
export interface ExpireOptionsBody {
  type: "expire-options";
}

/** How a card is bent now, from the player who squeezes it; it has no answer. From anybody else it does nothing. */
export interface FoldFrame {
  type: "fold";
  hand: Hand;
  number: number;
  edge: Edge;
  part: number;
}

/** How a player bends the card that he or she squeezes, for the others who asked for views. At most ten a     second, only the latest, kept nowhere; it never says which card it is. */
export interface FoldedFrame {
  type: "folded";
  round: number;
  player: string;
  hand: Hand;
  number: number;
  edge: Edge;
  part: number;
}

/** Give an ante up, by its betting area. */
export interface GiveUpAnteBody {
  type: "give-up-ante";
  box: number;
  area: string;
  player?: string | null;
  round?: number | null;
}

/** The first frame of a client. */
export interface HelloFrame {
  type: "hello";
  ticket: string;
  after?: number | null;
  role?: Role | null;
  views?: boolean;
}

/** The last rounds, the latest first, for clients that asked for views; sent beside the roads. */
export interface HistoryFrame {
  type: "history";
  version: number;
  rounds: readonly RoundView[];
}

/** The house decides whether the hand can be reconstructed. */
export interface JudgeReconstructionBody {
  type: "judge-reconstruction";
  possible: boolean;
}

/** Leave the seat, or every seat of the player where the terms allow several; not while the player has bets on     the table. */
export interface LeaveSeatBody {
  type: "leave-seat";
  player?: string | null;
}

/** What the viewer may do, after the event `seq`; sent where it has changed. */
export interface LegalFrame {
  type: "legal";
  seq: number;
  commands: readonly LegalView[];
}

/** Load a new, shuffled set of cards when no shoe is in play or the shoe is finished; `commitment` binds the     house to the seed of its shuffle; `instead` is the floor's alone: why it replaces a shoe before it is finished,     and voids the round. */
export interface LoadShoeBody {
  type: "load-shoe";
  commitment?: string;
  algorithm?: string;
  instead?: string;
}

/** The dealer offers the insurance that is due (`offering` = `dealer`). */
export interface OfferInsuranceBody {
  type: "offer-insurance";
}

/** Tell the bytes that were pledged, in hexadecimal digits. */
export interface OpenBytesBody {
  type: "open-bytes";
  value: string;
}

/** Tell the seed of a shoe that is out of play; at a stored table `kept` stands for the seed that the floor     keeps. */
export interface OpenSeedBody {
  type: "open-seed";
  shoe: number;
  seed: string;
}

/** Open the table with its terms. */
export interface OpenTableBody {
  type: "open-table";
  terms: Terms;
}

/** Set the order of cards that were drawn together. */
export interface OrderCardsBody {
  type: "order-cards";
  cards: readonly (Card | number)[];
}

/** How the order of cards that were drawn together is known. */
export type OrderKnown = "seen";

/** Pause the table between rounds. */
export interface PauseTableBody {
  type: "pause-table";
}

/** The pit is called to a table, or a call was answered; when a stream begins, every call that is live. */
export interface PitCallFrame {
  type: "pit-call";
  call: PitCall;
}

/** Place a bet, or raise the bet that is already on the area by this amount. */
export interface PlaceBetBody {
  type: "place-bet";
  box: number;
  area: string;
  amount: number;
  player?: string | null;
  round?: number | null;
}

/** Go on with an ante: the wager beside it, on the betting area of the wager. */
export interface PlaceWagerBody {
  type: "place-wager";
  box: number;
  area: string;
  amount: number;
  player?: string | null;
  round?: number | null;
}

/** What the viewer's session of play has come to, for players who asked for views: sent beside the roads. */
export interface PlayFrame {
  type: "play";
  play: PlayerPlay;
}

/** Promise bytes for the shuffle of a fresh shoe, by their SHA-256. */
export interface PledgeBytesBody {
  type: "pledge-bytes";
  digest: string;
}

/** Take this amount off a bet. */
export interface ReduceBetBody {
  type: "reduce-bet";
  box: number;
  area: string;
  amount: number;
  player?: string | null;
  round?: number | null;
}

/** The dealer returns what is over the limits of a box (`noticing` = `dealer`). */
export interface RejectExcessBody {
  type: "reject-excess";
  box: number;
}

/** Open bets again that were closed too early, as long as no card has left the shoe. No document speaks of it: that     there is such an act, and that the pit gives it, are terms of the house. */
export interface ReopenBetsBody {
  type: "reopen-bets";
}

/** Take the set of cards out of play after a round with an irregularity. */
export interface ReplaceCardsBody {
  type: "replace-cards";
}

/** What was seen; at least one card or fact. The table finds the clause, and the round stands still until the     case is resolved. A further report adds to the evidence. */
export interface ReportBody {
  type: "report";
  cards?: readonly Sighting[];
  seen?: readonly Seen[];
  order?: OrderKnown | null;
  round?: number | null;
  note?: string;
}

/** End the pause. */
export interface ResumeTableBody {
  type: "resume-table";
}

/** Return the original bets of players who wanted insurance and got no offer. */
export interface ReturnBetsBody {
  type: "return-bets";
}

/** Turn a face-down card face up; `card` names it where only the person who turns it can see it. */
export interface RevealCardBody {
  type: "reveal-card";
  hand: Hand;
  number: number;
  card?: Card | null;
}

/** The roads of the shoe in play, for clients that asked for views: when a stream begins, and after every round. */
export interface RoadsFrame {
  type: "roads";
  version: number;
  roads: RoadView;
}

/** Give a ruling on something the rules do not cover. */
export interface RuleBody {
  type: "rule";
  effect: Effect;
  reason: string;
  players?: readonly string[];
}

export type ServerFrame = SnapshotFrame | EventFrame | LegalFrame | ViewFrame | RoadsFrame | HistoryFrame | PlayFrame | BalanceFrame | BoardFrame | WatchingFrame | ChangesFrame | ClockFrame | AnswerFrame | ApprovalFrame | PitCallFrame | DisputeFrame | FoldedFrame;

/** Settle every bet: pay, collect or return it. */
export interface SettleRoundBody {
  type: "settle-round";
}

/** What a report says of one card. It has either `card` (None for one that nobody has seen) or `nth`. */
export interface Sighting {
  card?: Card | null;
  nth?: number;
  lies?: Place | null;
  face?: Face | null;
  is?: Card | null;
  after?: number | null;
  together?: boolean;
  foreign?: boolean;
  carried?: boolean;
}

/** The table as it is, where `after` was absent or too old. */
export interface SnapshotFrame {
  type: "snapshot";
  seq: number;
  view: TableView;
  legal: readonly LegalView[];
}

/** The player who should draw does not: the dealer draws the other cards of the round (`drawing` = `players`). */
export interface TakeDrawBody {
  type: "take-draw";
}

/** Take insurance on a hand. */
export interface TakeInsuranceBody {
  type: "take-insurance";
  box: number;
  hand: Hand;
  amount: number;
  player?: string | null;
  round?: number | null;
  window?: number | null;
}

/** Seat a player at a box. */
export interface TakeSeatBody {
  type: "take-seat";
  box: number;
  player?: string | null;
}

/** The table after the event `seq`, for clients that asked for views. */
export interface ViewFrame {
  type: "view";
  seq: number;
  view: TableView;
}

/** Void the round, if the case calls for it. */
export interface VoidRoundBody {
  type: "void-round";
  reason?: string;
}

/** The player is away: bets stay, offers pass, the dealer gives up their antes, and they continue after a     dealing error; who bets in person or sits down is there again. */
export interface WalkAwayBody {
  type: "walk-away";
  player?: string | null;
}

/** The first frame to somebody without an account. */
export interface WatchingFrame {
  type: "watching";
  delay: number;
}

/** Put on record that a player meant to insure while no offer had been made. */
export interface WishInsuranceBody {
  type: "wish-insurance";
  box: number;
  hand: Hand;
  player?: string | null;
  round?: number | null;
}

/** Take a bet off. */
export interface WithdrawBetBody {
  type: "withdraw-bet";
  box: number;
  area: string;
  player?: string | null;
  round?: number | null;
}

/** Take back what was said of these cards, by their numbers in the round as now on record, and these facts. */
export interface WithdrawEvidenceBody {
  type: "withdraw-evidence";
  cards?: readonly number[];
  seen?: readonly Seen[];
}
