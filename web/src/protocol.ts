// Written by `python -m bullpen.server.schema`; a change here is lost.

/** The imprint, and what the host of the server adds about privacy, as Markdown; "" for nothing. */
export interface About {
  imprint: string;
  privacy: string;
}

/** The message with this id is done and on disk; `number` is the step it became (0 for none). */
export interface Ack {
  type: "ack";
  id: string;
  number?: number;
}

/** So many discarded action cards are a new pile, face down. */
export interface ActionsShuffled {
  type: "ActionsShuffled";
  count: number;
}

/** Host: put a bot on an open seat. */
export interface AddBot {
  type: "add_bot";
  level: string;
  seat?: number | null;
  id: string;
}

/** All options as they would be, and the printed spaces of the board row by row, if there is one. */
export interface Agreed {
  options: Record<string, boolean | number | string>;
  board: string[][];
}

/** Options that somebody thinks of agreeing on, for so many players. */
export interface Agreement {
  players: number;
  options: Record<string, boolean | number | string>;
}

/** What one number behind a special card's name points at; `says` is for words on a button. */
export interface Aim {
  at: string;
  says: string;
}

/** What the host of the server says to everybody (nothing: no more); or that the server restarts now. */
export interface Announcement {
  type: "announcement";
  says?: string;
  restarts?: boolean;
}

/** The question to answer now; `number` goes back with the choice. */
export interface AskInfo {
  number: number;
  kind: string;
  prompt: string;
  about: (number | string)[];
  secret: boolean;
  seats: number[];
  options: AskOption[];
}

export type AskOption = Draft | JoinRow | Keep | Pass | PlaceFirst | PlayCard | PlayPair | StartRow | TakeRow | UseSpecial;

/** Host: deal, with a nonce of mine in it that answers the commitment. */
export interface Begin {
  commitment: string;
  nonce: string;
}

/** A board: the fields that tell what is printed where, and what the spaces mean. `printed` holds the names of the spaces row by row, `spaces` the space of every tile, `heads` what is on each tile by its number, `clovers` the marks on the score track, which runs from `least` to `most`. A space whose name is a signed number is of the kind `points`. */
export interface BoardParts {
  kinds: SpaceKind[];
  least: number;
  most: number;
  printed: string;
  spaces: string;
  heads: string;
  clovers: string;
}

/** A line of a bot's stream: a question to answer. */
export interface BotAsk {
  type: "ask";
  table: string;
  game: string;
  seat: number;
  ask: AskInfo;
  view: ViewInfo;
  left: number | null;
}

/** A bot's answer to an ask. */
export interface BotChoice {
  ask: number;
  choice: string;
  id?: string | null;
}

/** A bot of yours: its name, when its token was made, when it last listened, when the token ends. */
export interface BotInfo {
  id: string;
  name: string;
  made: number;
  seen: number;
  ends: number;
}

/** A line of a bot's stream: a game has ended. */
export interface BotOver {
  type: "over";
  table: string;
  game: string;
  seat: number;
  result: Result;
  record: string | null;
}

/** A turned card, and the cards that it cancels, left a bull pile; so much less is charged. */
export interface Cancelled {
  type: "Cancelled";
  seat: number;
  turned: number;
  cards: number[];
  bullheads: number;
}

/** Answer one ask, in notation; to a team's ask it is a vote, and an equal vote is consent. */
export interface Choose {
  type: "choose";
  ask: number;
  choice: string;
  id: string;
}

/** A seat has answered a public ask, or the engine did because there was only one option. */
export interface Chose {
  type: "Chose";
  seat: number;
  kind: string;
  notation: string;
  forced: boolean;
}

/** Milliseconds of animation first, then milliseconds until a bot chooses, counted from this message. */
export interface Clock {
  animation: number;
  left: number | null;
}

/** A seat has answered a secret ask; what it chose stays hidden. */
export interface Committed {
  type: "Committed";
  seat: number;
}

/** A seat received cards; the others learn only how many. */
export interface Dealt {
  type: "Dealt";
  seat: number;
  cards: number[];
}

