//! The strength of a run's networks, round by round: an Elo curve with intervals.
//!
//! The games are not those of the gate. Only networks that looked better in the gate's games passed
//! it, so a curve based on these games would be biased upwards. Here every network that the run has
//! kept meets the same anchors, agents that do not change, in mirrored pairs of its own dice, and
//! the luck of the dice is taken off. The ratings follow by least squares ([`anchored`]).
//!
//! Matches are played in parts of [`PART`] pairs, each with a seed of its own, and a finished part
//! is a line of `curve/games.jsonl` in the folder of the run. An interrupted measurement resumes
//! after its last part, and more pairs, more anchors or more networks only add to the parts that
//! exist.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use wurfel_agents::{Catalogued, Spec};
use wurfel_arena::{
    AnchoredRating, Control, EloDifference, Entrant, Interval, LuckMeter, Match, MatchTally, Score,
    anchored_ratings,
};
use wurfel_core::files::{FileError, lock_folder, write_whole};
use wurfel_core::{Evaluator, Random, checksum};

use super::chart;
use super::config::{ConfigError, TrainingConfig};
use super::error::RunError;
use super::evaluate::{known_values, player};
use super::files::{append_line, failed, read_model};
use super::folder::{LOCK, saved_round};
use super::metrics::{CurvePoint, NetworkMatch, read_rounds};

/// The pairs of a part of a match: some seconds of work.
const PART: u64 = 20;
/// The subfolder of the run's folder.
const FOLDER: &str = "curve";
/// The label of the seeds of these matches.
const CURVE: u64 = 5;

/// How a curve is measured.
#[derive(Clone, PartialEq, Debug)]
pub struct CurveSettings {
    /// The specs of the anchors, at least one. The first has the rating 0.
    pub anchors: Vec<String>,
    /// Mirrored pairs of each network against each anchor, rounded up to whole parts of 20.
    pub pairs: u64,
    /// Simulations of the networks' searches for each decision.
    pub simulations: u64,
    /// The seed of all games.
    pub seed: u64,
}

/// The first line of the file of games: the settings that all of them share.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub format: String,
    pub game: String,
    pub simulations: u64,
    pub tables: u32,
    pub seed: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Part {
    pub round: u64,
    /// The checksum of the network.
    network: String,
    anchor: String,
    #[serde(rename = "part")]
    pub number: u64,
    score: Score,
    luck: Option<Control>,
}

struct SavedNetwork {
    round: u64,
    path: PathBuf,
    checksum: String,
}

/// The curve of a run.
pub struct Curve<G: Catalogued> {
    /// A position that stands for the rules of the game.
    game: G,
    config: TrainingConfig,
    settings: CurveSettings,
    folder: PathBuf,
    _lock: File,
    networks: Vec<SavedNetwork>,
    anchors: Vec<Entrant<G>>,
    known: Option<Arc<dyn Evaluator<G>>>,
    parts: HashMap<Key, Part>,
}

/// The key of a part: its round, its number, the network and the anchor.
pub(super) type Key = (u64, u64, String, String);

impl Part {
    fn key(&self) -> Key {
        (self.round, self.number, self.network.clone(), self.anchor.clone())
    }

    /// The part as the report of a match.
    pub fn report(&self) -> MatchTally {
        let Self { score, luck, .. } = self;
        MatchTally { score: *score, luck: luck.clone(), ..MatchTally::default() }
    }
}

impl<G: Catalogued> Curve<G> {
    /// The curve of the networks in the folder of a run for this game, with the parts that were played earlier.
    ///
    /// # Errors
    /// When the folder holds no run or no network, an anchor is not an agent, or the curve in it
    /// was measured in another way.
    pub fn open(game: &G, run: &Path, settings: CurveSettings) -> Result<Self, RunError> {
        let path = run.join("config.toml");
        let text = fs::read_to_string(&path).map_err(FileError::at(&path))?;
        let config = TrainingConfig::read(&text).map_err(|error| failed(&path, &error))?;
        let anchor = |text: &String| Ok(Entrant::new(game, text.parse()?)?);
        let anchors: Result<Vec<_>, RunError> = settings.anchors.iter().map(anchor).collect();
        let anchors = anchors?;
        if anchors.is_empty() {
            return Err(ConfigError("no anchors: expected at least one agent".to_owned()).into());
        }
        for (number, anchor) in anchors.iter().enumerate() {
            let same = |other: &&Entrant<G>| means_the_same(&other.spec, &anchor.spec);
            if let Some(other) = anchors[..number].iter().find(same) {
                let error = format!(
                    "anchors '{}' and '{}' are the same agent: expected each once",
                    other.spec, anchor.spec
                );
                return Err(ConfigError(error).into());
            }
        }
        let networks = networks(run)?;
        if networks.is_empty() {
            return Err(failed(run, &"no networks: expected a run that has done a round"));
        }
        let folder = run.join(FOLDER);
        let lock = lock_folder(&folder, LOCK)?;
        let header = Header {
            format: "wurfel-curve 1".to_owned(),
            game: game.name().to_owned(),
            simulations: settings.simulations,
            tables: config.self_play.tables,
            seed: settings.seed,
        };
        let parts = read_parts(&folder.join("games.jsonl"), &header)?;
        let known = known_values::<G>(config.self_play.tables)?;
        let game = game.clone();
        Ok(Self { game, config, settings, folder, _lock: lock, networks, anchors, known, parts })
    }

