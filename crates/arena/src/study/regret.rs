//! Regret: how much win probability an agent's decisions lose against perfect
//! play, where perfect play is known.
//!
//! This is the sharpest measure of strength, because no dice fall between a decision and its value.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wurfel_core::{Assessment, Budget, Endgame, Even, Failure, Game, Random, Turn, draw};
use wurfel_games::Playable;
use wurfel_statistics::{Interval, student_quantile, unseen_upper_bound};
use wurfel_tablebase::Tables;

use crate::play::ordered::run_in_order;
use wurfel_agents::{Catalogued, ExactSearch, Factory};

/// The source of the positions in which an agent decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionSource {
    /// Pieces scattered at random.
    Scattered,
    /// The first position with the given number of pieces in a game of random moves.
    Played,
}

/// The conditions under which regret is measured.
#[derive(Clone, Copy, Debug)]
pub struct RegretSettings<'a> {
    /// Pieces on the board.
    pub pieces: u32,
    /// How many decisions are measured. Positions with a single legal move are left out.
    pub decisions: u64,
    /// Where positions come from.
    pub source: PositionSource,
    /// The seed of positions, rolls and agents.
    pub seed: u64,
    /// The budget of the agent for a decision, unless its spec has bounds.
    pub budget: Budget<'a>,
}

/// The number of worst decisions that are stored.
const WORST: usize = 5;
/// A move that loses less than this is as good as the best one. The difference comes from rounding:
/// by the exact search or, three steps of 1/65,535, in tables.
const EQUAL: f64 = 1e-6;
const EQUAL_IN_TABLES: f64 = 3.0 / 65_535.0;
/// The memory of the exact search, in megabytes.
const MEGABYTES: usize = 64;

/// A decision with the win probability that it lost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loss {
    /// The position with its roll.
    pub situation: String,
    /// The move that was made.
    pub made: String,
    /// The best move.
    pub best: String,
    /// The win probability lost.
    pub lost: f64,
}

/// The losses of many decisions, taken together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Regret {
    /// How many decisions there were.
    pub decisions: u64,
    /// How many of them lost nothing.
    pub optimal: u64,
    sum: f64,
    squares: f64,
    /// The worst decisions, the worst first.
    pub worst: Vec<Loss>,
}

impl Regret {
    /// Adds a decision.
    pub fn add(&mut self, loss: Loss) {
        self.decisions += 1;
        self.optimal += u64::from(loss.lost <= 0.0);
        self.sum += loss.lost;
        self.squares += loss.lost * loss.lost;
        if loss.lost > 0.0 {
            let place = self.worst.partition_point(|other| other.lost >= loss.lost);
            self.worst.insert(place, loss);
            self.worst.truncate(WORST);
        }
    }

    /// The mean win probability lost by a decision.
    pub fn mean(&self) -> f64 {
        self.sum / self.decisions.max(1) as f64
    }

    /// The 95 % interval of the mean of losses against perfect play, none of which is negative.
    ///
    /// Most decisions lose nothing and a few lose much, so that mean ± 1.96 standard errors covers the
    /// truth too seldom (in 71 to 81 % of samples of 100 decisions with five mistakes). This is
    /// Wilson's score interval for a share, with the typical loss of a mistake, `squares / sum`, in
    /// place of 1 and Student's quantile for the number of mistakes. Without a mistake it is Clopper
    /// and Pearson's for losses of 1.
    pub fn interval(&self) -> Interval {
        let (count, mean) = (self.decisions.max(1) as f64, self.mean());
        let mistakes = self.decisions - self.optimal;
        if mistakes == 0 {
            return Interval { low: 0.0, high: unseen_upper_bound(count) };
        }
        let typical = self.squares / self.sum;
        let z2 = student_quantile(mistakes as f64 - 1.0).powi(2) / count;
        let centre = (mean + z2 * typical / 2.0) / (1.0 + z2);
        let half =
            (z2 * (mean * (typical - mean) + z2 * typical.powi(2) / 4.0)).sqrt() / (1.0 + z2);
        Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }

