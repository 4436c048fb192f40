//! The definition of a tournament, as its TOML file states it.

use std::collections::HashSet;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use wurfel_core::{Budget, at_line};

use crate::play::adjudicate::Adjudication;
use crate::records::record::one_line;
use wurfel_agents::parse_time;
use wurfel_agents::{Spec, games};

/// Maximum number of participants, which bounds the crosstable and the time for pairings.
pub(crate) const MAX_PARTICIPANTS: usize = 128;
/// Maximum number of games of a tournament, because their results are stored in memory.
const MAX_GAMES: u64 = 10_000_000;

/// The format of a tournament, which decides who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CupFormat {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first participants, the challengers, each meet all others.
    Gauntlet,
    /// In each round, participants with similar scores meet.
    Swiss,
    /// Whoever loses a match is out.
    Knockout,
    /// The format of the championships of the Taiwanese computer game association: everybody meets
    /// everybody for 100 games, and the sum of games won counts.
    Tcga,
    /// The format of the Chinese championships: everybody meets everybody in a match of at most 7
    /// games, which the first player with 4 points wins.
    Ccgc,
}

/// A tournament, as its file describes it.
///
/// ```
/// use wurfel_arena::{CupDefinition, CupFormat};
///
/// let cup = CupDefinition::read(
///     "format = 'swiss'
///      rounds = 3
///      pairs = 10
///      [[participant]]
///      agent = 'greedy'
///      [[participant]]
///      name = 'search'
///      agent = 'expecti:depth=2'
///      [[participant]]
///      agent = 'random'",
/// )?;
/// assert_eq!((cup.format, cup.participants[1].name.as_str()), (CupFormat::Swiss, "search"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the description of a tournament")]
pub struct CupDefinition {
    /// The name of the tournament, for people.
    #[serde(default)]
    pub name: String,
    /// The game, which is the rule set.
    #[serde(default = "default_game")]
    pub game: String,
    /// Who meets whom.
    pub format: CupFormat,
    /// The seed of set-ups, dice and agents.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Pairs of games in each meeting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// How many of the first participants each meet all others, in a gauntlet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challengers: Option<usize>,
    /// Rounds of a Swiss tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Maximum number of pairs that are added, one at a time, to an even match of a knockout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie_pairs: Option<u64>,
    /// Games that are played at the same time. This does not change which games are played.
    #[serde(default, skip_serializing)]
    pub jobs: Option<usize>,
    /// What participants may spend on a move, unless their spec sets a bound.
    #[serde(default, skip_serializing_if = "is_default")]
    pub budget: CupLimits,
    /// The clock of each side in each game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<CupClock>,
    /// Whether tablebases end games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<CupAdjudication>,
    /// The participants in the order of their seeding, the strongest first.
    #[serde(rename = "participant", default)]
    pub participants: Vec<Participant>,
}

/// A message of the TOML parser, without names of Rust types.
fn in_words(message: String) -> String {
    let types = ["u64", "u32", "usize"];
    types.iter().fold(message, |text, name| {
        text.replace(&format!("expected {name}"), "expected a whole number from 0")
    })
}

fn default_game() -> String {
    games()[0].name.to_owned()
}

const fn default_seed() -> u64 {
    1
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A time such as `4m`, `2s` or `100ms`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CupTime(pub Duration);

impl TryFrom<String> for CupTime {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        parse_time(&text).map(Self).map_err(|error| format!("'{text}': {error}"))
    }
}

impl From<CupTime> for String {
    fn from(time: CupTime) -> Self {
        format!("{}ms", 1000.0 * time.0.as_secs_f64())
    }
}

/// Reads a time that may be zero, such as `0s`.
fn or_nothing<'de, D: Deserializer<'de>>(source: D) -> Result<Option<CupTime>, D::Error> {
    let text = String::deserialize(source)?;
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_nothing = number.parse() == Ok(0.0) && parse_time(&text.replace(number, "1")).is_ok();
    let time = if is_nothing { Ok(CupTime(Duration::ZERO)) } else { text.try_into() };
    time.map(Some).map_err(Error::custom)
}

/// Bounds on each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { depth = 3 }")]
pub struct CupLimits {
    /// Search depth in turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Maximum number of positions to visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Wall-clock time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<CupTime>,
}

