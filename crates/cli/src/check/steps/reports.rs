//! The reports of an engine on its searches: on all rolls, values, several moves.

use wurfel_protocol::ugi::{Info, PositionWord};

use super::READY;
use crate::check::connection::{Connection, shown};
use crate::check::material::{AskedTurn, Rest};
use crate::check::step::{Checked, Group, Level, StepError, holds, step};
use crate::check::ugi::{SearchAnswer, first_of};

pub fn before_the_roll() -> Group {
    let steps = vec![
        step("a timed go before the roll", "info string error: …, and bestmove 0000", timed),
        step(
            "go depth 1 before the roll",
            "bestmove 0000, after a report or an error",
            |connection| report(connection).map(drop),
        ),
        step(
            "a report has every roll once",
            "a line with weight and pv @… for each roll that differs",
            has_every_roll,
        ),
        step(
            "weights of a report",
            "of each roll, in how many ways the dice can show it",
            weights_are_right,
        ),
        step("moves of a report", "behind each roll a legal move for it", moves_are_legal),
        step(
            "the value of a report",
            "a last line without weight, whose value is the mean over the rolls",
            mean_is_right,
        ),
    ];
    Group { title: "before the roll", level: Level::Complete, needs: &[READY], steps }
}

pub fn values() -> Group {
    let steps = vec![
        step("values", "from 0 to 1", values_are_shares),
        step("scores", "above 0 where the value is above 0.5", scores_fit),
        step(
            "whose value it is",
            "a turn that wins is worth no less than one that loses",
            values_are_the_movers,
        ),
        step("MultiPV", "as many different legal moves as were asked for, or all", reports_several),
        step("the order of MultiPV", "ranks from 1, values that do not rise", several_are_ordered),
    ];
    Group { title: "what it says of searches", level: Level::Complete, needs: &[READY], steps }
}

fn timed(connection: &mut Connection) -> Checked {
    connection.set("position startpos")?;
    let answer = connection.go("go movetime 50")?;
    holds(answer.best == "0000", || format!("bestmove {}", shown(&answer.best)))?;
    holds(answer.is_error, || "no error".to_owned())
}

/// The answers to `go depth 1` in some positions before their roll.
fn report(connection: &mut Connection) -> Result<Vec<(Rest, SearchAnswer)>, StepError> {
    let mut reports = vec![];
    for rest in connection.material.rests.clone().into_iter().take(4) {
        connection.set(&rest.line)?;
        let answer = connection.go("go depth 1")?;
        holds(answer.best == "0000", || {
            format!("bestmove {} after {}", shown(&answer.best), rest.line)
        })?;
        reports.push((rest, answer));
    }
    Ok(reports)
}

/// A position with its last complete report: the lines for single rolls, and the line about all of
/// them.
type Report = (Rest, Vec<Info>, Option<Info>);

/// The reports on some positions.
fn offered(connection: &mut Connection) -> Result<Vec<Report>, StepError> {
    let reports = report(connection)?.into_iter().map(|(rest, answer)| {
        let (rolls, means): (Vec<Info>, Vec<Info>) =
            answer.infos.into_iter().partition(|info| info.weight.is_some());
        let from = rolls.len().saturating_sub(rest.rolls.len());
        (rest, rolls[from..].to_vec(), means.into_iter().next_back())
    });
    let reports: Vec<Report> = reports.collect();
    if reports.iter().all(|(_, rolls, _)| rolls.is_empty()) {
        return Err(StepError::not_offered("no report on all rolls"));
    }
    Ok(reports)
}

