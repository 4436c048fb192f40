//! Tests of verdicts, on tables of a few cells.

use super::{CheckDefinition, CheckVerdict};
use crate::results::{Figures, ResultCell, ResultTable};

fn cell(row: &str, value: f64, half: f64) -> ResultCell {
    ResultCell::new(row, "rate", value).within(value - half, value + half)
}

fn verdict(check: &str, cells: Vec<ResultCell>) -> CheckVerdict {
    let check: CheckDefinition = toml::from_str(&format!("claim = 'c'\n{check}")).unwrap();
    check.criterion().unwrap();
    let paper = Figures::read("paper.csv", "row,column,value\na,rate,0.5\n").unwrap();
    check.decide(&ResultTable::new(cells), &paper, 1.0).verdict
}

use CheckVerdict::{CannotBeDecided, Equal, Fails, Holds, NotAtThisScale, Undecided};

#[test]
fn cells_on_the_same_dice_are_compared_by_their_difference() {
    // Both intervals overlap, and as independent ones they would leave every claim open.
    let rows = || vec![cell("a", 0.52, 0.03), cell("b", 0.5, 0.03)];
    let with = |row: &str, value: f64| {
        let cell = ResultCell::new(row, "rate on the same dice", value);
        [rows(), vec![cell.within(value - 0.01, value + 0.01)]].concat()
    };
    let of = |criterion: &str, cells| {
        let check = format!("cell = {{ row = 'a', column = 'rate' }}\n{criterion}");
        verdict(&check, cells)
    };
    let b = "{ row = 'b', column = 'rate' }";
    for (criterion, expected) in [
        (format!("above_cell = {b}"), Holds),
        (format!("below_cell = {b}"), Fails),
        ("not_above_cell = { row = 'b', column = 'rate', by = 0.04 }".to_owned(), Holds),
        ("near_cell = { row = 'b', column = 'rate', by = 0.005 }".to_owned(), Fails),
    ] {
        assert_eq!(of(&criterion, rows()), Undecided, "{criterion}");
        assert_eq!(of(&criterion, with("a less b", 0.02)), expected, "{criterion}");
        assert_eq!(of(&criterion, with("b less a", -0.02)), expected, "{criterion}");
    }
    let falling = "cell = { row = '*', column = 'rate' }\nfalling = true";
    assert_eq!(verdict(falling, rows()), Undecided);
    assert_eq!(verdict(falling, with("b less a", -0.02)), Holds);
}

#[test]
fn only_a_whole_interval_decides() {
    let of = |criterion: &str, value, half| {
        let check = format!("cell = {{ row = 'a', column = 'rate' }}\n{criterion}");
        verdict(&check, vec![cell("a", value, half)])
    };
    for (criterion, value, half, expected) in [
        ("above = 0.5", 0.6, 0.05, Holds),
        ("above = 0.5", 0.6, 0.1, Undecided),
        ("above = 0.5", 0.54, 0.05, Undecided),
        ("above = 0.5", 0.4, 0.05, Fails),
        // A value exactly at the bound is not above it.
        ("above = 0.5", 0.5, 0.0, Fails),
        ("below = 0.5", 0.4, 0.05, Holds),
        ("below = 0.5", 0.46, 0.05, Undecided),
        ("below = 0.5", 0.6, 0.05, Fails),
        ("below = 0.5", 0.5, 0.0, Fails),
        ("near_paper = 0.1", 0.55, 0.04, Holds),
        ("near_paper = 0.1", 0.55, 0.06, Undecided),
        ("near_paper = 0.1", 0.65, 0.04, Fails),
        ("near_paper = 0.1", 0.3, 0.05, Fails),
        // An interval that is wider than the tolerance proves nothing, wherever it lies.
        ("near_paper = 0.1", 0.5, 0.3, Undecided),
        ("near = { value = 0.6, within = 0.1 }", 0.55, 0.04, Holds),
        ("near = { value = 0.6, within = 0.1 }", 0.45, 0.04, Fails),
        ("within_paper = true", 0.55, 0.06, Holds),
        ("within_paper = true", 0.55, 0.04, Fails),
        ("cannot = 'no times'", 0.5, 0.3, CannotBeDecided),
    ] {
        assert_eq!(of(criterion, value, half), expected, "{criterion}: {value} ± {half}");
    }
}

