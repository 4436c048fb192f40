//! An engine that speaks the Universal Game Interface with rolls.

use wurfel_agents::{Catalogued, Factory, SpecError, UseGame, with_game};
use wurfel_core::{Agent, Random, Situation, Turn};
use wurfel_protocol::ugi::{Command, GameQuery, Go, Reply, Response};
use wurfel_search::ClockState;

use super::board::CurrentGame;
use super::clock::within;
use super::options::Options;
use super::search::GoSearch;
use super::{control, say};

/// Serves a driver until it quits.
///
/// # Errors
/// When the options at the beginning name no game or no agent of this game.
pub fn drive_ugi(options: Options) -> anyhow::Result<()> {
    control::listen();
    let mut next = Some(options);
    while let Some(options) = next {
        let game = options.game.clone();
        next = with_game(&game, Serve(options))??;
    }
    Ok(())
}

/// Checks that a game has the agent of these options.
struct Check<'a>(&'a Options);

impl UseGame for Check<'_> {
    type Output = Result<(), SpecError>;

    fn with<G: Catalogued>(self) -> Self::Output {
        self.0.factory::<G>().map(drop)
    }
}

struct Serve(Options);

impl UseGame for Serve {
    /// The options with which another game is to be served; `None` at the end.
    type Output = Result<Option<Options>, SpecError>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let Self(options) = self;
        let factory = options.factory()?;
        let mut engine =
            Engine::<G> { options, factory, agent: None, board: CurrentGame::default(), games: 0 };
        while let Some(line) = control::next() {
            match line.command {
                Ok((command, notes)) => {
                    for note in notes {
                        say(&Reply::Note(note.to_string()));
                    }
                    if let Err(error) = engine.obey(command) {
                        say(&Reply::Error(error));
                    }
                }
                Err(error) => {
                    say(&Reply::Error(error.to_string()));
                    if line.is_go {
                        say(&Reply::BestMove(None));
                    }
                }
            }
            if engine.options.game != G::NAME {
                return Ok(Some(engine.options));
            }
        }
        Ok(None)
    }
}

struct Engine<G: Catalogued> {
    options: Options,
    /// Makes the agent that the options describe.
    factory: Factory<G>,
    /// The agent, made when it is first needed, and again after a change of options.
    agent: Option<Box<dyn Agent<G>>>,
    board: CurrentGame<G>,
    /// The number of games so far, because each game gives the agent other random numbers.
    games: u64,
}

impl<G: Catalogued> Engine<G> {
    /// Carries out a command. An error is reported, and nothing else happens.
    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Ugi => self.introduce(),
            Command::IsReady => {
                self.agent();
                say(&Reply::ReadyOk);
            }
            Command::NewGame => {
                self.games += 1;
                self.board = CurrentGame::default();
                if let Some(agent) = &mut self.agent {
                    agent.begin(random(&self.options, self.games));
                }
            }
            Command::SetOption { name, value } => {
                let new = self.options.with(&name, &value.unwrap_or_default())?;
                let refused = |error: SpecError| error.to_string();
                if new.game == G::NAME {
                    self.factory = new.factory().map_err(refused)?;
                } else {
                    let known = with_game(&new.game, Check(&new));
                    known.map_err(|error| error.to_string())?.map_err(refused)?;
                }
                // Setting a seed makes the same games come again.
                if name.eq_ignore_ascii_case("Seed") {
                    self.games = 0;
                }
                self.options = new;
                self.agent = None;
            }
            Command::Position(position) => {
                let drop_castling = self.options.drop_castling;
                self.board.set(position, drop_castling).map_err(|error| error.to_string())?;
            }
            Command::Go(go) => {
                control::begin(&go);
                let answer = self.go(&go);
                control::answered();
                let best = answer.unwrap_or_else(|error| {
                    say(&Reply::Error(error));
                    None
                });
                say(&Reply::BestMove(best));
            }
            Command::Query(query) => say(&Reply::Response(match query {
                GameQuery::FirstSideToMove => Response::Is(self.board.first_side_to_move()),
                GameQuery::GameOver => Response::Is(self.board.result() != Response::None),
                GameQuery::Result => self.board.result(),
                query => return Err(format!("unknown command '{}'", Command::Query(query))),
            })),
            Command::PonderHit(_) => {
                return Err("ponderhit: expected a search that ponders".to_owned());
            }
            // The reader has already handled these.
            Command::Stop | Command::Quit => {}
            command => return Err(format!("unknown command '{command}'")),
        }
        Ok(())
    }

    fn introduce(&self) {
        say(&Reply::Name(format!("wurfel {}", env!("CARGO_PKG_VERSION"))));
        say(&Reply::Author("the authors of wurfel".to_owned()));
        for option in self.options.list() {
            say(&Reply::Option(option));
        }
        say(&Reply::UgiOk);
    }

    fn agent(&mut self) -> &mut dyn Agent<G> {
        let agent = self.agent.get_or_insert_with(|| {
            let mut agent = (self.factory)();
            agent.begin(random(&self.options, self.games));
            agent
        });
        &mut **agent
    }

    /// Searches. The move is `None` after a report on all rolls.
    fn go(&mut self, go: &Go) -> Result<Option<String>, String> {
        let now = self.board.now();
        if now.position.outcome().is_some() {
            return Err("go: expected a position before the end of the game".to_owned());
        }
        if now.roll.is_none() && (go.ponder || !go.is_timed()) {
            let lines = self.options.multi_pv;
            GoSearch::new(self.agent(), lines).report(&now.position, go);
            if let Some(roll) = control::rolled() {
                self.board.roll(roll).map_err(|error| error.to_string())?;
                let go = Go { ponder: false, ..*go };
                return self.decide(&self.board.now(), &go).map(Some);
            }
            return Ok(None);
        }
        if go.ponder {
            return Err("go ponder: expected a position before its roll".to_owned());
        }
        self.decide(&now, go).map(Some)
    }

    fn decide(&mut self, now: &Situation<G>, go: &Go) -> Result<String, String> {
        let turn = now.turn().ok_or("go: expected a roll after the last move, as in @4")?;
        let time = self.time(turn, go);
        let lines = self.options.multi_pv;
        let mv = GoSearch::new(self.agent(), lines).decide(turn, go, time);
        Ok(mv.to_string())
    }

    /// The time for a turn, if it is limited.
    fn time(&self, turn: Turn<'_, G>, go: &Go) -> Option<std::time::Duration> {
        let overhead = std::time::Duration::from_millis(self.options.overhead);
        let fixed = go.movetime.map(|time| within(time, overhead));
        let share = go.clock.map(|clock| {
            let side = turn.side().index();
            let made = (turn.position.ply() - 1) / 2;
            let (time, increment) = (clock.left[side], clock.increment[side]);
            ClockState { time, increment, made, usual: G::TURNS }.share(overhead)
        });
        match (fixed, share) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }
}

/// The random numbers of a game.
fn random(options: &Options, game: u64) -> Random {
    Random::new(Random::seed_for(options.seed, &[game]))
}
