//! The experiments that are built into the program, and those in folders of its users.

use std::fs;
use std::path::Path;

use wurfel_core::files::FileError;
use wurfel_core::{UnknownName, checksum_text, read_text};

use crate::LabError;
use crate::definition::Definition;
use crate::results::Figures;

/// The texts of an experiment, as the build script lists them.
struct Source {
    name: &'static str,
    definition: &'static str,
    figures: &'static str,
    /// The other files of its folder, by their names.
    files: &'static [(&'static str, &'static str)],
}

const SOURCES: &[Source] = include!(concat!(env!("OUT_DIR"), "/experiments.rs"));

/// The name of the file with a definition.
const DEFINITION: &str = "experiment.toml";
/// The name of the file with the paper's figures.
const FIGURES: &str = "paper.csv";

/// The parts of a definition on which its measured figures do not depend: words, and what follows
/// from the figures. They may change without another run.
const AFTERWARDS: [&str; 12] = [
    "title",
    "paper",
    "section",
    "kind",
    "claim",
    "reading",
    "full_hours",
    "departure",
    "contradiction",
    "summary",
    "check",
    "plot",
];

/// A table or figure of a paper, as a definition that can be run.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, `<paper>/<name>`.
    pub name: String,
    /// What is played and measured, and which claims are checked.
    pub definition: Definition,
    /// The paper's figures.
    pub figures: Figures,
    /// The checksum of everything that it plays and measures, sixteen hexadecimal digits.
    pub checksum: String,
    /// The other files of its folder, by their names.
    files: Vec<(String, String)>,
}

impl Experiment {
    fn read(
        name: &str,
        definition: &str,
        figures: &str,
        files: Vec<(String, String)>,
    ) -> Result<Self, LabError> {
        let file = format!("{name}/{DEFINITION}");
        let (text, definition) = (definition, Definition::read(&file, definition)?);
        let mut texts = vec![work_of(text)?];
        for (name, text) in &files {
            texts.extend([name.clone(), text.clone()]);
        }
        Ok(Self {
            name: name.to_owned(),
            definition,
            figures: Figures::read(&format!("{name}/{FIGURES}"), figures)?,
            checksum: checksum_text(texts.join("\0")),
            files,
        })
    }

    /// The experiment in a folder, named after the folder and the one that contains it.
    ///
    /// # Errors
    /// When there is none, or its files are malformed.
    pub fn in_folder(folder: &Path) -> Result<Self, LabError> {
        let folder = folder.canonicalize().map_err(FileError::at(folder))?;
        let text = |name: &str| {
            let path = folder.join(name);
            read_text(&path).map_err(FileError::at(&path))
        };
        let parts: Vec<String> =
            folder.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let name = parts[parts.len().saturating_sub(2)..].join("/");
        let figures = if folder.join(FIGURES).exists() { text(FIGURES)? } else { String::new() };
        let mut files = vec![];
        for entry in fs::read_dir(&folder).map_err(FileError::at(&folder))? {
            let entry = entry.map_err(FileError::at(&folder))?;
            let file = entry.file_name().to_string_lossy().into_owned();
            let is_text = Path::new(&file).extension().is_some_and(|end| end == "toml");
            if is_text && file != DEFINITION {
                let text = text(&file)?;
                files.push((file, text));
            }
        }
        files.sort();
        Self::read(&name, &text(DEFINITION)?, &figures, files)
    }

    /// The text of one of the other files.
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

/// The part of a definition's text that says what is played and measured, without comments.
fn work_of(definition: &str) -> Result<String, LabError> {
    let mut table: toml::Table =
        toml::from_str(definition).map_err(|error| LabError::Input(error.to_string()))?;
    table.retain(|key, _| !AFTERWARDS.contains(&key));
    serde_json::to_string(&table).map_err(|error| LabError::Input(error.to_string()))
}

/// All experiments that are built into the program.
#[derive(Clone, Debug)]
pub struct Library(Vec<Experiment>);

impl Library {
    /// Reads the built-in experiments.
    ///
    /// # Errors
    /// When one of them is malformed.
    pub fn new() -> Result<Self, LabError> {
        let read = |source: &Source| {
            let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
            let files = source.files.iter().map(own).collect();
            Experiment::read(source.name, source.definition, source.figures, files)
        };
        SOURCES.iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// All experiments, ordered by paper.
    pub fn all(&self) -> &[Experiment] {
        &self.0
    }

    /// The experiment of this name.
    ///
    /// # Errors
    /// When there is none; the error suggests the nearest name.
    pub fn experiment(&self, name: &str) -> Result<&Experiment, LabError> {
        let experiment = self.0.iter().find(|experiment| experiment.name == name);
        experiment.ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> LabError {
        let mut names: Vec<&str> = vec!["all"];
        for experiment in &self.0 {
            names.push(&experiment.name);
            let paper = paper_of(&experiment.name);
            if !names.contains(&paper) {
                names.push(paper);
            }
        }
        UnknownName::listed("experiment", name, &names, "wurfel reproduce list").into()
    }

    /// The requested experiments: by name, all of a paper by the paper's name, `all`, or one in a
    /// folder of the user's, given as a path that begins with `/` or `.`. Each experiment occurs
    /// once.
    ///
    /// # Errors
    /// When there is no such experiment; the error suggests the nearest name.
    pub fn select(&self, names: &[String]) -> Result<Vec<Experiment>, LabError> {
        let mut selected: Vec<Experiment> = vec![];
        for name in names {
            let name = name.as_str();
            let experiments = if name.starts_with(['/', '.']) {
                vec![Experiment::in_folder(Path::new(name))?]
            } else {
                let fits = |experiment: &&Experiment| {
                    name == "all" || experiment.name == name || paper_of(&experiment.name) == name
                };
                self.0.iter().filter(fits).cloned().collect()
            };
            if experiments.is_empty() {
                return Err(self.unknown(name));
            }
            for experiment in experiments {
                if selected.iter().all(|other| other.name != experiment.name) {
                    selected.push(experiment);
                }
            }
        }
        Ok(selected)
    }
}

fn paper_of(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}
