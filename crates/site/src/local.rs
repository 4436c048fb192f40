//! The part of a site's work that a page does itself, for one visitor and without a server: rooms
//! at one device, reviews, puzzles and positions. The answers are those of the server, as JSON,
//! because they are made by the same code; a page that asks either of them cannot tell the
//! difference.
//!
//! What needs a server is left out: people on other devices, external programs, and storage. A page stores the
//! records of its rooms itself ([`LocalRoom::record`]).

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wurfel::{Game, ShippedFile, SpecError, game};
use wurfel_agents::DEFAULT_AGENT;
use wurfel_arena::{ReviewProgress, RoomPlayer};
use wurfel_core::{BySide, Instant};

use crate::agents::{self, AgentCache};
use crate::games::{Policy, SceneRequest, SiteShown};
use crate::puzzles;
use crate::review::{self, Request};
use crate::room::{Action, Actor, GameRequest, Room};

/// A page has one thread, so nothing can stop its work.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LocalError {
    /// The question is wrong, in one line.
    #[error("{0}")]
    Refused(String),
    /// A file of parameters has not been loaded.
    #[error("the file {} has not been loaded", .0.name)]
    Missing(&'static ShippedFile),
}

type Answer = Result<String, LocalError>;

#[allow(clippy::needless_pass_by_value, reason = "it takes errors where they are mapped")]
fn refused(error: impl ToString) -> LocalError {
    LocalError::Refused(error.to_string())
}

fn shown(value: &impl Serialize) -> Answer {
    serde_json::to_string(value).map_err(refused)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, LocalError> {
    serde_json::from_str(text).map_err(refused)
}

fn unbuilt(error: SpecError) -> LocalError {
    match error {
        SpecError::Missing { file, .. } => LocalError::Missing(file),
        error => refused(error),
    }
}

/// The file that the analyser of a game lacks, as an error.
fn ready(game: Game) -> Result<(), LocalError> {
    let spec = DEFAULT_AGENT.parse().map_err(refused)?;
    game.agents_of(&spec).map_err(unbuilt)?;
    Ok(())
}

/// The file that an agent of a room lacks, as an error. The agents are built once, and are then in the cache.
fn seated(cache: &mut AgentCache, game: Game, players: &[RoomPlayer]) -> Result<(), LocalError> {
    for player in players {
        if let RoomPlayer::Agent { spec } = player {
            cache.check(game, &agents::read(spec).map_err(refused)?).map_err(unbuilt)?;
        }
    }
    Ok(())
}

/// The answers to a visitor's questions.
#[derive(Default)]
pub struct LocalSite {
    cache: AgentCache,
}

impl LocalSite {
    /// The offer of the site, as `/api/games`.
    ///
    /// # Errors
    /// None in fact.
    pub fn games(&self) -> Answer {
        shown(&SiteShown::new(Policy { lobby: false, live_analysis: true }, |_| vec![]))
    }

    /// A position, as `/api/scene` with these parameters as an object.
    ///
    /// # Errors
    /// What is wrong with the question.
    pub fn scene(&self, request: &str) -> Answer {
        let request: SceneRequest = read(request)?;
        let game = game(&request.game).map_err(refused)?;
        shown(&request.scene(game).map_err(refused)?)
    }

    /// A puzzle, as `/api/puzzles/GAME/NUMBER`.
    ///
    /// # Errors
    /// When there is no such puzzle, or a file is missing.
    pub fn puzzle(&mut self, name: &str, number: u64) -> Answer {
        let game = game(name).map_err(refused)?;
        ready(game)?;
        if let Some(book) = game.puzzles().filter(|book| book.file.bytes().is_none()) {
            return Err(LocalError::Missing(book.file));
        }
        shown(&puzzles::puzzle(game, number, &mut self.cache, &NEVER).map_err(refused)?)
    }

    /// Lists the games of a text, as `/api/review/games`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn list(&self, request: &str) -> Answer {
        let request: Request = read(request)?;
        let game = game(&request.game().map_err(refused)?).map_err(refused)?;
        shown(&review::list(game, &request.text, request.number, &NEVER).map_err(refused)?)
    }

    /// Reviews a game, as `/api/review`. `progress` gets each position.
    ///
    /// # Errors
    /// What is wrong with the text, or which file is missing.
    pub fn review(&self, request: &str, progress: &mut dyn FnMut(ReviewProgress)) -> Answer {
        let request: Request = read(request)?;
        let game = game(&request.game().map_err(refused)?).map_err(refused)?;
        ready(game)?;
        let Request { text, number, .. } = request;
        shown(&review::review(game, &text, number, &NEVER, progress).map_err(refused)?)
    }

    /// Opens a room, as `/api/rooms`.
    ///
    /// # Errors
    /// What is refused, or which file is missing.
    pub fn open(&mut self, id: &str, request: &str) -> Result<LocalRoom, LocalError> {
        let request: GameRequest = read(request)?;
        if request.guest.is_some() {
            return Err(refused("a guest on another device needs a server"));
        }
        let game = game(&request.game).map_err(refused)?;
        seated(&mut self.cache, game, &request.players)?;
        let room = Room::open(id.to_owned(), request, &mut self.cache).map_err(refused)?;
        Ok(LocalRoom { room })
    }
}