/** A device that can come as you: its browser, when it first and last came, whether it is this one. */
export interface DeviceInfo {
  id: string;
  label: string;
  made: number;
  seen: number;
  this: boolean;
}

/** My devices and my bots, the latest first. */
export interface Devices {
  devices: DeviceInfo[];
  bots: BotInfo[];
}

/** Pick a face-up card in a draft: `d44`. */
export interface Draft {
  notation: string;
  type: "Draft";
  card: number;
}

/** A seat picked a card from the open display. */
export interface Drafted {
  type: "Drafted";
  seat: number;
  card: number;
}

/** The password of a table, which is asked for once: who gave it may come back. */
export interface EnterTable {
  password: string;
}

export type Event = ActionsShuffled | Cancelled | Chose | Committed | Dealt | Drafted | FlipsHeld | ForcedSecretly | GameEnded | Kept | Laid | LuckDrawn | MarkerGone | MarkerMoved | Moved | Placed | Reordered | ReturnedToHand | Revealed | RoundEnded | RoundStarted | RowRemoved | RowsStarted | Scored | Shared | SheetsPassed | SpecialsDrawn | SpecialsGone | SpecialsShown | StopsRemoved | Took | TookBack | TrickStarted | Used;

/** A deal that anybody can check: the promise, the seed, the seats' nonces, the piles mixed from them. `scheme` says how these hang together, `table` at which table it was (from scheme 2 on). */
export interface FairDeal {
  number: number;
  commitment: string;
  seed: string;
  nonces: string[];
  piles: string[];
  scheme: number;
  table: string;
}

/** The next deal's number and its promise, and the deals of the latest game revealed so far. */
export interface FairInfo {
  next: number;
  commitment: string;
  revealed: FairDeal[];
}

/** These seats hold a flip card now. */
export interface FlipsHeld {
  type: "FlipsHeld";
  seats: number[];
}

/** The engine made a hidden answer that had no alternative; only its owner learns of it. */
export interface ForcedSecretly {
  type: "ForcedSecretly";
  seat: number;
  kind: string;
  notation: string;
}

/** What would become of one card if it were placed, or moved, now. Without a row its owner would have to choose one, to take it if `takes` says so. `bullheads` is what would be taken; `points` is what a board would score at once. */
export interface Foreseen {
  card: number;
  row: number | null;
  place: number;
  takes: boolean;
  bullheads: number;
  points: number | null;
}

/** Leave, and take the table off my list, until I come back to it. */
export interface Forget {
  type: "forget";
  id: string;
}

/** All that lies on the table beside rows and hands. */
export interface Furniture {
  specials: SpecialCard[];
  markers: Marker[];
  holdings: Holding[];
  team: Team | null;
  scoring: Scoring;
  board: BoardParts | null;
  both_ends: boolean;
  twins: boolean;
  pairs: boolean;
  in_turn: boolean;
}

/** The game is over. */
export interface GameEnded {
  type: "GameEnded";
  result: Result;
}

/** A game of the gallery, with all that a client must know to show it, under one behaviour of its rules. `questions` are its kinds of question, `furniture` is what lies on the table, `heads` are the bullheads on the cards by number (empty where the position has them), `events` the sentences of its own events. */
export interface GameInfo {
  id: string;
  behaviour: number;
  name: string;
  players: number[];
  source: string;
  summary: string;
  options: OptionInfo[];
  questions: Record<string, Question>;
  furniture: Furniture;
  heads: number[];
  events: Record<string, string>;
}

/** Every game, and the bots' levels from weakest to strongest. */
export interface Games {
  games: GameInfo[];
  levels: string[];
  phrases: string[];
  analysis: boolean;
}

/** Host: make somebody else the host. */
export interface HandOver {
  type: "hand_over";
  seat: number;
  id: string;
}

/** The rules of every game at once, for a client that may lose its network. */
export interface Handbook {
  rules: Rules[];
}

/** The best answers to a question, best first, worked out from what its seat can see. */
export interface Hint {
  ask: number;
  unit: "bullheads" | "margin" | "points";
  better: "less" | "more";
  options: Worth[];
}

