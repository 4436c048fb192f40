//! The agent that asks another program.

use std::sync::Arc;
use std::time::Duration;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, BySide, Clocks, Decision, Failure, Fault, Game, Instant,
    Random, Statistic, Turn, excerpt,
};

use crate::ahead::{ahead, at_rest};

use crate::conversation::{Answer, Conversation, Limits, Line, Task};
use crate::course::Course;
use crate::error::EngineError;
use crate::history::History;
use crate::process::EngineProcess;
use crate::settings::{Dialect, EngineSettings};
use crate::ugi::Ugi;

/// The time for a move when neither the spec nor the match sets a limit.
const DEFAULT_TIME: Duration = Duration::from_millis(100);

/// A running engine with its conversation.
struct Running {
    engine: EngineProcess,
    conversation: Box<dyn Conversation>,
}

/// Another program as an agent. It is started when it is first needed, and again after a failure.
/// [`Agent::failure`] reports what it did wrong.
pub struct EngineAgent<G: Game> {
    settings: Arc<EngineSettings>,
    game: &'static str,
    running: Option<Running>,
    /// Whether the program still has to be told that a game has begun.
    is_new: bool,
    /// The moves of the game.
    history: History<G>,
    random: Random,
    /// How much time is left on its own clock, if it has one.
    left: Option<Duration>,
    failure: Option<Failure>,
    /// A failure since its last decision, which the next decision reports.
    pending: Option<Failure>,
    /// How late the last answer was.
    late: Option<Duration>,
    /// How long the last answer was delayed because the machine was busy.
    waited: Duration,
}

impl<G: Game> EngineAgent<G> {
    /// An agent for the game with this name. The program is not started yet.
    pub fn new(settings: Arc<EngineSettings>, game: &'static str) -> Self {
        Self {
            left: settings.own_clock().map(|(total, _)| total),
            settings,
            game,
            running: None,
            is_new: true,
            history: History::new(),
            random: Random::new(0),
            failure: None,
            pending: None,
            late: None,
            waited: Duration::ZERO,
        }
    }

    /// The name that the engine reports, once it has started.
    pub fn identity(&self) -> Option<String> {
        self.running.as_ref()?.conversation.identity().map(str::to_owned)
    }

    /// Its own clock, with what each move adds to it, unless that of the match counts.
    fn clock(&self, budget: Budget<'_>) -> Option<(Duration, Duration)> {
        let fallback = self.settings.default_clock().filter(|_| budget.clocks.is_none());
        self.settings.clock.or(fallback)
    }

    /// What the engine may spend on the next decision. A clock of its own takes precedence over
    /// that of the match.
    fn limits(&self, budget: Budget<'_>) -> Limits {
        // The course protocol has no bounds on a move.
        let mut bounds = match self.settings.dialect {
            Dialect::Ugi => self.settings.budget.or(budget),
            Dialect::Course => Budget::default(),
        };
        // The other side's clock is not known here, so the engine is told the same time for both.
        let own = self.left.zip(self.clock(budget)).map(|(left, (_, gain))| Clocks {
            left: BySide::new(left, left),
            increment: BySide::new(gain, gain),
            decision: None,
        });
        let has_time = self.settings.budget.time.is_some();
        let clocks = own.or(budget.clocks.copied().filter(|_| !has_time));
        if let Some(clocks) = clocks
            && !has_time
            && budget.deadline.is_some()
            && self.settings.dialect == Dialect::Ugi
        {
            // The share of the match's clock is advice for agents that keep no clock themselves.
            bounds.time = clocks.decision;
        }
        let open = bounds.is_open() && clocks.is_none();
        let time = if open { Some(DEFAULT_TIME) } else { bounds.time };
        Limits { depth: bounds.depth, nodes: bounds.nodes, time, clocks }
    }

    /// The engine, started if necessary and told of the current game. For each of the two it has the
    /// time of [`EngineSettings::start`], not counting waits for a CPU.
    fn ready(&mut self) -> Result<&mut Running, Failure> {
        let start = self.settings.start;
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        if self.is_new {
            let Running { engine, conversation } = &mut running;
            engine.watch();
            let begun = conversation.begin(engine, &mut self.random, Instant::now() + start);
            begun.map_err(|error| not_ready(&error, start))?;
            self.is_new = false;
        }
        Ok(self.running.insert(running))
    }

