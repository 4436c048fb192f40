//! The folder of a plan: the plan, and the part of it that is done.
//!
//! `plan.json` states the work. A finished unit has two files in `units/`: its shard, which is
//! named after the checksum of its content, and its manifest, which names the shard and is renamed
//! into place last. Two programs that do the same unit at the same time therefore leave one valid
//! pair, whichever is last, and a program that is killed leaves nothing that counts.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wurfel_core::checksum_text;
use wurfel_core::files::{FileError, write_whole};
use wurfel_lab::Machine;
use xxhash_rust::xxh3::xxh3_128;

use crate::WorkError;
use crate::job::Job;

/// The name of the format, in the plan.
const FORMAT: &str = "wurfel-work";
/// The version of the format; a reader refuses a version that it does not know.
const VERSION: u32 = 1;
const PLAN: &str = "plan.json";
const UNITS: &str = "units";

/// The work to be done, divided into units.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    format: String,
    version: u32,
    /// The program that wrote the plan, with its version.
    pub program: String,
    /// The signatures of its searches, as `wurfel bench` prints them. A program with other
    /// signatures must not work on the plan.
    pub signatures: String,
    /// The number of units of each stage. The units of a stage need all units of the stages before
    /// it.
    pub stages: Vec<u64>,
    /// The work to be done.
    pub job: Job,
}

/// The manifest of a finished unit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The number of the unit in its plan, from 0.
    pub unit: u64,
    /// The checksum of the plan.
    pub plan: String,
    /// The name of the unit's shard, a file beside the manifest.
    pub shard: String,
    /// The length of the shard in bytes.
    pub bytes: u64,
    /// The checksum of the shard (128 bits of XXH3).
    pub checksum: String,
    /// How long the unit took, in seconds.
    pub seconds: f64,
    /// How many threads it had.
    pub threads: usize,
    /// The speed of the machine at that time, in nodes per second of `wurfel bench`.
    pub speed: f64,
    /// The computer that did the unit.
    pub machine: Machine,
}

/// The resources with which a unit was done.
pub(crate) struct DoneBy {
    pub seconds: f64,
    pub threads: usize,
    pub speed: f64,
}

impl Plan {
    pub(crate) fn new(job: Job, stages: Vec<u64>, signatures: String) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: concat!("wurfel ", env!("CARGO_PKG_VERSION")).to_owned(),
            signatures,
            stages,
            job,
        }
    }

    /// How many units there are.
    pub fn units(&self) -> u64 {
        self.stages.iter().sum()
    }

    fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The checksum of the plan, sixteen hexadecimal digits.
    pub fn checksum(&self) -> String {
        checksum_text(self.text())
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Writes a plan into a folder, which is created if necessary. The folder may already contain
    /// the same plan.
    pub fn create(path: &Path, plan: &Plan) -> Result<Self, WorkError> {
        let folder = Self(path.to_owned());
        let units = path.join(UNITS);
        fs::create_dir_all(&units).map_err(FileError::at(&units))?;
        let file = path.join(PLAN);
        if file.exists() && folder.plan()? != *plan {
            let refusal = format!("'{}' is another plan: choose another folder", file.display());
            return Err(WorkError::Input(refusal));
        }
        write_whole(&file, plan.text())?;
        Ok(folder)
    }

    /// The folder of a plan that was written before.
    pub fn open(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn plan(&self) -> Result<Plan, WorkError> {
        let path = self.0.join(PLAN);
        let plan: Plan = read_json(&path, "a plan of `wurfel work plan`")?;
        let refusal = |what: String| WorkError::Input(format!("'{}': {what}", path.display()));
        if plan.format != FORMAT || plan.version != VERSION {
            return Err(refusal(format!(
                "expected format {FORMAT}, version {VERSION}, not {}, version {}",
                plan.format, plan.version
            )));
        }
        plan.job.check().map_err(|error| refusal(error.to_string()))?;
        Ok(plan)
    }

    fn manifest_path(&self, unit: u64) -> PathBuf {
        self.0.join(UNITS).join(format!("{unit:06}.json"))
    }

    /// For each unit, whether it has a manifest, whatever the manifest says.
    pub fn done(&self, plan: &Plan) -> Result<Vec<bool>, WorkError> {
        let units = self.0.join(UNITS);
        let mut done = vec![false; plan.units() as usize];
        for entry in fs::read_dir(&units).map_err(FileError::at(&units))? {
            let name = entry.map_err(FileError::at(&units))?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".json")?.parse().ok());
            if let Some(unit) = number.and_then(|number: usize| done.get_mut(number)) {
                *unit = true;
            }
        }
        Ok(done)
    }

    /// The manifest of a unit; `None` when it is not done.
    pub fn manifest(&self, plan: &Plan, unit: u64) -> Result<Option<Manifest>, WorkError> {
        let path = self.manifest_path(unit);
        if !path.exists() {
            return Ok(None);
        }
        let manifest: Manifest = read_json(&path, "the manifest of a unit")?;
        if manifest.unit != unit || manifest.plan != plan.checksum() {
            let refusal = format!("'{}' is of another plan: remove it", path.display());
            return Err(WorkError::Input(refusal));
        }
        Ok(Some(manifest))
    }

    /// The shard of a unit, checked against its manifest.
    pub fn shard(&self, plan: &Plan, unit: u64) -> Result<Vec<u8>, WorkError> {
        let missing = || WorkError::Missing {
            folder: self.0.clone(),
            missing: 1,
            of: plan.units(),
            first: unit,
        };
        let manifest = self.manifest(plan, unit)?.ok_or_else(missing)?;
        let name = Path::new(&manifest.shard).file_name().unwrap_or_default();
        let path = self.0.join(UNITS).join(name);
        let bytes = fs::read(&path).map_err(FileError::at(&path))?;
        if hash(&bytes) != manifest.checksum {
            return Err(WorkError::Input(format!(
                "'{}' is damaged: remove it with its manifest {}, and do unit {unit} again",
                path.display(),
                self.manifest_path(unit).display()
            )));
        }
        Ok(bytes)
    }

    /// Stores the shard of a unit and its manifest.
    pub fn keep(
        &self,
        plan: &Plan,
        unit: u64,
        bytes: &[u8],
        by: &DoneBy,
    ) -> Result<Manifest, WorkError> {
        let checksum = hash(bytes);
        let shard = format!("{unit:06}-{}.shard", &checksum[..16]);
        write_whole(&self.0.join(UNITS).join(&shard), bytes)?;
        let DoneBy { seconds, threads, speed } = *by;
        let manifest = Manifest {
            unit,
            plan: plan.checksum(),
            shard,
            bytes: bytes.len() as u64,
            checksum,
            seconds,
            threads,
            speed,
            machine: Machine::this(),
        };
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n";
        write_whole(&self.manifest_path(unit), text)?;
        Ok(manifest)
    }
}

/// The checksum of a shard, 32 hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

fn read_json<T: DeserializeOwned>(path: &Path, expected: &str) -> Result<T, WorkError> {
    let text = fs::read_to_string(path).map_err(FileError::at(path))?;
    serde_json::from_str(&text).map_err(|error| {
        WorkError::Input(format!("'{}': expected {expected}: {error}", path.display()))
    })
}
