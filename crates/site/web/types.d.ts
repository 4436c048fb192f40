// What the server sends. `cargo xtask schemas --keep` writes this file.

/** The games of a text. */
interface Archive {
  /** The game, which is the rule set. */
  game: string;
  games: ListedGame[];
  /** Whether there are more games than are listed. */
  more: boolean;
  /** The wanted game; `null` if none of the listed games has its number. */
  record: GameRecord | null;
  /** Its positions: that before each move, with the roll, and the last one. */
  positions: string[];
}

/** The board with its pieces. */
interface Board {
  /** The names of the columns, left to right. */
  columns: string[];
  /** The names of the rows, top to bottom. */
  rows: string[];
  /** The squares, row by row from the top left. */
  squares: Square[];
}

/** The clocks of both sides. They run only for people, not for agents. */
interface Clock {
  /** The time that each side has left, in milliseconds. */
  left_ms: [number, number];
  /** The increment after each turn of a person, in milliseconds. */
  increment_ms: number;
}

/** The fair dice of one game. */
interface CommittedDice {
  /** The hash of the seed. */
  commitment: string;
  /** The salts of the players, the first side first, with a `-` between if there are two; empty before the game begins. */
  salt: string;
  /** The number of rolls so far. */
  rolls: number;
  /** The secret seed; empty while it must not be shown. */
  seed?: string;
}

/** A move of a comparison, with the results of its games. */
interface ComparedMove {
  /** The move in the notation of the game. */
  move: string;
  /** The mean result of its games for the **side that moves**, 0 to 1. */
  value: number;
  /** The standard error of the value; `null` where it cannot be estimated, because all games ended alike. */
  standard_error: number | null;
  /** The 95 % interval of the value. */
  interval: [number, number];
  /** The distance to the best move; `null` for the best move itself. */
  behind: PairedDifference | null;
  /** The number of games played after this move. */
  games: number;
  /** Whether it was dropped before the end. */
  dropped: boolean;
}

/** The format of a tournament, which decides who meets whom. */
type CupFormat = 'round-robin' | 'gauntlet' | 'swiss' | 'knockout' | 'tcga' | 'ccgc';

/** The source of a game's rolls. */
type Dice = CommittedDice & { kind: 'fair' } | { kind: 'typed' };

/** How a game ended. */
interface End {
  /** `1-0` when the first side won, `0-1` when the second did, `1/2-1/2` for a draw, or `*` when the game does not count. */
  result: string;
  /** The reason why it ended. */
  reason: Reason;
  /** What happened at a fault, in one line for people; empty otherwise. */
  fault?: string;
}

/** A roll of the dice, and the number of outcomes of the dice that show it. */
interface Face {
  /** The roll, in the notation of the game. */
  roll: string;
  /** The number of outcomes. */
  weight: number;
}

/** The ways in which an agent can lose a game immediately. */
type Fault = 'crash' | 'illegal-move' | 'time';

/** The facts about a game that a page needs before a game is played. */
interface Game {
  /** Its name, which is the rule set. */
  name: string;
  /** Its name for people. */
  title: string;
  /** Its description in one sentence. */
  about: string;
  /** The names of the sides, the first side first. */
  sides: [string, string];
  /** The outcomes of the dice. */
  faces: Face[];
  /** Agents of measured strength to play against. */
  levels: Level[];
  /** An example set-up for each side, if there are several set-ups. */
  setup: [string, string] | null;
  /** A position before the first roll. */
  start: Scene;
  /** Whether the game has puzzles. */
  puzzles: boolean;
  /** Positions to try an analysis on. */
  samples: string[];
  /** The external programs that are offered here, by their names. */
  engines: string[];
}

/** A comment on a position. */
interface GameComment {
  /** The number of moves of its line before the position. */
  after: number;
  /** The comment. */
  text: string;
}

