//! PUCT on games so small that their values can be seen, and compared with a plain implementation.

use wurfel_core::{
    Agent, Budget, Evaluator, Game, Literal, LiteralRoll, Network, Predictions, Random, Side,
    Situation, Turn, UniformNetwork, Weighted, checksum, random_literal,
};
use wurfel_search::puct::{FirstPlay, Noise, Policy, Puct, Root, Search, Selection};

const SELECTION: Selection = Selection { c: 0.75, first_play: FirstPlay::Below(0.15) };

pub(crate) fn read(text: &str) -> (Literal, LiteralRoll) {
    let Situation { position, roll } = text.parse::<Situation<Literal>>().unwrap();
    (position, roll.unwrap())
}

fn search(text: &str, root: Root, simulations: u32, batch: usize) -> Search<Literal> {
    search_with(&mut UniformNetwork, text, SELECTION, root, simulations, batch)
}

fn search_with(
    network: &mut impl Network<Literal>,
    text: &str,
    selection: Selection,
    root: Root,
    simulations: u32,
    batch: usize,
) -> Search<Literal> {
    let (position, roll) = read(text);
    let turn = Turn { position: &position, roll };
    let search = Search::new(turn, selection, root, simulations, Random::new(1));
    let mut search = search.asking_at_rest(network.evaluates_at_rest());
    let (mut requests, mut predictions) = (vec![], Predictions::default());
    while search.visits() < simulations + 1 {
        requests.clear();
        search.gather(batch, simulations + 1, &mut requests);
        network.infer(&requests, &mut predictions);
        predictions.iter().for_each(|prediction| search.apply(prediction));
    }
    search
}

/// A network that gives all moves the same prior and each situation a value of its own.
#[derive(Clone, Copy)]
pub(crate) struct Predicting {
    pub evaluates_at_rest: bool,
}

impl Predicting {
    /// The value of a situation for the side to move.
    pub fn value(situation: &Situation<Literal>) -> f32 {
        (checksum(situation.to_string().as_bytes()) % 1009) as f32 / 1008.0
    }

    fn value_for_first(situation: &Situation<Literal>) -> f64 {
        let value = f64::from(Self::value(situation));
        if situation.position.side() == Side::First { value } else { 1.0 - value }
    }
}

impl Network<Literal> for Predicting {
    fn infer(&mut self, situations: &[Situation<Literal>], predictions: &mut Predictions) {
        predictions.clear();
        for situation in situations {
            let count = situation.turn().map_or(0, |turn| turn.moves().len());
            assert!(self.evaluates_at_rest || count > 0, "{situation}");
            let prior = std::iter::repeat_n(1.0 / count as f32, count);
            predictions.push(Self::value(situation), prior);
        }
    }

    fn evaluates_at_rest(&self) -> bool {
        self.evaluates_at_rest
    }
}

/// The same search in its plainest form: it recomputes every value from the whole tree.
struct Plain {
    position: Literal,
    roll: LiteralRoll,
    network: Predicting,
    first_play: FirstPlay,
    /// The moves; `None` until the turn was evaluated.
    moves: Option<Vec<PlainMove>>,
}

struct PlainMove {
    visits: u32,
    after: Literal,
    /// The value of the position for the first side, if it was evaluated at rest.
    worth: Option<f64>,
    rolls: Vec<(Weighted<LiteralRoll>, u32, Plain)>,
}

impl Plain {
    fn new(position: Literal, roll: LiteralRoll, like: (Predicting, FirstPlay)) -> Self {
        let (network, first_play) = like;
        Self { position, roll, network, first_play, moves: None }
    }

    /// The value for the first side.
    fn value(&self) -> f64 {
        let moves = self.moves.as_ref().unwrap();
        let visits: u32 = moves.iter().map(|mv| mv.visits).sum();
        let tried = moves.iter().filter(|mv| mv.visits > 0);
        let sum: f64 = tried.map(|mv| f64::from(mv.visits) * mv.value()).sum();
        let roll = Some(self.roll);
        let own = Situation { position: self.position.clone(), roll };
        (Predicting::value_for_first(&own) + sum) / f64::from(1 + visits)
    }

