//! The driver's end of UGI with rolls.

use std::time::Duration;

use wurfel_core::{Clocks, Instant, Random, Side, UnknownName, excerpt};
use wurfel_protocol::ugi::{
    Command, Go, GoClock, Info, NO_MOVE, OptionKind, OptionLine, PositionCommand, PositionWord,
    Reply, Start,
};

use crate::ahead::Ahead;
use crate::conversation::{Answer, Conversation, LOOK, Limits, Line, Task};
use crate::course;
use crate::error::EngineError;
use crate::process::EngineProcess;
use crate::settings::EngineSettings;

/// How long an engine that was told to stop may take to answer.
const LAST_WORD: Duration = Duration::from_secs(1);
/// How many moves an engine is asked to report: more than any turn has.
const ALL_MOVES: u32 = 1000;
/// Maximum number of options that are stored for an engine.
const MAX_OPTIONS: usize = 1000;
/// The option of engines that want to be told the moves of a game.
const HISTORY: &str = "History";
/// The largest seed that is sent; it fits into the integers of every engine.
const MAX_SEED: u64 = i32::MAX as u64;

/// Starts an engine and asks for its options. Returns the one of [`EngineSettings::options`] that it does
/// not offer; `None` also where it does not answer: it then loses its games, with the reason.
pub fn unknown_option(settings: &EngineSettings) -> Option<UnknownName> {
    let mut engine = EngineProcess::start_within(&settings.command, settings.memory).ok()?;
    engine.watch();
    let deadline = Instant::now() + settings.start;
    Ugi::new("", settings.options.clone(), None).introduce(&mut engine, deadline).ok()?
}

pub(crate) struct Ugi {
    /// The game, for engines that play several.
    game: &'static str,
    /// Values for the engine's options.
    values: Vec<(String, String)>,
    /// The options that the engine has announced, but for those of kinds that are not known here.
    options: Vec<OptionLine>,
    /// The names of all options that the engine has announced.
    names: Vec<String>,
    /// Whether the engine is told the moves that led to a position; `None` leaves that to the engine.
    history: Option<bool>,
    /// How many moves the engine reports.
    lines: u32,
    /// The position that the engine thinks about on the opponent's time.
    ahead: Option<Ahead>,
    /// Its name, usually with its version.
    identity: Option<String>,
    last_error: Option<String>,
}

impl Ugi {
    pub fn new(game: &'static str, values: Vec<(String, String)>, history: Option<bool>) -> Self {
        Self {
            game,
            values,
            history,
            options: vec![],
            names: vec![],
            lines: 1,
            ahead: None,
            identity: None,
            last_error: None,
        }
    }

    /// The next line that the protocol knows. Other lines of the engine are skipped.
    fn reply(
        &mut self,
        engine: &mut EngineProcess,
        deadline: Instant,
    ) -> Result<Reply, EngineError> {
        loop {
            if let Some(reply) = self.read(&engine.line(deadline)?) {
                return Ok(reply);
            }
        }
    }

    /// The next line that the protocol knows, from an engine that is being watched: time for which
    /// it has no CPU is added to the deadline.
    fn awaited(
        &mut self,
        engine: &mut EngineProcess,
        deadline: Instant,
    ) -> Result<Reply, EngineError> {
        loop {
            if let Some(reply) = self.read(&engine.answer(deadline)?) {
                return Ok(reply);
            }
        }
    }

    /// The meaning of a line in the protocol, if it is a reply. An unreadable line that is meant as
    /// `bestmove …` stands for its move, which is then illegal.
    fn read(&mut self, line: &str) -> Option<Reply> {
        match line.parse() {
            Ok(Reply::Error(error)) => self.last_error = Some(error),
            Ok(reply) => return Some(reply),
            Err(_) if Reply::means_best_move(line) => {
                return Some(Reply::BestMove(Some(line.to_owned())));
            }
            Err(_) => {}
        }
        None
    }

    /// Introduces the two to each other. Returns an option that is to be set and that the engine does
    /// not offer.
    pub fn introduce(
        &mut self,
        engine: &mut EngineProcess,
        deadline: Instant,
    ) -> Result<Option<UnknownName>, EngineError> {
        engine.send(&Command::Ugi.to_string(), deadline)?;
        let mut strange = None;
        loop {
            let answer = engine.answer(deadline);
            let line = answer.map_err(|error| self.not_ugi(error, strange.as_deref()))?;
            if self.names.len() < MAX_OPTIONS {
                self.names.extend(option_name(&line));
            }
            match self.read(&line) {
                Some(Reply::Option(option)) if self.options.len() < MAX_OPTIONS => {
                    self.options.push(option);
                }
                Some(Reply::Name(name)) => self.identity = Some(excerpt(&name)),
                Some(Reply::UgiOk) => break,
                None if line.parse::<Reply>().is_err() && option_name(&line).is_none() => {
                    strange.get_or_insert(line);
                }
                _ => {}
            }
        }
        let unknown = self.values.iter().find(|(name, _)| !self.offers(name));
        Ok(unknown.map(|(name, _)| {
            let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
            UnknownName::new("option", name, &names)
        }))
    }

