//! Positions. They never change: a roll or a move gives another one, and none of them knows the dice of
//! the game that it comes from.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wurfel_core::Random;

use crate::report::{Fault, fault, report, seed};

/// A position of a game, before or after the roll. Sides are numbered 0 and 1 as in `Game.sides`.
#[wasm_bindgen]
pub struct Position(wurfel::Position);

impl Position {
    /// A position of the library.
    pub(crate) fn new(position: wurfel::Position) -> Self {
        Self(position)
    }

    /// The position in the library, and its game.
    pub(crate) fn known(&self) -> Result<(wurfel::Game, &wurfel::Position), Fault> {
        Ok((wurfel::game(self.0.game()).map_err(fault)?, &self.0))
    }
}

#[wasm_bindgen]
impl Position {
    /// Reads a text such as `ABC2/DE3/F3f/3ed/2cba r 4 1`.
    ///
    /// # Errors
    /// When there is no such game or the text is no position; the message names the wrong character.
    #[wasm_bindgen(constructor)]
    pub fn read(text: &str, game: &str) -> Result<Self, Fault> {
        wurfel::game(game).map_err(fault)?.read(text, false).map(Self).map_err(fault)
    }

    /// The name of the game to which the position belongs.
    #[wasm_bindgen(getter)]
    pub fn game(&self) -> String {
        self.0.game().to_owned()
    }

    /// The text from which the same position is read.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.0.to_string()
    }

    /// What the dice show, or what is left of it to play; `undefined` before the roll.
    #[wasm_bindgen(getter)]
    pub fn roll(&self) -> Option<String> {
        self.0.roll()
    }

    /// The side that rolls or moves next: 0 or 1.
    #[wasm_bindgen(getter)]
    pub fn side(&self) -> usize {
        self.0.side().index()
    }

    /// The number of the turn, counted from 1.
    #[wasm_bindgen(getter)]
    pub fn ply(&self) -> u32 {
        self.0.ply()
    }

    /// How the game ended: `1-0` (side 0 has won), `0-1` or `1/2-1/2`; `undefined` while it goes on.
    #[wasm_bindgen(getter)]
    pub fn outcome(&self) -> Option<String> {
        self.0.outcome().map(|outcome| outcome.to_string())
    }

    /// The position after the roll with this text, such as `4` or `PNB`.
    ///
    /// # Errors
    /// When no roll is due or this one is not possible here.
    pub fn rolled(&self, roll: &str) -> Result<Self, Fault> {
        self.0.rolled(roll).map(Self).map_err(fault)
    }

    /// The position after a roll of the physical dice, drawn with this seed.
    ///
    /// # Errors
    /// When no roll is due or the seed is none.
    #[wasm_bindgen(js_name = stepChance)]
    pub fn step_chance(&self, with: f64) -> Result<Self, Fault> {
        self.0.roll_dice(&mut Random::new(seed(with)?)).map(Self).map_err(fault)
    }

    /// The legal moves as texts; empty before the roll and after the end. A forced pass is a move.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self) -> Vec<String> {
        self.0.moves()
    }

    /// The position after a move. It has a roll if the same side goes on with the rest of its roll.
    ///
    /// # Errors
    /// When the move is not legal; the message lists the legal moves.
    pub fn play(&self, mv: &str) -> Result<Self, Fault> {
        self.0.played(mv).map(Self).map_err(fault)
    }

    /// The position after rolls, each after an `@`, and moves, as in `@4 a4b4`.
    ///
    /// # Errors
    /// When one of the words is not possible where it stands.
    pub fn after(&self, words: &str) -> Result<Self, Fault> {
        self.0.after(words).map(Self).map_err(fault)
    }

    /// A picture of the board as lines of text.
    pub fn diagram(&self) -> String {
        self.0.diagram().text(false)
    }

    /// A picture of the board in SVG, with the roll and the pieces that the roll lets move.
    pub fn svg(&self) -> String {
        self.0.diagram().svg()
    }

    /// Everything that a page needs to draw the position and to let people play in it, as an object.
    ///
    /// # Errors
    /// None in fact.
    pub fn scene(&self) -> Result<JsValue, Fault> {
        report(&self.0.scene())
    }
}