    fn simulate(&mut self, is_root: bool) {
        let side = self.position.side();
        let own = |value: f64| (if side == Side::First { value } else { 1.0 - value }) as f32;
        let Some(moves) = &self.moves else {
            let after = |mv: &_| {
                let mut after = self.position.clone();
                let rest = after.play(self.roll, *mv);
                let rolls: Vec<Weighted<LiteralRoll>> = match (after.outcome(), rest) {
                    (Some(_), _) => vec![],
                    (None, Some(rest)) => vec![Weighted { item: rest, weight: 1 }],
                    (None, None) => after.rolls(),
                };
                let like = (self.network, self.first_play);
                let rolls = rolls
                    .into_iter()
                    .map(|roll| (roll, 0, Self::new(after.clone(), roll.item, like)))
                    .collect();
                PlainMove { visits: 0, after, worth: None, rolls }
            };
            self.moves = Some(self.position.moves(self.roll).iter().map(after).collect());
            return;
        };
        let prior = 1.0 / moves.len() as f32;
        let visits: u32 = moves.iter().map(|mv| mv.visits).sum();
        let seen: f32 = moves.iter().filter(|mv| mv.visits > 0).map(|_| prior).sum();
        let first = match self.first_play {
            FirstPlay::Even => 0.5,
            FirstPlay::Below(_) if is_root => own(self.value()),
            FirstPlay::Below(reduction) => own(self.value()) - reduction * seen.sqrt(),
        };
        let score = |mv: &PlainMove| {
            let mean = if mv.visits == 0 { first } else { own(mv.value()) };
            mean + SELECTION.c * (visits.max(1) as f32).sqrt() * prior / (1 + mv.visits) as f32
        };
        let scores: Vec<f32> = moves.iter().map(score).collect();
        let best =
            (0..scores.len()).fold(0, |best, n| if scores[n] > scores[best] { n } else { best });
        let mv = &mut self.moves.as_mut().unwrap()[best];
        mv.visits += 1;
        if self.network.evaluates_at_rest && mv.rolls.len() > 1 && mv.worth.is_none() {
            let rest = Situation { position: mv.after.clone(), roll: None };
            mv.worth = Some(Predicting::value_for_first(&rest));
            return;
        }
        let due = |(roll, tries, _): &(Weighted<_>, u32, Plain)| {
            f64::from(tries + 1) / f64::from(roll.weight)
        };
        if let Some(least) = mv.rolls.iter().map(due).min_by(f64::total_cmp) {
            let roll = mv.rolls.iter_mut().find(|roll| due(roll) <= least).unwrap();
            roll.1 += 1;
            roll.2.simulate(false);
        }
    }
}

impl PlainMove {
    fn value_for(&self, side: Side) -> f64 {
        if side == Side::First { self.value() } else { 1.0 - self.value() }
    }

    fn value(&self) -> f64 {
        if let Some(outcome) = self.after.outcome() {
            return f64::from(outcome.value_for(Side::First));
        }
        let met = || self.rolls.iter().filter(|(_, _, turn)| turn.moves.is_some());
        let weight = |roll: &Weighted<_>| f64::from(roll.weight);
        let sum: f64 = met().map(|(roll, _, turn)| weight(roll) * turn.value()).sum();
        let chances = met().map(|(roll, ..)| weight(roll)).sum::<f64>();
        let all: f64 = self.rolls.iter().map(|(roll, ..)| weight(roll)).sum();
        match self.worth {
            Some(worth) => (sum + (all - chances) * worth) / all,
            None => sum / chances,
        }
    }
}

#[test]
fn with_uniform_priors_it_is_plain_puct() {
    let mut random = Random::new(3);
    let mut different = [0; 2];
    for n in 0..200 {
        let text = format!("{} {} 1", random_literal(&mut random, 1 + n % 5), 1 + n % 2);
        let urgency = SELECTION.first_play;
        let kinds = [(false, urgency), (true, urgency), (false, FirstPlay::Even)];
        let visits = kinds.map(|(evaluates_at_rest, first_play)| {
            let mut network = Predicting { evaluates_at_rest };
            let selection = Selection { first_play, ..SELECTION };
            let (position, roll) = read(&text);
            let side = position.side();
            let mut plain = Plain::new(position, roll, (network, first_play));
            let simulations = 60;
            for _ in 0..=simulations {
                plain.simulate(true);
            }
            let actual = search_with(&mut network, &text, selection, Root::Puct, simulations, 1);
            let actual = actual.moves();
            for (mv, plain) in actual.iter().zip(plain.moves.as_ref().unwrap()) {
                assert_eq!(mv.visits, plain.visits, "{text} {}", mv.mv);
                let apart = mv.value.map_or(0.0, |value| f64::from(value) - plain.value_for(side));
                assert!(apart.abs() < 1e-4, "{text} {}", mv.mv);
            }
            actual.iter().map(|mv| mv.visits).collect::<Vec<u32>>()
        });
        for (count, other) in different.iter_mut().zip(&visits[1..]) {
            *count += u32::from(visits[0] != *other);
        }
    }
    assert!(different.iter().all(|count| *count > 50), "{different:?}");
}

