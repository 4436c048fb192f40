//! Searches with cut-offs against plain expectiminimax: the value of the best move is the same.

use std::sync::Arc;

use wurfel_agents::{Catalogued, UseGame};
use wurfel_core::{Agent, Budget, Evaluator, Game, Random, Turn, draw};
use wurfel_games::UseEvaluation;
use wurfel_search::{Cutoffs, Expecti, Star, TranspositionTable};

use super::checks::{chance, some_game, some_position, text};

/// Sums in another order differ in their last digits.
const TOLERANCE: f32 = 2e-5;
/// Turns whose tree would be larger are searched one turn deep.
const MAX_LEAVES: usize = 30_000;

pub fn fuzz(input: &[u8]) {
    let (text, mut random) = (text(input), chance(input));
    let user = Search { text: &text, random: random.clone() };
    some_game(&text, &mut random, user);
}

struct Search<'a> {
    text: &'a str,
    random: Random,
}

impl UseGame for Search<'_> {
    type Output = ();

    fn with<G: Catalogued>(self, rules: &G) {
        let Self { text, mut random } = self;
        let Some(position) = some_position(rules, text, &mut random) else { return };
        let roll = draw(position.rolls().as_ref(), &mut random);
        let turn = Turn { position: &position, roll };
        let rolls = position.rolls();
        let ends: usize = rolls.as_ref().iter().map(|roll| position.count(roll.item)).sum();
        let moves = position.count(roll);
        let three = rolls.as_ref().len() > 6;
        let depth = match moves * ends {
            _ if three => 1,
            leaves if leaves * ends < MAX_LEAVES => 3,
            leaves if leaves < MAX_LEAVES => 2,
            _ => 1,
        };
        let evaluation = random.pick(G::EVALUATIONS).name;
        let _ = G::evaluation(evaluation, Compare { turn, depth, evaluation });
    }
}

struct Compare<'a, G: Game> {
    turn: Turn<'a, G>,
    depth: u32,
    evaluation: &'static str,
}

impl<G: Game> UseEvaluation<G> for Compare<'_, G> {
    type Output = ();

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) {
        let Self { turn, depth, evaluation } = self;
        // Called through a pointer, so that each game compiles the searches once.
        let evaluator: Arc<dyn Evaluator<G>> = Arc::new(evaluator);
        let budget = Budget { depth: Some(depth), ..Budget::default() };
        let value = |agent: &mut dyn Agent<G>| {
            agent.begin(Random::new(1));
            agent.decide(turn, budget).value.expect("a search estimates")
        };
        let plain = value(&mut Expecti::new(Arc::clone(&evaluator), budget));
        for cutoffs in [Cutoffs::Star1, Cutoffs::Star2] {
            let table = Arc::new(TranspositionTable::new(1));
            let mut star = Star::new(Arc::clone(&evaluator), cutoffs, table, budget);
            let actual = value(&mut star);
            assert!(
                (actual - plain).abs() <= TOLERANCE,
                "{cutoffs:?} finds {actual}, the plain search {plain}: {} with {}, {evaluation}, \
                 {depth} deep",
                turn.position,
                turn.roll
            );
        }
    }
}
