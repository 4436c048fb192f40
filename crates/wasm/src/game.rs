//! The games of the catalogue by their names.

use wasm_bindgen::prelude::wasm_bindgen;
use wurfel::all_games;
use wurfel_core::{Random, Side};

use crate::position::Position;
use crate::report::{Fault, fault, seed};

/// A game: `new Game("einstein")`.
#[wasm_bindgen]
pub struct Game(wurfel::Game);

/// The names of all games, the default first.
#[wasm_bindgen]
pub fn games() -> Vec<String> {
    all_games().map(|game| game.name().to_owned()).collect()
}

#[wasm_bindgen]
impl Game {
    /// The game with this name.
    ///
    /// # Errors
    /// When there is none; the message names the nearest one.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Self, Fault> {
        wurfel::game(name).map(Self).map_err(fault)
    }

    /// The name in commands and records.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.0.name().to_owned()
    }

    /// The name that is shown to people.
    #[wasm_bindgen(getter)]
    pub fn title(&self) -> String {
        self.0.facts().title.to_owned()
    }

    /// A description in one line.
    #[wasm_bindgen(getter)]
    pub fn about(&self) -> String {
        self.0.facts().about.to_owned()
    }

    /// The names of side 0 and side 1.
    #[wasm_bindgen(getter)]
    pub fn sides(&self) -> Vec<String> {
        let sides = self.0.facts().sides;
        Side::BOTH.map(|side| sides[side].to_owned()).to_vec()
    }

    /// The names of the evaluations that agents can use, the default first.
    #[wasm_bindgen(getter)]
    pub fn evaluations(&self) -> Vec<String> {
        self.0.facts().evaluations.iter().map(|of| of.name.to_owned()).collect()
    }

    /// Rolled positions from all phases of the game, as texts.
    #[wasm_bindgen(getter)]
    pub fn samples(&self) -> Vec<String> {
        self.0.facts().samples.iter().map(|&text| text.to_owned()).collect()
    }

    /// Reads a position, with its roll if the text has one.
    ///
    /// # Errors
    /// When the text is no position; the message names the wrong character.
    pub fn position(&self, text: &str) -> Result<Position, Fault> {
        self.0.read(text, false).map(Position::new).map_err(fault)
    }

    /// The initial position before the first roll.
    pub fn start(&self) -> Position {
        Position::new(self.0.start())
    }

    /// A position before the first roll, with set-ups for both sides that are drawn with this seed.
    ///
    /// # Errors
    /// When the seed is none.
    pub fn setup(&self, with: f64) -> Result<Position, Fault> {
        Ok(Position::new(self.0.setup(&mut Random::new(seed(with)?))))
    }
}