    /// Why the engine did not introduce itself, if it answered something `strange` instead.
    fn not_ugi(&self, error: EngineError, strange: Option<&str>) -> EngineError {
        let Some(line) = strange else { return error };
        let knows_course = course::GAMES.contains(&self.game);
        let hint = if knows_course { ": did you mean protocol=course?" } else { "" };
        let message = format!("it answered '{}', which is not UGI{hint}", excerpt(line));
        match error {
            EngineError::Timeout => EngineError::Protocol(message),
            error => EngineError::Failed(format!("{error}; {message}")),
        }
    }

    /// Waits until the engine has carried out its commands.
    fn ready(&mut self, engine: &mut EngineProcess, deadline: Instant) -> Result<(), EngineError> {
        engine.send(&Command::IsReady.to_string(), deadline)?;
        while self.awaited(engine, deadline)? != Reply::ReadyOk {}
        Ok(())
    }

    /// Whether the engine has an option of this name, whatever its kind.
    fn offers(&self, name: &str) -> bool {
        self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    fn has(&self, name: &str) -> Option<&OptionLine> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The largest number of lines that the engine can report.
    fn most_lines(&self) -> Option<u32> {
        match self.has("MultiPV")?.kind {
            OptionKind::Spin { max, .. } => Some(u32::try_from(max).ok()?.min(ALL_MOVES)),
            _ => None,
        }
    }
}

/// The name of an option in the line that announces it, whatever its kind.
fn option_name(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["option", "name", rest @ ..] = words.as_slice() else { return None };
    let name: Vec<&str> = rest.iter().copied().take_while(|&word| word != "type").collect();
    (!name.is_empty()).then(|| name.join(" "))
}

fn at(position: &str) -> Command {
    Command::Position(PositionCommand { start: Start::Text(position.to_owned()), steps: vec![] })
}

/// The lines that ask for a move, with the moves before it if they are sent.
fn request(task: &Task<'_>, history_text: Option<&str>) -> String {
    let position = history_text
        .map_or_else(|| at(task.situation).to_string(), |moves| format!("position {moves}"));
    format!("{position}\n{}", Command::Go(go(task.limits)))
}

fn set(name: &str, value: &dyn ToString) -> String {
    Command::SetOption { name: name.to_owned(), value: Some(value.to_string()) }.to_string()
}

fn go(limits: Limits) -> Go {
    let Limits { depth, nodes, time, clocks } = limits;
    let clock = clocks.map(|Clocks { left, increment, .. }| GoClock {
        left: Side::BOTH.map(|side| left[side]),
        increment: Side::BOTH.map(|side| increment[side]),
    });
    Go { clock, movetime: time, depth, nodes, ..Go::default() }
}

impl Conversation for Ugi {
    fn open(&mut self, engine: &mut EngineProcess, deadline: Instant) -> Result<(), EngineError> {
        if let Some(error) = self.introduce(engine, deadline)? {
            return Err(EngineError::Failed(error.to_string()));
        }
        if self.has("Game").is_some() {
            engine.send(&set("Game", &self.game), deadline)?;
        }
        if self.offers(HISTORY) && self.history != Some(false) {
            self.history = Some(true);
            engine.send(&set(HISTORY, &true), deadline)?;
        }
        for (name, value) in &self.values {
            engine.send(&set(name, value), deadline)?;
        }
        self.ready(engine, deadline)
    }

    fn begin(
        &mut self,
        engine: &mut EngineProcess,
        random: &mut Random,
        deadline: Instant,
    ) -> Result<(), EngineError> {
        self.last_error = None;
        self.rest(engine, deadline)?;
        if self.has("Seed").is_some() {
            engine.send(&set("Seed", &(random.bits() % MAX_SEED)), deadline)?;
        }
        engine.send(&Command::NewGame.to_string(), deadline)?;
        self.ready(engine, deadline)
    }

