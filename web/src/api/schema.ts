// What the server sends, generated from the server's structs by tools/page_types.py: do not edit.

/** What somebody is and has. */
export interface Account {
  account: string;
  display: string | null;
  roles: readonly Role[];
  currency: string;
  free: number;
  held: Record<string, number>;
  opened: number;
  contact?: string | null;
}

/** Movements of an account, oldest first unless the latest were asked for. */
export interface AccountStatement {
  account: string;
  currency: string;
  lines: readonly StatementLine[];
  last: number;
}

/** The next mark of each derived road: red, blue (false), or none. */
export interface AnswerView {
  big_eye: boolean | null;
  small: boolean | null;
  cockroach: boolean | null;
}

/** What became of an ante so far. */
export type AnteState = "given-up" | "open" | "wagered";

/** An ante and its decision. */
export interface AnteView {
  box: number;
  player: string;
  ante: string;
  stake: number;
  wager: string;
  amount: number;
  state: AnteState;
  mine: boolean;
}

/** Something that waits, or waited, for a second person, as one of the people concerned sees it. */
export interface Approval {
  approval: string;
  needs: Role;
  expires: number;
  table: string | null;
  actor: string;
  role: Role;
  command: Record<string, unknown>;
  version: number | null;
  asked: number;
  yours: boolean;
  decision?: string | null;
  decided_by?: string | null;
  done?: number | null;
  refusal?: RefusalText | null;
}

/** Everything that waits and concerns the caller. */
export interface ApprovalsAnswer {
  approvals: readonly Approval[];
}

/** What kind of bet a betting area takes. */
export type Area = "ante" | "main" | "side" | "wager";

/** Where an area lies on the layout. */
export type AreaGroup = "ante" | "main" | "pair" | "side" | "wager";

/** A betting area. Amounts are minor units. */
export interface AreaView {
  area: string;
  label: LabelView;
  group: AreaGroup;
  hand: Hand | null;
  odds: readonly string[];
  pays: readonly PaysView[];
  needs: readonly string[];
  least: number;
  most: number | null;
  edge: number | null;
  on: boolean;
}

/** What each derived road would show next, if Banker won and if Player did. */
export interface AskView {
  banker: AnswerView;
  player: AnswerView;
}

/** The roles that may give a command. */
export interface Authority {
  command: string;
  roles: readonly Role[];
  second?: Role | null;
  clause?: string | null;
}

/** What a table waits for. */
export type Awaited = "antes" | "bets" | "case" | "drawer" | "insurance" | "options" | "pace" | "resumption" | "squeeze";

/** What an open case is waiting for. */
export type Awaits = "judgement" | "nothing" | "options" | "order" | "return-bets" | "ruling" | "void";

/** One round on the bead plate; columns and rows count from 0. */
export interface Bead {
  column: number;
  row: number;
  result: RoundWinner;
  banker_pair: boolean;
  player_pair: boolean;
}

/** A betting area with its pay table. */
export interface BetEntry {
  area: string;
  label: LabelView;
  group: Area;
  clause: string | null;
  rows: readonly PayEntry[];
}

/** Least and greatest stake of one betting area, in minor units. */
export interface BetLimits {
  minimum: number;
  maximum?: number | null;
}

/** What is to be said of a bet that lies on the layout. */
export type BetStatus = "advised" | "given-up" | "live" | "under-minimum" | "wagered";

/** A bet on the layout. Amounts are minor units. */
export interface BetView {
  player: string;
  area: string;
  stake: number;
  status: BetStatus;
  seated: boolean;
  mine: boolean;
}

/** A rule book for people. */
export interface BookAnswer {
  name: string;
  title: LabelView;
  digest: string;
  source: string;
  version: string | null;
  effective: string | null;
  decks: readonly number[];
  layouts: readonly LayoutEntry[];
  bets: readonly BetEntry[];
  clauses: readonly ClauseEntry[];
}

/** A book by name and digest. */
export interface BookEntry {
  name: string;
  title: LabelView;
  digest: string;
}

