//! The results in files of matches and tournaments, without their moves.
//!
//! Ratings need only the winner of each game, and store no more. But a result is accepted only if it
//! follows from the moves, so every game is played again unless its file is trusted.

mod cup;
mod in_order;
mod lines;
mod pairings;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, Read};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use wurfel_core::{TextError, decoded};
use wurfel_statistics::{ClusterBuilder, ClusterName, Clusters, Encounter, LuckAdjusted, SetUps};

use cup::{CUP, CupHead, CupPlayer};
use lines::{Seen, each_line, first_line, wrong};

use crate::play::tournament::Settings;
use crate::records::mirrored::{Pairs, Unit, line, unit};
use crate::records::players::{RatedPlayer, labels, number};
use crate::records::record::{FORMAT, MatchHeader, VERSION, check_place, one_line};
use crate::records::recorded_game::plain;
use crate::records::replayer::{CheckLevel, Replayer};

pub use in_order::{ReadPairs, read_pairs};
pub use lines::MissingResults;

/// Why results cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The text is wrong.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// The results of one or several files, all of one game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// The game; empty before the first file.
    pub game: String,
    /// All players, in the order of their first games.
    pub players: Vec<RatedPlayer>,
    /// The games of every two players who met.
    pub encounters: Vec<Encounter>,
    /// Whether games that were lost by a fault are left out. The other game of such a pair stays, as
    /// a game without a partner.
    pub skips_faults: bool,
    /// The games that were lost by a fault, whether they are left out or not.
    pub lost_by_fault: u64,
    /// Which of the results share their dice.
    clusters: ClusterBuilder,
    /// The index in `encounters` of each pair of players, the lower number first.
    places: HashMap<[usize; 2], usize>,
    /// How closely games are checked.
    check_level: CheckLevel,
    /// How many threads play them again.
    jobs: usize,
    /// The games read so far, as hashes. A collision among ten million games has a probability below 10⁻⁵.
    seen: HashSet<u64>,
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A hash of the settings of a file, apart from those that do not change any game: two files with
/// the same settings may have games in common.
fn origin(first: &[u8]) -> u64 {
    let mut settings: Value = serde_json::from_slice(first).unwrap_or_default();
    for field in ["program", "pairs", "sprt"] {
        for place in ["", "/first", "/tournament"] {
            if let Some(Value::Object(fields)) = settings.pointer_mut(place) {
                fields.remove(field);
            }
        }
    }
    hash(&settings.to_string())
}

/// The field by which the header of a match differs from the settings of a tournament.
#[derive(Deserialize)]
struct Formatted {
    #[serde(rename = "format")]
    _format: IgnoredAny,
}

/// What plays the games of a file again, or the mistake in its first line.
fn replayer<T: AsRef<str>>(
    check_level: CheckLevel,
    game: &str,
    specs: &[T],
    pairs: Option<u64>,
) -> Result<Option<Replayer>, TextError> {
    let specs: Vec<&str> = specs.iter().map(AsRef::as_ref).collect();
    check_level.replayer(game, &specs, pairs).map_err(|error| wrong(1, error))
}

/// The kind of a file, recognised by its first line.
enum Head {
    /// The players of a match, and its pairs.
    Match([usize; 2], Pairs),
    /// The players of a tournament, and the pairs of every two of them.
    Tournament(Vec<usize>, u64),
    Cup(Vec<usize>),
}

impl Results {
    /// No results yet. Games are played again on `jobs` threads, unless they are trusted.
    pub fn new(check_level: CheckLevel, jobs: usize) -> Self {
        Self { check_level, jobs, ..Self::default() }
    }

    /// Adds the results of a file: the games of a match (`wurfel match --out`), or the pairings of
    /// a tournament. Games that are not over do not count, and neither does an incomplete last
    /// line. Returns what is missing from the file, if anything is.
    ///
    /// # Errors
    /// When the file cannot be read, is of another kind, belongs to another game than the files before
    /// it, has a game that has been added before, or, unless games are trusted, one that cannot have been
    /// played.
    pub fn add(&mut self, file: impl Read) -> Result<Option<MissingResults>, ResultsError> {
        let mut file = decoded(file);
        let first = first_line(&mut file)?;
        let head = self.head(&first)?;
        let origin = origin(&first);
        let (missing, whole) = match head {
            Head::Match(players, pairs) => self.add_match(file, origin, players, pairs)?,
            Head::Tournament(players, pairs) => {
                self.add_tournament(file, origin, &players, pairs)?
            }
            Head::Cup(players) => self.add_cup(file, origin, &players, &first)?,
        };
        Ok(missing.or((!whole).then_some(MissingResults::Line)))
    }

    fn add_match(
        &mut self,
        file: impl BufRead,
        origin: u64,
        players: [usize; 2],
        pairs: Pairs,
    ) -> Result<(Option<MissingResults>, bool), ResultsError> {
        let specs = players.map(|player| self.players[player].spec.clone());
        let replayer = replayer(self.check_level, &self.game, &specs, Some(pairs.count))?;
        let (mut waiting, mut seen) = (None, Seen::default());
        let whole = each_line(file, self.jobs, replayer.as_ref(), |text, luck| {
            let line = line(text)?;
            self.once(&(origin, line.pair, line.game, &line.moves))?;
            seen.add(line.pair);
            if self.leaves_out(line.fault.is_some()) {
                check_place(line.pair, line.game, line.first, Some(pairs.count))?;
            } else if let Some((pair, unit)) = unit(&line, luck, pairs, &mut waiting)? {
                self.add_unit(players, Some((pairs.seed, pair)), unit);
            }
            Ok(true)
        })?;
        if let Some(alone) = waiting {
            let cluster = Some((pairs.seed, alone.pair));
            self.add_unit(players, cluster, Unit::Single(alone.points.halves));
        }
        Ok((seen.missing(pairs), whole))
    }

