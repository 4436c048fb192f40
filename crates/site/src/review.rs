//! Reviews of games for a page: what each move lost, and how lucky each roll was.

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wurfel_agents::{Catalogued, DEFAULT_AGENT, Spec, build, games, solver};
use wurfel_arena::{
    Entry, FiledGame, LuckMark, Mark, Review, ReviewedDecision, Reviewer, ScoredMove, Totals,
    find_games, game_of,
};
use wurfel_core::{Budget, Side, TextError};

use crate::pool::Stop;

/// The longest time for the first search of the whole game.
const ALL: Duration = Duration::from_secs(8);
/// The longest time for all second searches of marked moves.
const AGAIN: Duration = Duration::from_secs(4);
/// How many turns the usual analyser looks ahead, as in `wurfel review`. Where there is no time for
/// them, as in Dice Chess, it looks fewer turns ahead.
const DEPTH: u32 = 4;
/// The longest time for one position.
const EACH: Duration = Duration::from_millis(200);
/// The longest game that is reviewed, in decisions.
const MAX_DECISIONS: usize = 600;
/// The largest number of rolls that the usual analyser has time for. Every roll is evaluated before
/// it falls, and with three dice there are 56. One turn deep `wurfel review --agent champion --jobs
/// 1` took 1.1 s of CPU time for a game of three dice with 26 turns, which are 1,456 rolls, second
/// searches included; `expecti:depth=1` took 0.2 s.
const MAX_ROLLS: usize = 8000;
/// The analyser for games that exceed this number.
const QUICK: &str = "expecti:depth=1";

/// The longest text of games in bytes.
const MAX_TEXT: usize = 5 << 20;
/// The largest number of games of a text that are listed; games with higher numbers can still be
/// reviewed.
const MAX_LISTED: usize = 20_000;

/// A request to list games or to review one of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "games to review, as an object")]
pub(crate) struct Request {
    /// The game, which is the rule set, if the text does not say it.
    #[serde(default)]
    game: Option<String>,
    /// The games, in any form that `wurfel review` reads.
    pub text: String,
    /// The number of the game to review, from 1.
    #[serde(default = "first")]
    pub number: NonZeroUsize,
}

const fn first() -> NonZeroUsize {
    NonZeroUsize::MIN
}

impl Request {
    /// The name of the game: the one in the text, or else the one in the request, or else the
    /// default game.
    ///
    /// # Errors
    /// When the two contradict each other, or the text is too long or has a broken header.
    pub fn game(&self) -> Result<String, String> {
        if self.text.len() > MAX_TEXT {
            return Err(format!("a text of games has at most {MAX_TEXT} bytes"));
        }
        match (game_of(&self.text).map_err(|error| error.to_string())?, &self.game) {
            (Some(said), Some(wanted)) if said != *wanted => {
                let [said, wanted] = [&said, wanted].map(|name| -> String {
                    name.chars().take(40).flat_map(char::escape_debug).collect()
                });
                Err(format!("the text holds games of {said}, but games of {wanted} were asked for"))
            }
            (said, wanted) => {
                let known = said.or_else(|| wanted.clone());
                Ok(known.unwrap_or_else(|| games()[0].name.to_owned()))
            }
        }
    }
}

/// The games of a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Listed {
    /// The game, which is the rule set.
    game: &'static str,
    games: Vec<Entry>,
    /// Whether there are more games than are listed.
    more: bool,
}

/// Lists the games of a text.
///
/// # Errors
/// What is wrong with the text, in one line.
pub(crate) fn list<G: Catalogued>(text: &str, stop: Stop<'_>) -> Result<Listed, String> {
    let mut entries = vec![];
    let mut more = false;
    for unread in find_games::<G>(text).map_err(|error| one_line(&error))? {
        more = entries.len() == MAX_LISTED || stop.load(Ordering::Relaxed);
        if more {
            break;
        }
        entries.push(unread.read().map_err(|error| one_line(&error))?.entry());
    }
    Ok(Listed { game: G::NAME, games: entries, more })
}

/// The game with this number in a text.
fn read_one<G: Catalogued>(text: &str, number: NonZeroUsize) -> Result<FiledGame<G>, String> {
    let mut found = find_games::<G>(text).map_err(|error| one_line(&error))?;
    let chosen = found.nth(number.get() - 1);
    let chosen = chosen.ok_or_else(|| format!("the text has no game with the number {number}"))?;
    chosen.read().map_err(|error| one_line(&error))
}

/// The error of a text in one line. It may quote a word of any length, which is shortened.
fn one_line(error: &TextError) -> String {
    error.to_string().chars().take(300).collect()
}