#[test]
fn what_lies_within_the_margin_and_is_not_decided_is_equal() {
    let of = |criterion: &str, a: f64, half| {
        let check =
            format!("cell = {{ row = 'a', column = 'rate' }}\n{criterion}\nequal_within = 0.02");
        verdict(&check, vec![cell("a", a, half), cell("b", 0.5, 0.0)])
    };
    let b = "{ row = 'b', column = 'rate' }";
    let than = |side: &str| format!("{side}_cell = {b}");
    for (side, number) in [("above", "above = 0.5"), ("below", "below = 0.5")] {
        for criterion in [number.to_owned(), than(side)] {
            for (a, half, expected) in [
                (0.501, 0.015, Equal),
                (0.499, 0.015, Equal),
                // Wider than the margin on either side, as a whole or only a part of it.
                (0.5, 0.03, Undecided),
                (0.51, 0.015, Undecided),
                (0.49, 0.015, Undecided),
                // A small difference that is known is one all the same.
                (0.506, 0.005, if side == "above" { Holds } else { Fails }),
                (0.494, 0.005, if side == "above" { Fails } else { Holds }),
            ] {
                assert_eq!(of(&criterion, a, half), expected, "{criterion}: {a} ± {half}");
            }
        }
    }
    // One row that is open or fails outweighs those that are equal, and they those that hold.
    let all = |rates: [f64; 2]| {
        let cells = rates.iter().zip(["a", "b"]).map(|(rate, row)| cell(row, *rate, 0.01));
        let check = "cell = { row = '*', column = 'rate' }\nabove = 0.5\nequal_within = 0.02";
        verdict(check, cells.collect())
    };
    assert_eq!(all([0.5, 0.6]), Equal);
    assert_eq!(all([0.5, 0.515]), Equal);
    assert_eq!(all([0.5, 0.4]), Fails);
    let other: CheckDefinition = toml::from_str(
        "claim = 'c'\ncell = { row = 'a', column = 'rate' }\nnear_paper = 0.1\nequal_within = 0.02",
    )
    .unwrap();
    assert_eq!(
        other.criterion(),
        Err("expected equal_within beside above, below, above_cell or below_cell".to_owned())
    );
}

#[test]
fn all_rows_that_fit_must_satisfy_it() {
    let check = "cell = { row = '* ms', column = 'rate' }\nabove = 0.5";
    let of = |rates: [f64; 3]| {
        let rows = ["1 ms", "4 ms", "other"];
        verdict(check, rows.iter().zip(rates).map(|(row, rate)| cell(row, rate, 0.05)).collect())
    };
    assert_eq!(of([0.6, 0.7, 0.1]), Holds);
    assert_eq!(of([0.6, 0.52, 0.9]), Undecided);
    assert_eq!(of([0.52, 0.3, 0.9]), Fails);
    assert_eq!(verdict(check, vec![cell("other", 0.9, 0.0)]), NotAtThisScale);
    assert_eq!(verdict(check, vec![]), NotAtThisScale);
}

