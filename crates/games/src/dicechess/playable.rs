//! Dice Chess as the program offers it: names, evaluations, set-ups, diagrams and networks.

use std::fmt;
use std::sync::Arc;

use wurfel_core::{
    BySide, Diagram, Encode, EndPreference, Endgame, Evaluator, Game, NotationError, Side,
    Situation,
};

use super::basic::{Basic, captured};
use super::diagram::diagram;
use super::dice::Pool;
use super::encoding::DiceChessV1;
use super::evaluate::{Linear, MLP_WEIGHTS, Mlp, Pawns, ThreatOdds, Threats, learned, weights};
use super::kind::Kind;
use super::moves::Move;
use super::notation;
use super::position::Position;
use super::replies::{self, PieceSquares};
use super::variants::DiceCount;
use super::worth::PIECES;
use crate::learned::WeightsError;
use crate::linear::LinearValue;
use crate::shipped::{ShippedFile, shipped};
use crate::{Choice, Fitted, IN_PAGE, Learnable, Pieces, Playable, UseEvaluation};

/// The only set-up of Dice Chess: the initial position of chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Array;

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard")
    }
}

impl<D: DiceCount> Endgame for Position<D> {}

impl<D: DiceCount> Playable for Position<D> {
    const NAME: &'static str = D::NAMES[0].name;
    const TITLE: &'static str = D::NAMES[0].title;
    const ABOUT: &'static str = D::NAMES[0].about;
    /// Random games last 113 plies.
    const TURNS: u32 = 40;
    const LEGEND: &'static str = "K is a king, Q a queen, R a rook, B a bishop, N a knight, P a \
                                  pawn; white's letters are capitals.";
    const SIDES: BySide<&'static str> = BySide::new("white", "black");
    const EVALUATIONS: &'static [Choice] = &[
        Choice { name: "linear", about: "pieces and squares (paper dice-chess-agents, variant 1)" },
        Choice {
            name: "linear-program",
            about: "linear with the piece values of the paper's program",
        },
        Choice {
            name: "linear-25",
            about: "linear whose kings use their second table from full move 25 instead of 50",
        },
        Choice { name: "pawns", about: "linear and weak pawns (the paper's variant 2)" },
        Choice { name: "mlp", about: "the paper's network, trained on games of mcts with one die" },
        Choice { name: "threats", about: "the chance to capture the king now, else linear" },
        Choice { name: "learned", about: "threats corrected by a small network" },
    ];
    /// With three dice, `threats` takes fifteen times as long as `learned` and is weaker even at
    /// equal depth.
    const BEST_EVALUATION: &'static str = "learned";
    const SEVERAL_MOVES: bool = D::THREE_DICE;

    fn name(&self) -> &'static str {
        self.names().name
    }

    fn title(&self) -> &'static str {
        self.names().title
    }

    fn about(&self) -> &'static str {
        self.names().about
    }

    fn read_position(
        &self,
        text: &str,
        drop_castling: bool,
    ) -> Result<Situation<Self>, NotationError> {
        notation::read(text, self.variant(), drop_castling)
    }

    type Basic = Basic;

    fn evaluation<U: UseEvaluation<Self>>(name: &str, user: U) -> Option<U::Output> {
        // Evaluations that need no speed are called through a pointer, so that searches are
        // compiled only once for all of them.
        let called = |evaluator: Arc<dyn Evaluator<Self>>| evaluator;
        match name {
            "linear" if !IN_PAGE => Some(user.with(Linear::PAPER)),
            "linear" => Some(user.with(called(Arc::new(Linear::PAPER)))),
            "linear-program" => Some(user.with(called(Arc::new(Linear::PROGRAM)))),
            "linear-25" => Some(user.with(called(Arc::new(Linear::EARLY_KINGS)))),
            "pawns" => Some(user.with(called(Arc::new(Pawns::default())))),
            "mlp" => Some(user.with(called(Arc::new(Mlp::new())))),
            "threats" => Some(user.with(called(Arc::new(Threats(Linear::PAPER))))),
            "learned" => Some(user.with(learned::<D>())),
            _ => None,
        }
    }

    fn file_of(evaluation: &str) -> Option<&'static ShippedFile> {
        match evaluation {
            "mlp" => Some(MLP_WEIGHTS),
            "learned" => Some(weights::<D>()),
            _ => None,
        }
    }

    fn published_basic() -> Basic {
        Basic { king_first: false }
    }

    type Setup = Array;

    fn setups() -> &'static [Array] {
        &[Array]
    }

    fn start(&self, _: BySide<Array>) -> Self {
        Self::initial(self.variant())
    }

    fn diagram(&self, roll: Option<Pool>) -> Diagram {
        diagram(self, roll)
    }

    fn captured(&self, mv: Move) -> Option<char> {
        captured(self, mv).map(|kind| kind.letter_of(!self.side()))
    }

    fn draw_reason(&self) -> Option<&'static str> {
        self.why_drawn()
    }

    /// Piece values from paper `dice-chess-agents`, in hundredths of a pawn.
    fn pieces(&self, side: Side) -> Pieces {
        let count = |kind| self.pieces_of(side, kind).count_ones();
        Pieces {
            count: Kind::ALL.into_iter().map(count).sum(),
            value: Kind::ALL
                .into_iter()
                .map(|kind| count(kind) as i32 * i32::from(PIECES[kind as usize]))
                .sum(),
        }
    }
}

impl<D: DiceCount> Learnable for Position<D> {
    const ENCODINGS: &'static [&'static dyn Encode<Self>] = &[&DiceChessV1];
    /// The network knows only the game with one die; `nets/dicechess-net.md` says how it was
    /// trained.
    const NETWORK: Option<&'static ShippedFile> = if D::THREE_DICE {
        None
    } else {
        Some(&shipped!("dicechess-net.safetensors", 0x57cf_4186_58cd_db6b))
    };

    type Base = ThreatOdds;

    const END_FEATURES: usize = if D::THREE_DICE { replies::END_FEATURES } else { 0 };
    const REPLIES: Option<&'static ShippedFile> = if D::THREE_DICE {
        Some(&shipped!("dicechess3.replies", 0xd4ee_f658_eb00_450f))
    } else {
        None
    };

    fn end_features(&self, add: impl FnMut(usize)) {
        replies::end_features(self, add);
    }

    fn replies(weights: &LinearValue) -> Option<Arc<dyn EndPreference<Self>>> {
        let tables = D::THREE_DICE.then(|| PieceSquares::new(weights)).flatten()?;
        Some(Arc::new(tables))
    }

    fn fitted(evaluation: &str, file: &[u8]) -> Option<Result<Fitted<Self>, WeightsError>> {
        let mlp = || Mlp::from_bytes(file).map(|mlp| Arc::new(mlp) as Fitted<Self>);
        (evaluation == "mlp").then(mlp)
    }
}