    /// Notes a game, or the pairing of a tournament, by a hash that identifies it. Fails when it
    /// has been noted before.
    fn once(&mut self, game: &impl Hash) -> Result<(), String> {
        if self.seen.insert(hash(game)) {
            return Ok(());
        }
        Err("the same game was read before: expected each game once".to_owned())
    }

    /// Counts a game if it was lost by a fault; whether it is left out.
    fn leaves_out(&mut self, lost_by_fault: bool) -> bool {
        self.lost_by_fault += u64::from(lost_by_fault);
        lost_by_fault && self.skips_faults
    }

    /// Reads the first line.
    fn head(&mut self, text: &[u8]) -> Result<Head, TextError> {
        if let Ok(CupHead { format, version, tournament }) = serde_json::from_slice(text) {
            if (format.as_str(), version) != CUP {
                return Err(wrong(1, format!("expected {}, version {}", CUP.0, CUP.1)));
            }
            let named = |CupPlayer { name, agent }| RatedPlayer::named(name, &agent);
            let players = tournament.participant.into_iter().map(named).collect();
            return self.known(&tournament.game, players).map(Head::Cup);
        }
        let expected = "expected the file of a match or a tournament (`--out`)";
        let read = serde_json::from_slice::<MatchHeader>(text).map(|header| {
            let agents = header.agents.to_vec();
            (header, agents, true)
        });
        // A line with a format is the header of a match, and its own error says what is wrong.
        let read = read.or_else(|error| match serde_json::from_slice::<Settings>(text) {
            Ok(settings) => Ok((settings.first, settings.agents, false)),
            Err(_) if serde_json::from_slice::<Formatted>(text).is_ok() => Err(error),
            Err(error) => Err(error),
        });
        let (header, agents, is_match) =
            read.map_err(|error| wrong(1, format!("{expected}: {}", plain(&error))))?;
        if (header.format.as_str(), header.version) != (FORMAT, VERSION) {
            return Err(wrong(1, format!("expected {FORMAT}, version {VERSION}")));
        }
        let pairs = Pairs {
            count: header.pairs,
            seed: header.seed,
            tested: header.sprt.is_some(),
            named: header.agents[0] != header.agents[1],
            same_start: header.setups == SetUps::Random,
        };
        let agents = agents.into_iter().map(RatedPlayer::from).collect();
        let players = self.known(&header.game, agents)?;
        Ok(match players.as_slice() {
            &[one, other] if is_match => Head::Match([one, other], pairs),
            _ => Head::Tournament(players, header.pairs),
        })
    }

    /// The numbers of a file's players. The file must belong to the same game as those before it.
    fn known(&mut self, game: &str, players: Vec<RatedPlayer>) -> Result<Vec<usize>, TextError> {
        one_line("game", game).map_err(|error| wrong(1, error))?;
        if self.game.is_empty() {
            game.clone_into(&mut self.game);
        } else if self.game != game {
            let own = &self.game;
            return Err(wrong(1, format!("expected games of {own}, as before, found {game}")));
        }
        let number = |player| number(&mut self.players, player).map_err(|error| wrong(1, error));
        players.into_iter().map(number).collect()
    }

    /// The names that are shown for the players, followed by their specs where two have the same
    /// name.
    pub fn labels(&self) -> Vec<String> {
        labels(&self.players)
    }

    /// The results as independent clusters of those that share their dice: in files of matches the
    /// pairs of one number and one seed, otherwise each pair.
    pub fn clusters(&self) -> Clusters {
        self.clusters.clusters(&self.encounters)
    }

    /// The number of games that are over.
    pub fn games(&self) -> u64 {
        self.encounters.iter().map(Encounter::games).sum()
    }

    /// The ratings with the luck of the dice taken off; `None` where no luck was measured, or too little
    /// of it to take it off.
    pub fn luck_adjusted(&self) -> Option<LuckAdjusted> {
        LuckAdjusted::of(self.players.len(), &self.encounters, &self.clusters)
    }

    /// The index of the encounter of two players, and whether their order is reversed in it.
    fn encounter(&mut self, players: [usize; 2]) -> (usize, bool) {
        let [one, other] = players;
        let ordered = [one.min(other), one.max(other)];
        let place = *self.places.entry(ordered).or_insert_with(|| {
            self.encounters.push(Encounter::new(ordered));
            self.encounters.len() - 1
        });
        (place, one > other)
    }

    fn add_unit(&mut self, players: [usize; 2], cluster: ClusterName, unit: Unit) {
        let (place, turned) = self.encounter(players);
        let encounter = &mut self.encounters[place];
        match unit {
            Unit::Pair([one, other], luck) => {
                let halves = usize::from(one + other);
                let halves = if turned { 4 - halves } else { halves };
                let luck = luck.map(|luck| if turned { -luck } else { luck });
                encounter.pairs[halves] += 1;
                self.clusters.add_pair(cluster, place, halves, luck);
            }
            Unit::Single(halves) => {
                let halves = usize::from(if turned { 2 - halves } else { halves });
                encounter.singles[halves] += 1;
                self.clusters.add_single(cluster, place, halves);
            }
        }
    }
}

#[cfg(test)]
mod tests;