    fn start(&mut self) -> Result<Running, Failure> {
        let settings = &self.settings;
        let program = EngineProcess::start_within(&settings.command, settings.memory);
        let started = program.and_then(|mut engine| {
            let mut conversation: Box<dyn Conversation> = match settings.dialect {
                Dialect::Ugi => {
                    Box::new(Ugi::new(self.game, settings.options.clone(), settings.history))
                }
                Dialect::Course => Box::new(Course::default()),
            };
            engine.watch();
            conversation.open(&mut engine, Instant::now() + settings.start)?;
            Ok(Running { engine, conversation })
        });
        self.is_new = true;
        started.map_err(|error| not_ready(&error, self.settings.start))
    }

    /// Asks the engine for a move that is legal and in time, and with `all` for the values of all
    /// moves.
    fn ask(&mut self, turn: Turn<'_, G>, budget: Budget<'_>, all: bool) -> Result<Answer, Failure> {
        (self.late, self.waited) = (None, Duration::ZERO);
        if let Some(failure) = self.pending.take() {
            return Err(failure);
        }
        let (limits, clock) = (self.limits(budget), self.clock(budget));
        let EngineSettings { margin, patience, .. } = *self.settings;
        // A share of the match's clock is only advice, unless the program has bounds of its own.
        let has_own = clock.is_some() || self.settings.budget.time.is_some();
        let latest = budget.deadline.filter(|_| !has_own);
        let history = self.history.leading_to(turn);
        let Running { engine, conversation } = self.ready()?;
        let allowed = limits.allowed(turn.side());
        let longest = allowed.map_or(patience, |time| time.max(latest.unwrap_or(time))) + margin;
        let situation = turn.situation().to_string();
        let [position, roll] = [at_rest(turn.position), turn.roll.to_string()];
        let began = Instant::now();
        let task = Task {
            situation: &situation,
            at_rest: [&position, &roll],
            history: history.as_deref(),
            side: turn.side(),
            limits,
            deadline: began + longest,
        };
        engine.watch();
        let outcome = conversation.decide(engine, task, all, &|| budget.stopped());
        let time = engine.taken();
        let waited = began.elapsed().saturating_sub(time);
        let too_late = |time| {
            let allowed = allowed.unwrap_or(patience);
            Failure::new(
                Fault::Time,
                format!("it took {time} for {situation}, the limit was {allowed:.3?}"),
            )
        };
        let outcome = outcome.map_err(|error| match error {
            EngineError::Timeout => too_late(format!("more than {longest:.3?}")),
            error => Failure::new(Fault::Crash, format!("{error} ({situation})")),
        })?;
        if !turn.moves().as_ref().iter().any(|mv| mv.to_string() == outcome.best.mv) {
            let message = conversation.last_error().map(|error| format!("; it said: {error}"));
            let mv = excerpt(&outcome.best.mv);
            let reason =
                format!("'{mv}' is not legal in {situation}{}", message.unwrap_or_default());
            return Err(Failure::new(Fault::IllegalMove, reason));
        }
        if time > longest {
            return Err(too_late(format!("{time:.3?}")));
        }
        self.waited = waited;
        self.late = allowed.map(|allowed| time.saturating_sub(allowed));
        if let (Some(left), Some((_, gain))) = (&mut self.left, clock) {
            *left = left.saturating_sub(time) + gain;
        }
        if self.settings.ponders && !all {
            self.ponder(turn, &outcome, limits.after(turn.side(), time));
        }
        Ok(outcome)
    }

    /// Lets the engine think on its opponent's time. A failure while it does so is reported at its
    /// next turn.
    fn ponder(&mut self, turn: Turn<'_, G>, outcome: &Answer, limits: Limits) {
        let deadline = Instant::now() + self.settings.margin;
        let ahead = ahead(turn, &outcome.best.mv, &outcome.expected);
        if let (Some(ahead), Some(Running { engine, conversation })) = (ahead, &mut self.running) {
            let result = conversation.ponder(engine, ahead, limits, deadline);
            let failure = |error: EngineError| Failure::new(Fault::Crash, error.to_string());
            self.pending = result.err().map(failure);
        }
    }

