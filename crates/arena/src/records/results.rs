//! The results in files of matches and tournaments, without their moves.
//!
//! Ratings need only the winner of each game, and store no more. But a result is accepted only if it
//! follows from the moves, so every game is played again unless its file is trusted.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, Read};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use wurfel_core::{TextError, TextPosition, decoded};
use wurfel_statistics::{
    ClusterBuilder, ClusterName, Clusters, Encounter, LuckAdjusted, PlayedGames, Score, SetUps,
};

use crate::cup::file::CupReader;
use crate::play::ordered::ordered;
use crate::play::tournament::Settings;
use crate::records::mirrored::{GamePoints, Pairs, Unit, halves, line, unit};
use crate::records::players::{RatedPlayer, labels, number};
use crate::records::record::{FORMAT, MatchHeader, VERSION, check_place, one_line};
use crate::records::recorded_game::plain;
use crate::records::replayer::{Reading, Replayer};

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
    reading: Reading,
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

/// The fields that a line of a tournament of matches must have for a pairing.
#[derive(Deserialize)]
struct Pairing {
    agents: [usize; 2],
    score: Score,
    #[serde(default)]
    faults: [[u64; 3]; 2],
    played: Option<PlayedGames>,
}

/// The first line of a tournament that a TOML file describes, as far as its results need it.
#[derive(Deserialize)]
struct CupHead {
    format: String,
    version: u32,
    tournament: CupSettings,
}

#[derive(Deserialize)]
struct CupSettings {
    game: String,
    participant: Vec<CupPlayer>,
}

#[derive(Deserialize)]
struct CupPlayer {
    name: String,
    agent: String,
}

/// The format and version of the file of such a tournament.
const CUP: (&str, u32) = ("wurfel-tournament", 1);

/// The fields that a game's line in such a file must have.
#[derive(Deserialize)]
struct CupGame<'a> {
    round: u32,
    players: [usize; 2],
    pair: u64,
    game: u8,
    first: u8,
    #[serde(borrow)]
    moves: Cow<'a, str>,
    #[serde(borrow)]
    result: Cow<'a, str>,
    fault: Option<IgnoredAny>,
}

/// The second line of such a file.
#[derive(Deserialize)]
struct SetUpLine {
    #[serde(rename = "setups")]
    _setups: IgnoredAny,
}

/// The largest number of games of a pairing, so that sums over pairings stay in range.
const MAX_GAMES: u64 = 1 << 41;

/// Games whose partners have not ended yet, by round, participants and pair, with what the first of the
/// two participants won.
type Halves = HashMap<(u32, [usize; 2], u64), GamePoints>;

/// The number of lines that are read before they are played again together.
const BATCH: usize = 4096;

/// Calls `see` with each line after the first and with its luck, if `replayer` has measured it on `jobs`
/// threads, until it returns an error or false. An error in a last line that is not complete is
/// ignored; returns whether there was none.
fn each_line(
    mut file: impl BufRead,
    jobs: usize,
    replayer: Option<&Replayer>,
    mut see: impl FnMut(&[u8], Option<f64>) -> Result<bool, String>,
) -> Result<bool, ResultsError> {
    let (mut number, mut whole) = (1, true);
    loop {
        let mut lines = vec![];
        while lines.len() < BATCH {
            let mut text = vec![];
            if file.read_until(b'\n', &mut text)? == 0 {
                break;
            }
            number += 1;
            if !text.trim_ascii().is_empty() {
                lines.push((number, text));
            }
        }
        if lines.is_empty() {
            return Ok(whole);
        }
        let mut ended = None;
        let mut look = |at: u64, checked: Result<Option<f64>, String>| {
            let (number, text) = &lines[at as usize];
            match checked.and_then(|luck| see(text, luck)) {
                Ok(true) => {}
                Ok(false) => ended = Some(Ok(whole)),
                Err(problem) if text.ends_with(b"\n") => {
                    ended = Some(Err(wrong(*number, problem).into()));
                }
                Err(_) => whole = false,
            }
            ended.is_none()
        };
        let count = lines.len() as u64;
        match replayer {
            None => {
                let _ = (0..count).all(|at| look(at, Ok(None)));
            }
            Some(replay) => {
                ordered(0..count, jobs, || (), |(), at| Some(replay(&lines[at as usize].1)), look);
            }
        }
        if let Some(ended) = ended {
            return ended;
        }
    }
}