/** A game with its moves, a line of a file of games. */
interface GameRecord {
  /** The number of its pair, from 0. */
  pair: number;
  /** Which game of the pair, 0 or 1; games are in order. */
  game: number;
  /** Which of the header's players has the first side, 0 or 1. */
  first: number;
  /** The starting position, in the notation of the game. */
  start: string;
  /** Rolls, each before the moves that were made with it: `@4 a5b4 @1 …`. */
  moves: string;
  /** `1-0` when the first side won, `0-1`, `1/2-1/2`, or `*` when it is open. */
  result: string;
  /** Turns played, as many as `moves` has. */
  plies: number;
  /** What readers have said of positions of the game. */
  comments?: GameComment[];
  /** The tournament that the game belongs to. */
  event?: string;
  /** The number of the player that lost by a fault, and the fault: `crash`, `illegal-move` or `time`; missing when the rules decided. */
  fault?: [number, Fault];
  /** Where the game was played. */
  place?: string;
  /** What happened at that fault, for people. */
  reason?: string;
  /** The search statistics of each of the header's players. */
  searches?: [Record<string, Tally>, Record<string, Tally>];
  /** When the game was played. */
  time?: string;
  /** Moves that were not played. */
  variations?: Variation[];
}

/** The presence as it is sent to everybody who has entered the room. */
interface Here {
  /** The devices of each side's player. */
  sides: [number, number];
  /** The devices of watchers. */
  watching: number;
  /** For how long each side has been away, in milliseconds. */
  away_ms: [number, number];
}

/** An agent of measured strength to play against. */
interface Level {
  /** The name of the level. */
  name: string;
  /** The agent's spec, bounded by depth or nodes so that it plays the same on every machine. */
  spec: string;
  /** Its strength in Elo, on a scale of its game: only levels of one game can be compared. */
  elo: number;
  /** Half the width of the 95 % interval of `elo`. */
  within: number;
}

/** A game in a list of games. */
interface Listed {
  /** The name of its room. */
  id: string;
  /** The game, which is the rule set. */
  game: string;
  /** Who plays the first side and the second. */
  players: Player[];
  /** Whether it has ended. */
  over: boolean;
  /** `1-0`, `0-1`, `1/2-1/2`, or `*` when the game does not count; empty while it goes on. */
  result: string;
  /** Whether moves were taken back. */
  taken_back: boolean;
  /** When something last happened in it, in seconds since 1970. */
  changed: number;
}

/** The entry of a game in a list of games. */
interface ListedGame {
  /** The players, the first side first; the name of the side where the player is not known. */
  players: [string, string];
  /** `1-0` when the first side won, `0-1`, `1/2-1/2`, or `*` when it is open. */
  result: string;
  /** The number of turns played. */
  plies: number;
}

/** The fault by which a side lost. */
interface LostByFault {
  /** The side. */
  side: string;
  /** The kind of fault. */
  fault: Fault;
  /** The reason, for people. */
  reason: string;
}

/** How lucky a roll was, by the win probability that it brought. */
type LuckMark = 'very-lucky' | 'lucky' | 'unlucky' | 'very-unlucky';

/** How bad a move was, by the win probability that it lost. */
type Mark = 'doubtful' | 'error' | 'blunder';

/** A legal move. */
interface Move {
  /** The text of the move. */
  text: string;
  /** The square that the piece leaves, by its index in the board's `squares`, if the text of the move begins with two squares. */
  from: number | null;
  /** The square that the piece enters. */
  to: number | null;
  /** The letter of the piece that it removes. */
  captures: string | null;
}

/** A proposal of one player to the other. */
interface Offer {
  /** The side that proposes, 0 or 1. */
  side: Side;
  /** The proposal. */
  what: Proposal;
}

/** An agent that guests may choose by its name alone. */
interface Offered {
  name: string;
  /** Its description in one line. */
  about: string;
  /** Whether it evaluates moves, so that positions can be analysed with it. Agents that do not search only choose. */
  values: boolean;
}

/** The time control of a game that has not begun. */
interface OpenClock {
  /** The time for the whole game, in seconds. */
  seconds: number;
  /** The increment after each turn, in seconds. */
  increment: number;
}

