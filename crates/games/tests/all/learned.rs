//! Features of `EinStein würfelt nicht!`, and the learned evaluation against a plain implementation
//! and against exact values.

use std::collections::{HashMap, HashSet};

use crate::naive::Naive;
use wurfel_core::{Evaluator, Features, Game, Random, Side, draw};
use wurfel_games::einstein::{Einstein, Nearest, Official, Position, RuleSet, Zweistein, learned};
use wurfel_games::learned::{
    FeatureRow, Learned, LogOdds, ONE, OUT_ONE, UNITS, Weights, WeightsError,
};
use wurfel_games::{Learnable, Playable};

/// A position before the end with this many red and blue cubes scattered over the board.
fn scattered<R: RuleSet>(red: usize, blue: usize, random: &mut Random) -> Position<R> {
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
    twin.text(None).parse().expect("a position")
}

fn anywhere<R: RuleSet>(random: &mut Random) -> Position<R> {
    let (red, blue) = (random.below(6) as usize + 1, random.below(6) as usize + 1);
    scattered(red, blue, random)
}

/// The features that `viewer` sees, in ascending order.
fn seen<G: Features>(position: &G, viewer: Side) -> Vec<usize> {
    let mut list = vec![];
    position.features(viewer, |feature| list.push(feature));
    list.sort_unstable();
    list
}

fn features<G: Features>(position: &G) -> Vec<usize> {
    seen(position, position.side())
}

#[test]
fn every_cube_is_a_feature_in_range() {
    fn check<R: RuleSet>(random: &mut Random) {
        for _ in 0..3000 {
            let position = anywhere::<R>(random);
            let cubes: usize = Side::BOTH.map(|side| position.cubes(side).count()).iter().sum();
            for viewer in Side::BOTH {
                let list = seen(&position, viewer);
                assert_eq!(list.len(), cubes, "{position}");
                assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{position}: {list:?}");
                assert!(list.iter().all(|&feature| feature < Position::<R>::FEATURES));
            }
        }
    }
    check::<Official>(&mut Random::new(1));
    check::<Nearest>(&mut Random::new(2));
}

/// The smallest board text among all positions that colour swap and number reversal make of this
/// one.
fn canonical<R: RuleSet>(position: &Position<R>) -> String {
    let seen = if position.side() == Side::First { *position } else { position.colours_swapped() };
    let own = [seen, seen.numbers_reversed(Side::First)];
    let all = own.iter().flat_map(|seen| [*seen, seen.numbers_reversed(Side::Second)]);
    let boards = all.map(|seen| seen.to_string().split(' ').next().unwrap_or_default().to_owned());
    boards.min().expect("four boards")
}

/// Colour swap and number reversal change no feature; every other difference does.
#[test]
fn positions_have_the_same_features_exactly_when_they_are_equal_by_symmetry() {
    fn check<R: RuleSet>(random: &mut Random) {
        for _ in 0..3000 {
            let position = anywhere::<R>(random);
            for image in [
                position.colours_swapped(),
                position.numbers_reversed(Side::First),
                position.numbers_reversed(Side::Second),
            ] {
                assert_eq!(features(&position), features(&image), "{position}, {image}");
            }
        }
        let mut known: HashMap<Vec<usize>, String> = HashMap::new();
        let mut boards = HashSet::new();
        for _ in 0..100_000 {
            let (red, blue) = *random.pick(&[(1, 1), (2, 1), (1, 2)]);
            let position = scattered::<R>(red, blue, random);
            let board = canonical(&position);
            boards.insert(board.clone());
            let first = known.entry(features(&position)).or_insert_with(|| board.clone());
            assert_eq!(*first, board, "{position}");
        }
        assert_eq!(known.len(), boards.len());
        assert!(boards.len() < 90_000, "no two were equal");
    }
    check::<Official>(&mut Random::new(3));
    check::<Nearest>(&mut Random::new(4));
}

/// Where the living numbers are their own reverse, all cubes together decide which of the two
/// readings is taken.
#[test]
fn one_pair_of_counterparts_cannot_trade_names_alone() {
    let seen = |board: &str| features(&format!("{board} r").parse::<Einstein>().unwrap());
    let start = seen("ABC2/DE3/F3f/3ed/2cba");
    assert_ne!(start, seen("FBC2/DE3/A3f/3ed/2cba"), "1 and 6 of red");
    assert_ne!(start, seen("ABD2/CE3/F3f/3ed/2cba"), "3 and 4 of red");
    assert_ne!(start, seen("ABC2/DE3/F3f/3bd/2cea"), "2 and 5 of blue");
    assert_eq!(start, seen("FED2/CB3/A3f/3ed/2cba"), "all of red");
    assert_eq!(start, seen("ABC2/DE3/F3a/3bc/2def"), "all of blue");
}

