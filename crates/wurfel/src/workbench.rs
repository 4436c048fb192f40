//! What a game offers beyond play and analysis: matches, tournaments, tables in files, records, real tables and
//! learning. The engine in a web page does without, which makes it half as large.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use wurfel_agents::{Catalogued, SpecError};
use wurfel_arena::{
    CupDefinition, CupError, GameFiles, GameStream, MatchError, MatchHeader, MatchProgress,
    OutputError, PlayedPairings, RecordWriter, Refusal, ResultsError, SessionError,
    SessionSettings, Speed, SpeedSettings, TimedDecision, Tournament,
};
use wurfel_core::UnknownName;
use wurfel_core::{Decision, Random, Situation, TextError};
use wurfel_net::{Model, NetError};
use wurfel_tablebase::{Build, BuildProgress, TableError, build, default_folder};

use crate::cup::Cup;
use crate::encoding::{self, Encoding, NoEncoding, named};
use crate::entrants::{Entrants, entrants};
use crate::evaluation::{Evaluation, evaluation};
use crate::game::{Game, Of};
use crate::lanes::{self, Lanes};
use crate::learning::Learning;
use crate::player::Player;
use crate::policy::{PolicyNetwork, policy};
use crate::position::Position;
use crate::records::{Games, forms};
use crate::session::{self, ResumedSession, Session};
use crate::table_units::TableUnits;
use crate::tables::{Tables, TablesWanted};

/// A decision in a game in which people played.
#[derive(Clone, Debug)]
pub struct PlayedDecision {
    /// The position with its roll, or with the dice that are left of it.
    pub position: Position,
    /// The move, with what the agent knows about it.
    pub decision: Decision<String>,
    /// How long it took.
    pub time: Duration,
}

type Stop = &'static AtomicBool;

/// What a game offers beyond play and analysis.
pub trait Workbench: Learning + TableUnits {
    /// The evaluation with this name.
    ///
    /// ```
    /// let einstein = wurfel::game("einstein")?;
    /// let value = einstein.evaluation("zweistein")?.value(&einstein.start(), 0)?;
    /// assert!((0.4..0.6).contains(&value));
    /// assert!(einstein.evaluation("material").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the game has none.
    fn evaluation(&self, name: &str) -> Result<Box<dyn Evaluation>, UnknownName>;

    /// The encodings for networks, the default first.
    fn encodings(&self) -> Vec<Box<dyn Encoding>>;

    /// The encoding with this name, or the default one.
    ///
    /// ```
    /// let einstein = wurfel::game("einstein")?;
    /// let encoding = einstein.encoding(Some("ewn-v2"))?;
    /// let (planes, board) = (encoding.planes(), encoding.board());
    /// let mut numbers = vec![0.0; planes * board * board];
    /// encoding.write(&einstein.start(), &mut numbers)?;
    /// assert_eq!((planes, board, encoding.moves()), (14, 5, 18));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the game has no such encoding.
    fn encoding(&self, name: Option<&str>) -> Result<Box<dyn Encoding>, NoEncoding>;

    /// A network to be asked about positions.
    ///
    /// # Errors
    /// When the network is not one of this game.
    fn policy(&self, model: &Model) -> Result<Box<dyn PolicyNetwork>, NetError>;

    /// This many games that are played at once, with set-ups and dice from `random`, seen through the
    /// encoding with this name or the default one.
    ///
    /// # Errors
    /// When the game has no such encoding.
    fn lanes(
        &self,
        lanes: usize,
        random: Random,
        encoding: Option<&str>,
    ) -> Result<Box<dyn Lanes>, NoEncoding>;

    /// Entrants that can meet each other in matches.
    ///
    /// ```
    /// use wurfel::Player;
    ///
    /// let players = [Player::Spec("greedy".parse()?), Player::Spec("random".parse()?)];
    /// let entrants = wurfel::game("dicechess")?.entrants(&players)?;
    /// let header = entrants.between([0, 1], Default::default()).header();
    /// assert_eq!(header.game, "dicechess");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a spec does not describe an agent of this game.
    fn entrants(&self, players: &[Player]) -> Result<Box<dyn Entrants>, SpecError>;