    /// The 95 % interval of the mean of losses that may be negative, as those of an error rate are:
    /// Student's. Losses that are all alike do not show how much losses vary. Clopper and Pearson's
    /// interval then says how large a share of decisions may lose anything else, from −1 to 1.
    pub fn signed_interval(&self) -> Interval {
        let (count, mean) = (self.decisions.max(1) as f64, self.mean());
        let variance = (self.squares - self.sum * mean).max(0.0) / (count - 1.0).max(1.0);
        if variance < 1e-18 {
            let other = unseen_upper_bound(count);
            let [low, high] = [-1.0, 1.0].map(|loss| mean + other * (loss - mean));
            return Interval { low, high };
        }
        let half = student_quantile(count - 1.0) * (variance / count).sqrt();
        Interval { low: mean - half, high: mean + half }
    }
}

/// The exact values of moves, from tables or by searches to the end of the game.
struct Oracle<G: Game> {
    search: Box<dyn ExactSearch<G>>,
    equal: f64,
}

impl<G: Catalogued> Oracle<G> {
    fn new(tables: Arc<Tables<G>>) -> Self {
        let equal = if tables.tables().is_empty() { EQUAL } else { EQUAL_IN_TABLES };
        Self { search: G::exact_search(tables, Arc::new(Even), MEGABYTES, 1), equal }
    }

    /// What a move loses against the best one.
    fn loss(&mut self, turn: Turn<'_, G>, made: G::Move) -> Loss {
        // Entries left in the search's table would change the rounding.
        self.search.clear();
        let solved = self.search.solve_turn(turn, Budget::default());
        let moves = solved.expect("a search without bounds solves every move").moves;
        let value = |of: &Assessment<G::Move>| f64::from(of.value.unwrap_or_default());
        let own = moves.iter().find(|of| of.mv == made).map_or(0.0, value);
        let best =
            if value(&moves[0]) > own { (moves[0].mv, value(&moves[0])) } else { (made, own) };
        let situation = turn.situation();
        Loss {
            situation: situation.to_string(),
            made: made.to_string(),
            best: best.0.to_string(),
            lost: if best.1 - own > self.equal { best.1 - own } else { 0.0 },
        }
    }
}

/// How many attempts are made to find a position.
const ATTEMPTS: u32 = 100_000;

impl PositionSource {
    /// A position by these rules before the end with this number of pieces; `None` when none was found in
    /// many attempts.
    pub fn draw<G: Playable + Endgame>(
        self,
        rules: &G,
        pieces: u32,
        random: &mut Random,
    ) -> Option<G> {
        (0..ATTEMPTS).find_map(|_| match self {
            Self::Scattered => rules.scattered(pieces, random),
            Self::Played => first_with_pieces(rules, pieces, random),
        })
    }
}

impl RegretSettings<'_> {
    /// A position with the wanted number of pieces and a roll that leaves a choice.
    fn position<G: Playable + Endgame>(&self, rules: &G, random: &mut Random) -> (G, G::Roll) {
        loop {
            if let Some(position) = self.source.draw(rules, self.pieces, random) {
                let roll = draw(position.rolls().as_ref(), random);
                if position.moves(roll).as_ref().len() > 1 {
                    return (position, roll);
                }
            }
        }
    }

    /// Measures the agent's decisions by these rules on `jobs` threads. The result depends on the seed
    /// alone unless the agent is bounded by time. `progress` is called with the number of decisions made;
    /// if it returns false, the work ends. Perfect play is looked up in `tables` as far as they go.
    ///
    /// # Errors
    /// When the agent has failed, because the decision was then not its own.
    pub fn measure<G: Catalogued>(
        self,
        rules: &G,
        factory: &Factory<G>,
        tables: &Arc<Tables<G>>,
        jobs: usize,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Regret, Failure> {
        let mut regret = Regret::default();
        self.losses(rules, 0..self.decisions, factory, tables, jobs, |number, loss| {
            regret.add(loss);
            progress(number + 1)
        })?;
        Ok(regret)
    }

    /// Measures some of the agent's decisions, as [`RegretSettings::measure`] does, and passes
    /// the loss of each to `see`, in order; if `see` returns false, the work ends.
    ///
    /// # Errors
    /// When the agent has failed, because the decision was then not its own.
    pub fn losses<G: Catalogued>(
        self,
        rules: &G,
        decisions: Range<u64>,
        factory: &Factory<G>,
        tables: &Arc<Tables<G>>,
        jobs: usize,
        mut see: impl FnMut(u64, Loss) -> bool,
    ) -> Result<(), Failure> {
        let mut failed = None;
        run_in_order(
            decisions,
            jobs,
            || (factory(), Oracle::new(Arc::clone(tables))),
            |(agent, oracle), number| {
                let mut random = Random::new(Random::seed_for(self.seed, &[number]));
                let (position, roll) = self.position(rules, &mut random);
                let turn = Turn { position: &position, roll };
                agent.begin(random);
                let decision = agent.decide(turn, self.budget);
                let failure = agent.failure();
                // The game ends here for the agent, so that it does not think on in the time of
                // an opponent who never answers.
                agent.end();
                Some(match failure {
                    Some(failure) => Err(failure),
                    None => Ok(oracle.loss(turn, decision.mv)),
                })
            },
            |number, loss| match loss {
                Ok(loss) => see(number, loss),
                Err(failure) => {
                    failed = Some(failure);
                    false
                }
            },
        );
        failed.map_or(Ok(()), Err)
    }
}

