//! The positions that an engine is asked about, from all phases of a game, with their legal moves.
//! They are texts of the protocol, so that the steps themselves need not know any game.

use wurfel::{Game, Position};
use wurfel_arena::PositionSource;
use wurfel_core::{Outcome, Random, Side};

use super::step::StepError;

/// The seed of all positions that are drawn.
const SEED: u64 = 18;
/// How many positions of each kind are collected.
const EACH: usize = 8;
/// How many drawn positions are examined in search of each kind.
const TRIES: usize = 4000;
/// After how many turns a random game is abandoned.
const MAX_TURNS: u32 = 80;

/// A turn that an engine is to decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedTurn {
    /// The line that sets the turn by its moves: `position … moves … @4`.
    pub line: String,
    /// The line that sets the turn as a match does, without moves: `position fen …`.
    pub text: String,
    /// The position before its roll, as text.
    pub board: String,
    /// The legal moves.
    pub moves: Vec<String>,
    /// Whether the first side is to move.
    pub first: bool,
}

/// A position before its roll.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rest {
    /// The line that sets the position.
    pub line: String,
    /// The rolls that differ, each with its weight and its legal moves.
    pub rolls: Vec<(String, u32, Vec<String>)>,
    /// Whether the first side is to roll.
    pub first: bool,
}

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Over {
    /// The line that sets the game by its moves.
    pub line: String,
    /// The line that sets its last position.
    pub text: String,
    /// `p1win`, `p2win` or `draw`.
    pub result: &'static str,
}

/// All positions. A list is empty when the game has no such positions.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// The first turn of the game, with every roll.
    pub start: Vec<AskedTurn>,
    /// The second turn, with every roll.
    pub second: Vec<AskedTurn>,
    /// Every turn of random games.
    pub games: Vec<Vec<AskedTurn>>,
    /// Turns from the middle of random games.
    pub middle: Vec<AskedTurn>,
    /// Turns with few pieces, those of the first side and those of the second.
    pub endings: [Vec<AskedTurn>; 2],
    /// Turns with a choice between several pieces.
    pub choices: Vec<AskedTurn>,
    /// Lines that end with each move of a turn.
    pub every_move: Vec<String>,
    /// Lines that end with the capture of a piece of the same side.
    pub own_captures: Vec<String>,
    /// Lines that end with the capture of an opposing piece.
    pub captures: Vec<String>,
    /// Finished games, some won by either side.
    pub over: Vec<Over>,
    /// Positions before their roll.
    pub rests: Vec<Rest>,
    /// Lines that set positions before their roll.
    pub before: Vec<String>,
    /// A turn with a move that wins at once.
    pub won: Option<AskedTurn>,
    /// A turn after which the opponent wins with any roll.
    pub lost: Option<AskedTurn>,
    /// Lines that no engine may accept: the mistake in each, and the line.
    pub illegal: Vec<(&'static str, String)>,
}

/// A turn. `line` holds the words that set the position and roll the dice.
fn turn(line: String, position: &Position) -> AskedTurn {
    AskedTurn {
        line,
        text: format!("position fen {position}"),
        board: position.unrolled().to_string(),
        moves: position.moves(),
        first: position.side() == Side::First,
    }
}

/// The line that sets a position before its roll, to which rolls and moves can be added.
fn at_rest(position: &Position) -> String {
    format!("position fen {position} moves")
}

/// A game from which positions are collected.
struct Search {
    game: Game,
    /// What the dice can show.
    faces: Vec<String>,
    random: Random,
}

impl Search {
    /// The position with each face that allows a move.
    fn rolled<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = (&'a str, Position)> {
        self.faces.iter().filter_map(|face| Some((face.as_str(), position.rolled(face).ok()?)))
    }

    /// The turns of a position with each roll. `line` holds the words that set the position.
    fn all_turns(&self, line: &str, position: &Position) -> Vec<AskedTurn> {
        let turn = |(face, rolled): (&str, Position)| turn(format!("{line} @{face}"), &rolled);
        self.rolled(position).map(turn).collect()
    }

    /// The position with a roll of the dice.
    fn roll(&mut self, position: &Position) -> Position {
        position.roll_dice(&mut self.random).expect("the game goes on")
    }
}

/// The roll of a position, as text.
fn roll_text(position: &Position) -> String {
    position.roll().unwrap_or_default()
}

