//! Exact values of `EinStein würfelt nicht!`, the symmetries that keep them, and the Zweistein
//! evaluation against a plain solver of EWN-simple.

use std::collections::HashMap;
use std::marker::PhantomData;

use crate::naive::Naive;
use wurfel_core::{Evaluator, Game, Random, Side, Weighted, draw};
use wurfel_games::einstein::{
    Cube, DistanceToCorner, Einstein, EinsteinNearest, Nearest, Official, Position, RuleSet,
    Zweistein,
};
use wurfel_games::{Playable, UseEvaluation};

/// Solves a game by trying each face of the dice by itself and each move. Values are the win
/// probability of the first side.
struct Solver<G> {
    solved: HashMap<G, f64>,
}

impl<G: Game> Solver<G> {
    fn new() -> Self {
        Self { solved: HashMap::new() }
    }

    fn value(&mut self, position: &G) -> f64 {
        if let Some(outcome) = position.outcome() {
            return f64::from(outcome.value_for(Side::First));
        }
        if let Some(&value) = self.solved.get(position) {
            return value;
        }
        let (mut sum, mut chances) = (0.0, 0);
        for face in G::DICE {
            if let Some(best) = self.best(position, face.item) {
                sum += f64::from(face.weight) * best;
                chances += face.weight;
            }
        }
        let value = sum / f64::from(chances);
        self.solved.insert(position.clone(), value);
        value
    }

    /// The value after the roll; `None` when there is no legal move.
    fn best(&mut self, position: &G, roll: G::Roll) -> Option<f64> {
        let values = position.moves(roll).as_ref().to_vec().into_iter().map(|mv| {
            let mut next = position.clone();
            match next.play(roll, mv) {
                None => self.value(&next),
                Some(rest) => self.best(&next, rest).expect("a side that goes on has a move"),
            }
        });
        match position.side() {
            Side::First => values.reduce(f64::max),
            Side::Second => values.reduce(f64::min),
        }
    }
}

/// Red's win probability before the roll, with red and with blue to roll.
fn values<R: RuleSet>(board: &str) -> [f64; 2] {
    let mut solver = Solver::new();
    ["r", "b"].map(|side| {
        let position: Position<R> = format!("{board} {side}").parse().expect("a position");
        solver.value(&position)
    })
}

fn assert_near(actual: [f64; 2], expected: [f64; 2], tolerance: f64, what: &str) {
    for (actual, expected) in actual.into_iter().zip(expected) {
        assert!((actual - expected).abs() < tolerance, "{what}: {actual}, not {expected}");
    }
}

/// The values come from another program; the third row is the ignored test below.
#[test]
fn the_values_of_the_rules_page_come_out() {
    for (board, expected) in [
        // Red 1@0 6@6; blue 1@24 6@18.
        ("A4/1F3/5/3f1/4a", [0.364_613_295, 0.635_386_705]),
        // Red 2@6 5@2; blue 3@18 4@22.
        ("2E2/1B3/5/3c1/2d2", [0.737_611_454, 0.551_183_128]),
        // Red 3@12; blue 1@24 2@23 3@22.
        ("5/5/2C2/5/2cba", [95.0 / 108.0, 68.0 / 81.0]),
    ] {
        assert_near(values::<Official>(board), expected, 1e-8, board);
    }
}

/// The values come from another solver, for both rule sets.
#[test]
fn the_golden_values_come_out() {
    for (board, official, nearest) in [
        (
            "A4/1E3/5/5/3c1",
            [0.964_977_709_191, 0.782_407_407_407],
            [0.829_732_510_288, 0.574_074_074_074],
        ),
        (
            "1A3/3D1/3b1/5/1f3",
            [0.852_693_176_209, 0.475_242_478_263],
            [0.723_030_872_665, 0.489_134_024_285],
        ),
        (
            "5/1BC2/2f2/1e3/5",
            [0.464_144_185_338, 0.163_275_415_333],
            [0.464_144_185_338, 0.163_275_415_333],
        ),
        (
            "3Ac/5/5/5/D1f2",
            [0.849_265_631_858, 0.124_662_969_977],
            [0.739_700_173_679, 0.237_794_976_300],
        ),
        (
            "F4/4a/5/e4/3c1",
            [0.626_028_806_584, 0.336_805_555_556],
            [0.626_028_806_584, 0.364_711_934_156],
        ),
        ("5/5/A3d/BF3/5", [0.726_851_851_852, 0.296_296_296_296], [0.477_623_456_790, 0.125]),
    ] {
        assert_near(values::<Official>(board), official, 1e-11, board);
        assert_near(values::<Nearest>(board), nearest, 1e-11, board);
    }
}

