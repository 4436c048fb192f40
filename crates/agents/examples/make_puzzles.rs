//! Makes the puzzles of a game that has a [`PuzzleBook`].
//!
//! ```text
//! cargo run --release -p wurfel-agents --example make_puzzles GAME COUNT SEED > FILE
//! ```
//!
//! Plays games between quick agents, and looks in each for the first position, from a turn on that is
//! drawn at random, in which the best turns are clearly better than all others by the values of two
//! agents: a quick one, which sees whether it is worth the time of the other, and the analyser, whose
//! values are kept. `greedy` must not find a good turn. The same arguments give the same puzzles,
//! however many threads there are.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "what it finds goes to the terminal")]

use std::collections::HashSet;
use std::fmt::Write as _;
use std::thread;

use wurfel_agents::{Catalogued, PuzzleBook, UseGame, build, with_game};
use wurfel_core::{Agent, Assessment, Budget, Game, Random, Turn, draw};

/// Who plays the games.
const PLAYER: &str = "expecti:depth=1";
/// In how many of the first turns the search may begin.
const FIRST_TURNS: u32 = 40;
/// A puzzle must be missed by this agent.
const NAIVE: &str = "greedy";
/// The more of these agents miss a puzzle, the harder it is.
const TESTERS: [&str; 3] = ["expecti:depth=1", "flat:playouts=20,cut=2", "champion:depth=1"];
/// The value of the best turn: a position that is won or lost anyway is not a puzzle.
const OPEN: std::ops::RangeInclusive<f64> = 0.1..=0.97;
/// Maximum number of right turns, and the number of turns for each of them.
const MAX_RIGHT: usize = 6;
const ONE_OF: usize = 5;
/// How many turns there may be: each is sent to whoever solves the puzzle.
const MAX_TURNS: usize = 400;
/// How much better than the others the good turns must look to the quick agent.
const APART_AT_FIRST: f64 = 0.03;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, count, seed] = &arguments[..] else {
        return eprintln!("expected a game, the number of puzzles and a seed");
    };
    let number = |text: &String| text.parse().unwrap_or(1);
    let make = Make { count: number(count), seed: number(seed) };
    if let Err(error) = with_game(game, make) {
        eprintln!("{error}");
    }
}

struct Make {
    count: u64,
    seed: u64,
}

impl UseGame for Make {
    type Output = ();

    fn with<G: Catalogued>(self, rules: &G) {
        let Some(book) = rules.puzzles() else {
            return eprintln!("{} keeps no puzzles", rules.name());
        };
        let jobs = thread::available_parallelism().map_or(1, |jobs| jobs.get() as u64);
        let (mut game, mut made) = (0, 0);
        while made < self.count {
            let games = (game..game + jobs).map(|game| Random::seed_for(self.seed, &[game]));
            let lines_found: Vec<Option<String>> = thread::scope(|scope| {
                let find =
                    |seed| scope.spawn(move || Maker::new(rules, book).find(Random::new(seed)));
                let threads: Vec<_> = games.map(find).collect();
                threads.into_iter().map(|thread| thread.join().expect("agents play")).collect()
            });
            game += jobs;
            for line in lines_found.into_iter().flatten().take((self.count - made) as usize) {
                println!("{line}");
                made += 1;
            }
            eprintln!("{made} puzzles in {game} games");
        }
    }
}

/// A turn with the position to which it leads, and its value for the side that moves.
struct Valued<G: Game> {
    moves: Vec<G::Move>,
    end: G,
    value: f64,
}

type Player<G> = Box<dyn Agent<G>>;

struct Maker<'a, G: Game> {
    rules: &'a G,
    player: Player<G>,
    naive: Player<G>,
    testers: [Player<G>; 3],
    first_look: Player<G>,
    analyser: Player<G>,
}

impl<'a, G: Catalogued> Maker<'a, G> {
    fn new(rules: &'a G, book: PuzzleBook) -> Self {
        let agent = |spec: &str| {
            build(rules, &spec.parse().expect("a spec")).expect("the game has the agent")()
        };
        Self {
            rules,
            player: agent(PLAYER),
            naive: agent(NAIVE),
            testers: TESTERS.map(agent),
            first_look: agent(book.first_look),
            analyser: agent(book.analyser),
        }
    }

