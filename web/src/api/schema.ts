// What the server sends, generated from the server's structs by tools/page_types.py: do not edit.

/** What somebody is and has. */
export interface Account {
  account: string;
  display: string | null;
  roles: readonly Role[];
  currency: string;
  free: number;
  held: Record<string, number>;
  balance: Balance;
  opened_ms: number;
  contact?: string | null;
  due?: Record<string, number>;
  kind?: string;
}

/** Whose an account is, so that reports can keep them apart. */
export type AccountOwner = "bot" | "player" | "test";

/** Movements of an account, oldest first unless the latest were asked for. */
export interface AccountStatement {
  account: string;
  currency: string;
  lines: readonly StatementLine[];
  last: number;
}

/** What is best in the second window after these totals in the first. */
export interface AfterHoldEntry {
  player_points: number;
  banker_points: number;
  best: string;
}

/** Something that somebody in the pit should see now. */
export interface Alert {
  alert: string;
  kind: AlertKind;
  table?: string | null;
  since: number;
  params?: Record<string, string | number>;
  acknowledged?: SeenBy | null;
}

/** What an alert is about. */
export type AlertKind = "case-open" | "clock-put-back" | "count-differs" | "damaged" | "database-trouble" | "dealer-stuck" | "device-lost" | "differential" | "error-found-late" | "integrity-checked" | "large-day" | "large-stake" | "large-win" | "locked-out" | "no-dealer" | "pit-called" | "results-differ" | "stopped";