/// Values for the side to roll, for positions in which only cubes 1, 3 and 6 of each side live.
struct ThreeEach {
    solved: HashMap<u32, f64>,
}

impl ThreeEach {
    /// The squares of the six cubes as the side to roll sees them, so that the two sides share what
    /// was solved.
    fn key(position: &Einstein) -> u32 {
        let mover = position.side();
        [mover, !mover].into_iter().fold(0, |key, side| {
            [0, 2, 5].into_iter().fold(key, |key, cube| {
                let cell = position.cell(side, Cube::ALL[cube]).map_or(31, |cell| {
                    let index = cell.index() as u32;
                    if mover == Side::First { index } else { 24 - index }
                });
                key << 5 | cell
            })
        })
    }

    fn value(&mut self, position: &Einstein) -> f64 {
        if let Some(outcome) = position.outcome() {
            return f64::from(outcome.value_for(position.side()));
        }
        let key = Self::key(position);
        if let Some(&value) = self.solved.get(&key) {
            return value;
        }
        let mut sum = 0.0;
        for roll in position.rolls() {
            let mut best = 0.0;
            for &mv in position.moves(roll.item).as_ref() {
                let mut next = *position;
                next.play(roll.item, mv);
                best = f64::max(best, 1.0 - self.value(&next));
            }
            sum += f64::from(roll.weight) * best;
        }
        self.solved.insert(key, sum / 6.0);
        sum / 6.0
    }
}

#[test]
#[ignore = "83 million positions, two minutes and 1.2 GB: run with `cargo test -p wurfel-games --test all einstein_values -- --ignored`"]
fn the_value_of_three_cubes_against_three_comes_out() {
    let mut solver = ThreeEach { solved: HashMap::with_capacity(50_000_000) };
    let red: Einstein = "AC3/F4/5/4f/3ca r".parse().unwrap();
    let blue: Einstein = "AC3/F4/5/4f/3ca b".parse().unwrap();
    let actual = [solver.value(&red), 1.0 - solver.value(&blue)];
    assert_near(actual, [0.525_600_520, 0.474_399_480], 1e-8, "three against three");
}