/// The first position with at most this many pieces in a game of random moves, if it has exactly
/// this many.
fn first_with_pieces<G: Playable + Endgame>(
    rules: &G,
    pieces: u32,
    random: &mut Random,
) -> Option<G> {
    let count = |position: &G| {
        let sides = wurfel_core::Side::BOTH;
        sides.into_iter().map(|side| position.pieces(side).count).sum::<u32>()
    };
    let mut position = rules.setup(random);
    while position.outcome().is_none() && count(&position) > pieces {
        let mut rest = Some(draw(position.rolls().as_ref(), random));
        while let Some(roll) = rest {
            let mv = position.pick(roll, random)?;
            rest = position.play(roll, mv);
        }
    }
    (position.outcome().is_none() && count(&position) == pieces).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::{Agent, Decision, Situation};
    use wurfel_games::einstein::{Einstein, Move};

    const SETTINGS: RegretSettings = RegretSettings {
        pieces: 4,
        decisions: 80,
        source: PositionSource::Scattered,
        seed: 1,
        budget: Budget {
            depth: None,
            nodes: None,
            time: None,
            deadline: None,
            clocks: None,
            stop: None,
        },
    };

    fn regret(agent: &str, settings: RegretSettings, jobs: usize) -> Regret {
        let factory = wurfel_agents::build(&Einstein::default(), &agent.parse().unwrap()).unwrap();
        settings.measure(&Einstein::default(), &factory, &Arc::default(), jobs, |_| true).unwrap()
    }

    #[test]
    fn perfect_play_loses_nothing_and_worse_players_more() {
        for source in [PositionSource::Scattered, PositionSource::Played] {
            let settings = RegretSettings { source, ..SETTINGS };
            let [perfect, shallow, random] =
                ["star2:depth=64", "expecti:depth=1", "random"].map(|a| regret(a, settings, 2));
            assert_eq!((perfect.decisions, perfect.optimal), (80, 80));
            assert!(perfect.mean() < 1e-6 && perfect.worst.is_empty());
            assert!(shallow.mean() > 0.001 && random.mean() > 2.0 * shallow.mean());
            assert!(random.interval().low > shallow.mean());
            let losses: Vec<f64> = random.worst.iter().map(|loss| loss.lost).collect();
            assert!(losses.len() == WORST && losses.is_sorted_by(|a, b| a >= b), "{losses:?}");
        }
    }

    #[test]
    fn intervals_cover_the_truth_in_95_per_cent() {
        // Mistakes are rare, and the loss of one is distributed exponentially.
        const LOSS: f64 = 0.03;
        let mut random = Random::new(3);
        for (decisions, mistakes) in [(50, 0.05), (100, 0.05), (100, 0.15), (1000, 0.1), (200, 0.9)]
        {
            let (mut covered, mut covered_by_student) = (0, 0);
            for _ in 0..1000 {
                let mut regret = Regret::default();
                for _ in 0..decisions {
                    let erred = random.unit() < mistakes;
                    let lost = if erred { -LOSS * (1.0 - random.unit()).ln() } else { 0.0 };
                    let (situation, made, best) = Default::default();
                    regret.add(Loss { situation, made, best, lost });
                }
                let truth = mistakes * LOSS;
                let holds = |Interval { low, high }| low <= truth && truth <= high;
                covered += u32::from(holds(regret.interval()));
                covered_by_student += u32::from(holds(regret.signed_interval()));
            }
            assert!((930..=990).contains(&covered), "{decisions}, {mistakes}: {covered}");
            // Student's interval misses it too often where mistakes are few.
            let few = mistakes * f64::from(decisions) < 10.0;
            assert_eq!(
                few,
                covered_by_student < 850,
                "{decisions}, {mistakes}: {covered_by_student}"
            );
        }
    }

    #[test]
    fn without_a_mistake_the_interval_is_that_of_an_unseen_event() {
        let mut regret = Regret::default();
        for _ in 0..100 {
            let (situation, made, best) = Default::default();
            regret.add(Loss { situation, made, best, lost: 0.0 });
        }
        let Interval { low, high } = regret.interval();
        // Clopper and Pearson for 0 of 100: 0 to 3.62 %.
        assert!(low == 0.0 && (high - 0.0362).abs() < 1e-4, "{high}");
    }

    /// One turn of an agent once claimed to know its error rate, with an interval without width.
    #[test]
    fn losses_that_are_all_alike_leave_an_interval() {
        let mut regret = Regret::default();
        for (decisions, share) in [(1, 0.975), (100, 0.0362)] {
            while regret.decisions < decisions {
                let (situation, made, best) = Default::default();
                regret.add(Loss { situation, made, best, lost: 0.25 });
            }
            let Interval { low, high } = regret.signed_interval();
            assert!((low - (0.25 - 1.25 * share)).abs() < 1e-4, "{low}");
            assert!((high - (0.25 + 0.75 * share)).abs() < 1e-4, "{high}");
        }
    }

    #[test]
    fn tables_and_searches_find_the_same_losses() {
        let folder = tempfile::tempdir().unwrap();
        let build = wurfel_tablebase::Build { pieces: 3, threads: 1, memory: 1 << 30 };
        let tables = Tables::ready("einstein", folder.path(), build).unwrap();
        let factory =
            wurfel_agents::build(&Einstein::default(), &"random".parse().unwrap()).unwrap();
        let searched =
            SETTINGS.measure(&Einstein::default(), &factory, &Arc::default(), 1, |_| true).unwrap();
        // With four pieces on the board, the tables answer after the first captures.
        let read = SETTINGS
            .measure(&Einstein::default(), &factory, &Arc::new(tables), 2, |_| true)
            .unwrap();
        assert!((searched.mean() - read.mean()).abs() < 1e-5);
        assert_eq!(searched.optimal, read.optimal);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        assert_eq!(regret("random", SETTINGS, 1), regret("random", SETTINGS, 2));
    }

    /// Makes the last legal move.
    struct Last;

    impl Agent<Einstein> for Last {
        fn begin(&mut self, _: Random) {}

        fn decide(&mut self, turn: Turn<'_, Einstein>, _: Budget<'_>) -> Decision<Move> {
            let moves = turn.moves();
            Decision {
                mv: moves.as_ref()[moves.as_ref().len() - 1],
                value: None,
                exact: false,
                nodes: 0,
                depth: 0,
            }
        }
    }

    #[test]
    fn a_loss_is_the_difference_of_exact_values() {
        // Red wins at once with d2e1. After either other step blue wins, because its only cube
        // stands one step before its goal and any roll moves it.
        let situation: Situation<Einstein> = "5/1a3/5/3A1/5 r 1 1".parse().unwrap();
        let turn = Turn { position: &situation.position, roll: situation.roll.unwrap() };
        let made = turn.moves().as_ref()[0];
        let mut oracle = Oracle::new(Arc::default());
        let loss = oracle.loss(turn, made);
        assert_eq!(loss.best, "d2e1");
        assert!((loss.lost - 1.0).abs() < 1e-9);
        let last = Last.decide(turn, Budget::default()).mv;
        assert!(oracle.loss(turn, last).lost.abs() < 1e-9);
    }
}