/** The question that I would like a hint for, by its number. */
export interface HintWish {
  ask: number;
}

/** A hint, or how long it will take: the place in the queue (0: being worked on), and how much is done. `parts` is null once the work itself goes on; before, what works is being made ready, and so many parts of it had to be compiled so far. */
export interface Hinting {
  place: number;
  done: number;
  parts: number | null;
  hint: Hint | null;
}

/** A field that holds cards beside rows, hands and bull piles: whose they are and how much is seen. `role` tells a client what it is for: a `display` to pick from, an `offer` of special cards to use, cards `held` by the seats, cards `taken` and not yet divided, a pile to `draw` from, the `discard` pile. */
export interface Holding {
  field: string;
  title: string;
  role: "discard" | "display" | "draw" | "held" | "offer" | "taken";
  specials: boolean;
  each_seat: boolean;
  counted: boolean;
}

/** Another default, which holds where the option `key` has that value. */
export interface Instead {
  key: string;
  value: boolean | number | string;
  default: boolean | number | string;
}

/** A table's address for other devices, and its QR code: modules a side, the dark ones as an SVG path. */
export interface Invitation {
  url: string;
  size: number;
  path: string;
}

/** Put the card to one of two rows that are equally near: `j2`. */
export interface JoinRow {
  notation: string;
  type: "JoinRow";
  row: number;
}

/** Take a seat at a table. */
export interface JoinTable {
  name: string;
  seat?: number | null;
}

/** A choice of a finished game: what it cost against the best one, and a word for it. `moment` is the moment of the replay at which it was made, `expected` what the seat could expect of the whole round then. `options` are the best answer and the one that was given; none where it was forced. */
export interface Judged {
  moment: number;
  round: number;
  trick: number;
  seat: number;
  kind: string;
  choice: string;
  best: string;
  cost: number;
  win_cost: number;
  word: "best" | "blunder" | "forced" | "good" | "inaccuracy" | "mistake";
  expected: number;
  win_chance: number;
  options: Worth[];
}

/** Keep these of the taken cards in hand, the rest goes to the pile: `k12,15`, `k`. */
export interface Keep {
  notation: string;
  type: "Keep";
  cards: number[];
}

/** A seat put some of the taken cards into its hand and the others on its bull pile. */
export interface Kept {
  type: "Kept";
  seat: number;
  to_hand: number[];
  to_pile: number[];
}

/** Whose a private link is; who you are here; and whether that is the same person. */
export interface KeyInfo {
  name: string;
  you: string | null;
  same: boolean;
}

/** A private link to look at. */
export interface KeyWish {
  key: string;
}

/** A seat laid a card face up, to be placed later. */
export interface Laid {
  type: "Laid";
  seat: number;
  card: number;
}

/** Give the seat up; in a running game a bot plays on until the person comes back. */
export interface Leave {
  type: "leave";
  id: string;
}

/** The public tables that can be joined or watched, newest first. `unready` names the levels of bots for which something is still being compiled, `announcement` is what the host of the server says to everybody, and without `sign_up` nobody can come who was never here. */
export interface Lobby {
  tables: TableSummary[];
  unready: string[];
  announcement: string;
  sign_up: boolean;
  imprint: boolean;
}

/** What a view tells on second sight. Of each answer, by its notation, what would become of one card after another if nobody else acted; the number cards not seen yet; and how many places each row has (null where a board shows them). */
export interface Looks {
  goes: Record<string, Foreseen[]>;
  unseen: number[];
  limits: number[] | null;
}

/** A seat passed a clover and took this luck card from its open pile. */
export interface LuckDrawn {
  type: "LuckDrawn";
  seat: number;
  card: string;
}

/** What made a seat's result in one trick, in whole thousandths: the deal, the others, the own choices. */
export interface LuckShare {
  round: number;
  trick: number;
  seat: number;
  deal: number;
  others: number;
  own: number;
}

