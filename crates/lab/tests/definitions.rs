//! Every experiment of the program can be read, planned at every scale, and decides something; the
//! stored report is what follows from the stored figures.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use wurfel_lab::{Criterion, Library, Scale, fits, write_report};

#[test]
fn every_experiment_can_be_planned_at_every_scale() {
    let library = Library::new().unwrap();
    let mut problems = vec![];
    for experiment in library.all() {
        for scale in [Scale::Tiny, Scale::Quick, Scale::Full, Scale::Decide] {
            if let Err(error) = experiment.plan(&library, scale, 1) {
                problems.push(format!("{scale}: {error}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_file_that_a_departure_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let library = Library::new().unwrap();
    let mut missing = vec![];
    for experiment in library.all() {
        for departure in &experiment.definition.departure {
            let Some(ours) = &departure.ours else { continue };
            // A line may stand behind the path.
            let path = ours.split(':').next().unwrap_or(ours);
            if !root.join(path).is_file() {
                missing.push(format!("{}: {ours}", experiment.name));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_figure_of_a_paper_that_a_check_needs_is_there() {
    let library = Library::new().unwrap();
    let mut missing = vec![];
    for experiment in library.all() {
        for check in &experiment.definition.checks {
            let needs =
                matches!(check.criterion(), Ok(Criterion::NearPaper(_) | Criterion::WithinPaper));
            let Some(cell) = check.cell.as_ref().filter(|_| needs) else { continue };
            let there = experiment.figures.0.iter().any(|figure| {
                fits(&cell.row, &figure.row).is_some()
                    && fits(&cell.column, &figure.column).is_some()
            });
            if !there {
                missing.push(format!("{}: {}", experiment.name, check.claim.trim()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn names_are_unique_and_papers_are_those_of_the_folders() {
    let library = Library::new().unwrap();
    for (place, experiment) in library.all().iter().enumerate() {
        let (paper, _) = experiment.name.split_once('/').unwrap();
        assert_eq!(experiment.definition.paper, paper, "{}", experiment.name);
        assert!(library.all()[..place].iter().all(|other| other.name != experiment.name));
        assert!(!experiment.definition.checks.is_empty(), "{} decides nothing", experiment.name);
    }
}

#[test]
fn the_first_page_has_at_most_ten_sentences_on_a_paper() {
    let mut sentences = BTreeMap::<String, usize>::new();
    for experiment in Library::new().unwrap().all() {
        let with_sentence =
            experiment.definition.checks.iter().filter(|check| check.sentence.is_some());
        *sentences.entry(experiment.definition.paper.clone()).or_default() += with_sentence.count();
    }
    // Our own ideas are no paper.
    assert_eq!(sentences.remove("ours"), Some(0));
    assert!(sentences.values().all(|count| (5..=10).contains(count)), "{sentences:?}");
}

/// The files below a folder with their contents, by their names, without what a run leaves beside
/// its results.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("training-") || name == "progress.jsonl" {
            continue;
        }
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.insert(path.clone(), fs::read_to_string(&path).unwrap());
        }
    }
    all
}

#[test]
fn the_stored_report_follows_from_the_stored_figures() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let copy = tempfile::tempdir().unwrap();
    let before = files(&stored);
    for (path, text) in &before {
        let to = copy.path().join(path.strip_prefix(&stored).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, text).unwrap();
    }
    write_report(&Library::new().unwrap(), copy.path()).unwrap();
    let after = files(copy.path());
    assert_eq!(after.len(), before.len());
    let differ = before.into_iter().filter(|(path, text)| {
        after[&copy.path().join(path.strip_prefix(&stored).unwrap())] != *text
    });
    let differ: Vec<PathBuf> = differ.map(|(path, _)| path).collect();
    assert!(differ.is_empty(), "`wurfel reproduce report --out experiments` changes {differ:?}");
}
