//! The reviewer: how an analyser evaluates the positions of games, and which moves it searches again.
//!
//! The error of a search that looks a few turns ahead is often larger than the loss that earns a
//! mark. Before a move is marked, it and the moves that seemed better are therefore searched again,
//! one turn deeper: each position after them is evaluated for every roll. Only moves with the
//! same search are compared. Exact values need no second search.
//!
//! The ending of a game is solved before the analyser sees it, from the last position backwards.
//! Each position is then mostly known from those after it, and where one cannot be solved, those
//! before it need not be tried. A game's ending is one piece of work, so that its values do not
//! depend on what the threads did before.

use std::sync::OnceLock;
use std::time::Duration;

use serde::Serialize;
use wurfel_agents::Factory;
use wurfel_core::{
    Agent, Analysis, Assessment, Budget, BySide, Game, Instant, Random, Side, Situation,
    Transcript, Turn, Weighted, sort_by_score,
};
use wurfel_games::Playable;

use crate::play::ordered::run_in_order;
use crate::records::recorded_game::RecordedGame;
use crate::study::marks::Mark;
use crate::study::review::{Review, ReviewedDecision, Totals, worth};

/// Moves with their values, the best first.
type Moves<G> = Vec<Assessment<<G as Game>::Move>>;

/// The error when the analyser does not give every move a value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "position '{position}': the analyser gives no value to {mv}, expected an agent that scores every move"
)]
pub struct MissingValue {
    position: String,
    mv: String,
}

/// Reviews games with an analyser.
///
/// ```
/// use wurfel_agents::build;
/// use wurfel_arena::{Reviewer, read_games};
/// use wurfel_core::{Budget, Side};
/// use wurfel_games::einstein::Einstein;
///
/// let rules = Einstein::default();
/// let games = read_games(&rules, "@4 a4b4 @1 e1e2 @3 c5d4 *")?;
/// let analyser = build(&rules, &"expecti:depth=1".parse()?)?;
/// let reviewer = Reviewer { analyser, solver: None, budget: Budget::default(), again: None };
/// let mut reviews = vec![];
/// reviewer.run(&games, 1, |_| {}, |_, review| {
///     reviews.push(review);
///     true
/// })?;
/// let red = &reviews[0].totals[Side::First];
/// assert_eq!(red.unforced, 2);
/// assert!(red.lost >= 0.0); // the win probability that its two moves lost
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reviewer<'a, G: Game> {
    /// Makes the agent whose values decide what a move has lost.
    pub analyser: Factory<G>,
    /// Makes an agent with the exact values of endings, such as
    /// [`solver`](wurfel_agents::solver()), which are used instead; `None` leaves endings to the
    /// analyser.
    pub solver: Option<Factory<G>>,
    /// What the analyser may spend on a position, divided among its rolls.
    pub budget: Budget<'a>,
    /// The time for all second searches of a game together. They begin with the worst move, and
    /// those for which no time is left are not made. Without it each of their positions has
    /// `budget`.
    pub again: Option<Duration>,
}

/// How far the review of a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ReviewProgress {
    /// The number of the game, from 0.
    pub game: usize,
    /// Whether marked moves are searched again; before that all positions are evaluated.
    pub again: bool,
    /// How many of the positions, or of the marked moves, are done.
    pub done: usize,
    /// How many there are.
    pub all: usize,
}

/// The agents of one worker.
struct Agents<G: Game> {
    analyser: Box<dyn Agent<G>>,
    solver: Option<Box<dyn Agent<G>>>,
}

/// The values of a position, for the side to move.
#[derive(Clone)]
struct Evaluated<G: Game> {
    /// The value before the roll, where a roll is due.
    before: Option<f64>,
    /// The value after the best move for the roll that fell, by the same search.
    rolled: f64,
    /// The moves for the roll that fell; empty at the end of the game.
    moves: Moves<G>,
    /// How many of them, at the beginning, were searched again.
    again: usize,
    /// How many turns their first search looked ahead.
    depth: u32,
}