/// The symmetries: the name, the map of this crate, and the map of the twin.
type Symmetry<R> = (&'static str, fn(&Position<R>) -> Position<R>, fn(&Naive) -> Naive);

fn symmetries<R: RuleSet>() -> [Symmetry<R>; 4] {
    [
        ("mirrored", Position::mirrored, Naive::mirrored),
        ("colours swapped", Position::colours_swapped, Naive::colours_swapped),
        ("red reversed", |p| p.numbers_reversed(Side::First), |t| t.numbers_reversed(true)),
        ("blue reversed", |p| p.numbers_reversed(Side::Second), |t| t.numbers_reversed(false)),
    ]
}

/// Whether the symmetry reverses the numbers of the die for the side to roll.
fn reverses<R: RuleSet>(name: &str, position: &Position<R>) -> bool {
    matches!(
        (name, position.side()),
        ("red reversed", Side::First) | ("blue reversed", Side::Second)
    )
}

/// A position before the end with this many red and blue cubes scattered over the board.
fn scattered<R: RuleSet>(red: usize, blue: usize, random: &mut Random) -> (Position<R>, Naive) {
    let mut cells = [0; 25];
    for (sign, count, goal) in [(1, red, 24), (-1, blue, 0)] {
        let mut numbers = [1, 2, 3, 4, 5, 6];
        random.shuffle(&mut numbers);
        for number in &numbers[..count] {
            let free: Vec<usize> =
                (0..25).filter(|&cell| cells[cell] == 0 && cell != goal).collect();
            cells[*random.pick(&free)] = sign * number;
        }
    }
    let red_to_move = random.below(2) == 0;
    let twin = Naive { cells, red_to_move, ply: random.below(30) + 1, nearest: false };
    (twin.text(None).parse().expect("a position"), twin)
}

#[test]
fn symmetries_are_those_of_the_naive_twin_and_their_own_inverse() {
    let mut random = Random::new(1);
    for _ in 0..3000 {
        let (red, blue) = (random.below(6) as usize + 1, random.below(6) as usize + 1);
        let (position, twin) = scattered::<Official>(red, blue, &mut random);
        for (name, image, twin_image) in symmetries() {
            let mapped = image(&position);
            assert_eq!(mapped.to_string(), twin_image(&twin).text(None), "{name}");
            assert_eq!(image(&mapped), position, "{name}: {position}");
            assert_eq!(image(&mapped).to_string(), position.to_string(), "{name}");
            let read: Einstein = mapped.to_string().parse().unwrap();
            assert_eq!(read, mapped, "{name}: {position}");
            assert_eq!(read.outcome(), mapped.outcome(), "{name}: {position}");
            for side in Side::BOTH {
                assert_eq!(read.distance_code(side), mapped.distance_code(side), "{name}");
            }
        }
    }
}

/// The moves of the image are the images of the moves, roll by roll.
fn assert_moves_are_kept<R: RuleSet>(position: &Position<R>) {
    let after = |position: &Position<R>, die, image: fn(&Position<R>) -> Position<R>| {
        let moves = position.moves(die);
        let mut after: Vec<String> = moves
            .as_ref()
            .iter()
            .map(|&mv| {
                let mut next = *position;
                next.play(die, mv);
                image(&next).to_string()
            })
            .collect();
        after.sort_unstable();
        after
    };
    for (name, image, _) in symmetries::<R>() {
        let mapped = image(position);
        for face in 0..6 {
            let turned = if reverses(name, position) { 5 - face } else { face };
            let (die, turned) = (Position::<R>::DICE[face].item, Position::<R>::DICE[turned].item);
            let images = after(position, die, image);
            assert_eq!(images, after(&mapped, turned, |next| *next), "{name} {die}: {position}");
        }
    }
}

#[test]
fn symmetries_keep_the_moves() {
    let mut random = Random::new(2);
    for _ in 0..1000 {
        let (red, blue) = (random.below(6) as usize + 1, random.below(6) as usize + 1);
        assert_moves_are_kept(&scattered::<Official>(red, blue, &mut random).0);
        assert_moves_are_kept(&scattered::<Nearest>(red, blue, &mut random).0);
    }
}

fn assert_values_are_kept<R: RuleSet>(positions: u32, random: &mut Random) {
    for n in 0..positions {
        let (red, blue) = if n % 2 == 0 { (2, 1) } else { (1, 2) };
        let (position, _) = scattered::<R>(red, blue, random);
        let value = Solver::new().value(&position);
        for (name, image, _) in symmetries::<R>() {
            let mapped = Solver::new().value(&image(&position));
            let expected = if name == "colours swapped" { 1.0 - value } else { value };
            assert!((mapped - expected).abs() < 1e-12, "{name} {mapped} {expected}: {position}");
        }
    }
}

#[test]
fn symmetries_keep_the_exact_value() {
    assert_values_are_kept::<Official>(20, &mut Random::new(3));
    assert_values_are_kept::<Nearest>(20, &mut Random::new(4));
}

/// Checks that an evaluation keeps the symmetries, in positions of every kind.
struct KeepsSymmetries<R> {
    name: &'static str,
    rules: PhantomData<R>,
}

impl<R: RuleSet> UseEvaluation<Position<R>> for KeepsSymmetries<R> {
    type Output = ();

    fn with<E: Evaluator<Position<R>> + 'static>(self, evaluator: E) {
        let mut random = Random::new(5);
        let (mut least, mut most) = (1.0f32, 0.0f32);
        for _ in 0..3000 {
            let (red, blue) = (random.below(6) as usize + 1, random.below(6) as usize + 1);
            let (position, _) = scattered::<R>(red, blue, &mut random);
            let value = evaluator.evaluate(&position);
            assert!((0.0..=1.0).contains(&value), "{} {value}: {position}", self.name);
            (least, most) = (least.min(value), most.max(value));
            for (name, image, _) in symmetries::<R>() {
                // The learned evaluation has learned the mirror symmetry only from examples.
                if (self.name, name) == ("learned", "mirrored") {
                    continue;
                }
                let mapped = evaluator.evaluate(&image(&position));
                let at = format!("{} {name} {mapped} {value}: {position}", self.name);
                assert!((mapped - value).abs() < 1e-5, "{at}");
            }
        }
        assert!(least < 0.35 && most > 0.65, "{}: from {least} to {most} only", self.name);
    }
}

