//! The positions that an engine is asked about, from all phases of a game, with their legal moves.
//! They are texts of the protocol, so that the steps themselves need not know any game.

use wurfel_core::{Game, Outcome, Random, Side, Situation, Weighted, roll};
use wurfel_games::Playable;

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
    /// Turns with few pieces.
    pub endings: Vec<AskedTurn>,
    /// Turns with a choice between several pieces.
    pub choices: Vec<AskedTurn>,
    /// Lines that end with each move of a turn.
    pub every_move: Vec<String>,
    /// Lines that end with the capture of an own piece.
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

/// The faces that the dice can show in a position.
fn faces<G: Game>(position: &G) -> Vec<G::Roll> {
    let faces = G::DICE.iter().map(|face| face.item);
    faces.filter(|&face| !position.moves(face).as_ref().is_empty()).collect()
}

fn texts<G: Game>(position: &G, roll: G::Roll) -> Vec<String> {
    position.moves(roll).as_ref().iter().map(ToString::to_string).collect()
}

/// The turn of a position with a roll. `line` holds the words that set the position.
fn turn<G: Game>(line: &str, position: &G, roll: G::Roll) -> AskedTurn {
    AskedTurn {
        line: format!("{line} @{roll}"),
        text: as_in_a_match(position, roll),
        board: position.to_string(),
        moves: texts(position, roll),
        first: position.side() == Side::First,
    }
}

/// The line that sets a turn without moves.
fn as_in_a_match<G: Game>(position: &G, roll: G::Roll) -> String {
    format!("position fen {}", Situation { position: position.clone(), roll: Some(roll) })
}

/// The line that sets a position before its roll, to which rolls and moves can be added.
fn at_rest<G: Game>(position: &G) -> String {
    format!("position fen {position} moves")
}

/// The turns of a position with each roll. `line` holds the words that set the position.
fn all_turns<G: Game>(line: &str, position: &G) -> Vec<AskedTurn> {
    faces(position).into_iter().map(|face| turn(line, position, face)).collect()
}

impl Material {
    /// The positions of a game. They are the same in every run.
    pub fn of<G: Playable>() -> Self {
        let mut random = Random::new(SEED);
        let start = G::default();
        let mut material =
            Self { start: all_turns("position startpos moves", &start), ..Self::default() };
        material.play_games::<G>(&mut random);
        material.draw::<G>(&mut random);
        material.be_wrong();
        material
    }

    /// Plays random games and collects positions from them.
    fn play_games<G: Playable>(&mut self, random: &mut Random) {
        for number in 0..EACH {
            let mut position = if number == 0 { G::default() } else { G::setup(random) };
            let mut line =
                if number == 0 { "position startpos moves".to_owned() } else { at_rest(&position) };
            let mut turns = vec![];
            while position.outcome().is_none() && position.ply() < MAX_TURNS {
                if number == 0 && position.ply() == 2 {
                    self.second = all_turns(&line, &position);
                }
                self.look_at(&position, random);
                let mut rest = Some(roll(&position, random));
                line = format!("{line} @{}", rest.map_or_else(String::new, |r| r.to_string()));
                while let Some(roll) = rest {
                    turns.push(AskedTurn {
                        line: line.clone(),
                        text: as_in_a_match(&position, roll),
                        board: position.to_string(),
                        moves: texts(&position, roll),
                        first: position.side() == Side::First,
                    });
                    let Some(mv) = position.pick(roll, random) else { break };
                    line = format!("{line} {mv}");
                    rest = position.play(roll, mv);
                }
            }
            self.keep_over(&line, &position);
            self.games.push(turns);
        }
    }