/** The rule book of a table. */
export interface BookView {
  name: string;
  title: LabelView;
  digest: string;
  closes_by: Signal;
  limits: LimitKind;
  insurance: boolean;
  antes: boolean;
  squeeze: boolean;
}

/** The books that tables can be opened by, and those of tables that are there. */
export interface BooksAnswer {
  books: readonly BookEntry[];
}

/** What a table was last told. */
export type CallCode = "antes" | "banker-draws" | "bets-closed" | "bets-open" | "case" | "closed" | "dealing" | "insurance" | "paused" | "player-draws" | "points" | "result" | "void" | "welcome";

/** What was last called. */
export interface CallView {
  code: CallCode;
  sentence: string;
  label: LabelView;
}

/** One of the 52 cards; `Card("KS")` and `Card.parse("ks")` both give the king of spades. */
export type Card = "10C" | "10D" | "10H" | "10S" | "2C" | "2D" | "2H" | "2S" | "3C" | "3D" | "3H" | "3S" | "4C" | "4D" | "4H" | "4S" | "5C" | "5D" | "5H" | "5S" | "6C" | "6D" | "6H" | "6S" | "7C" | "7D" | "7H" | "7S" | "8C" | "8D" | "8H" | "8S" | "9C" | "9D" | "9H" | "9S" | "AC" | "AD" | "AH" | "AS" | "JC" | "JD" | "JH" | "JS" | "KC" | "KD" | "KH" | "KS" | "QC" | "QD" | "QH" | "QS";

/** A card on the felt. */
export interface CardView {
  card: Card | null;
  up: boolean;
  crosswise: boolean;
  squeezable: boolean;
}

/** An open case; the round stands still. */
export interface CaseView {
  number: number;
  finding: Finding | null;
  clause: string | null;
  sense: LabelView | null;
  remedy: LabelView | null;
  options: LabelView | null;
  awaits: Awaits | null;
  decider: Role | null;
  decider_words: string | null;
  house_term: boolean;
  undecided: readonly string[];
  choices: readonly Option[];
  reconstructed: boolean;
  options_clause: string | null;
  cards: readonly EvidenceCardView[];
  seen: readonly Seen[];
  note: string;
}

/** How often a bet wins with a full shoe, exactly computed. */
export interface ChanceView {
  area: string;
  label: LabelView;
  win: number;
  push: number;
}

/** A clause of the document, in our words. */
export interface ClauseEntry {
  number: string;
  kind: ClauseKind;
  sense: LabelView;
  reading: LabelView | null;
}

/** What a clause asks of us. */
export type ClauseKind = "behaviour" | "definition" | "display" | "layout";

/** A clock that runs at an automatic table. */
export interface ClockView {
  what: Awaited;
  ends_at: number;
  ends_in_ms: number;
}

/** What play at one table cost. */
export interface CostEntry {
  table: string;
  book: string;
  staked: number;
  expected: number;
  actual: number;
}

/** What stakes on one betting area come to. Amounts are minor units. */
export interface CostView {
  area: string;
  staked: number;
  edge: number | null;
  expected: number | null;
  actual: number;
}

/** What play was expected to cost, beside what it did. */
export interface CostsAnswer {
  costs: readonly CostEntry[];
}

/** How often each result has come in a shoe. */
export interface CountsView {
  rounds: number;
  player: number;
  banker: number;
  tie: number;
  player_pair: number;
  banker_pair: number;
  naturals: number;
}

/** A name that the dealer calls out with the result, such as a natural. */
export interface DeclaredView {
  name: string;
  label: LabelView;
}

/** What the display shows for one hand. */
export interface DisplayedOdds {
  hand: Hand;
  odds: string;
}

/** Who draws cards from the shoe (house rules, ez 2). */
export type Drawing = "dealer" | "players";

/** A card of the round as the evidence has it. */
export interface EvidenceCardView {
  number: number;
  card: Card | null;
  lies: Place;
  face: Face;
  recorded: boolean;
  hand: Hand | null;
  together: boolean;
  foreign: boolean;
  carried: boolean;
}

/** Which side of a card shows. */
export type Face = "down" | "up";

/** How cards are dealt. */
export type Faces = "down" | "up";

