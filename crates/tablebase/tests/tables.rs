//! Tablebase files: building them, stopping and resuming, reading, and damage.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::path::Path;

use wurfel_core::{Endgame, EndgameIndex, Game, Random, Weighted};
use wurfel_games::Playable;
use wurfel_games::einstein::{Einstein, EinsteinNearest};
use wurfel_tablebase::{Build, BuildProgress, Table, TableError, Tables, build, file_name};

const fn settings(pieces: u32) -> Build {
    Build { pieces, threads: 2, memory: 1 << 30 }
}

fn built(pieces: u32) -> (tempfile::TempDir, Tables<Einstein>) {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tables::ready("einstein", folder.path(), settings(pieces)).unwrap();
    (folder, tables)
}

/// The file of the table with `pieces` pieces.
fn bytes(folder: &Path, pieces: u32) -> Vec<u8> {
    fs::read(folder.join(file_name("einstein", pieces))).unwrap()
}

#[test]
fn the_values_of_the_rules_page_come_out() {
    let (_folder, tables) = built(4);
    assert_eq!(tables.max_pieces(), 4);
    for (position, red) in [
        ("A4/1F3/5/3f1/4a r", 0.364_613_295),
        ("A4/1F3/5/3f1/4a b", 0.635_386_705),
        ("2E2/1B3/5/3c1/2d2 r", 0.737_611_454),
        ("2E2/1B3/5/3c1/2d2 b", 0.551_183_128),
        ("5/5/2C2/5/2cba r", 95.0 / 108.0),
        ("5/5/2C2/5/2cba b", 68.0 / 81.0),
    ] {
        let value = f64::from(tables.probe(&position.parse().unwrap()).unwrap());
        let value = if position.ends_with('r') { value } else { 1.0 - value };
        assert!((value - red).abs() < 2.5 / 65_535.0, "{position}: {value}, not {red}");
    }
    for (position, why) in
        [("5/1F3/5/3f1/4A b", "the game is over"), ("5/5/2C2/5/edcba r", "too many cubes")]
    {
        assert_eq!(tables.probe(&position.parse().unwrap()), None, "{position}: {why}");
    }
}

#[test]
fn each_value_is_the_mean_over_the_rolls_of_the_best_after_them() {
    let (_folder, tables) = built(4);
    let mut random = Random::new(2);
    let mut checked = 0;
    let scattered =
        |random: &mut Random| Einstein::default().scattered(2 + random.below(3), random);
    while checked < 20_000 {
        let Some(position) = scattered(&mut random) else { continue };
        let after = |roll, mv| {
            let mut next = position;
            next.play(roll, mv);
            let outcome = next.outcome().map(|outcome| outcome.value_for(next.side()));
            1.0 - outcome.or_else(|| tables.probe(&next)).unwrap()
        };
        let mut mean = 0.0;
        for &Weighted { item: roll, weight } in position.rolls() {
            let moves = position.moves(roll);
            let best = moves.as_ref().iter().map(|&mv| after(roll, mv));
            mean += f64::from(weight) * f64::from(best.fold(0.0, f32::max)) / 6.0;
        }
        let value = f64::from(tables.probe(&position).unwrap());
        assert!((value - mean).abs() < 1.6 / 65_535.0, "{position}: {value}, not {mean}");
        checked += 1;
    }
}

#[test]
fn work_that_was_stopped_goes_on_to_the_same_files() {
    let (whole, _) = built(3);
    let folder = tempfile::tempdir().unwrap();
    let mut runs = 0;
    let mut last = 0;
    // The build is stopped after every unit; each call first reports the units that are done
    // already.
    while !build::<Einstein>(
        "einstein",
        folder.path(),
        settings(3),
        |BuildProgress { done, .. }| {
            let more = done <= last;
            last = last.max(done);
            more
        },
    )
    .unwrap()
    {
        runs += 1;
    }
    assert_eq!(runs, 10);
    for pieces in 2..=3 {
        assert_eq!(bytes(folder.path(), pieces), bytes(whole.path(), pieces), "{pieces} pieces");
    }
}

#[test]
fn work_that_was_killed_goes_on_from_the_last_whole_page() {
    let (whole, _) = built(3);
    let table = bytes(whole.path(), 3);
    let mut random = Random::new(3);
    for cut in [0, 10, 64, 70, 65_600, 65_700, 131_136, 150_000, table.len() - 1, table.len()] {
        for damaged in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            fs::copy(whole.path().join("einstein-2.table"), folder.path().join("einstein-2.table"))
                .unwrap();
            let mut part = table[..cut].to_vec();
            if damaged && cut > 0 {
                let at = random.below(cut as u32) as usize;
                part[at] ^= 0x10;
            }
            fs::write(folder.path().join("einstein-3.table.part"), part).unwrap();
            assert!(build::<Einstein>("einstein", folder.path(), settings(3), |_| true).unwrap());
            assert_eq!(bytes(folder.path(), 3), table, "cut after {cut}, damaged: {damaged}");
            assert!(!folder.path().join("einstein-3.table.part").exists());
        }
    }
}

