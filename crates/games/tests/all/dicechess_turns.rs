//! Turns of three dice against a twin that plays all orders of all dice and then applies the rule
//! literally: as many dice as possible must be spent, but a turn that captures the king is always
//! legal.

use std::collections::HashSet;
use std::thread;

use crate::mailbox::turns::Begun;
use crate::mailbox::{Mailbox, Step};
use wurfel_core::{Game, Outcome, Random, Side, Situation, draw};
use wurfel_games::dicechess::{DiceChess3, Pool, Square};

/// The piece on each square, from a1 on.
type Board = [u8; 64];

fn board(position: &DiceChess3) -> Board {
    let piece = |n: usize| position.at(Square::new(n).unwrap());
    std::array::from_fn(|n| piece(n).map_or('.', |(side, kind)| kind.letter_of(side)) as u8)
}

fn board_of_twin(twin: &Mailbox) -> Board {
    twin.pieces.as_flattened().try_into().unwrap()
}

/// How often random positions had certain properties.
#[derive(Default, Debug)]
struct PropertyCounts {
    positions: u64,
    /// Positions with a move that is legal only because it captures the king or prepares its
    /// capture.
    preparing: u64,
    /// Positions in which a turn can begin with such a move and then spare the king.
    sparing: u64,
    /// Ends of turns, each counted once for its position, and those ends in which the king was
    /// spared.
    ends: u64,
    spared: u64,
}

impl PropertyCounts {
    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.preparing += other.preparing;
        self.sparing += other.sparing;
        self.spared += other.spared;
        self.ends += other.ends;
    }
}

fn compare(position: &DiceChess3, dice: Pool, seen: &mut PropertyCounts) {
    let at = Situation { position: *position, roll: Some(dice) };
    let twin = Mailbox::read(&position.to_string(), true, false);

    let chances = (216.0 * position.king_capture_chance()).round() as usize;
    assert_eq!(chances, twin.king_capture_chances(), "{position}");

    let all = twin.all_turns(&dice.to_string());
    let most = all.iter().map(Begun::most).max().unwrap();
    let name = |begun: &Begun| begun.step.map_or("0000".into(), Step::text);
    let legal = all.iter().filter(|begun| begun.wins() || begun.most() == most);
    let mut expected: Vec<String> = legal.map(name).collect();
    let mut actual: Vec<String> = position.moves(dice).iter().map(ToString::to_string).collect();
    expected.sort();
    actual.sort();
    assert_eq!(actual, expected, "{at}");

    let preparing = |begun: &&Begun| begun.wins() && begun.most() < most;
    let mut legal = HashSet::new();
    for turn in all.iter().flat_map(|begun| &begun.turns) {
        if turn.wins || turn.spent == most {
            legal.insert(board_of_twin(&turn.end));
        }
    }
    // Ends that are legal only because the legality of moves does not depend on how the turn began.
    let mut sparing = HashSet::new();
    for begun in all.iter().filter(preparing) {
        let longest = begun.turns.iter().filter(|turn| turn.spent == begun.most());
        let ends = longest.map(|turn| board_of_twin(&turn.end));
        sparing.extend(ends.filter(|end| !legal.contains(end)));
    }
    let mut ends = HashSet::new();
    position.ends(dice, |end| _ = ends.insert(board(end)));
    assert_eq!(ends, &legal | &sparing, "{at}");

    seen.positions += 1;
    seen.preparing += u64::from(all.iter().any(|begun| preparing(&begun)));
    seen.sparing += u64::from(!sparing.is_empty());
    seen.ends += ends.len() as u64;
    seen.spared += sparing.len() as u64;
}

/// Compares this many positions of random games.
fn play_and_compare(positions: u64, seed: u64) -> PropertyCounts {
    let mut random = Random::new(seed);
    let mut seen = PropertyCounts::default();
    while seen.positions < positions {
        let mut position = DiceChess3::default();
        while position.outcome().is_none() && seen.positions < positions {
            let dice = draw(position.rolls(), &mut random);
            compare(&position, dice, &mut seen);
            let mut rest = Some(dice);
            while let Some(dice) = rest {
                let mv = position.pick(dice, &mut random).unwrap();
                rest = position.play(dice, mv);
            }
        }
    }
    seen
}

/// The dice show two pawns and a rook. `b2b3`, `b3b4` and a move of the rook spend all three, but
/// then the pawn still stands before the rook. Only `b2a3` opens the file and leaves a pawn that
/// the knight blocks: with two dice spent, the rook captures the king. This move, the only one that
/// wins, was once missing.
///
/// ```text
/// 8  . k . . . . . .
/// 7  . . . . . . . .
/// 6  . . . . . . . .
/// 5  . . . . . . . .
/// 4  N . . . . . . .
/// 3  p . . . . . . .
/// 2  . P . . . . . .
/// 1  . R . . . . K .
///    a b c d e f g h
/// ```
#[test]
fn a_move_that_prepares_the_capture_of_the_king_is_legal_though_it_spends_fewer_dice() {
    let start: Situation<DiceChess3> = "1k6/8/8/8/N7/p7/1P6/1R4K1 w - - 0 30 PPR".parse().unwrap();
    let Situation { position: mut played, roll: Some(dice) } = start else { unreachable!() };
    // The king can be captured with a pawn's die, a rook's and any third one, with three knights,
    // and with three rooks.
    assert!((played.king_capture_chance() - 32.0 / 216.0).abs() < 1e-6);
    let prepares = played.find_move(dice, "b2a3").unwrap();
    let rest = played.play(dice, prepares).unwrap();
    let takes = played.find_move(rest, "b1b8").unwrap();
    assert_eq!(played.play(rest, takes), None);
    assert_eq!(played.outcome(), Some(Outcome::Win(Side::First)));

    let mut ends = vec![];
    start.position.ends(dice, |end| ends.push(*end));
    assert!(ends.contains(&played));
    // The move is drawn as often as any other.
    let moves = start.position.moves(dice);
    let mut random = Random::new(1);
    let picks = (0..1000 * moves.len()).map(|_| start.position.pick(dice, &mut random).unwrap());
    let hits = picks.filter(|&mv| mv == prepares).count();
    assert!((900..1100).contains(&hits), "{hits}");
}