    /// Plays a game up to its puzzle, if there is one in it.
    fn find(mut self, mut random: Random) -> Option<String> {
        let mut position = self.rules.setup(&mut random);
        let first = 2 + random.below(FIRST_TURNS);
        self.player.begin(Random::new(random.bits()));
        while position.outcome().is_none() {
            let roll = draw(position.rolls().as_ref(), &mut random);
            let turn = Turn { position: &position, roll };
            if position.ply() >= first
                && let Some(line) = self.puzzle(turn)
            {
                return Some(line);
            }
            position = decided(&mut *self.player, turn);
        }
        None
    }

    /// The line of a turn, if it is a puzzle.
    fn puzzle(&mut self, turn: Turn<'_, G>) -> Option<String> {
        let looks = valued(&mut *self.first_look, turn);
        if looks.len() > MAX_TURNS {
            return None;
        }
        let right = right(&looks, APART_AT_FIRST)?;
        if looks[..right].iter().any(|good| good.end == lines_found(&mut *self.naive, turn)) {
            return None;
        }
        let mut values = valued(&mut *self.analyser, turn);
        let analysed: HashSet<G> = values.iter().map(|valued| valued.end.clone()).collect();
        let best_turns = values.len();
        values.extend(looks.into_iter().filter(|look| !analysed.contains(&look.end)));
        // The best turns must be among those that the analyser has valued, and clearly better than
        // what it left out.
        let best = values[0].value;
        if values[best_turns..].iter().any(|left| left.value > best - PuzzleBook::APART) {
            return None;
        }
        let right = self::right(&values[..best_turns], PuzzleBook::APART)?;
        let missed = |tester: &mut Player<G>| {
            let end = lines_found(&mut **tester, turn);
            !values[..right].iter().any(|good| good.end == end)
        };
        let difficulty = 1 + self.testers.iter_mut().map(missed).filter(|missed| *missed).count();
        let mut line = format!("{difficulty} | {}", turn.situation());
        for Valued { moves, value, .. } in &values[..best_turns] {
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            write!(line, " | {} {value:.4}", moves.join(" ")).expect("a text grows");
        }
        Some(line)
    }
}

/// How many turns are right, when these are few and all others are at least so much worse.
fn right<G: Game>(values: &[Valued<G>], apart: f64) -> Option<usize> {
    let best = values[0].value;
    let right = values.partition_point(|turn| turn.value >= best - PuzzleBook::TOLERANCE);
    let is_clear = values.get(right).is_some_and(|next| next.value <= best - apart);
    let is_rare = right <= MAX_RIGHT && ONE_OF * right <= values.len();
    (OPEN.contains(&best) && is_clear && is_rare).then_some(right)
}

/// The turns that an agent values, the best first.
fn valued<G: Game>(agent: &mut dyn Agent<G>, turn: Turn<'_, G>) -> Vec<Valued<G>> {
    agent.begin(Random::new(0));
    let analysis = agent.analyse(turn, Budget::default());
    let mut values: Vec<Valued<G>> = if analysis.turns.is_empty() {
        let moves = analysis.moves.into_iter();
        let move_of = |scored: Assessment<G::Move>| {
            (vec![scored.mv], scored.value.expect("analysers value moves"))
        };
        moves.map(move_of).map(|(moves, value)| after(turn, moves, value)).collect()
    } else {
        let depth = analysis.turns[0].depth;
        let deepest = analysis.turns.into_iter().filter(|scored| scored.depth == depth);
        deepest.map(|scored| after(turn, scored.moves, scored.value)).collect()
    };
    values.sort_by(|one, other| other.value.total_cmp(&one.value));
    values
}

fn after<G: Game>(turn: Turn<'_, G>, moves: Vec<G::Move>, value: f32) -> Valued<G> {
    let (mut end, mut rest) = (turn.position.clone(), Some(turn.roll));
    for &mv in &moves {
        rest = end.play(rest.expect("a turn is not over before its moves are"), mv);
    }
    Valued { moves, end, value: f64::from(value) }
}

/// The position after the turn that an agent plays first of all.
fn lines_found<G: Game>(agent: &mut dyn Agent<G>, turn: Turn<'_, G>) -> G {
    agent.begin(Random::new(0));
    decided(agent, turn)
}

/// The position after the turn that an agent plays.
fn decided<G: Game>(agent: &mut dyn Agent<G>, turn: Turn<'_, G>) -> G {
    let (mut position, mut rest) = (turn.position.clone(), Some(turn.roll));
    while let Some(roll) = rest {
        let decision = agent.decide(Turn { position: &position, roll }, Budget::default());
        rest = position.play(roll, decision.mv);
    }
    position
}
