//! Games of a network against itself, many side by side.

use std::ops::Range;

use wurfel_game::{Game, Network, Opinions, Random, Side, Turn, draw};
use wurfel_games::Playable;
use wurfel_search::puct::{Noise, Root, Search, Selection};

use super::config::SelfPlay;

/// A turn to learn from.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample<G: Game> {
    /// The position before the throw.
    pub position: G,
    /// What was thrown.
    pub roll: G::Roll,
    /// The share of each legal move in what the search made of the turn.
    pub policy: Vec<f32>,
    /// The expected result for the side that decides, 0 to 1.
    pub value: f32,
}

/// A game that goes on.
struct Playing<G: Game> {
    position: G,
    roll: G::Roll,
    search: Search<G>,
    /// Passes that the present search will have, the judgement of the root among them.
    passes: u32,
    random: Random,
    samples: Vec<(Side, Sample<G>)>,
    number: u64,
}

impl<G: Playable> Playing<G> {
    fn begin(rules: &SelfPlay, seed: u64, number: u64) -> Self {
        let mut random = Random::new(Random::seed_for(seed, &[number]));
        let position = G::setup(&mut random);
        let roll = draw(position.rolls().as_ref(), &mut random);
        let (search, passes) = search(rules, Turn { position: &position, roll }, &mut random);
        Self { position, roll, search, passes, random, samples: vec![], number }
    }

    /// Makes the move that the search has found; false when the game is over.
    fn go_on(&mut self, rules: &SelfPlay) -> bool {
        let moves = self.search.moves();
        let free = self.position.ply() <= rules.temperature_turns;
        let place = self.search.choose(if free { rules.temperature } else { 0.0 });
        let sample = Sample {
            position: self.position.clone(),
            roll: self.roll,
            policy: moves.iter().map(|tried| tried.target).collect(),
            value: self.search.value(),
        };
        self.samples.push((self.position.side(), sample));
        let rest = self.position.play(self.roll, moves[place].mv);
        if self.position.outcome().is_some() {
            return false;
        }
        let position = &self.position;
        self.roll = rest.unwrap_or_else(|| draw(position.rolls().as_ref(), &mut self.random));
        let turn = Turn { position, roll: self.roll };
        (self.search, self.passes) = search(rules, turn, &mut self.random);
        true
    }

    /// The game's samples, the outcome mixed into their values.
    fn end(self, rules: &SelfPlay) -> Vec<Sample<G>> {
        let outcome = self.position.outcome();
        let mix = |(side, mut sample): (Side, Sample<G>)| {
            if let Some(outcome) = outcome {
                sample.value += rules.outcome_share * (outcome.value_for(side) - sample.value);
            }
            sample
        };
        self.samples.into_iter().map(mix).collect()
    }
}

fn search<G: Game>(rules: &SelfPlay, turn: Turn<'_, G>, random: &mut Random) -> (Search<G>, u32) {
    // With one legal move there is nothing to find out.
    let passes = if turn.moves().as_ref().len() == 1 { 1 } else { rules.simulations };
    let selection = Selection { c: rules.c, reduction: rules.fpu };
    let root = match rules.gumbel {
        0 => Root::Noisy(Noise { alpha: rules.noise_alpha, share: rules.noise_share }),
        most => Root::Gumbel(most),
    };
    let search = Search::new(turn, selection, root, passes, Random::new(random.bits()));
    (search, passes + 1)
}

/// Plays the games of these numbers under the seed, side by side, and returns the samples of
/// each in order. What a game becomes does not depend on the others when `network` judges
/// turns alike in any batch. `stopped` is asked now and then; after a true there is no
/// result.
pub fn play_games<G: Playable>(
    network: &mut impl Network<G>,
    rules: &SelfPlay,
    seed: u64,
    numbers: Range<u64>,
    stopped: impl Fn() -> bool,
) -> Option<Vec<Vec<Sample<G>>>> {
    let first = numbers.start;
    let mut playing: Vec<Playing<G>> =
        numbers.map(|number| Playing::begin(rules, seed, number)).collect();
    let mut games: Vec<Vec<Sample<G>>> = playing.iter().map(|_| vec![]).collect();
    let (mut requests, mut opinions, mut counts) = (vec![], Opinions::default(), vec![]);
    while !playing.is_empty() {
        if stopped() {
            return None;
        }
        requests.clear();
        counts.clear();
        for game in &mut playing {
            counts.push(game.search.gather(1, game.passes, &mut requests));
        }
        if !requests.is_empty() {
            network.judge(&requests, &mut opinions);
        }
        let mut answers = opinions.iter();
        for (game, &count) in playing.iter_mut().zip(&counts) {
            answers.by_ref().take(count).for_each(|opinion| game.search.apply(opinion));
        }
        let mut place = 0;
        while place < playing.len() {
            let game = &mut playing[place];
            if game.search.visits() < game.passes || game.go_on(rules) {
                place += 1;
            } else {
                let game = playing.remove(place);
                let number = game.number - first;
                games[number as usize] = game.end(rules);
            }
        }
    }
    Some(games)
}