    /// The number of parts of all matches, and how many of them have been played.
    pub fn progress(&self) -> (u64, u64) {
        let wanted = self.wanted();
        let done = wanted.iter().filter(|part| self.part_of(part).is_some()).count();
        (done as u64, wanted.len() as u64)
    }

    /// All parts: the network, the anchor, and the number of the part.
    fn wanted(&self) -> Vec<(usize, usize, u64)> {
        let parts = self.settings.pairs.div_ceil(PART).max(1);
        let (networks, anchors) = (self.networks.len(), self.anchors.len());
        let each = (0..parts).flat_map(|part| (0..networks).map(move |network| (network, part)));
        each.flat_map(|(network, part)| (0..anchors).map(move |anchor| (network, anchor, part)))
            .collect()
    }

    fn part_of(&self, &(network, anchor, number): &(usize, usize, u64)) -> Option<&Part> {
        let (network, anchor) = (&self.networks[network], self.anchors[anchor].spec.to_string());
        self.parts.get(&(network.round, number, network.checksum.clone(), anchor))
    }

    /// Plays the next missing part on `jobs` threads and saves it; false when no part is missing.
    /// `None` when `stop` turned true: nothing of the part is saved then.
    ///
    /// # Errors
    /// When the system refuses to read or write.
    pub fn play(
        &mut self,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<bool>, RunError> {
        let missing = self.wanted().into_iter().find(|part| self.part_of(part).is_none());
        let Some((network, anchor, number)) = missing else { return Ok(Some(false)) };
        let (network, other) = (&self.networks[network], self.anchors[anchor].clone());
        let model = read_model(&network.path)?;
        let name = other.spec.to_string();
        let known = self.known.clone();
        let own = player::<G>(&model, self.settings.simulations, known)?;
        let of_anchor = checksum(name.as_bytes());
        let path = [CURVE, network.round, of_anchor, number];
        let seed = Random::seed_for(self.settings.seed, &path);
        let own = Entrant::custom(&self.game, "network", own);
        let mut game = Match::between([own, other], PART, seed);
        game.budget.stop = stop;
        game.luck = Some(LuckMeter::default_for_game());
        let MatchTally { score, luck, complete, .. } = game.run(jobs, None, &mut |_| ())?;
        if !complete {
            return Ok(None);
        }
        let (round, checksum) = (network.round, network.checksum.clone());
        let part = Part { round, network: checksum, anchor: name, number, score, luck };
        append_line(&self.folder.join("games.jsonl"), &part)?;
        self.parts.insert(part.key(), part);
        Ok(Some(true))
    }

    /// The curve from the parts played so far, for the networks that have met every anchor.
    pub fn points(&self) -> Vec<CurvePoint> {
        let mut differences = vec![];
        let mut measured: Vec<(&SavedNetwork, Vec<NetworkMatch>)> = vec![];
        for (place, network) in self.networks.iter().enumerate() {
            let reports: Option<Vec<MatchTally>> =
                (0..self.anchors.len()).map(|anchor| self.report(place, anchor)).collect();
            let Some(reports) = reports else { continue };
            let player = self.anchors.len() + measured.len();
            let mut against = vec![];
            for (anchor, (entrant, report)) in self.anchors.iter().zip(&reports).enumerate() {
                let luck = report.luck.as_ref();
                differences.push(EloDifference::of([player, anchor], &report.score, luck));
                against.push(NetworkMatch::new(entrant.spec.to_string(), report));
            }
            measured.push((network, against));
        }
        if measured.is_empty() {
            return vec![];
        }
        let ratings = anchored_ratings(self.anchors.len() + measured.len(), 0, &differences);
        let ratings = ratings.into_iter().skip(self.anchors.len());
        let point =
            |((network, against), rating): ((&SavedNetwork, Vec<NetworkMatch>), AnchoredRating)| {
                CurvePoint {
                    round: network.round,
                    games: self.config.games(network.round),
                    elo: rating.elo,
                    interval: rating.interval,
                    against,
                }
            };
        measured.into_iter().zip(ratings).map(point).collect()
    }

    /// The report on the parts of a match together, in order; `None` when none has been played.
    fn report(&self, network: usize, anchor: usize) -> Option<MatchTally> {
        let parts = self.settings.pairs.div_ceil(PART).max(1);
        let played = (0..parts).filter_map(|part| self.part_of(&(network, anchor, part)));
        let mut sum: Option<MatchTally> = None;
        for part in played {
            sum.get_or_insert_default().merge(&part.report());
        }
        sum
    }

    /// Writes the curve as `curve/elo.csv` and `curve/elo.svg`, and returns its points.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&self) -> Result<Vec<CurvePoint>, RunError> {
        let points = self.points();
        let mut text = "round,games,elo,low,high\n".to_owned();
        for CurvePoint { round, games, elo, interval: Interval { low, high }, .. } in &points {
            let _ = writeln!(text, "{round},{games},{elo:.2},{low:.2},{high:.2}");
        }
        write_whole(&self.folder.join("elo.csv"), text)?;
        let name = self.anchors[0].spec.to_string();
        if let Some(picture) = chart::elo(&points, &name)? {
            write_whole(&self.folder.join("elo.svg"), picture)?;
        }
        Ok(points)
    }
}