/// What is missing from the file of a match or a tournament. Displays as `30 of 200 games`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotWhole {
    /// There are fewer games than the first line names.
    Games {
        /// The number of games in the file.
        found: u64,
        /// The number of games that there should be.
        of: u64,
    },
    /// A tournament is not over.
    Tournament,
    /// The last line is not complete.
    Line,
}

impl Display for NotWhole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games { found, of } => write!(f, "{found} of {of} games"),
            Self::Tournament => f.write_str("the tournament is not over"),
            Self::Line => f.write_str("its last line is not complete"),
        }
    }
}

/// The games of a match so far.
#[derive(Clone, Copy, Default)]
struct Seen {
    games: u64,
    pairs: u64,
    /// The number of the last pair.
    last: Option<u64>,
    /// The games of the last pair, and the pairs before it that have a single game.
    in_last: u64,
    singles: u64,
}

impl Seen {
    fn add(&mut self, pair: u64) {
        self.games += 1;
        if self.last.replace(pair) == Some(pair) {
            self.in_last += 1;
        } else {
            self.singles += u64::from(self.in_last == 1);
            self.pairs += 1;
            self.in_last = 1;
        }
    }

    /// What is missing of the pairs of the header. Games outside mirrored pairs have a pair number
    /// each.
    fn missing(self, of: Pairs) -> Option<NotWhole> {
        let single = self.games == self.pairs && (self.pairs > 1 || of.count == 1);
        let all = if single { of.count } else { 2 * of.count - self.singles };
        let short =
            !of.tested && (self.games < all) && (self.pairs < of.count || self.singles == 0);
        short.then_some(NotWhole::Games { found: self.games, of: all })
    }
}

/// The pairs of a match that were read in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadPairs {
    /// The game.
    pub game: String,
    /// The specs of the agents.
    pub agents: [String; 2],
    /// What is missing, if anything is and all was read.
    pub not_whole: Option<NotWhole>,
}

/// Reads the mirrored pairs of a match in their order, and calls `see` with the first agent's
/// half points in both games and the mean of its luck, if that is measured, until it returns
/// false. Games without a partner are left out. Games are played again on `jobs` threads, unless they
/// are trusted.
///
/// # Errors
/// When the file cannot be read, is not the file of a match, or has a game that cannot have been played.
pub fn read_pairs(
    file: impl Read,
    reading: Reading,
    jobs: usize,
    mut see: impl FnMut([u8; 2], Option<f64>) -> bool,
) -> Result<ReadPairs, ResultsError> {
    let mut file = decoded(file);
    let mut results = Results::new(reading, jobs);
    let Head::Match(_, pairs) = results.head(&first_line(&mut file)?)? else {
        return Err(wrong(1, "expected the file of a match, found that of a tournament").into());
    };
    // An agent that played against itself is a single player.
    let specs = [results.players.first(), results.players.last()];
    let agents = specs.map(|player| player.map_or(String::new(), |player| player.spec.clone()));
    let replayer = replayer(reading, &results.game, &agents, Some(pairs.count))?;
    let (mut waiting, mut last, mut seen, mut enough) = (None, None, Seen::default(), false);
    let whole = each_line(file, jobs, replayer.as_ref(), |text, luck| {
        let line = line(text)?;
        let place = Some((line.pair, line.game));
        if place <= last {
            let (pair, game) = (line.pair, line.game);
            return Err(format!("game {game} of pair {pair}: expected each game once, in order"));
        }
        last = place;
        seen.add(line.pair);
        if let Some((_, Unit::Pair(halves, luck))) = unit(&line, luck, pairs, &mut waiting)? {
            enough = !see(halves, luck);
        }
        Ok(!enough)
    })?;
    let not_whole = seen.missing(pairs).or((!whole).then_some(NotWhole::Line));
    Ok(ReadPairs { game: results.game, agents, not_whole: not_whole.filter(|_| !enough) })
}

