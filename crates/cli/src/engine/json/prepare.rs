//! Turns a query into the positions that it asks about. Every mistake in a query is found here,
//! before anything waits for a thread.

use std::sync::Arc;
use std::time::Duration;

use wurfel::{Agents, Game, Position, game};
use wurfel_agents::Spec;
use wurfel_core::{Budget, NotationError};
use wurfel_protocol::json::{Luck, Query, RefusalReply};

use super::queue::{PATIENCE, QueuedTask, Ticket};
use super::task::{QuerySettings, Task, player};
use crate::engine::options::{Options, agent_option};

/// The time for a position when there is no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// How many agents are remembered by their spec. The number is small because the data that they
/// share, such as a network, may be large.
const KNOWN: usize = 8;

/// Makes jobs of queries, and remembers their agents.
pub struct Preparer {
    options: Options,
    /// The agents that were requested, the latest first, each with its key.
    known: Vec<(String, Agents)>,
}

impl Preparer {
    /// Without any agents yet.
    pub const fn new(options: Options) -> Self {
        Self { options, known: vec![] }
    }

    /// Forgets the agents, and with them the files that they have read.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The positions of a query. An error names the field that is wrong.
    pub fn prepare(&mut self, query: &Query) -> Result<Vec<QueuedTask>, RefusalReply> {
        let game = game(query.game.as_ref().unwrap_or(&self.options.game))
            .map_err(|error| refusal(query, "game", &error))?;
        let start = match &query.position {
            Some(text) => game
                .read(text, query.drop_castling)
                .map_err(|error| refusal(query, "position", &error))?,
            None => game.start(),
        };
        let (agent, agents) = self.agent(game, query)?;
        let (stops, luck) = replay(game, query, start)?;
        let limits = query.limits;
        let bounds = Budget {
            depth: limits.depth,
            nodes: limits.nodes,
            time: limits.time,
            ..Budget::default()
        };
        let order = Arc::new(QuerySettings {
            id: query.id.clone(),
            agent,
            agents,
            seed: query.seed.unwrap_or(self.options.seed),
            bounds: bounds.or(Budget { time: Some(DEFAULT_TIME), ..Budget::default() }),
            lines: query.multi_pv.unwrap_or(usize::MAX),
            every: query.report_every,
            luck,
        });
        let prepared = |(turn, position): (usize, Position)| {
            let task = Task { order: Arc::clone(&order), turn, position };
            let ticket = Ticket { id: query.id.clone(), turn };
            let patience = order.bounds.time.is_none().then_some(PATIENCE);
            QueuedTask { ticket, patience, work: Box::new(move |slot: &mut _| task.run(slot)) }
        };
        Ok(stops.into_iter().map(prepared).collect())
    }

    /// The agents of a query, and the key that identifies them.
    fn agent(&mut self, game: Game, query: &Query) -> Result<(String, Agents), RefusalReply> {
        let wrong = |error: &dyn ToString| refusal(query, "agent", error);
        let spec: Spec = match &query.agent {
            Some(text) => agent_option(text).map_err(|error| wrong(&error))?,
            None => self.options.agent.parse().map_err(|error| wrong(&error))?,
        };
        // Exact values would hide the opinion of an agent that was named.
        let exact = query.exact.unwrap_or(query.agent.is_none());
        let name = format!("{} {spec} {exact}", game.name());
        let place = self.known.iter().position(|(known, _)| *known == name);
        let agents = match place.map(|place| self.known.remove(place).1) {
            Some(agents) => agents,
            None => {
                let agents = game.agents_of(&spec).map_err(|error| wrong(&error))?;
                if exact { agents.informed() } else { agents }
            }
        };
        self.known.insert(0, (name.clone(), agents.clone()));
        self.known.truncate(KNOWN);
        Ok((name, agents))
    }
}

fn refusal(query: &Query, field: &str, error: &(impl ToString + ?Sized)) -> RefusalReply {
    let (id, field) = (query.id.clone(), field.to_owned());
    RefusalReply { id: Some(id), error: error.to_string(), field: Some(field) }
}

/// The positions to be analysed, in the order of the query, and the luck of all rolls if requested.
type Replayed = (Vec<(usize, Position)>, Option<Vec<Luck>>);

/// Plays the moves of a query.
fn replay(game: Game, query: &Query, start: Position) -> Result<Replayed, RefusalReply> {
    let all = [query.moves.len()];
    let turns: &[usize] = query.analyze_turns.as_deref().unwrap_or(&all);
    let meter = query.include_luck.then(|| game.luck_meter());
    let wrong = |(number, error): (usize, NotationError)| {
        refusal(query, "moves", &format!("word {}: {error}", number + 1))
    };
    let words: Vec<&str> = query.moves.iter().map(String::as_str).collect();
    let mut positions = start.after_each(&words).map_err(wrong)?;
    let mut luck = vec![];
    if let Some(meter) = &meter {
        for (word, rolled) in
            positions.iter().enumerate().filter(|(word, _)| words[*word].starts_with('@'))
        {
            let (player, roll) = (player(rolled), rolled.roll().unwrap_or_default());
            let luck_of = rounded(meter.roll(rolled).map_err(|error| wrong((word, error)))?);
            luck.push(Luck { word, roll: format!("@{roll}"), player, luck: luck_of });
        }
    }
    positions.insert(0, start);
    let at = |&turn: &usize| (turn, positions[turn].clone());
    Ok((turns.iter().map(at).collect(), meter.map(|_| luck)))
}

/// A value rounded to six decimals, because measurements of luck are no more precise.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
