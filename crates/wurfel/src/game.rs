//! Games without a type parameter: a handle for each, and everything that begins with it.

use std::fmt;
use std::io::Read;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use wurfel_agents::{
    AgentInfo, Catalogued, Level, PuzzleBook, Spec, SpecError, UseGame, default_evaluation, games,
    with_game,
};
use wurfel_arena::{
    CupDefinition, CupError, GameStream, Journal, MatchError, MatchHeader, MatchProgress,
    OutputError, PlayedPairings, RecordWriter, Refusal, ResultsError, SessionError,
    SessionSettings, Source, Speed, SpeedSettings, TimedDecision, Tournament,
};
use wurfel_core::{BySide, Decision, NotationError, Random, Side, Situation, TextError, Weighted};
use wurfel_games::{Choice, UnknownName};
use wurfel_net::{Model, NetError};
use wurfel_tablebase::{Build, BuildProgress, TableError, build, default_folder};

use crate::agents::Agents;
use crate::cup::Cup;
use crate::encoding::{self, Encoding, NoEncoding, named};
use crate::entrants::{Entrants, entrants};
use crate::evaluation::{Evaluation, evaluation};
use crate::lanes::{self, Lanes};
use crate::learning::{Learning, Of};
use crate::luck::LuckMeter;
use crate::player::Player;
use crate::policy::{PolicyNetwork, policy};
use crate::position::Position;
use crate::records::{Games, Unread, find, forms};
use crate::session::{self, ResumedSession, Session};
use crate::table_units::TableUnits;
use crate::tables::{Tables, TablesWanted};

/// A game with its rules. Two handles are equal if they are handles of the game with the same name.
#[derive(Clone, Copy)]
pub struct Game(&'static dyn AnyGame);

/// What lists show of a game, and what it offers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Facts {
    /// The name in commands and records.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// What the letters in the game's diagrams mean; empty where they need no explanation.
    pub legend: &'static str,
    /// The names of the two sides.
    pub sides: BySide<&'static str>,
    /// The evaluations that agents can use, the default first.
    pub evaluations: &'static [Choice],
    /// Agents of measured strength for people to play against, weakest first.
    pub levels: &'static [Level],
    /// Rolled positions from all phases of the game.
    pub samples: &'static [&'static str],
    /// The specs that `bench` measures.
    pub benches: &'static [&'static str],
    /// The largest number of pieces with which a search to the end of the game takes only seconds; 0
    /// where there is none.
    pub max_solved: u32,
    /// The largest number of pieces of a table.
    pub max_pieces: u32,
    /// The number of a side's turns among which the time for a whole game is divided at its start.
    pub turns: u32,
    /// The file of the network with which agents play when none is named.
    pub network: Option<&'static [u8]>,
}

/// A decision in a game in which people played.
#[derive(Clone, Debug)]
pub struct PlayedDecision {
    /// The position with its roll, or with the dice that are left of it.
    pub position: Position,
    /// The move, with what the agent found out about it.
    pub decision: Decision<String>,
    /// How long it took.
    pub time: Duration,
}

/// A flag that ends work early.
type Stop = &'static AtomicBool;