    /// Adds a finished game if its result is still wanted.
    fn keep_over<G: Game>(&mut self, line: &str, position: &G) {
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
    fn draw<G: Playable>(&mut self, random: &mut Random) {
        for number in 0..TRIES {
            let Some(position) = G::scattered(2 + number as u32 % 6, random) else { continue };
            if self.endings.len() < 6 * EACH {
                self.endings.extend(all_turns(&at_rest(&position), &position));
            }
            self.look_at(&position, random);
        }
    }

    /// Collects whatever is still wanted from a position before its roll.
    fn look_at<G: Playable>(&mut self, position: &G, random: &mut Random) {
        let line = at_rest(position);
        if self.before.len() < EACH && random.below(4) == 0 {
            let roll = roll(position, random);
            self.before.push(format!("position fen {position}"));
            self.rests.push(rest(&line, position));
            self.middle.push(turn(&line, position, roll));
        }
        for face in faces(position) {
            let now = turn(&line, position, face);
            let squares = |text: &String| text.chars().take(2).collect::<String>();
            let mut from: Vec<String> = now.moves.iter().map(squares).collect();
            from.sort();
            from.dedup();
            if from.len() > 1 && self.choices.len() < 2 * EACH && random.below(3) == 0 {
                self.every_move.extend(now.moves.iter().map(|mv| format!("{} {mv}", now.line)));
                self.choices.push(now.clone());
            }
            self.look_at_moves(position, face, &now);
        }
    }

    /// Collects whatever is still wanted from the moves of a turn.
    fn look_at_moves<G: Playable>(&mut self, position: &G, roll: G::Roll, now: &AskedTurn) {
        let side = position.side();
        let (mut wins, mut loses) = (false, true);
        for &mv in position.moves(roll).as_ref() {
            let mut after = position.clone();
            let goes_on = after.play(roll, mv).is_some();
            let line = format!("{} {mv}", now.line);
            let fewer = |side| after.pieces(side).count < position.pieces(side).count;
            if fewer(side) && self.own_captures.len() < EACH {
                self.own_captures.push(line.clone());
            }
            if fewer(!side) && self.captures.len() < EACH {
                self.captures.push(line.clone());
            }
            self.keep_over(&line, &after);
            wins |= after.outcome() == Some(Outcome::Win(side));
            loses &= !goes_on && after.outcome().is_none() && is_won(&after);
        }
        if wins && self.won.is_none() {
            self.won = Some(now.clone());
        }
        if loses && self.lost.is_none() {
            self.lost = Some(now.clone());
        }
    }

    /// Makes the illegal lines, each with a single mistake.
    fn be_wrong(&mut self) {
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

fn rest<G: Game>(line: &str, position: &G) -> Rest {
    let rolls = position.rolls();
    let rolls = rolls
        .as_ref()
        .iter()
        .map(|&Weighted { item, weight }| (item.to_string(), weight, texts(position, item)));
    let line = line.trim_end_matches(" moves").to_owned();
    Rest { line, rolls: rolls.collect(), first: position.side() == Side::First }
}

/// Whether the side that is to roll can win at once, whatever it rolls.
fn is_won<G: Game>(position: &G) -> bool {
    let side = position.side();
    position.rolls().as_ref().iter().all(|&Weighted { item, .. }| {
        position.moves(item).as_ref().iter().any(|&mv| {
            let mut after = position.clone();
            after.play(item, mv);
            after.outcome() == Some(Outcome::Win(side))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::dicechess::DiceChess;
    use wurfel_games::einstein::Einstein;

    #[test]
    fn einstein_has_positions_of_every_kind() {
        let material = Material::of::<Einstein>();
        assert_eq!((material.start.len(), material.second.len()), (6, 6));
        assert!(material.games.iter().all(|game| game.len() > 5));
        for count in [material.choices.len(), material.own_captures.len(), material.captures.len()]
        {
            assert!(count >= EACH, "{count}");
        }
        assert!(material.endings.len() >= 6 * EACH && material.middle.len() == EACH);
        assert!(material.won.is_some() && material.lost.is_some());
        let results: Vec<&str> = material.over.iter().map(|over| over.result).collect();
        assert!(results.contains(&"p1win") && results.contains(&"p2win"), "{results:?}");
        let both =
            |turns: &[AskedTurn]| turns.iter().any(|t| t.first) && turns.iter().any(|t| !t.first);
        assert!(both(&material.endings) && both(&material.choices));
        assert_eq!(material.illegal.len(), 7);
    }

    #[test]
    fn other_games_have_what_they_can() {
        let material = Material::of::<DiceChess>();
        assert_eq!(material.start.len(), 2);
        assert!(!material.captures.is_empty() && material.own_captures.is_empty());
        assert_eq!(material.illegal.len(), 7);
    }
}