#[test]
fn turns_agree_with_all_orders_of_all_dice() {
    let seen = play_and_compare(2000, 1);
    assert!(seen.preparing > 0, "{seen:?}");
}

/// Run with `cargo test -p wurfel-games --test all dicechess_turns -- --ignored --nocapture`.
#[test]
#[expect(clippy::print_stdout, reason = "what it has seen goes to the terminal")]
#[ignore = "the same for a million positions, on all cores"]
fn turns_agree_with_all_orders_of_all_dice_in_a_million_positions() {
    let workers = thread::available_parallelism().map_or(1, usize::from) as u64;
    let all = thread::scope(|scope| {
        let run = |n| scope.spawn(move || play_and_compare(1_000_000 / workers, 100 + n));
        let threads: Vec<_> = (0..workers).map(run).collect();
        threads.into_iter().fold(PropertyCounts::default(), |mut all, thread| {
            all.add(&thread.join().unwrap());
            all
        })
    });
    println!("{all:?}");
    assert!(all.preparing > 100 && all.sparing > 10, "{all:?}");
}

/// Plays moves by their texts, and returns the texts of the situations after them.
fn played(text: &str, moves: &[&str]) -> Vec<String> {
    let mut at: Situation<DiceChess3> = text.parse().unwrap();
    let play = |mv: &&str| {
        let dice = at.roll.unwrap();
        at.roll = at.position.play(dice, at.position.find_move(dice, mv).unwrap());
        at.to_string()
    };
    moves.iter().map(play).collect()
}

#[test]
fn quiet_turns_are_counted_as_in_fen() {
    let counts = |text: &str, moves: &[&str]| -> Vec<String> {
        let count = |text: &String| text.split(' ').nth(4).unwrap().to_owned();
        played(text, moves).iter().map(count).collect()
    };
    let board = "4k3/8/8/8/8/8/P7/N3K3 w - -";
    // The first move of a turn counts it, and a pawn's move at any place in it sets the count to 0.
    let counted = |dice: &str, moves: &[&str]| counts(&format!("{board} 7 10 {dice}"), moves);
    assert_eq!(counted("NNN", &["a1b3", "b3c1", "c1b3"]), ["8", "8", "8"]);
    assert_eq!(counted("PNN", &["a2a3", "a1b3", "b3c1"]), ["0", "0", "0"]);
    assert_eq!(counted("PNN", &["a1b3", "a2a3", "b3c1"]), ["8", "0", "0"]);
    assert_eq!(counted("PNN", &["a1b3", "b3c1", "a2a3"]), ["8", "8", "0"]);
    // Two dice are what is left of a turn.
    assert_eq!(counted("NN", &["a1b3", "b3c1"]), ["7", "7"]);
    assert_eq!(counts("4k3/8/8/8/8/8/8/4K3 w - - 7 10 PPP", &["0000"]), ["8"]);

    // The turn that is the 150th is over before the game is.
    let last = |text: &str, moves: &[&str]| {
        let text = played(text, moves).pop().unwrap();
        text.parse::<Situation<DiceChess3>>().unwrap().position.outcome()
    };
    let moves = ["a1b3", "b3c1", "c1b3"];
    assert_eq!(last(&format!("{board} 148 90 NNN"), &moves), None);
    assert_eq!(last(&format!("{board} 149 90 NNN"), &moves), Some(Outcome::Draw));
    assert_eq!(last(&format!("{board} 150 90 NN"), &moves[..2]), Some(Outcome::Draw));
    assert_eq!(last(&format!("{board} 150 90 PN"), &["a1b3", "a2a3"]), None);
}

#[test]
fn a_turn_goes_on_from_its_text_as_without_it() {
    let mut random = Random::new(11);
    for _ in 0..200 {
        let mut position = DiceChess3::default();
        while position.outcome().is_none() {
            let mut rest = Some(draw(position.rolls(), &mut random));
            while let Some(dice) = rest {
                let at = Situation { position, roll: Some(dice) };
                let mut read: Situation<DiceChess3> = at.to_string().parse().unwrap();
                let mv = *random.pick(&position.moves(dice));
                rest = position.play(dice, mv);
                read.roll = read.position.play(dice, mv);
                assert_eq!(read.to_string(), Situation { position, roll: rest }.to_string());
            }
        }
    }
}