#[test]
fn one_flipped_bit_is_noticed_wherever_it_is() {
    let (folder, tables) = built(3);
    drop(tables);
    let sound = bytes(folder.path(), 3);
    let path = folder.path().join("einstein-3.table");
    let mut random = Random::new(4);
    let somewhere = std::iter::repeat_with(|| random.below(sound.len() as u32) as usize).take(300);
    for at in (0..100).chain(somewhere.collect::<Vec<_>>()).chain([sound.len() - 1]) {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, damaged).unwrap();
        let error = Tables::<Einstein>::open("einstein", folder.path(), 3).unwrap_err();
        assert!(matches!(error, TableError::Refused { .. }), "byte {at}: {error}");
        assert_eq!(error.to_string().lines().count(), 1);
    }
}

#[test]
fn a_damaged_page_is_as_if_it_were_not_there() {
    let (folder, _) = built(3);
    let mut damaged = bytes(folder.path(), 3);
    damaged[64 + 65_536 + 100] ^= 1;
    let path = folder.path().join("damaged.table");
    fs::write(&path, damaged).unwrap();
    let count = Einstein::units(3).iter().sum();
    let table = Table::open(&path, "einstein", 3, count).unwrap();
    assert!(table.value(32_763).is_some() && !table.is_damaged());
    assert_eq!(table.value(32_764), None);
    assert!(table.is_damaged());
    assert!(table.value(2 * 32_764).is_some());
    assert_eq!(table.value(count), None);
    let error = table.verify(2, |_| true).unwrap_err().to_string();
    assert!(error.contains("is damaged near byte 0"), "{error}");
}

#[test]
fn what_is_not_the_table_that_it_should_be_is_refused() {
    let (folder, _) = built(3);
    let sound = bytes(folder.path(), 3);
    let path = folder.path().join("einstein-3.table");
    let refused = |content: &[u8]| {
        fs::write(&path, content).unwrap();
        let error = Tables::<Einstein>::open("einstein", folder.path(), 3).unwrap_err();
        error.to_string().replace(&path.display().to_string(), "FILE")
    };
    let again = ": remove it and build it again";
    assert_eq!(refused(b""), format!("'FILE' is empty{again}"));
    assert_eq!(refused(b"WURFELTB"), format!("'FILE' is too short for a table{again}"));
    assert_eq!(refused(&[b'x'; 1000]), format!("'FILE' is not a table{again}"));
    let length = sound.len();
    let short = format!("'FILE' has {} bytes, not {length}{again}", length - 1);
    assert_eq!(refused(&sound[..length - 1]), short);
    let long = format!("'FILE' has {} bytes, not {length}{again}", length + 1);
    assert_eq!(refused(&[&sound[..], &[0]].concat()), long);
    assert_eq!(
        refused(&bytes(folder.path(), 2)),
        format!(
            "'FILE' is a table of einstein with 2 pieces and 283 values, not of einstein with 3 and 91770{again}"
        )
    );

    // The table of the other rule set under the name of this one.
    let other = tempfile::tempdir().unwrap();
    build::<EinsteinNearest>("einstein-nearest", other.path(), settings(3), |_| true).unwrap();
    let nearest = fs::read(other.path().join("einstein-nearest-3.table")).unwrap();
    assert!(refused(&nearest).contains("is a table of einstein-nearest with 3 pieces"));
}

#[test]
fn what_cannot_be_built_is_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let error = |settings| {
        build::<Einstein>("einstein", folder.path(), settings, |_| true).unwrap_err().to_string()
    };
    assert_eq!(error(settings(8)), "tables of einstein go up to 7 pieces, not 8");
    let little = Build { memory: 1000, ..settings(3) };
    assert_eq!(error(little), "solving 2 pieces takes 1 MB of memory, and 0 MB are allowed");

    // A table that somebody else is building right now.
    let part = fs::File::create(folder.path().join("einstein-3.table.part")).unwrap();
    part.lock().unwrap();
    assert!(error(settings(3)).ends_with("einstein-3.table.part' is in use by another program"));
}

/// Reading behind the new end of the file used to end the program with a signal.
#[test]
fn a_table_that_is_cut_short_while_it_is_open_stays_as_it_was() {
    let (folder, tables) = built(3);
    let values = || -> Vec<_> {
        let table = &tables.tables()[1];
        (0..table.count()).map(|index| table.value(index)).collect()
    };
    let before = values();
    let path = folder.path().join(file_name("einstein", 3));
    fs::File::options().write(true).open(&path).unwrap().set_len(100).unwrap();
    assert!(values() == before && before.iter().all(Option::is_some));
    let error = Tables::<Einstein>::open("einstein", folder.path(), 3).unwrap_err();
    assert!(error.to_string().contains("has 100 bytes, not "), "{error}");
}

#[test]
fn places_beyond_a_table_have_no_value() {
    let (_folder, tables) = built(2);
    let place = EndgameIndex { pieces: 2, index: 282 };
    assert!(tables.probe(&Einstein::at_place(place).unwrap()).is_some());
    assert_eq!(tables.tables()[0].value(283), None);
    assert_eq!(tables.tables()[0].value(u64::MAX), None);
}
