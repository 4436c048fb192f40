//! The lines that the arbiter types, parsed before anything is done with them.

use anyhow::{anyhow, bail};
use wurfel::Session;
use wurfel_agents::parse_time;
use wurfel_arena::SessionEvent;
use wurfel_core::Side;

/// A line that was typed.
#[derive(Debug)]
pub enum Typed<'a> {
    Nothing,
    Help,
    Board,
    Moves,
    Clocks,
    Score,
    Log,
    Quit,
    /// A change of the session.
    Change(Change<'a>),
}

/// A change to be entered.
#[derive(Debug)]
pub enum Change<'a> {
    Event(SessionEvent),
    /// A set-up that is drawn at random.
    Lot,
    /// Set-ups, rolls and moves.
    Words(Vec<&'a str>),
}

/// Reads a line. Control characters are refused, because a terminal would obey them when the line
/// is shown.
pub fn read<'a>(line: &'a str, session: &dyn Session) -> anyhow::Result<Typed<'a>> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (rest, reason) = (rest.trim(), rest.trim().to_owned());
    let word = word.to_lowercase();
    let event = match word.as_str() {
        "go" => SessionEvent::Go,
        "next" => SessionEvent::Next,
        "pause" => SessionEvent::Pause { reason },
        "undo" => SessionEvent::Undo { reason },
        "dismiss" => SessionEvent::Dismiss { reason },
        "draw" => SessionEvent::Draw { reason },
        "resign" | "flag" => {
            let (side, rest) = side(&word, rest, session)?;
            if !rest.is_empty() {
                bail!("'{}': expected nothing after the side", brief(rest));
            }
            if word == "flag" { SessionEvent::Flag { side } } else { SessionEvent::Resign { side } }
        }
        "claim" | "award" => {
            let (side, reason) = side(&word, rest, session)?;
            let reason = reason.to_owned();
            if word == "claim" {
                SessionEvent::Claim { side, reason }
            } else {
                SessionEvent::Award { side, reason }
            }
        }
        "clock" if !rest.is_empty() => {
            let (side, rest) = side(&word, rest, session)?;
            let (time, reason) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let Some(left) = milliseconds(time) else {
                bail!("clock '{}': expected a time such as 3:20", brief(time));
            };
            SessionEvent::Clock { side, left, reason: reason.trim().to_owned() }
        }
        _ => return Ok(other(&word, line)),
    };
    let without = matches!(event, SessionEvent::Go | SessionEvent::Next);
    if without && !rest.is_empty() {
        bail!("'{}': expected nothing after {word}", brief(rest));
    }
    Ok(Typed::Change(Change::Event(event)))
}

/// Reads a command that changes nothing, or else a list of words to be entered.
fn other<'a>(word: &str, line: &'a str) -> Typed<'a> {
    match word {
        "" => Typed::Nothing,
        "help" | "?" => Typed::Help,
        "board" => Typed::Board,
        "moves" => Typed::Moves,
        "clock" | "clocks" => Typed::Clocks,
        "score" => Typed::Score,
        "log" => Typed::Log,
        "lot" => Typed::Change(Change::Lot),
        "quit" | "exit" => Typed::Quit,
        _ => Typed::Change(Change::Words(line.split_whitespace().collect())),
    }
}

/// The side that a text begins with, called by its own name or by that of its player, and the rest
/// of the text.
fn side<'a>(word: &str, text: &'a str, session: &dyn Session) -> anyhow::Result<(String, &'a str)> {
    let begun_by = |name: &str| {
        let (start, rest) = text.split_at_checked(name.len())?;
        let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
        (ends && start.to_lowercase() == name.to_lowercase()).then_some((name.len(), rest.trim()))
    };
    let sides = session.sides();
    let names =
        Side::BOTH.into_iter().flat_map(|side| [(side, sides[side]), (side, session.name(side))]);
    let candidates =
        names.filter_map(|(side, name)| begun_by(name).map(|candidates| (side, candidates)));
    // One player may be called `Li`, and the other one `Li Na`.
    let longest = candidates.max_by_key(|(_, (length, _))| *length);
    let (side, (_, rest)) = longest.ok_or_else(|| {
        let [first, second] = Side::BOTH.map(|side| sides[side]);
        anyhow!("{word} '{}': expected a side, {first} or {second}", brief(text))
    })?;
    Ok((sides[side].to_owned(), rest))
}

/// The beginning of what was typed, short enough for an answer.
pub fn brief(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// A time such as `3:20` or `200s`, in milliseconds.
fn milliseconds(text: &str) -> Option<i64> {
    if let Some((minutes, seconds)) = text.split_once(':') {
        let (minutes, seconds): (u16, u8) = (minutes.parse().ok()?, seconds.parse().ok()?);
        return (seconds < 60).then(|| 60_000 * i64::from(minutes) + 1000 * i64::from(seconds));
    }
    parse_time(text).ok().map(|time| time.as_millis() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_clocks_show_them() {
        for (text, time) in [("3:20", Some(200_000)), ("0:05", Some(5_000)), ("90s", Some(90_000))]
        {
            assert_eq!(milliseconds(text), time, "{text}");
        }
        for text in ["", "3", "3:60", "-1:00", "1:2:3", "99999:00", "nans"] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }
}
