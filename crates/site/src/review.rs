//! Reviews of games for a page: what each move lost, and how lucky each roll was.

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wurfel::{Game, Games, ReviewSettings, Spec, default_game};
use wurfel_agents::DEFAULT_AGENT;
use wurfel_arena::{GameEntry, GameRecord, ReviewProgress, ReviewReport, game_of};
use wurfel_core::{Budget, TextError};

use crate::agents::Stop;

/// The longest time for the first search of the whole game.
const ALL: Duration = Duration::from_secs(8);
/// The longest time for all second searches of marked moves.
const AGAIN: Duration = Duration::from_secs(4);
/// The longest time for one position.
const EACH: Duration = Duration::from_millis(200);
/// The longest game that is reviewed, in decisions.
const MAX_DECISIONS: usize = 600;
/// The largest number of rolls that the default analyser has time for. Every roll is evaluated before
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Games"))]
#[serde(deny_unknown_fields, expecting = "games to review, as an object")]
pub(crate) struct Request {
    /// The game, which is the rule set, if the text does not say it.
    #[serde(default)]
    game: Option<String>,
    /// The games, in any form that `wurfel review` reads.
    pub text: String,
    /// The number of the game that is wanted, from 1.
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
            (Some(in_text), Some(requested)) if in_text != *requested => {
                let [in_text, requested] = [&in_text, requested].map(|name| -> String {
                    name.chars().take(40).flat_map(char::escape_debug).collect()
                });
                Err(format!(
                    "the text holds games of {in_text}, but games of {requested} were asked for"
                ))
            }
            (in_text, requested) => {
                let known = in_text.or_else(|| requested.clone());
                Ok(known.unwrap_or_else(|| default_game().name().to_owned()))
            }
        }
    }
}

/// The games of a text.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Archive {
    /// The game, which is the rule set.
    game: &'static str,
    games: Vec<GameEntry>,
    /// Whether there are more games than are listed.
    more: bool,
    /// The wanted game; `null` if none of the listed games has its number.
    record: Option<GameRecord>,
    /// Its positions: that before each move, with the roll, and the last one.
    positions: Vec<String>,
}

/// Lists the games of a text.
///
/// # Errors
/// What is wrong with the text, in one line.
pub(crate) fn list(
    game: Game,
    text: &str,
    wanted: NonZeroUsize,
    stop: Stop<'_>,
) -> Result<Archive, String> {
    let mut entries = vec![];
    let (mut record, mut positions) = (None, vec![]);
    let mut more = false;
    for unread in game.find_games(text).map_err(|error| one_line(&error))? {
        more = entries.len() == MAX_LISTED || stop.load(Ordering::Relaxed);
        if more {
            break;
        }
        let game = unread.read().map_err(|error| one_line(&error))?;
        entries.push(game.record(0).entry);
        if entries.len() == wanted.get() {
            record = Some(game.line_of(0));
            game.replay(0, &mut |step| positions.push(step.position.to_string()));
            positions.push(game.last(0).to_string());
        }
    }
    Ok(Archive { game: game.name(), games: entries, more, record, positions })
}

/// The game with this number in a text.
fn read_one(game: Game, text: &str, number: NonZeroUsize) -> Result<Games, String> {
    let mut games = game.find_games(text).map_err(|error| one_line(&error))?;
    let chosen = games.nth(number.get() - 1);
    let chosen = chosen.ok_or_else(|| format!("the text has no game with the number {number}"))?;
    chosen.read().map_err(|error| one_line(&error))
}

/// The error of a text in one line. It may quote a word of any length, which is shortened.
fn one_line(error: &TextError) -> String {
    error.to_string().chars().take(300).collect()
}

/// The review of a game, as the page receives it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Review"))]
pub(crate) struct ReviewView {
    /// The spec of the analyser.
    analyser: &'static str,
    /// Its search depth in turns in the decisions whose values it did not know exactly: minimum
    /// and maximum.
    depth: Option<[u32; 2]>,
    /// What was assumed where the text contradicts itself or leaves something open.
    assumed: Vec<String>,
    #[serde(flatten)]
    report: ReviewReport,
}