/** A game that waits for anybody who wants to play. */
interface OpenGame {
  /** The name of the room. */
  id: string;
  /** The code with which to join. */
  code: string;
  /** The game, which is the rule set. */
  game: string;
  /** The name of whoever waits; empty if they have none. */
  name: string;
  /** The side that is free, 0 or 1. */
  side: Side;
  /** The time control; `null` for a game without clocks. */
  clock: OpenClock | null;
  /** Whether people roll the dice themselves. */
  typed_dice: boolean;
}

/** The distance of a move to the best one in the games that both have, on the same dice. */
interface PairedDifference {
  /** The difference of their values. */
  value: number;
  /** The standard error of the difference; `null` where it cannot be estimated, because the difference was the same in all games. */
  standard_error: number | null;
}

/** A piece. */
interface Piece {
  /** The side that it belongs to, 0 or 1. */
  side: number;
  /** What is written on it. */
  label: string;
  /** Its letter in position texts. */
  letter: string;
}

/** The score between two agents. */
interface Played {
  /** The specs of the two agents. */
  agents: [string, string];
  /** The game, which is the rule set. */
  game: string;
  /** The number of games played. */
  played: number;
  /** The number of games in all. */
  wanted: number;
  /** Games won by the first agent, drawn, and won by the second agent, counting only whole pairs. */
  score: [number, number, number];
  /** The first agent's win rate, and below, its 95 % interval. */
  rate: number;
  low: number;
  high: number;
  /** The win rate and the ends of its interval as Elo differences; `null` where there is no finite one. */
  elo: [number | null, number | null, number | null];
}

/** Who plays a side. */
type Player = { kind: 'person'; name?: string } | { kind: 'agent'; spec: string };

/** The people present in a room, for everybody who has entered it. */
interface Presence {
  /** The people present. */
  here: Here;
  /** The sides of the client's token, in the answer to `enter`. */
  you?: [boolean, boolean];
}

/** What is wrong with a request. */
interface Problem {
  /** One line: what is wrong and what was expected. */
  error: string;
}

/** The possible proposals. */
type Proposal = 'take-back' | 'rematch';

/** A puzzle with its solution. */
interface Puzzle {
  /** The number of the puzzle; the same number always gives the same puzzle. */
  number: number;
  /** The largest number; `null` where every number has a puzzle. */
  last: number | null;
  /** The difficulty, from 1 (easy) to 4. */
  difficulty: number;
  /** The position. */
  scene: Scene;
  /** The spec of the agent that estimated the values; `null` where they are exact. */
  analyser: string | null;
  /** The number of right moves or turns, which come first in the list. */
  right: number;
  /** Every move with its value for the side that moves, the best first; empty where turns are listed. */
  moves: Scored[];
  /** Every turn, the best first, where a turn takes several moves. */
  turns?: PuzzleTurn[];
}

/** A whole turn as an answer to a puzzle. */
interface PuzzleTurn {
  /** The moves, in an order in which they can be made. */
  moves: string[];
  /** The value for the side that moves. */
  value: number;
  /** Whether the value is exact. */
  exact: boolean;
  /** The search depth of the value in turns. */
  depth: number;
  /** The text of the position after the turn, the same for all orders of its moves. */
  end: string;
}

/** A QR code as an SVG path. */
interface Qr {
  /** The number of squares in a row, without the margin. */
  size: number;
  /** The dark squares. */
  path: string;
}

/** The reason why a game ended. */
type Reason = 'rules' | 'resigned' | 'time' | 'fault' | 'aborted' | 'absent';

/** The state between two players on two devices. */
interface RecordedRemotePlay {
  /** The salts that the players contribute to the dice. They are secret until the game begins. */
  salts: [string | null, string | null];
  /** The time of each clock at the start in seconds, for the rematch. */
  seconds: number;
  /** The code with which the invited player can join. It is secret, unless the game is listed. */
  code?: string;
  /** Whether the game is in the list of games that anybody may join, until somebody does. */
  listed?: boolean;
  /** The room of the rematch. */
  next?: string;
  /** The proposal that waits for an answer. */
  offer?: Offer;
  /** The side of the invited player, until they join. */
  open?: Side;
  /** The position that the request named instead of set-ups, for the rematch. */
  position?: string;
  /** The set-ups, where both players arrange their pieces. They are secret until both have been sent. */
  setups?: [string | null, string | null];
}

