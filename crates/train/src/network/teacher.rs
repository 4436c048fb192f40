//! Games that a teacher plays and evaluates, from which a network can start to learn.

use wurfel_core::{Agent, Assessment, Budget, Random, Turn, draw};
use wurfel_games::Learnable;

use super::config::Teacher;
use super::games::{PlayedGame, Sample};

/// Makes training samples with a teacher.
pub struct TeacherGames<'a, G> {
    /// A position that stands for the rules of the game.
    pub game: &'a G,
    /// Which agent teaches, and with how many games and turns.
    pub rules: &'a Teacher,
    /// Whether afterstates become samples as well.
    pub afterstates: bool,
    /// The seed of all games and turns.
    pub seed: u64,
}

/// A sample, with the weight that the outcome of its game will have in its value.
struct Labelled<G: Learnable> {
    sample: Sample<G>,
    outcome_share: f32,
}

impl<G: Learnable> TeacherGames<'_, G> {
    /// A game that the agent plays against itself. A share of the moves, which differs from game to
    /// game, is random, so that bad positions occur as well.
    pub fn game(&self, agent: &mut dyn Agent<G>, number: u64) -> PlayedGame<G> {
        let mut random = Random::new(Random::seed_for(self.seed, &[number]));
        agent.begin(Random::new(random.bits()));
        let epsilon = f64::from(self.rules.epsilon) * random.unit();
        let mut position = self.game.setup(&mut random);
        let (mut rest, mut all, mut plies) = (None, vec![], 0);
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            let roll = rest.unwrap_or_else(|| draw(position.rolls().as_ref(), &mut random));
            let turn = Turn { position: &position, roll };
            let analysis = agent.analyse(turn, Budget::default()).moves;
            let moves = turn.moves();
            let explores = random.unit() < epsilon;
            let mv = if explores { *random.pick(moves.as_ref()) } else { analysis[0].mv };
            all.push(self.labelled(turn, &analysis));
            all.extend(self.labelled_after(turn, mv, &analysis));
            rest = position.play(roll, mv);
            plies += u32::from(rest.is_none() || position.outcome().is_some());
        };
        let mix = |Labelled { mut sample, outcome_share }: Labelled<G>| {
            sample.mix(outcome, outcome_share);
            sample
        };
        let samples = all.into_iter().map(mix).collect();
        PlayedGame { samples, plies, outcome: Some(outcome), resignation: None }
    }

    /// A turn with at most `scattered_pieces` pieces, scattered at random, and the afterstate of
    /// one of its moves. There are no samples when this draw gave no position.
    pub fn turn(&self, agent: &mut dyn Agent<G>, number: u64) -> PlayedGame<G> {
        let samples = self.scattered(agent, number).unwrap_or_default();
        PlayedGame { samples, plies: 0, outcome: None, resignation: None }
    }

    fn scattered(&self, agent: &mut dyn Agent<G>, number: u64) -> Option<Vec<Sample<G>>> {
        let mut random = Random::new(Random::seed_for(self.seed, &[number]));
        let pieces = 2 + random.below(self.rules.scattered_pieces.saturating_sub(1));
        let position = self.game.scattered(pieces, &mut random)?;
        let roll = draw(position.rolls().as_ref(), &mut random);
        agent.begin(Random::new(random.bits()));
        let turn = Turn { position: &position, roll };
        let analysis = agent.analyse(turn, Budget::default()).moves;
        let mv = random.pick(&analysis).mv;
        let after = self.labelled_after(turn, mv, &analysis);
        let all = [self.labelled(turn, &analysis)].into_iter().chain(after);
        Some(all.map(|scored| scored.sample).collect())
    }

    /// The sample of a turn from the agent's values of its moves, best first.
    fn labelled(&self, turn: Turn<'_, G>, analysis: &[Assessment<G::Move>]) -> Labelled<G> {
        let best = analysis[0];
        let weight = |mv: &G::Move| {
            let value = analysis.iter().find(|scored| scored.mv == *mv)?.value?;
            Some(((value - best.value?) / self.rules.temperature).exp())
        };
        let alone = |mv: &G::Move| f32::from(u8::from(*mv == best.mv));
        let moves = turn.moves();
        let weights: Vec<f32> =
            moves.as_ref().iter().map(|mv| weight(mv).unwrap_or(alone(mv))).collect();
        let sum: f32 = weights.iter().sum();
        let policy = weights.into_iter().map(|weight| weight / sum).collect();
        let value = best.value.unwrap_or(0.5);
        let sample = Sample { situation: turn.situation(), policy, value };
        Labelled { sample, outcome_share: self.outcome_share(&best) }
    }

    /// The sample of a move's afterstate, if afterstates are learned.
    fn labelled_after(
        &self,
        turn: Turn<'_, G>,
        mv: G::Move,
        analysis: &[Assessment<G::Move>],
    ) -> Option<Labelled<G>> {
        if !self.afterstates {
            return None;
        }
        let analysis = analysis.iter().find(|scored| scored.mv == mv)?;
        let sample = Sample::after(turn, mv, analysis.value.unwrap_or(0.5))?;
        Some(Labelled { sample, outcome_share: self.outcome_share(analysis) })
    }

    /// The weight of the outcome in relation to this value: 0 if the value is exact, and 1 if the
    /// agent gave none.
    fn outcome_share<M>(&self, analysis: &Assessment<M>) -> f32 {
        match (analysis.exact, analysis.value) {
            (true, _) => 0.0,
            (_, None) => 1.0,
            (_, Some(_)) => self.rules.outcome_share,
        }
    }
}
