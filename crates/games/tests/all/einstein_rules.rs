//! The rules of `EinStein würfelt nicht!` against the naive twin, which was written from the rules
//! text alone, against counts from a third program, and against the contract of [`Game`].

use std::collections::HashSet;

use crate::naive::Naive;
use wurfel_core::{
    Game, Outcome, Random, Side, Situation, Weighted, checksum, conformance, draw, perft,
};
use wurfel_games::Playable;
use wurfel_games::einstein::{
    Cell, Die, Einstein, EinsteinNearest, Move, Nearest, Official, Position, RuleSet,
};

/// Computed by a program that is neither this crate nor the twin.
const OFFICIAL: [u64; 6] = [18, 324, 6162, 117_369, 2_328_378, 46_337_658];
const NEAREST: [u64; 6] = [18, 324, 6162, 117_339, 2_305_550, 45_378_011];

/// The depth to which the twin can count within a second or two.
const TWIN_DEPTH: u32 = 5;

fn twin_at_the_start(nearest: bool) -> Naive {
    Naive { nearest, ..crate::naive::start() }
}

fn twin_counts(nearest: bool) -> Vec<u64> {
    let start = twin_at_the_start(nearest);
    (1..=TWIN_DEPTH).map(|depth| start.perft(depth)).collect()
}

#[test]
fn sequences_are_counted_under_the_official_rules() {
    assert_eq!(perft(&Einstein::default(), None, 6), OFFICIAL);
    assert_eq!(twin_counts(false), OFFICIAL[..TWIN_DEPTH as usize]);
}

#[test]
fn sequences_are_counted_under_the_nearest_number_rules() {
    assert_eq!(perft(&EinsteinNearest::default(), None, 6), NEAREST);
    assert_eq!(twin_counts(true), NEAREST[..TWIN_DEPTH as usize]);
}

#[test]
fn the_count_after_a_roll_is_a_part_of_the_whole() {
    let start = Einstein::default();
    let after = |face: &Weighted<Die>| perft(&start, Some(face.item), 4);
    let parts: Vec<_> = Einstein::DICE.iter().map(after).collect();
    for length in 0..4 {
        let sum: u64 = parts.iter().map(|part| part[length]).sum();
        assert_eq!(sum, OFFICIAL[length]);
    }
}

/// A random set-up, or cubes scattered over the board. Positions that no game reaches may be set up
/// as well, and have other gaps between the living cubes.
fn anywhere(nearest: bool, random: &mut Random) -> Naive {
    if random.below(2) == 0 {
        return Naive { nearest, ..crate::naive::random_setup(&mut |n| random.below(n)) };
    }
    let mut cells = [0; 25];
    for colour in [1, -1] {
        let alive = random.below(63) + 1;
        for number in (1..=6).filter(|number| alive >> (number - 1) & 1 == 1) {
            // Not on its goal, because the game would be over.
            let free =
                |cell: &usize| cells[*cell] == 0 && *cell != [24, 0][usize::from(colour < 0)];
            let free: Vec<usize> = (0..25).filter(free).collect();
            cells[*random.pick(&free)] = colour * number;
        }
    }
    Naive { cells, red_to_move: random.below(2) == 0, ply: random.below(40) + 1, nearest }
}

/// The position in this crate's form, converted through its text, which is the only form both
/// share.
fn position_of<R: RuleSet>(twin: &Naive) -> Position<R> {
    twin.text(None).parse().expect("the twin writes what the crate reads")
}

/// The board as the twin writes it.
fn board<R: RuleSet>(position: &Position<R>) -> [i8; 25] {
    let mut cells = [0; 25];
    for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
        for (cube, cell) in position.cubes(side) {
            cells[cell.index()] = sign * cube.number() as i8;
        }
    }
    cells
}

fn assert_same<R: RuleSet>(position: &Position<R>, twin: &Naive) {
    assert_eq!(board(position), twin.cells, "{position}");
    assert_eq!(position.side() == Side::First, twin.red_to_move, "{position}");
    assert_eq!(position.ply(), twin.ply, "{position}");
    let winner = position.outcome().and_then(Outcome::winner);
    assert_eq!(winner.map(|side| side == Side::First), twin.winner(), "{position}");
}