/** A thing that lies at a row or at a seat, and the field of the position that says at which. `holds` is how it says so: the number of one `place`, several `places`, for every place a list of `names`, or for every place a `flag`. `side` is the field that tells which of `sides` is up. `during` names a field: with nothing in it the marker is of no interest. `fills` says that it takes up a place of its row. */
export interface Marker {
  name: string;
  title: string;
  field: string;
  at: "row" | "seat";
  holds: "flags" | "names" | "place" | "places";
  says: string;
  side: string;
  sides: Record<string, string>;
  during: string;
  fills: boolean;
}

/** A special card that lay beside a row left it, for that reason. */
export interface MarkerGone {
  type: "MarkerGone";
  marker: string;
  row: number;
  why: string;
}

/** A marker (a fan card, a first-player card) has a new place: a row, or a seat, and shows that side. */
export interface MarkerMoved {
  type: "MarkerMoved";
  marker: string;
  place: number;
  side: string;
}

/** Who you are here: a name, and the key of a private link that brings your seats to another device. `before` is the name of whom this browser was before it followed such a link; it can be that person again. */
export interface Me {
  name: string;
  link: string;
  tables: TableSummary[];
  before: string | null;
}

/** Give a nonce that is mixed into the next deal, once, naming the commitment that it answers. */
export interface Mix {
  type: "mix";
  commitment: string;
  nonce: string;
  id: string;
}

/** A step of a replay: who chose what, what happened, and what could be seen then. */
export interface Moment {
  seat: number | null;
  choice: string | null;
  events: Event[];
  view: ViewInfo;
  waiting: number[];
}

/** A card that lay in a row went to a place of another row. */
export interface Moved {
  type: "Moved";
  seat: number;
  card: number;
  source: number;
  row: number;
  place: number;
}

/** A name to be known by; or the key of a private link; or `back` to whom one was before. A link that would make somebody else of a visitor who is known already needs `replace`. */
export interface NewMe {
  name?: string | null;
  key?: string | null;
  replace?: boolean;
  back?: boolean;
}

/** A table to be made; its maker takes seat 0 unless `name` is left out. A public table with open seats gets a clock of `STRANGERS_CLOCK` seconds where none is set, unless it is to be `unlimited`. */
export interface NewTable {
  game: string;
  players: number;
  name?: string | null;
  options?: Record<string, boolean | number | string>;
  bots?: string[];
  settings?: Settings;
  unlimited?: boolean;
  password?: string;
  start?: boolean;
}

/** A bot's name, and for how many days its token is good. */
export interface NewToken {
  name: string;
  days?: number;
}

/** Something that people did with the seats: what, which seat, by which seat, and who sat there before. */
export interface Notice {
  kind: "back" | "host" | "left" | "removed" | "stand_in_asked" | "stood_in" | "taken_over" | "timed_out";
  seat: number;
  by: number | null;
  before: string;
}

/** Remind a person that everybody waits. */
export interface Nudge {
  type: "nudge";
  seat: number;
  id: string;
}

/** A seat was reminded by another that everybody waits; not numbered, gone when missed. */
export interface Nudged {
  type: "nudged";
  seat: number;
  by: number;
}

/** An option of a game: what it takes and a sentence about it. */
export interface OptionInfo {
  key: string;
  default: boolean | number | string;
  says: string;
  type: string;
  allowed: (boolean | number | string)[];
  least: number | null;
  seat: boolean;
  instead: Instead | null;
  file: boolean;
}

/** Do nothing: `-`. */
export interface Pass {
  notation: string;
  type: "Pass";
}

/** Ask whether the server is there. */
export interface Ping {
  type: "ping";
  id: string;
}

/** Place this one of two played cards first: `f12`. */
export interface PlaceFirst {
  notation: string;
  type: "PlaceFirst";
  card: number;
}

/** A card lies in a row; row and place are counted from 0. */
export interface Placed {
  type: "Placed";
  seat: number;
  card: number;
  row: number;
  place: number;
}

/** Play one hand card, turned by a flip card or not: `44`, `44*`. */
export interface PlayCard {
  notation: string;
  type: "PlayCard";
  card: number;
  flipped: boolean;
}