#[test]
fn what_a_position_is_worth_at_rest_stands_for_its_rolls() {
    // One simulation for each of three moves: each move has the value of its position, not that of
    // a roll.
    let text = "{[{[+-][-=]}{[--][=+]}{[+=][++]}]} 2 1";
    let (position, roll) = read(text);
    for batch in [1, 3] {
        let mut network = Predicting { evaluates_at_rest: true };
        let actual = search_with(
            &mut network,
            text,
            SELECTION,
            Root::Gumbel { max_considered: 3, noise: true },
            3,
            batch,
        )
        .moves();
        for tried in actual {
            let mut after = position.clone();
            after.play(roll, tried.mv);
            let rest = Situation { position: after, roll: None };
            let worth = 1.0 - Predicting::value_for_first(&rest) as f32;
            assert_eq!((tried.visits, tried.value), (1, Some(worth)));
        }
    }
}

#[test]
fn both_sides_look_for_their_own_good() {
    // After move 1 the other side finds its win; after move 2 it has none.
    for (text, batch) in [
        ("{[{[+++-]}{[=++]}]} 1 1", 1),
        ("{[{[+++-]}{[=++]}]} 1 1", 4),
        ("{[{[---+]}{[=--]}]} 2 1", 1),
    ] {
        let mut actual = search(text, Root::Puct, 2000, batch);
        assert_eq!(actual.choose(0.0), 1);
        let values: Vec<f32> = actual.moves().iter().map(|tried| tried.value.unwrap()).collect();
        assert!(values[0] < 0.3 && (values[1] - 0.5).abs() < 0.1, "{values:?}");
    }
}

#[test]
fn rolls_count_by_their_exact_weights() {
    // One simulation for each roll is enough, because ends of the game are certain and weights
    // exact.
    let actual = search("{[{5[+]1[-]}{1[+]5[-]}]} 1 1", Root::Puct, 400, 1);
    let values: Vec<f32> = actual.moves().iter().map(|tried| tried.value.unwrap()).collect();
    assert!((values[0] - 5.0 / 6.0).abs() < 0.01, "{values:?}");
    assert!((values[1] - 1.0 / 6.0).abs() < 0.04, "{values:?}");
}

#[test]
fn a_side_that_goes_on_is_not_its_own_enemy() {
    let mut actual = search("{[[+--]=]} 1 1", Root::Puct, 1000, 1);
    assert_eq!(actual.choose(0.0), 0);
    assert!(actual.value() > 0.9, "{}", actual.value());
}

/// A search with a random generator of its own, after this many simulations.
fn seeded(
    network: &mut impl Network<Literal>,
    text: &str,
    root: Root,
    simulations: u32,
    seed: u64,
) -> Search<Literal> {
    let (position, roll) = read(text);
    let turn = Turn { position: &position, roll };
    let mut search = Search::new(turn, SELECTION, root, simulations, Random::new(seed));
    let (mut requests, mut predictions) = (vec![], Predictions::default());
    while search.visits() < simulations + 1 {
        requests.clear();
        search.gather(1, simulations + 1, &mut requests);
        network.infer(&requests, &mut predictions);
        predictions.iter().for_each(|prediction| search.apply(prediction));
    }
    search
}

#[test]
fn few_simulations_find_the_win_by_halving() {
    let text = "{[{[---]}{[---]}{[+++]}{[---]}{[-+-]}]} 2 1";
    for noise in [false, true] {
        for seed in 0..100 {
            let root = Root::Gumbel { max_considered: 5, noise };
            let mut search = seeded(&mut UniformNetwork, text, root, 16, seed);
            let sum: f32 = search.moves().iter().map(|tried| tried.target).sum();
            assert!((sum - 1.0).abs() < 1e-4);
            // The second side wants `-`: moves 1, 2 and 4 win.
            assert!([0, 1, 3].contains(&search.choose(0.0)), "{noise} {seed}");
        }
    }
}

