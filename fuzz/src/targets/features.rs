//! Incremental against recomputed: features by their changes, and evaluations that reuse what they
//! know about the position before.

use wurfel_agents::{Catalogued, UseGame};
use wurfel_core::{Evaluator, Game, Random, draw};
use wurfel_games::UseEvaluation;
use wurfel_games::learned::{Learned, UNITS, Weights};

use super::checks::{chance, some_game, some_position, text};

/// Sums in another order differ in their last digits.
const TOLERANCE: f32 = 1e-5;

pub fn fuzz(input: &[u8]) {
    let (text, mut random) = (text(input), chance(input));
    let user = Compare { text: &text, random: random.clone() };
    some_game(&text, &mut random, user);
}

struct Compare<'a> {
    text: &'a str,
    random: Random,
}

impl UseGame for Compare<'_> {
    type Output = ();

    fn with<G: Catalogued>(self, rules: &G) {
        let Self { text, mut random } = self;
        let Some(parent) = some_position(rules, text, &mut random) else { return };
        // An end of a turn is one move away only where a turn has one move; where it has more,
        // `changes` is not asked for it by anybody but must still say the truth or nothing.
        let roll = draw(parent.rolls().as_ref(), &mut random);
        let mut children = vec![];
        parent.ends(roll, |end| {
            if end.outcome().is_none() {
                children.push(end.clone());
            }
        });
        children.truncate(24);
        for child in &children {
            changes(&parent, child);
        }
        if random.below(2) == 0 {
            let weights = some_weights::<G>(&mut random);
            near(&Learned::new(G::Base::default(), &weights), &parent, &children, "learned");
        } else {
            // One of them: making some takes far longer than asking them.
            let name = random.pick(G::EVALUATIONS).name;
            let user = Near { parent: &parent, children: &children, name };
            assert!(G::evaluation(name, user).is_some(), "{name}");
        }
    }
}

fn changes<G: Catalogued>(parent: &G, child: &G) {
    let viewer = child.side();
    let mut counts = vec![0i32; G::FEATURES];
    parent.features(viewer, |feature| counts[feature] += 1);
    let (mut removed, mut added) = (vec![], vec![]);
    if !child.changes(parent, |feature| removed.push(feature), |feature| added.push(feature)) {
        assert!(removed.is_empty() && added.is_empty(), "changes without a word: {child}");
        return;
    }
    for &feature in &removed {
        counts[feature] -= 1;
    }
    for &feature in &added {
        counts[feature] += 1;
    }
    child.features(viewer, |feature| counts[feature] -= 1);
    let wrong: Vec<usize> = (0..G::FEATURES).filter(|&feature| counts[feature] != 0).collect();
    assert!(wrong.is_empty(), "features {wrong:?} from {parent} to {child}");
}

/// Parameters as large as those of a learned evaluation.
fn some_weights<G: Catalogued>(random: &mut Random) -> Weights {
    let mut row =
        |range: u32| std::array::from_fn(|_| random.below(range) as i16 - range as i16 / 2);
    let rows = (0..G::FEATURES).map(|_| row(60)).collect();
    let (bias, out) = (row(200), row(200));
    debug_assert_eq!(bias.len(), UNITS);
    Weights { rows, bias, out, constant: 0 }
}

struct Near<'a, G> {
    parent: &'a G,
    children: &'a [G],
    name: &'static str,
}

impl<G: Game> UseEvaluation<G> for Near<'_, G> {
    type Output = ();

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) {
        near(&evaluator, self.parent, self.children, self.name);
    }
}

fn near<G: Game>(evaluator: &impl Evaluator<G>, parent: &G, children: &[G], name: &str) {
    let value = evaluator.evaluate(parent);
    assert!((0.0..=1.0).contains(&value), "{name} finds {value} in {parent}");
    let near = evaluator.near(parent);
    for child in children {
        let (value, near) = (evaluator.evaluate(child), near(child));
        assert!((0.0..=1.0).contains(&value), "{name} finds {value} in {child}");
        assert!((value - near).abs() <= TOLERANCE, "{name}: {value}, {near} of {child}");
    }
}
