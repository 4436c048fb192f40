//! Programs written by others that the operator offers to guests.
//!
//! Guests know these programs by their names alone: a name is not a spec, so no visitor of the site
//! can start another program or set a program's options. An offered program plays games; it neither
//! analyses nor reviews.
//!
//! Whichever search thread has a turn for a program takes an idle instance of it or starts another
//! one. So there are never more instances than threads, and a client's turns count like its other
//! searches. The price is that a program that starts slowly blocks its thread meanwhile.

use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use wurfel::{Agent, Game, NoAnswer, Spec, SpecError, UnknownName, all_games, game};
use wurfel_agents::agents;
use wurfel_core::in_one_line;

use crate::warning::Warning;

/// The longest name of a program, in bytes.
const MAX_NAME: usize = 40;
/// The words before a program's last output in the reason of a failure. Guests must not read that
/// output.
const LAST_WORDS: &str = "; its last words";

/// Why a program cannot be offered. Displays as one line, whatever it quotes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", in_one_line(.0))]
pub struct EngineRefused(String);

impl From<SpecError> for EngineRefused {
    fn from(error: SpecError) -> Self {
        Self(error.to_string())
    }
}

impl From<UnknownName> for EngineRefused {
    fn from(error: UnknownName) -> Self {
        Self(error.to_string())
    }
}

/// A program that is offered to guests: `NAME="COMMAND",protocol=ugi,…` with the options of `cmd:`
/// in a spec, and with `game=` if it plays only one of the games that its protocol has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfferedEngine {
    name: String,
    spec: Spec,
    games: Vec<&'static str>,
}

impl FromStr for OfferedEngine {
    type Err = EngineRefused;

    fn from_str(text: &str) -> Result<Self, EngineRefused> {
        let refused = |problem: String| Err(EngineRefused(problem));
        let Some((name, rest)) = text.split_once('=') else {
            return refused(format!("'{text}': expected a name and a command, NAME=\"COMMAND\""));
        };
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(plain) {
            let expected = format!("expected up to {MAX_NAME} letters, digits, '-', '_' and '.'");
            return refused(format!("name '{name}': {expected}"));
        }
        if agents().any(|agent| agent.name == name) {
            return refused(format!("name '{name}': expected one that is not an agent's"));
        }
        let mut spec: Spec = format!("cmd:{rest}").parse()?;
        if spec.option("ponder") == Some("yes") {
            return refused("ponder=yes: expected no, as a guest may not come back".to_owned());
        }
        let only = spec.options.iter().position(|(option, _)| option == "game");
        let only = only.map(|place| spec.options.remove(place).1);
        let games = match &only {
            Some(name) => vec![game(name)?],
            None => all_games().collect(),
        };
        let (mut playable, mut first) = (vec![], None);
        for game in games {
            match game.agents_of(&spec) {
                Ok(_) => playable.push(game.name()),
                Err(error) => first = first.or(Some(error)),
            }
        }
        match first {
            Some(error) if playable.is_empty() => Err(error.into()),
            _ => Ok(Self { name: name.to_owned(), spec, games: playable }),
        }
    }
}

/// The offered programs, and their running instances.
#[derive(Default)]
pub(crate) struct Engines {
    offered: Vec<OfferedEngine>,
    running: Mutex<Running>,
    /// How many instances may run.
    most: usize,
}

/// The running instances.
#[derive(Default)]
struct Running {
    /// The idle instances, each with its game and its name, the most recently used last.
    idle: Vec<(&'static str, String, Box<dyn Agent>)>,
    /// How many instances are busy with a turn.
    busy: usize,
    failures: Warning,
}

/// An instance that is busy with a turn, which ends when this value is dropped.
struct Busy<'a>(&'a Engines);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.running().busy -= 1;
    }
}