/// The noise is for self-play: in a match it cost 1.4 percentage points at 8 simulations.
#[test]
fn halving_draws_noise_only_where_it_is_asked_for() {
    let text = "{[{[+-]}{[+-]}{[+-]}{[+-]}{[+-]}{[+-]}]} 1 1";
    let tried = |noise, seed| {
        let mut search =
            seeded(&mut Last, text, Root::Gumbel { max_considered: 2, noise }, 8, seed);
        let visits: Vec<u32> = search.moves().iter().map(|tried| tried.visits).collect();
        (visits, search.choose(0.0))
    };
    // The two likeliest moves, of which both are worth the same.
    for seed in 0..20 {
        assert_eq!(tried(false, seed), (vec![0, 0, 0, 0, 4, 4], 5));
    }
    assert!((1..20).any(|seed| tried(true, seed) != tried(true, 0)));
}

/// The player used to make the first of the moves with the most visits, here one that loses at
/// once.
#[test]
fn of_moves_tried_as_often_the_best_is_made() {
    for text in ["{[-+]} 1 1", "{[--+]} 1 1", "{[+-]} 2 1", "{[=+-]} 2 1"] {
        let last = text.find(']').unwrap() - text.find('[').unwrap() - 2;
        let simulations = 1 + last as u32;
        for root in [Root::Puct, Root::Gumbel { max_considered: 3, noise: false }] {
            let mut actual = search(text, root, simulations, 1);
            let moves = actual.moves();
            assert!(moves.iter().all(|tried| tried.visits == 1), "{text} {moves:?}");
            assert_eq!(actual.choose(0.0), last, "{text}");
        }
        let (position, roll) = read(text);
        let turn = Turn { position: &position, roll };
        let nodes = Budget { nodes: Some(u64::from(simulations)), ..Budget::default() };
        let analysis = Puct::new(UniformNetwork, nodes).analyse(turn, nodes);
        let values: Vec<f32> = analysis.moves.iter().map(|scored| scored.value.unwrap()).collect();
        assert!(values.is_sorted_by(|one, next| one >= next), "{text} {values:?}");
    }
}

/// A player whose network evaluates everything as even used to make the first of equal moves
/// always.
#[test]
fn equal_moves_are_drawn_by_a_player_and_listed_in_order_by_an_analysis() {
    let (position, roll) = read("{[{[+-]}{[+-]}{[+-]}]} 1 1");
    let turn = Turn { position: &position, roll };
    let nodes = Budget { nodes: Some(8), ..Budget::default() };
    for root in [Root::Puct, Root::Gumbel { max_considered: 2, noise: false }] {
        let mut player = Puct::new(UniformNetwork, nodes).with(SELECTION, root, 0.0);
        player.begin(Random::new(1));
        let mut counts = [0; 3];
        for _ in 0..3000 {
            let mv = player.decide(turn, nodes).mv.to_string();
            counts[mv.parse::<usize>().unwrap() - 1] += 1;
        }
        assert!(counts.iter().all(|count| (880..1120).contains(count)), "{root:?} {counts:?}");
        for _ in 0..20 {
            let analysis = player.analyse(turn, nodes);
            let order: Vec<String> =
                analysis.moves.iter().map(|scored| scored.mv.to_string()).collect();
            assert_eq!(order, ["1", "2", "3"], "{root:?}");
        }
    }
}

/// Moves without a visit are listed last, by their priors, and are not made.
#[test]
fn moves_that_were_never_tried_come_last() {
    let mut actual =
        search_with(&mut Last, "{[{[+-]}{[+-]}{[+-]}{[+-]}]} 1 1", SELECTION, Root::Puct, 1, 1);
    assert_eq!(actual.choose(0.0), 3);
    let (position, roll) = read("{[{[+-]}{[+-]}{[+-]}{[+-]}]} 1 1");
    let turn = Turn { position: &position, roll };
    let nodes = Budget { nodes: Some(1), ..Budget::default() };
    let analysis = Puct::new(Last, nodes).analyse(turn, nodes);
    let order: Vec<String> = analysis.moves.iter().map(|scored| scored.mv.to_string()).collect();
    assert_eq!(order, ["4", "3", "2", "1"]);
}

