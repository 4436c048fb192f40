//! Played games without a type parameter: their records and their reviews.

use std::any::Any;
#[cfg(feature = "workbench")]
use std::io::Read;
#[cfg(feature = "workbench")]
use std::ops::ControlFlow;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use wurfel_agents::{Catalogued, Factory, solver};
use wurfel_arena::{
    GameEntry, GameRecord, MissingValue, MixedPlayers, RecordedGame, ReviewProgress, ReviewReport,
    Reviewer, find_games, move_list_of, read_games, record_of, write_records,
};
#[cfg(feature = "workbench")]
use wurfel_arena::{GameStream, LostDetails, RecordWriter, ResultsError};
#[cfg(feature = "workbench")]
use wurfel_core::NotationError;
use wurfel_core::{Budget, EventInfo, Failure, Outcome, Side, Situation, TextError};

use crate::agents::Agents;
use crate::position::Position;

/// Games of one rule set, in the order of their files.
///
/// ```
/// let games = wurfel::game("einstein")?.read_games("@4 a4b4 @1 e1e2")?;
/// let mut moves = vec![];
/// games.replay(0, &mut |step| moves.push(step.mv));
/// assert_eq!(moves, ["a4b4", "e1e2"]);
/// assert_eq!(games.record(0).start, "ABC2/DE3/F3f/3ed/2cba r - 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Games(Box<dyn AnyGames>);

/// What a file says about a game apart from its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Players, result and length.
    pub entry: GameEntry,
    /// The number of the mirrored pair that it belongs to, if the file has pairs.
    pub pair: Option<u64>,
    /// How it ended, if known.
    pub outcome: Option<Outcome>,
    /// The side that lost by a failure, and the failure.
    pub failure: Option<(Side, Failure)>,
    /// When, where and at which event it was played.
    pub event_info: EventInfo,
    /// The first position.
    pub start: String,
}

/// A decision of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordStep {
    /// The position with the roll, or with the dice that are left of it.
    pub position: Position,
    /// The move that was made.
    pub mv: String,
    /// Whether the dice were rolled for this decision.
    pub rolled: bool,
}

/// How games are reviewed.
#[derive(Clone, Copy)]
pub struct ReviewSettings<'a> {
    /// The agents that evaluate the moves. They must have a value for every move, as searches do.
    pub analyser: &'a Agents,
    /// Whether endings are solved, so that their values are exact.
    pub exact: bool,
    /// What the analyser may spend on a position, divided among its rolls.
    pub budget: Budget<'a>,
    /// A move that seems to lose much is searched a second time before it gets its mark. This is the time
    /// for all second searches of a game together; without it each has `budget`.
    pub again: Option<Duration>,
}

/// The panic message for games of different rule sets.
const SAME: &str = "games are put together with those of the same rule set";
/// Games whose type is erased; [`Games`] points to them.
pub trait AnyGames: Any + Send + Sync {
    /// The number of games.
    fn len(&self) -> usize;

    /// Whether there is no game.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the file says about a game apart from its moves. Here and below, games are counted from
    /// 0.
    ///
    /// # Panics
    /// When there is no game with this number, here and below.
    fn record(&self, number: usize) -> Record;

    /// What was assumed where the file of a game contradicts itself or leaves something open.
    fn assumed(&self, number: usize) -> &[String];

    /// Passes each decision of a game to `see`.
    fn replay(&self, number: usize, see: &mut dyn FnMut(RecordStep));

    /// The position that a game has reached, with the rest of its last roll.
    fn last(&self, number: usize) -> Position;

    /// Adds games after these.
    ///
    /// # Panics
    /// When they belong to another rule set.
    fn append(&mut self, more: Games);

    /// Some of the games.
    #[must_use]
    fn some(&self, numbers: &[usize]) -> Games;