/** Play two hand cards together, the lower one named first: `12+44`. */
export interface PlayPair {
  notation: string;
  type: "PlayPair";
  low: number;
  high: number;
}

/** A revealed card, its owner, and the value it is placed by (its number, unless flipped). */
export interface Played {
  card: number;
  seat: number;
  value: number;
}

/** The server is there; with an empty id nobody asked, and a table is between two processes. */
export interface Pong {
  type: "pong";
  id: string;
}

/** The fields that every game's position has; a game adds its own beside them. */
export interface PositionInfo {
  players: number;
  rows: number[][];
  hands: number[][];
  piles: number[][];
  table: Played[];
  deck: number[];
  aside: number[];
  known: number[][];
  points: number[];
  scores: number[];
  score_sheet: number[][];
  round: number;
  trick: number;
  result: Result | null;
  [more: string]: unknown;
}

/** Which seats are connected now and how many watch; not numbered, the latest counts. `absent` tells for how many milliseconds each seat's person has not been connected (null: is there, or nobody is expected there). `unready` names the levels of bots that cannot decide in this game: what they need is still being compiled, or that failed, and then a bot of level medium decides for them. */
export interface Presence {
  type: "presence";
  connected: boolean[];
  watching: number;
  absent: (number | null)[];
  unready?: Record<string, "failed" | "preparing">;
}

/** One kind of question: its sentence, where its answers lie and what they do. A secret one is the answerer's own business (see `Ask`), a patient one waits even for the only answer. `passing` is what a pass means here, where one can pass. */
export interface Question {
  prompt: string;
  at: string[];
  does: "draw" | "first" | "join" | "keep" | "lay" | "pick" | "play" | "start" | "swap" | "take" | "use";
  secret: boolean;
  patient: boolean;
  passing: string;
}

/** A line of the list of finished games; `seat` is mine. */
export interface RecordSummary {
  id: string;
  game: string;
  title: string;
  names: string[];
  finished: number;
  result: Result | null;
  seat: number | null;
}

/** My finished games, newest first. */
export interface Records {
  records: RecordSummary[];
}

/** What was wrong, for machines and in a sentence; `retry`: after how many milliseconds to try again. */
export interface Refusal {
  type: "error";
  code: "bad-request" | "banned" | "busy" | "cannot-replay" | "closed" | "confirm" | "first-resume" | "forbidden" | "full" | "illegal" | "internal" | "malformed" | "no-identity" | "not-asked" | "not-host" | "not-seated" | "old-rules" | "password" | "sign-up-closed" | "storage" | "too-fast" | "too-large" | "too-late" | "unknown-game" | "unknown-record" | "unknown-table";
  says: string;
  id?: string | null;
  retry?: number | null;
}

/** Host: play again with the same seats. */
export interface Rematch {
  type: "rematch";
  id: string;
}

/** Host: empty a seat before or after a game; in a running game the same as `stand_in`. */
export interface Remove {
  type: "remove";
  seat: number;
  id: string;
}

/** The cards that are still to be placed lie in a new order. */
export interface Reordered {
  type: "Reordered";
  plays: Played[];
}

/** A part of a finished game for a client that knows no rule: the moments from `first` on, of `total`. */
export interface Replay {
  id: string;
  game: string;
  behaviour: number;
  title: string;
  options: Record<string, boolean | number | string>;
  names: string[];
  result: Result | null;
  first: number;
  total: number;
  moments: Moment[];
}

/** Final scores and ranks by seat, ties shared (GEN-12). In a game against the table itself `won` says whether the players won and `against` what the table scored. */
export interface Result {
  scores: number[];
  ranks: number[];
  reason: string;
  won: boolean | null;
  against: number | null;
}

/** The first message on a socket, and again after a gap: the last number seen, 0 for none. */
export interface Resume {
  type: "resume";
  last?: number;
  id: string;
}

/** Cards went back into a hand before everybody's eyes. */
export interface ReturnedToHand {
  type: "ReturnedToHand";
  seat: number;
  cards: number[];
}