/// What a game offers without its type; the methods of [`Game`] say what each does.
trait AnyGame: Learning + TableUnits {
    fn facts(&self) -> Facts;
    fn read(&self, text: &str, drop_castling: bool) -> Result<Position, NotationError>;
    fn read_at_rest(&self, text: &str) -> Result<Position, NotationError>;
    fn start(&self) -> Position;
    fn setup(&self, random: &mut Random) -> Position;
    fn setups(&self) -> Vec<String>;
    fn arranged(&self, setups: BySide<&str>) -> Option<Position>;
    fn draw(&self, source: Source, pieces: u32, random: &mut Random) -> Option<Position>;
    fn dice(&self) -> Vec<Weighted<String>>;
    fn puzzles(&self) -> Option<PuzzleBook>;
    fn has_long_turns(&self) -> bool;
    fn default_evaluation(&self, agent: &AgentInfo) -> Option<&'static str>;
    fn encodings(&self) -> Vec<Box<dyn Encoding>>;
    fn encoding(&self, name: Option<&str>) -> Result<Box<dyn Encoding>, NoEncoding>;
    fn policy(&self, model: &Model) -> Result<Box<dyn PolicyNetwork>, NetError>;
    fn lanes(
        &self,
        lanes: usize,
        random: Random,
        encoding: Option<&str>,
    ) -> Result<Box<dyn Lanes>, NoEncoding>;
    fn luck_meter(&self) -> Box<dyn LuckMeter>;
    fn evaluation(&self, name: &str) -> Result<Box<dyn Evaluation>, UnknownName>;
    fn agents(&self, player: &Player) -> Result<Agents, SpecError>;
    fn entrants(&self, players: &[Player]) -> Result<Box<dyn Entrants>, SpecError>;
    fn tournament(
        &self,
        tournament: &Tournament<'_>,
        jobs: usize,
        out: Option<&Path>,
        progress: &mut dyn FnMut([usize; 2], MatchProgress<'_>),
    ) -> Result<PlayedPairings, MatchError>;
    fn cup(&self, definition: CupDefinition, stop: Option<Stop>) -> Result<Box<dyn Cup>, CupError>;
    fn tables(&self, folder: Option<&Path>, wanted: TablesWanted) -> Result<Tables, TableError>;
    fn no_tables(&self) -> Tables;
    fn build_tables(
        &self,
        folder: &Path,
        settings: Build,
        progress: &mut dyn FnMut(BuildProgress) -> bool,
    ) -> Result<bool, TableError>;
    fn speed(
        &self,
        settings: SpeedSettings,
        evaluations: &[&str],
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<Speed>, UnknownName>;
    fn read_games(&self, text: &str) -> Result<Games, TextError>;
    fn find_games<'a>(
        &self,
        text: &'a str,
    ) -> Result<Box<dyn Iterator<Item = Unread<'a>> + 'a>, TextError>;
    fn each_game(
        &self,
        stream: GameStream<Box<dyn Read>>,
        see: &mut dyn FnMut(Result<Games, ResultsError>) -> ControlFlow<()>,
    );
    fn no_games(&self) -> Games;
    fn forms(&self) -> Vec<&'static str>;
    fn writer_again(&self, header: &MatchHeader) -> RecordWriter;
    fn read_line(&self, writer: &RecordWriter, line: &str) -> Result<Games, TextError>;
    fn open_journal(
        &self,
        path: &Path,
        players: [String; 2],
        csv: bool,
    ) -> Result<Journal, OutputError>;
    fn write_journal(
        &self,
        journal: Journal,
        decisions: &[PlayedDecision],
        last: &Position,
    ) -> Result<(), OutputError>;
    fn session(&self, settings: SessionSettings) -> Result<Box<dyn Session>, Refusal>;
    fn resume_session(&self, path: &Path) -> Result<Option<ResumedSession>, SessionError>;
}

struct Handle;

impl UseGame for Handle {
    type Output = Game;