/// The review of a game, as the page receives it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ReviewView {
    /// The spec of the analyser.
    analyser: &'static str,
    /// How many turns it looked ahead in the decisions whose values it did not know exactly: the
    /// least and the most.
    depth: Option<[u32; 2]>,
    /// The players, the first side first.
    players: [String; 2],
    /// `1-0` when the first side won, `0-1`, `1/2-1/2`, or `*` when the game is open.
    result: String,
    /// The value before the first roll, for the first side.
    initial: f64,
    /// The result, or the value of the last position, for the first side.
    last: f64,
    /// The change from `initial` to `last` that was neither luck nor lost, because the analyser
    /// changed its opinion from one position to the next.
    residual: f64,
    /// What was assumed where the text contradicts itself or leaves something open.
    assumed: Vec<String>,
    decisions: Vec<ShownDecision>,
    /// The totals of each side, the first side first.
    totals: [ShownTotals; 2],
}

/// A decision; all values are those of the side that decides.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct ShownDecision {
    /// The position with the roll.
    position: String,
    /// The side that decides, 0 or 1.
    side: usize,
    /// The roll, or the dice that are left of it.
    roll: String,
    /// Whether the turn goes on with the dice that are left.
    rest: bool,
    #[serde(rename = "move")]
    mv: String,
    /// How much the move lost against the best one.
    lost: f64,
    mark: Option<Mark>,
    luck: f64,
    luck_mark: Option<LuckMark>,
    /// The value of the next position.
    after: f64,
    /// All moves. Those that were searched again come first, and only those can be compared.
    moves: Vec<ScoredMove>,
    /// How many moves were searched again; if 0, all can be compared.
    again: usize,
    /// Whether the mark was not searched again, for lack of time.
    unconfirmed: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct ShownTotals {
    #[serde(flatten)]
    totals: Totals,
    /// The mean loss of a decision with a choice.
    error_rate: Option<f64>,
    grade: Option<&'static str>,
}

/// Reviews a game.
///
/// # Errors
/// What is wrong with the text, in one line.
pub(crate) fn review<G: Catalogued>(
    text: &str,
    number: NonZeroUsize,
    stop: Stop<'_>,
) -> Result<ReviewView, String> {
    let filed = read_one::<G>(text, number)?;
    let count = filed.game.decisions().len();
    if count > MAX_DECISIONS {
        return Err(format!("at most {MAX_DECISIONS} moves are reviewed here, this has {count}"));
    }
    let mut rolls = 0;
    filed.game.replay(|step| rolls += if step.rolled { G::DICE.len() } else { 0 });
    let analyser = if rolls > MAX_ROLLS { QUICK } else { DEFAULT_AGENT };
    let spec: Spec = analyser.parse().map_err(|_| "there is no analyser")?;
    let agents = build::<G>(&spec).map_err(|error| error.to_string())?;
    let time = EACH.min(ALL / (count as u32 + 1));
    let reviewer = Reviewer {
        analyser: agents,
        solver: solver::<G>(),
        budget: Budget {
            depth: Some(DEPTH),
            time: Some(time),
            stop: Some(stop),
            ..Budget::default()
        },
        again: Some(AGAIN),
    };
    let games = [filed];
    let mut found = None;
    let see = |_, review: Review<G>| {
        found = Some(shown(analyser, &games[0], &review));
        true
    };
    reviewer.run(&games, 1, see).map_err(|error| error.to_string())?;
    found.ok_or_else(|| "the review took too long; `wurfel review FILE` takes its time".to_owned())
}

fn shown<G: Catalogued>(
    analyser: &'static str,
    filed: &FiledGame<G>,
    review: &Review<G>,
) -> ReviewView {
    let searched = review.decisions.iter().filter(|decided| decided.unforced() && !decided.exact());
    let depths = searched.map(|decided| decided.depth);
    let depth = depths.clone().min().zip(depths.max()).map(|(least, most)| [least, most]);
    let Entry { players, result, .. } = filed.entry();
    let totals = Side::BOTH.map(|side| {
        let totals = review.totals[side];
        ShownTotals { totals, error_rate: totals.error_rate(), grade: totals.grade() }
    });
    ReviewView {
        analyser,
        depth,
        players,
        result,
        initial: review.initial,
        last: review.last,
        residual: review.residual(),
        assumed: filed.assumed.clone(),
        decisions: review.decisions.iter().map(decision).collect(),
        totals,
    }
}