#[test]
fn a_claim_about_a_setting_that_was_not_reached_is_not_at_this_scale() {
    // The games had milliseconds, and their result proves nothing about seconds.
    for (rate, criterion) in [
        (0.9, "above = 0.5"),
        (0.1, "above = 0.5"),
        (0.9, "near_paper = 0.1"),
        (0.9, "below_cell = { row = '8 s', column = 'rate' }"),
    ] {
        let check = format!("cell = {{ row = '1 s', column = 'rate' }}\n{criterion}");
        let cells = vec![cell("1 ms", rate, 0.05), cell("8 ms", 0.5, 0.05)];
        assert_eq!(verdict(&check, cells), NotAtThisScale, "{criterion}");
        // The same check at the scale that has both rows.
        let cells = vec![cell("1 s", rate, 0.05), cell("8 s", 0.5, 0.05)];
        let reached = verdict(&check.replace("near_paper", "above"), cells);
        assert!(matches!(reached, Holds | Fails), "{criterion}");
    }
    // Where one of two rows is missing, more games of the other do not help, but a violation
    // remains one.
    let check = "cell = { row = '* s', column = 'rate' }\n\
                 above_cell = { row = 'other, * s', column = 'rate' }";
    let of = |rate| {
        verdict(
            check,
            vec![cell("1 s", rate, 0.05), cell("4 s", 0.9, 0.0), cell("other, 1 s", 0.5, 0.05)],
        )
    };
    assert_eq!((of(0.9), of(0.5), of(0.1)), (NotAtThisScale, NotAtThisScale, Fails));
}

#[test]
fn cells_of_other_games_are_compared_by_the_errors_of_both() {
    let check = "cell = { row = 'with *', column = 'rate' }\n\
                 above_cell = { row = 'without *', column = 'rate' }";
    let of = |one, other| {
        verdict(check, vec![cell("with a", one, 0.05), cell("without a", other, 0.05)])
    };
    // The errors of 0.05 combine to 0.0707.
    assert_eq!((of(0.571, 0.5), of(0.57, 0.5)), (Holds, Undecided));
    assert_eq!((of(0.5, 0.571), of(0.5, 0.57)), (Fails, Undecided));
    assert_eq!(verdict(check, vec![cell("with a", 0.7, 0.05)]), NotAtThisScale);
    let below = check.replace("above_cell", "below_cell");
    let cells = vec![cell("with a", 0.7, 0.05), cell("without a", 0.5, 0.05)];
    assert_eq!(verdict(&below, cells), Fails);
}

#[test]
fn what_is_equal_within_a_margin_is_not_above() {
    let check = "cell = { row = 'K = *', column = 'rate' }\n\
                 not_above_cell = { row = 'tuned', column = 'rate', by = 0.01 }";
    let of = |rate, half| verdict(check, vec![cell("tuned", 0.5, half), cell("K = 1", rate, half)]);
    // Two equal ones, which no number of games can tell apart.
    assert_eq!(of(0.5, 0.006), Holds);
    assert_eq!(
        verdict(
            &check.replace("not_above", "below").replace(", by = 0.01", ""),
            vec![cell("tuned", 0.5, 0.006), cell("K = 1", 0.5, 0.006)]
        ),
        Undecided
    );
    // The errors of 0.006 combine to 0.0085.
    assert_eq!((of(0.501, 0.006), of(0.502, 0.006)), (Holds, Undecided));
    assert_eq!((of(0.4, 0.006), of(0.5, 0.008)), (Holds, Undecided));
    assert_eq!((of(0.518, 0.006), of(0.519, 0.006)), (Undecided, Fails));
    // A difference of exactly the margin is one.
    assert_eq!(
        verdict(
            "cell = { row = 'a', column = 'rate' }\n\
         not_above_cell = { row = 'b', column = 'rate', by = 1.0 }",
            vec![ResultCell::new("a", "rate", 9.0), ResultCell::new("b", "rate", 8.0)]
        ),
        Fails
    );
    assert_eq!(verdict(check, vec![cell("K = 1", 0.5, 0.0)]), NotAtThisScale);
    let near = check.replace("not_above_cell", "near_cell");
    for (rate, expected) in [(0.5, Holds), (0.49, Undecided), (0.4, Fails), (0.6, Fails)] {
        let cells = vec![cell("tuned", 0.5, 0.006), cell("K = 1", rate, 0.006)];
        assert_eq!(verdict(&near, cells), expected, "{rate}");
    }
}