    fn with<G: Catalogued>(self) -> Game {
        Game::of::<G>()
    }
}

/// The games that a program has added to the catalogue.
static ADDED: RwLock<Vec<Game>> = RwLock::new(vec![]);

fn added() -> Vec<Game> {
    ADDED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Adds games to those that [`game()`] and [`all_games`] know, and with them everything that is given
/// the name of a game. A program does so at its start.
///
/// # Panics
/// When a game has the name of another one.
pub fn add_games(own: impl IntoIterator<Item = Game>) {
    for game in own {
        assert!(self::game(game.name()).is_err(), "two games are called {}", game.name());
        ADDED.write().unwrap_or_else(PoisonError::into_inner).push(game);
    }
}

/// The game with this name.
///
/// # Errors
/// When there is none; the error names the nearest one.
pub fn game(name: &str) -> Result<Game, UnknownName> {
    if let Some(own) = added().into_iter().find(|game| game.name() == name) {
        return Ok(own);
    }
    with_game(name, Handle).map_err(|_| {
        let names: Vec<&str> = all_games().map(Game::name).collect();
        UnknownName::new("game", name, &names)
    })
}

/// The game where none is named: the first of the catalogue.
///
/// # Panics
/// When the catalogue is empty.
pub fn default_game() -> Game {
    all_games().next().expect("a catalogue has games")
}

/// All games, those of the catalogue first and the default before all others.
pub fn all_games() -> impl Iterator<Item = Game> {
    let catalogue = games().iter().filter_map(|known| with_game(known.name, Handle).ok());
    catalogue.chain(added())
}

impl Game {
    /// The handle of a game whose type is known.
    pub const fn of<G: Catalogued>() -> Self {
        Self(const { &Of::<G>(PhantomData) })
    }

    /// What lists show of the game.
    pub fn facts(self) -> Facts {
        self.0.facts()
    }

    /// The name in commands and records.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Reads a position, with its roll if the text has one. With `drop_castling`, rights to castle that
    /// the board rules out are dropped and not refused.
    ///
    /// # Errors
    /// When the text is not a position; the error names the wrong character and what was expected.
    pub fn read(self, text: &str, drop_castling: bool) -> Result<Position, NotationError> {
        self.0.read(text, drop_castling)
    }

    /// Reads a position before its roll.
    ///
    /// # Errors
    /// As for [`Game::read`], and when the text has a roll.
    pub fn read_at_rest(self, text: &str) -> Result<Position, NotationError> {
        self.0.read_at_rest(text)
    }

    /// The usual position before the first roll.
    pub fn start(self) -> Position {
        self.0.start()
    }

    /// A position before the first roll for which both set-ups are drawn, each equally likely.
    pub fn setup(self, random: &mut Random) -> Position {
        self.0.setup(random)
    }

    /// All ways in which a side may arrange its pieces, each once.
    pub fn setups(self) -> Vec<String> {
        self.0.setups()
    }

    /// The position before the first roll in which the sides have these set-ups; `None` when one of them
    /// is no set-up.
    pub fn arranged(self, setups: BySide<&str>) -> Option<Position> {
        self.0.arranged(setups)
    }

    /// A position before the end with this number of pieces; `None` when none was found in many
    /// attempts.
    pub fn draw(self, source: Source, pieces: u32, random: &mut Random) -> Option<Position> {
        self.0.draw(source, pieces, random)
    }

    /// How many turns the analyser of a review looks ahead when nothing bounds it: four, and one where a
    /// turn takes several moves, of which there are thousands for each roll.
    pub fn review_depth(self) -> u32 {
        if self.0.has_long_turns() { 1 } else { 4 }
    }

    /// What the physical dice can show, each face with the number of equally likely ways in which the
    /// dice can fall to show it.
    pub fn dice(self) -> Vec<Weighted<String>> {
        self.0.dice()
    }

    /// The puzzles that were made once; `None` where there are none.
    pub fn puzzles(self) -> Option<PuzzleBook> {
        self.0.puzzles()
    }

    /// The evaluation that an agent uses in this game when its spec names none; `None` for an agent that
    /// uses no evaluation.
    pub fn default_evaluation(self, agent: &AgentInfo) -> Option<&'static str> {
        self.0.default_evaluation(agent)
    }

    /// The encodings for networks, the default first.
    pub fn encodings(self) -> Vec<Box<dyn Encoding>> {
        self.0.encodings()
    }

    /// The encoding with this name, or the default one.
    ///
    /// # Errors
    /// When the game has no such encoding.
    pub fn encoding(self, name: Option<&str>) -> Result<Box<dyn Encoding>, NoEncoding> {
        self.0.encoding(name)
    }

    /// A network to be asked about positions.
    ///
    /// # Errors
    /// When the network is not one of this game.
    pub fn policy(self, model: &Model) -> Result<Box<dyn PolicyNetwork>, NetError> {
        self.0.policy(model)
    }

    /// So many games that are played at once, with set-ups and dice from `random`, seen by the encoding
    /// with this name or the default one.
    ///
    /// # Errors
    /// When the game has no such encoding.
    pub fn lanes(
        self,
        lanes: usize,
        random: Random,
        encoding: Option<&str>,
    ) -> Result<Box<dyn Lanes>, NoEncoding> {
        self.0.lanes(lanes, random, encoding)
    }

    /// A meter of luck with the game's best evaluation.
    pub fn luck_meter(self) -> Box<dyn LuckMeter> {
        self.0.luck_meter()
    }

    /// The evaluation with this name.
    ///
    /// # Errors
    /// When the game has none.
    pub fn evaluation(self, name: &str) -> Result<Box<dyn Evaluation>, UnknownName> {
        self.0.evaluation(name)
    }

    /// The agents of a player.
    ///
    /// # Errors
    /// When its spec does not describe an agent of this game.
    pub fn agents(self, player: &Player) -> Result<Agents, SpecError> {
        self.0.agents(player)
    }

    /// The agents of a spec.
    ///
    /// # Errors
    /// When the spec does not describe an agent of this game.
    pub fn agents_of(self, spec: &Spec) -> Result<Agents, SpecError> {
        self.agents(&spec.clone().into())
    }

    /// Entrants that can meet each other in matches.
    ///
    /// # Errors
    /// When a spec does not describe an agent of this game.
    pub fn entrants(self, players: &[Player]) -> Result<Box<dyn Entrants>, SpecError> {
        self.0.entrants(players)
    }

    /// Plays a round robin; see [`Tournament::run`].
    ///
    /// # Errors
    /// When an agent cannot be built, does not start or cannot choose a set-up, or the file cannot be
    /// written.
    pub fn tournament(
        self,
        tournament: &Tournament<'_>,
        jobs: usize,
        out: Option<&Path>,
        progress: &mut dyn FnMut([usize; 2], MatchProgress<'_>),
    ) -> Result<PlayedPairings, MatchError> {
        self.0.tournament(tournament, jobs, out, progress)
    }

    /// The tournament that a file describes, which ends early when `stop` turns true.
    ///
    /// # Errors
    /// When an agent, a set-up or a tablebase that the file names cannot be used.
    pub fn cup(
        self,
        definition: CupDefinition,
        stop: Option<Stop>,
    ) -> Result<Box<dyn Cup>, CupError> {
        self.0.cup(definition, stop)
    }

    /// The tables of the game in a folder, by default the usual one.
    ///
    /// # Errors
    /// When the system refuses, or a file with a table's name is none.
    pub fn tables(self, folder: Option<&Path>, wanted: TablesWanted) -> Result<Tables, TableError> {
        self.0.tables(folder, wanted)
    }

    /// The tables for a search to the end of the game, with small ones built where they are missing.
    /// Where the system refuses the usual folder, the search goes on without any, and the error is the
    /// second part of the answer; a folder that is named must have them.
    ///
    /// # Errors
    /// As for [`Game::tables`].
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

    /// No tables, for searches that go on to the end of the game.
    pub fn no_tables(self) -> Tables {
        self.0.no_tables()
    }

    /// Builds the tables of the game in a folder; see [`build()`].
    ///
    /// # Errors
    /// As for [`build()`].
    pub fn build_tables(
        self,
        folder: &Path,
        settings: Build,
        progress: &mut dyn FnMut(BuildProgress) -> bool,
    ) -> Result<bool, TableError> {
        self.0.build_tables(folder, settings, progress)
    }

    /// The units of the game's tables.
    pub fn table_units(self) -> &'static dyn TableUnits {
        self.0
    }

    /// Learning in the game.
    pub fn learning(self) -> &'static dyn Learning {
        self.0
    }