/// A room at one device: the visitor plays every side that a person plays.
pub struct LocalRoom {
    room: Room,
}

impl LocalRoom {
    /// Opens a room again from its record.
    ///
    /// # Errors
    /// What is wrong with the record.
    pub fn reopen(record: &str) -> Result<Self, LocalError> {
        Ok(Self { room: Room::reopen(read(record)?).map_err(refused)? })
    }

    /// The record, from which the room can be opened again. It has the seed of the dice.
    ///
    /// # Errors
    /// None in fact.
    pub fn record(&self) -> Answer {
        shown(self.room.record())
    }

    /// The record as the visitor may see it, as `/api/rooms/ID/record`.
    ///
    /// # Errors
    /// None in fact.
    pub fn shown_record(&self) -> Answer {
        shown(&self.room.record().clone().shown())
    }

    /// The view from which the page draws the room, as `/api/rooms/ID`.
    ///
    /// # Errors
    /// None in fact.
    pub fn view(&self) -> Answer {
        shown(&self.room.view(Instant::now()))
    }

    /// Carries out an action, which has the form of the bodies of `/api/rooms/ID` without `token` and
    /// `version`.
    ///
    /// # Errors
    /// What is refused.
    pub fn act(&mut self, action: &str) -> Result<(), LocalError> {
        let action: Action = read(action)?;
        let away = BySide::from_fn(|_| Duration::ZERO);
        let by = Actor { sides: BySide::from_fn(|_| true), away, now: Instant::now() };
        self.room.act(&action, &by).map_err(refused)
    }

    /// The time in milliseconds before which the answer of the agent to move is not played; `None` when no
    /// agent is to move.
    pub fn pace(&self) -> Option<u64> {
        self.room.thought().map(|thought| thought.pace.as_millis() as u64)
    }

    /// Lets the agent to move think, and plays its move.
    ///
    /// # Errors
    /// Which file is missing.
    pub fn think(&mut self, site: &mut LocalSite) -> Result<(), LocalError> {
        let Some(thought) = self.room.thought() else { return Ok(()) };
        let game = game(&self.room.record().game).map_err(refused)?;
        seated(&mut site.cache, game, &self.room.record().players)?;
        let answer = (thought.work)(&mut site.cache, &NEVER);
        self.room.answer(thought.version, answer, Instant::now());
        Ok(())
    }

    /// The time in milliseconds until the running clock has run down; `None` when no clock runs.
    pub fn flag(&self) -> Option<u64> {
        let flag = self.room.flag()?;
        Some(flag.saturating_duration_since(Instant::now()).as_millis() as u64)
    }

    /// Ends the game on time if the running clock has run down.
    pub fn drop_flag(&mut self) {
        self.room.drop_flag(Instant::now());
    }
}