/// Reviews a game. `progress` gets each position.
///
/// # Errors
/// What is wrong with the text, in one line.
pub(crate) fn review(
    game: Game,
    text: &str,
    number: NonZeroUsize,
    stop: Stop<'_>,
    progress: &mut dyn FnMut(ReviewProgress),
) -> Result<ReviewView, String> {
    let chosen = read_one(game, text, number)?;
    let (mut count, mut rolls) = (0, 0);
    chosen.replay(0, &mut |step| {
        count += 1;
        rolls += usize::from(step.rolled);
    });
    if count > MAX_DECISIONS {
        return Err(format!(
            "at most {MAX_DECISIONS} moves are reviewed here, this game has {count}"
        ));
    }
    let many = rolls * game.dice().len() > MAX_ROLLS;
    let analyser = if many { QUICK } else { DEFAULT_AGENT };
    let spec: Spec = analyser.parse().map_err(|_| "there is no analyser")?;
    let agents = game.agents_of(&spec).map_err(|error| error.to_string())?;
    let time = EACH.min(ALL / (count as u32 + 1));
    let budget = Budget {
        depth: Some(game.review_depth()),
        time: Some(time),
        stop: Some(stop),
        ..Budget::default()
    };
    let settings = ReviewSettings { analyser: &agents, exact: true, budget, again: Some(AGAIN) };
    let mut reviewed = None;
    let see = &mut |report| {
        reviewed = Some(report);
        true
    };
    chosen.review(settings, 1, progress, see).map_err(|error| error.to_string())?;
    let report = reviewed.ok_or_else(|| {
        "the review took too long; `wurfel review FILE` has no time limit".to_owned()
    })?;
    Ok(ReviewView { analyser, depth: depth(&report), assumed: chosen.assumed(0).to_vec(), report })
}

/// The search depth of the values that are not exact, in turns: minimum and maximum.
fn depth(report: &ReviewReport) -> Option<[u32; 2]> {
    let searched = report.moves.iter().filter(|decided| !decided.forced && !decided.exact);
    let depths = searched.map(|decided| decided.depth);
    depths.clone().min().zip(depths.max()).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use wurfel_arena::Mark;

    static STOP: AtomicBool = AtomicBool::new(false);
    const GAME: &str = "5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1";

    #[test]
    fn a_blunder_and_a_lucky_roll_are_found() {
        // Red stands before the goal and moves past it; Blue then wins.
        let shown = review(default_game(), GAME, first(), &STOP, &mut |_| {}).unwrap().report;
        assert_eq!(shown.moves[0].mark, Some(Mark::Blunder));
        assert!(shown.moves[0].lost > 0.99 && shown.moves[1].lost < 0.01);
        assert_eq!((shown.last, shown.players[0].totals.blunders), (0.0, 1));
        assert_eq!(shown.players.each_ref().map(|player| player.side), ["red", "blue"]);
        assert_eq!(shown.result, "0-1");
        let [red, blue] = shown.players.map(|side| side.totals.luck - side.totals.lost);
        assert!((shown.initial + red - blue + shown.residual - shown.last).abs() < 1e-9);
        let error = review(default_game(), "nonsense", first(), &STOP, &mut |_| {}).unwrap_err();
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
    fn only_long_games_of_three_dice_get_the_quick_analyser() {
        let game = |turns: usize| {
            let passes = " @RRQ 0000 @rrq 0000".repeat(turns / 2);
            format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -{passes}")
        };
        let three = wurfel::game("dicechess3").unwrap();
        let analyser =
            |text: &str| review(three, text, first(), &STOP, &mut |_| {}).unwrap().analyser;
        assert_eq!((analyser(&game(4)), analyser(&game(144))), (DEFAULT_AGENT, QUICK));
        assert_eq!(
            review(default_game(), GAME, first(), &STOP, &mut |_| {}).unwrap().analyser,
            DEFAULT_AGENT
        );
    }

    /// The whole time was used, even for turns that `wurfel review` does not search.
    #[test]
    fn a_review_searches_no_deeper_than_that_of_the_program() {
        let text = "@4 a4b4 @1 e1e2 @3 c5d4";
        let shown = review(default_game(), text, first(), &STOP, &mut |_| {}).unwrap();
        assert!(
            shown.depth.is_some_and(|[_, most]| most <= default_game().review_depth()),
            "{:?}",
            shown.depth
        );
    }

    #[test]
    fn games_are_listed_and_the_chosen_one_is_reviewed() {
        let text = format!("@4 a4b4\n\n{GAME}\n");
        let second = NonZeroUsize::new(2).unwrap();
        let listed = list(default_game(), &text, second, &STOP).unwrap();
        assert_eq!(listed.record.as_ref().unwrap().moves, "@1 d2d1 @1 b4a5");
        let positions = ["5/1a3/5/3A1/5 r 1 1", "5/1a3/5/5/3A1 b 1 2", "a4/5/5/5/3A1 r - 3"];
        assert_eq!(listed.positions, positions);
        let shown: Vec<_> =
            listed.games.iter().map(|entry| (entry.result.as_str(), entry.plies)).collect();
        assert_eq!((shown, listed.more), (vec![("*", 1), ("0-1", 2)], false));
        let chosen = review(default_game(), &text, second, &STOP, &mut |_| {}).unwrap();
        assert_eq!(chosen.report.moves.len(), 2);
        let third = NonZeroUsize::new(3).unwrap();
        let error = review(default_game(), &text, third, &STOP, &mut |_| {}).unwrap_err();
        assert_eq!(error, "the text has no game with the number 3");
    }

    #[test]
    fn the_text_names_its_game_and_a_contradiction_is_reported() {
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