    /// Measures evaluations; see [`SpeedSettings::measure`].
    ///
    /// # Errors
    /// When the game has no evaluation of one of these names.
    pub fn speed(
        self,
        settings: SpeedSettings,
        evaluations: &[&str],
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<Speed>, UnknownName> {
        self.0.speed(settings, evaluations, progress)
    }

    /// Reads the games of a text, in any form in which games are written.
    ///
    /// # Errors
    /// When the text holds something else, with the place of what is wrong.
    pub fn read_games(self, text: &str) -> Result<Games, TextError> {
        self.0.read_games(text)
    }

    /// The games of a text, which are parsed one by one.
    ///
    /// # Errors
    /// When the text does not begin as one with games of this rule set does.
    pub fn find_games<'a>(
        self,
        text: &'a str,
    ) -> Result<Box<dyn Iterator<Item = Unread<'a>> + 'a>, TextError> {
        self.0.find_games(text)
    }

    /// Passes each game of a file to `see`, alone, or what is wrong with the file, until `see` wants no
    /// more.
    pub fn each_game(
        self,
        stream: GameStream<Box<dyn Read>>,
        see: &mut dyn FnMut(Result<Games, ResultsError>) -> ControlFlow<()>,
    ) {
        self.0.each_game(stream, see);
    }

    /// No games, to which others are added.
    pub fn no_games(self) -> Games {
        self.0.no_games()
    }