/// What plays the games of a file again, or the mistake in its first line.
fn replayer<T: AsRef<str>>(
    reading: Reading,
    game: &str,
    specs: &[T],
    pairs: Option<u64>,
) -> Result<Option<Replayer>, TextError> {
    let specs: Vec<&str> = specs.iter().map(AsRef::as_ref).collect();
    reading.replayer(game, &specs, pairs).map_err(|error| wrong(1, error))
}

fn first_line(file: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut text = vec![];
    file.read_until(b'\n', &mut text)?;
    Ok(text)
}

/// The reader of a tournament's file.
fn reader(first: &[u8]) -> Result<CupReader, TextError> {
    let reader = std::str::from_utf8(first).ok().and_then(CupReader::begin);
    reader.ok_or_else(|| wrong(1, "expected the description of a tournament"))
}

/// The kind of a file, recognised by its first line.
enum Head {
    /// The players of a match, and its pairs.
    Match([usize; 2], Pairs),
    /// The players of a tournament, and the pairs of every two of them.
    Tournament(Vec<usize>, u64),
    Cup(Vec<usize>),
}

/// The error for a mistake in this line.
fn wrong(line: usize, problem: impl Display) -> TextError {
    TextPosition::line(line).wrong(problem)
}

impl Results {
    /// No results yet. Games are played again on `jobs` threads, unless they are trusted.
    pub fn new(reading: Reading, jobs: usize) -> Self {
        Self { reading, jobs, ..Self::default() }
    }

    /// Adds the results of a file: the games of a match (`wurfel match --out`), or the pairings of
    /// a tournament. Games that are not over do not count, and neither does an incomplete last
    /// line. Returns what is missing from the file, if anything is.
    ///
    /// # Errors
    /// When the file cannot be read, is of another kind, belongs to another game than the files before
    /// it, has a game that has been added before, or, unless games are trusted, one that cannot have been
    /// played.
    pub fn add(&mut self, file: impl Read) -> Result<Option<NotWhole>, ResultsError> {
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
        Ok(missing.or((!whole).then_some(NotWhole::Line)))
    }