impl Material {
    /// The positions of a game. They are the same in every run.
    pub fn of(game: Game) -> Self {
        let faces = game.dice().into_iter().map(|face| face.item).collect();
        let mut search = Search { game, faces, random: Random::new(SEED) };
        let start = search.all_turns("position startpos moves", &game.start());
        let mut material = Self { start, ..Self::default() };
        material.play_games(&mut search);
        material.draw(&mut search);
        material.add_illegal_lines();
        material
    }

    /// Plays random games and collects positions from them.
    fn play_games(&mut self, search: &mut Search) {
        for number in 0..EACH {
            let game = search.game;
            let mut position =
                if number == 0 { game.start() } else { game.setup(&mut search.random) };
            let mut line =
                if number == 0 { "position startpos moves".to_owned() } else { at_rest(&position) };
            let mut turns = vec![];
            while position.outcome().is_none() && position.ply() < MAX_TURNS {
                if number == 0 && position.ply() == 2 {
                    self.second = search.all_turns(&line, &position);
                }
                self.look_at(&position, search);
                position = search.roll(&position);
                line = format!("{line} @{}", roll_text(&position));
                while position.roll().is_some() {
                    turns.push(turn(line.clone(), &position));
                    let (mv, after) = search.random.pick(&position.after_moves()).clone();
                    line = format!("{line} {mv}");
                    position = after;
                }
            }
            self.add_finished(&line, &position);
            self.games.push(turns);
        }
    }

    /// Adds a finished game if its result is still wanted.
    fn add_finished(&mut self, line: &str, position: &Position) {
        let result = match position.outcome() {
            Some(Outcome::Win(Side::First)) => "p1win",
            Some(Outcome::Win(Side::Second)) => "p2win",
            Some(Outcome::Draw) => "draw",
            None => return,
        };
        if self.over.iter().filter(|over| over.result == result).count() < 2 {
            let text = format!("position fen {position}");
            self.over.push(Over { line: line.to_owned(), text, result });
        }
    }

    /// Draws positions with few pieces and examines them.
    fn draw(&mut self, search: &mut Search) {
        let mut hopeless = vec![];
        for number in 0..TRIES {
            let pieces = 2 + number as u32 % 6;
            if hopeless.contains(&pieces) {
                continue;
            }
            let sample = search.game.draw(PositionSource::Scattered, pieces, &mut search.random);
            let Some(position) = sample else {
                hopeless.push(pieces);
                continue;
            };
            if self.endings.iter().map(Vec::len).sum::<usize>() < 6 * EACH {
                let turns = search.all_turns(&at_rest(&position), &position);
                self.endings[position.side().index()].extend(turns);
            }
            self.look_at(&position, search);
        }
    }

    /// Collects whatever is still wanted from a position before its roll.
    fn look_at(&mut self, position: &Position, search: &mut Search) {
        let line = at_rest(position);
        if self.before.len() < EACH && search.random.below(4) == 0 {
            let rolled = search.roll(position);
            self.before.push(format!("position fen {position}"));
            self.rests.push(rest(position));
            self.middle.push(turn(format!("{line} @{}", roll_text(&rolled)), &rolled));
        }
        let all: Vec<_> =
            search.rolled(position).map(|(face, rolled)| (face.to_owned(), rolled)).collect();
        for (face, rolled) in all {
            let now = turn(format!("{line} @{face}"), &rolled);
            let squares = |text: &String| text.chars().take(2).collect::<String>();
            let mut from: Vec<String> = now.moves.iter().map(squares).collect();
            from.sort();
            from.dedup();
            if from.len() > 1 && self.choices.len() < 2 * EACH && search.random.below(3) == 0 {
                self.every_move.extend(now.moves.iter().map(|mv| format!("{} {mv}", now.line)));
                self.choices.push(now.clone());
            }
            self.look_at_moves(&rolled, &now);
        }
    }