    /// The names of the forms in which games are written.
    pub fn forms(self) -> Vec<&'static str> {
        self.0.forms()
    }

    /// Writes games of a file with this header again; see [`RecordWriter::again`].
    pub fn writer_again(self, header: &MatchHeader) -> RecordWriter {
        self.0.writer_again(header)
    }

    /// Reads a line that such a writer has written.
    ///
    /// # Errors
    /// When it is no such line.
    pub fn read_line(self, writer: &RecordWriter, line: &str) -> Result<Games, TextError> {
        self.0.read_line(writer, line)
    }

    /// Opens the files of a game in which people play; see [`Journal::open`].
    ///
    /// # Errors
    /// When a file already exists or cannot be written.
    pub fn open_journal(
        self,
        path: &Path,
        players: [String; 2],
        csv: bool,
    ) -> Result<Journal, OutputError> {
        self.0.open_journal(path, players, csv)
    }

    /// Writes a game in which people played, if it is over; see [`Journal::write`].
    ///
    /// # Errors
    /// When the system refuses.
    ///
    /// # Panics
    /// When a position is one of another game, or a move is not legal in it.
    pub fn write_journal(
        self,
        journal: Journal,
        decisions: &[PlayedDecision],
        last: &Position,
    ) -> Result<(), OutputError> {
        self.0.write_journal(journal, decisions, last)
    }

    /// A match at a real table in which nothing has happened yet.
    ///
    /// # Errors
    /// When the settings cannot be played.
    pub fn session(self, settings: SessionSettings) -> Result<Box<dyn Session>, Refusal> {
        self.0.session(settings)
    }

    /// Opens a match at a real table that an earlier run has left; see
    /// [`wurfel_arena::SessionFile::resume`].
    ///
    /// # Errors
    /// When the file is damaged, another program is writing it, or the system refuses.
    pub fn resume_session(self, path: &Path) -> Result<Option<ResumedSession>, SessionError> {
        self.0.resume_session(path)
    }
}

/// The folder of tables that is used when none is named.
///
/// # Errors
/// When there is no home.
pub fn tables_folder(named: Option<&Path>) -> Result<PathBuf, TableError> {
    named.map_or_else(default_folder, |folder| Ok(folder.to_owned()))
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({})", self.name())
    }
}

/// A decision with its type.
fn typed<G: Catalogued>(decided: &PlayedDecision) -> Option<TimedDecision<G>> {
    let Situation { position, roll } = decided.position.known::<G>()?;
    let roll = (*roll)?;
    let Decision { mv, value, exact, nodes, depth } = &decided.decision;
    let mv = position.find_move(roll, mv).ok()?;
    let decision = Decision { mv, value: *value, exact: *exact, nodes: *nodes, depth: *depth };
    Some(TimedDecision { position: position.clone(), roll, decision, time: decided.time })
}

impl<G: Catalogued> AnyGame for Of<G> {
    fn facts(&self) -> Facts {
        Facts {
            name: G::NAME,
            title: G::TITLE,
            about: G::ABOUT,
            legend: G::LEGEND,
            sides: G::SIDES,
            evaluations: G::EVALUATIONS,
            levels: G::LEVELS,
            samples: G::SAMPLES,
            benches: G::BENCHES,
            max_solved: G::MAX_SOLVED,
            max_pieces: G::MAX_PIECES,
            turns: G::TURNS,
            network: G::NETWORK,
        }
    }

    fn read(&self, text: &str, drop_castling: bool) -> Result<Position, NotationError> {
        G::read_position(text.trim(), drop_castling).map(Position::new)
    }

    fn read_at_rest(&self, text: &str) -> Result<Position, NotationError> {
        let position: G = text.trim().parse()?;
        Ok(Position::new(Situation { position, roll: None }))
    }

    fn start(&self) -> Position {
        Position::new(Situation { position: G::default(), roll: None })
    }

    fn setup(&self, random: &mut Random) -> Position {
        Position::new(Situation { position: G::setup(random), roll: None })
    }

    fn setups(&self) -> Vec<String> {
        G::setups().iter().map(ToString::to_string).collect()
    }

    fn arranged(&self, setups: BySide<&str>) -> Option<Position> {
        let [one, other] = Side::BOTH.map(|side| G::setup_of(setups[side]));
        let position = G::start(BySide::new(one?, other?));
        Some(Position::new(Situation { position, roll: None }))
    }

    fn draw(&self, source: Source, pieces: u32, random: &mut Random) -> Option<Position> {
        let position = source.draw::<G>(pieces, random)?;
        Some(Position::new(Situation { position, roll: None }))
    }

    fn dice(&self) -> Vec<Weighted<String>> {
        let text =
            |of: &Weighted<G::Roll>| Weighted { item: of.item.to_string(), weight: of.weight };
        G::DICE.iter().map(text).collect()
    }

