//! The metrics of a run as an event file for `TensorBoard`.
//!
//! Such a file is a sequence of records (the `tfrecord` of `TensorFlow`), each an `Event`
//! (event.proto). The numbers of its fields are written where they are used. The step of a round is
//! the number of games so far, and its wall time is when it ended. The seconds that the run has worked,
//! without its interruptions, are a number of their own, `elapsed_seconds`.

use std::path::Path;

use wurfel_core::files::write_whole;
use wurfel_net::Message;

use super::error::RunError;
use super::files::append;
use super::metrics::Round;
use super::numbers::numbers;

/// The name of the file; `TensorBoard` looks for names with `tfevents`.
pub(super) const FILE: &str = "events.out.tfevents.wurfel";

/// Writes the file from scratch, with all rounds.
pub(super) fn begin(path: &Path, history: &[Round]) -> Result<(), RunError> {
    let version = Message::default().double(1, 0.0).text(3, "brain.Event:2");
    let (mut bytes, mut seconds) = (record(version), 0.0);
    for round in history {
        seconds += round.seconds();
        bytes.extend(event(round, seconds));
    }
    Ok(write_whole(path, &bytes)?)
}

/// Appends the last round to the file.
pub(super) fn go_on(path: &Path, history: &[Round]) -> Result<(), RunError> {
    let seconds = history.iter().map(Round::seconds).sum();
    history.last().map_or(Ok(()), |round| append(path, &event(round, seconds)))
}

/// A round as a record, with the seconds that the run had worked when the round ended.
fn event(round: &Round, seconds: f64) -> Vec<u8> {
    // `TensorBoard` stores the numbers with 32 bits.
    let elapsed = [("elapsed_seconds".to_owned(), seconds)];
    let all = elapsed.into_iter().chain(numbers(round));
    let summary = all.fold(Message::default(), |summary, (tag, number)| {
        summary.message(1, &Message::default().text(1, &tag).float(2, number as f32))
    });
    // Rounds of old runs do not say when they ended.
    let wall = if round.finished > 0.0 { round.finished } else { seconds };
    record(Message::default().double(1, wall).number(2, round.games).message(5, &summary))
}

/// A record: the length and the content of an event, each with its checksum.
fn record(event: Message) -> Vec<u8> {
    let event = event.into_bytes();
    let length = (event.len() as u64).to_le_bytes();
    let parts = [&length[..], &masked(&length), &event, &masked(&event)];
    parts.concat()
}

/// The masked checksum of a record, as the format defines it: rotated, with a constant added.
fn masked(bytes: &[u8]) -> [u8; 4] {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{NetworkMatch, Strength};

    #[test]
    fn the_first_record_is_that_of_every_event_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        begin(&path, &[]).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        // Files of TensorFlow begin with the length 24 and its checksum.
        assert_eq!(bytes[..12], *b"\x18\0\0\0\0\0\0\0\xa3\x7fK\"");
        assert_eq!(&bytes[12 + 11..12 + 24], b"brain.Event:2");
        assert_eq!(bytes.len(), 12 + 24 + 4);
    }

    #[test]
    fn every_number_of_the_metrics_is_there() {
        let interval = wurfel_arena::Interval { low: 0.625, high: 0.875 };
        let won = |opponent: &str| NetworkMatch::sample(opponent, interval);
        let strength = Strength {
            against_best: Some(won("best")),
            opponents: vec![won("random"), won("greedy:x=1")],
            ..Strength::default()
        };
        let round = Round { value_loss: Some(0.1), evaluation: Some(strength), ..Round::default() };
        let line = serde_json::to_string(&round).unwrap();
        let texts = line.split(|character: char| !".0123456789e-".contains(character));
        let texts = texts.filter(|text| text.parse::<f64>().is_ok()).count();
        let bytes = event(&round, 7.5);
        let tags = ["round/value_loss", "round/step_seconds", "evaluation/best_round"];
        let tags = tags.into_iter().chain(["elapsed_seconds"]);
        let wins = ["against_best/win_rate", "opponents/greedy:x=1/interval/low"];
        for tag in tags.chain(wins) {
            assert!(bytes.windows(tag.len()).any(|part| part == tag.as_bytes()), "{tag}");
        }
        let all = numbers(&round);
        // The 1 of `greedy:x=1` is part of a name in the line, and `taught` is a number in the
        // event.
        assert_eq!(all.len(), texts, "{line}");
        assert!(all.contains(&("round/value_loss".into(), 0.1)), "{all:?}");
    }

    #[test]
    fn the_wall_time_of_a_round_is_when_it_ended() {
        let wall = |round: &Round| {
            let bytes = event(round, 7.5);
            // After the length and its checksum, field 1 is a number of 64 bits.
            assert_eq!(bytes[12], 1 << 3 | 1);
            f64::from_le_bytes(bytes[13..21].try_into().unwrap()).to_string()
        };
        let ended = Round { finished: 1_750_000_000.25, ..Round::default() };
        assert_eq!([wall(&ended), wall(&Round::default())], ["1750000000.25", "7.5"]);
    }

    #[test]
    #[expect(clippy::print_stderr, reason = "says why it proves nothing")]
    fn tensorboard_reads_what_was_written() {
        const SCRIPT: &str = "
import sys
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
for event in EventFileLoader(sys.argv[1]).Load():
    for value in event.summary.value:
        print(event.wall_time, event.step, value.tag, round(value.tensor.float_val[0], 5))
";
        let python = std::env::var("WURFEL_PYTHON").unwrap_or_else(|_| "python3".into());
        let run = |arguments: &[&str]| {
            std::process::Command::new(&python).arg("-c").args(arguments).output()
        };
        if !run(&["import tensorboard"]).is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: no Python with tensorboard (WURFEL_PYTHON names one)");
            return;
        }
        let interval = wurfel_arena::Interval { low: 0.7, high: 0.8 };
        let won = NetworkMatch::sample("random", interval);
        let strength = Strength { opponents: vec![won], ..Strength::default() };
        let round = |games, policy_loss, evaluation| Round {
            games,
            policy_loss: Some(policy_loss),
            game_seconds: 2.0,
            step_seconds: 1.5,
            evaluation,
            ..Round::default()
        };
        let history = [round(100, 1.25, None), round(200, 0.75, Some(strength))];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        begin(&path, &history[..1]).unwrap();
        go_on(&path, &history).unwrap();
        let appended = std::fs::read(&path).unwrap();
        begin(&path, &history).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), appended);
        let output = run(&[SCRIPT, path.to_str().unwrap()]).unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let count: usize = history.iter().map(|round| numbers(round).len() + 1).sum();
        assert_eq!(lines.len(), count, "{text}");
        for line in [
            "3.5 100 round/policy_loss 1.25",
            "7.0 200 round/policy_loss 0.75",
            "7.0 200 elapsed_seconds 7.0",
            "7.0 200 evaluation/opponents/random/win_rate 0.75",
        ] {
            assert!(lines.contains(&line), "{text}");
        }
    }
}