/// A clock for each side of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { total = \"60s\", inc = \"1s\" }")]
pub struct CupClock {
    /// The time at the start.
    pub total: CupTime,
    /// The increment for a side after each of its turns (default: none).
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "Option::is_none")]
    pub inc: Option<CupTime>,
    /// The time by which a clock may be overstepped before that loses (default: none).
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "Option::is_none")]
    pub margin: Option<CupTime>,
}

/// How tablebases end games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { rule = \"certain\" }")]
pub struct CupAdjudication {
    /// When they end one.
    pub rule: Adjudication,
    /// The largest number of pieces of positions that are looked up.
    #[serde(default = "small_tables")]
    pub pieces: u32,
}

/// The largest number of pieces for which tables are built when they are needed.
const fn small_tables() -> u32 {
    4
}

/// Where the set-ups of a participant come from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(
    rename_all = "kebab-case",
    expecting = "expected \"random\", \"chosen\", or a table with the set-ups `first` and `second`"
)]
pub enum CupSetup {
    /// Drawn at random for each pair of games.
    #[default]
    Random,
    /// Chosen by the agent, one for each side, before the tournament.
    Chosen,
    /// These two set-ups.
    #[serde(untagged)]
    Fixed {
        /// The set-up when it plays the first side.
        first: String,
        /// The set-up when it plays the second side.
        second: String,
    },
}

/// A participant of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { agent = \"greedy\" }")]
pub struct Participant {
    /// The name in tables (default: the spec).
    #[serde(default)]
    pub name: String,
    /// The spec of the agent.
    pub agent: String,
    /// Where its set-ups come from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub setup: CupSetup,
}