    fn puzzles(&self) -> Option<PuzzleBook> {
        G::PUZZLES
    }

    fn has_long_turns(&self) -> bool {
        G::SEVERAL_MOVES
    }

    fn default_evaluation(&self, agent: &AgentInfo) -> Option<&'static str> {
        default_evaluation::<G>(agent)
    }

    fn encodings(&self) -> Vec<Box<dyn Encoding>> {
        encoding::all::<G>()
    }

    fn encoding(&self, name: Option<&str>) -> Result<Box<dyn Encoding>, NoEncoding> {
        named::<G>(name)
    }

    fn policy(&self, model: &Model) -> Result<Box<dyn PolicyNetwork>, NetError> {
        policy::<G>(model)
    }

    fn lanes(
        &self,
        lanes: usize,
        random: Random,
        encoding: Option<&str>,
    ) -> Result<Box<dyn Lanes>, NoEncoding> {
        lanes::lanes::<G>(lanes, random, encoding)
    }

    fn luck_meter(&self) -> Box<dyn LuckMeter> {
        Box::new(wurfel_arena::LuckMeter::<G>::usual())
    }

    fn evaluation(&self, name: &str) -> Result<Box<dyn Evaluation>, UnknownName> {
        evaluation::<G>(name)
    }

    fn agents(&self, player: &Player) -> Result<Agents, SpecError> {
        player.factory::<G>().map(Agents::new)
    }

    fn entrants(&self, players: &[Player]) -> Result<Box<dyn Entrants>, SpecError> {
        entrants::<G>(players)
    }

    fn tournament(
        &self,
        tournament: &Tournament<'_>,
        jobs: usize,
        out: Option<&Path>,
        progress: &mut dyn FnMut([usize; 2], MatchProgress<'_>),
    ) -> Result<PlayedPairings, MatchError> {
        tournament.run::<G>(jobs, out, progress)
    }

    fn cup(&self, definition: CupDefinition, stop: Option<Stop>) -> Result<Box<dyn Cup>, CupError> {
        Ok(Box::new(wurfel_arena::Cup::<G>::new(definition, stop)?))
    }

    fn tables(&self, folder: Option<&Path>, wanted: TablesWanted) -> Result<Tables, TableError> {
        Tables::open::<G>(&tables_folder(folder)?, wanted)
    }

    fn no_tables(&self) -> Tables {
        Tables::none::<G>()
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
        settings.measure::<G>(evaluations, progress)
    }

    fn read_games(&self, text: &str) -> Result<Games, TextError> {
        Games::read::<G>(text)
    }

    fn find_games<'a>(
        &self,
        text: &'a str,
    ) -> Result<Box<dyn Iterator<Item = Unread<'a>> + 'a>, TextError> {
        find::<G>(text)
    }

    fn each_game(
        &self,
        stream: GameStream<Box<dyn Read>>,
        see: &mut dyn FnMut(Result<Games, ResultsError>) -> ControlFlow<()>,
    ) {
        Games::each::<G>(stream, see);
    }

    fn no_games(&self) -> Games {
        Games::new::<G>(vec![])
    }

    fn forms(&self) -> Vec<&'static str> {
        forms::<G>()
    }

    fn writer_again(&self, header: &MatchHeader) -> RecordWriter {
        RecordWriter::again::<G>(header)
    }

    fn read_line(&self, writer: &RecordWriter, line: &str) -> Result<Games, TextError> {
        Games::read_line::<G>(writer, line)
    }

    fn open_journal(
        &self,
        path: &Path,
        players: [String; 2],
        csv: bool,
    ) -> Result<Journal, OutputError> {
        Journal::open::<G>(path, players, csv)
    }

    fn write_journal(
        &self,
        journal: Journal,
        decisions: &[PlayedDecision],
        last: &Position,
    ) -> Result<(), OutputError> {
        let decisions: Option<Vec<TimedDecision<G>>> = decisions.iter().map(typed).collect();
        let last = last.known::<G>().expect("the last position is one of the game");
        journal.write(&decisions.expect("all decisions are those of the game"), &last.position)
    }

    fn session(&self, settings: SessionSettings) -> Result<Box<dyn Session>, Refusal> {
        session::begin::<G>(settings)
    }

    fn resume_session(&self, path: &Path) -> Result<Option<ResumedSession>, SessionError> {
        session::resume::<G>(path)
    }
}