    /// The engine's answer. If the engine fails, the answer is some legal move, and the engine is
    /// stopped.
    fn answer(&mut self, turn: Turn<'_, G>, budget: Budget<'_>, all: bool) -> Answer {
        self.ask(turn, budget, all).unwrap_or_else(|failure| {
            self.failure = Some(failure);
            self.running = None;
            let mv = turn.moves().as_ref()[0].to_string();
            Answer { best: Line { mv, ..Line::default() }, ..Answer::default() }
        })
    }
}

impl<G: Game> Agent<G> for EngineAgent<G> {
    fn begin(&mut self, random: Random) {
        self.random = random;
        self.is_new = true;
        self.history = History::new();
        self.left = self.settings.own_clock().map(|(total, _)| total);
        // The program is started before its clock runs. A failure to start is reported when it has
        // to decide.
        self.failure = None;
        self.pending = self.ready().err();
        if self.pending.is_some() {
            self.running = None;
        }
    }

    /// The agent watches the time itself, because only it knows the margin.
    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        Budget { time: None, ..self.settings.budget.or(budget) }
    }

    fn observe(&mut self, turn: Turn<'_, G>, mv: G::Move) {
        self.history.add(turn, mv);
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        let Answer { best, nodes, depth, .. } = self.answer(turn, budget, false);
        let Assessment { mv, value, exact } = assessed::<G>(turn, &best).unwrap_or(Assessment {
            mv: turn.moves().as_ref()[0],
            value: None,
            exact: false,
        });
        Decision { mv, value, exact, nodes, depth }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let Answer { best, lines, nodes, depth, .. } = self.answer(turn, budget, true);
        let mut moves: Vec<Assessment<G::Move>> = vec![];
        let result = [&best].into_iter().chain(&lines).filter_map(|line| assessed::<G>(turn, line));
        let rest = turn.moves();
        let unscored = |&mv: &G::Move| Assessment { mv, value: None, exact: false };
        for assessment in result.chain(rest.as_ref().iter().map(unscored)) {
            if moves.iter().all(|known| known.mv != assessment.mv) {
                moves.push(assessment);
            }
        }
        let line = moves.first().map(|first| (turn.roll, first.mv)).into_iter().collect();
        Analysis { moves, turns: vec![], line, nodes, depth }
    }

    fn end(&mut self) {
        let Some(Running { engine, conversation }) = &mut self.running else { return };
        engine.watch();
        if conversation.rest(engine, Instant::now() + self.settings.start).is_err() {
            // The game is over; the next one begins with a freshly started program.
            self.running = None;
        }
    }

    fn failure(&mut self) -> Option<Failure> {
        self.failure.take().or_else(|| self.pending.clone())
    }

    fn waited(&self) -> Option<Duration> {
        Some(self.waited)
    }

    fn statistics(&self) -> Vec<Statistic> {
        let late = self.late.map(|late| late.as_secs_f64() * 1e3);
        late.map(|value| Statistic { name: "ms over time", value }).into_iter().collect()
    }
}

fn not_ready(error: &EngineError, start: Duration) -> Failure {
    match error {
        EngineError::Timeout => Failure::new(Fault::Time, format!("it was not ready in {start:?}")),
        EngineError::Protocol(message) => {
            Failure::new(Fault::Time, format!("it was not ready in {start:?}: {message}"))
        }
        error => Failure::new(Fault::Crash, error.to_string()),
    }
}

/// A line of the engine, if its move is legal.
fn assessed<G: Game>(turn: Turn<'_, G>, line: &Line) -> Option<Assessment<G::Move>> {
    let moves = turn.moves();
    let mv = moves.as_ref().iter().copied().find(|mv| mv.to_string() == line.mv)?;
    Some(Assessment { mv, value: line.value.map(|value| value as f32), exact: line.exact })
}