/** What the evidence on the table comes to. Nobody says this word in a report: the table finds it. */
export type Finding = "cards-run-out" | "dealing-error" | "drawn-together" | "excess" | "exposed" | "face-up" | "foreign-card" | "found-late" | "insurance-neglected" | "interruption" | "not-shuffled" | "record-slip" | "uncovered" | "wrong-number" | "wrong-set" | "wrong-side";

/** The two hands that are dealt. */
export type Hand = "banker" | "player";

/** One of the two hands. */
export interface HandView {
  label: LabelView;
  cards: readonly CardView[];
  points: number | null;
  natural: boolean;
  draws: boolean;
}

/** Both hands. */
export interface HandsView {
  player: HandView;
  banker: HandView;
}

/** Rounds of a table, the latest first. */
export interface HistoryAnswer {
  table: string;
  rounds: readonly RoundView[];
}

/** Insurance in this round. */
export interface InsuranceView {
  window: number | null;
  odds: readonly DisplayedOdds[];
  offers: readonly OfferView[];
  due: boolean;
  no_offer: NoOffer | null;
  no_offer_clause: string | null;
  waived: boolean;
  forgone: boolean;
  neglected: readonly number[];
  wished: readonly number[];
  wishing: readonly string[];
  cap_clause: string;
  waive_clause: string | null;
  neglect_clause: string;
}

/** Insurance that was taken. */
export interface InsuredView {
  player: string;
  hand: Hand;
  window: number;
  amount: number;
  odds: string;
  mine: boolean;
}

/** A name or text in every language; English where a book has none in one. */
export interface LabelView {
  en: string;
  zh_hans: string;
  zh_hant: string;
}

/** A layout that the game may be dealt on. */
export interface LayoutEntry {
  name: string;
  label: string;
  boxes: number;
}

/** A command that would be accepted, and how its free parts may be filled. */
export interface LegalView {
  command: Record<string, unknown>;
  free: readonly string[];
  most: number | null;
  odds: readonly string[];
  second: Role | null;
}

/** What the greatest amount at a box is measured by. */
export type LimitKind = "differential" | "per-bet";

/** What became of one bet. Amounts are minor units. */
export interface LineView {
  box: number;
  player: string;
  area: string;
  label: LabelView;
  stake: number;
  result: Result;
  odds: string | null;
  net: number;
  returned: number;
  clause: string;
  mine: boolean;
}

/** One win on the big road; columns and rows count from 0. */
export interface Mark {
  column: number;
  row: number;
  winner: RoundWinner;
  ties: number;
  banker_pair: boolean;
  player_pair: boolean;
}

/** What is the viewer's own at a table. */
export interface MineView {
  name: string;
  free: number;
  held: number;
  staked: number;
  boxes: readonly number[];
  away: boolean;
}

/** The dealer's next act. */
export interface NextView {
  command: Record<string, unknown> | null;
  phrase: string;
  needs_card: boolean;
  hand: Hand | null;
  waits: WaitView | null;
  problem: ProblemView | null;
}

/** Why nobody is offered insurance after Player's third card. */
export type NoOffer = "banker-stands" | "unlisted";

/** Who notices a bet outside the limits. */
export type Noticing = "dealer" | "strict";

/** Insurance that one holder of a main bet may take. Amounts are minor units. */
export interface OfferView {
  box: number;
  player: string;
  hand: Hand;
  odds: string;
  most: number;
  taken: number;
  forgone: boolean;
  mine: boolean;
}

/** Who offers insurance. */
export type Offering = "automatic" | "dealer";

/** What a player may choose after a dealing error. */
export type Option = "continue" | "return";

/** When a bet pays what. */
export interface PayEntry {
  when: LabelView;
  result: Result;
  pays: string | null;
  clause: string | null;
}

/** One row of a pay table in words. */
export interface PaysView {
  when: LabelView;
  pays: string;
  clause: string;
}

/** Where a table stands in its round. */
export type Phase = "antes" | "betting" | "closed" | "dealing" | "finished" | "idle" | "new";

/** How a call ended. */
export type PitAnswer = "cleared" | "coming";