#[test]
fn a_time_without_an_interval_decides_nothing() {
    let time = |row: &str, ns: f64| {
        let cell = ResultCell::new(row, "rate", ns);
        ResultCell { unit: "ns".into(), ..cell }
    };
    for criterion in [
        "cell = { row = 'a', column = 'rate' }\nbelow = 100",
        "cell = { row = 'a', column = 'rate' }\nnear = { value = 10, within = 5 }",
        "cell = { row = 'b', column = 'rate' }\nabove_cell = { row = 'a', column = 'rate' }",
        "cell = { row = '*', column = 'rate' }\nrising = true",
    ] {
        assert_eq!(verdict(criterion, vec![time("a", 10.0), time("b", 1e9)]), Undecided);
        let within = vec![time("a", 10.0).within(9.0, 11.0), time("b", 1e9).within(9e8, 2e9)];
        assert_eq!(verdict(criterion, within), Holds, "{criterion}");
    }
}

#[test]
fn a_rise_must_be_proven_at_every_step() {
    let of = |word: &str, rates: &[f64]| {
        let check = format!("cell = {{ row = '*', column = 'rate' }}\n{word} = true");
        let rows = ["1", "2", "3"];
        verdict(&check, rows.iter().zip(rates).map(|(row, rate)| cell(row, *rate, 0.05)).collect())
    };
    assert_eq!(of("rising", &[0.1, 0.3, 0.5]), Holds);
    assert_eq!(of("rising", &[0.1, 0.3, 0.35]), Undecided);
    assert_eq!(of("rising", &[0.1, 0.5, 0.3]), Fails);
    assert_eq!(of("rising", &[0.1]), NotAtThisScale);
    assert_eq!(of("falling", &[0.5, 0.3, 0.1]), Holds);
    assert_eq!(of("falling", &[0.1, 0.3, 0.5]), Fails);
}

#[test]
fn a_claim_is_about_its_cells_and_those_that_they_are_compared_with() {
    let about = |criterion: &str| {
        let text =
            format!("claim = 'c'\ncell = {{ row = 'with *', column = 'rate' }}\n{criterion}");
        let check: CheckDefinition = toml::from_str(&text).unwrap();
        [("with a", "rate"), ("tuned", "rate"), ("with a", "luck"), ("other", "rate")]
            .map(|(row, column)| check.is_about(row, column))
    };
    for other in ["above_cell = { ", "below_cell = { ", "not_above_cell = { by = 0.1, "] {
        let tuned = format!("{other}row = 'tuned', column = 'rate' }}");
        assert_eq!(about(&tuned), [true, true, false, false], "{other}");
    }
    assert_eq!(about("above_cell = { column = 'luck' }"), [true, false, true, false]);
    assert_eq!(about("near_cell = { by = 0.1, column = 'luck' }"), [true, false, true, false]);
    assert_eq!(about("above = 0.5"), [true, false, false, false]);
}

#[test]
fn an_open_claim_says_how_many_more_games_would_decide_it() {
    let check: CheckDefinition =
        toml::from_str("claim = 'c'\ncell = { row = '*', column = 'rate' }\nabove = 0.5").unwrap();
    let because = |value, half| {
        let table = ResultTable::new(vec![cell("a", value, half)]);
        check.decide(&table, &Figures::default(), 60.0).because
    };
    // An interval that is twice as wide as it may be needs four times the games; the estimate
    // goes in steps of a quarter.
    let text = "a: 0.52 (0.48 to 0.56); some 5 times the games would decide it, \
                4 minutes at most";
    assert_eq!(because(0.52, 0.04), text);
    assert!(because(0.5, 0.04).ends_with("no number of games would decide it if the figures stay"));
    assert_eq!(because(0.6, 0.04), "a: 0.6 (0.56 to 0.64)");
}

#[test]
fn the_deciding_cells_are_named() {
    let check: CheckDefinition =
        toml::from_str("claim = 'c'\ncell = { row = '*', column = 'rate' }\nabove = 0.5").unwrap();
    let table = ResultTable::new(vec![cell("a", 0.6, 0.05), cell("b", 0.4, 0.05)]);
    let result = check.decide(&table, &Figures::default(), 60.0);
    assert_eq!(result.criterion, "“rate” of every row is above 0.5");
    assert_eq!((result.verdict, result.because.as_str()), (Fails, "b: 0.4 (0.35 to 0.45)"));
}