    /// Plays a round robin; see [`Tournament::run`].
    ///
    /// # Errors
    /// When an agent cannot be built, does not start or cannot choose a set-up, or the file cannot be
    /// written.
    fn tournament(
        &self,
        tournament: &Tournament<'_>,
        jobs: usize,
        out: Option<&Path>,
        progress: &mut dyn FnMut([usize; 2], MatchProgress<'_>),
    ) -> Result<PlayedPairings, MatchError>;

    /// The tournament that a file describes, which ends early when `stop` turns true.
    ///
    /// # Errors
    /// When an agent, a set-up or a tablebase that the file names cannot be used.
    fn cup(&self, definition: CupDefinition, stop: Option<Stop>) -> Result<Box<dyn Cup>, CupError>;

    /// The tables of the game in a folder, by default the standard one.
    ///
    /// # Errors
    /// When the system refuses, or a file with a table's name is not a table.
    fn tables(&self, folder: Option<&Path>, wanted: TablesWanted) -> Result<Tables, TableError>;

    /// No tables, for searches that go on to the end of the game.
    ///
    /// ```
    /// use wurfel::Budget;
    ///
    /// let einstein = wurfel::game("einstein")?;
    /// let position = einstein.read("5/5/5/3A1/f4 r - 1", false)?;
    /// // Any roll moves the only cube, one step before its goal.
    /// let value = einstein.no_tables().value(&position, 1, 1, Budget::default())?;
    /// assert_eq!(value, Some(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn no_tables(&self) -> Tables;

    /// Builds the tables of the game in a folder; see [`build()`].
    ///
    /// # Errors
    /// As for [`build()`].
    fn build_tables(
        &self,
        folder: &Path,
        settings: Build,
        progress: &mut dyn FnMut(BuildProgress) -> bool,
    ) -> Result<bool, TableError>;

    /// Measures evaluations; see [`SpeedSettings::measure`].
    ///
    /// # Errors
    /// When the game has no evaluation of one of these names.
    fn speed(
        &self,
        settings: SpeedSettings,
        evaluations: &[&str],
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<Speed>, UnknownName>;

    /// Passes the games of a file to `see` one at a time, and any error, until `see` breaks.
    fn each_game(
        &self,
        stream: GameStream<Box<dyn Read>>,
        see: &mut dyn FnMut(Result<Games, ResultsError>) -> ControlFlow<()>,
    );

    /// The names of the forms in which games are written.
    ///
    /// ```
    /// assert_eq!(wurfel::default_game().forms(), ["jsonl", "moves", "wtn"]);
    /// ```
    fn forms(&self) -> Vec<&'static str>;

    /// Writes games of a file with this header again; see [`RecordWriter::again`].
    fn writer_again(&self, header: &MatchHeader) -> RecordWriter;

    /// Reads a line that such a writer has written.
    ///
    /// # Errors
    /// When it is not such a line.
    fn read_line(&self, writer: &RecordWriter, line: &str) -> Result<Games, TextError>;

    /// Opens the files of a game in which people play; see [`GameFiles::open`].
    ///
    /// # Errors
    /// When a file already exists or cannot be written.
    fn open_game_files(
        &self,
        path: &Path,
        players: [String; 2],
        csv: bool,
    ) -> Result<GameFiles, OutputError>;

    /// Writes a game in which people played, if it is over; see [`GameFiles::write`].
    ///
    /// # Errors
    /// When the system refuses.
    ///
    /// # Panics
    /// When a position belongs to another game, or a move is not legal in it.
    fn write_game_files(
        &self,
        files: GameFiles,
        decisions: &[PlayedDecision],
        last: &Position,
    ) -> Result<(), OutputError>;

    /// A match at a real table in which nothing has happened yet.
    ///
    /// # Errors
    /// When the settings cannot be played.
    fn session(&self, settings: SessionSettings) -> Result<Box<dyn Session>, Refusal>;

    /// Opens a match at a real table that an earlier run has left; see
    /// [`wurfel_arena::SessionFile::resume`].
    ///
    /// # Errors
    /// When the file is damaged, another program is writing it, or the system refuses.
    fn resume_session(&self, path: &Path) -> Result<Option<ResumedSession>, SessionError>;
}

impl Game {
    /// The tables for a search to the end of the game, with small ones built where they are missing.
    /// Where the system refuses the default folder, the search goes on without any, and the error is the
    /// second part of the answer; a folder that is named must have them.
    ///
    /// # Errors
    /// As for [`Workbench::tables`].
    pub fn tables_for_search(
        self,
        folder: Option<&Path>,
    ) -> Result<(Tables, Option<TableError>), TableError> {
        match self.tables(folder, TablesWanted::WithSmall) {
            Err(error) if folder.is_none() && error.is_refusal() => {
                Ok((self.no_tables(), Some(error)))
            }
            found => Ok((found?, None)),
        }
    }

    /// The units of the game's tables.
    pub fn table_units(self) -> &'static dyn TableUnits {
        self.0
    }

    /// Learning in the game.
    pub fn learning(self) -> &'static dyn Learning {
        self.0
    }
}

