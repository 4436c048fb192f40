//! The UGI side of the conversation with an engine: sending commands, and understanding the
//! answers.

use std::time::Duration;

use wurfel_protocol::ugi::{Info, PositionWord, Reply};

use super::connection::{Connection, shown};
use super::material::{AskedTurn, Material};
use super::step::{Checked, StepError, holds};

/// The command for an ordinary decision.
pub const ORDINARY_GO: &str = "go movetime 10";

/// The answer to `go`.
#[derive(Default)]
pub struct SearchAnswer {
    /// The reports of the search.
    pub infos: Vec<Info>,
    /// The values that were reported, whether they are possible or not.
    pub values: Vec<f64>,
    /// Whether an error was reported.
    pub is_error: bool,
    /// The word after `bestmove`.
    pub best: String,
}

impl Connection {
    /// Waits until the engine has carried out everything; returns what it said in the meantime.
    pub fn ready(&mut self) -> Result<Vec<String>, StepError> {
        self.send("isready")?;
        let mut lines = self.until(Duration::ZERO, |line| line.trim() == "readyok")?;
        lines.pop();
        Ok(lines)
    }

    /// Sends a command that must be carried out without an answer.
    pub fn set(&mut self, line: &str) -> Checked {
        self.send(line)?;
        let reply = self.ready()?;
        match reply.iter().find(|reply| is_error(reply)) {
            None => Ok(()),
            Some(reply) => Err(StepError::wrong(format!("{} to {}", shown(reply), shown(line)))),
        }
    }

    /// Starts a search and reads its answer.
    pub fn go(&mut self, go: &str) -> Result<SearchAnswer, StepError> {
        self.send(go)?;
        self.best(go)
    }

    /// Reads the answer of a search.
    pub fn best(&mut self, go: &str) -> Result<SearchAnswer, StepError> {
        let lines = self.until(Duration::ZERO, Reply::means_best_move)?;
        let mut answer = SearchAnswer::default();
        for line in &lines {
            match line.parse() {
                Ok(Reply::Info(info)) => {
                    answer.values.extend(value_of(line));
                    answer.infos.push(info);
                }
                Ok(Reply::Error(_)) => answer.is_error = true,
                Ok(Reply::BestMove(best)) => {
                    answer.best = best.unwrap_or_else(|| "0000".to_owned());
                }
                Ok(Reply::Note(_) | Reply::ReadyOk) => {}
                Ok(_) => return Err(StepError::wrong(format!("{} to {go}", shown(line)))),
                Err(_) if Reply::means_best_move(line) => {
                    return Err(StepError::wrong(format!("{} to {go}", shown(line))));
                }
                Err(_) => self.strange.push(line.clone()),
            }
        }
        Ok(answer)
    }

    /// Checks that the move for a turn is legal, and returns the answer.
    pub fn decided(&mut self, turn: &AskedTurn, go: &str) -> Result<SearchAnswer, StepError> {
        self.set(&turn.text)?;
        let answer = self.go(go)?;
        legal(&turn.text, turn, &answer)?;
        Ok(answer)
    }

    /// Checks that the moves for all of these turns are legal.
    pub fn decided_all(&mut self, of: impl Fn(&Material) -> &[AskedTurn]) -> Checked {
        let turns = of(&self.material).to_vec();
        if turns.is_empty() {
            return Err(StepError::NoSuchPosition);
        }
        turns.iter().try_for_each(|turn| self.decided(turn, ORDINARY_GO).map(drop))
    }

    /// Checks that the engine accepts all of these lines.
    pub fn set_all(&mut self, of: impl Fn(&Material) -> Vec<String>) -> Checked {
        let lines = of(&self.material);
        if lines.is_empty() {
            return Err(StepError::NoSuchPosition);
        }
        lines.iter().try_for_each(|line| self.set(line))
    }

    /// Checks that the engine has announced an option.
    pub fn needs(&self, option: &str) -> Checked {
        let known = self.options.iter().any(|known| known.name.eq_ignore_ascii_case(option));
        if known { Ok(()) } else { Err(StepError::not_offered(format!("no option {option}"))) }
    }

    /// The answer to a query. Engines need not answer any: one that is ready again without an answer
    /// does not offer this query.
    pub fn query(&mut self, query: &str) -> Result<String, StepError> {
        self.send(query)?;
        let reply = self.ready()?;
        let Some(line) = reply.first() else {
            return Err(StepError::not_offered(format!("{query} is not answered (optional)")));
        };
        match line.parse() {
            Ok(Reply::Response(_)) => Ok(line.trim().to_owned()),
            Ok(Reply::Error(_)) => Err(StepError::not_offered(format!("no {query}"))),
            _ => Err(StepError::wrong(format!("{} to {query}", shown(line)))),
        }
    }
}

/// The number after `value` in a line.
fn value_of(line: &str) -> Option<f64> {
    line.split_whitespace().skip_while(|word| *word != "value").nth(1)?.parse().ok()
}

/// Whether a line reports an error.
pub fn is_error(line: &str) -> bool {
    matches!(line.parse(), Ok(Reply::Error(_)))
}

/// Checks that the answer's move is one of the legal moves of the turn that a line has set.
pub fn legal(line: &str, turn: &AskedTurn, answer: &SearchAnswer) -> Checked {
    holds(turn.moves.iter().any(|mv| mv.eq_ignore_ascii_case(&answer.best)), || {
        let list = turn.moves.join(" ");
        format!("bestmove {} after {line}, where {list} are legal", shown(&answer.best))
    })
}

/// The first move of a principal variation, and the roll before it if it begins with one.
pub fn first_of(info: &Info) -> (Option<&str>, Option<&str>) {
    match info.pv.as_slice() {
        [PositionWord::Roll(roll), PositionWord::Move(mv), ..] => (Some(roll), Some(mv)),
        [PositionWord::Move(mv), ..] => (None, Some(mv)),
        _ => (None, None),
    }
}