    /// Reviews the games, on `jobs` threads, and passes the report of each to `see`, in order, until it
    /// returns false; see [`Reviewer`]. Meanwhile `progress` gets each position.
    /// [`wurfel_arena::SeriesTally`] combines the reports.
    ///
    /// # Errors
    /// When the analyser does not give every move a value.
    ///
    /// # Panics
    /// When the analyser belongs to another game.
    fn review(
        &self,
        settings: ReviewSettings<'_>,
        jobs: usize,
        progress: &mut dyn FnMut(ReviewProgress),
        see: &mut dyn FnMut(ReviewReport) -> bool,
    ) -> Result<(), MissingValue>;

    /// A game as a move list, such as `ABC2/DE3/F3f/3ed/2cba r - 1 @4 a4b4`.
    fn move_list(&self, number: usize) -> String;

    /// A game as a line of a file, without its pair; the first player has the first side.
    fn line_of(&self, number: usize) -> GameRecord;

    /// All games as the lines of a file; see [`write_records`].
    ///
    /// ```
    /// let einstein = wurfel::game("einstein")?;
    /// let games = einstein.read_games("@4 a4b4 @1 e1e2")?;
    /// let again = einstein.read_games(&games.json_lines()?)?;
    /// assert_eq!(again.move_list(0), games.move_list(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When they have more than two players.
    fn json_lines(&self) -> Result<String, MixedPlayers>;

    #[cfg(feature = "workbench")]
    /// A game in a form of its rule set; `None` when there is no form of this name.
    ///
    /// # Errors
    /// Why the form cannot hold the game.
    fn form(&self, number: usize, form: &str) -> Option<Result<FormedGame, NotationError>>;

    #[cfg(feature = "workbench")]
    /// The next line of a file in which a game is written again.
    ///
    /// # Errors
    /// When the game is not between the players of the file.
    fn line(&self, number: usize, writer: &mut RecordWriter) -> Result<String, MixedPlayers>;

    #[cfg(feature = "workbench")]
    /// Adds the details that a game lost when it was written and read back as the only game in
    /// `again`.
    ///
    /// # Panics
    /// When `again` does not hold a game of this rule set.
    fn compare(&self, number: usize, again: &Games, losses: &mut LostDetails);
}

/// A game in a form of its own: the default name of its file, and the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormedGame {
    /// The default name of a file with the game.
    pub file_name: String,
    /// The text.
    pub text: String,
}

/// A game that was found in a text but not parsed yet.
pub struct UnparsedGame<'a>(Box<dyn FnOnce() -> Result<Games, TextError> + 'a>);

impl UnparsedGame<'_> {
    /// Parses the game.
    ///
    /// # Errors
    /// When the text is wrong; the error says where, and what was expected there.
    pub fn read(self) -> Result<Games, TextError> {
        (self.0)()
    }
}

pub(crate) fn find<'a, G: Catalogued>(
    rules: &G,
    text: &'a str,
) -> Result<Box<dyn Iterator<Item = UnparsedGame<'a>> + 'a>, TextError> {
    let games = find_games(rules, text)?;
    Ok(Box::new(games.map(|game| UnparsedGame(Box::new(|| Ok(Games::new(vec![game.read()?])))))))
}

