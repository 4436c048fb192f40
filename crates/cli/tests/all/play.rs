//! Games in the terminal, typed by a script.

use crate::program::wurfel_with;

const ENDING: [&str; 4] = ["play", "--dice", "typed", "--position"];

fn play(position: &str, options: &[&str], typed: &str) -> crate::program::Run {
    wurfel_with(&[&ENDING[..], &[position], options].concat(), typed)
}

#[test]
fn a_person_wins_with_typed_dice() {
    // Red's cube 1 is two steps from home, blue's cube 1 far away.
    let run = play("5/5/2A2/5/a4 r - 1", &["--agent", "random"], "3\nc3d2\n5\n1\nd2e1\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("red rolls: "), "{}", run.out);
    assert!(run.out.contains("blue rolls 5, plays "), "{}", run.out);
    assert!(run.out.trim_end().ends_with("red has won"), "{}", run.out);
}

#[test]
fn mistakes_hints_and_undo() {
    let typed = "7\n3\nc3c9\nhelp\nmoves\nhint\nundo\nc3d3\n5\n1\nundo\nboard\nquit\n";
    let run = play("5/5/2A2/5/a4 r - 1", &["--agent", "expecti:depth=2"], typed);
    assert_eq!(run.code, 0, "{}", run.err);
    for part in [
        "die '7': expected a number 1-6",
        "move 'c3c9': expected one of c3d3 c3c2 c3d2",
        "type a move such as c3d3, or: moves, hint, undo, board, quit, or die if you type the dice",
        "c3d3 c3c2 c3d2",
        "c3d2   100.00 %",
        "there is nothing to take back",
    ] {
        assert!(run.out.contains(part), "'{part}' is missing in\n{}", run.out);
    }
    // After an undo the roll is the same as before.
    assert_eq!(run.out.matches("ply 1: red has rolled 3").count(), 3, "{}", run.out);
}

#[test]
fn a_mistyped_die_is_typed_again() {
    let run = play("2B2/5/2A2/5/a4 r - 1", &["--side", "both"], "1\ndie\n2\nc5c4\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("red has rolled 1"), "{}", run.out);
    assert!(run.out.contains("red has rolled 2"), "{}", run.out);
    assert!(run.out.trim_end().ends_with("blue rolls:"), "{}", run.out);
}

#[test]
fn two_people_and_the_end_of_the_input() {
    let run = play("5/5/2A2/5/a4 r - 1", &["--side", "both"], "3\nc3d3\n2\na1a2\n4\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("ply 3: red has rolled 4"), "{}", run.out);
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let typed = "hint\n".to_owned() + "undo\nquit\n";
    let args = ["play", "--seed", "9", "--agent", "expecti:depth=2", "--side", "blue"];
    let [one, other] = [0, 1].map(|_| wurfel_with(&args, &typed).out);
    assert_eq!(one, other);
    assert!(one.contains("red rolls "), "{one}");
}
