//! Checks and helpers that several targets share.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Display;
use std::fs;
use std::path::Path;

use wurfel_agents::{Catalogued, UseGame, games, with_game};
use wurfel_core::{Game, Random, checksum, draw};
use wurfel_games::Playable;

/// The input as text; bytes that are not UTF-8 become U+FFFD.
pub fn text(input: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(input)
}

/// Every message is one line that says something.
pub fn one_line(message: &impl Display) {
    let message = message.to_string();
    // Bytes are searched several times as fast as characters, and this is done in every execution.
    let ends = |end| message.as_bytes().contains(&end);
    assert!(!message.is_empty() && !ends(b'\n') && !ends(b'\r'), "not a line: {message:?}");
}

/// Calls `user` with every game.
pub fn every_game<U: UseGame + Clone>(user: &U) {
    for game in games() {
        with_game(game.name, user.clone()).expect("a game of the list");
    }
}

/// Calls `user` with a random game, or with one that reads the first line of the text as a
/// position.
pub fn some_game<U: UseGame>(text: &str, random: &mut Random, user: U) -> U::Output {
    struct Reads<'a>(&'a str);
    impl UseGame for Reads<'_> {
        type Output = bool;

        fn with<G: Catalogued>(self, rules: &G) -> bool {
            rules.read_alike(self.0).is_ok()
        }
    }
    let line = text.lines().next().unwrap_or_default();
    let names: Vec<&str> = games().iter().map(|game| game.name).collect();
    let reads = |name: &&str| with_game(name, Reads(line)).is_ok_and(|reads| reads);
    let fitting: Vec<&str> = names.iter().copied().filter(reads).collect();
    let name = *random.pick(if fitting.is_empty() { &names } else { &fitting });
    with_game(name, user).unwrap_or_else(|_| unreachable!("a game of the list"))
}

/// The random stream that belongs to an input, for targets that need positions rather than texts.
pub fn chance(input: &[u8]) -> Random {
    Random::new(checksum(input))
}

/// A position by these rules before the end: the one of the text if it is one, else a random one, a few turns
/// into a game or with few pieces anywhere.
pub fn some_position<G: Playable>(rules: &G, text: &str, random: &mut Random) -> Option<G> {
    let given = text.lines().next().and_then(|line| rules.read_alike(line).ok());
    let mut position = match given {
        Some(situation) => situation.position,
        None => match random.below(3) {
            0 => rules.scattered(2 + random.below(8), random)?,
            _ => rules.setup(random),
        },
    };
    for _ in 0..random.below(40) {
        let Some(next) = after_a_turn(&position, random) else { break };
        position = next;
    }
    position.outcome().is_none().then_some(position)
}

/// The position after a random turn; `None` at the end of the game.
fn after_a_turn<G: Game>(position: &G, random: &mut Random) -> Option<G> {
    if position.outcome().is_some() {
        return None;
    }
    let mut next = position.clone();
    let mut rest = Some(draw(position.rolls().as_ref(), random));
    while let Some(roll) = rest {
        let mv = next.pick(roll, random)?;
        rest = next.play(roll, mv);
    }
    next.outcome().is_none().then_some(next)
}

/// The line between the files of which an input consists.
const NEXT: &[u8] = b"\n=====\n";

/// The files in an input, at most `most`; the last one has the rest.
pub fn parts(input: &[u8], most: usize) -> Vec<&[u8]> {
    let (mut parts, mut rest) = (vec![], input);
    while parts.len() + 1 < most
        && let Some(end) = rest.windows(NEXT.len()).position(|part| part == NEXT)
    {
        parts.push(&rest[..end]);
        rest = &rest[end + NEXT.len()..];
    }
    parts.push(rest);
    parts
}

/// Writes files into a folder that the same thread uses again and again, and lets `read` look at
/// them there. A name may begin with that of a subfolder.
pub fn with_files(files: &[(&str, &[u8])], read: impl FnOnce(&Path)) {
    thread_local! {
        static FOLDER: RefCell<Option<tempfile::TempDir>> = const { RefCell::new(None) };
    }
    FOLDER.with_borrow_mut(|folder| {
        let folder = folder.get_or_insert_with(|| {
            let memory = Path::new("/dev/shm");
            let folder =
                if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
            folder.expect("a folder for files")
        });
        for (name, bytes) in files {
            if let Some((subfolder, _)) = name.rsplit_once('/') {
                fs::create_dir_all(folder.path().join(subfolder)).expect("room for a folder");
            }
            fs::write(folder.path().join(name), bytes).expect("room for a file");
        }
        read(folder.path());
        for entry in fs::read_dir(folder.path()).expect("the folder is there").flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let remove = if is_folder { fs::remove_dir_all } else { fs::remove_file };
            remove(entry.path()).expect("the file is ours");
        }
    });
}
