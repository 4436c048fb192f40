//! The options that a driver may set.

use wurfel::{Agents, Game, all_games};
use wurfel_agents::{Spec, SpecError, agents};
use wurfel_core::UnknownName;
use wurfel_protocol::ugi::{OptionKind, OptionLine};

/// The settings of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The game with its rules.
    pub game: String,
    /// The agent's spec.
    pub agent: String,
    /// The option `hash=` of agents that have it.
    pub hash: Option<u32>,
    /// The option `threads=`.
    pub threads: Option<u32>,
    /// The option `tables=`.
    pub tables: Option<String>,
    /// How many moves a search reports.
    pub multi_pv: u32,
    /// The seed of agents that make random choices.
    pub seed: u64,
    /// The time in milliseconds that an answer takes to reach the driver's clock.
    pub overhead: u64,
    /// Whether castling rights that the board rules out are dropped and not refused.
    pub drop_castling: bool,
}

/// The numeric options: the name, the default, the smallest and the largest value.
const NUMBERS: [(&str, i64, i64, i64); 5] = [
    ("Hash", 16, 1, 4096),
    ("Threads", 1, 1, 256),
    ("MultiPV", 1, 1, 1000),
    ("Seed", 1, 0, i64::MAX),
    ("Move Overhead", 10, 0, 10_000),
];

impl Options {
    /// The settings at the beginning.
    pub fn new(game: &str, agent: &str) -> Self {
        Self {
            game: game.to_owned(),
            agent: agent.to_owned(),
            hash: None,
            threads: None,
            tables: None,
            multi_pv: 1,
            seed: 1,
            overhead: 10,
            drop_castling: false,
        }
    }

    /// The options as the engine announces them.
    pub fn list(&self) -> Vec<OptionLine> {
        let words = all_games().map(|game| game.name().to_owned()).collect();
        let text = |name: &str, default: &str| OptionLine {
            name: name.to_owned(),
            kind: OptionKind::Text { default: default.to_owned() },
        };
        let mut list = vec![
            OptionLine {
                name: "Game".to_owned(),
                kind: OptionKind::Combo { default: self.game.clone(), words },
            },
            text("Agent", &self.agent),
            text("Tables", "none"),
        ];
        let threads = self.threads.map(i64::from);
        list.extend(NUMBERS.map(|(name, value_by_default, min, max)| {
            let default = threads.filter(|_| name == "Threads").unwrap_or(value_by_default);
            OptionLine { name: name.to_owned(), kind: OptionKind::Spin { default, min, max } }
        }));
        let words = ["false", "true"].map(str::to_owned).to_vec();
        list.push(OptionLine {
            name: "DropCastling".to_owned(),
            kind: OptionKind::Combo { default: self.drop_castling.to_string(), words },
        });
        list
    }

    /// The settings after changing one of them. Fails when there is no such option, or it does not
    /// take this value.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, String> {
        let mut new = self.clone();
        let is = |option: &str| name.eq_ignore_ascii_case(option);
        if let Some(&(name, _, min, max)) = NUMBERS.iter().find(|(option, ..)| is(option)) {
            let number = value.parse().ok().filter(|number| (min..=max).contains(number));
            let number = number.ok_or_else(|| {
                format!("option {name}: '{value}': expected a whole number from {min} to {max}")
            })?;
            new.set_number(name, number);
        } else if is("Game") {
            value.clone_into(&mut new.game);
        } else if is("Agent") {
            agent_option(value).map_err(|error| error.to_string())?;
            value.clone_into(&mut new.agent);
        } else if is("Tables") {
            new.tables = (value != "none").then(|| value.to_owned());
        } else if is("DropCastling") {
            new.drop_castling = value
                .parse()
                .map_err(|_| format!("option DropCastling: '{value}': expected true or false"))?;
        } else {
            let list = self.list();
            let names: Vec<&str> = list.iter().map(|option| option.name.as_str()).collect();
            return Err(UnknownName::new("option", name, &names).to_string());
        }
        Ok(new)
    }

    fn set_number(&mut self, name: &str, number: i64) {
        match name {
            "Hash" => self.hash = Some(number as u32),
            "Threads" => self.threads = Some(number as u32),
            "MultiPV" => self.multi_pv = number as u32,
            "Seed" => self.seed = number as u64,
            _ => self.overhead = number as u64,
        }
    }

    /// The agents of a game that these settings describe. An option that the driver has set is
    /// ignored if the agent does not have it or if the spec already sets it. Fails when the spec
    /// does not describe an agent of this game.
    pub fn agents(&self, game: Game) -> Result<Agents, SpecError> {
        let mut spec = self.agent.parse::<Spec>()?;
        let known = agents().find(|agent| agent.name == spec.name);
        let knows = |name: &str| {
            known.is_some_and(|agent| agent.options.iter().any(|option| option.name == name))
        };
        for (name, value) in [
            ("hash", self.hash.map(|hash| hash.to_string())),
            ("threads", self.threads.map(|threads| threads.to_string())),
            ("tables", self.tables.clone()),
        ] {
            if let Some(value) = value
                && knows(name)
                && spec.option(name).is_none()
            {
                spec.options.push((name.to_owned(), value));
            }
        }
        game.agents_of(&spec)
    }
}