/** The state between two players on two devices. */
interface RemotePlay {
  /** The side of the invited player, until they join. */
  open: Side | null;
  /** Whether anybody on this server may take that side. */
  listed: boolean;
  /** Which sides are ready. */
  ready: [boolean, boolean];
  /** Which sides have sent their set-ups, where both players arrange their pieces. */
  arranged: [boolean, boolean] | null;
  /** The proposal that waits for an answer. */
  offer: Offer | null;
  /** The room of the rematch. */
  next: string | null;
  /** How long a player must have been away on their own turn, in milliseconds, before the other player may end the game. In games with clocks, the clock decides instead. */
  absence_ms: number;
}

/** An agent's report on a position. All values are win probabilities of the side to **move**. */
interface Report {
  /** The number of the question. */
  tag: number;
  /** Whether this is the last report. */
  last: boolean;
  /** The position, as it was given. */
  position: string;
  /** The agent's spec. */
  agent: string;
  /** The value of the position. */
  value: number | null;
  /** Positions visited, or whatever `counted` names. */
  nodes: number;
  /** The search depth in turns that every roll reached. */
  depth: number;
  /** How long it took. */
  seconds: number;
  /** What `nodes` counts, such as `simulations`; `null` for positions. */
  counted?: string;
  /** The principal variation of a rolled position: rolls with moves. */
  line?: string[];
  /** The moves of a rolled position, the best first. */
  moves?: Scored[];
  /** The rolls of a position before the roll. */
  rolls?: ScoredRoll[];
  /** The agent's own statistics of the search of a rolled position. */
  statistics?: Record<string, number>;
  /** Whole turns of a rolled position, where a turn can take several moves and the agent compares whole turns: those that it searched deeper come first, the best of them at the top. */
  turns?: ScoredTurn[];
}

/** The review of a game, as the page receives it. */
interface Review {
  /** The spec of the analyser. */
  analyser: string;
  /** Its search depth in turns in the decisions whose values it did not know exactly: minimum and maximum. */
  depth: [number, number] | null;
  /** What was assumed where the text contradicts itself or leaves something open. */
  assumed: string[];
  /** The number of the game, counted from 1. */
  game: number;
  /** The position in which it began. */
  start: string;
  /** `1-0`, `0-1`, `1/2-1/2`, or `*` when it is open. */
  result: string;
  /** The fault by which a side lost; `null` when the rules decided the game. */
  fault: LostByFault | null;
  /** The value before the first roll. */
  initial: number;
  /** The result, or the value of the last position while it is open. */
  final: number;
  /** The luck of all rolls: positive if the first side had more of it. */
  luck: number;
  /** What all moves lost: positive if the first side lost more. */
  lost: number;
  /** The change of the value that was neither luck nor lost. */
  residual: number;
  /** The final value without the luck of the rolls. */
  luck_adjusted: number;
  /** The players, that of the first side first. */
  players: [ReviewedPlayer, ReviewedPlayer];
  /** The decisions in order. */
  moves: ReviewedMove[];
}

/** A decision of a reviewed game. */
interface ReviewedMove {
  /** The number of the turn. */
  ply: number;
  /** The side that decides. */
  side: string;
  /** The position with the roll. */
  position: string;
  /** The roll, or the dice that are left of it. */
  roll: string;
  /** The value before the roll; `null` in the middle of a turn, where nothing is rolled. */
  before: number | null;
  /** The value after the best move, by the same search. */
  rolled: number;
  /** The luck of the roll. */
  luck: number;
  /** How lucky the roll was. */
  luck_mark: LuckMark | null;
  /** The move that was made. */
  move: string;
  /** The value after it. */
  value: number;
  /** The value after the best move. */
  best: number;
  /** What the move lost: `best` less `value`. */
  lost: number;
  /** How bad the move was. */
  mark: Mark | null;
  /** Whether there was no choice. */
  forced: boolean;
  /** Whether the values of all moves are exact. */
  exact: boolean;
  /** `after` less `rolled`, plus `lost`: how much the analyser's own estimate changed from one position to the next. */
  residual: number;
  /** How many moves were searched again. */
  again: number;
  /** Whether the move is marked by the first search alone, because there was no time to search again. */
  unconfirmed: boolean;
  /** How many turns the first search of the moves looked ahead. */
  depth: number;
  /** The value of the next position, evaluated there. */
  after: number;
  /** Every legal move: those that were searched again first, best first, and then the others. */
  moves: Scored[];
}