#[test]
fn many_searches_share_a_batch() {
    let texts = ["{[{[+++-]}{[=++]}]} 1 1", "{[{5[+]1[-]}{1[+]5[-]}]} 1 1", "{[[+--]=]} 1 1"];
    let mut searches: Vec<Search<Literal>> = texts
        .iter()
        .map(|text| {
            let (position, roll) = read(text);
            let turn = Turn { position: &position, roll };
            Search::new(turn, SELECTION, Root::Puct, 300, Random::new(1))
        })
        .collect();
    let (mut requests, mut predictions) = (vec![], Predictions::default());
    while searches.iter().any(|search| search.visits() < 301) {
        requests.clear();
        let counts: Vec<usize> =
            searches.iter_mut().map(|search| search.gather(1, 301, &mut requests)).collect();
        UniformNetwork.infer(&requests, &mut predictions);
        let mut answers = predictions.iter();
        for (search, count) in searches.iter_mut().zip(counts) {
            answers.by_ref().take(count).for_each(|prediction| search.apply(prediction));
        }
    }
    for (text, together) in texts.iter().zip(&searches) {
        assert_eq!(search(text, Root::Puct, 300, 1).moves(), together.moves());
    }
}

/// A network that prefers the last move.
struct Last;

impl Network<Literal> for Last {
    fn infer(&mut self, situations: &[Situation<Literal>], predictions: &mut Predictions) {
        predictions.clear();
        for situation in situations {
            let count = situation.turn().unwrap().moves().len();
            predictions
                .push(0.25, (1..=count).map(|n| n as f32 / (count * (count + 1) / 2) as f32));
        }
    }
}

#[test]
fn noise_changes_the_prior_by_its_share_and_temperature_draws() {
    let text = "{[{[++]}{[++]}{[++]}]} 1 1";
    let (position, roll) = read(text);
    let turn = Turn { position: &position, roll };
    // Without simulations the targets are the priors.
    let noisy = |share| {
        let noise = Root::Noisy(Noise { alpha: 0.5, share });
        let mut search = Search::new(turn, SELECTION, noise, 1, Random::new(1));
        let (mut requests, mut predictions) = (vec![], Predictions::default());
        search.gather(1, 1, &mut requests);
        Last.infer(&requests, &mut predictions);
        predictions.iter().for_each(|prediction| search.apply(prediction));
        search.moves().iter().map(|tried| tried.target).collect::<Vec<f32>>()
    };
    assert_eq!(noisy(0.0), [1.0 / 6.0, 2.0 / 6.0, 3.0 / 6.0]);
    let changed = noisy(0.25);
    assert!((changed.iter().sum::<f32>() - 1.0).abs() < 1e-5 && changed != noisy(0.0));
    assert!(changed.iter().zip(noisy(0.0)).all(|(new, old)| *new >= 0.75 * old - 1e-6));

    let counts = |temperature: f32| {
        let mut counts = [0; 3];
        let mut policy = Policy::new(Last, temperature);
        policy.begin(Random::new(2));
        for _ in 0..3000 {
            let mv = policy.decide(turn, Budget::default()).mv.to_string();
            counts[mv.parse::<usize>().unwrap() - 1] += 1;
        }
        counts
    };
    assert_eq!(counts(0.0), [0, 0, 3000]);
    let samples = counts(1.0);
    for (count, expected) in samples.iter().zip([500, 1000, 1500]) {
        assert!(i32::abs(count - expected) < 120, "{samples:?}");
    }
}

#[test]
fn a_player_keeps_its_bounds() {
    let (position, roll) = read("{[{[+-]}{[{[+-]}]}+]} 1 1");
    let turn = Turn { position: &position, roll };
    let nodes = |nodes| Budget { nodes: Some(nodes), ..Budget::default() };
    for batch in [1, 7] {
        let mut player = Puct::new(UniformNetwork, nodes(50)).in_batches(batch);
        let decision = player.decide(turn, nodes(1_000_000));
        assert_eq!((decision.nodes, decision.mv.to_string()), (51, "3".into()));
        assert!(decision.value.unwrap() > 0.99);
    }
    // Even without any time there is a move; and the whole game is soon searched.
    let time = Budget { time: Some(std::time::Duration::ZERO), ..Budget::default() };
    let mut player = Puct::new(UniformNetwork, Budget::default());
    assert!(player.decide(turn, time).nodes >= 2);
    assert_eq!(player.analyse(turn, nodes(40)).moves.len(), 3);
}