/// Compares everything that the rules say about a position.
fn assert_same_turns<R: RuleSet>(position: &Position<R>, twin: &Naive) {
    for face in Position::<R>::DICE {
        let die = face.item.number();
        let moves = position.moves(face.item);
        let squares = |mv: &Move| (mv.from().index(), mv.to().index());
        let mut ours: Vec<_> = moves.as_ref().iter().map(squares).collect();
        let mut theirs = twin.moves(die);
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "die {die}: {position}");
        for &mv in moves.as_ref() {
            let (from, to) = squares(&mv);
            assert_eq!(mv.cube().number(), twin.cells[from].unsigned_abs(), "{mv}: {position}");
            let mut after = *position;
            assert_eq!(after.play(face.item, mv), None, "{mv}: {position}");
            assert_same(&after, &twin.play(from, to));
        }
    }
}

/// Plays random games until this many positions before the end were compared.
fn agree<R: RuleSet>(nearest: bool, positions: u32, random: &mut Random) {
    let mut comparisons = 0;
    while comparisons < positions {
        let mut twin = anywhere(nearest, random);
        let mut position = position_of::<R>(&twin);
        while twin.winner().is_none() {
            assert_same_turns(&position, &twin);
            let die = draw(Position::<R>::DICE, random);
            let rolled = Situation { position, roll: Some(die) };
            assert_eq!(rolled.to_string(), twin.text(Some(die.number())));
            let mv = *random.pick(position.moves(die).as_ref());
            position.play(die, mv);
            twin = twin.play(mv.from().index(), mv.to().index());
            assert_eq!(position.to_string(), twin.text(None));
            comparisons += 1;
        }
        assert_same(&position, &twin);
    }
}

#[test]
fn the_official_rules_agree_with_the_naive_twin() {
    agree::<Official>(false, 500_000, &mut Random::new(1));
}

#[test]
fn the_nearest_number_rules_agree_with_the_naive_twin() {
    agree::<Nearest>(true, 500_000, &mut Random::new(2));
}

#[test]
fn moves_are_written_as_their_squares() {
    let mut random = Random::new(3);
    for _ in 0..2000 {
        let twin = anywhere(false, &mut random);
        let position = position_of::<Official>(&twin);
        for face in Einstein::DICE {
            let ours: HashSet<String> =
                position.moves(face.item).as_ref().iter().map(ToString::to_string).collect();
            let theirs = twin.moves(face.item.number()).into_iter();
            let theirs: HashSet<String> =
                theirs.map(|(from, to)| crate::naive::move_text(from, to)).collect();
            assert_eq!(ours, theirs, "{position}");
        }
    }
}

#[test]
fn the_contract_of_a_game_holds() {
    fn hold<R: RuleSet>(nearest: bool, random: &mut Random) {
        let set_ups: Vec<_> = (0..30).map(|_| Position::<R>::default().setup(random)).collect();
        conformance::check(set_ups, random);
        let midway: Vec<_> =
            (0..60).map(|_| position_of::<R>(&anywhere(nearest, random))).collect();
        conformance::check(midway, random);
        conformance::check([Position::<R>::default()], random);
    }
    hold::<Official>(false, &mut Random::new(4));
    hold::<Nearest>(true, &mut Random::new(5));
}

/// Shows `look` the positions of random games, including the final ones.
fn wander<R: RuleSet>(nearest: bool, games: u32, mut look: impl FnMut(&Position<R>, &mut Random)) {
    let mut random = Random::new(6);
    for _ in 0..games {
        let mut position = position_of::<R>(&anywhere(nearest, &mut random));
        while position.outcome().is_none() {
            look(&position, &mut random);
            let die = draw(Position::<R>::DICE, &mut random);
            let mv = *random.pick(position.moves(die).as_ref());
            position.play(die, mv);
        }
        look(&position, &mut random);
    }
}

/// `Game::pick` promises the same result as picking from the list with the same random numbers, so
/// that records of random games do not depend on which of the two was used.
#[test]
fn a_move_is_picked_as_from_the_list() {
    fn look<R: RuleSet>(position: &Position<R>, random: &mut Random) {
        for face in Position::<R>::DICE {
            let moves = position.moves(face.item);
            let moves = moves.as_ref();
            let (mut picking, mut listing) = (random.clone(), random.clone());
            let picked = position.pick(face.item, &mut picking);
            let listed = (!moves.is_empty()).then(|| *listing.pick(moves));
            assert_eq!(picked, listed, "{position}");
            assert_eq!(picking, listing, "the streams part: {position}");
            random.bits();
        }
    }
    wander::<Official>(false, 4000, look);
    wander::<Nearest>(true, 4000, look);
}

/// A value from 0 to 1 that looks random and depends only on the position and `salt`.
fn value_of<R: RuleSet>(end: &Position<R>, salt: u64) -> f32 {
    let path = [checksum(end.to_string().as_bytes())];
    Random::new(Random::seed_for(salt, &path)).unit() as f32
}

