//! The journal of a match at a real table: as it is, and entry by entry with the checksums corrected.

use std::path::Path;

use wurfel_agents::{Catalogued, UseGame, with_game};
use wurfel_arena::{Session, SessionEntry, SessionError, SessionFile, SessionSettings};
use wurfel_core::{Budget, Side};

use super::checks::{one_line, text, with_files};

/// Lines that are entered of an input: with more of them an execution would take too long.
const MAX_LINES: usize = 200;

pub fn fuzz(input: &[u8]) {
    with_files(&[("session.jsonl.part", input)], |folder| {
        let path = folder.join("session.jsonl");
        if let Some(game) = SessionFile::game_of(&path)
            && let Ok(Err(error)) = with_game(&game, Read(&path))
        {
            one_line(&error);
        }
    });
    let text = text(input);
    let mut lines = text.lines().take(MAX_LINES);
    let Some(settings) = lines.next().and_then(settings) else { return };
    let entries = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    with_files(&[], |folder| {
        let path = folder.join("session.jsonl");
        // An unknown game has no session.
        let _ = with_game(&settings.game.clone(), Enter { path: &path, settings, entries });
    });
}

/// The settings in the first line of a journal.
fn settings(line: &str) -> Option<SessionSettings> {
    let mut header: serde_json::Value = serde_json::from_str(line).ok()?;
    serde_json::from_value(header.get_mut("settings")?.take()).ok()
}

struct Read<'a>(&'a Path);

impl UseGame for Read<'_> {
    type Output = Result<(), SessionError>;

    fn with<G: Catalogued>(self, rules: &G) -> Self::Output {
        let resumed = SessionFile::resume(rules, self.0)?;
        if let Some((_, session)) = resumed {
            look(&session);
        }
        Ok(())
    }
}

/// Enters what can be entered into a new session, writes it down, and reads it again.
struct Enter<'a> {
    path: &'a Path,
    settings: SessionSettings,
    entries: Vec<SessionEntry>,
}

impl UseGame for Enter<'_> {
    type Output = ();

    fn with<G: Catalogued>(self, rules: &G) {
        let Self { path, settings, entries } = self;
        let mut session = match Session::new(rules, settings) {
            Ok(session) => session,
            Err(refusal) => return one_line(&refusal),
        };
        let mut entered = vec![];
        for entry in entries {
            match session.apply(entry.clone()) {
                Ok(()) => entered.push(entry),
                Err(refusal) => one_line(&refusal),
            }
            look(&session);
        }
        let mut file = SessionFile::begin(path, session.settings()).expect("a new file");
        file.write(&entered).expect("a file that can be written");
        drop(file);
        let again = SessionFile::resume(rules, path).expect("a journal that we have written");
        let (_, again) = again.expect("a session");
        assert_eq!(
            format!("{again:?}"),
            format!("{session:?}"),
            "a session changes when it is kept"
        );
    }
}

/// Makes the queries of the arbiter's page.
fn look<G: Catalogued>(session: &Session<G>) {
    let _ =
        (session.next_entry(), session.halves(), session.ending(), session.warning(session.at()));
    let _ = session.clocks(Budget::default(), session.at());
    for side in Side::BOTH {
        let _ = session.limit(Budget::default(), side, u64::MAX);
    }
    if let Some(game) = session.game() {
        let _ = game.now().to_string();
    }
}