impl<G: Game> Evaluated<G> {
    fn place(&self, mv: G::Move) -> Option<usize> {
        self.moves.iter().position(|scored| scored.mv == mv)
    }

    /// The loss of the move that was made, by the first search, if that earns a mark and is not
    /// exact.
    fn doubt(&self, made: G::Move) -> Option<f64> {
        let lost = worth(&self.moves[0]) - worth(&self.moves[self.place(made)?]);
        let certain = self.moves.iter().all(|scored| scored.exact);
        (Mark::of(lost).is_some() && !certain).then_some(lost)
    }

    /// The number of moves that are searched again beside the one that was made.
    fn rivals(&self, made: G::Move) -> usize {
        self.place(made).map_or(0, |place| place.min(RIVALS))
    }
}

impl<G: Game> Evaluated<G> {
    /// The values of a position in which the game is over.
    const OVER: Self = Self { before: None, rolled: 0.0, moves: vec![], again: 0, depth: 0 };
}

/// A piece of a review's work.
#[derive(Clone, Copy)]
enum Step {
    /// The ending of the game with this number is solved.
    Solve(usize),
    /// The position with this number, which belongs to the game with that number, is evaluated.
    Evaluate(usize, usize),
}

/// A position of a game with its roll.
struct Stop<G: Game> {
    position: G,
    rolled: bool,
    /// The roll, or the dice that are left of it; after the last decision only dice that are left.
    roll: Option<G::Roll>,
    mv: Option<G::Move>,
}

/// The maximum number of moves that are searched again besides the one that was made.
const RIVALS: usize = 4;

/// How many positions the solver may visit for a position with as many pieces as can be solved, and for
/// the moves from there, and for a position after a move that is searched again. Many of these are too
/// hard: with 100,000, 13 instead of 8 of 33 decisions with six cubes were solved, and reviews of these 20
/// games took twice as long. Positions with fewer pieces have the solver's own bound, which hardly any
/// needs.
const MAX_NODES: u64 = 30_000;

