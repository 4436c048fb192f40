//! A site for one visitor: rooms at one device, reviews, puzzles and positions, with the answers of a server.

use js_sys::{Function, JSON};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wurfel_site::{LocalError, LocalRoom, LocalSite};

use crate::files::missing;
use crate::report::{Fault, fault, report};

/// A site whose answers are those of the addresses under `/api/` on a server, as plain objects.
#[wasm_bindgen]
#[derive(Default)]
pub struct Site(LocalSite);

/// A room at this device.
#[wasm_bindgen]
pub struct Room(LocalRoom);

fn local(error: LocalError) -> Fault {
    match error {
        LocalError::Missing(file) => missing(file),
        LocalError::Refused(line) => fault(line),
    }
}

fn shown(answer: Result<String, LocalError>) -> Result<JsValue, Fault> {
    JSON::parse(&answer.map_err(local)?)
}

#[wasm_bindgen]
impl Site {
    /// A site in which nobody has played.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The offer of the site: `GET /api/games`.
    ///
    /// # Errors
    /// None in fact.
    pub fn games(&self) -> Result<JsValue, Fault> {
        shown(self.0.games())
    }

    /// A position: `GET /api/scene` with its parameters as the text of an object.
    ///
    /// # Errors
    /// What is wrong with the question.
    pub fn scene(&self, request: &str) -> Result<JsValue, Fault> {
        shown(self.0.scene(request))
    }

    /// A puzzle: `GET /api/puzzles/GAME/NUMBER`.
    ///
    /// # Errors
    /// When there is no such puzzle, or a file is missing.
    pub fn puzzle(&mut self, game: &str, number: u32) -> Result<JsValue, Fault> {
        shown(self.0.puzzle(game, u64::from(number)))
    }

    /// The games of a text: `POST /api/review/games`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn list(&self, request: &str) -> Result<JsValue, Fault> {
        shown(self.0.list(request))
    }

    /// The review of a game: `POST /api/review`. `see` gets the progress: whether marked moves are searched
    /// `again`, how many positions or moves are `done`, and how many there are in `all`.
    ///
    /// # Errors
    /// What is wrong with the text, or which file is missing, or what `see` throws.
    pub fn review(&self, request: &str, see: Option<Function>) -> Result<JsValue, Fault> {
        let mut failed = None;
        let answer = self.0.review(request, &mut |progress| {
            let Some(see) = see.as_ref().filter(|_| failed.is_none()) else { return };
            let seen = report(&progress).and_then(|progress| see.call1(&JsValue::NULL, &progress));
            failed = seen.err();
        });
        failed.map_or_else(|| shown(answer), Err)
    }

    /// Opens a room with this name: `POST /api/rooms`.
    ///
    /// # Errors
    /// What is refused, or which file is missing.
    pub fn open(&mut self, id: &str, request: &str) -> Result<Room, Fault> {
        self.0.open(id, request).map(Room).map_err(local)
    }
}

#[wasm_bindgen]
impl Room {
    /// Opens a room again from its record.
    ///
    /// # Errors
    /// What is wrong with the record.
    pub fn reopen(record: &str) -> Result<Self, Fault> {
        LocalRoom::reopen(record).map(Self).map_err(local)
    }

    /// The text from which the room can be opened again. It has the seed of the dice.
    ///
    /// # Errors
    /// None in fact.
    pub fn record(&self) -> Result<String, Fault> {
        self.0.record().map_err(local)
    }

    /// The record without what is secret: `GET /api/rooms/ID/record`.
    ///
    /// # Errors
    /// None in fact.
    #[wasm_bindgen(js_name = shownRecord)]
    pub fn shown_record(&self) -> Result<JsValue, Fault> {
        shown(self.0.shown_record())
    }

    /// The room as a page draws it: `GET /api/rooms/ID`.
    ///
    /// # Errors
    /// None in fact.
    pub fn view(&self) -> Result<JsValue, Fault> {
        shown(self.0.view())
    }

    /// Carries out an action, such as `{"do":"move","move":"a4b4"}`.
    ///
    /// # Errors
    /// What is refused.
    pub fn act(&mut self, action: &str) -> Result<(), Fault> {
        self.0.act(action).map_err(local)
    }

    /// The minimum time in milliseconds for the move of the agent to move; `undefined` when no
    /// agent is to move.
    pub fn pace(&self) -> Option<f64> {
        self.0.pace().map(|pace| pace as f64)
    }

    /// Lets the agent to move think and plays its move.
    ///
    /// # Errors
    /// Which file is missing.
    pub fn think(&mut self, site: &mut Site) -> Result<(), Fault> {
        self.0.think(&mut site.0).map_err(local)
    }

    /// The milliseconds until the running clock has run down; `undefined` when none runs.
    pub fn flag(&self) -> Option<f64> {
        self.0.flag().map(|left| left as f64)
    }

    /// Ends the game on time if the running clock has run down.
    #[wasm_bindgen(js_name = dropFlag)]
    pub fn drop_flag(&mut self) {
        self.0.drop_flag();
    }
}
