//! Set-ups that agents choose themselves.
//!
//! A side arranges its pieces without seeing the other side's arrangement. An agent therefore
//! compares its set-ups against opponents whose set-ups are drawn at random, and evaluates each
//! start by its own search. There are too many pairs of set-ups to search them all as deeply as a
//! move, so the choice proceeds by halving: every set-up meets one opponent, the better half meets
//! more of them, and so on until one set-up is left (sequential halving: Z. Karnin, T. Koren, O.
//! Somekh, 2013). All set-ups of a round meet the same opponents. The price is that the choice is
//! good, but not certainly the best.
//!
//! An agent chooses once for each side, before a match, like programs that come to a championship
//! with a set-up of their own.

use wurfel_core::{Budget, BySide, Random, Side, before_roll, sort_by_score};
use wurfel_games::Playable;

use crate::play::ordered::run_in_order;
use wurfel_agents::Factory;

/// The set-ups that an agent has chosen, one for each side. `None` when the agent cannot estimate
/// which set-up is good; then one is drawn for each pair of games.
pub type ChosenSetUps<G> = BySide<Option<<G as Playable>::Setup>>;

/// The largest number of starts that a choice searches: with 720 set-ups each of the ten rounds has
/// its share. The number was not measured.
const MAX_STARTS: u64 = 7200;
/// An agent that is bounded by time searches fewer starts, so that a choice takes no more than
/// about this many seconds of one thread, but at least [`MIN_STARTS`].
const SECONDS: f64 = 60.0;
/// The smallest number of starts of such a choice: eight set-ups that meet one, two and four
/// opponents.
const MIN_STARTS: u64 = 24;

/// The set-ups that an agent chooses by these rules, each by searches within `budget` or the agent's own
/// bounds. They depend on the seed alone, not on `jobs`, unless the agent is bounded by time.
pub fn choose_setups<G: Playable>(
    rules: &G,
    agent: &Factory<G>,
    budget: Budget<'_>,
    seed: u64,
    jobs: usize,
) -> ChosenSetUps<G> {
    BySide::from_fn(|side| Choice { rules, agent, budget, seed, side }.make(jobs))
}

/// The choice of a set-up by one agent for one side.
struct Choice<'a, G> {
    rules: &'a G,
    agent: &'a Factory<G>,
    budget: Budget<'a>,
    seed: u64,
    side: Side,
}

impl<G: Playable> Choice<'_, G> {
    fn make(&self, jobs: usize) -> Option<G::Setup> {
        let mut random = self.random(0, 0);
        let starts = self.starts();
        let mut left = some_of(G::setups(), widest(starts, G::setups().len()), &mut random);
        let rounds = u64::from((left.len().max(2) - 1).ilog2() + 1);
        let mut sums = vec![0.0; left.len()];
        for round in 1..=rounds {
            let count = (starts / rounds / left.len() as u64).max(1);
            let opponents: Vec<G::Setup> = (0..count).map(|_| *random.pick(G::setups())).collect();
            let values = self.values(round, &left, &opponents, jobs)?;
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
            let mut order: Vec<usize> = (0..left.len()).collect();
            sort_by_score(&mut order, |&place| sums[place]);
            order.truncate(left.len().div_ceil(2));
            left = order.iter().map(|&place| left[place]).collect();
            sums = order.iter().map(|&place| sums[place]).collect();
        }
        left.first().copied()
    }

    /// The random numbers for one purpose of the choice.
    fn random(&self, round: u64, number: u64) -> Random {
        Random::new(Random::seed_for(self.seed, &[self.side.index() as u64, round, number]))
    }

    /// How many starts may be searched.
    fn starts(&self) -> u64 {
        let Some(time) = (self.agent)().bounds(self.budget).time else { return MAX_STARTS };
        let rolls = self.rules.rolls().as_ref().len() as f64;
        let affordable = SECONDS / (rolls * time.as_secs_f64()).max(1e-9);
        (affordable as u64).clamp(MIN_STARTS, MAX_STARTS)
    }

    /// For each set-up the sum of its values for the **choosing side** against these opponents;
    /// `None` when the agent does not estimate.
    fn values(
        &self,
        round: u64,
        left: &[G::Setup],
        opponents: &[G::Setup],
        jobs: usize,
    ) -> Option<Vec<f64>> {
        let mut values = Vec::with_capacity(left.len());
        run_in_order(
            0..left.len() as u64,
            jobs,
            || (self.agent)(),
            |agent, number| {
                agent.begin(self.random(round, number + 1));
                let own = left[number as usize];
                opponents
                    .iter()
                    .map(|&other| {
                        let (first, second) = match self.side {
                            Side::First => (own, other),
                            Side::Second => (other, own),
                        };
                        let start = self.rules.start(BySide::new(first, second));
                        let value = f64::from(before_roll(&mut **agent, &start, self.budget)?);
                        Some(if start.side() == self.side { value } else { 1.0 - value })
                    })
                    .sum::<Option<f64>>()
            },
            |_, value| {
                values.push(value);
                true
            },
        );
        (values.len() == left.len()).then_some(values)
    }
}