    fn add_match(
        &mut self,
        file: impl BufRead,
        origin: u64,
        players: [usize; 2],
        pairs: Pairs,
    ) -> Result<(Option<NotWhole>, bool), ResultsError> {
        let specs = players.map(|player| self.players[player].spec.clone());
        let replayer = replayer(self.reading, &self.game, &specs, Some(pairs.count))?;
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

    fn add_tournament(
        &mut self,
        file: impl BufRead,
        origin: u64,
        players: &[usize],
        pairs: u64,
    ) -> Result<(Option<NotWhole>, bool), ResultsError> {
        let mut games = 0;
        let whole = each_line(file, self.jobs, None, |text, _| {
            games += self.add_pairing(origin, players, text)?;
            Ok(true)
        })?;
        let count = players.len() as u64;
        let of = (count * count.saturating_sub(1)).saturating_mul(pairs);
        Ok(((games < of).then_some(NotWhole::Games { found: games, of }), whole))
    }

    fn add_cup(
        &mut self,
        file: impl BufRead,
        origin: u64,
        players: &[usize],
        first: &[u8],
    ) -> Result<(Option<NotWhole>, bool), ResultsError> {
        let specs: Vec<String> =
            players.iter().map(|&player| self.players[player].spec.clone()).collect();
        let replayer = match self.reading {
            Reading::Trusted | Reading::Replayed => None,
            reading => replayer(reading, &self.game, &specs, None)?,
        };
        // The line of the set-ups has no luck, and the reader reports what is wrong with a game.
        let luck = replayer.map(|replayer| -> Replayer {
            Box::new(move |text| Ok(replayer(text).ok().flatten()))
        });
        let mut reader = match self.reading {
            Reading::Trusted => None,
            _ => Some(reader(first)?),
        };
        let mut alone = Halves::new();
        let whole = each_line(file, self.jobs, luck.as_ref(), |text, luck| {
            if let Some(reader) = &mut reader {
                reader.add(std::str::from_utf8(text).unwrap_or_default())?;
            }
            self.add_cup_game(origin, players, (text, luck), &mut alone)?;
            Ok(true)
        })?;
        for ((_, players, _), points) in alone {
            self.add_unit(players, None, Unit::Single(points.halves));
        }
        let Some(reader) = reader else { return Ok((None, whole)) };
        let Some((_, _, complete)) = reader.meetings() else {
            return Err(wrong(
                1,
                "expected only games that follow from the tournament, found others",
            )
            .into());
        };
        Ok(((!complete).then_some(NotWhole::Tournament), whole))
    }

    /// Notes a game, or the pairing of a tournament, by a hash that identifies it.
    ///
    /// # Errors
    /// When it has been noted before.
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

    /// Adds a game of a tournament, in which games end in any order.
    fn add_cup_game(
        &mut self,
        origin: u64,
        players: &[usize],
        (text, luck): (&[u8], Option<f64>),
        waiting: &mut Halves,
    ) -> Result<(), String> {
        let read = serde_json::from_slice(text);
        if read.is_err() && serde_json::from_slice::<SetUpLine>(text).is_ok() {
            return Ok(());
        }
        let line: CupGame<'_> = read.map_err(|error| plain(&error))?;
        let CupGame { round, players: places, pair, game, first, moves, result, fault } = line;
        check_place(pair, game, first, None)?;
        self.once(&(origin, round, places, pair, game, moves))?;
        let Some(halves) = halves(first, &result)? else { return Ok(()) };
        if self.leaves_out(fault.is_some()) {
            return Ok(());
        }
        let named = places.map(|place| players.get(place).copied());
        let [Some(one), Some(other)] = named else {
            return Err(format!("expected two participants below {}", players.len()));
        };
        let players = [one, other];
        let points = GamePoints { halves, luck };
        match waiting.remove(&(round, players, pair)) {
            Some(before) => self.add_unit(players, None, before.with(points)),
            None => {
                waiting.insert((round, players, pair), points);
            }
        }
        Ok(())
    }

    /// Adds the pairing of a tournament, and returns the number of its games.
    fn add_pairing(&mut self, origin: u64, players: &[usize], text: &[u8]) -> Result<u64, String> {
        let Pairing { agents, score, faults, played } =
            serde_json::from_slice(text).map_err(|error| plain(&error))?;
        self.once(&(origin, agents, score.pairs))?;
        let known = agents.map(|agent| players.get(agent).copied());
        let [Some(one), Some(other)] = known else {
            return Err(format!("expected two agents below {}", players.len()));
        };
        let pairs = score.pairs;
        if !score.is_possible() {
            return Err("expected as many games and points as the pairs have".to_owned());
        }
        if !score.allows(&faults) {
            return Err("expected at most as many faults as games lost".to_owned());
        }
        let faults: u64 = faults.iter().flatten().sum();
        let all = PlayedGames { pairs, singles: [0; 3] };
        let counted = match played.filter(|played| played.fits(score.games(), faults)) {
            Some(played) if self.skips_faults => played,
            None if self.skips_faults && faults > 0 => {
                return Err(format!(
                    "{faults} games were lost by faults, and 'played' does not say which pairs are \
                     left without them: expected that they count"
                ));
            }
            _ => all,
        };
        self.lost_by_fault += faults;
        if score.games() > MAX_GAMES {
            return Err(format!("expected at most {MAX_GAMES} games"));
        }
        let (place, turned) = self.encounter([one, other]);
        let mut played = Encounter::new([one, other]);
        (played.pairs, played.singles) = (counted.pairs, counted.singles);
        if turned {
            played.pairs.reverse();
            played.singles.reverse();
        }
        self.clusters.add_all(place, &played);
        let Encounter { pairs, singles, .. } = &mut self.encounters[place];
        let more = played.pairs.into_iter().chain(played.singles);
        for (all, more) in pairs.iter_mut().chain(singles).zip(more) {
            *all += more;
        }
        Ok(score.games())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"format":"wurfel-games","version":1,"program":"wurfel","game":"einstein","agents":["A","B"],"pairs":5,"seed":1,"depth":null,"nodes":null,"time_us":null}"#;

    fn game(pair: u64, game: u8, first: u8, result: &str) -> String {
        format!(
            r#"{{"pair":{pair},"game":{game},"first":{first},"start":"","moves":"@4 a5b4","result":"{result}","plies":9}}"#
        )
    }

    /// Results of files whose games are trusted, because they have no moves.
    fn trusting() -> Results {
        Results::new(Reading::Trusted, 1)
    }

    fn read(lines: &[String]) -> Result<Results, ResultsError> {
        let mut results = trusting();
        let text = [&[HEADER.to_owned()], lines].concat().join("\n") + "\n";
        results.add(text.as_bytes()).map(|_| results)
    }

    /// The same by [`read_pairs`], which reads files in order.
    fn read_in_order(lines: &[String]) -> Result<ReadPairs, ResultsError> {
        let text = [&[HEADER.to_owned()], lines].concat().join("\n") + "\n";
        read_pairs(text.as_bytes(), Reading::Trusted, 1, |_, _| true)
    }

    #[test]
    fn pairs_and_single_games_are_counted_for_the_first_agent() {
        let lines = [
            game(0, 0, 0, "1-0"),
            game(0, 1, 1, "0-1"),
            game(1, 0, 0, "0-1"),
            game(1, 1, 1, "1/2-1/2"),
            // One game has no partner, and one is not over.
            game(2, 0, 1, "1-0"),
            game(3, 0, 0, "*"),
            game(4, 0, 0, "1-0"),
        ];
        let results = read(&lines).unwrap();
        assert_eq!(results.labels(), ["A", "B"]);
        let wanted = Encounter { players: [0, 1], pairs: [0, 1, 0, 0, 1], singles: [1, 0, 1] };
        assert_eq!(results.encounters, [wanted]);
        assert_eq!(format!("{:?}", wanted.points()), "[3.5, 2.5]");
    }

    #[test]
    fn files_add_up_whoever_is_named_first() {
        let mut results = read(&[game(0, 0, 0, "1-0"), game(0, 1, 1, "0-1")]).unwrap();
        let turned = HEADER.replace(r#"["A","B"]"#, r#"["B","A"]"#);
        let text = [turned, game(0, 0, 0, "1-0"), game(0, 1, 1, "0-1")].join("\n");
        results.add(text.as_bytes()).unwrap();
        assert_eq!(results.encounters[0].pairs, [1, 0, 0, 0, 1]);
        let tournament = format!(r#"{{"agents":["C","A"],"first":{HEADER}}}"#)
            + "\n"
            + r#"{"agents":[0,1],"score":{"wins":3,"draws":0,"losses":1,"pairs":[0,0,1,0,1]},"more":1}"#
            + "\n{\"agents\":[0,1],\"sco";
        results.add(tournament.as_bytes()).unwrap();
        assert_eq!(results.labels(), ["A", "B", "C"]);
        assert_eq!(results.encounters[1].players, [0, 2]);
        assert_eq!(results.encounters[1].pairs, [1, 0, 1, 0, 0]);
    }

    /// Games that counted twice made the errors of ratings smaller than they are.
    #[test]
    fn a_game_that_was_added_before_is_refused() {
        let games = [game(0, 0, 0, "1-0"), game(0, 1, 1, "0-1")];
        let mut results = read(&games).unwrap();
        let before = results.encounters.clone();
        let text =
            |header: &str, games: &[String]| [&[header.to_owned()], games].concat().join("\n");
        let again = results.add(text(HEADER, &games).as_bytes()).unwrap_err().to_string();
        assert!(again.contains("line 2, column 1: the same game was read before"), "{again}");
        assert_eq!(results.encounters, before);
        // A longer match with the same seed begins with the same games.
        let longer = HEADER.replace(r#""pairs":5"#, r#""pairs":9"#);
        results.add(text(&longer, &games).as_bytes()).unwrap_err();
        // With another seed, or when agents that think by the clock moved otherwise, it is another
        // game.
        let other = HEADER.replace(r#""seed":1"#, r#""seed":2"#);
        results.add(text(&other, &games).as_bytes()).unwrap();
        let moved = games.map(|game| game.replace("a5b4", "a5a4"));
        results.add(text(HEADER, &moved).as_bytes()).unwrap();
    }

    /// In these files games end in any order, and some have no partner.
    #[test]
    fn tournaments_of_any_format_are_read() {
        let head = r#"{"format":"wurfel-tournament","version":1,"program":"wurfel","tournament":{"game":"einstein","format":"swiss","participant":[{"name":"One","agent":"greedy"},{"name":"Two","agent":"greedy"},{"name":"B","agent":"random"}]}}"#;
        let line = |round: u32, players: [usize; 2], game: &str| {
            format!(r#"{{"number":7,"round":{round},"players":{players:?},"mean_ms":[0.1,0.2],"#)
                + &game[1..]
        };
        let lines = [
            head.to_owned(),
            r#"{"setups":[[null,null],["S123456",null],[null,null]]}"#.to_owned(),
            line(1, [0, 1], &game(0, 0, 0, "1-0")),
            line(1, [2, 0], &game(0, 0, 0, "1-0")),
            line(2, [0, 1], &game(0, 1, 1, "0-1")),
            line(1, [2, 0], &game(0, 1, 1, "1-0")),
            line(1, [0, 1], &game(0, 1, 1, "0-1")),
        ];
        let mut results = read(&[]).unwrap();
        results.add(lines.join("\n").as_bytes()).unwrap();
        let labels = results.labels();
        assert_eq!(labels, ["A", "B (B)", "One", "Two", "B (random)"]);
        let of = |players: [usize; 2]| {
            let own = results.encounters.iter().find(|encounter| encounter.players == players);
            own.map(|encounter| (encounter.pairs, encounter.singles)).unwrap()
        };
        assert_eq!(of([2, 3]), ([0, 0, 0, 0, 1], [0, 0, 1]));
        assert_eq!(of([2, 4]), ([0, 0, 1, 0, 0], [0, 0, 0]));
        let wrong = [lines[0].clone(), lines[2].replace("[0, 1]", "[0, 9]") + "\n"].join("\n");
        let error = trusting().add(wrong.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("below 3"), "{error}");
    }

    #[test]
    fn pairs_are_read_in_order_until_the_caller_stops() {
        let lines = [
            HEADER.to_owned(),
            game(0, 0, 0, "1-0"),
            game(0, 1, 1, "0-1"),
            game(1, 0, 0, "0-1"),
            game(2, 0, 1, "1-0"),
            game(2, 1, 0, "1-0"),
            game(3, 0, 0, "nonsense"),
        ];
        let mut seen = vec![];
        let read = read_pairs(lines.join("\n").as_bytes(), Reading::Trusted, 1, |halves, _| {
            seen.push(halves);
            seen.len() < 2
        });
        let agents = ["A", "B"].map(str::to_owned);
        let wanted = ReadPairs { game: "einstein".to_owned(), agents, not_whole: None };
        assert_eq!(read.unwrap(), wanted);
        assert_eq!(seen, [[2, 2], [0, 2]]);
    }

    /// Each of these was once accepted as a game, or as a mirrored pair.
    #[test]
    fn games_that_no_match_can_have_are_refused() {
        let other = |line: &str, from: &str, to: &str| {
            assert!(line.contains(from), "{line}");
            line.replace(from, to)
        };
        let [one, two] = [game(0, 0, 0, "1-0"), game(0, 1, 1, "0-1")];
        let moved = other(&two, "a5b4", "a5a4");
        for (lines, expected) in [
            (vec![game(0, 0, 2, "1-0")], "line 2, column 1: first 2: expected 0 or 1"),
            (vec![game(0, 5, 0, "1-0")], "line 2, column 1: game 5: expected 0 or 1"),
            (
                vec![game(7, 0, 0, "1-0")],
                "line 2, column 1: pair 7: expected a number below 5, the pairs of the header",
            ),
            (
                vec![one.clone(), other(&moved, "\"first\":1", "\"first\":0")],
                "line 3, column 1: first 0 in both games of pair 0: expected exchanged sides",
            ),
            (
                vec![one.clone(), other(&two, "\"start\":\"\"", "\"start\":\"here\"")],
                "line 3, column 1: start 'here': expected '' as in game 0 of pair 0",
            ),
            (
                vec![one.clone(), other(&two, "@4", "@5")],
                "line 3, column 1: first roll 5: expected 4 as in game 0 of pair 0",
            ),
        ] {
            for error in [read(&lines).unwrap_err(), read_in_order(&lines).unwrap_err()] {
                assert!(error.to_string().contains(expected), "{error}");
            }
        }
        let twice = [one.clone(), other(&one, "a5b4", "a5a4")];
        let error = read(&twice).unwrap_err().to_string();
        assert!(
            error.contains("game 0 of pair 0 after its game 0: expected games 0 and"),
            "{error}"
        );
        for lines in [&twice[..], &[one.clone(), two, one]] {
            let error = read_in_order(lines).unwrap_err().to_string();
            assert!(
                error.contains("game 0 of pair 0: expected each game once, in order"),
                "{error}"
            );
        }
    }

    /// Set-ups that agents choose differ between the games of a pair, and the records of an agent
    /// that plays against itself do not show which of the two had which side.
    #[test]
    fn pairs_differ_where_they_may() {
        let [one, two] = [game(0, 0, 0, "1-0"), game(0, 1, 0, "0-1")];
        let header = HEADER.replace(r#"["A","B"]"#, r#"["A","A"]"#);
        let text = [header, one.clone(), two].join("\n");
        assert!(read_pairs(text.as_bytes(), Reading::Trusted, 1, |_, _| true).is_ok());
        let two = game(0, 1, 1, "0-1").replace("\"start\":\"\"", "\"start\":\"here\"");
        let header = HEADER.replace(r#""seed""#, r#""setups":"chosen","seed""#);
        let text = [header, one, two].join("\n");
        assert!(read_pairs(text.as_bytes(), Reading::Trusted, 1, |_, _| true).is_ok());
    }

    /// An engine lost half of its games because it failed to start, and was rated by them.
    #[test]
    fn games_lost_by_a_fault_can_be_left_out() {
        let fault = |line: String| line.replace("\"plies\"", "\"fault\":[0,\"crash\"],\"plies\"");
        let lines = [
            game(0, 0, 0, "1-0"),
            game(0, 1, 1, "0-1"),
            fault(game(1, 0, 0, "0-1")),
            game(1, 1, 1, "0-1"),
            fault(game(2, 0, 0, "0-1")),
            fault(game(2, 1, 1, "1-0")),
        ];
        let of = |header: &str, lines: &[String], skips_faults: bool| {
            let mut results = Results { skips_faults, ..Results::new(Reading::Trusted, 1) };
            let text = [&[header.to_owned()], lines].concat().join("\n");
            results.add(text.as_bytes()).unwrap();
            let [encounter] = results.encounters[..] else { panic!("two players") };
            (encounter.pairs, encounter.singles, results.lost_by_fault)
        };
        let counted = ([1, 0, 1, 0, 1], [0, 0, 0], 3);
        let skipped = ([0, 0, 0, 0, 1], [0, 0, 1], 3);
        assert_eq!([false, true].map(|skips| of(HEADER, &lines, skips)), [counted, skipped]);
        let head = r#"{"format":"wurfel-tournament","version":1,"program":"wurfel","tournament":{"game":"einstein","format":"round-robin","participant":[{"name":"A","agent":"greedy"},{"name":"B","agent":"random"}]}}"#;
        let lines = lines.map(|line| [r#"{"round":1,"players":[0,1],"#, &line[1..]].concat());
        assert_eq!([false, true].map(|skips| of(head, &lines, skips)), [counted, skipped]);
    }

    #[test]
    fn a_header_with_three_agents_is_refused() {
        let header = HEADER.replace(r#"["A","B"]"#, r#"["A","B","C"]"#) + "\n";
        let error = trusting().add(header.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("line 1, column 1") && error.contains("3 agents: expected two"));
    }

    /// A truncated file was used as a smaller match, without a warning.
    #[test]
    fn missing_games_of_a_file_are_reported() {
        let missing = |header: &str, games: &[String], end: &str| {
            let text = [&[header.to_owned()], games].concat().join("\n") + end;
            trusting().add(text.as_bytes()).unwrap().map(|missing| missing.to_string())
        };
        let games: Vec<String> =
            (0..10).map(|n| game(n / 2, (n % 2) as u8, (n % 2) as u8, "1-0")).collect();
        assert_eq!(missing(HEADER, &games, "\n"), None);
        for (count, end) in [(4, "\n"), (9, "\n"), (0, "\n"), (1, "\n"), (9, "\n{\"pair\":4,\"ga")]
        {
            let expected = format!("{count} of 10 games");
            assert_eq!(missing(HEADER, &games[..count], end), Some(expected), "{end}");
        }
        assert_eq!(missing(HEADER, &games, "\n{").unwrap(), "its last line is not complete");
        // A test ends when it is decided, and games outside mirrored pairs have a number each.
        let tested = HEADER.replace(
            r#""depth""#,
            r#""sprt":{"elo0":0,"elo1":5,"alpha":0.05,"beta":0.05,"model":"logistic","luck":false},"depth""#,
        );
        assert_eq!(missing(&tested, &games[..4], "\n"), None);
        let singles: Vec<String> = (0..5).map(|pair| game(pair, 0, 0, "1-0")).collect();
        assert_eq!(missing(HEADER, &singles, "\n"), None);
        assert_eq!(missing(HEADER, &singles[..3], "\n").unwrap(), "3 of 5 games");
        let mixed = [&games[..4], &singles[2..3], &games[6..]].concat();
        assert_eq!(missing(HEADER, &mixed, "\n"), None);
        let pairing =
            r#"{"agents":[0,1],"score":{"wins":9,"draws":0,"losses":1,"pairs":[0,0,1,0,4]}}"#;
        let table = format!(r#"{{"agents":["A","B","C"],"first":{HEADER}}}"#);
        assert_eq!(missing(&table, &[pairing.to_owned()], "\n").unwrap(), "10 of 30 games");
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (lines, expected) in [
            (vec![game(0, 0, 0, "2-0")], "line 2"),
            (vec![game(0, 0, 0, "1-0"), "{".to_owned()], "line 3"),
        ] {
            let error = read(&lines).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let mut results = trusting();
        for text in ["", "S654321 S123456 @3 a4b4\n", "{}\n"] {
            let error = results.add(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("expected the file of a match or a tournament"), "{error}");
        }
        let mut results = read(&[]).unwrap();
        let other = HEADER.replace("einstein", "dicechess");
        let error = results.add(other.as_bytes()).unwrap_err().to_string();
        assert!(
            error.contains("expected games of einstein, as before, found dicechess"),
            "{error}"
        );
        let split = HEADER.replace("einstein", r"ein\nstein");
        let error = trusting().add(split.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(r#"game "ein\nstein": expected a text on one line"#), "{error}");
    }
}
