//! The report of a reviewed game, without the type of its game.

use serde::Serialize;
use wurfel_core::{BySide, Failure, Fault, Game, Outcome, Side};
use wurfel_games::Playable;

use crate::records::recorded_game::RecordedGame;
use crate::study::graph::Graph;
use crate::study::marks::{LuckMark, Mark};
use crate::study::position_report::ScoredMove;
use crate::study::review::{Review, ReviewedDecision, Totals};

/// The review of a game. Values of the whole game are win probabilities of the **first side**, those of
/// a move are those of the side that makes it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewReport {
    /// The number of the game, counted from 1.
    pub game: usize,
    /// The number of the mirrored pair that it belongs to; `None` where its file has no pairs.
    #[serde(skip)]
    pub pair: Option<u64>,
    /// The position in which it began.
    pub start: String,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` when it is open.
    pub result: String,
    /// The result; `None` when it is open.
    #[serde(skip)]
    pub outcome: Option<Outcome>,
    /// The fault by which a side lost; `None` when the rules decided the game.
    pub fault: Option<LostByFault>,
    /// The value before the first roll.
    pub initial: f64,
    /// The result, or the value of the last position while it is open.
    #[serde(rename = "final")]
    pub last: f64,
    /// The luck of all rolls: positive if the first side had more of it.
    pub luck: f64,
    /// What all moves lost: positive if the first side lost more.
    pub lost: f64,
    /// The change of the value that was neither luck nor lost.
    pub residual: f64,
    /// The final value without the luck of the rolls.
    pub luck_adjusted: f64,
    /// The players, that of the first side first.
    pub players: [ReviewedPlayer; 2],
    /// The decisions in order.
    pub moves: Vec<ReviewedMove>,
    /// The win probability of the first side through the game.
    #[serde(skip)]
    pub graph: Graph,
}

/// The fault by which a side lost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LostByFault {
    /// The side.
    pub side: &'static str,
    /// The kind of fault.
    pub fault: Fault,
    /// The reason, for people.
    pub reason: String,
}

/// A player of a reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedPlayer {
    /// The side.
    pub side: &'static str,
    /// The name; empty where it is not known.
    pub player: String,
    /// The totals of the player's decisions.
    pub totals: Totals,
    /// The mean win probability lost by a decision with a choice; `None` if there was none.
    pub error_rate: Option<f64>,
    /// The name of the error rate's grade.
    pub grade: Option<&'static str>,
}

/// A decision of a reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedMove {
    /// The number of the turn.
    pub ply: u32,
    /// The side that decides.
    pub side: &'static str,
    /// The position with the roll.
    pub position: String,
    /// The roll, or the dice that are left of it.
    pub roll: String,
    /// The value before the roll; `None` in the middle of a turn, where nothing is rolled.
    pub before: Option<f64>,
    /// The value after the best move, by the same search.
    pub rolled: f64,
    /// The luck of the roll.
    pub luck: f64,
    /// How lucky the roll was.
    pub luck_mark: Option<LuckMark>,
    /// The move that was made.
    pub r#move: String,
    /// The value after it.
    pub value: f64,
    /// The value after the best move.
    pub best: f64,
    /// What the move lost: `best` less `value`.
    pub lost: f64,
    /// How bad the move was.
    pub mark: Option<Mark>,
    /// Whether there was no choice.
    pub forced: bool,
    /// Whether the values of all moves are exact.
    pub exact: bool,
    /// `after` less `rolled`, plus `lost`: how much the analyser's own estimate changed from one
    /// position to the next.
    pub residual: f64,
    /// How many moves were searched again.
    pub again: usize,
    /// Whether the move is marked by the first search alone, because there was no time to search again.
    pub unconfirmed: bool,
    /// How many turns the first search of the moves looked ahead.
    pub depth: u32,
    /// The value of the next position, evaluated there.
    pub after: f64,
    /// Every legal move: those that were searched again first, best first, and then the others.
    pub moves: Vec<ScoredMove>,
}

impl ReviewReport {
    /// The report of the game with this number, counted from 0.
    pub fn new<G: Playable>(
        number: usize,
        recorded_game: &RecordedGame<G>,
        review: &Review<G>,
    ) -> Self {
        let fault = recorded_game.failure.as_ref().map(|(side, Failure { fault, reason })| {
            LostByFault { side: G::SIDES[*side], fault: *fault, reason: reason.clone() }
        });
        let player = |side: Side| {
            let totals = review.totals[side];
            ReviewedPlayer {
                side: G::SIDES[side],
                player: recorded_game.game.players[side].clone(),
                totals,
                error_rate: totals.error_rate(),
                grade: totals.grade(),
            }
        };
        let players = Side::BOTH.map(player);
        let names = BySide::from_fn(|side: Side| players[side.index()].name());
        Self {
            game: number + 1,
            pair: recorded_game.pair,
            start: recorded_game.game.start().to_string(),
            result: recorded_game.entry().result,
            outcome: recorded_game.game.result,
            fault,
            initial: review.initial,
            last: review.last,
            luck: review.luck(),
            lost: review.lost(),
            residual: review.residual(),
            luck_adjusted: review.last - review.luck(),
            players,
            moves: review.decisions.iter().map(|decided| decided_move(decided, G::SIDES)).collect(),
            graph: Graph::new(review, names),
        }
    }
}

impl ReviewedPlayer {
    /// The player with the side, or the side alone where the player is not known.
    pub fn name(&self) -> String {
        let Self { side, player, .. } = self;
        if player.is_empty() { (*side).to_owned() } else { format!("{player} ({side})") }
    }
}

fn decided_move<G: Game>(
    decided: &ReviewedDecision<G>,
    sides: BySide<&'static str>,
) -> ReviewedMove {
    let (lost, luck) = (decided.lost(), decided.luck());
    let moves = decided.moves.iter().map(|scored| ScoredMove {
        mv: scored.mv.to_string(),
        value: scored.value.map(f64::from),
        exact: scored.exact,
    });
    ReviewedMove {
        ply: decided.situation.position.ply(),
        side: sides[decided.side()],
        position: decided.situation.to_string(),
        roll: decided.situation.roll.map(|roll| roll.to_string()).unwrap_or_default(),
        before: decided.before,
        rolled: decided.rolled,
        luck,
        luck_mark: LuckMark::of(luck),
        r#move: decided.mv.to_string(),
        value: decided.made(),
        best: decided.best(),
        lost,
        mark: Mark::of(lost),
        forced: !decided.unforced(),
        exact: decided.exact(),
        residual: decided.residual(),
        again: decided.again,
        unconfirmed: decided.is_unconfirmed(),
        depth: decided.depth,
        after: decided.after,
        moves: moves.collect(),
    }
}