/** A player of a reviewed game. */
interface ReviewedPlayer {
  /** The side. */
  side: string;
  /** The name; empty where it is not known. */
  player: string;
  /** The totals of the player's decisions. */
  totals: Totals;
  /** The mean win probability lost by a decision with a choice; `null` if there was none. */
  error_rate: number | null;
  /** The name of the error rate's grade. */
  grade: string | null;
}

/** A roll that waits for a move. */
interface Roll {
  /** What the dice show, in the notation of the game. */
  roll: string;
  /** The number of the roll in the game, from 1; 0 where people roll. */
  number?: number;
  /** The rolls just before it that allowed no move. */
  void?: string[];
}

/** A position with a roll. */
interface Rolled {
  /** What the dice show, in the notation of the game. */
  roll: string;
  /** The position with this roll. */
  position: string;
}

/** A report on moves that were played out. All values are win probabilities of the side that **moves**, luck-adjusted where luck was measured. */
interface RolloutReport {
  /** The number of the request. */
  tag: number;
  /** Whether this is the last report. */
  last: boolean;
  /** The number of games that were requested for each move. */
  wanted: number;
  /** After how many turns games end with the value that the agent gives the position. */
  truncate: number | null;
  /** The command that gives the same result elsewhere, provided that the rollout is complete. */
  command: string;
  /** The position with its roll. */
  position: string;
  /** The spec of the agent that plays both sides. */
  agent: string;
  /** The largest probability with which the best of the moves may have been dropped. */
  error_rate: number;
  /** The moves, the best first; those that were dropped come last. */
  moves: ComparedMove[];
  /** The games after all of the moves together. */
  games: number;
  /** Games that were lost by a crash, an illegal move or time. */
  faults: number;
  /** Whether the comparison was finished. */
  complete: boolean;
  /** The seed of dice and players. */
  seed: number;
  /** How long it took. */
  seconds: number;
}

/** The state of a room, as the page shows it. */
interface Room {
  /** The name of the room. */
  id: string;
  /** The game, which is the rule set. */
  game: string;
  /** The version of the room, which grows with every change. */
  version: number;
  /** Who plays, the first side first. */
  players: [Player, Player];
  /** Whether the game has begun. */
  begun: boolean;
  /** The position now. */
  scene: Scene;
  /** The rolls just before the current one that allowed no move. */
  void: string[];
  /** Whether the current roll is what the last move left of a larger one. */
  rest: boolean;
  /** The moves so far. */
  steps: ShownStep[];
  /** How the game ended. */
  end: End | null;
  /** The time that each side has left; `null` in a game without clocks. */
  clock: ShownClock | null;
  /** The proof of the dice. It has the seed only after the end of the game. */
  dice: Dice;
  /** Whether the last move of a person can be taken back. */
  undo: boolean;
  /** The number of take-backs. */
  taken_back: number;
  /** The state between two players on two devices. */
  apart: RemotePlay | null;
  /** The code by which a guest can join instead, for whoever has opened the room. */
  code?: string;
  /** The secret that invites a guest, for whoever has opened the room. */
  invitation?: string;
  /** The token that acts for the players, for whoever has opened the room. */
  token?: string;
}

/** Everything about a game between people and agents. */
interface RoomRecord {
  /** The name of the format, `wurfel-room`. */
  format: string;
  /** The version of the format. */
  version: number;
  /** The name of the room on its server. */
  id: string;
  /** The game, which is the rule set. */
  game: string;
  /** The position before the first roll. */
  start: string;
  /** The players, the first side first. */
  players: [Player, Player];
  /** The source of the rolls. */
  dice: Dice;
  /** The minimum time for an agent's move in milliseconds, so that people can follow the game. */
  pace_ms: number;
  /** The number of changes so far, which is the version that messages to the page carry. */
  changes: number;
  /** Whether the game has begun. */
  begun: boolean;
  /** The moves so far, each with its roll. */
  steps: Step[];
  /** The state between two players on two devices. */
  apart?: RecordedRemotePlay;
  /** The clocks, in games with a time control. */
  clock?: Clock;
  /** How it ended. */
  end?: End;
  /** The roll that waits for a move. */
  rolled?: Roll;
  /** The take-backs, in the order in which they happened. */
  taken_back?: TakeBack[];
}

