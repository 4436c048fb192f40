//! Endgame tables: files of any content, and tables that are built in several runs.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use wurfel_core::{Endgame, Random};
use wurfel_games::Playable;
use wurfel_games::einstein::Einstein;
use wurfel_tablebase::{Build, Table, Tables, build, file_name};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::checks::{chance, one_line, with_files};

const NAME: &str = Einstein::NAME;
/// Bytes of the header and of a page, as the README of `wurfel-tablebase` has them.
const HEADER: usize = 64;
const PAGE: usize = 1 << 16;

/// Reads the input as a table with two pieces, as it is and with the right checksums, and resumes
/// it as an unfinished one.
pub fn fuzz(input: &[u8]) {
    let name = file_name(NAME, 2);
    let part = format!("{name}.part");
    for bytes in [input, &sealed(input)] {
        with_files(&[(&name, bytes)], |folder| read(&folder.join(&name), folder));
    }
    with_files(&[(&part, input)], |folder| {
        complete(folder, 2, &mut Random::new(1));
        let contents = fs::read(folder.join(&name)).expect("the table is complete");
        assert!(contents == whole()[0], "another table");
    });
}

fn read(path: &Path, folder: &Path) {
    let count = Einstein::units(2).iter().sum();
    for count in [count, 0, u64::MAX / 4] {
        match Table::open(path, NAME, 2, count) {
            Err(error) => one_line(&error),
            Ok(table) => {
                let sound = table.verify(1, |_| true).is_ok();
                for index in [0, count / 2, count.saturating_sub(1), count, u64::MAX] {
                    let value = table.value(index);
                    assert!(value.is_some() || !sound || index >= count, "no value {index}");
                }
            }
        }
    }
    let _ = Tables::<Einstein>::open(NAME, folder, 2);
}

/// The file with the right checksums of its header and of its pages.
fn sealed(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    if let Some(header) = bytes.get_mut(..HEADER) {
        let check = xxh3_64(&header[..HEADER - 8]);
        header[HEADER - 8..].copy_from_slice(&check.to_le_bytes());
        for (page, bytes) in (0..).zip(bytes[HEADER..].chunks_mut(PAGE)) {
            if let Some((values, check)) = bytes.split_last_chunk_mut::<8>() {
                *check = xxh3_64_with_seed(values, page).to_le_bytes();
            }
        }
    }
    bytes
}

/// The tables with two and three pieces, built in one run.
fn whole() -> &'static [Vec<u8>; 2] {
    static WHOLE: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for tables");
        let settings = Build { pieces: 3, threads: 1, memory: 1 << 30 };
        build::<Einstein>(NAME, folder.path(), settings, |_| true).expect("it can be built");
        [2, 3].map(|pieces| {
            fs::read(folder.path().join(file_name(NAME, pieces))).expect("it is there")
        })
    })
}

/// Builds the tables in a folder, stopped now and then.
fn complete(folder: &Path, pieces: u32, random: &mut Random) {
    for run in 0..4 {
        let settings = Build { pieces, threads: 1, memory: 1 << 30 };
        let stops = run < 3;
        let goes_on = |_| !stops || random.below(4) > 0;
        if build::<Einstein>(NAME, folder, settings, goes_on).expect("it can be built") {
            return;
        }
    }
}

/// A table with three pieces of which a part is there, cut anywhere, perhaps damaged: when it is
/// completed it is the one that is built in one run.
pub fn fuzz_units(input: &[u8]) {
    let random = &mut chance(input);
    let [two, three] = whole();
    let cut = match input {
        [a, b, c, ..] => u32::from_le_bytes([*a, *b, *c, 0]) as usize % (three.len() + 1),
        _ => random.below(three.len() as u32 + 1) as usize,
    };
    let mut part = three[..cut].to_vec();
    if random.below(2) == 0 && !part.is_empty() {
        let place = random.below(part.len() as u32) as usize;
        part[place] ^= 1 << random.below(8);
    }
    let name = file_name(NAME, 3);
    let files = [(file_name(NAME, 2), two.as_slice()), (format!("{name}.part"), part.as_slice())];
    let files = files.each_ref().map(|(name, bytes)| (name.as_str(), *bytes));
    with_files(&files, |folder| {
        complete(folder, 3, random);
        let contents = fs::read(folder.join(&name)).expect("the table is complete");
        assert!(contents == *three, "another table after a cut at byte {cut}");
    });
}