/// The largest number of set-ups, at most `all`, that can be halved down to one with this many
/// starts.
fn widest(starts: u64, all: usize) -> usize {
    let fits = |&width: &usize| width as u64 * u64::from(width.ilog2().max(1)) <= starts;
    if fits(&all) { all } else { (0..20).map(|n| 1 << n).take_while(fits).last().unwrap_or(1) }
}

/// `count` different items, drawn at random.
fn some_of<T: Copy>(items: &[T], count: usize, random: &mut Random) -> Vec<T> {
    let mut items = items.to_vec();
    for place in 0..count {
        let other = place + random.below((items.len() - place) as u32) as usize;
        items.swap(place, other);
    }
    items.truncate(count);
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::einstein::Einstein;

    fn agent(spec: &str) -> Factory<Einstein> {
        wurfel_agents::build(&Einstein::default(), &spec.parse().unwrap()).unwrap()
    }

    fn choice(spec: &str, seed: u64, jobs: usize) -> ChosenSetUps<Einstein> {
        choose_setups(&Einstein::default(), &agent(spec), Budget::default(), seed, jobs)
    }

    /// A search two turns ahead is deep enough for each side's own set-up to matter. Other set-ups
    /// and opponents are drawn here with other seeds than those of the choice.
    #[test]
    fn a_chosen_set_up_is_better_than_nearly_all_others() {
        let spec = "star2:depth=2,eval=attack-defence";
        let chosen = choice(spec, 1, 2);
        let mut random = Random::new(7);
        let [others, opponents] =
            [60, 40].map(|count| some_of(Einstein::setups(), count, &mut random));
        for side in Side::BOTH {
            let search = agent(spec);
            let rules = &Einstein::default();
            let budget = Budget::default();
            let choice = Choice { rules, agent: &search, budget, seed: 9, side };
            let own = [chosen[side].unwrap()];
            let all = [&own[..], &others].concat();
            let values = choice.values(1, &all, &opponents, 2).unwrap();
            let better = values.iter().filter(|&&value| value > values[0]).count();
            assert!(better <= 6, "{side:?}: {better} of 60 are better");
        }
    }

    #[test]
    fn a_choice_depends_on_the_seed_alone() {
        for spec in ["expecti:depth=1", "uct:playouts=1"] {
            assert_eq!(choice(spec, 1, 1), choice(spec, 1, 2), "{spec}");
        }
    }

    #[test]
    fn an_agent_without_estimates_gets_random_set_ups() {
        assert_eq!(choice("random", 1, 2), BySide::new(None, None));
    }

    #[test]
    fn with_little_time_few_set_ups_are_tried() {
        assert_eq!(widest(MAX_STARTS, 720), 720);
        assert_eq!(widest(MAX_STARTS - 1800, 720), 512);
        assert_eq!(widest(MIN_STARTS, 720), 8);
        let timed = agent("star2:time=1s");
        let (rules, budget) = (&Einstein::default(), Budget::default());
        let choice = |agent| Choice { rules, agent, budget, seed: 1, side: Side::First };
        assert_eq!(choice(&timed).starts(), MIN_STARTS);
        assert_eq!(choice(&agent("star2:depth=3")).starts(), MAX_STARTS);
    }
}