impl<G: Playable> Reviewer<'_, G> {
    /// Reviews games on `jobs` threads. The result does not depend on `jobs` unless the analyser is
    /// bounded by time. `see` gets the number of each game and its review in order; if it returns
    /// false, or `budget.stop` turns true, the work ends after whole games. `progress` gets each
    /// position and each second search, in order.
    ///
    /// # Errors
    /// When the analyser does not evaluate every move.
    pub fn run(
        &self,
        games: &[RecordedGame<G>],
        jobs: usize,
        mut progress: impl FnMut(ReviewProgress),
        mut see: impl FnMut(usize, Review<G>) -> bool,
    ) -> Result<(), MissingValue> {
        let stops: Vec<Vec<Stop<G>>> =
            games.iter().map(|recorded_game| stops(&recorded_game.game)).collect();
        let endings: Vec<OnceLock<Vec<Evaluated<G>>>> =
            games.iter().map(|_| OnceLock::new()).collect();
        let steps = steps(&stops, jobs);
        let mut scored: Vec<Evaluated<G>> = vec![];
        let mut silent = None;
        run_in_order(
            0..steps.len() as u64,
            jobs,
            || self.agents(),
            |agents, number| {
                let (Step::Solve(game) | Step::Evaluate(game, _)) = steps[number as usize];
                let ending = endings[game].get_or_init(|| self.ending(agents, &stops[game]));
                let evaluated = match steps[number as usize] {
                    Step::Solve(_) => None,
                    Step::Evaluate(_, place) => {
                        let unsolved = stops[game].len() - ending.len();
                        Some(match place.checked_sub(unsolved) {
                            Some(place) => Ok(ending[place].clone()),
                            None => self.evaluate(agents, &stops[game][place]),
                        })
                    }
                };
                (!self.budget.stopped()).then_some(evaluated)
            },
            |number, evaluated| {
                let (Step::Evaluate(game, _), Some(evaluated)) =
                    (steps[number as usize], evaluated)
                else {
                    return true;
                };
                let add = || -> Result<bool, MissingValue> {
                    scored.push(evaluated?);
                    let (done, all) = (scored.len(), stops[game].len());
                    progress(ReviewProgress { game, again: false, done, all });
                    if done < all {
                        return Ok(true);
                    }
                    if let Some(time) = self.again {
                        let again = |done, all| {
                            progress(ReviewProgress { game, again: true, done, all });
                        };
                        self.look_at_the_worst(time, &stops[game], &mut scored, again)?;
                    }
                    Ok(see(game, review(&games[game].game, scored.drain(..))))
                };
                add().unwrap_or_else(|error| {
                    silent = Some(error);
                    false
                })
            },
        );
        silent.map_or(Ok(()), Err)
    }

    /// The agents of one worker.
    fn agents(&self) -> Agents<G> {
        Agents { analyser: (self.analyser)(), solver: self.solver.as_ref().map(|solver| solver()) }
    }

    /// The values of the last positions of a game: as many as can be solved, in the order of the game.
    fn ending(&self, agents: &mut Agents<G>, stops: &[Stop<G>]) -> Vec<Evaluated<G>> {
        let Some(solver) = &mut agents.solver else { return vec![] };
        solver.begin(Random::new(0));
        let solved = stops.iter().rev().map_while(|stop| self.solve(&mut **solver, stop));
        let mut ending: Vec<Evaluated<G>> = solved.collect();
        ending.reverse();
        ending
    }

    /// The exact values of a position, if the solver finds them.
    fn solve(&self, solver: &mut dyn Agent<G>, stop: &Stop<G>) -> Option<Evaluated<G>> {
        let Stop { position, rolled, roll, .. } = stop;
        if position.outcome().is_some() {
            return Some(Evaluated::OVER);
        }
        let pieces: u32 = Side::BOTH.map(|side| position.pieces(side).count).iter().sum();
        let nodes = (pieces >= G::MAX_SOLVED).then_some(MAX_NODES);
        let budget = Budget { nodes, stop: self.budget.stop, ..Budget::default() };
        let before =
            if *rolled { Some(f64::from(solver.at_rest(position, budget)?)) } else { None };
        let Some(roll) = *roll else { return Some(Evaluated { before, ..Evaluated::OVER }) };
        let (moves, depth) = analyse(solver, Turn { position, roll }, budget).ok()?;
        Some(Evaluated { before, rolled: worth(&moves[0]), moves, again: 0, depth })
    }

    /// Evaluates a position independently of all others.
    fn evaluate(
        &self,
        agents: &mut Agents<G>,
        stop: &Stop<G>,
    ) -> Result<Evaluated<G>, MissingValue> {
        let Stop { position, rolled, roll, mv } = stop;
        agents.begin();
        if position.outcome().is_some() {
            return Ok(Evaluated::OVER);
        }
        let analyser = &mut *agents.analyser;
        let (before, (moves, depth)) = match (rolled, *roll) {
            (false, Some(roll)) => (None, analyse(analyser, Turn { position, roll }, self.budget)?),
            _ => {
                let (before, evaluated) = Self::all_rolls(analyser, position, *roll, self.budget)?;
                (Some(before), evaluated)
            }
        };
        let rolled = moves.first().map_or(0.0, worth);
        let mut evaluated = Evaluated { before, rolled, moves, again: 0, depth };
        if let (Some(roll), Some(mv), None) = (*roll, *mv, self.again)
            && evaluated.doubt(mv).is_some()
        {
            self.look_again(agents, Turn { position, roll }, mv, &mut evaluated, self.budget)?;
        }
        Ok(evaluated)
    }

    /// Searches the marked moves of a game again, the worst first, until the time is over.
    fn look_at_the_worst(
        &self,
        time: Duration,
        stops: &[Stop<G>],
        scored: &mut [Evaluated<G>],
        mut progress: impl FnMut(usize, usize),
    ) -> Result<(), MissingValue> {
        let marked = stops.iter().enumerate().filter_map(|(place, stop)| {
            let lost = scored[place].doubt(stop.mv?)?;
            Some((lost, place, Turn { position: &stop.position, roll: stop.roll? }, stop.mv?))
        });
        let mut marked: Vec<_> = marked.collect();
        sort_by_score(&mut marked, |&(lost, ..)| lost);
        if marked.is_empty() {
            return Ok(());
        }
        let (began, mut agents) = (Instant::now(), self.agents());
        let all = marked.len();
        for (done, (_, place, turn, mv)) in marked.into_iter().enumerate() {
            let left = time.saturating_sub(began.elapsed());
            if left.is_zero() || self.budget.stopped() {
                break;
            }
            progress(done, all);
            let waiting = (all - done) as u32;
            let moves = scored[place].rivals(mv) as u32 + 1;
            let budget = Budget { time: Some(left / waiting / moves), ..self.budget };
            agents.begin();
            self.look_again(&mut agents, turn, mv, &mut scored[place], budget)?;
        }
        Ok(())
    }

    /// The value of a position before its roll for the side to move, and the moves for the
    /// roll that fell.
    fn all_rolls(
        analyser: &mut dyn Agent<G>,
        position: &G,
        fell: Option<G::Roll>,
        budget: Budget<'_>,
    ) -> Result<(f64, (Moves<G>, u32)), MissingValue> {
        let rolls = position.rolls();
        let budget = budget.split(rolls.as_ref().len() as u32);
        let (mut sum, mut chances, mut evaluated) = (0.0, 0.0, (vec![], 0));
        for &Weighted { item, weight } in rolls.as_ref() {
            let turn = Turn { position, roll: item };
            let scored = analyse(analyser, turn, budget)?;
            sum += f64::from(weight) * worth(&scored.0[0]);
            chances += f64::from(weight);
            // One face stands for all faces that allow the same moves.
            let same = |&roll: &G::Roll| position.moves(roll).as_ref() == turn.moves().as_ref();
            if fell.as_ref().is_some_and(same) {
                evaluated = scored;
            }
        }
        Ok((sum / chances, evaluated))
    }

    /// Searches again a move that would be marked and the moves that seem better, but those whose
    /// values are exact. `budget` is for one of these moves. Nothing changes if the work is stopped
    /// meanwhile.
    fn look_again(
        &self,
        agents: &mut Agents<G>,
        turn: Turn<'_, G>,
        made: G::Move,
        evaluated: &mut Evaluated<G>,
        budget: Budget<'_>,
    ) -> Result<(), MissingValue> {
        let Some(place) = evaluated.place(made) else { return Ok(()) };
        let rivals = evaluated.rivals(made);
        let mut moves = evaluated.moves.clone();
        moves[rivals..=place].rotate_right(1);
        let again = &mut moves[..=rivals];
        for scored in again.iter_mut().filter(|scored| !scored.exact) {
            scored.value = Some(Self::deeper(agents, turn, scored.mv, budget)? as f32);
        }
        sort_by_score(again, worth);
        if !self.budget.stopped() {
            (evaluated.moves, evaluated.again) = (moves, rivals + 1);
        }
        Ok(())
    }

    /// The value after a move for the side that **decides**, solved or evaluated in the position where
    /// the turn ends. If the turn goes on after the move, half of the budget is for its other moves.
    fn deeper(
        agents: &mut Agents<G>,
        turn: Turn<'_, G>,
        mv: G::Move,
        budget: Budget<'_>,
    ) -> Result<f64, MissingValue> {
        let mut position = turn.position.clone();
        let mut rest = position.play(turn.roll, mv);
        let part = if rest.is_some() { budget.split(2) } else { budget };
        while let Some(roll) = rest {
            let turn = Turn { position: &position, roll };
            let (moves, _) = analyse(&mut *agents.analyser, turn, part.split(2))?;
            rest = position.play(roll, moves[0].mv);
        }
        if let Some(outcome) = position.outcome() {
            return Ok(f64::from(outcome.value_for(turn.side())));
        }
        let known = Budget { nodes: Some(MAX_NODES), stop: budget.stop, ..Budget::default() };
        let solver = agents.solver.as_mut();
        let value = match solver.and_then(|solver| solver.at_rest(&position, known)) {
            Some(value) => f64::from(value),
            None => Self::all_rolls(&mut *agents.analyser, &position, None, part)?.0,
        };
        Ok(1.0 - value)
    }
}