/// Checks that an evaluation that continues from a position finds the same values as one that
/// starts anew.
struct GoesOn(&'static str);

impl<R: RuleSet> UseEvaluation<Position<R>> for GoesOn {
    type Output = ();

    #[allow(clippy::float_cmp, reason = "the same to the bit is what is asked")]
    fn with<E: Evaluator<Position<R>> + 'static>(self, evaluator: E) {
        let mut random = Random::new(6);
        for _ in 0..1000 {
            let (red, blue) = (random.below(6) as usize + 1, random.below(6) as usize + 1);
            let (position, _) = scattered::<R>(red, blue, &mut random);
            let near = evaluator.near(&position);
            for &Weighted { item: die, .. } in position.rolls() {
                for &mv in position.moves(die).as_ref() {
                    let mut next = position;
                    next.play(die, mv);
                    if next.outcome().is_none() {
                        assert_eq!(near(&next), evaluator.evaluate(&next), "{} {next}", self.0);
                    }
                }
            }
        }
    }
}

#[test]
fn every_evaluation_goes_on_from_a_position_as_it_scores_anew() {
    for evaluation in Einstein::EVALUATIONS {
        Einstein::evaluation(evaluation.name, GoesOn(evaluation.name)).unwrap();
        EinsteinNearest::evaluation(evaluation.name, GoesOn(evaluation.name)).unwrap();
    }
}

#[test]
fn symmetries_keep_every_evaluation() {
    fn keep<R: RuleSet>() {
        for evaluation in Position::<R>::EVALUATIONS {
            let test = KeepsSymmetries { name: evaluation.name, rules: PhantomData::<R> };
            Position::<R>::evaluation(evaluation.name, test).expect("a listed evaluation");
        }
    }
    keep::<Official>();
    keep::<Nearest>();
}

/// EWN-simple without tables or codes, on the distances of cubes 1 to 6; 0 stands for a captured
/// cube.
struct Simple {
    nearest: bool,
    solved: HashMap<[u16; 6], [f64; 20]>,
}

/// Differences below this are rounding: the means are sums of some hundred
/// products.
const TIE: f64 = 1e-10;

impl Simple {
    fn new(nearest: bool) -> Self {
        Self { nearest, solved: HashMap::new() }
    }

    fn movable(&self, distances: [u16; 6], die: usize) -> Vec<usize> {
        if distances[die] > 0 {
            return vec![die];
        }
        let lower = (0..die).rev().find(|&cube| distances[cube] > 0);
        let higher = (die + 1..6).find(|&cube| distances[cube] > 0);
        match (lower, higher) {
            (Some(lower), Some(higher)) if self.nearest && die - lower < higher - die => {
                vec![lower]
            }
            (Some(lower), Some(higher)) if self.nearest && die - lower > higher - die => {
                vec![higher]
            }
            _ => lower.into_iter().chain(higher).collect(),
        }
    }

    /// P(DTC = *i*) for *i* from 0 to 19.
    fn distribution(&mut self, distances: [u16; 6]) -> [f64; 20] {
        if let Some(&solved) = self.solved.get(&distances) {
            return solved;
        }
        let mut sum = [0.0; 20];
        for die in 0..6 {
            let mut best: Option<[f64; 20]> = None;
            for cube in self.movable(distances, die) {
                let mut next = distances;
                next[cube] -= 1;
                let after = if next[cube] == 0 {
                    let mut arrived = [0.0; 20];
                    arrived[0] = 1.0;
                    arrived
                } else {
                    self.distribution(next)
                };
                if best.is_none_or(|best| is_better(&after, &best)) {
                    best = Some(after);
                }
            }
            let best = best.expect("a side has a cube");
            for turns in 1..20 {
                sum[turns] += best[turns - 1] / 6.0;
            }
        }
        self.solved.insert(distances, sum);
        sum
    }

    /// The win probability of the side to roll: it arrives in its turn *i*, and the other side has
    /// not arrived before its own turn *i*.
    fn win(&mut self, to_roll: [u16; 6], other: [u16; 6]) -> f64 {
        let (own, other) = (self.distribution(to_roll), self.distribution(other));
        let mut win = 0.0;
        for (i, own) in own.iter().enumerate() {
            for other in &other[i..] {
                win += own * other;
            }
        }
        win
    }
}

fn mean(distribution: &[f64; 20]) -> f64 {
    (0..20).map(|turns| turns as f64 * distribution[turns]).sum()
}