    fn decide(
        &mut self,
        engine: &mut EngineProcess,
        task: Task<'_>,
        all: bool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Answer, EngineError> {
        let lines = if all { self.most_lines().unwrap_or(1) } else { 1 };
        let mut text = String::new();
        if lines != self.lines {
            text = format!("{}\n", set("MultiPV", &lines));
            self.lines = lines;
        }
        let (mut deadline, mut history_text) = (task.deadline, None);
        let [position, roll] = task.at_rest;
        let is_hit = matches!(&self.ahead, Some(Ahead::Own(own)) if own == position);
        if text.is_empty() && is_hit {
            self.ahead = None;
            engine.send(&Command::PonderHit(roll.to_owned()).to_string(), deadline)?;
        } else {
            self.rest(engine, deadline)?;
            history_text = task.history.filter(|_| self.history == Some(true));
            self.last_error = None;
            engine.send(&(text + &request(&task, history_text)), deadline)?;
        }
        let mut infos: Vec<Info> = vec![];
        let (mut stopping, mut latest) = (false, deadline);
        loop {
            let next = latest.min(Instant::now() + LOOK);
            match self.reply(engine, next) {
                Ok(Reply::Info(info)) => keep(&mut infos, info),
                // It has refused the moves and has thought about another position.
                Ok(Reply::BestMove(_)) if history_text.is_some() && self.last_error.is_some() => {
                    (self.history, history_text) = (Some(false), None);
                    infos.clear();
                    engine.send(&request(&task, history_text), deadline)?;
                }
                Ok(Reply::BestMove(mv)) => return Ok(answer_from(mv, &infos)),
                Ok(_) => {}
                Err(EngineError::Timeout) => {
                    if Instant::now() >= latest {
                        latest = engine.extended(deadline).ok_or(EngineError::Timeout)?;
                    }
                    if !stopping && stopped() {
                        stopping = true;
                        deadline = deadline.min(Instant::now() + LAST_WORD);
                        latest = deadline;
                        engine.send(&Command::Stop.to_string(), deadline)?;
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn ponder(
        &mut self,
        engine: &mut EngineProcess,
        ahead: Ahead,
        limits: Limits,
        deadline: Instant,
    ) -> Result<(), EngineError> {
        let (position, go) = match &ahead {
            Ahead::Own(position) => (position, Go { ponder: true, ..go(limits) }),
            Ahead::Opponent(position) => (position, Go { infinite: true, ..Go::default() }),
        };
        let text = format!("{}\n{}", at(position), Command::Go(go));
        self.ahead = Some(ahead);
        engine.send(&text, deadline)
    }

    fn rest(&mut self, engine: &mut EngineProcess, deadline: Instant) -> Result<(), EngineError> {
        if self.ahead.take().is_some() {
            engine.send(&Command::Stop.to_string(), deadline)?;
            while !matches!(self.awaited(engine, deadline)?, Reply::BestMove(_)) {}
        }
        Ok(())
    }

    fn identity(&self) -> Option<&str> {
        self.identity.as_deref()
    }

    fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }
}

/// Keeps the latest information about each line of the engine.
fn keep(infos: &mut Vec<Info>, info: Info) {
    let rank = |info: &Info| info.multipv.unwrap_or(1);
    if info.pv.is_empty() {
        return;
    }
    match infos.iter().position(|known| rank(known) == rank(&info)) {
        Some(place) => infos[place] = info,
        None if infos.len() < ALL_MOVES as usize => infos.push(info),
        None => {}
    }
}

/// The engine's answer, from its move and the latest information about its lines.
fn answer_from(mv: Option<String>, infos: &[Info]) -> Answer {
    let line = |info: &Info| Line {
        mv: info.pv.iter().find_map(played).unwrap_or_default(),
        value: info.value.or_else(|| info.cp.map(Info::value_of)),
        exact: info.exact,
    };
    let lines: Vec<Line> = infos.iter().map(line).collect();
    let mv = mv.unwrap_or_else(|| NO_MOVE.to_owned());
    let begins = |info: &&Info| info.pv.first().and_then(played).as_ref() == Some(&mv);
    let expected = infos.iter().find(begins).map_or(vec![], |info| info.pv[1..].to_vec());
    let known = lines.iter().find(|line| line.mv == mv).cloned();
    Answer {
        expected,
        best: known.unwrap_or(Line { mv, ..Line::default() }),
        nodes: infos.iter().filter_map(|info| info.nodes).max().unwrap_or(0),
        depth: infos.iter().filter_map(|info| info.depth).max().unwrap_or(0),
        lines,
    }
}

fn played(step: &PositionWord) -> Option<String> {
    match step {
        PositionWord::Move(mv) => Some(mv.clone()),
        PositionWord::Roll(_) => None,
    }
}
