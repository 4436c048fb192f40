//! An engine that speaks the Universal Game Interface with rolls.

use wurfel::{Agent, Agents, Game, Position, game};
use wurfel_core::Random;
use wurfel_protocol::ugi::{Command, GameQuery, Go, Reply, Response};
use wurfel_search::ClockState;

use super::board::CurrentGame;
use super::clock::within;
use super::options::Options;
use super::search::GoSearch;
use super::{control, send};

/// Serves a driver until it quits. Fails when the options name no game or no agent of this game.
pub fn drive_ugi(options: Options) -> anyhow::Result<()> {
    control::listen();
    let game = game(&options.game)?;
    let agents = options.agents(game)?;
    let board = CurrentGame::new(game);
    let mut engine = Engine { options, game, agents, agent: None, board, games: 0 };
    while let Some(line) = control::next() {
        match line.command {
            Ok((command, notes)) => {
                for note in notes {
                    send(&Reply::Note(note.to_string()));
                }
                if let Err(error) = engine.obey(command) {
                    send(&Reply::Error(error));
                }
            }
            Err(error) => {
                send(&Reply::Error(error.to_string()));
                if line.is_go {
                    send(&Reply::BestMove(None));
                }
            }
        }
    }
    Ok(())
}

struct Engine {
    options: Options,
    game: Game,
    /// The agents that the options describe.
    agents: Agents,
    /// The agent, made when it is first needed, and again after a change of options.
    agent: Option<Box<dyn Agent>>,
    board: CurrentGame,
    /// The number of games so far, because each game gives the agent other random numbers.
    games: u64,
}

impl Engine {
    /// Carries out a command. An error is reported, and nothing else happens.
    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Ugi => self.introduce(),
            Command::IsReady => {
                self.agent();
                send(&Reply::ReadyOk);
            }
            Command::NewGame => {
                self.games += 1;
                self.board = CurrentGame::new(self.game);
                if let Some(agent) = &mut self.agent {
                    agent.begin(random(&self.options, self.games));
                }
            }
            Command::SetOption { name, value } => {
                let new = self.options.with(&name, &value.unwrap_or_default())?;
                let game = game(&new.game).map_err(|error| error.to_string())?;
                self.agents = new.agents(game).map_err(|error| error.to_string())?;
                if game != self.game {
                    (self.game, self.board) = (game, CurrentGame::new(game));
                    self.games = 0;
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
                self.board.set(&position, drop_castling).map_err(|error| error.to_string())?;
            }
            Command::Go(go) => {
                control::begin(&go);
                let answer = self.go(&go);
                control::answered();
                let best = answer.unwrap_or_else(|error| {
                    send(&Reply::Error(error));
                    None
                });
                send(&Reply::BestMove(best));
            }
            Command::Query(query) => send(&Reply::Response(match query {
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
        send(&Reply::Name(format!("wurfel {}", env!("CARGO_PKG_VERSION"))));
        send(&Reply::Author("the authors of wurfel".to_owned()));
        for option in self.options.list() {
            send(&Reply::Option(option));
        }
        send(&Reply::UgiOk);
    }

    fn agent(&mut self) -> &mut dyn Agent {
        &mut **self.agent.get_or_insert_with(|| {
            let mut agent = self.agents.make();
            agent.begin(random(&self.options, self.games));
            agent
        })
    }

    /// Searches. The move is `None` after a report on all rolls.
    fn go(&mut self, go: &Go) -> Result<Option<String>, String> {
        let now = self.board.now().clone();
        if now.outcome().is_some() {
            return Err("go: expected a position before the end of the game".to_owned());
        }
        if now.roll().is_none() && (go.ponder || !go.is_timed()) {
            let lines = self.options.multi_pv;
            let reported = GoSearch::new(self.agent(), lines).report(&now, go);
            reported.map_err(|error| error.to_string())?;
            if let Some(roll) = control::rolled() {
                self.board.roll(&roll).map_err(|error| error.to_string())?;
                let go = Go { ponder: false, ..*go };
                return self.decide(&self.board.now().clone(), &go).map(Some);
            }
            return Ok(None);
        }
        if go.ponder {
            return Err("go ponder: expected a position before its roll".to_owned());
        }
        self.decide(&now, go).map(Some)
    }

    fn decide(&mut self, now: &Position, go: &Go) -> Result<String, String> {
        if now.roll().is_none() {
            return Err("go: expected a roll after the last move, as in @4".to_owned());
        }
        let (time, lines) = (self.time(now, go), self.options.multi_pv);
        let decided = GoSearch::new(self.agent(), lines).decide(now, go, time);
        decided.map_err(|error| error.to_string())
    }

    /// The time for a turn, if it is limited.
    fn time(&self, turn: &Position, go: &Go) -> Option<std::time::Duration> {
        let overhead = std::time::Duration::from_millis(self.options.overhead);
        let fixed = go.movetime.map(|time| within(time, overhead));
        let share = go.clock.map(|clock| {
            let side = turn.side().index();
            let made = (turn.ply() - 1) / 2;
            let (time, increment) = (clock.left[side], clock.increment[side]);
            let typical = self.game.facts().turns;
            ClockState { time, increment, made, typical }.share(overhead)
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