#[test]
fn what_is_known_is_searched_no_further() {
    /// An evaluation that knows the exact value of the second of two positions.
    struct Second;
    impl Evaluator<Literal> for Second {
        fn evaluate(&self, _: &Literal) -> f32 {
            0.5
        }
        fn exact(&self, position: &Literal) -> Option<f32> {
            // The value is for the side to move, which is the second one.
            (position.to_string().starts_with("{[--]}")).then_some(0.25)
        }
    }
    let (position, roll) = read("{[{[++]}{[--]}]} 2 1");
    let turn = Turn { position: &position, roll };
    let grown = |known: Option<std::sync::Arc<dyn Evaluator<Literal>>>| {
        let search = Search::new(turn, SELECTION, Root::Puct, 40, Random::new(1));
        let mut search = search.with_exact(known);
        let (mut requests, mut predictions, mut requested) =
            (vec![], Predictions::default(), vec![]);
        while search.visits() < 41 {
            requests.clear();
            search.gather(1, 41, &mut requests);
            UniformNetwork.infer(&requests, &mut predictions);
            predictions.iter().for_each(|prediction| search.apply(prediction));
            requested.extend(requests.iter().map(|requested| requested.position.to_string()));
        }
        (search, requested)
    };
    let (blind, requested) = grown(None);
    assert!(requested.iter().any(|position| position.starts_with("{[--]}")));
    assert!(blind.moves()[1].value.unwrap() > 0.8);
    let (search, requested) = grown(Some(std::sync::Arc::new(Second)));
    assert!(!requested.iter().any(|position| position.starts_with("{[--]}")), "{requested:?}");
    assert_eq!(search.moves()[1].value, Some(0.75));
}

#[test]
fn a_tree_that_is_kept_has_what_was_found_below() {
    let text = "{[{5[{[+-]}{[--+]}]1[{[+]}-]}{[+-]}]} 1 1";
    let (position, roll) = read(text);
    let grow = |search: &mut Search<Literal>, simulations: u32| {
        let (mut requests, mut predictions) = (vec![], Predictions::default());
        while search.visits() < simulations {
            requests.clear();
            search.gather(1, simulations, &mut requests);
            UniformNetwork.infer(&requests, &mut predictions);
            predictions.iter().for_each(|prediction| search.apply(prediction));
        }
    };
    let turn = Turn { position: &position, roll };
    let mut search = Search::new(turn, SELECTION, Root::Puct, 300, Random::new(1));
    grow(&mut search, 300);
    let mut after = position.clone();
    after.play(roll, turn.moves()[0]);
    for roll in after.rolls() {
        let later = Turn { position: &after, roll: roll.item };
        let mut reused = search.clone();
        assert!(reused.advance(later));
        let visits = reused.visits();
        assert!(visits > 10 && visits < 300, "{visits}");
        // What was found below a turn is what a search from that turn finds in as many simulations,
        // apart from the first-play urgency, which is different at a root.
        let own = Selection { first_play: FirstPlay::Below(0.0), ..SELECTION };
        let mut fresh = Search::new(later, own, Root::Puct, 300, Random::new(1));
        grow(&mut fresh, visits);
        assert_eq!(reused.moves().len(), fresh.moves().len());
        assert!((reused.value() - fresh.value()).abs() < 0.1);
        grow(&mut reused, visits + 50);
        assert_eq!(reused.visits(), visits + 50);
        assert_eq!(reused.moves().iter().map(|mv| mv.visits).sum::<u32>(), visits + 49);
    }
    // A turn that no simulation has met is not in the tree.
    let (other, roll) = read("{[+-]} 1 1");
    assert!(!search.advance(Turn { position: &other, roll }));
}

#[test]
fn a_player_that_keeps_its_tree_forgets_it_before_a_game() {
    let (position, roll) = read("{[{5[{[+-]}{[--+]}]1[{[+]}-]}{[+-]}]} 1 1");
    let turn = Turn { position: &position, roll };
    let nodes = Budget { nodes: Some(30), ..Budget::default() };
    let mut player = Puct::new(UniformNetwork, nodes).reusing(true);
    let simulations = |player: &mut Puct<Literal, _>| player.decide(turn, nodes).nodes;
    // The turn is the same and was evaluated already, so each decision makes 30 more simulations.
    assert_eq!([0; 3].map(|_| simulations(&mut player)), [31, 30, 30]);
    player.begin(Random::new(1));
    assert_eq!(simulations(&mut player), 31);
}