/// The folder of tables that is used when none is named.
///
/// # Errors
/// When there is no home.
pub fn tables_folder(named: Option<&Path>) -> Result<PathBuf, TableError> {
    named.map_or_else(default_folder, |folder| Ok(folder.to_owned()))
}

fn typed<G: Catalogued>(rules: &G, decided: &PlayedDecision) -> Option<TimedDecision<G>> {
    let Situation { position, roll } = decided.position.known(rules)?;
    let roll = (*roll)?;
    let Decision { mv, value, exact, nodes, depth } = &decided.decision;
    let mv = position.find_move(roll, mv).ok()?;
    let decision = Decision { mv, value: *value, exact: *exact, nodes: *nodes, depth: *depth };
    Some(TimedDecision { position: position.clone(), roll, decision, time: decided.time })
}

impl<G: Catalogued> Workbench for Of<G> {
    fn evaluation(&self, name: &str) -> Result<Box<dyn Evaluation>, UnknownName> {
        evaluation(&self.0, name)
    }

    fn encodings(&self) -> Vec<Box<dyn Encoding>> {
        encoding::all(&self.0)
    }

    fn encoding(&self, name: Option<&str>) -> Result<Box<dyn Encoding>, NoEncoding> {
        named(&self.0, name)
    }

    fn policy(&self, model: &Model) -> Result<Box<dyn PolicyNetwork>, NetError> {
        policy(&self.0, model)
    }

    fn lanes(
        &self,
        lanes: usize,
        random: Random,
        encoding: Option<&str>,
    ) -> Result<Box<dyn Lanes>, NoEncoding> {
        lanes::lanes(&self.0, lanes, random, encoding)
    }

    fn entrants(&self, players: &[Player]) -> Result<Box<dyn Entrants>, SpecError> {
        entrants(&self.0, players)
    }

    fn tournament(
        &self,
        tournament: &Tournament<'_>,
        jobs: usize,
        out: Option<&Path>,
        progress: &mut dyn FnMut([usize; 2], MatchProgress<'_>),
    ) -> Result<PlayedPairings, MatchError> {
        tournament.run(&self.0, jobs, out, progress)
    }

    fn cup(&self, definition: CupDefinition, stop: Option<Stop>) -> Result<Box<dyn Cup>, CupError> {
        Ok(Box::new(wurfel_arena::Cup::new(&self.0, definition, stop)?))
    }

    fn tables(&self, folder: Option<&Path>, wanted: TablesWanted) -> Result<Tables, TableError> {
        Tables::open(&self.0, &tables_folder(folder)?, wanted)
    }

    fn no_tables(&self) -> Tables {
        Tables::none(&self.0)
    }

    fn build_tables(
        &self,
        folder: &Path,
        settings: Build,
        progress: &mut dyn FnMut(BuildProgress) -> bool,
    ) -> Result<bool, TableError> {
        build::<G>(G::NAME, folder, settings, progress)
    }

    fn speed(
        &self,
        settings: SpeedSettings,
        evaluations: &[&str],
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<Speed>, UnknownName> {
        settings.measure(&self.0, evaluations, progress)
    }

    fn each_game(
        &self,
        stream: GameStream<Box<dyn Read>>,
        see: &mut dyn FnMut(Result<Games, ResultsError>) -> ControlFlow<()>,
    ) {
        Games::each(&self.0, stream, see);
    }

    fn forms(&self) -> Vec<&'static str> {
        forms::<G>()
    }

    fn writer_again(&self, header: &MatchHeader) -> RecordWriter {
        RecordWriter::again(header)
    }

    fn read_line(&self, writer: &RecordWriter, line: &str) -> Result<Games, TextError> {
        Games::read_line(&self.0, writer, line)
    }

    fn open_game_files(
        &self,
        path: &Path,
        players: [String; 2],
        csv: bool,
    ) -> Result<GameFiles, OutputError> {
        GameFiles::open(path, self.0.name(), players, csv)
    }

    fn write_game_files(
        &self,
        files: GameFiles,
        decisions: &[PlayedDecision],
        last: &Position,
    ) -> Result<(), OutputError> {
        let decisions: Option<Vec<TimedDecision<G>>> =
            decisions.iter().map(|decided| typed(&self.0, decided)).collect();
        let last = last.known(&self.0).expect("the last position is one of the game");
        files.write(&decisions.expect("all decisions are those of the game"), &last.position)
    }

    fn session(&self, settings: SessionSettings) -> Result<Box<dyn Session>, Refusal> {
        session::begin(&self.0, settings)
    }

    fn resume_session(&self, path: &Path) -> Result<Option<ResumedSession>, SessionError> {
        session::resume(&self.0, path)
    }
}