#[test]
fn the_mean_of_the_best_moves_is_what_its_definition_gives() {
    fn look<R: RuleSet>(position: &Position<R>, random: &mut Random) {
        if position.outcome().is_some() {
            return;
        }
        let salt = random.bits();
        let after = |die, mv| {
            let mut next = *position;
            next.play(die, mv);
            next
        };
        let best = |die| {
            let moves = position.moves(die);
            let values = moves.as_ref().iter().map(|&mv| value_of(&after(die, mv), salt));
            values.map(f64::from).fold(0.0, f64::max)
        };
        // The mean over the faces of the die, and the mean over the merged rolls.
        let faces = Position::<R>::DICE.iter();
        let by_face = faces.map(|face| best(face.item)).sum::<f64>() / 6.0;
        let rolls = position.rolls().iter();
        let by_roll = rolls.map(|roll| f64::from(roll.weight) * best(roll.item)).sum::<f64>() / 6.0;
        let mut scored = HashSet::new();
        let mean = position.mean_of_best(|end| {
            assert!(scored.insert(*end), "{end} is scored twice: {position}");
            value_of(end, salt)
        });
        assert!((by_face - by_roll).abs() < 1e-12, "{by_face} {by_roll}: {position}");
        assert!((f64::from(mean) - by_face).abs() < 1e-6, "{mean} {by_face}: {position}");
    }
    wander::<Official>(false, 4000, look);
    wander::<Nearest>(true, 4000, look);
}

#[test]
fn a_square_shows_the_cube_that_says_it_stands_there() {
    wander::<Official>(false, 2000, |position, _| {
        let cells = board(position);
        for (index, &number) in cells.iter().enumerate() {
            let piece = position.at(Cell::new(index).unwrap());
            let shown = piece.map_or(0, |(side, cube)| match side {
                Side::First => cube.number() as i8,
                Side::Second => -(cube.number() as i8),
            });
            assert_eq!(shown, number, "square {index}: {position}");
        }
        for side in Side::BOTH {
            let sign = if side == Side::First { 1 } else { -1 };
            let living = cells.iter().filter(|&&number| number * sign > 0).count();
            assert_eq!(position.pieces(side).count as usize, living, "{position}");
        }
    });
}

/// Cubes 1 and 6 of red are left, and a 4 is rolled.
#[test]
fn the_two_readings_differ_where_the_gaps_differ() {
    let text = "A4/4F/5/5/2f2 r 4 1";
    let texts = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let Situation { position, roll } = Einstein::read(text).unwrap();
    let die = roll.unwrap();
    assert_eq!(texts(position.moves(die).as_ref()), ["a5b5", "a5a4", "a5b4", "e4e3"]);
    let Situation { position, .. } = EinsteinNearest::read(text).unwrap();
    assert_eq!(texts(position.moves(die).as_ref()), ["e4e3"]);
}

/// A red cube takes the last blue one, or its own neighbour.
#[test]
fn a_cube_takes_whatever_stands_there() {
    let mut position: Einstein = "5/1AB2/1f3/5/5 r".parse().unwrap();
    let die = Die::new(1).unwrap();
    let own = position.find_move(die, "b4c4").unwrap();
    let mut without_b = position;
    without_b.play(die, own);
    assert_eq!(without_b.to_string(), "5/2A2/1f3/5/5 b - 2");
    assert_eq!(without_b.outcome(), None);
    let last = position.find_move(die, "b4b3").unwrap();
    position.play(die, last);
    assert_eq!(position.to_string(), "5/2B2/1A3/5/5 b - 2");
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
}

/// Positions are equal when the same cubes stand on the same squares and the same side rolls,
/// whatever the ply and however the position arose.
#[test]
fn positions_are_equal_when_the_rest_of_the_game_is() {
    wander::<Official>(false, 1000, |position, _| {
        let text = position.to_string();
        let board = text.split(' ').next().unwrap();
        let (own, other) = if position.side() == Side::First { ("r", "b") } else { ("b", "r") };
        let read = |board: &str, side: &str| format!("{board} {side} - 77").parse::<Einstein>();
        let known = HashSet::from([*position]);
        assert!(known.contains(&read(board, own).unwrap()), "{text}");
        assert!(!known.contains(&read(board, other).unwrap()), "{text}");
        // The colours exchanged on the board, and the other side to roll.
        let recoloured: String = board
            .chars()
            .map(|sign| match sign {
                'A'..='F' => sign.to_ascii_lowercase(),
                _ => sign.to_ascii_uppercase(),
            })
            .collect();
        for side in [own, other] {
            if let Ok(recoloured) = read(&recoloured, side) {
                assert_ne!(recoloured, *position, "{text}");
            }
        }
    });
}