/// Whether the move changed the order of the squares of the moving side's outermost numbers.
fn turns<R: RuleSet>(before: &Position<R>, after: &Position<R>) -> bool {
    let order = |position: &Position<R>| {
        let cells: Vec<_> = position.cubes(before.side()).map(|(_, cell)| cell).collect();
        cells[0] < cells[cells.len() - 1]
    };
    order(before) != order(after)
}

#[test]
fn changes_are_the_difference_of_the_features() {
    fn check<R: RuleSet>(random: &mut Random) {
        let (mut distinguished, mut identical) = (0, 0);
        for _ in 0..2000 {
            let before = anywhere::<R>(random);
            for roll in before.rolls() {
                for &mv in before.moves(roll.item).as_ref() {
                    let mut after = before;
                    after.play(roll.item, mv);
                    let viewer = after.side();
                    let (mut gone, mut new) = (vec![], vec![]);
                    if !after.changes(&before, |f| gone.push(f), |f| new.push(f)) {
                        assert!(gone.is_empty() && new.is_empty(), "{before} {mv}");
                        let taken = before.at(mv.to()).is_some();
                        assert!(taken || turns(&before, &after), "{before} {mv}");
                        identical += 1;
                        continue;
                    }
                    distinguished += 1;
                    let mut expected = seen(&before, viewer);
                    for feature in gone {
                        let place = expected.iter().position(|&known| known == feature);
                        expected.remove(place.expect("it was there"));
                    }
                    expected.extend(new);
                    expected.sort_unstable();
                    assert_eq!(expected, seen(&after, viewer), "{before} {mv}");
                }
            }
        }
        assert!(distinguished > 10_000 && identical > 1000, "{distinguished} {identical}");
    }
    check::<Official>(&mut Random::new(5));
    check::<Nearest>(&mut Random::new(6));
}

/// A kind is a side (to move or not), a number of faces that let the cube move, and a square. The
/// faces are those of the official rules.
#[test]
fn a_kind_is_a_side_a_number_of_faces_and_a_square() {
    let mut random = Random::new(7);
    let mut met = HashSet::new();
    for _ in 0..10_000 {
        let position = anywhere::<Official>(&mut random);
        let viewer = position.side();
        let board = position.to_string();
        let board = board.split(' ').next().unwrap();
        let mut expected = vec![];
        for (n, side) in [viewer, !viewer].into_iter().enumerate() {
            let letter = if side == Side::First { 'r' } else { 'b' };
            let rolls: Einstein = format!("{board} {letter}").parse().unwrap();
            let mut faces = [0; 6];
            for face in Einstein::DICE {
                let moves = rolls.moves(face.item);
                let cubes: HashSet<usize> =
                    moves.as_ref().iter().map(|mv| mv.cube().index()).collect();
                for cube in cubes {
                    faces[cube] += 1;
                }
            }
            for (cube, cell) in position.cubes(side) {
                let cell = if viewer == Side::First { cell.index() } else { 24 - cell.index() };
                expected.push((n * 6 + faces[cube.index()] - 1) * 25 + cell);
            }
        }
        let mut kinds: Vec<usize> = features(&position).into_iter().map(Einstein::kind).collect();
        kinds.sort_unstable();
        expected.sort_unstable();
        assert_eq!(kinds, expected, "{position}");
        met.extend(kinds);
    }
    // For each side there are six numbers of faces on the 24 squares other than its goal.
    assert_eq!(met.len(), 2 * 6 * 24);
    assert!((0..Einstein::FEATURES).all(|feature| Einstein::kind(feature) < Einstein::KINDS));
}

#[test]
fn the_twin_is_the_mirror_image() {
    let mut random = Random::new(8);
    let mut others = 0;
    for _ in 0..1000 {
        let position = anywhere::<Official>(&mut random);
        let twin = position.twin();
        // That mirror images have equal values is tested together with the symmetries.
        assert_eq!(twin, position.mirrored());
        assert_eq!((twin.twin(), twin.side()), (position, position.side()));
        others += u32::from(features(&twin) != features(&position));
    }
    assert!(others > 900, "{others}");
}