impl Deref for Games {
    type Target = dyn AnyGames;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for Games {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl Games {
    pub(crate) fn new<G: Catalogued>(games: Vec<RecordedGame<G>>) -> Self {
        Self(Box::new(games))
    }

    pub(crate) fn read<G: Catalogued>(rules: &G, text: &str) -> Result<Self, TextError> {
        Ok(Self::new(read_games(rules, text)?))
    }

    #[cfg(feature = "workbench")]
    pub(crate) fn read_line<G: Catalogued>(
        rules: &G,
        writer: &RecordWriter,
        line: &str,
    ) -> Result<Self, TextError> {
        Ok(Self::new(vec![writer.read(rules, line)?]))
    }

    #[cfg(feature = "workbench")]
    pub(crate) fn each<G: Catalogued>(
        rules: &G,
        stream: GameStream<Box<dyn Read>>,
        see: &mut dyn FnMut(Result<Self, ResultsError>) -> ControlFlow<()>,
    ) {
        let each = stream.each::<G, std::convert::Infallible>(rules, |recorded| {
            Ok(see(recorded.map(|recorded| Self::new(vec![recorded]))))
        });
        each.unwrap_or_else(|never| match never {});
    }

    #[cfg(feature = "workbench")]
    fn typed<G: Catalogued>(&self) -> &Vec<RecordedGame<G>> {
        (&*self.0 as &dyn Any).downcast_ref().expect(SAME)
    }
}

impl<G: Catalogued> AnyGames for Vec<RecordedGame<G>> {
    fn len(&self) -> usize {
        self.len()
    }

    fn record(&self, number: usize) -> Record {
        let recorded = &self[number];
        Record {
            entry: recorded.entry(),
            pair: recorded.pair,
            outcome: recorded.game.result,
            failure: recorded.failure.clone(),
            event_info: recorded.game.event_info.clone(),
            start: recorded.game.start().to_string(),
        }
    }

    fn assumed(&self, number: usize) -> &[String] {
        &self[number].assumed
    }

    fn replay(&self, number: usize, see: &mut dyn FnMut(RecordStep)) {
        self[number].game.replay(|step| {
            let (position, mv) = (Position::new(step.turn.situation()), step.mv.to_string());
            see(RecordStep { position, mv, rolled: step.rolled });
        });
    }

    fn last(&self, number: usize) -> Position {
        let game = &self[number].game;
        Position::new(Situation { position: game.now().clone(), roll: game.rest() })
    }

    fn append(&mut self, more: Games) {
        let more: Box<dyn Any> = more.0;
        let mut more: Box<Self> = more.downcast().expect(SAME);
        if let (Some(one), Some(other)) = (self.first(), more.first()) {
            assert_eq!(one.game.start().name(), other.game.start().name(), "{SAME}");
        }
        self.append(&mut more);
    }

    fn some(&self, numbers: &[usize]) -> Games {
        Games::new::<G>(numbers.iter().map(|&number| self[number].clone()).collect())
    }

    fn review(
        &self,
        settings: ReviewSettings<'_>,
        jobs: usize,
        progress: &mut dyn FnMut(ReviewProgress),
        see: &mut dyn FnMut(ReviewReport) -> bool,
    ) -> Result<(), MissingValue> {
        let ReviewSettings { analyser, exact, budget, again } = settings;
        let Some(first) = self.first() else { return Ok(()) };
        let analyser = Factory::clone(analyser.of(first.game.start()));
        let solver = if exact { solver::<G>() } else { None };
        let reviewer = Reviewer { analyser, solver, budget, again };
        reviewer.run(self, jobs, progress, |number, review| {
            see(ReviewReport::new(number, &self[number], &review))
        })
    }

    fn move_list(&self, number: usize) -> String {
        move_list_of(&self[number].game)
    }

    fn line_of(&self, number: usize) -> GameRecord {
        record_of(&self[number], 0)
    }

    fn json_lines(&self) -> Result<String, MixedPlayers> {
        write_records(self)
    }

    #[cfg(feature = "workbench")]
    fn form(&self, number: usize, form: &str) -> Option<Result<FormedGame, NotationError>> {
        let form = G::RECORDS.iter().find(|known| known.name == form)?;
        let game = &self[number].game;
        let file_name = (form.file_name)(game);
        Some((form.write)(game).map(|text| FormedGame { file_name, text }))
    }

    #[cfg(feature = "workbench")]
    fn line(&self, number: usize, writer: &mut RecordWriter) -> Result<String, MixedPlayers> {
        writer.line(&self[number])
    }

    #[cfg(feature = "workbench")]
    fn compare(&self, number: usize, again: &Games, losses: &mut LostDetails) {
        if let [again] = again.typed::<G>().as_slice() {
            losses.add(&self[number], again);
        }
    }
}

#[cfg(feature = "workbench")]
/// The names of the forms in which games are written, those that every game has first.
pub(crate) fn forms<G: Catalogued>() -> Vec<&'static str> {
    let own = G::RECORDS.iter().map(|form| form.name);
    [JSON_LINES, MOVE_LISTS].into_iter().chain(own).collect()
}

/// The form in which matches are saved.
pub const JSON_LINES: &str = "jsonl";
/// The form of move lists.
pub const MOVE_LISTS: &str = "moves";