/// Compares the rolls of a position with those of a report.
fn every_roll(
    connection: &mut Connection,
    check: impl Fn(&(String, u32, Vec<String>), &Info) -> Checked,
) -> Checked {
    for (rest, infos, _) in offered(connection)? {
        for roll in &rest.rolls {
            let of_roll: Vec<&Info> =
                infos.iter().filter(|info| first_of(info).0 == Some(&roll.0)).collect();
            match of_roll[..] {
                [info] => check(roll, info)?,
                _ => {
                    let problem =
                        format!("{} lines for @{} in {}", of_roll.len(), roll.0, rest.line);
                    return Err(StepError::Wrong(problem));
                }
            }
        }
    }
    Ok(())
}

fn has_every_roll(connection: &mut Connection) -> Checked {
    every_roll(connection, |_, _| Ok(()))
}

fn weights_are_right(connection: &mut Connection) -> Checked {
    every_roll(connection, |(roll, weight, _), info| {
        let actual = info.weight.unwrap_or(0);
        holds(actual == *weight, || format!("weight {actual} for @{roll} in place of {weight}"))
    })
}

fn moves_are_legal(connection: &mut Connection) -> Checked {
    every_roll(connection, |(roll, _, moves), info| {
        let mv = first_of(info).1.unwrap_or_default();
        let legal = moves.iter().any(|known| known.eq_ignore_ascii_case(mv));
        holds(legal, || format!("{} for @{roll}", shown(mv)))
    })
}

fn mean_is_right(connection: &mut Connection) -> Checked {
    for (rest, rolls, mean) in offered(connection)? {
        let values: Option<Vec<(f64, f64)>> =
            rolls.iter().map(|info| Some((f64::from(info.weight?), info.value?))).collect();
        let Some((values, mean)) = values.zip(mean.and_then(|info| info.value)) else {
            return Err(StepError::not_offered("no values in its reports"));
        };
        let chances: f64 = values.iter().map(|(weight, _)| weight).sum();
        let sum: f64 = values.iter().map(|(weight, value)| weight * value).sum();
        let expected = sum / chances;
        // Values are reported with six digits.
        holds((mean - expected).abs() < 1e-4, || {
            format!("value {mean} in place of {expected:.6} in {}", rest.line)
        })?;
    }
    Ok(())
}

/// The answers to a go in some turns.
fn searched(
    connection: &mut Connection,
    go: &str,
) -> Result<Vec<(AskedTurn, SearchAnswer)>, StepError> {
    let turns: Vec<AskedTurn> = connection.material.middle.iter().take(6).cloned().collect();
    turns
        .into_iter()
        .map(|turn| connection.decided(&turn, go).map(|answer| (turn, answer)))
        .collect()
}

fn all_infos(connection: &mut Connection) -> Result<Vec<Info>, StepError> {
    let answers = searched(connection, "go depth 2")?;
    Ok(answers.into_iter().flat_map(|(_, answer)| answer.infos).collect())
}

fn values_are_shares(connection: &mut Connection) -> Checked {
    let answers = searched(connection, "go depth 2")?;
    let values: Vec<f64> = answers.into_iter().flat_map(|(_, answer)| answer.values).collect();
    if values.is_empty() {
        return Err(StepError::not_offered("it reports no value"));
    }
    let wrong = values.iter().find(|value| !(0.0..=1.0).contains(*value));
    holds(wrong.is_none(), || format!("value {}", wrong.unwrap_or(&0.0)))
}

fn scores_fit(connection: &mut Connection) -> Checked {
    let infos = all_infos(connection)?;
    let both: Vec<(f64, i32)> = infos.iter().filter_map(|info| info.value.zip(info.cp)).collect();
    if both.is_empty() {
        return Err(StepError::not_offered("it does not report both"));
    }
    // A score of 0 stands for values near 0.5, which may be on either side.
    let fits = |&&(value, cp): &&(f64, i32)| cp == 0 || (value > 0.5) == (cp > 0);
    let wrong = both.iter().find(|pair| !fits(pair));
    holds(wrong.is_none(), || {
        let (value, cp) = wrong.copied().unwrap_or_default();
        format!("score cp {cp} with value {value}")
    })
}