/** All hidden cards are turned up, in the order in which they will be placed. */
export interface Revealed {
  type: "Revealed";
  plays: Played[];
}

/** A finished game, choice by choice. */
export interface Review {
  version: number;
  game: string;
  unit: "bullheads" | "margin" | "points";
  better: "less" | "more";
  decisions: Judged[];
  players: Reviewed[];
  shares: LuckShare[];
  turning_points: TurningPoint[];
}

/** A player's game: `par + deal + others + own` is exactly a thousand times `result`. `words` counts the choices by their word; `accuracy` goes from 0 to 100. In the luckiest and the unluckiest trick the others' cards changed most against what could be expected. */
export interface Reviewed {
  seat: number;
  result: number;
  par: number;
  deal: number;
  others: number;
  own: number;
  accuracy: number;
  words: Record<string, number>;
  luckiest: TurningPoint | null;
  unluckiest: TurningPoint | null;
}

/** A review, or how long it takes, in the same words as with a hint. */
export interface Reviewing {
  place: number;
  done: number;
  parts: number | null;
  review: Review | null;
}

/** Turn away a device or a bot, or all `others`, or end the private links that were made so far. Bots stay when the other devices are turned away. */
export interface Revoke {
  device?: string | null;
  others?: boolean;
  links?: boolean;
}

/** The points of a round are written down. */
export interface RoundEnded {
  type: "RoundEnded";
  round: number;
  points: number[];
  totals: number[];
}

/** A new deal begins. */
export interface RoundStarted {
  type: "RoundStarted";
  round: number;
}

/** A row no longer exists; the rows below it move up. */
export interface RowRemoved {
  type: "RowRemoved";
  row: number;
}

/** The start cards lie on the table, top row first (in some games two alike in one place). */
export interface RowsStarted {
  type: "RowsStarted";
  rows: number[][];
}

/** The rules of a game for players, as Markdown with drawings, in a language that there is a page in. */
export interface Rules {
  game: string;
  language: string;
  markdown: string;
}

/** A seat said something; not numbered, gone when missed. */
export interface Said {
  type: "said";
  seat: number;
  phrase: "bye" | "good-luck" | "hello" | "hurry" | "laugh" | "moo" | "ouch" | "sorry" | "thanks" | "think" | "wait" | "well-played";
}

/** Say one of the phrases; a client shows it in its own language. */
export interface Say {
  type: "say";
  phrase: "bye" | "good-luck" | "hello" | "hurry" | "laugh" | "moo" | "ouch" | "sorry" | "thanks" | "think" | "wait" | "well-played";
  id: string;
}

/** A seat's points changed at once. */
export interface Scored {
  type: "Scored";
  seat: number;
  change: number;
  total: number;
  why: string;
}

/** What is counted, whether less or more is better, and what a take does at once. A take raises the running `points` of the `taker` or of the whole `team`, or `nobody`'s because the game says in other events what it is worth. Bull piles belong to the `seats`, to the `sides` (the team's is the first, its opponent's the second), or there are `none`. */
export interface Scoring {
  counts: "bullheads" | "points";
  better: "less" | "more";
  charges: "nobody" | "taker" | "team";
  piles: "none" | "seats" | "sides";
}

/** Who sits there; `away` means that a bot plays for a person until the person comes back. Whoever gave no name is not `named`: then `name` is the seat's animal in English, and a client may say it in the reader's language. The animals by seat: fox, goose, hen, pig, sheep, goat, dog, cat, donkey, mouse. */
export interface SeatInfo {
  kind: "bot" | "open" | "person";
  name: string;
  named: boolean;
  level: string;
  away: boolean;
  connected: boolean;
}

/** The table and the seat one has there (null: none). */
export interface Seated {
  table: TableInfo;
  seat: number | null;
}

/** What a table agrees on besides the options of its game; `clock` is seconds a decision, 0 for none. */
export interface Settings {
  clock?: number;
  privacy?: "private" | "public";
  take_back?: boolean;
  team?: "captain" | "consent";
  talk?: boolean;
  take_over?: boolean;
  hints?: boolean | null;
}