impl<G: Game> Agents<G> {
    /// Lets both forget what they know.
    fn begin(&mut self) {
        self.analyser.begin(Random::new(0));
        if let Some(solver) = &mut self.solver {
            solver.begin(Random::new(0));
        }
    }
}

/// All work in the order in which it is begun. Each ending is begun while `ahead` games before it are
/// evaluated, so that the threads that evaluate its game need not wait for it.
fn steps<G: Game>(games: &[Vec<Stop<G>>], ahead: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = (0..ahead.min(games.len())).map(Step::Solve).collect();
    for (game, stops) in games.iter().enumerate() {
        let next = Some(game + ahead).filter(|&next| next < games.len());
        steps.extend(next.map(Step::Solve));
        steps.extend((0..stops.len()).map(|place| Step::Evaluate(game, place)));
    }
    steps
}

/// Every position of a game with its roll, and the final position.
fn stops<G: Game>(game: &Transcript<G>) -> Vec<Stop<G>> {
    let mut stops = vec![];
    game.replay(|step| {
        let Turn { position, roll } = step.turn;
        let (position, rolled) = (position.clone(), step.rolled);
        stops.push(Stop { position, rolled, roll: Some(roll), mv: Some(step.mv) });
    });
    let (position, roll) = (game.now().clone(), game.rest());
    stops.push(Stop { position, rolled: roll.is_none(), roll, mv: None });
    stops
}