fn decision<G: Catalogued>(decided: &ReviewedDecision<G>) -> ShownDecision {
    let moves = decided.moves.iter().map(|scored| ScoredMove {
        mv: scored.mv.to_string(),
        value: scored.value.map(f64::from),
        exact: scored.exact,
    });
    ShownDecision {
        position: decided.situation.to_string(),
        side: decided.side().index(),
        roll: decided.situation.roll.map(|roll| roll.to_string()).unwrap_or_default(),
        rest: decided.before.is_none(),
        mv: decided.mv.to_string(),
        lost: decided.lost(),
        mark: Mark::of(decided.lost()),
        luck: decided.luck(),
        luck_mark: LuckMark::of(decided.luck()),
        after: decided.after,
        moves: moves.collect(),
        again: decided.again,
        unconfirmed: decided.is_unconfirmed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use wurfel_games::dicechess::DiceChess3;
    use wurfel_games::einstein::Einstein;

    static STOP: AtomicBool = AtomicBool::new(false);
    const GAME: &str = "5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1";

    #[test]
    fn a_blunder_and_a_lucky_roll_are_found() {
        // Red stands before the goal and moves past it; Blue then wins.
        let shown = review::<Einstein>(GAME, first(), &STOP).unwrap();
        assert_eq!(shown.decisions[0].mark, Some(Mark::Blunder));
        assert!(shown.decisions[0].lost > 0.99 && shown.decisions[1].lost < 0.01);
        assert_eq!((shown.last, shown.totals[0].totals.blunders), (0.0, 1));
        assert_eq!(
            (shown.players, shown.result.as_str()),
            (["red", "blue"].map(str::to_owned), "0-1")
        );
        let [red, blue] = shown.totals.map(|side| side.totals.luck - side.totals.lost);
        assert!((shown.initial + red - blue + shown.residual - shown.last).abs() < 1e-9);
        let error = review::<Einstein>("nonsense", first(), &STOP).unwrap_err();
        assert!(!error.is_empty() && !error.contains('\n'), "{error}");
    }

    /// Found by the fuzz target `messages`: a name of a game with a line break made two lines of the
    /// refusal.
    #[test]
    fn a_refusal_is_one_line_whatever_the_names() {
        let header = r#"{"format":"wurfel-games","version":1,"program":"","game":"einstein","agents":["a","b"],"pairs":1,"seed":1}"#;
        let request = serde_json::json!({ "text": header, "game": "a\nb" });
        let request: Request = serde_json::from_value(request).unwrap();
        assert_eq!(
            request.game().unwrap_err(),
            r"the text holds games of einstein, but games of a\nb were asked for"
        );
    }

    #[test]
    fn only_for_long_games_of_three_dice_the_quick_analyser_is_asked() {
        let game = |turns: usize| {
            let passes = " @RRQ 0000 @rrq 0000".repeat(turns / 2);
            format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -{passes}")
        };
        let analyser = |game: &str| review::<DiceChess3>(game, first(), &STOP).unwrap().analyser;
        assert_eq!((analyser(&game(4)), analyser(&game(144))), (DEFAULT_AGENT, QUICK));
        assert_eq!(review::<Einstein>(GAME, first(), &STOP).unwrap().analyser, DEFAULT_AGENT);
    }

    /// The whole time was used however much of it went into turns that `wurfel review` does not look at.
    #[test]
    fn a_review_looks_no_further_than_that_of_the_program() {
        let shown = review::<Einstein>("@4 a4b4 @1 e1e2 @3 c5d4", first(), &STOP).unwrap();
        assert!(shown.depth.is_some_and(|[_, most]| most <= DEPTH), "{:?}", shown.depth);
    }

    #[test]
    fn games_are_listed_and_the_chosen_one_is_reviewed() {
        let text = format!("@4 a4b4\n\n{GAME}\n");
        let listed = list::<Einstein>(&text, &STOP).unwrap();
        let shown: Vec<_> =
            listed.games.iter().map(|entry| (entry.result.as_str(), entry.plies)).collect();
        assert_eq!((shown, listed.more), (vec![("*", 1), ("0-1", 2)], false));
        let second = NonZeroUsize::new(2).unwrap();
        assert_eq!(review::<Einstein>(&text, second, &STOP).unwrap().decisions.len(), 2);
        let third = NonZeroUsize::new(3).unwrap();
        let error = review::<Einstein>(&text, third, &STOP).unwrap_err();
        assert_eq!(error, "the text has no game with the number 3");
    }

    #[test]
    fn the_text_says_its_game_and_a_contradiction_is_told() {
        let header = r#"{"format":"wurfel-games","version":1,"program":"","game":"dicechess","agents":["a","b"],"pairs":1,"seed":1}"#;
        let request = |game: Option<&str>, text: &str| Request {
            game: game.map(str::to_owned),
            text: text.to_owned(),
            number: first(),
        };
        assert_eq!(request(None, header).game().unwrap(), "dicechess");
        assert_eq!(request(None, GAME).game().unwrap(), "einstein");
        assert_eq!(request(Some("dicechess"), GAME).game().unwrap(), "dicechess");
        let error = request(Some("einstein"), header).game().unwrap_err();
        assert_eq!(
            error,
            "the text holds games of dicechess, but games of einstein were asked for"
        );
        let long = "a".repeat(MAX_TEXT + 1);
        assert!(request(None, &long).game().unwrap_err().contains("at most 5242880 bytes"));
    }
}