/** Two seats took a row together and are charged that much each. */
export interface Shared {
  type: "Shared";
  seats: number[];
  row: number;
  cards: number[];
  bullheads: number;
  charged: number;
  why: string;
}

/** The hands have moved on; `owners[seat]` is whose drafted hand that seat plays now. */
export interface SheetsPassed {
  type: "SheetsPassed";
  owners: number[];
}

/** Take a seat before the game, or one that a bot holds in a running game; without a number the first. */
export interface Sit {
  type: "sit";
  name: string;
  seat?: number | null;
  id: string;
}

/** Everything there is to know now, after the steps up to `number`. */
export interface Snapshot {
  type: "snapshot";
  number: number;
  you: You;
  table: TableInfo;
  view: ViewInfo | null;
  ask: AskInfo | null;
  mine: string | null;
  waiting: number[];
  votes: Record<string, string>;
  clock: Clock | null;
  watching: number;
  secret: boolean;
}

/** A kind of space on a board, for the legend. */
export interface SpaceKind {
  name: string;
  title: string;
  says: string;
}

/** A special card: its name in notation, its title, a sentence about it, and what its targets are. `marks` says that it lies at a row once it is used; one that is `loose` is no card at all but an act written like one. */
export interface SpecialCard {
  name: string;
  title: string;
  says: string;
  aims: Aim[];
  marks: boolean;
  loose: boolean;
}

/** A seat received special cards; the others learn only how many. */
export interface SpecialsDrawn {
  type: "SpecialsDrawn";
  seat: number;
  names: string[];
}

/** These special cards left the table or a hand face up, for that reason. */
export interface SpecialsGone {
  type: "SpecialsGone";
  names: string[];
  why: string;
}

/** These special cards lie face up for everybody now. */
export interface SpecialsShown {
  type: "SpecialsShown";
  names: string[];
}

/** Let a bot play for somebody else until that person is back. It is done at once for a person who has not been connected for `ABSENT_SECONDS`, otherwise when at least two and more than half of the others who are there ask for it. */
export interface StandIn {
  type: "stand_in";
  seat: number;
  id: string;
}

/** Host: deal. */
export interface Start {
  type: "start";
  id: string;
}

/** Start an empty row: `s2`. */
export interface StartRow {
  notation: string;
  type: "StartRow";
  row: number;
}

/** Somebody took a row, so the stop signs come off these rows (counted from 0). */
export interface StopsRemoved {
  type: "StopsRemoved";
  rows: number[];
}

/** A table as everybody may know it. */
export interface TableInfo {
  id: string;
  code: string;
  game: string;
  behaviour: number;
  title: string;
  options: Record<string, boolean | number | string>;
  settings: Settings;
  phase: "lobby" | "over" | "playing";
  seats: SeatInfo[];
  host: number | null;
  captain: number | null;
  played: number;
  records: string[];
  fair: FairInfo;
  locked: boolean;
  hints: boolean;
  hinted: number[];
}

/** A line of the lobby. */
export interface TableSummary {
  code: string;
  game: string;
  title: string;
  phase: "lobby" | "over" | "playing" | "old";
  players: number;
  open: number;
  names: string[];
  seats: number[];
  watching: number;
}

/** Take a hidden answer back, possible until the last one is in. */
export interface TakeBack {
  type: "take_back";
  ask: number;
  id: string;
}

/** Take a row with a card that fits nowhere: `r2`. */
export interface TakeRow {
  notation: string;
  type: "TakeRow";
  row: number;
}

/** All seats win or lose together, against an opponent that plays by itself. `opponent_seat` stands for it in events; `cards` is the holding with its cards. `silent` says that nobody talks while hidden cards are being chosen. */
export interface Team {
  opponent: string;
  opponent_seat: number;
  cards: string;
  silent: boolean;
}

/** What a bot puts behind `Authorization: Bearer`, until it ends (milliseconds since 1970). */
export interface Token {
  token: string;
  ends: number;
}

/** A seat took a row; `why` is `full`, `low` or the name of what caused it. */
export interface Took {
  type: "Took";
  seat: number;
  row: number;
  cards: number[];
  bullheads: number;
  why: string;
}