/// The moves of a turn, the best first, and how many turns the search looked ahead.
fn analyse<G: Game>(
    analyser: &mut dyn Agent<G>,
    turn: Turn<'_, G>,
    budget: Budget<'_>,
) -> Result<(Moves<G>, u32), MissingValue> {
    let Analysis { mut moves, depth, .. } = analyser.analyse(turn, budget);
    // A tree search lists the most visited move first, which need not have the highest value.
    sort_by_score(&mut moves, worth);
    match moves.iter().find(|scored| scored.value.is_none()) {
        None => Ok((moves, depth)),
        Some(scored) => {
            let situation = turn.situation();
            Err(MissingValue { position: situation.to_string(), mv: scored.mv.to_string() })
        }
    }
}

/// Makes the review of a game from the values of its positions.
fn review<G: Playable>(
    game: &Transcript<G>,
    scored: impl Iterator<Item = Evaluated<G>>,
) -> Review<G> {
    let scored: Vec<Evaluated<G>> = scored.collect();
    // The value of each position for the first side.
    let value = |position: &G, evaluated: &Evaluated<G>| match position.outcome() {
        Some(outcome) => f64::from(outcome.value_for(Side::First)),
        None => for_side(position.side(), evaluated.before.unwrap_or(evaluated.rolled)),
    };
    let (mut decisions, mut totals) = (vec![], BySide::<Totals>::default());
    let mut place = 0;
    game.replay(|step| {
        let Turn { position, roll } = step.turn;
        let mut next = position.clone();
        let _ = next.play(roll, step.mv);
        let after = for_side(position.side(), value(&next, &scored[place + 1]));
        let Evaluated { before, rolled, moves, again, depth } = &scored[place];
        let situation = Situation { position: position.clone(), roll: Some(roll) };
        let (before, rolled, moves) = (*before, *rolled, moves.clone());
        let (again, depth, mv) = (*again, *depth, step.mv);
        let decided =
            ReviewedDecision { situation, mv, before, rolled, moves, again, depth, after };
        totals[position.side()].add(&decided);
        decisions.push(decided);
        place += 1;
    });
    let initial = value(game.start(), &scored[0]);
    let last = value(game.now(), &scored[place]);
    Review { decisions, initial, last, totals }
}

/// Converts a value for the first side into one for `side`, or the other way round.
fn for_side(side: Side, value: f64) -> f64 {
    match side {
        Side::First => value,
        Side::Second => 1.0 - value,
    }
}