impl Engines {
    /// Offers programs, of which as many instances may run at the same time as there are threads.
    ///
    /// # Errors
    /// When two of them have the same name for the same game.
    pub fn new(offered: Vec<OfferedEngine>, threads: usize) -> Result<Self, EngineRefused> {
        for (place, engine) in offered.iter().enumerate() {
            let same = |other: &OfferedEngine| {
                other.name == engine.name
                    && other.games.iter().any(|game| engine.games.contains(game))
            };
            if offered[..place].iter().any(same) {
                let name = &engine.name;
                return Err(EngineRefused(format!("name '{name}': expected each name once")));
            }
        }
        Ok(Self { offered, running: Mutex::default(), most: threads })
    }

    /// The names of the programs that play a game.
    pub fn names(&self, game: &str) -> Vec<&str> {
        let plays = |engine: &&OfferedEngine| engine.games.contains(&game);
        self.offered.iter().filter(plays).map(|engine| engine.name.as_str()).collect()
    }

    /// The offered program that a guest has named; `None` if there is none.
    pub fn find(&self, game: Game, spec: &Spec) -> Option<&OfferedEngine> {
        let same = |engine: &&OfferedEngine| {
            spec.options.is_empty()
                && engine.name == spec.name
                && engine.games.contains(&game.name())
        };
        self.offered.iter().find(same)
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        // No statement leaves the guarded data inconsistent, so a poisoned lock is still good.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets `work` use a program. A program that has failed is started again the next time. The
    /// operator gets the reason, and so does the guest, but without the command and without the
    /// program's standard error.
    ///
    /// # Errors
    /// Says in one line why the program has failed.
    pub fn with<T>(
        &self,
        game: Game,
        engine: &OfferedEngine,
        work: impl FnOnce(&mut dyn Agent) -> Result<T, NoAnswer>,
    ) -> Result<T, String> {
        let (waiting, _busy) = self.take(game.name(), &engine.name);
        let mut agent = match waiting {
            Some(agent) => agent,
            None => game.agents_of(&engine.spec).map_err(|error| error.to_string())?.make(),
        };
        match work(&mut *agent) {
            Ok(done) => {
                self.running().idle.push((game.name(), engine.name.clone(), agent));
                Ok(done)
            }
            Err(no_answer) => {
                let (name, reason) = (&engine.name, &reason(no_answer));
                self.running().failures.raise(1, |count| {
                    format!("engines of guests failed {count} times, the last one was '{name}': {reason}")
                });
                Err(engine.public_reason(reason))
            }
        }
    }

    /// Takes an idle instance of the program with this game and name, if there is one, and ends
    /// another instance if there would otherwise be too many.
    fn take(&self, game: &str, name: &str) -> (Option<Box<dyn Agent>>, Busy<'_>) {
        let mut running = self.running();
        let fits = |(of, own, _): &(&str, String, _)| *of == game && own == name;
        let place = running.idle.iter().rposition(fits);
        let idle = place.map(|place| running.idle.remove(place).2);
        running.busy += 1;
        let room = self.most.saturating_sub(running.busy);
        let over = running.idle.len().saturating_sub(room);
        let ended: Vec<_> = running.idle.drain(..over).collect();
        drop(running);
        // Ending the instances takes a moment, during which other threads can continue.
        drop(ended);
        (idle, Busy(self))
    }
}

/// Why a program has no answer.
fn reason(no_answer: NoAnswer) -> String {
    match no_answer {
        NoAnswer::Failed(failure) => failure.reason,
        other => other.to_string(),
    }
}

impl OfferedEngine {
    /// The part of a failure's reason that a guest may see.
    fn public_reason(&self, reason: &str) -> String {
        let reason = reason.split_once(LAST_WORDS).map_or(reason, |(reason, _)| reason);
        let command = self.spec.option("command").unwrap_or_default();
        reason.replace(command, &self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel::default_game;
    use wurfel_core::{Failure, Fault};

    fn engine(text: &str) -> OfferedEngine {
        text.parse().unwrap()
    }

    #[test]
    fn an_engine_is_a_name_with_a_command() {
        let both = engine("theirs=\"./engine --fast\",time=100ms");
        assert_eq!(both.games, all_games().map(Game::name).collect::<Vec<_>>());
        assert_eq!(both.spec.to_string(), "cmd:\"./engine --fast\",time=100ms");
        assert_eq!(engine("theirs=\"x\",protocol=course").games[0], "einstein");
        assert_eq!(engine("theirs=\"x\",game=dicechess").games, ["dicechess"]);
        for (text, expected) in [
            ("theirs", "'theirs': expected a name and a command"),
            ("their\ns", "'their\\ns': expected a name and a command"),
            ("a\rb=\"x\"", "name 'a\\rb': expected up to 40 letters"),
            ("=\"x\"", "name '': expected up to 40 letters"),
            ("a b=\"x\"", "name 'a b': expected up to 40 letters"),
            ("greedy=\"x\"", "name 'greedy': expected one that is not an agent's"),
            ("theirs=./x", "expected option=value, found './x'"),
            ("theirs=\"x\",protocol=xboard", "expected ugi or course"),
            ("theirs=\"x\",ponder=yes", "ponder=yes: expected no"),
            ("theirs=\"x\",game=go", "unknown game 'go'"),
            ("theirs=\"x\",game=dicechess,protocol=course", "expected ugi"),
        ] {
            let error = text.parse::<OfferedEngine>().unwrap_err().to_string();
            assert!(error.contains(expected) && !error.contains(['\n', '\r']), "{text}: {error}");
        }
    }

    #[test]
    fn a_name_stands_for_one_engine_of_a_game() {
        let both = ["one=\"x\",game=einstein", "one=\"y\",game=dicechess"].map(engine);
        let engines = Engines::new(both.to_vec(), 2).unwrap();
        assert_eq!(engines.names("einstein"), ["one"]);
        let named =
            |name, spec: &str| engines.find(game(name).unwrap(), &spec.parse().unwrap()).cloned();
        assert_eq!(named("einstein", "one"), Some(both[0].clone()));
        assert_eq!(named("dicechess", "one"), Some(both[1].clone()));
        for spec in ["two", "one:time=1s", "cmd:\"x\""] {
            assert_eq!(named("einstein", spec), None, "{spec}");
        }
        assert!(Engines::new(["one=\"x\"", "one=\"y\""].map(engine).to_vec(), 2).is_err());
    }

    #[test]
    fn there_are_never_more_of_them_than_threads() {
        let engines = Engines::new(["one=\"x\"", "two=\"x\""].map(engine).to_vec(), 2).unwrap();
        let use_one = |name: &str| {
            let engine = engines.find(default_game(), &name.parse().unwrap()).unwrap();
            engines.with(default_game(), engine, |_| Ok(engines.running().idle.len()))
        };
        assert_eq!(use_one("one"), Ok(0));
        // The instance was idle during the turn of the other one.
        assert_eq!(use_one("two"), Ok(1));
        let idle = |engines: &Engines| -> Vec<String> {
            engines.running().idle.iter().map(|(_, name, _)| name.clone()).collect()
        };
        assert_eq!(idle(&engines), ["one", "two"]);
        let [one, two] = &engines.offered[..] else { panic!("two engines") };
        let amid = engines.with(default_game(), one, |_| {
            let amid = engines.with(default_game(), two, |_| Ok(idle(&engines)));
            Ok(amid.unwrap())
        });
        assert_eq!(amid, Ok(vec![]));
        assert_eq!(engines.running().busy, 0);
    }

    #[test]
    fn guests_get_the_reason_but_nothing_of_the_operators() {
        let offered = engine("theirs=\"/home/me/x --key 7\"");
        let engines = Engines::new(vec![offered], 2).unwrap();
        let engine = &engines.offered[0];
        let failed = engines.with::<()>(default_game(), engine, |_| {
            let reason = "'/home/me/x --key 7' cannot be started: no; its last words: key 7";
            Err(NoAnswer::Failed(Failure::new(Fault::Crash, reason)))
        });
        assert_eq!(failed, Err("'theirs' cannot be started: no".to_owned()));
        assert!(engines.running().idle.is_empty());
    }
}