    /// Collects whatever is still wanted from the moves of a turn.
    fn look_at_moves(&mut self, position: &Position, now: &AskedTurn) {
        let side = position.side();
        let pieces = Side::BOTH.map(|side| position.pieces(side).count);
        let (mut wins, mut loses) = (false, self.lost.is_none());
        for (mv, after) in position.after_moves() {
            let line = format!("{} {mv}", now.line);
            let fewer = |side: Side| after.pieces(side).count < pieces[side.index()];
            if self.own_captures.len() < EACH && fewer(side) {
                self.own_captures.push(line.clone());
            }
            if self.captures.len() < EACH && fewer(!side) {
                self.captures.push(line.clone());
            }
            self.add_finished(&line, &after);
            wins |= after.outcome() == Some(Outcome::Win(side));
            loses = loses && after.roll().is_none() && after.outcome().is_none() && is_won(&after);
        }
        if wins && self.won.is_none() {
            self.won = Some(now.clone());
        }
        if loses {
            self.lost = Some(now.clone());
        }
    }

    /// Makes the illegal lines, each with a single mistake.
    fn add_illegal_lines(&mut self) {
        let mut wrong = |what, line: String| self.illegal.push((what, line));
        let Some(turn) = self.start.first().cloned() else { return };
        let (Some(mv), start) = (turn.moves.first(), "position startpos moves") else { return };
        wrong("a move without a roll", format!("{start} {mv}"));
        wrong("two rolls in a row", format!("{} {}", turn.line, roll_of(&turn.line)));
        wrong("an impossible roll", format!("{start} @9"));
        wrong("an unreadable move", format!("{} z9z8", turn.line));
        wrong("an unreadable position", "position fen nonsense".to_owned());
        let other = self.start.iter().find_map(|other| {
            let foreign = other.moves.iter().find(|mv| !turn.moves.contains(mv))?;
            Some(format!("{} {foreign}", turn.line))
        });
        if let Some(line) = other {
            self.illegal.push(("a move for another roll", line));
        }
        if let Some(over) = self.over.first() {
            let line = format!("{} {}", over.line, roll_of(&turn.line));
            self.illegal.push(("a roll after the end", line));
        }
    }
}

/// The roll at the end of a line.
fn roll_of(line: &str) -> &str {
    line.rsplit(' ').next().unwrap_or_default()
}

fn rest(position: &Position) -> Rest {
    let rolls = position.rolls().into_iter().map(|roll| {
        let moves = position.rolled(&roll.item).map(|rolled| rolled.moves());
        (roll.item, roll.weight, moves.unwrap_or_default())
    });
    Rest {
        line: format!("position fen {position}"),
        rolls: rolls.collect(),
        first: position.side() == Side::First,
    }
}

/// The first of these turns; an error if the game has none.
pub fn first(turns: &[AskedTurn]) -> Result<AskedTurn, StepError> {
    turns.first().cloned().ok_or(StepError::NoSuchPosition)
}

/// Whether the side that is to roll can win at once, whatever it rolls.
fn is_won(position: &Position) -> bool {
    let wins =
        |(_, after): &(String, Position)| after.outcome() == Some(Outcome::Win(position.side()));
    position.rolls().iter().all(|roll| {
        let rolled = position.rolled(&roll.item);
        rolled.is_ok_and(|rolled| rolled.after_moves().iter().any(wins))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel::{default_game, game};

    #[test]
    fn einstein_has_positions_of_every_kind() {
        let material = Material::of(default_game());
        assert_eq!((material.start.len(), material.second.len()), (6, 6));
        assert!(material.games.iter().all(|game| game.len() > 5));
        for count in [material.choices.len(), material.own_captures.len(), material.captures.len()]
        {
            assert!(count >= EACH, "{count}");
        }
        assert!(material.endings.concat().len() >= 6 * EACH && material.middle.len() == EACH);
        assert!(material.won.is_some() && material.lost.is_some());
        let results: Vec<&str> = material.over.iter().map(|over| over.result).collect();
        assert!(results.contains(&"p1win") && results.contains(&"p2win"), "{results:?}");
        let both =
            |turns: &[AskedTurn]| turns.iter().any(|t| t.first) && turns.iter().any(|t| !t.first);
        assert!(both(&material.endings.concat()) && both(&material.choices));
        assert_eq!(material.illegal.len(), 7);
    }

    #[test]
    fn other_games_have_what_they_can() {
        let material = Material::of(game("dicechess").unwrap());
        assert_eq!(material.start.len(), 2);
        assert!(!material.captures.is_empty() && material.own_captures.is_empty());
        assert_eq!(material.illegal.len(), 7);
    }
}