fn row(random: &mut Random, range: u32) -> FeatureRow {
    std::array::from_fn(|_| random.below(2 * range + 1) as i16 - range as i16)
}

/// Parameters drawn uniformly from −`range` to `range`, and output weights from −`out` to `out`.
fn weights(range: u32, out: u32, random: &mut Random) -> Weights {
    Weights {
        rows: (0..Einstein::FEATURES).map(|_| row(random, range)).collect(),
        bias: row(random, range),
        out: row(random, out),
        constant: random.below(1 << 17) as i32 - (1 << 16),
    }
}

/// A base with the same value everywhere.
#[derive(Clone, Copy, Default)]
struct Flat(f32);

impl<G> LogOdds<G> for Flat {
    fn log_odds(&self, _: &G) -> f32 {
        self.0
    }
}

/// The evaluation by its definition in plain arithmetic, and how many hidden units are clipped
/// below, not at all, and above.
fn plainly(weights: &Weights, odds: f64, position: &Einstein) -> (f64, [usize; 3]) {
    let mut clipped = [0; 3];
    let mut odds = odds + f64::from(weights.constant) / 65536.0;
    for unit in 0..UNITS {
        let rows = features(position).into_iter().map(|feature| weights.rows[feature][unit]);
        let sum = f64::from(weights.bias[unit]) + rows.map(f64::from).sum::<f64>();
        let sum = sum / f64::from(ONE);
        clipped[if sum < 0.0 { 0 } else { 1 + usize::from(sum > 1.0) }] += 1;
        odds += sum.clamp(0.0, 1.0).powi(2) * f64::from(weights.out[unit]) / f64::from(OUT_ONE);
    }
    (1.0 / (1.0 + (-odds).exp()), clipped)
}

#[test]
fn the_evaluation_is_what_plain_arithmetic_gives() {
    let mut random = Random::new(9);
    // Sums within the clipping range, at both ends of it, and far beyond it (as far as 16 bits hold
    // the sum of twelve rows), and the widest output weights.
    for (range, out) in [(30, 30), (200, 8), (2500, 4), (200, 127), (2500, 127)] {
        let weights = weights(range, out, &mut random);
        let flat = Flat(0.3);
        let learned = Learned::new(flat, &weights);
        let mut clipped = [0; 3];
        let mut between = 0;
        for _ in 0..500 {
            let position = anywhere::<Official>(&mut random);
            let (expected, now) = plainly(&weights, f64::from(flat.0), &position);
            let actual = f64::from(learned.evaluate(&position));
            assert!((actual - expected).abs() < 1e-4, "{range} {out}: {actual} {expected}");
            for n in 0..3 {
                clipped[n] += now[n];
            }
            between += u32::from((0.01..0.99).contains(&expected));
        }
        assert!(clipped.iter().all(|&count| count > 0) || range == 30, "{range}: {clipped:?}");
        assert!(between > 100 || out == 127, "{range} {out}: {between}");
    }
}

#[test]
fn the_base_is_added() {
    let mut random = Random::new(10);
    let none = Weights { rows: vec![[0; UNITS]; Einstein::FEATURES], ..weights(0, 0, &mut random) };
    let none = Weights { constant: 0, ..none };
    let zweistein = Zweistein::<Official>::new();
    let odds = <Einstein as Learnable>::Base::default();
    let learned = Learned::new(odds, &none);
    for _ in 0..1000 {
        let position = anywhere::<Official>(&mut random);
        let (actual, base) = (learned.evaluate(&position), zweistein.evaluate(&position));
        // The base is limited to probabilities from a thousandth to 1 less a thousandth.
        assert!((actual - base.clamp(0.0009, 0.9991)).abs() < 1e-4, "{actual} {base}: {position}");
    }
}

#[test]
fn a_file_of_parameters_comes_back() {
    let mut random = Random::new(11);
    for range in [0, 1, 300, 16_000] {
        let weights = weights(range, 127, &mut random);
        let bytes = weights.to_bytes();
        assert_eq!(Weights::from_bytes(&bytes, Einstein::FEATURES).as_ref(), Ok(&weights));
        let other = Weights { constant: weights.constant + 1, ..weights.clone() };
        assert_ne!(other.checksum(), weights.checksum());
        assert_eq!(weights.clone().checksum(), weights.checksum());
    }
}