/** A seat has taken its hidden answer back. */
export interface TookBack {
  type: "TookBack";
  seat: number;
}

/** A trick begins. */
export interface TrickStarted {
  type: "TrickStarted";
  trick: number;
}

/** A moment of a finished game to be played on from, on which seat, against bots of which level. */
export interface TryWish {
  moment: number;
  seat: number;
  name?: string;
  level?: string | null;
}

/** A trick worth looking at again: by how much a seat's chance of winning changed, or by luck its result. `moment` is the moment of the replay at which the seat chose. */
export interface TurningPoint {
  round: number;
  trick: number;
  seat: number;
  amount: number;
  moment: number;
}

/** What the steps after `since` up to `number` brought; a field that is left out has not changed. `mine` is the receiver's own hidden answer, `waiting` the seats that are still being waited for, `secret` whether answers to what they are asked stay hidden, `notices` what everybody should be told about seats. */
export interface Update {
  type: "update";
  since: number;
  number: number;
  events: Event[];
  waiting: number[];
  view?: ViewInfo | null;
  ask?: AskInfo | null;
  mine?: string | null;
  votes?: Record<string, string>;
  clock?: Clock | null;
  you?: You;
  table?: TableInfo;
  notices?: Notice[];
  secret?: boolean;
}

/** Use a special card on its targets, all written as people count: `stop:2`, `push:7,1`, `sort:`. */
export interface UseSpecial {
  notation: string;
  type: "UseSpecial";
  name: string;
  targets: number[];
}

/** A special card took effect; targets are written as in the choice's notation. */
export interface Used {
  type: "Used";
  seat: number;
  special: string;
  targets: number[];
}

/** What this seat (null: a spectator) may see: face-down cards are 0, face-down special cards "?". `piles` is what a perfect memory knows of the bull piles. */
export interface ViewInfo {
  seat: number | null;
  position: PositionInfo;
  piles: number[][];
}

/** Something that speaks for or against an answer: a kind, and the numbers that belong to it. The kinds are those of `bullpen.analysis.Reason`; a client that does not know one says nothing of it. */
export interface Why {
  kind: string;
  numbers: Record<string, number>;
}

/** What one answer is worth: what is expected from now to the end of the round, and chances. `cost` is by how much it is worse than the best answer; `take_cost` what a take in this trick costs. `goes` tells what would become of one card after another if nobody else acted. */
export interface Worth {
  choice: string;
  answer: AskOption;
  goes: Foreseen[];
  mean: number;
  cost: number;
  take_chance: number;
  take_cost: number;
  win_chance: number;
  reasons: Why[];
}

/** Who the receiver is at this table: the seat, or null for a spectator. */
export interface You {
  seat: number | null;
  host: boolean;
}

/** Bullheads by card number. */
export const HEADS: readonly number[] = [0, 1, 1, 1, 1, 2, 1, 1, 1, 1, 3, 5, 1, 1, 1, 2, 1, 1, 1, 1, 3, 1, 5, 1, 1, 2, 1, 1, 1, 1, 3, 1, 1, 5, 1, 2, 1, 1, 1, 1, 3, 1, 1, 1, 5, 2, 1, 1, 1, 1, 3, 1, 1, 1, 1, 7, 1, 1, 1, 1, 3, 1, 1, 1, 1, 2, 5, 1, 1, 1, 3, 1, 1, 1, 1, 2, 1, 5, 1, 1, 3, 1, 1, 1, 1, 2, 1, 1, 5, 1, 3, 1, 1, 1, 1, 2, 1, 1, 1, 5, 3, 1, 1, 1, 1];

export type FromClient = Resume | Sit | Leave | Forget | Start | AddBot | Remove | StandIn | HandOver | Rematch | Choose | TakeBack | Mix | Say | Nudge | Ping;

export type FromServer = Snapshot | Update | Ack | Refusal | Presence | Said | Nudged | Announcement | Pong;

export type FromStream = BotAsk | BotOver;
