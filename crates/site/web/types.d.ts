// What the server sends, as described in crates/site/openapi.json.

interface Piece { side: number; label: string; letter: string }
interface Square { piece?: Piece; dark: boolean; goal?: number }
interface Board { columns: string[]; rows: string[]; squares: Square[] }
interface Move { text: string; from: number | null; to: number | null; captures: string | null }
interface Rolled { roll: string; position: string }
interface Scene {
  position: string; at_rest: string; board: Board; side: number; ply: number; roll: string | null;
  moves: Move[]; rolls: Rolled[]; result: string | null; drawn: string | null;
}
type Player = { kind: 'person' } | { kind: 'agent'; spec: string };
interface Roll { roll: string; number?: number; void?: string[] }
interface Step extends Roll { move: string; value?: number; rest?: boolean }
interface ShownStep extends Step { position: string; side: number }
interface End { result: string; reason: 'rules' | 'resigned' | 'time' | 'fault' | 'aborted' | 'absent'; fault?: string }
type Dice = { kind: 'typed' } | { kind: 'fair'; commitment: string; seed?: string; salt: string; rolls: number };
interface RemotePlay {
  open: number | null; ready: [boolean, boolean]; arranged: [boolean, boolean] | null;
  offer: { side: number; what: 'take-back' | 'rematch' } | null; next: string | null; absence_ms: number;
}
/** Who is at a room: how many connections each side has, and for how long it has had none. */
interface Here { sides: [number, number]; watching: number; away_ms: [number, number] }
/** `you` says for which sides this browser stands. */
interface Presence { here: Here; you?: [boolean, boolean] }
interface Room {
  id: string; token?: string; game: string; version: number; players: [Player, Player];
  begun: boolean; scene: Scene; void: string[]; rest: boolean; steps: ShownStep[]; end: End | null;
  clock: { left_ms: [number, number]; running: number | null } | null; dice: Dice; undo: boolean; taken_back: number;
  apart: RemotePlay | null; invitation?: string;
}
interface RoomRecord {
  version: number; id: string; game: string; start: string; players: [Player, Player]; dice: Dice;
  steps: Step[]; rolled?: Roll; taken_back?: { kept: number; steps: Step[]; rolled?: Roll }[]; end?: End;
}
interface Level { name: string; spec: string; elo: number; within: number }
interface Game {
  name: string; title: string; about: string; sides: [string, string];
  faces: { roll: string; weight: number }[]; levels: Level[]; setup: [string, string] | null;
  start: Scene; puzzles: boolean; samples: string[]; engines: string[];
}
interface Site {
  version: string; agent: string; agents: { name: string; about: string; values: boolean }[]; games: Game[];
}
interface Scored { move: string; value: number | null; exact: boolean }
interface ScoredTurn { moves: string[]; value: number; exact: boolean; depth: number }
interface ScoredRoll { roll: string; weight: number; value: number | null; moves: Scored[]; turn?: string[] }
interface Report {
  tag: number; last: boolean; here?: boolean; position: string; agent: string; value: number | null;
  moves?: Scored[]; turns?: ScoredTurn[]; line?: string[]; rolls?: ScoredRoll[];
  nodes: number; counted?: string; depth: number; seconds: number;
}
interface ComparedMove {
  move: string; value: number | null; standard_error: number | null; interval: [number | null, number | null];
  behind: { value: number | null; standard_error: number | null } | null; games: number; dropped: boolean;
}
interface RolloutReport {
  tag: number; last: boolean; wanted: number; truncate: number | null; command: string;
  position: string; agent: string; error_rate: number; moves: ComparedMove[]; games: number; faults: number;
  complete: boolean; seed: number; seconds: number;
}
/** The first `right` of the moves, or of the turns where there are some, are right. */
interface Puzzle {
  number: number; last: number | null; difficulty: number; scene: Scene; analyser: string | null; right: number;
  moves: Scored[]; turns?: (ScoredTurn & { end: string })[];
}
interface Listed { id: string; game: string; players: Player[]; over: boolean; result: string; taken_back: boolean; changed: number }
interface Standing {
  agent: string; spec: string; rank: number; faults: number;
  games: number; rate: number; low: number; high: number;
  against: (number | null)[];
}
type Fault = 'crash' | 'illegal-move' | 'time';
interface GameRecord {
  pair: number; game: number; first: number; start: string; moves: string; result: string; plies: number;
  fault?: [number, Fault]; reason?: string;
}
interface Played {
  agents: [string, string]; game: string; played: number; wanted: number; score: [number, number, number];
  rate: number; low: number; high: number; elo: [number | null, number | null, number | null];
}
interface Training {
  game: string | null; done: number; wanted: number | null; columns: Record<string, (number | null)[]>;
  matches: ({ name: string } & Played)[];
}
type Run =
  | { kind: 'tournament'; title: string; format: string; complete: boolean; standings: Standing[] }
  | ({ kind: 'match'; games: GameRecord[] } & Played)
  | ({ kind: 'training' } & Training);

/** A page: draws itself into `main` and returns what ends it. */
type Page = (main: HTMLElement, rest: string[], query: URLSearchParams) => Promise<(() => void) | void>;

/** The rules of a game, told in parts, with a position where one helps. */
type Rules = { title: string; text: string; position?: string }[];

/** The games of a text. */
interface Archive { game: string; games: { players: [string, string]; result: string; plies: number }[]; more: boolean }

interface ReviewedMove {
  position: string; side: string; roll: string; before: number | null; move: string; lost: number;
  mark: 'doubtful' | 'error' | 'blunder' | null; luck: number; luck_mark: string | null;
  after: number; moves: Scored[]; again: number; unconfirmed: boolean;
}
interface ReviewedPlayer {
  side: string; player: string; error_rate: number | null; grade: string | null;
  totals: { luck: number; lost: number; doubtful: number; errors: number; blunders: number };
}
/** What `wurfel review --json` writes of a game, and by which search. */
interface Review {
  analyser: string; depth: [number, number] | null; assumed: string[]; result: string;
  initial: number; final: number; residual: number; players: ReviewedPlayer[]; moves: ReviewedMove[];
}