/** A call for somebody from the pit to come to a table. */
export interface PitCall {
  call: string;
  table: string;
  caller: string;
  role: Role;
  reason: string | null;
  called: number;
  answer: PitAnswer | null;
  answered_by: string | null;
  answered: number | null;
}

/** Calls that nobody has answered, and those that somebody is coming to; oldest first. */
export interface PitCallsAnswer {
  calls: readonly PitCall[];
}

/** Where a card lies. */
export type Place = "banker" | "floor" | "player" | "shoe" | "table";

/** Bytes that a player adds to the shuffle. */
export interface PledgeView {
  player: string;
  digest: string;
  opened: boolean;
}

/** Why a dealer cannot go on: the only command that is left would be refused. */
export interface ProblemView {
  command: string;
  reason: string;
  params: Record<string, string | number>;
  sentence: string;
  clause: string | null;
}

/** Why a hand drew a third card or stood. */
export interface ReasonView {
  hand: Hand;
  draws: boolean;
  points: number;
  third: number | null;
  label: LabelView;
  clause: string;
}

/** A refusal as it is sent to programs and pages, with its sentence. */
export interface RefusalText {
  reason: string;
  params: Record<string, string | number>;
  sentence: string;
  clause?: string | null;
}

/** The three things that can happen to a bet. */
export type Result = "lose" | "push" | "win";

/** A round that is decided, until the next call for bets. */
export interface ResultView {
  round: number;
  winner: Winner;
  player_points: number;
  banker_points: number;
  declared: readonly DeclaredView[];
  settled: boolean;
  lines: readonly LineView[];
  queue: readonly LineView[];
  net: number;
}

/** The roads of the shoe in play. They are information only, and predict nothing. */
export interface RoadView {
  shoe: number;
  results: string;
  bead: readonly Bead[];
  big: readonly Mark[];
  big_eye: readonly ShadeView[];
  small: readonly ShadeView[];
  cockroach: readonly ShadeView[];
  ask: AskView;
  counts: CountsView;
}

/** The roads of the shoe in play. They are information only, and predict nothing. */
export interface RoadsAnswer {
  table: string;
  version: number;
  roads: RoadView;
}

/** In which capacity somebody acts at a table. */
export type Role = "administrator" | "auditor" | "cashier" | "dealer" | "pit-manager" | "pit-supervisor" | "player" | "shift-manager";

/** How much more a box takes on each hand under the differential. */
export interface RoomView {
  player: number;
  banker: number;
}

/** A round that is over. Amounts are minor units. */
export interface RoundView {
  round: number;
  shoe: number;
  seq: number;
  time: number;
  winner: Winner | null;
  player: readonly Card[];
  banker: readonly Card[];
  player_points: number;
  banker_points: number;
  player_pair: boolean;
  banker_pair: boolean;
  declared: readonly DeclaredView[];
  clause: string | null;
  lines: readonly LineView[];
  net: number;
}

/** Which hand won, if one did. */
export type RoundWinner = "banker" | "player" | "tie";

/** What a table does with a fraction of a minor unit, by its terms. */
export type Rounding = "down" | "half-up" | "up";

/** A betting box. */
export interface SeatView {
  box: number;
  player: string | null;
  away: boolean;
  mine: boolean;
  bets: readonly BetView[];
  insurance: readonly InsuredView[];
  room: RoomView | null;
  heavier: Hand | null;
  difference: number;
}

/** What else was seen, beside cards. */
export type Seen = "cards-run-out" | "foreign-card" | "insurance-neglected" | "interruption" | "not-shuffled" | "uncovered" | "wrong-set";

/** A session, as the page that uses it needs it. */
export interface SessionAnswer {
  account: string;
  roles: readonly Role[];
  csrf: string;
  expires: number;
  authenticated: number;
}

/** A mark of a derived road; columns and rows count from 0. */
export interface ShadeView {
  column: number;
  row: number;
  red: boolean;
}