/** The contents of a file, or of the directory of a training run. */
type Run = Tournament & { kind: 'tournament' } | { kind: 'match'; agents: [string, string]; game: string; played: number; wanted: number; score: [number, number, number]; rate: number; low: number; high: number; elo: [number | null, number | null, number | null]; games: GameRecord[] } | Training & { kind: 'training' };

/** A position with its board and the moves that are possible in it. */
interface Scene {
  /** The position's text, with the roll if there is one. */
  position: string;
  /** The position's text without the roll. */
  at_rest: string;
  /** The squares with their pieces, as they are drawn. */
  board: Board;
  /** The side to move, 0 or 1. */
  side: number;
  /** The number of the turn, from 1. */
  ply: number;
  /** What was rolled, or what is left of it. */
  roll: string | null;
  /** The legal moves of a rolled position. */
  moves: Move[];
  /** The position with each roll that allows a move; empty at the end of the game. */
  rolls: Rolled[];
  /** The result by the rules, if the game is over. */
  result: string | null;
  /** Why the game is drawn, in words, if it is. */
  drawn: string | null;
}

/** A move and its value. */
interface Scored {
  /** The move in the notation of the game. */
  move: string;
  /** The value of the move; `null` where the agent did not estimate it. */
  value: number | null;
  /** Whether the value is exact, that is, the one under best play. */
  exact: boolean;
}

/** A roll and its value. */
interface ScoredRoll {
  /** The roll as the dice show it. */
  roll: string;
  /** The number of equally likely outcomes of the dice that lead to it. */
  weight: number;
  /** The value of its best move. */
  value: number | null;
  /** Its moves, the best first. */
  moves: Scored[];
  /** The moves of the best whole turn, where the agent compares whole turns. */
  turn?: string[];
}

/** A whole turn and its value. */
interface ScoredTurn {
  /** The moves, in an order in which they can be made. */
  moves: string[];
  /** The value of the turn. */
  value: number;
  /** Whether the value is exact, that is, the one under best play. */
  exact: boolean;
  /** The search depth of the value in turns, this one included. */
  depth: number;
}

/** The clocks at the time of the view. */
interface ShownClock {
  /** The time that each side has left, in milliseconds. */
  left_ms: [number, number];
  /** The side whose clock is running. */
  running: Side | null;
}

/** A move with the situation before it. */
interface ShownStep {
  /** The position before the move, with its roll. */
  position: string;
  /** The side that moved, 0 or 1. */
  side: Side;
  /** The roll, or the rest of one. */
  roll: string;
  /** The move in the notation of the game. */
  move: string;
  /** The number of the roll in the game, from 1; 0 where people roll, and of a rest. */
  number?: number;
  /** Whether `roll` is what the previous move left of its roll. */
  rest?: boolean;
  /** The result that the agent that moved expected for itself, 0 to 1. */
  value?: number;
  /** The rolls just before it that allowed no move. */
  void?: string[];
}

/** One of the two players.  Which colour a side has and who begins is up to the game: `First` is red in EinStein würfelt nicht! and white in Dice Chess.  ``` use wurfel_core::Side;  assert_eq!(!Side::First, Side::Second); assert_eq!(Side::BOTH.map(Side::index), [0, 1]); ``` */
type Side = number;

/** The offer of a site. */
interface Site {
  /** The version of the program. */
  version: string;
  /** The agent that analyses by default. */
  agent: string;
  /** The agents that guests may choose. */
  agents: Offered[];
  /** Whether there is a list of games that anybody may join. */
  lobby: boolean;
  /** Whether the page offers analyses of games in progress, other than those between people on two devices. */
  live_analysis: boolean;
  /** The games. */
  games: Game[];
}