/// Whether `left` is better: it has the smaller mean. The paper leaves equal means open; here, as
/// in the crate, the distribution that is more likely to arrive early is better.
fn is_better(left: &[f64; 20], right: &[f64; 20]) -> bool {
    let (left_mean, right_mean) = (mean(left), mean(right));
    if (left_mean - right_mean).abs() > TIE {
        return left_mean < right_mean;
    }
    let apart = (0..20).find(|&turns| (left[turns] - right[turns]).abs() > TIE);
    apart.is_some_and(|turns| left[turns] > right[turns])
}

/// Digit *i* in base 5 is the distance of cube *i* + 1.
fn code(distances: [u16; 6]) -> u16 {
    (0..6).map(|cube| distances[cube as usize] * 5u16.pow(cube)).sum()
}

fn distances(random: &mut Random) -> [u16; 6] {
    loop {
        let distances = [(); 6].map(|()| random.below(5) as u16);
        if distances != [0; 6] {
            return distances;
        }
    }
}

#[test]
fn every_distance_to_corner_is_what_a_plain_solver_finds() {
    fn compare<R: RuleSet>(nearest: bool) {
        let mut simple = Simple::new(nearest);
        let table = DistanceToCorner::<R>::new();
        for number in 1..5u16.pow(6) {
            let distances = std::array::from_fn(|cube| number / 5u16.pow(cube as u32) % 5);
            let expected = simple.distribution(distances);
            let actual = table.probabilities(code(distances));
            for turns in 0..20 {
                let difference = (actual[turns] - expected[turns]).abs();
                assert!(difference < 1e-12, "{distances:?}, {turns} turns: {difference}");
            }
            assert!((table.mean(code(distances)) - mean(&expected)).abs() < 1e-12);
        }
    }
    compare::<Official>(false);
    compare::<Nearest>(true);
}

#[test]
fn zweistein_is_the_win_probability_of_the_game_without_captures() {
    fn compare<R: RuleSet>(nearest: bool, random: &mut Random) {
        let mut simple = Simple::new(nearest);
        let zweistein = Zweistein::<R>::new();
        for _ in 0..5000 {
            let (own, other) = (distances(random), distances(random));
            let expected = simple.win(own, other);
            let actual = f64::from(zweistein.value(code(own), code(other)));
            assert!((actual - expected).abs() < 1e-6, "{own:?} {other:?}: {actual} {expected}");
        }
    }
    compare::<Official>(false, &mut Random::new(7));
    compare::<Nearest>(true, &mut Random::new(8));
}

/// Along random games, the evaluation is that of the cubes on the board, so no capture is
/// forgotten.
#[test]
fn zweistein_sees_the_cubes_on_the_board() {
    fn compare<R: RuleSet>(nearest: bool, random: &mut Random) {
        let mut simple = Simple::new(nearest);
        let zweistein = Zweistein::<R>::new();
        for _ in 0..500 {
            let mut position = Position::<R>::default().setup(random);
            while position.outcome().is_none() {
                let away = |side: Side| {
                    let mut distances = [0; 6];
                    for (cube, cell) in position.cubes(side) {
                        let (row, column) = (u16::from(cell.row()), u16::from(cell.column()));
                        distances[cube.index()] = match side {
                            Side::First => u16::max(4 - row, 4 - column),
                            Side::Second => u16::max(row, column),
                        };
                    }
                    distances
                };
                let side = position.side();
                let expected = simple.win(away(side), away(!side));
                let actual = f64::from(zweistein.evaluate(&position));
                assert!((actual - expected).abs() < 1e-6, "{actual} {expected}: {position}");
                let die = draw(Position::<R>::DICE, random);
                let mv = *random.pick(position.moves(die).as_ref());
                position.play(die, mv);
            }
        }
    }
    compare::<Official>(false, &mut Random::new(9));
    compare::<Nearest>(true, &mut Random::new(10));
}

/// Where a cube is close enough to be sure of arriving first, nothing can be captured in time, and
/// EWN-simple is the same as the game itself.
#[test]
fn zweistein_is_exact_when_a_cube_is_one_step_away() {
    let zweistein = Zweistein::<Nearest>::new();
    let position: EinsteinNearest = "4a/5/5/3F1/5 r".parse().unwrap();
    assert!((zweistein.evaluate(&position) - 1.0).abs() < 1e-6);
    assert!((values::<Nearest>("4a/5/5/3F1/5")[0] - 1.0).abs() < 1e-12);
}
