//! PUCT with an open tree: held to a plain form of the paper's algorithm.

use wurfel_core::{
    Agent, Budget, Game, Literal, LiteralMove, LiteralRoll, Network, Predictions, Random, Side,
    Situation, Turn, UniformNetwork, draw, random_literal,
};
use wurfel_games::einstein::Einstein;
use wurfel_search::puct::{FirstPlay, Puct, Root, Search, Selection};

use crate::puct::{Predicting, read};

/// Runs a search to the end and answers its requests in batches.
fn finish<G: Game>(
    mut search: Search<G>,
    network: &mut impl Network<G>,
    simulations: u32,
    batch: usize,
) -> Search<G> {
    let (mut requests, mut predictions) = (vec![], Predictions::default());
    while search.visits() <= simulations {
        requests.clear();
        search.gather(batch, simulations + 1, &mut requests);
        network.infer(&requests, &mut predictions);
        predictions.iter().for_each(|prediction| search.apply(prediction));
    }
    search
}

/// A turn of Algorithm 1 of paper `policy-value-network`: its children, whatever was rolled.
#[derive(Default)]
struct Plain {
    children: Vec<(LiteralMove, f32, Self)>,
    visits: u32,
    sum: f64,
}

impl Plain {
    fn mean_for(&self, side: Side) -> f32 {
        let mean = (self.sum / f64::from(self.visits)) as f32;
        if side == Side::First { mean } else { 1.0 - mean }
    }

    /// A simulation from this turn on; its result for the first side.
    fn simulate(
        &mut self,
        mut position: Literal,
        roll: LiteralRoll,
        selection: Selection,
        random: &mut Random,
        is_root: bool,
    ) -> f32 {
        let (legal, side) = (position.moves(roll), position.side());
        let listed = |mv: &LiteralMove| self.children.iter().position(|child| child.0 == *mv);
        let places: Vec<usize> = legal.iter().filter_map(listed).collect();
        let result = if places.len() < legal.len() {
            for mv in legal.iter().filter(|mv| listed(mv).is_none()).copied().collect::<Vec<_>>() {
                self.children.push((mv, 1.0 / legal.len() as f32, Self::default()));
            }
            let value = Predicting::value(&Situation { position, roll: Some(roll) });
            if side == Side::First { value } else { 1.0 - value }
        } else {
            let best = self.best(&places, selection, side, is_root);
            let (mv, _, below) = &mut self.children[best];
            let rest = position.play(roll, *mv);
            if let Some(outcome) = position.outcome() {
                let result = outcome.value_for(Side::First);
                below.add(result);
                result
            } else {
                let roll = rest.unwrap_or_else(|| draw(&position.rolls(), random));
                below.simulate(position, roll, selection, random, false)
            }
        };
        self.add(result);
        result
    }

    fn add(&mut self, result: f32) {
        self.visits += 1;
        self.sum += f64::from(result);
    }

    fn best(&self, places: &[usize], selection: Selection, side: Side, is_root: bool) -> usize {
        let tries: u32 = places.iter().map(|&place| self.children[place].2.visits).sum();
        let tried = places.iter().map(|&place| &self.children[place]);
        let seen: f32 = tried.filter(|child| child.2.visits > 0).map(|child| child.1).sum();
        let first = match selection.first_play {
            FirstPlay::Even => 0.5,
            FirstPlay::Below(_) if is_root => self.mean_for(side),
            FirstPlay::Below(reduction) => self.mean_for(side) - reduction * seen.sqrt(),
        };
        let score = |place: usize| {
            let (_, prior, below) = &self.children[place];
            let mean = if below.visits == 0 { first } else { below.mean_for(side) };
            mean + selection.c * (tries.max(1) as f32).sqrt() * prior / (1 + below.visits) as f32
        };
        let better =
            |best: usize, place: usize| if score(place) > score(best) { place } else { best };
        places.iter().copied().reduce(better).unwrap()
    }
}

#[test]
fn it_is_the_algorithm_of_the_paper() {
    const SIMULATIONS: u32 = 80;
    let mut random = Random::new(3);
    for n in 0..200 {
        let text = format!("{} {} 1", random_literal(&mut random, 1 + n % 5), 1 + n % 2);
        let (position, roll) = read(&text);
        let side = position.side();
        for first_play in [FirstPlay::Even, FirstPlay::Below(0.15)] {
            let selection = Selection { first_play, ..Selection::default() };
            let turn = Turn { position: &position, roll };
            let search =
                Search::open(turn, selection, Root::Puct, SIMULATIONS, Random::new(n.into()));
            let mut network = Predicting { evaluates_at_rest: false };
            let search = finish(search, &mut network, SIMULATIONS, 1);
            let (mut plain, mut dice) = (Plain::default(), Random::new(n.into()));
            let mut dice = Random::new(dice.bits());
            for _ in 0..=SIMULATIONS {
                plain.simulate(position.clone(), roll, selection, &mut dice, true);
            }
            for (mv, (_, _, below)) in search.moves().iter().zip(&plain.children) {
                assert_eq!(mv.visits, below.visits, "{text}");
                let value = mv.value.unwrap_or_default();
                assert!(below.visits == 0 || (value - below.mean_for(side)).abs() < 1e-5, "{text}");
            }
        }
    }
}

#[test]
fn it_does_not_know_the_dice_to_come() {
    // Moves 1 and 2 win with three faces each, and who knows the die wins with one of them; move 3
    // wins with four. The search has the seed of the dice.
    let (position, roll) = read("{[{3[+]3[-]}{3[-]3[+]}{4[+]2[-]}]} 1 1");
    let turn = Turn { position: &position, roll };
    for seed in 0..40 {
        let simulations = Budget { nodes: Some(400), ..Budget::default() };
        let mut player = Puct::new(UniformNetwork, simulations).in_open_tree(true);
        player.begin(Random::new(seed));
        let decision = player.decide(turn, Budget::default());
        assert_eq!(decision.mv.to_string(), "3", "seed {seed}");
        let value = decision.value.unwrap();
        assert!((value - 2.0 / 3.0).abs() < 0.12, "seed {seed}: {value}");
        // The rolls of a search are its own, and the same ones with the same seed.
        player.begin(Random::new(seed));
        assert_eq!(player.decide(turn, Budget::default()).value, decision.value);
    }
}

#[test]
fn its_line_is_a_game_that_can_be_played() {
    let Situation { position, roll } =
        "ABC2/DE3/F3f/3ed/2cba r 4 1".parse::<Situation<Einstein>>().unwrap();
    let turn = Turn { position: &position, roll: roll.unwrap() };
    let search = Search::open(turn, Selection::default(), Root::Puct, 3000, Random::new(1));
    let search = finish(search, &mut UniformNetwork, 3000, 8);
    let line = search.line(search.moves()[0].mv);
    assert!(line.len() > 2 && search.depth() > 2, "{}", line.len());
    let mut now = position;
    for (roll, mv) in line {
        assert!(now.moves(roll).as_ref().contains(&mv), "{now} {mv}");
        now.play(roll, mv);
    }
}