fn values_are_the_movers(connection: &mut Connection) -> Checked {
    let (won, lost) = (connection.material.won.clone(), connection.material.lost.clone());
    let (Some(won), Some(lost)) = (won, lost) else { return Err(StepError::NoSuchPosition) };
    let mut value = |turn: &AskedTurn| {
        let answer = connection.decided(turn, "go depth 3")?;
        let value = answer.infos.iter().rev().find_map(|info| info.value);
        value.ok_or_else(|| StepError::not_offered("it reports no value"))
    };
    let (high, low) = (value(&won)?, value(&lost)?);
    holds(high >= low, || format!("value {high} after {}, and {low} after {}", won.text, lost.text))
}

/// Checks the moves that a search expects; the engine must know positions by their moves.
pub fn variation_begins_with_the_move(connection: &mut Connection) -> Checked {
    let mut with_pv = 0;
    for (turn, answer) in searched(connection, "go depth 2")? {
        let best = |info: &&Info| info.multipv.is_none_or(|rank| rank == 1) && !info.pv.is_empty();
        let Some(info) = answer.infos.iter().rev().find(best) else { continue };
        with_pv += 1;
        let mv = first_of(info).1.unwrap_or_default();
        holds(mv.eq_ignore_ascii_case(&answer.best), || {
            format!("pv {} before bestmove {}", shown(mv), answer.best)
        })?;
        let words: Vec<String> = info.pv.iter().map(PositionWord::to_string).collect();
        let line = format!("{} {}", turn.line, words.join(" "));
        if connection.ready().is_ok() && connection.set(&line).is_err() {
            return Err(StepError::wrong(format!("pv {} after {}", words.join(" "), turn.line)));
        }
    }
    if with_pv == 0 { Err(StepError::not_offered("it reports no pv")) } else { Ok(()) }
}

/// The last lines of searches that report three moves.
fn several(connection: &mut Connection) -> Result<Vec<(AskedTurn, Vec<Info>)>, StepError> {
    connection.needs("MultiPV")?;
    connection.set("setoption name MultiPV value 3")?;
    let answers = searched(connection, "go depth 2");
    connection.set("setoption name MultiPV value 1")?;
    let last = |(turn, answer): (AskedTurn, SearchAnswer)| {
        let infos: Vec<Info> =
            answer.infos.into_iter().filter(|info| info.multipv.is_some()).collect();
        let from = infos.iter().rposition(|info| info.multipv == Some(1)).unwrap_or(0);
        (turn, infos[from..].to_vec())
    };
    Ok(answers?.into_iter().map(last).collect())
}

fn reports_several(connection: &mut Connection) -> Checked {
    for (turn, infos) in several(connection)? {
        let wanted = turn.moves.len().min(3);
        let mut moves: Vec<String> =
            infos.iter().filter_map(|info| Some(first_of(info).1?.to_lowercase())).collect();
        moves.retain(|mv| turn.moves.iter().any(|known| known.eq_ignore_ascii_case(mv)));
        moves.sort();
        moves.dedup();
        holds(moves.len() == wanted && infos.len() == wanted, || {
            let (lines, moves) = (infos.len(), moves.len());
            format!("{lines} lines with {moves} legal moves of {wanted} after {}", turn.text)
        })?;
    }
    Ok(())
}

fn several_are_ordered(connection: &mut Connection) -> Checked {
    for (turn, infos) in several(connection)? {
        let ranks: Vec<u32> = infos.iter().filter_map(|info| info.multipv).collect();
        holds(ranks.iter().copied().eq(1..=ranks.len() as u32), || {
            format!("ranks {ranks:?} after {}", turn.text)
        })?;
        let values: Vec<f64> = infos.iter().filter_map(|info| info.value).collect();
        holds(values.is_sorted_by(|one, other| one >= other), || {
            format!("values {values:?} after {}", turn.text)
        })?;
    }
    Ok(())
}