/** Something that was altered: when, what, by whom, who agreed, why, what it was before and is now. */
export interface AlterationRow {
  time: number;
  what: string;
  subject: string;
  who: string | null;
  second?: string | null;
  reason?: string | null;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

export interface AlterationTotals {
  alterations?: number;
  by_kind?: Record<string, number>;
}

export interface AlterationsReport {
  kind: "alterations";
  from: number | null;
  to: number;
  made: number;
  title: string;
  operator: string;
  version: string;
  time_zone: string;
  is_active: boolean;
  table?: string | null;
  rounds?: readonly unknown[] | null;
  fixed?: readonly FixedDay[];
  rows: readonly AlterationRow[];
  totals: AlterationTotals;
}

/** The marks that a win would add: its own on the big road, and the one of each derived road, where there is one. */
export interface AnswerView {
  big: Mark;
  big_eye: ShadeView | null;
  small: ShadeView | null;
  cockroach: ShadeView | null;
}

/** What is best with an ante when these cards are shown. */
export interface AnteDecisionEntry {
  side: string;
  first: number;
  shown: readonly number[];
  play: string;
  best: string;
}

/** An ante and its wager. */
export interface AnteEntry {
  ante: string;
  wager: string;
  ev?: string | null;
  play?: string | null;
  best?: string | null;
}

/** What became of an ante so far. */
export type AnteState = "given-up" | "open" | "wagered";

/** An ante with the best play. */
export interface AnteSummary {
  ante: string;
  wager: string;
  side: string;
  ev: string;
  staked: string;
  edge_at_risk: string;
}

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

/** What bots or test accounts did at a table, which is in no other row and in no total. */
export interface ApartRow {
  currency?: string | null;
  rounds?: number;
  bets?: number;
  handle?: number | null;
  drop?: number | null;
  win?: number | null;
  hold?: number | null;
  commission?: number | null;
  theoretical_win?: number | null;
  theoretical_exact?: string | null;
  unweighed?: number | null;
  least_win?: number | null;
  greatest_win?: number | null;
  beyond_chance?: boolean | null;
  table: string;
  accounts: AccountOwner;
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

/** A command that a second person agreed to. */
export interface ApprovedCommand {
  version: number;
  time: number;
  by: string;
  role: Role;
  command: string;
  words: string;
  second: Person;
  first: number | null;
  last: number | null;
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
  laid: number | null;
}

/** What the roads would show next, if Banker won and if Player did. It follows from the rules of the roads alone. */
export interface AskView {
  banker: AnswerView;
  player: AnswerView;
}

/** Who may see something. */
export type Audience = "everybody" | "nobody" | "staff";

/** The felt at one moment, whole; bets are places in the list of all that lay in the round. */
export interface AuditFelt {
  phase: Phase;
  paused: boolean;
  hands: HandsView;
  reasons: readonly ReasonView[];
  winner: Winner | null;
  bets: readonly number[];
  lines: readonly LineView[];
  seats: Record<string, string>;
  away: readonly string[];
  offers: readonly OfferMade[];
  cards_left: number | null;
  case: number | null;
  is_void: boolean;
}

/** One thing that is not as it was written. */
export interface AuditProblem {
  table: string | null;
  seq: number | null;
  problem: string;
  kind: ProblemKind;
  params: Record<string, string | number>;
  words: LabelView;
}

/** An event of the round. */
export interface AuditStep {
  seq: number;
  time: number;
  type: string;
  words: LabelView;
  by: string;
  role: Role;
  second: Person | null;
  command: string | null;
  clause: string | null;
  reason: string;
  case: number | null;
  link: LinkView;
  money: readonly MovedView[];
  felt: number;
  event: Record<string, unknown>;
}

/** A finished round, event by event. */
export interface AuditedRound {
  table: string;
  round: number;
  shoe: number;
  digest: string;
  title: LabelView;
  currency: string;
  imported: boolean;
  first: number;
  last: number;
  is_last: boolean;
  odds: Record<string, readonly string[]>;
  played: RoundView | null;
  intact: boolean;
  bets: readonly LaidView[];
  felts: readonly AuditFelt[];
  steps: readonly AuditStep[];
  refused: readonly RefusedCommand[];
  balances: readonly PlayerBalance[];
  disputes: readonly Dispute[];
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

/** What a player has, over all tables: the same wherever it is shown at one moment. */
export interface Balance {
  free: number;
  staked: number;
  held: number;
}

/** One round on the bead plate; columns and rows count from 0. */
export interface Bead {
  column: number;
  row: number;
  result: RoundWinner;
  banker_pair: boolean;
  player_pair: boolean;
}

/** A second factor to be set up; it is told only here, and holds when a code confirms it. */
export interface BegunFactor {
  account: string;
  secret: string;
  uri: string;
  qr: string;
  expires: number;
}

export interface BetEdges {
  bet: string;
  edges: readonly EdgeOfDecks[];
}

/** A betting area with its pay table. */
export interface BetEntry {
  area: string;
  label: LabelView;
  group: Area;
  clause: string | null;
  odds: readonly string[];
  rows: readonly PayEntry[];
}

/** Least and greatest stake of one betting area, in minor units. */
export interface BetLimits {
  minimum: number;
  maximum?: number | null;
}

/** The exact odds of one bet. */
export interface BetOddsEntry {
  bet: string;
  ev: string;
  edge: number;
  sd: number;
  win: number;
  push: number;
  lose: number;
}

/** A bet of the catalogue for programs; docs/reference/command-line.md describes it. */
export interface BetRecord {
  bet: string;
  name: string;
  pays: readonly PayChance[];
  source: string;
  published: readonly Record<string, unknown>[];
  edge: ExactFigure;
  hit: ExactFigure;
  first_match: boolean;
  needs: readonly string[];
  note: string | null;
}

/** One betting area of one table, in the report of tables. Drop and hold are those of a whole table. */
export interface BetRow {
  currency?: string | null;
  rounds?: number;
  bets?: number;
  handle?: number | null;
  drop?: number | null;
  win?: number | null;
  hold?: number | null;
  commission?: number | null;
  theoretical_win?: number | null;
  theoretical_exact?: string | null;
  unweighed?: number | null;
  least_win?: number | null;
  greatest_win?: number | null;
  beyond_chance?: boolean | null;
  table: string;
  area: string;
  decks: number;
  edge: number | null;
  edge_exact: string | null;
  hold_by_handle: number | null;
}

/** What is to be said of a bet on the layout. */
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

/** The board of a table, and who made the key of its screens. */
export interface BoardAnswer {
  table: string;
  settings: BoardSettings;
  linked_by?: string | null;
  linked_ms?: number | null;
}

/** A key for the screens of a table, told only here. */
export interface BoardKey {
  table: string;
  key: string;
}

/** A road that a board can show. */
export type BoardRoad = "bead" | "big" | "bigEye" | "cockroach" | "small";

/** What the board of a table shows. */
export interface BoardSettings {
  on?: boolean;
  language?: string | null;
  roads?: readonly BoardRoad[];
  mirrored?: boolean;
  code?: boolean;
  address?: string;
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
  drawing: DrawingEntry;
  insurance: InsuranceTable | null;
  player: LabelView;
  banker: LabelView;
  clauses: readonly ClauseEntry[];
}

/** A book by name and digest. */
export interface BookEntry {
  name: string;
  title: LabelView;
  digest: string;
}

export interface BookProblem {
  place: string;
  line: number | null;
  file: string;
  problem: string;
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
  called: boolean;
}

/** One of the 52 cards; `Card("KS")` and `Card.parse("ks")` both give the king of spades. */
export type Card = "10C" | "10D" | "10H" | "10S" | "2C" | "2D" | "2H" | "2S" | "3C" | "3D" | "3H" | "3S" | "4C" | "4D" | "4H" | "4S" | "5C" | "5D" | "5H" | "5S" | "6C" | "6D" | "6H" | "6S" | "7C" | "7D" | "7H" | "7S" | "8C" | "8D" | "8H" | "8S" | "9C" | "9D" | "9H" | "9S" | "AC" | "AD" | "AH" | "AS" | "JC" | "JD" | "JH" | "JS" | "KC" | "KD" | "KH" | "KS" | "QC" | "QD" | "QH" | "QS";

/** A card that was dealt, turned up or put right. */
export interface CardStep {
  seq: number;
  time: number;
  by: string;
  role: Role;
  what: string;
  hand: Hand;
  number: number;
  card: Card | null;
  was?: Card | null;
}

/** A card on the felt. */
export interface CardView {
  card: Card | null;
  up: boolean;
  crosswise: boolean;
  squeezable: boolean;
}

/** Everything that was done about one case. */
export interface CaseRecord {
  case: number;
  events: readonly EventRecord[];
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
  grounds: readonly GroundView[];
  cards: readonly EvidenceCardView[];
  seen: readonly Seen[];
  note: string;
}

/** The open case of a table, and what the last rounds' cases came to. */
export interface CasesAnswer {
  table: string;
  version: number;
  case: CaseView | null;
  events: readonly SeenRecord[];
}

/** Cash that somebody brings or takes, beside what the house wants to know of. Amounts are minor units. */
export interface CashMark {
  account: string;
  act: string;
  amount: number;
  day: string;
  total: number;
  threshold: number | null;
  why: CashPeriod | null;
}

/** What counts together before it is large cash. */
export type CashPeriod = "day" | "single";

export interface CashierReport {
  kind: "cashier";
  from: number | null;
  to: number;
  made: number;
  title: string;
  operator: string;
  version: string;
  time_zone: string;
  is_active: boolean;
  table?: string | null;
  rounds?: readonly unknown[] | null;
  fixed?: readonly FixedDay[];
  rows: readonly CashierRow[];
  totals: CashierTotals;
  by_currency?: readonly CashierTotals[];
  apart?: readonly CashierRow[];
  large?: readonly LargeCashRow[];
}

/** What one person did at the cashier's desk. */
export interface CashierRow {
  cashier: string;
  accounts: AccountOwner;
  currency: string;
  buy_ins: number;
  buy_in_count: number;
  cash_outs: number;
  cash_out_count: number;
  corrections: number;
  correction_count: number;
  drawer_change: number;
}

/** A shift of a cashier. Amounts are minor units. */
export interface CashierShift {
  number: number;
  cashier: string;
  currency: string;
  opened_ms: number;
  opener: readonly ChipCount[];
  opened: number;
  bought: number;
  paid: number;
  expected: number;
  receipts: readonly Receipt[];
  closed_ms?: number | null;
  closer?: readonly ChipCount[];
  closed?: number | null;
  difference?: number | null;
}

export interface CashierTotals {
  currency?: string | null;
  buy_ins?: number | null;
  buy_in_count?: number;
  cash_outs?: number | null;
  cash_out_count?: number;
  corrections?: number | null;
  correction_count?: number;
  drawer_change?: number | null;
  drawer_before?: number | null;
  drawer_after?: number | null;
}

/** Every published bet that a book can take. */
export interface CatalogueAnswer {
  sections: readonly ListedSection[];
}

/** The bets of a section with exact figures. */
export interface CatalogueSectionAnswer {
  section: string;
  title: string;
  decks: number;
  bets: readonly BetRecord[];
}

/** How often a bet wins with a full shoe, exactly computed. */
export interface ChanceView {
  area: string;
  label: LabelView;
  win: number;
  push: number;
}

/** One thing that was looked at. */
export interface Check {
  check: string;
  ok: boolean;
  sentence: string;
  words: LabelView;
}

/** Chips, notes or coins of one value. */
export interface ChipCount {
  value: number;
  count: number;
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

/** A gaming day that was closed, and where its files are. Times are milliseconds. */
export interface ClosedDay {
  day: string;
  from: number;
  to: number;
  closed: number;
  closed_by: string;
  files: Record<string, string>;
  folder: string;
}

/** A QR code, row by row: `1` is dark. The light frame around it is not among them. */
export interface CodeAnswer {
  link: string;
  rows: readonly string[];
}

/** When the house collects its commission on a win (commission 4.1.1). */
export type Collecting = "end-of-shoe" | "on-leaving" | "with-payout";

export interface ComparedBet {
  bet: string;
  first: ComparedOdds | null;
  second: ComparedOdds | null;
}

export interface ComparedBook {
  book: string;
  title: string;
  digest: string;
}

/** The comparison with its words in every language. */
export interface ComparedBooks {
  decks: number;
  same: boolean;
  books: readonly ComparedBook[];
  bets: readonly ComparedBet[];
  special: readonly ComparedDecision[];
  pays: readonly PayDifference[];
  differences: readonly Difference[];
  shared: readonly number[];
  labels: Record<string, LabelView>;
  pay_words: readonly ComparedPay[];
  special_words: readonly LabelView[];
}

/** What a bet with decisions is worth, as fractions. */
export interface ComparedDecision {
  bet: string;
  first: string | null;
  second: string | null;
}

export interface ComparedOdds {
  edge: number;
  ev: string;
  hit: number;
  sd: number;
}

/** A row that pays otherwise, in every language. */
export interface ComparedPay {
  when: LabelView;
  first: LabelView | null;
  second: LabelView | null;
}

/** A card of the round that lies open, which whoever named it may put right. */
export interface CorrectionView {
  hand: Hand;
  number: number;
  problem: ProblemView | null;
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

/** What a table has done in a gaming day so far. Amounts are minor units; of players alone. */
export interface DayFigures {
  rounds: number;
  handle: number;
  win: number;
  largest: number;
}

/** The day that can be closed next, and those that were. */
export interface DaysAnswer {
  next: NextDay;
  days: readonly KeptDay[];
}

/** Who deals at a table, who dealt before, and how fast. Times are milliseconds. */
export interface DealingView {
  dealer?: string | null;
  since?: number | null;
  before?: string | null;
  until?: number | null;
  rounds?: number;
  rounds_an_hour?: number;
}

/** Who deals at a table. */
export type DealtBy = "automatic" | "person";

/** What was decided. */
export type Decided = "ante-given-up" | "bet-returned" | "card-opened" | "continued" | "draw-taken" | "insurance-forgone";

/** Why the player did not decide it. */
export type DecidedBecause = "away" | "rule" | "staff" | "time";

/** A decision that the table took for a player who took none. Amounts are minor units. */
export interface DecisionView {
  seq: number;
  time: number;
  player: string;
  what: Decided;
  why: DecidedBecause;
  by: string;
  clause: string | null;
  box?: number | null;
  area?: string | null;
  amount?: number;
  label?: LabelView | null;
}

/** A name that the dealer calls out with the result, such as a natural. */
export interface DeclaredView {
  name: string;
  label: LabelView;
}

/** One decision that was taken for a player. */
export interface DefaultDecision {
  seq: number;
  time: number;
  player: string;
  what: Decided;
  why: DecidedBecause;
  by: string;
  clause: string | null;
  box?: number | null;
  area?: string | null;
  amount?: number;
}

/** A package that Punto builds on, as it is installed. */
export interface Dependency {
  version: string;
  record: string | null;
}

/** A key with which a device says which card left the shoe of one table; the key itself is told once. */
export interface Device {
  device: string;
  table: string;
  name: string;
  issued_by: string;
  issued: number;
  revoked_by?: string | null;
  revoked?: number | null;
}

/** Every key that was issued, oldest first. */
export interface DevicesAnswer {
  devices: readonly Device[];
}

/** Everything that was looked at. */
export interface Diagnosis {
  ok: boolean;
  checks: readonly Check[];
}

/** One thing that the books say differently; None where a book does not say it. */
export interface Difference {
  section: string;
  what: string;
  first: string | null;
  second: string | null;
}

/** How much of the differential is used, in the box that uses most of it. */
export interface DifferentialUse {
  box: number;
  used: number;
  whole: number;
  percent: number;
}

/** What the display shows for one hand, and what insurance on it comes to by the book. */
export interface DisplayedOdds {
  hand: Hand;
  odds: string;
  ends: readonly OfferEndView[];
  edge: number | null;
}

/** A round that a player disputes, and what the house answers. Times are milliseconds. */
export interface Dispute {
  dispute: string;
  table: string;
  round: number;
  player: string;
  text: string;
  raised: number;
  answer: string | null;
  answered_by: string | null;
  answered: number | null;
}

/** Rounds that players dispute. */
export interface DisputesAnswer {
  disputes: readonly Dispute[];
}

/** Whether a hand draws a third card. */
export interface DrawEntry {
  draws: boolean;
  clause: string;
}

/** Who draws cards from the shoe (house rules, ez 2). */
export type Drawing = "dealer" | "players";

/** When each hand draws a third card. None stands where a natural has ended the deal by then. */
export interface DrawingEntry {
  naturals: readonly number[];
  naturals_clause: string;
  player: readonly (DrawEntry | null)[];
  banker: readonly (readonly (DrawEntry | null)[])[];
}

/** Commission of a player that is set aside and not collected yet, in minor units. */
export interface DueView {
  player: string;
  amount: number;
}

/** What the house keeps with a number of decks, and the exact expectation of the player. */
export interface EdgeOfDecks {
  decks: number;
  edge: number;
  ev: string;
}

/** What rules change for somebody, or at some tables. */
export type EffectKind = "advice-less" | "advice-more" | "checked" | "clocks" | "limits-needed" | "locked" | "must-enrol" | "rounds-slower" | "unchecked" | "unwatched" | "watched";

/** What a command would do; or why it would be refused. */
export interface EffectView {
  version: number;
  refusal?: RefusalText | null;
  second?: Role | null;
  phase: Phase;
  hands: HandsView;
  case?: CaseView | null;
  void?: boolean;
  settled?: boolean;
  returned?: readonly ReturnedMoney[];
  terms?: readonly TermChange[];
  needs_shoe?: boolean;
}

/** An event of the round in words. */
export interface EventRecord {
  seq: number;
  time: number;
  by: string;
  role: Role;
  type: string;
  clause: string | null;
  words: readonly string[];
}

/** A card of the round as the evidence has it. */
export interface EvidenceCardView {
  number: number;
  card: Card | null;
  lies: Place;
  face: Face;
  recorded: boolean;
  spoken: boolean;
  lay: Place | null;
  lay_face: Face | null;
  was: Card | null;
  hand: Hand | null;
  together: boolean;
  foreign: boolean;
  carried: boolean;
}

/** A figure as a fraction, and near enough as a decimal. */
export interface ExactFigure {
  exact: string;
  decimal: number;
}

/** What `punto check` says of a book, with sentences and names of betting areas in every language. */
export interface ExaminedBook {
  file: string;
  ok: boolean;
  problems: readonly BookProblem[];
  book?: string;
  digest?: string;
  bets?: readonly BetEdges[];
  warnings?: readonly LocatedWarning[];
  not_counted?: readonly string[];
  labels?: Record<string, LabelView>;
  problem_words?: readonly LabelView[];
  warning_words?: readonly LabelView[];
}

/** A time in which a player takes no seat, places no bet and buys no chips. */
export interface Exclusion {
  since_ms: number;
  until_ms?: number | null;
  by?: Guardian;
  reason?: string;
}

/** A bet with every figure as a fraction too, and how often each row of its pay table comes. */
export interface ExploredBet {
  bet: string;
  ev: string;
  edge: number;
  sd: number;
  win: number;
  push: number;
  lose: number;
  total: string;
  variance: string;
  exact_win: string;
  exact_push: string;
  exact_lose: string;
  rows: readonly ExploredRow[];
}

/** Exact odds of a book before a deal, when some cards have been taken out of a full shoe. */
export interface ExploredOdds {
  book: string;
  digest: string;
  decks: number;
  cards: number;
  removed: readonly string[];
  total: string;
  bets: readonly ExploredBet[];
  needs_suits: readonly string[];
  insurance: readonly StudiedOfferEntry[];
  insured: readonly InsuredBetEntry[];
  ante: readonly AnteDecisionEntry[];
  antes: readonly AnteSummary[];
}

/** A row of a pay table that can come. */
export interface ExploredRow {
  row: number;
  ways: string;
  chance: string;
}

/** Which side of a card shows. */
export type Face = "down" | "up";

/** How cards are dealt. */
export type Faces = "down" | "up";

/** Who names the cards of a physical shoe. */
export type FeedState = "device" | "lost" | "manual";

/** Who names the cards of a table with a physical shoe. Which device, and what it read in vain, is for staff. */
export interface FeedView {
  state: FeedState;
  device?: string | null;
  refused?: RefusedReading | null;
}

/** The felt of a table at one moment, as everybody could see it; a card that lies face down is null. */
export interface FeltRecord {
  phase: Phase;
  paused: boolean;
  since: string;
  player: readonly (Card | null)[];
  banker: readonly (Card | null)[];
  carried: readonly (Card | null)[];
  shoe: number;
  cards_left: number | null;
  last_round: number | null;
  seats: Record<string, string>;
  away: readonly string[];
  stakes: readonly Stake[];
  window: number | null;
  offers: readonly OfferMade[];
  forgone: readonly string[];
  antes_open: readonly UndecidedAnte[];
  case: number | null;
  settled: boolean;
}

/** How a value is written. */
export type FigureForm = "count" | "hours" | "kind" | "kinds" | "money" | "name" | "rate" | "role" | "share" | "state" | "text" | "time";

/** What the evidence on the table comes to. Nobody says this word in a report: the table finds it. */
export type Finding = "cards-run-out" | "dealing-error" | "drawn-together" | "excess" | "exposed" | "face-up" | "foreign-card" | "found-late" | "insurance-neglected" | "interruption" | "not-shuffled" | "record-slip" | "uncovered" | "wrong-number" | "wrong-set" | "wrong-side";

/** A gaming day that was closed, beside this report of it. */
export interface FixedDay {
  day: string;
  closed: number;
  closed_by: string;
  is_same: boolean | null;
  differing?: readonly string[];
}

export interface FloorReport {
  kind: "floor";
  from: number | null;
  to: number;
  made: number;
  title: string;
  operator: string;
  version: string;
  time_zone: string;
  is_active: boolean;
  table?: string | null;
  rounds?: readonly unknown[] | null;
  fixed?: readonly FixedDay[];
  rows: readonly TableRow[];
  totals: FloorTotals;
  by_currency?: readonly FloorTotals[];
  apart?: readonly ApartRow[];
  irregularities?: readonly IrregularityRow[];
}

/** All tables together, and what the house owes to players. */
export interface FloorTotals {
  currency?: string | null;
  rounds?: number;
  bets?: number;
  handle?: number | null;
  drop?: number | null;
  win?: number | null;
  hold?: number | null;
  commission?: number | null;
  theoretical_win?: number | null;
  theoretical_exact?: string | null;
  unweighed?: number | null;
  least_win?: number | null;
  greatest_win?: number | null;
  beyond_chance?: boolean | null;
  open_ms?: number;
  rounds_an_hour?: number | null;
  voids?: number;
  reversals?: number;
  irregularities?: number;
  free?: number | null;
  held?: number | null;
  in_play?: number | null;
  liability?: number | null;
}

/** An account that a cashier looks for: who it is, and nothing of what they have. */
export interface FoundAccount {
  account: string;
  display: string | null;
  currency: string;
  kind?: string;
}

/** Accounts whose name was looked for, those that begin with the text first. */
export interface FoundAccounts {
  accounts: readonly FoundAccount[];
}

/** Why the evidence comes to its clause. */
export interface GroundView {
  card: number | null;
  label: LabelView;
}

/** Who decided something that protects a player. */
export type Guardian = "house" | "player";

/** The two hands that are dealt; text, so that a strategy may ask for `"banker"` as a policy file writes it. */
export type Hand = "banker" | "player";

/** One of the two hands. */
export interface HandView {
  label: LabelView;
  cards: readonly CardView[];
  points: number | null;
  natural: boolean;
  draws: boolean;
}

/** The cards of both hands, null for one that lies face down. */
export interface HandsRecord {
  player: readonly (Card | null)[];
  banker: readonly (Card | null)[];
}

/** Both hands. */
export interface HandsView {
  player: HandView;
  banker: HandView;
}

/** Whether the server runs, whether it can take requests, and which software it is. */
export interface HealthAnswer {
  status: string;
  version?: string;
  digest?: string | null;
  intact?: boolean | null;
}

/** Rounds of a table, the latest first. */
export interface HistoryAnswer {
  table: string;
  rounds: readonly RoundView[];
}

/** One significant event: what the house itself did, or what it has to know of what happened at a table. */
export interface HouseAct {
  seq?: number;
  time: number;
  code: string;
  subject: string;
  who: string | null;
  second?: string | null;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  reason?: string | null;
  table?: string | null;
  event?: number | null;
  round?: number | null;
  stood?: Record<string, number> | null;
}

/** What everybody may know of the house, also before they log in. */
export interface HouseAnswer {
  operator: string;
  profile: string;
  play_money: boolean;
  watch_delay_seconds: number | null;
}

/** A page for some of the people of a house. */
export type HousePage = "audit" | "cage" | "office" | "pit" | "reports";

/** What the house has decided for its whole floor. Amounts are minor units. */
export interface HouseRules {
  profile?: Profile;
  operator?: string;
  time_zone?: string;
  day_begins?: string;
  money?: MoneyKind | null;
  shortest_betting_seconds?: number;
  seat_kept_minutes?: number;
  dispute_days?: number;
  watch_delay_seconds?: number | null;
  shifts_required?: boolean;
  rack_difference?: number | null;
  large_cash?: number | null;
  large_cash_period?: CashPeriod;
  large_stake?: number | null;
  large_win?: number | null;
  large_day?: number | null;
}

/** An insurance offer. */
export interface InsuranceEntry {
  window: string;
  hand: string;
  player_points?: number | null;
  banker_points?: number | null;
  odds: string;
  reach?: string | null;
  ev: string;
}

/** The insurance of a book: what is offered at which points. */
export interface InsuranceTable {
  label: LabelView;
  table_clause: string;
  offers: readonly OfferEntry[];
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

/** A main bet without insurance and with the best policy of it. */
export interface InsuredBetEntry {
  bet: string;
  ev: string;
  edge: number;
  gain: string;
  insured_ev: string;
  insured_edge: number;
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

/** What was found of the software that is installed. */
export interface Integrity {
  version: string;
  digest: string;
  files: number;
  promised: boolean;
  ok: boolean;
  changed?: readonly string[];
  missing?: readonly string[];
  added?: readonly string[];
  dependencies?: Record<string, Dependency>;
}

/** Which software runs, and what was found of it so far. */
export interface IntegrityAnswer {
  now: Integrity | null;
  kept: readonly HouseAct[];
}

/** An invitation, without the code that opens it. */
export interface Invitation {
  invitation: string;
  state: string;
  role: Role;
  currency: string;
  buy_in: number;
  made_by: string;
  made: number;
  expires: number;
  used_by?: string | null;
  used?: number | null;
}

/** Every invitation, oldest first. */
export interface InvitationsAnswer {
  invitations: readonly Invitation[];
}

/** How often something went wrong with one dealer at one table. */
export interface IrregularityRow {
  table: string;
  dealer: string;
  kind: string;
  count: number;
}

/** A gaming day that was closed, as those may see it who see its reports. Times are milliseconds. */
export interface KeptDay {
  day: string;
  from: number;
  to: number;
  closed: number;
  closed_by: string;
  files: readonly string[];
  totals?: FloorTotals | null;
}

/** A limit in force, and how it becomes looser where that was asked for. */
export interface KeptLimit {
  what: PlayMeasure;
  period: PlayPeriod;
  amount: number;
  changes_ms?: number | null;
  next?: number | null;
}

/** A name or text in every language; English where a book has none in one. */
export interface LabelView {
  en: string;
  zh_hans: string;
  zh_hant: string;
}

/** What lay on the felt for somebody. Amounts are minor units. */
export interface LaidView {
  box: number;
  player: string;
  area: string;
  label: LabelView;
  amount: number;
  mine: boolean;
}

/** A buy-in or a cash-out that was large cash by the rules of the house at that time, by itself or in its day. */
export interface LargeCashRow {
  time: number;
  player: string;
  accounts: AccountOwner;
  act: string;
  currency: string;
  amount: number;
  day: string;
  total: number;
  threshold: number;
  why: CashPeriod;
  cashier: string;
}

/** The largest stake on one area of a box. */
export interface LargestBet {
  player: string;
  box: number;
  label: LabelView;
  stake: number;
}

/** The log-in before this one: if it was not you, say so to the house. */
export interface LastLogIn {
  time: number;
  address: string;
}

/** A layout that the game may be dealt on. */
export interface LayoutChoice {
  name: string;
  label: string;
  boxes_least: number;
  boxes_most: number;
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

/** A limit that holds, and what is used of it. */
export interface LimitUse {
  what: PlayMeasure;
  period: PlayPeriod;
  amount: number;
  used: number;
  by: Guardian;
}

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
  commission?: number;
  is_due?: boolean;
  insures?: Hand | null;
}

/** The place of a record in the chain of its table. */
export interface LinkView {
  hash: string;
  before: string;
  fits: boolean;
}

/** A published bet. */
export interface ListedBet {
  bet: string;
  name: string;
  label: LabelView;
  pays: readonly string[];
  source: string;
  note: LabelView | null;
}

/** A section of the catalogue. */
export interface ListedSection {
  section: string;
  title: string;
  bets: readonly ListedBet[];
}

/** A warning with its place in a file, and why the book acknowledges it, if it does. */
export interface LocatedWarning {
  warning: string;
  place: string;
  line: number | null;
  file: string;
  sentence: string;
  acknowledged: string | null;
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

/** Somebody who has an account, with the roles they hold. */
export interface Member {
  account: string;
  display: string | null;
  currency: string;
  roles: readonly Role[];
  can_log_in: boolean;
  shut?: string | null;
  second_factor?: boolean;
  kind?: string;
}

/** What is the viewer's own at a table. */
export interface MineView {
  name: string;
  balance: Balance;
  staked: number;
  boxes: readonly number[];
  away: boolean;
  due?: number;
}

/** What is played for. */
export type MoneyKind = "play" | "real";

/** What the cashier did. */
export interface Moved {
  account: string;
  kind: string;
  amount: number;
  free: number;
  receipt?: number;
}

/** A movement of money that an event led to. Amounts are minor units, and sum to zero. */
export interface MovedView {
  id: number;
  kind: MovementKind;
  player: string | null;
  area: LabelView | null;
  clause: string | null;
  postings: readonly Posting[];
}

/** Why money moved. */
export type MovementKind = "bet" | "buy-in" | "cash-out" | "collection" | "commission" | "correction" | "credit" | "fill" | "release" | "return" | "reversal" | "settlement" | "void";

/** A round of yours, with the table that it was played at. */
export interface MyRound {
  table: string;
  book: string;
  played: RoundView;
  dispute: Dispute | null;
}

/** Rounds of yours at any table, the latest first. */
export interface MyRoundsAnswer {
  currency: string;
  rounds: readonly MyRound[];
  last: number | null;
}

/** A key that was just issued. */
export interface NewDevice {
  device: string;
  table: string;
  name: string;
  issued_by: string;
  issued: number;
  revoked_by?: string | null;
  revoked?: number | null;
  key: string;
}

/** An invitation that was just made; its code is told only here. */
export interface NewInvitation {
  invitation: string;
  state: string;
  role: Role;
  currency: string;
  buy_in: number;
  made_by: string;
  made: number;
  expires: number;
  used_by?: string | null;
  used?: number | null;
  code: string;
  link: string;
  qr: string;
}

/** Invitations that were just made, with their codes. */
export interface NewInvitationsAnswer {
  invitations: readonly NewInvitation[];
}

/** A gaming day that could be closed, and what stands in the way. */
export interface NextDay {
  day: string;
  from: number;
  to: number;
  refusal?: RefusalText | null;
  shifts?: readonly string[];
  racks?: readonly string[];
}

/** The dealer's next act. */
export interface NextView {
  command: Record<string, unknown> | null;
  phrase: string;
  needs_card: boolean;
  hand: Hand | null;
  waits: WaitView | null;
  problem: ProblemView | null;
  corrections?: readonly CorrectionView[];
}

/** Why nobody is offered insurance after Player's third card. */
export type NoOffer = "banker-stands" | "unlisted";

/** Who notices a bet outside the limits. */
export type Noticing = "dealer" | "strict";

/** Exact odds of every bet of a table. */
export interface OddsAnswer {
  table: string;
  book: string;
  digest: string;
  decks: number;
  cards: number;
  bets: readonly BetOddsEntry[];
  insurance: readonly InsuranceEntry[];
  ante: readonly AnteEntry[];
  stage?: string | null;
}

/** How the insured hand can come out. */
export type OfferEnd = "loses" | "ties" | "wins";

/** What becomes of a stake on insurance where the insured hand comes out in one way. */
export interface OfferEndView {
  end: OfferEnd;
  result: Result;
  odds: string | null;
  clause: string;
  chance: number;
  label: LabelView;
}

/** A row of the insurance pay table. */
export interface OfferEntry {
  cards: number;
  hand: Hand;
  player_points: readonly number[];
  banker_points: readonly number[];
  pays: string;
  tie: Result;
  clause: string;
  tie_clause: string;
}

/** Insurance that one holder of a main bet may take. */
export interface OfferMade {
  box: number;
  player: string;
  hand: Hand;
  odds: string;
  most: number;
}

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

/** A session that is open, without anything that could open it. */
export interface OpenSession {
  session: string;
  created: number;
  active: number;
  expires: number;
  address: string;
  current?: boolean;
}

/** What a player may choose after a dealing error. */
export type Option = "continue" | "return";

/** How long a dealer waits, in milliseconds; None is as long as it takes. */
export interface Pace {
  bets?: number | null;
  antes?: number | null;
  insurance?: number | null;
  squeeze?: number | null;
  options?: number | null;
  draw?: number | null;
  cards?: number;
  rounds?: number;
}

/** A stretch of the big road that has a name. It says what was; it says nothing about what comes. */
export interface Pattern {
  kind: PatternKind;
  first: number;
  last: number;
}

/** What players call a stretch of the big road, by the lengths of its logical columns. */
export type PatternKind = "double-jump" | "dragon" | "one-two" | "side-by-side" | "single-jump";

export interface PayChance {
  when: string;
  pays: string;
  chance: ExactFigure;
}

/** A row that pays otherwise, or that one book does not have. */
export interface PayDifference {
  bet: string;
  when: string;
  first: string | null;
  second: string | null;
}

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

/** Everybody who has an account. */
export interface PeopleAnswer {
  people: readonly Member[];
  last: Record<string, number>;
}

/** Somebody in a role. */
export interface Person {
  name: string;
  role: Role;
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

/** A card, and the place in the shoe that it came from. */
export interface PlacedCard {
  place: number;
  card: Card;
  round: number;
}

/** What a limit of a player is on. */
export type PlayMeasure = "buy-in" | "loss" | "stake" | "time";

/** For how long a limit counts: a session of play, or a gaming day, a week from Monday on, or a month of them. */
export type PlayPeriod = "day" | "month" | "session" | "week";

/** The money of one player around a round, in minor units. */
export interface PlayerBalance {
  player: string;
  before: number;
  round: number;
  elsewhere: number;
  after: number;
  held: number;
}

/** The limits of a player; where both have one, the stricter holds. */
export interface PlayerLimits {
  limits: readonly KeptLimit[];
  house?: readonly KeptLimit[];
}

/** What a player's session of play has come to, and what protects the player. Amounts are minor units. */
export interface PlayerPlay {
  account: string;
  began_ms: number | null;
  minutes: number;
  staked: number;
  returned: number;
  net: number;
  lying: number;
  check_minutes?: number | null;
  check_ms?: number | null;
  is_check_due?: boolean;
  is_limit_needed?: boolean;
  limits?: readonly LimitUse[];
  exclusion?: Exclusion | null;
}

export interface PlayerReport {
  kind: "player";
  from: number | null;
  to: number;
  made: number;
  title: string;
  operator: string;
  version: string;
  time_zone: string;
  is_active: boolean;
  table?: string | null;
  rounds?: readonly unknown[] | null;
  fixed?: readonly FixedDay[];
  rows: readonly RatedPlayer[];
  totals: PlayerTotals;
  by_currency?: readonly PlayerTotals[];
  apart?: readonly RatedPlayer[];
}

/** What a round was about for one player, in minor units. */
export interface PlayerResult {
  staked?: number;
  net?: number;
}

export interface PlayerTotals {
  currency?: string | null;
  players?: number;
  rounds?: number;
  bets?: number;
  time_ms?: number;
  handle?: number | null;
  net?: number | null;
  theoretical_loss?: number | null;
  theoretical_exact?: string | null;
  drop?: number | null;
  buy_ins?: number | null;
  cash_outs?: number | null;
  corrections?: number | null;
  free?: number | null;
  held?: number | null;
  in_play?: number | null;
  liability?: number | null;
}

/** Bytes that a player adds to the shuffle of a shoe. */
export interface Pledge {
  player: string;
  digest: string;
  opened?: string | null;
}

/** Bytes that a player adds to the shuffle. */
export interface PledgeView {
  player: string;
  digest: string;
  opened: boolean;
}

/** What one account gets, or gives where the amount is negative, in minor units. */
export interface Posting {
  account: string;
  amount: number;
}

/** What can be wrong, each with its sentence in `problems.toml` of every language; two differ in their fields. */
export type ProblemKind = "act-hash" | "act-missing" | "act-unfounded" | "acts-cut" | "acts-end" | "acts-rewritten" | "balance-wrong" | "book-changed" | "book-missing" | "cash-unfounded" | "cash-untold" | "cashier-currency" | "cashier-cut" | "cashier-end" | "cashier-hash" | "cashier-rewritten" | "cashier-sum" | "chain-unknown" | "command-added" | "command-at-import" | "command-begins-earlier" | "command-events" | "command-hash" | "command-of-table" | "command-overlaps" | "command-version" | "commands-cut" | "commands-end" | "commands-rewritten" | "correction-unfounded" | "correction-untold" | "day-untold" | "day-wrong" | "event-untold" | "events-missing" | "import-changed" | "more" | "moved-for-nothing" | "moved-in-other-order" | "movement-alone" | "movement-chained" | "movement-postings" | "movement-wrong" | "movements-number" | "no-account" | "no-command" | "no-command-of-theirs" | "not-opened" | "other-actor" | "other-book" | "other-key" | "other-opening" | "play-wrong" | "postings-alone" | "postings-wrong" | "record-hash" | "record-head" | "record-impossible" | "record-last" | "record-missing" | "record-number" | "record-other" | "records-cut" | "records-missing" | "records-rewritten" | "row-added" | "row-changed" | "row-missing" | "rows-beyond" | "rows-stray" | "snapshot-wrong" | "table-removed" | "unreadable";

/** Why a dealer cannot go on: the only command that is left would be refused. */
export interface ProblemView {
  command: string;
  reason: string;
  params: Record<string, string | number>;
  sentence: string;
  clause: string | null;
}

/** What a floor asks of everybody on it. None stands for no limit. */
export interface Profile {
  name: string;
  shortest_round_seconds?: number;
  clock_percent?: number;
  player_idle_minutes?: number | null;
  dealer_idle_minutes?: number | null;
  advice?: Audience;
  limits_required?: boolean;
  reality_check_minutes?: number | null;
  shortest_password?: number;
  second_factor?: readonly Role[];
}

/** The rack of a table since its last opener. Amounts are minor units. */
export interface Rack {
  table: string;
  currency: string;
  is_open: boolean;
  opener: number;
  fills: number;
  credits: number;
  win: number;
  expected: number;
  chips: readonly ChipCount[];
  slips: readonly RackSlip[];
}

/** A slip of a rack. Amounts are minor units. */
export interface RackSlip {
  number: number;
  table: string;
  kind: SlipKind;
  chips: readonly ChipCount[];
  amount: number;
  time: number;
  by: Person;
  second: Person;
  expected?: number | null;
  difference?: number | null;
}

/** The rating of one player. */
export interface RatedPlayer {
  player: string;
  accounts: AccountOwner;
  currency: string;
  rounds: number;
  bets: number;
  handle: number;
  average_bet: number | null;
  time_ms: number;
  net: number;
  theoretical_loss: number;
  theoretical_exact: string;
  drop: number;
  buy_ins: number;
  cash_outs: number;
  corrections: number;
  free: number;
  held: number;
  in_play: number;
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

/** What the cashier moved, for whoever it was moved for. Amounts are minor units. */
export interface Receipt {
  number: number;
  time: number;
  kind: string;
  account: string;
  amount: number;
  currency: string;
  by: string;
  second: string | null;
  reason: string | null;
  balance: number;
  shift: number | null;
  owner?: AccountOwner;
}

/** What was moved at the cashier's desk, the latest first. */
export interface ReceiptsAnswer {
  receipts: readonly Receipt[];
}

/** Codes that each let somebody in once who has lost the second factor; they are told only here. */
export interface RecoveryCodes {
  account: string;
  codes: readonly string[];
}

/** A refusal as it is sent to programs and pages, with its sentence. */
export interface RefusalText {
  reason: string;
  params: Record<string, string | number>;
  sentence: string;
  clause?: string | null;
}

/** A command that was refused, and why. */
export interface RefusedCommand {
  version: number;
  time: number;
  by: string;
  role: Role;
  command: string;
  words: string;
  refusal: RefusalText;
}

/** A card that a device read and the table did not take: out of turn, or not in the shoe. */
export interface RefusedReading {
  card: string;
  refusal: RefusalText;
}

/** How far the bets of a book can be counted, as far as that is exact. */
export interface RemovalAnswer {
  book: string;
  decks: number;
  bets: readonly RemovalEntry[];
}

/** What one card less does to a bet, and whole numbers for the cards that follow it best. */
export interface RemovalEntry {
  bet: string;
  insured: boolean;
  cards: readonly string[];
  effects: readonly number[];
  tags: readonly number[];
  correlation: number;
}

/** A picture of rows: a bar for each, with what was expected beside it where that is known. */
export interface ReportChart {
  name: string;
  by: string;
  value: string;
  form: FigureForm;
  mark?: string | null;
  least?: string | null;
  greatest?: string | null;
  apart?: string | null;
  of_totals?: boolean;
}

/** One field of the rows of a report. */
export interface ReportColumn {
  field: string;
  form: FigureForm;
}

/** As what a file of a report is wanted. */
export type ReportFormat = "csv" | "html" | "json" | "md" | "pdf" | "txt" | "xlsx";

export type ReportKind = "alterations" | "cashier" | "floor" | "player" | "staff" | "table";

/** What a report shows. */
export interface ReportLayout {
  kind: ReportKind;
  columns: readonly ReportColumn[];
  totals: readonly ReportColumn[];
  charts?: readonly ReportChart[];
  irregularities?: readonly ReportColumn[];
  large?: readonly ReportColumn[];
  apart?: readonly ReportColumn[];
}

/** The reports that you may see, and what each of them shows. */
export interface ReportsAnswer {
  reports: readonly ReportLayout[];
  formats: readonly ReportFormat[];
  today: string;
  time_zone: string;
  day_begins: string;
  is_closer: boolean;
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
  winning: readonly string[];
  settled: boolean;
  lines: readonly LineView[];
  queue: readonly LineView[];
  net: number;
}

/** What would go back to a player, in minor units. */
export interface ReturnedMoney {
  player: string;
  amount: number;
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
  patterns: readonly Pattern[];
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
export type Role = "administrator" | "auditor" | "cashier" | "dealer" | "device" | "pit-manager" | "pit-supervisor" | "player" | "shift-manager";

/** How much more a box takes on each hand under the differential. */
export interface RoomView {
  player: number;
  banker: number;
}

/** Everything about a round. */
export interface RoundRecord {
  table: string;
  round: number;
  shoe: number;
  book: string;
  digest: string;
  currency: string;
  imported: boolean;
  first: number;
  last: number;
  at: number;
  outcome: string;
  winner: Winner | null;
  void: boolean;
  settled: boolean;
  hands: HandsRecord;
  cards: readonly CardStep[];
  stakes: readonly StakeStep[];
  cases: readonly CaseRecord[];
  rulings: readonly EventRecord[];
  found_late: readonly EventRecord[];
  approvals: readonly ApprovedCommand[];
  refusals: readonly RefusedCommand[];
  settlements: readonly SettlementStep[];
  balances: readonly PlayerBalance[];
  felt: FeltRecord;
  events: readonly EventRecord[];
  decided: readonly DefaultDecision[];
  disputes: readonly Dispute[];
}

/** How far a round has come. */
export type RoundStatus = "open" | "settled" | "void";

/** A round that is over, step by step. */
export interface RoundStepsAnswer {
  table: string;
  digest: string;
  title: LabelView;
  currency: string;
  odds: Record<string, readonly string[]>;
  played: RoundView;
  steps: readonly StepView[];
}

/** One round in a line. */
export interface RoundSummary {
  id: string;
  table: string;
  round: number;
  seq: number;
  time: number;
  status?: RoundStatus;
  winner?: Winner | null;
  points?: readonly unknown[] | null;
  times_settled?: number;
  players?: Record<string, PlayerResult>;
  findings?: Record<string, string | null>;
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
  decided: readonly DecisionView[];
}

/** Which hand won, if one did. */
export type RoundWinner = "banker" | "player" | "tie";

/** What a table does with a fraction of a minor unit, by its terms. */
export type Rounding = "down" | "half-up" | "up";

/** Rounds in a line each, the latest first. */
export interface RoundsAnswer {
  rounds: readonly RoundSummary[];
  next?: string | null;
}

/** Whom or which tables the rules concern. */
export interface RuleEffect {
  kind: EffectKind;
  count: number;
  named: readonly string[];
}

/** How one rule is typed. */
export interface RuleForm {
  rule: string;
  group: string;
  kind: RuleKind;
  values?: readonly string[];
  optional?: boolean;
}

/** How the rules of a house are typed, in the order in which they are shown. */
export interface RuleForms {
  rules: readonly RuleForm[];
  profiles: readonly string[];
}

/** What is typed for a rule. */
export type RuleKind = "choice" | "flag" | "money" | "number" | "roles" | "text" | "time";

/** What other rules would change. */
export interface RulesEffect {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  changed: readonly string[];
  effects: readonly RuleEffect[];
}

/** How a table is run now. */
export interface RunningAnswer {
  table: string;
  dealer: DealtBy;
  pace: Pace | null;
  bots: readonly string[];
  problem: string | null;
  usual: Pace;
  known: readonly string[];
}

/** A betting box. */
export interface SeatView {
  box: number;
  player: string | null;
  bot: boolean;
  away: boolean;
  mine: boolean;
  bets: readonly BetView[];
  insurance: readonly InsuredView[];
  room: RoomView | null;
  heavier: Hand | null;
  difference: number;
}

/** Whether somebody logs in with a second factor. */
export interface SecondFactorStatus {
  account: string;
  enrolled: boolean;
  since: number | null;
  recovery_left: number;
  needed: boolean;
}

/** What else was seen, beside cards. */
export type Seen = "cards-run-out" | "foreign-card" | "insurance-neglected" | "interruption" | "not-shuffled" | "uncovered" | "wrong-set";

/** Who has seen an alert, and when. */
export interface SeenBy {
  by: string;
  time: number;
}

/** A stored record as a viewer may see it. */
export interface SeenRecord {
  table: string;
  seq: number;
  v: number;
  key: string | null;
  event: Record<string, unknown>;
}

/** A session, as the page that uses it needs it. */
export interface SessionAnswer {
  account: string;
  roles: readonly Role[];
  csrf: string;
  expires: number;
  authenticated: number;
  last?: LastLogIn | null;
  locked?: boolean;
  locks?: number | null;
  second_factor?: boolean;
  must_enrol?: boolean;
  pages?: readonly HousePage[];
}

/** The open sessions of somebody, the latest first. */
export interface SessionsAnswer {
  account: string;
  sessions: readonly OpenSession[];
}

/** What a bet was paid, with its box and player, as a settlement records it. */
export interface SettledBet {
  box: number;
  player: string;
  area: string;
  stake: number;
  result: Result;
  net: number;
  clause: string;
  odds?: string | null;
  exact?: string | null;
  commission?: number;
  is_due?: boolean;
}

/** A settlement of the round; another one follows where it was reversed. */
export interface SettlementStep {
  seq: number;
  time: number;
  by: string;
  role: Role;
  winner: Winner;
  taken_back: number | null;
  lines: readonly SettledBet[];
}

/** A mark of a derived road; columns and rows count from 0. */
export interface ShadeView {
  column: number;
  row: number;
  red: boolean;
}

/** What came of checking a shoe, with what was published of it. */
export interface ShoeCheck {
  table: string;
  shoe: number;
  decks: number;
  source?: SourceKind;
  commitment: string;
  seed: string | null;
  algorithm: string;
  contributions?: readonly string[];
  pledges?: readonly Pledge[];
  dealt?: readonly PlacedCard[];
  order?: readonly Card[] | null;
  matches: boolean | null;
  problems?: readonly string[];
  closed?: string | null;
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

/** Significant events, oldest first; amounts in `before` and `after` are minor units. */
export interface SignificantEventsAnswer {
  events: readonly HouseAct[];
  last: number;
}

/** What is done to a rack. */
export type SlipKind = "close" | "count" | "credit" | "fill" | "open";

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

export interface StaffReport {
  kind: "staff";
  from: number | null;
  to: number;
  made: number;
  title: string;
  operator: string;
  version: string;
  time_zone: string;
  is_active: boolean;
  table?: string | null;
  rounds?: readonly unknown[] | null;
  fixed?: readonly FixedDay[];
  rows: readonly StaffRow[];
  totals: StaffTotals;
}

/** Somebody who dealt at a table, from the first call to the end of the last round before anybody else called. */
export interface StaffRow {
  dealer: string;
  role: string;
  table: string;
  from: number;
  to: number;
  rounds: number;
  rounds_an_hour: number | null;
  voids: number;
  irregularities: Record<string, number>;
}

export interface StaffTotals {
  dealers?: number;
  rounds?: number;
  voids?: number;
  irregularities?: Record<string, number>;
}

/** An amount of one player on one betting area of one box. */
export interface Stake {
  box: number;
  player: string;
  area: string;
  amount: number;
}

/** Money that a player put on the layout or had back from it, and what was said about it. */
export interface StakeStep {
  seq: number;
  time: number;
  by: string;
  role: Role;
  what: string;
  box: number;
  player: string;
  area: string;
  amount: number;
  change: number;
  clause?: string | null;
  note?: string;
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
  commission?: number | null;
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

/** What happened in a step of a round. */
export type StepKind = "called" | "chosen" | "closed" | "corrected" | "dealt" | "finished" | "given-up" | "goes-on" | "insured" | "offered" | "placed" | "reopened" | "returned" | "reversed" | "settled" | "stopped" | "turned" | "void";

/** A step of a round, and the felt after it, as the viewer saw it then. */
export interface StepView {
  seq: number;
  time: number;
  kind: StepKind;
  call: CallView;
  hands: HandsView;
  reasons: readonly ReasonView[];
  bets: readonly LaidView[];
  lines: readonly LineView[];
  winner?: Winner | null;
  hand?: Hand | null;
  number?: number | null;
  card?: Card | null;
  player?: string | null;
  mine?: boolean;
  label?: LabelView | null;
  amount?: number;
  option?: Option | null;
  clause?: string | null;
}

/** Play that is stopped, as the staff see it. */
export interface Stop {
  book: string | null;
  since: number;
  by: string;
  reason: string;
}

/** A book by which tables are open: its tables can be stopped apart from the others. */
export interface StoppableBook {
  book: string;
  title: LabelView;
  tables: number;
}

/** What is stopped, what could be, and where a round that was in play is not over yet. */
export interface StopsAnswer {
  stops: readonly Stop[];
  books: readonly StoppableBook[];
  finishing: readonly string[];
  yours: boolean;
}

/** An insurance offer with who has its edge and what is best. */
export interface StudiedOfferEntry {
  window: string;
  hand: string;
  player_points?: number | null;
  banker_points?: number | null;
  odds: string;
  reach?: string | null;
  ev: string;
  favours: string;
  best: string;
  after_hold?: readonly AfterHoldEntry[];
}

/** A table as the caller sees it. */
export interface TableAnswer {
  table: string;
  version: number;
  digest: string;
  book: string;
  phase: Phase;
  round: number;
  paused: boolean;
  imported: boolean;
  created_ms: number;
  stopped: TableStop | null;
  terms: Terms | null;
  view: TableView;
  legal: readonly LegalView[];
}

export interface TableReport {
  kind: "table";
  from: number | null;
  to: number;
  made: number;
  title: string;
  operator: string;
  version: string;
  time_zone: string;
  is_active: boolean;
  table?: string | null;
  rounds?: readonly unknown[] | null;
  fixed?: readonly FixedDay[];
  rows: readonly BetRow[];
  totals: FloorTotals;
  by_currency?: readonly FloorTotals[];
  apart?: readonly ApartRow[];
  irregularities?: readonly IrregularityRow[];
}

/** A table in the report of the floor. */
export interface TableRow {
  currency?: string | null;
  rounds?: number;
  bets?: number;
  handle?: number | null;
  drop?: number | null;
  win?: number | null;
  hold?: number | null;
  commission?: number | null;
  theoretical_win?: number | null;
  theoretical_exact?: string | null;
  unweighed?: number | null;
  least_win?: number | null;
  greatest_win?: number | null;
  beyond_chance?: boolean | null;
  table: string;
  book: string;
  digest: string;
  open_ms: number;
  rounds_an_hour: number | null;
  voids: number;
  reversals: number;
  irregularities: number;
  in_play: number;
}

/** That no round begins at a table, as everybody may see it. */
export interface TableStop {
  book: string | null;
  since: number;
}

/** A table as one viewer sees it. */
export interface TableView {
  table: string;
  seq: number;
  now: number;
  since: number;
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
  due: readonly DueView[];
  stopped: TableStop | null;
  advice: boolean;
  feed: FeedView | null;
}

/** Every table. */
export interface TablesAnswer {
  tables: readonly TableAnswer[];
}

/** A term that would be another one. */
export interface TermChange {
  term: string;
  before: unknown;
  after: unknown;
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
  commission?: Collecting;
  burn?: string;
  behind_cut?: number;
  rounds_after_cut?: number;
  source?: SourceKind;
  advice?: Audience | null;
  authority?: readonly Authority[];
}

/** Terms with every field, and what the book leaves to choose. */
export interface TermsChoices {
  book: string;
  digest: string;
  terms: Record<string, unknown>;
  layouts: readonly LayoutChoice[];
  decks: readonly number[];
  differential: boolean;
  insurance: boolean;
  commission: boolean;
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
  commission?: Collecting;
}

/** A round as somebody types it in who keeps a board by hand. */
export interface TypedResult {
  winner: RoundWinner;
  banker_pair?: boolean;
  player_pair?: boolean;
  natural?: boolean;
}

/** The results of a shoe as somebody typed them in, the first one first. */
export interface TypedResults {
  results: readonly TypedResult[];
}

/** An ante that its player has to decide on. */
export interface UndecidedAnte {
  box: number;
  player: string;
  area: string;
}

/** What was looked at, and what was found. */
export interface Verification {
  ok: boolean;
  events: number;
  anchored: Record<string, number>;
  last: Record<string, number>;
  cashier: VerifiedChain;
  problems: readonly AuditProblem[];
  house?: VerifiedChain;
}

/** How far a chain goes that belongs to no table; nothing of it is known where one table was looked at. */
export interface VerifiedChain {
  anchored?: number | null;
  last?: number;
}

/** What a table waits for. */
export interface WaitView {
  what: Awaited;
  whom: readonly string[];
}

/** A command that waits for a second person. */
export interface Waiting {
  approval: string;
  needs: Role;
  expires: number;
}

/** The whole floor for the pit: tables, alerts, and what waits for somebody. */
export interface WallAnswer {
  now: number;
  day: string;
  tables: readonly WallTable[];
  alerts: readonly Alert[];
  calls: readonly PitCall[];
  approvals: readonly Approval[];
  disputes: readonly Dispute[];
}

/** A table as the pit sees it from afar. */
export interface WallTable {
  table: string;
  version: number;
  book: string;
  title: LabelView;
  phase: Phase;
  round: number;
  void: boolean;
  paused: boolean;
  imported: boolean;
  insurance: boolean;
  shoe_due: boolean;
  case: number | null;
  case_decider: Role | null;
  stopped: TableStop | null;
  since: number;
  clock: ClockView | null;
  automatic: boolean;
  problem: string | null;
  feed: FeedView | null;
  dealing: DealingView;
  currency: string;
  minimum: number;
  maximum: number | null;
  boxes: number;
  seated: number;
  players: readonly string[];
  bots: number;
  staked: number;
  largest: LargestBet | null;
  differential: DifferentialUse | null;
  day: DayFigures;
}

/** A line about a table, for somebody without an account. Amounts are minor units. */
export interface WatchedTable {
  table: string;
  book: BookView;
  currency: string;
  minimum: number;
  maximum: number | null;
  decks: number;
  phase: Phase;
  round: number;
  paused: boolean;
  case: boolean;
  void: boolean;
  insurance: boolean;
  shoe: number | null;
  winner: Winner | null;
  boxes: number;
  taken: number;
}

/** The tables of a floor, for somebody without an account. */
export interface WatchedTables {
  delay: number;
  tables: readonly WatchedTable[];
}

/** Which hand won, if one did; text, as `Hand` is. */
export type Winner = "banker" | "player" | "tie";