/** A square. */
interface Square {
  /** Whether it is drawn in the darker colour. */
  dark: boolean;
  /** The side whose goal it is, 0 or 1. */
  goal?: number;
  /** The piece on the square. */
  piece?: Piece;
}

/** An agent of a tournament. */
interface Standing {
  /** Its name; the spec where it has none. */
  agent: string;
  spec: string;
  /** Its rank; equal agents share one. */
  rank: number;
  /** Games that it lost by a crash, an illegal move or exceeding its time. */
  faults: number;
  /** Games that it has played. */
  games: number;
  /** The mean of its win rates, and below, its 95 % interval. */
  rate: number;
  low: number;
  high: number;
  /** Its win rate against each other agent, in the order of this list; `null` where they have not met. */
  against: (number | null)[];
}

/** A move, with its roll or what was left of one. */
interface Step {
  /** The roll, or the rest of one. */
  roll: string;
  /** The move in the notation of the game. */
  move: string;
  /** The number of the roll in the game, from 1; 0 where people roll, and of a rest. */
  number?: number;
  /** Whether `roll` is what the previous move left of its roll. */
  rest?: boolean;
  /** The result that the agent that moved expected for itself, 0 to 1. */
  value?: number;
  /** The rolls just before it that allowed no move. */
  void?: string[];
}

/** A match that was played with a network of the run. */
interface Strength {
  name: string;
  /** The specs of the two agents. */
  agents: [string, string];
  /** The game, which is the rule set. */
  game: string;
  /** The number of games played. */
  played: number;
  /** The number of games in all. */
  wanted: number;
  /** Games won by the first agent, drawn, and won by the second agent, counting only whole pairs. */
  score: [number, number, number];
  /** The first agent's win rate, and below, its 95 % interval. */
  rate: number;
  low: number;
  high: number;
  /** The win rate and the ends of its interval as Elo differences; `null` where there is no finite one. */
  elo: [number | null, number | null, number | null];
}

/** Moves that were taken back. The player had seen the roll before the first of them, so this roll stays. Later rolls had been seen as well and would be known in advance, so they are rolled again. */
interface TakeBack {
  /** The number of steps that remained. */
  kept: number;
  /** The steps that were taken back. */
  steps: Step[];
  /** The roll that waited for a move. */
  rolled?: Roll;
}

/** The values of one figure: their number, their sum and the largest one. In JSON it is a list of these three numbers. */
type Tally = [number, number, number];

/** The totals of one player's decisions. */
interface Totals {
  /** Decisions between several moves. */
  unforced: number;
  /** The win probability that these decisions lost. */
  lost: number;
  /** The luck of the player's rolls. */
  luck: number;
  /** Decisions marked as doubtful. */
  doubtful: number;
  /** Decisions marked as errors. */
  errors: number;
  /** Decisions marked as blunders. */
  blunders: number;
}

/** A tournament of any format. */
interface Tournament {
  /** Its name; empty if it has none. */
  title: string;
  /** The format of the tournament. */
  format: CupFormat;
  /** Whether it is over. */
  complete: boolean;
  /** The agents, the best first. */
  standings: Standing[];
}

/** A network in training, or one whose training is over. */
interface Training {
  /** The game, which is the rule set, if the directory has its configuration. */
  game: string | null;
  /** Rounds that are done. */
  done: number;
  /** The number of rounds in the configuration. */
  wanted: number | null;
  /** The metrics of the rounds, by the names in the file; `null` where a round does not have one. */
  columns: Record<string, (number | null)[]>;
  /** The matches in the directory, by file name; they show how strong the network was. */
  matches: Strength[];
}

/** Moves that could have been played instead of those of the line above. */
interface Variation {
  /** The number of moves of the line above before its first move. */
  after: number;
  /** Rolls, each before the moves that were made with it: `@4 a5b4 @1 …`. */
  moves: string;
  /** The comments on positions of the variation. */
  comments?: GameComment[];
  /** The variations of the variation. */
  variations?: Variation[];
}