impl CupDefinition {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// Names, in one line, the entry that is missing, unknown, out of range or unused.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut definition: Self = toml::from_str(text).map_err(|error| {
            in_words(at_line(text, error.span().map(|span| span.start), error.message()))
        })?;
        for participant in &mut definition.participants {
            if participant.name.is_empty() {
                participant.name.clone_from(&participant.agent);
            }
        }
        definition.check()?;
        Ok(definition)
    }

    /// Checks a definition, wherever it comes from.
    pub(crate) fn check(&self) -> Result<(), String> {
        let count = self.participants.len();
        if !(2..=MAX_PARTICIPANTS).contains(&count) {
            let expected = format!("from 2 to {MAX_PARTICIPANTS}");
            return Err(format!(
                "[[participant]]: expected {expected} participants, found {count}"
            ));
        }
        one_line("name", &self.name)?;
        one_line("game", &self.game)?;
        let mut names = HashSet::new();
        for Participant { name, agent, .. } in &self.participants {
            agent.parse::<Spec>().map_err(|error| format!("participant '{name}': {error}"))?;
            one_line("name", name)?;
            if name.trim().is_empty() {
                return Err(format!("name '{name}': expected a visible text"));
            }
            if !names.insert(name) {
                return Err(format!(
                    "two participants are called '{name}': expected different names"
                ));
            }
        }
        self.check_keys()?;
        self.check_numbers()?;
        let games = self.max_games();
        if games > MAX_GAMES {
            return Err(format!("expected at most {MAX_GAMES} games, found {games}"));
        }
        Ok(())
    }

    /// Refuses entries that the format does not use, because whoever writes one expects it to have
    /// an effect.
    fn check_keys(&self) -> Result<(), String> {
        use CupFormat::{Ccgc, Gauntlet, Knockout, Swiss};
        let given = [
            ("pairs", self.pairs.is_some(), self.format != Ccgc),
            ("challengers", self.challengers.is_some(), self.format == Gauntlet),
            ("rounds", self.rounds.is_some(), self.format == Swiss),
            ("tie_pairs", self.tie_pairs.is_some(), self.format == Knockout),
        ];
        match given.iter().find(|(_, given, used)| *given && !used) {
            Some((key, ..)) => {
                let format = serde_json::to_value(self.format).unwrap_or_default();
                Err(format!("{key}: expected nothing, because format = {format} has no use for it"))
            }
            None if self.format == Swiss && self.rounds.is_none() => {
                Err("rounds: expected the number of rounds of a Swiss tournament".into())
            }
            None => Ok(()),
        }
    }

    fn check_numbers(&self) -> Result<(), String> {
        let others = self.participants.len() as u64 - 1;
        let numbers = [
            ("pairs", self.pairs, 1, MAX_GAMES),
            ("challengers", self.challengers.map(|count| count as u64), 1, others),
            ("rounds", self.rounds.map(u64::from), 1, 1000),
            ("tie_pairs", self.tie_pairs, 0, MAX_GAMES),
            ("jobs", self.jobs.map(|count| count as u64), 1, 1024),
            ("budget.depth", self.budget.depth.map(u64::from), 1, 64),
            ("budget.nodes", self.budget.nodes, 1, u64::MAX),
        ];
        for (key, value, least, most) in numbers {
            if value.is_some_and(|value| !(least..=most).contains(&value)) {
                return Err(format!("{key}: expected a whole number from {least} to {most}"));
            }
        }
        Ok(())
    }

    /// Pairs of games in each meeting of a format that has pairs. If the file does not say, it is
    /// 50, the 100 games of `tcga`.
    pub fn pairs(&self) -> u64 {
        self.pairs.unwrap_or(50)
    }

    /// The largest number of games that can be played.
    pub fn max_games(&self) -> u64 {
        let count = self.participants.len() as u64;
        let meetings = match self.format {
            CupFormat::RoundRobin | CupFormat::Tcga | CupFormat::Ccgc => count * (count - 1) / 2,
            CupFormat::Gauntlet => {
                let challengers = self.challengers() as u64;
                challengers * (count - challengers)
            }
            CupFormat::Swiss => u64::from(self.rounds()) * (count / 2),
            CupFormat::Knockout => count - 1,
        };
        let games = match self.format {
            CupFormat::Ccgc => 7,
            _ => self.pairs().saturating_add(self.tie_pairs()).saturating_mul(2),
        };
        meetings.saturating_mul(games)
    }

    /// The number of challengers of a gauntlet.
    pub fn challengers(&self) -> usize {
        self.challengers.unwrap_or(1)
    }

    /// The number of rounds of a Swiss tournament.
    pub fn rounds(&self) -> u32 {
        self.rounds.unwrap_or_default()
    }

    /// Maximum number of pairs that are added to an even match of a knockout.
    pub fn tie_pairs(&self) -> u64 {
        let default = if self.format == CupFormat::Knockout { 3 } else { 0 };
        self.tie_pairs.unwrap_or(default)
    }

    /// The bounds on each move, without a stop flag.
    pub fn budget(&self) -> Budget<'static> {
        let CupLimits { depth, nodes, time } = self.budget;
        Budget { depth, nodes, time: time.map(|CupTime(time)| time), ..Budget::default() }
    }

    /// The clock of each side: that of the file, or else the 4 minutes of `ccgc`.
    pub fn clock(&self) -> Option<CupClock> {
        let four_minutes =
            CupClock { total: CupTime(Duration::from_mins(4)), inc: None, margin: None };
        self.clock.or((self.format == CupFormat::Ccgc).then_some(four_minutes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[[participant]]\nagent = 'greedy'\n[[participant]]\nagent = 'random'\n";

    fn error(head: &str) -> String {
        CupDefinition::read(&format!("{head}\n{TWO}")).unwrap_err()
    }

    #[test]
    fn what_a_file_leaves_out_has_the_defaults_of_the_format() {
        let text = format!("format = 'ccgc'\nclock = {{ total = '90s', inc = '2s' }}\n{TWO}");
        let cup = CupDefinition::read(&text).unwrap();
        assert_eq!((cup.seed, cup.game.as_str(), cup.max_games()), (1, "einstein", 7));
        assert_eq!(cup.participants[0].name, "greedy");
        assert_eq!(cup.clock().unwrap().total.0, Duration::from_secs(90));
        let tcga = CupDefinition::read(&format!("format = 'tcga'\n{TWO}")).unwrap();
        assert_eq!((tcga.max_games(), tcga.clock()), (100, None));
        // The head of the games' file, which is written as JSON, says the same.
        let value = serde_json::to_value(&cup).unwrap();
        assert_eq!(serde_json::from_value::<CupDefinition>(value).unwrap(), cup);
    }

    #[test]
    fn a_clock_may_have_no_increment_and_no_margin() {
        let clock = "format = 'tcga'\nclock = { total = '9s', inc = '0s', margin = '0.0ms' }";
        let cup = CupDefinition::read(&format!("{clock}\n{TWO}")).unwrap();
        let nothing = Some(CupTime(Duration::ZERO));
        assert_eq!(cup.clock().map(|clock| (clock.inc, clock.margin)), Some((nothing, nothing)));
        let value = serde_json::to_value(&cup).unwrap();
        assert_eq!(serde_json::from_value::<CupDefinition>(value).unwrap(), cup);
    }

    #[test]
    fn set_ups_are_words_or_a_table() {
        let text = "format = 'round-robin'\n[[participant]]\nagent = 'greedy'\nsetup = 'chosen'\n\
            [[participant]]\nagent = 'random'\nsetup = { first = 'S123456', second = 'S654321' }";
        let cup = CupDefinition::read(text).unwrap();
        assert_eq!(cup.participants[0].setup, CupSetup::Chosen);
        let [first, second] = ["S123456", "S654321"].map(str::to_owned);
        assert_eq!(cup.participants[1].setup, CupSetup::Fixed { first, second });
    }

    #[test]
    fn mistakes_are_named_in_one_line() {
        for (head, expected) in [
            ("format = 'swiss'", "rounds: expected the number of rounds"),
            ("format = 'ccgc'\npairs = 3", "pairs: expected nothing, because format = \"ccgc\""),
            ("format = 'tcga'\nrounds = 3", "rounds: expected nothing"),
            (
                "format = 'gauntlet'\nchallengers = 2",
                "challengers: expected a whole number from 1 to 1",
            ),
            ("format = 'tcga'\npairs = 0", "pairs: expected a whole number from 1"),
            ("format = 'tcga'\npairs = 9000000", "expected at most 10000000 games"),
            ("format = 'tcga'\npares = 3", "line 2: unknown field `pares`"),
            ("format = 'tcga'\nname = \"a\\nb\"", "name \"a\\nb\": expected a text on one line"),
            ("format = 'tcga'\ngame = \"a\\nb\"", "game \"a\\nb\": expected a text on one line"),
            ("format = 'league'", "line 1: unknown variant `league`"),
            ("format = 'tcga'\nclock = { total = '4 hours' }", "'4 hours': expected a time"),
            ("format = 'tcga'\nclock = { total = '0s' }", "'0s': expected a time"),
            ("format = 'tcga'\nclock = { total = '9s', inc = '0 h' }", "'0 h': expected a time"),
            ("format = 'tcga'\nclock = '60s'", "expected a table such as { total = "),
            ("format = 'tcga'\nbudget = 3", "expected a table such as { depth = 3 }"),
            ("format = 'tcga'\nadjudication = 'certain'", "expected a table such as { rule = "),
            (
                "format = 'tcga'\nadjudication = { rule = \"c\\rtain\" }",
                "unknown variant `c\\rtain`",
            ),
            ("format = 'tcga'\npairs = 'x'", "expected a whole number from 0"),
            ("format = 'tcga'\npairs = -1", "expected a whole number from 0"),
            ("format = 'tcga'\nchallengers = 1.5", "expected a whole number from 0"),
            (
                "format = 'tcga'\n[[participant]]\nagent = 'basic'\nsetup = 'best'",
                "expected \"random\", \"chosen\", or a table with the set-ups",
            ),
            (
                "format = 'tcga'\n[[participant]]\nname = ' '\nagent = 'x'",
                "name ' ': expected a visible text",
            ),
        ] {
            let error = error(head);
            assert!(
                error.contains(expected) && !error.contains(char::is_control),
                "{head}: {error}"
            );
            let inner = ["struct", "enum", "u64", "u32", "usize", "Cup"];
            assert!(!inner.iter().any(|word| error.contains(word)), "{head}: {error}");
        }
        let none = CupDefinition::read("format = 'tcga'").unwrap_err();
        assert!(none.contains("expected from 2 to 128 participants, found 0"), "{none}");
        let twice = format!("format = 'tcga'\n{TWO}[[participant]]\nagent = 'random'");
        let twice = CupDefinition::read(&twice).unwrap_err();
        assert!(twice.contains("two participants are called 'random'"), "{twice}");
    }
}