#[test]
fn a_damaged_file_of_parameters_is_refused() {
    let mut random = Random::new(12);
    let count = 7;
    let mut whole = weights(300, 127, &mut random);
    whole.rows.truncate(count);
    let bytes = whole.to_bytes();
    assert_eq!(Weights::from_bytes(&bytes, count).as_ref(), Ok(&whole));
    for length in 0..bytes.len() {
        assert!(Weights::from_bytes(&bytes[..length], count).is_err(), "{length} bytes");
    }
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << bit;
            assert!(Weights::from_bytes(&flipped, count).is_err(), "byte {place}, bit {bit}");
        }
    }
    for longer in [&b"\0"[..], b"\0\0", b"01234567", &[0; 2 * UNITS]] {
        assert!(Weights::from_bytes(&[&bytes[..], longer].concat(), count).is_err());
    }
    for other in [0, count - 1, count + 1, Einstein::FEATURES] {
        assert_eq!(Weights::from_bytes(&bytes, other), Err(WeightsError::Damaged));
    }
    for foreign in [&b""[..], b"\n", b"wurfel learned evaluation 2\n", &[0xFF; 5000]] {
        assert_eq!(Weights::from_bytes(foreign, count), Err(WeightsError::UnknownFormat));
    }
}

/// The exact value for the side to roll, computed face by face.
fn exact<R: RuleSet>(position: &Position<R>, solved: &mut HashMap<Position<R>, f64>) -> f64 {
    if let Some(outcome) = position.outcome() {
        return f64::from(outcome.value_for(position.side()));
    }
    if let Some(&value) = solved.get(position) {
        return value;
    }
    let mut sum = 0.0;
    for face in Position::<R>::DICE {
        let mut best = 0.0;
        for &mv in position.moves(face.item).as_ref() {
            let mut next = *position;
            next.play(face.item, mv);
            best = f64::max(best, 1.0 - exact(&next, solved));
        }
        sum += best / 6.0;
    }
    solved.insert(*position, sum);
    sum
}

/// A position with two cubes against one that random moves have reached.
fn reached<R: RuleSet>(random: &mut Random) -> Position<R> {
    loop {
        let mut position = Position::<R>::default().setup(random);
        while position.outcome().is_none() {
            if Side::BOTH.into_iter().map(|side| position.cubes(side).count()).sum::<usize>() == 3 {
                return position;
            }
            let roll = draw(position.rolls(), random);
            position.play(roll, *random.pick(position.moves(roll).as_ref()));
        }
    }
}

/// The root mean square error of an evaluation on some positions, against the exact values.
fn error<R: RuleSet>(
    evaluator: &impl Evaluator<Position<R>>,
    next: impl Fn(&mut Random) -> Position<R>,
) -> f64 {
    let (mut random, mut solved) = (Random::new(13), HashMap::new());
    let positions = 500;
    let squares: f64 = (0..positions)
        .map(|_| {
            let position = next(&mut random);
            (f64::from(evaluator.evaluate(&position)) - exact(&position, &mut solved)).powi(2)
        })
        .sum();
    (squares / f64::from(positions)).sqrt()
}

/// Three cubes are few for an evaluation that has learned from whole games, and scattered cubes are
/// positions that no game reaches.
#[test]
fn the_parameters_in_the_program_are_nearer_to_the_exact_values_than_the_base() {
    fn check<R: RuleSet>(bounds: [f64; 2]) {
        let (learned, base) = (learned::<R>(), Zweistein::<R>::new());
        let scattered = |random: &mut Random| {
            let (red, blue) = *random.pick(&[(2, 1), (1, 2)]);
            scattered::<R>(red, blue, random)
        };
        let errors = [error(&learned, reached::<R>), error(&learned, scattered)];
        let bases = [error(&base, reached::<R>), error(&base, scattered)];
        for n in 0..2 {
            assert!(errors[n] < bounds[n] && errors[n] < 0.85 * bases[n], "{errors:?} {bases:?}");
        }
    }
    check::<Official>([0.08, 0.2]);
    check::<Nearest>([0.08, 0.2]);
}

/// A position in which red's only cube arrives with every roll.
#[test]
fn the_parameters_in_the_program_know_a_win_at_once() {
    let learned = learned::<Official>();
    for red in [18, 19, 23] {
        for blue in (1..24).filter(|&blue| blue != red) {
            let mut cells = [0; 25];
            (cells[red], cells[blue]) = (3, -4);
            let twin = Naive { cells, red_to_move: true, ply: 9, nearest: false };
            let position: Einstein = twin.text(None).parse().unwrap();
            let value = learned.evaluate(&position);
            assert!(value > 0.99, "{value}: {position}");
        }
    }
}
