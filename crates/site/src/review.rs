//! Reviews of games for a page: what each move lost, and how lucky each throw was.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use wurfel_arena::{
    DEFAULT_AGENT, Decided, Filed, JudgedMove, LuckMark, Mark, Review, Reviewer, Spec, Totals,
    build, informed, read_games,
};
use wurfel_game::{Budget, Side};
use wurfel_games::Playable;

use crate::pool::Stop;

/// For the whole game.
const ALL: Duration = Duration::from_secs(8);
/// For one position at most.
const EACH: Duration = Duration::from_millis(200);
/// A game with more decisions is not reviewed here.
const MOST_DECISIONS: usize = 600;
/// Decisions times throws that the usual judge has time for: every throw is judged before
/// it falls, and with three dice there are 56.
const MOST_THROWS: usize = 1200;
/// Who judges more than that.
const QUICK: &str = "expecti:depth=1";

/// A game to be reviewed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// The game, which is the rule set.
    pub game: String,
    /// The game in any form that `wurfel review` reads; the first one counts.
    pub text: String,
}

/// A game as the judge sees it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Shown {
    /// Who has judged.
    judge: &'static str,
    /// The value before the first throw, for the first side.
    initial: f64,
    /// The result, or the value of the last position, for the first side.
    last: f64,
    decisions: Vec<ShownDecision>,
    /// The first side first.
    totals: [ShownTotals; 2],
}

/// A decision; all values are those of the side that decides.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct ShownDecision {
    /// With the throw.
    position: String,
    /// Who decides, 0 or 1.
    side: usize,
    roll: String,
    #[serde(rename = "move")]
    mv: String,
    /// What the move lost against the best one.
    lost: f64,
    mark: Option<Mark>,
    luck: f64,
    luck_mark: Option<LuckMark>,
    /// The value of the next position.
    after: f64,
    moves: Vec<JudgedMove>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct ShownTotals {
    #[serde(flatten)]
    totals: Totals,
    /// What a decision with a choice lost on average.
    error_rate: Option<f64>,
    grade: Option<&'static str>,
}

/// Reviews a game.
///
/// # Errors
/// What is wrong with the text, in one line.
pub(crate) fn review<G: Playable>(text: &str, stop: Stop) -> Result<Shown, String> {
    let games: Vec<Filed<G>> = read_games(text).map_err(|error| error.to_string())?;
    let game = games.first().ok_or("a game was expected, but there is none")?;
    let count = game.game.decisions().len();
    if count > MOST_DECISIONS {
        return Err(format!("at most {MOST_DECISIONS} moves are reviewed here, this has {count}"));
    }
    let throws = count * G::DICE.len();
    let judge = if throws > MOST_THROWS { QUICK } else { DEFAULT_AGENT };
    let spec: Spec = judge.parse().map_err(|_| "there is no judge")?;
    let agents = build::<G>(&spec).map_err(|error| error.to_string())?;
    let time = EACH.min(ALL / (count as u32 + 1));
    let reviewer = Reviewer {
        judge: informed(agents),
        budget: Budget { time: Some(time), stop: Some(stop), ..Budget::default() },
    };
    let mut found = None;
    let see = |_, review: Review<G>| {
        found = Some(shown(judge, &review));
        true
    };
    reviewer.run(&games[..1], 1, see).map_err(|error| error.to_string())?;
    found.ok_or_else(|| "the review took too long; `wurfel review FILE` takes its time".to_owned())
}

fn shown<G: Playable>(judge: &'static str, review: &Review<G>) -> Shown {
    let totals = Side::BOTH.map(|side| {
        let totals = review.totals[side];
        ShownTotals { totals, error_rate: totals.error_rate(), grade: totals.grade() }
    });
    Shown {
        judge,
        initial: review.initial,
        last: review.last,
        decisions: review.decisions.iter().map(decision).collect(),
        totals,
    }
}

fn decision<G: Playable>(decided: &Decided<G>) -> ShownDecision {
    let moves = decided.moves.iter().map(|judged| JudgedMove {
        mv: judged.mv.to_string(),
        value: judged.value.map(f64::from),
        exact: judged.exact,
    });
    ShownDecision {
        position: decided.situation.to_string(),
        side: decided.side().index(),
        roll: decided.situation.roll.map(|roll| roll.to_string()).unwrap_or_default(),
        mv: decided.mv.to_string(),
        lost: decided.lost(),
        mark: Mark::of(decided.lost()),
        luck: decided.luck(),
        luck_mark: LuckMark::of(decided.luck()),
        after: decided.after,
        moves: moves.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use wurfel_games::dicechess::DiceChess3;
    use wurfel_games::einstein::Einstein;

    static STOP: AtomicBool = AtomicBool::new(false);

    #[test]
    fn a_blunder_and_a_lucky_throw_are_found() {
        // Red stands before the goal and goes past it; Blue then wins.
        let shown = review::<Einstein>("5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1", &STOP).unwrap();
        assert_eq!(shown.decisions[0].mark, Some(Mark::Blunder));
        assert!(shown.decisions[0].lost > 0.99 && shown.decisions[1].lost < 0.01);
        assert_eq!((shown.last, shown.totals[0].totals.blunders), (0.0, 1));
        let error = review::<Einstein>("nonsense", &STOP).unwrap_err();
        assert!(!error.is_empty() && !error.contains('\n'), "{error}");
    }

    #[test]
    fn with_three_dice_the_quick_judge_is_asked() {
        let passes = " @RRQ 0000 @rrq 0000".repeat(11);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -";
        let game = format!("{start}{passes}");
        assert_eq!(review::<DiceChess3>(&game, &STOP).unwrap().judge, QUICK);
        let game = "5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1";
        assert_eq!(review::<Einstein>(game, &STOP).unwrap().judge, DEFAULT_AGENT);
    }
}
