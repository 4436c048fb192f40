//! The player of each round's games: the teacher, or the network against itself.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wurfel_agents::{Catalogued, Factory, Spec, build};
use wurfel_arena::run_in_order;
use wurfel_core::{Agent, Encode, Evaluator, Random};
use wurfel_net::{Architecture, Model};

use super::config::{Teacher, TrainingConfig, encoding};
use super::device::Device;
use super::error::RunError;
use super::evaluate::known_values;
use super::games::{PlayedGame, Rules, play_games};
use super::start::read_start;
use super::teacher::TeacherGames;

/// Labels of the streams of random numbers under the seed.
const FIRST_PARAMETERS: u64 = 0;
const GAMES: u64 = 1;

/// Plays the games of a training run, or any part of them on any machine. A game depends on the
/// configuration, the network, the number of its round and its own number, and on the CPU's
/// instructions, which determine how the network rounds.
pub struct Generator<G: Catalogued> {
    /// A position that stands for the rules of the game.
    game: G,
    config: TrainingConfig,
    inference: Device,
    encode: &'static dyn Encode<G>,
    architecture: Architecture,
    teacher: Option<Factory<G>>,
    known: Option<Arc<dyn Evaluator<G>>>,
}

impl<G: Catalogued> Generator<G> {
    /// A generator of games by the rules of this position, whose networks run on this device.
    ///
    /// # Errors
    /// When the configuration does not fit the game, or its tables cannot be built.
    pub fn new(game: &G, config: TrainingConfig, inference: Device) -> Result<Self, RunError> {
        let encode = encoding::<G>(&config.encoding)?;
        let architecture = config.architecture(encode.board(), encode.planes(), encode.moves());
        architecture.check()?;
        let teacher = match &config.teacher {
            Some(teacher) => Some(build(game, &teacher.agent.parse::<Spec>()?)?),
            None => None,
        };
        let known = known_values::<G>(config.self_play.tables)?;
        let game = game.clone();
        Ok(Self { game, config, inference, encode, architecture, teacher, known })
    }

    /// The configuration of the run whose games these are.
    pub const fn config(&self) -> &TrainingConfig {
        &self.config
    }

    /// A position that stands for the rules of the game.
    pub(super) const fn game(&self) -> &G {
        &self.game
    }

    pub(super) const fn encode(&self) -> &'static dyn Encode<G> {
        self.encode
    }

    pub(super) const fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The exact values for searches, if the configuration asks for them.
    pub(super) const fn known(&self) -> Option<&Arc<dyn Evaluator<G>>> {
        self.known.as_ref()
    }

    /// The network before the first round: the one in the file that the configuration names, or one
    /// with random parameters.
    ///
    /// # Errors
    /// When it cannot be built, or the network in the file differs from the configuration.
    pub fn first(&self) -> Result<Model, RunError> {
        if let Some(start) = self.config.start.as_deref() {
            return read_start(Path::new(start), &self.architecture, self.encode.name());
        }
        let seed = Random::seed_for(self.config.seed, &[FIRST_PARAMETERS]);
        Ok(Model::new(self.architecture, self.encode.name(), &mut Random::new(seed))?)
    }

    /// Checks that the device exists on which networks are to run.
    pub(super) fn check(&self, model: &Model) -> Result<(), RunError> {
        self.inference.network::<G>(model).map(drop)
    }

    /// How many games a round has; a teacher's scattered turns count as games.
    pub fn count(&self, round: u64) -> u64 {
        match self.config.teacher(round) {
            Some(rules) => rules.games + rules.scattered,
            None => self.config.self_play.games,
        }
    }

    /// Plays the games of a round (from 1 on) with these numbers (from 0 on), using the network
    /// after the round before, on `jobs` threads, and returns them in order. A scattered turn is a
    /// game without an outcome. `None` when `stop` turned true.
    ///
    /// # Errors
    /// When the network does not fit, or the device does not exist.
    pub fn play(
        &self,
        model: &Model,
        round: u64,
        numbers: Range<u64>,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Vec<PlayedGame<G>>>, RunError> {
        let stopped = || stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let seed = Random::seed_for(self.config.seed, &[GAMES, round]);
        if let (Some(agents), Some(rules)) = (&self.teacher, self.config.teacher(round)) {
            return Ok(self.teach(agents, rules, seed, numbers, jobs, &stopped));
        }
        let (config, known) = (&self.config.self_play, self.known.clone());
        let rules = Rules { game: &self.game, config, known };
        let network = self.inference.network::<G>(model)?;
        let another = || network.clone();
        Ok(play_games(another, jobs, &rules, seed, numbers, stopped))
    }

    /// A teacher's games, and the scattered turns that it evaluates.
    fn teach(
        &self,
        agents: &Factory<G>,
        rules: &Teacher,
        seed: u64,
        numbers: Range<u64>,
        jobs: usize,
        stopped: &(impl Fn() -> bool + Sync),
    ) -> Option<Vec<PlayedGame<G>>> {
        let afterstates = self.config.network.afterstate_value;
        let teacher = TeacherGames { game: &self.game, rules, afterstates, seed };
        let work =
            |agent: &mut Box<dyn Agent<G>>, number: u64| match (stopped(), number < rules.games) {
                (true, _) => None,
                (_, true) => Some(teacher.game(&mut **agent, number)),
                (_, false) => Some(teacher.turn(&mut **agent, number)),
            };
        let (mut games, count) = (vec![], numbers.end - numbers.start);
        let see = |_, game: PlayedGame<G>| {
            games.push(game);
            true
        };
        run_in_order(numbers, jobs, || agents(), work, see);
        (games.len() as u64 == count).then_some(games)
    }
}