/** The shoe in play. */
export interface ShoeView {
  number: number;
  size: number;
  cards_left: number;
  decks: number;
  source: SourceKind;
  cut_card_out: boolean;
  last_round: number | null;
  finished: boolean;
  burn_due: boolean;
  commitment: string | null;
  algorithm: string | null;
  pledges: readonly PledgeView[];
  pledges_closed: boolean;
}

/** What opens or closes the betting. */
export type Signal = "call" | "first-card";

/** The three sources a table may name in its terms. */
export type SourceKind = "continuous" | "entered" | "shuffled";

/** What a player asks to do by hand. */
export type SqueezeKind = "banker-third-first" | "banker-third-shown" | "card";

/** A squeeze that was asked for. */
export interface SqueezeView {
  kind: SqueezeKind;
  player: string;
  hand: Hand | null;
  number: number | null;
  consent: boolean | null;
  mine: boolean;
}

/** One movement of an account, with the balance after it. Amounts are minor units, times milliseconds. */
export interface StatementLine {
  id: number;
  time: number;
  kind: string;
  amount: number;
  balance: number;
  table?: string | null;
  seq?: number | null;
  round?: number | null;
  box?: number | null;
  area?: string | null;
  clause?: string | null;
  reason?: string | null;
  by?: string | null;
  second?: string | null;
}

/** The rounds of the shoe in play in numbers. Nothing here predicts a round. */
export interface StatisticsAnswer {
  table: string;
  version: number;
  statistics: StatisticsView;
}

/** A stretch of rounds in numbers. Amounts are minor units. Nothing here predicts a round. */
export interface StatisticsView {
  counts: CountsView;
  voids: number;
  chances: readonly ChanceView[];
  bets: number;
  won: number;
  staked: number;
  net: number;
  expected: number;
  costs: readonly CostView[];
}

/** A table as the caller sees it. */
export interface TableAnswer {
  table: string;
  version: number;
  terms: Terms | null;
  digest: string;
  view: TableView;
  legal: readonly LegalView[];
}

/** A table as one viewer sees it. */
export interface TableView {
  table: string;
  seq: number;
  now: number;
  book: BookView;
  terms: TermsView | null;
  phase: Phase;
  round: number;
  void: boolean;
  paused: boolean;
  imported: boolean;
  shoe: ShoeView | null;
  hands: HandsView;
  reasons: readonly ReasonView[];
  call: CallView;
  areas: readonly AreaView[];
  seats: readonly SeatView[];
  away: readonly string[];
  mine: MineView | null;
  insurance: InsuranceView | null;
  antes: readonly AnteView[];
  squeezes: readonly SqueezeView[];
  squeezer: string | null;
  result: ResultView | null;
  case: CaseView | null;
  next: NextView | null;
  clock: ClockView | null;
  dealer: boolean;
}

/** Every table. */
export interface TablesAnswer {
  tables: readonly TableAnswer[];
}

/** The terms of a table. Amounts are minor units. */
export interface Terms {
  book: string;
  layout: string;
  boxes?: number | null;
  boxes_each?: number;
  decks?: number;
  currency?: string;
  chip?: number;
  minimum?: number;
  maximum?: number | null;
  differential?: number | null;
  bet_limits?: Record<string, BetLimits>;
  faces?: Faces;
  private?: boolean;
  insurance?: boolean;
  requested_by?: string | null;
  offering?: Offering;
  noticing?: Noticing;
  drawing?: Drawing;
  rounding?: Rounding;
  burn?: string;
  behind_cut?: number;
  rounds_after_cut?: number;
  source?: SourceKind;
  authority?: readonly Authority[];
}

/** What the house decided, as far as players need it. Amounts are minor units. */
export interface TermsView {
  layout: string;
  boxes: number;
  boxes_each: number;
  decks: number;
  currency: string;
  chip: number;
  minimum: number;
  maximum: number | null;
  differential: number | null;
  faces: Faces;
  source: SourceKind;
  private: boolean;
  insurance: boolean;
  offering: Offering;
  noticing: Noticing;
  drawing: Drawing;
}

/** What a table waits for. */
export interface WaitView {
  what: Awaited;
  whom: readonly string[];
}

/** Which hand won, if one did. */
export type Winner = "banker" | "player" | "tie";