/// Whether two specs name the same agent with the same options, in whatever order.
fn means_the_same(one: &Spec, other: &Spec) -> bool {
    let [one, other] = [one, other].map(|spec| {
        let options: BTreeSet<&(String, String)> = spec.options.iter().collect();
        (&spec.name, options)
    });
    one == other
}

/// The networks in the folder of a run, by round: the saved ones, the best one, and the last one.
fn networks(run: &Path) -> Result<Vec<SavedNetwork>, RunError> {
    let mut networks: Vec<(u64, PathBuf)> = vec![];
    for entry in fs::read_dir(run).map_err(FileError::at(run))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let best = || name.strip_prefix("best-")?.strip_suffix(".safetensors")?.parse().ok();
        networks.extend(saved_round(&name).or_else(best).map(|round| (round, entry.path())));
    }
    // The last network belongs to the last round in the metrics.
    let last = read_rounds(&run.join("metrics.jsonl"))?.len() as u64;
    let own = run.join("net.safetensors");
    networks.extend((last > 0 && own.exists()).then_some((last, own)));
    networks.sort();
    networks.dedup_by_key(|(round, _)| *round);
    let mut saved = vec![];
    for (round, path) in networks {
        let checksum = format!("{:016x}", read_model(&path)?.checksum());
        saved.push(SavedNetwork { round, path, checksum });
    }
    Ok(saved)
}

/// The parts in a file, which must begin with this header; a missing file is created. An incomplete
/// last line, which a killed program may leave, is removed.
pub(super) fn read_parts(path: &Path, header: &Header) -> Result<HashMap<Key, Part>, RunError> {
    if !path.exists() {
        append_line(path, header)?;
        return Ok(HashMap::new());
    }
    let text = fs::read_to_string(path).map_err(FileError::at(path))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut lines = whole.lines();
    match lines.next().map(serde_json::from_str::<Header>) {
        // The program was killed while it wrote its first line.
        None => {
            fs::remove_file(path).map_err(FileError::at(path))?;
            return read_parts(path, header);
        }
        Some(Ok(there)) if there == *header => {}
        Some(Ok(Header { simulations, seed, .. })) => {
            let error = format!(
                "a curve with {simulations} simulations and seed {seed}: expected the same, or no such file"
            );
            return Err(failed(path, &error));
        }
        Some(Err(error)) => return Err(failed(path, &format!("line 1: {error}"))),
    }
    let mut parts = HashMap::new();
    for (number, line) in (2..).zip(lines) {
        let part: Part = serde_json::from_str(line)
            .map_err(|error| failed(path, &format!("line {number}: {error}")))?;
        if !part.report().is_possible() {
            return Err(failed(path, &format!("line {number}: a score that no match can have")));
        }
        parts.insert(part.key(), part);
    }
    if whole.len() < text.len() {
        write_whole(path, whole)?;
    }
    Ok(parts)
}