/// The name of the agents that are external programs.
const FOREIGN: &str = "cmd";

/// Reads the spec of an agent that a driver requests. Whoever starts the engine may name programs
/// for it to start. Whoever only writes lines to it may not, neither directly nor inside the
/// options of other agents. Fails when the text is not a spec, or names a program.
pub fn agent_option(text: &str) -> Result<Spec, SpecError> {
    // Quotes may be nested, and inside them a backslash only stands for the following character.
    let plain = text.replace('\\', "");
    if plain.split([':', '=', ',', '+', '"', '\'']).any(|word| word.trim() == FOREIGN) {
        let spec = text.chars().take(80).collect();
        let problem = "a driver cannot start programs: expected one of wurfel's own agents";
        return Err(SpecError::Malformed { spec, problem: problem.to_owned() });
    }
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builds(options: &Options) -> bool {
        options.agents(wurfel::game("einstein").unwrap()).is_ok()
    }

    #[test]
    fn every_option_of_the_list_can_be_set_and_nothing_else() {
        let options = Options::new("einstein", "star2:depth=2");
        for OptionLine { name, kind } in options.list() {
            let (good, bad) = match kind {
                OptionKind::Spin { min, max, .. } => {
                    (max.to_string(), (i128::from(min) - 1).to_string())
                }
                OptionKind::Combo { words, .. } => (words[1].clone(), String::new()),
                _ => ("3".to_owned(), String::new()),
            };
            assert_ne!(options.with(&name.to_lowercase(), &good).unwrap(), options, "{name}");
            assert!(bad.is_empty() || options.with(&name, &bad).is_err(), "{name}");
        }
        let error = options.with("Hsh", "3").unwrap_err();
        assert_eq!(error, "unknown option 'Hsh': did you mean 'Hash'?");
        assert!(options.with("Hash", "many").unwrap_err().contains("from 1 to 4096"));
    }

    #[test]
    fn options_of_the_spec_come_before_those_of_the_driver() {
        for (spec, expected) in [("star2:hash=1", true), ("random", true), ("star2:table=1", false)]
        {
            let options = Options::new("einstein", spec).with("Hash", "2").unwrap();
            assert_eq!(builds(&options), expected, "{spec}");
        }
    }

    #[test]
    fn a_driver_starts_no_programs() {
        let options = Options::new("einstein", "greedy");
        for spec in [
            "cmd",
            "cmd:./engine",
            "cmd:\"./engine --fast\",protocol=ugi",
            "qlearning:opponent=cmd:./engine",
            "qlearning:opponent=\"cmd:./engine\"",
            "qlearning:opponent=\"\\cmd:./engine\"",
            "qlearning:opponent=hybrid:depth=1+opponent=cmd:./engine",
        ] {
            let error = options.with("agent", spec).unwrap_err();
            assert!(error.contains("a driver cannot start programs"), "{error}");
        }
        assert!(agent_option("qlearning:opponent=random").is_ok());
    }

    #[test]
    fn what_the_driver_sets_reaches_agents_that_know_it() {
        let mut options = Options::new("einstein", "star2:depth=2,threads=1");
        (options.hash, options.threads) = (Some(1), Some(500));
        // The spec sets its own number of threads; 500 would be refused.
        assert!(builds(&options));
        options.agent = "star2:depth=2".to_owned();
        assert!(!builds(&options));
        options.agent = "random".to_owned();
        assert!(builds(&options));
    }
}
