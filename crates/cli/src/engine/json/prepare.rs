//! Turns a query into the positions that it asks about. Every mistake in a query is found here,
//! before anything waits for a thread.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use wurfel_agents::{Catalogued, Factory, Spec, UseGame, build, informed, with_game};
use wurfel_arena::LuckMeter;
use wurfel_core::{Budget, Situation, Turn};
use wurfel_games::MoveReader;
use wurfel_protocol::json::{Luck, Query, RefusalReply};

use super::queue::{PATIENCE, QueuedTask, Ticket};
use super::task::{QuerySettings, Task, player};
use crate::engine::options::{Options, asked_agent};

/// The time for a position when there is no limit.
const USUAL: Duration = Duration::from_secs(1);
/// How many agents are remembered by their spec. The number is small because the data that they
/// share, such as a network, may be large.
const KNOWN: usize = 8;

/// Makes jobs of queries, and remembers their agents.
pub struct Clerk {
    options: Options,
    /// The agents that were requested, the latest first: the key of each, and its factory.
    known: Vec<(String, Box<dyn Any>)>,
}

impl Clerk {
    /// A clerk that knows no agents yet.
    pub const fn new(options: Options) -> Self {
        Self { options, known: vec![] }
    }

    /// Forgets the agents, and with them the files that they have read.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The positions of a query.
    ///
    /// # Errors
    /// Names the field that is wrong.
    pub fn prepare(&mut self, query: &Query) -> Result<Vec<QueuedTask>, RefusalReply> {
        let game = query.game.as_ref().unwrap_or(&self.options.game).clone();
        with_game(&game, Prepare { clerk: self, query })
            .map_err(|error| refusal(query, "game", &error))?
    }

    /// The factory of a query's agent, and the key that identifies it.
    fn agent<G: Catalogued>(
        &mut self,
        query: &Query,
    ) -> Result<(String, Factory<G>), RefusalReply> {
        let wrong = |error: &dyn ToString| refusal(query, "agent", error);
        let spec: Spec = match &query.agent {
            Some(text) => asked_agent(text).map_err(|error| wrong(&error))?,
            None => self.options.agent.parse().map_err(|error| wrong(&error))?,
        };
        // Exact values would hide the opinion of an agent that was named.
        let exact = query.exact.unwrap_or(query.agent.is_none());
        let name = format!("{} {spec} {exact}", G::NAME);
        let place = self.known.iter().position(|(known, _)| *known == name);
        let known = place.map(|place| self.known.remove(place).1);
        let factory = match known.and_then(|known| known.downcast::<Factory<G>>().ok()) {
            Some(factory) => *factory,
            None => {
                let factory = build::<G>(&spec).map_err(|error| wrong(&error))?;
                if exact { informed(factory) } else { factory }
            }
        };
        self.known.insert(0, (name.clone(), Box::new(Arc::clone(&factory))));
        self.known.truncate(KNOWN);
        Ok((name, factory))
    }
}

fn refusal(query: &Query, field: &str, error: &(impl ToString + ?Sized)) -> RefusalReply {
    let (id, field) = (query.id.clone(), field.to_owned());
    RefusalReply { id: Some(id), error: error.to_string(), field: Some(field) }
}

struct Prepare<'a> {
    clerk: &'a mut Clerk,
    query: &'a Query,
}

impl UseGame for Prepare<'_> {
    type Output = Result<Vec<QueuedTask>, RefusalReply>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let Self { clerk, query } = self;
        let start: Situation<G> = match &query.position {
            Some(text) => G::read_position(text, query.drop_castling)
                .map_err(|error| refusal(query, "position", &error))?,
            None => Situation { position: G::default(), roll: None },
        };
        let (agent, factory) = clerk.agent::<G>(query)?;
        let (stops, luck) = replay(query, start)?;
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
            factory,
            seed: query.seed.unwrap_or(clerk.options.seed),
            bounds: bounds.or(Budget { time: Some(USUAL), ..Budget::default() }),
            lines: query.multi_pv.unwrap_or(usize::MAX),
            every: query.report_every,
            luck,
        });
        let prepared = |(turn, situation): (usize, Situation<G>)| {
            let task = Task { order: Arc::clone(&order), turn, situation };
            let ticket = Ticket { id: query.id.clone(), turn };
            let patience = order.bounds.time.is_none().then_some(PATIENCE);
            QueuedTask { ticket, patience, work: Box::new(move |slot: &mut _| task.run(slot)) }
        };
        Ok(stops.into_iter().map(prepared).collect())
    }
}

/// The situations to be analysed, in the order of the query, and the luck of all rolls if
/// requested.
type Replayed<G> = (Vec<(usize, Situation<G>)>, Option<Vec<Luck>>);

/// Plays the moves of a query.
fn replay<G: Catalogued>(query: &Query, start: Situation<G>) -> Result<Replayed<G>, RefusalReply> {
    let all = [query.moves.len()];
    let turns: &[usize] = query.analyze_turns.as_deref().unwrap_or(&all);
    let meter = query.include_luck.then(LuckMeter::<G>::usual);
    let mut luck = vec![];
    let mut found = vec![];
    let mut reader = MoveReader::new(start);
    for (number, word) in query.moves.iter().map(Some).chain([None]).enumerate() {
        let now = Situation { position: reader.game().now().clone(), roll: reader.roll() };
        let Some(word) = word else {
            found.push(now);
            break;
        };
        reader
            .read(word)
            .map_err(|error| refusal(query, "moves", &format!("word {}: {error}", number + 1)))?;
        if let (Some(meter), true, Some(roll)) = (&meter, word.starts_with('@'), reader.roll()) {
            let luck_of = rounded(meter.roll(Turn { position: &now.position, roll }));
            let player = player(&now.position);
            luck.push(Luck { word: number, roll: format!("@{roll}"), player, luck: luck_of });
        }
        found.push(now);
    }
    let at = |&turn: &usize| (turn, found[turn].clone());
    Ok((turns.iter().map(at).collect(), meter.map(|_| luck)))
}

/// A value rounded to six decimals, because measurements of luck are no more precise.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
