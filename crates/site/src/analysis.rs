//! Analyses that report while they search: each report searches deeper than the one before.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::Sender;
use wurfel::{Agent, Game, NoAnswer, Position, Spec, SpecError, game};
use wurfel_agents::DEFAULT_AGENT;
use wurfel_arena::{AnalysisError, PositionReport};
use wurfel_core::{Budget, Random};

use crate::agents::{self, AgentCache};
use crate::http::answers::Problem;
use crate::pool::{Class, Pool, Stop};

/// The time for the first report; each further report gets twice as much.
const FIRST: Duration = Duration::from_millis(60);
/// The number of reports, which take some four seconds in all.
const REPORTS: u32 = 6;
/// A report is ended after twice its time plus this, whatever bounds the analyser's spec sets.
const GRACE: Duration = Duration::from_millis(250);

/// A request for an analysis.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a position to analyse, as an object")]
pub(crate) struct Question {
    /// The game, which is the rule set.
    pub game: String,
    /// The position; without a roll, every roll is evaluated.
    pub position: String,
    /// Whether castling rights that the board rules out are dropped and not refused.
    #[serde(default)]
    pub drop_castling: bool,
    /// The spec of the agent that evaluates.
    #[serde(default)]
    pub agent: Option<String>,
    /// A number that is sent back with each report, so that a page knows which question the report
    /// answers.
    #[serde(default)]
    pub tag: u32,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Report"))]
pub(crate) struct AnalysisReply {
    /// The number of the question.
    tag: u32,
    /// Whether this is the last report.
    last: bool,
    #[serde(flatten)]
    report: PositionReport,
}

/// Answers a question with several reports. Dropping the future stops the search.
pub(crate) async fn analyse(
    question: Question,
    pool: &Arc<Pool>,
    client: IpAddr,
    tell: &Sender<String>,
) -> Result<(), Problem> {
    let bad = |error: &dyn std::fmt::Display| Problem::bad(error.to_string());
    let game = game(&question.game)?;
    let position =
        game.read(&question.position, question.drop_castling).map_err(|error| bad(&error))?;
    let spec = question.agent.as_deref().unwrap_or(DEFAULT_AGENT);
    let spec = agents::read(spec).map_err(|error| bad(&error))?;
    for number in 0..REPORTS {
        let work = || {
            let (position, spec) = (position.clone(), spec.clone());
            move |cache: &mut AgentCache, stop: Stop<'_>| {
                report(game, &position, &spec, number, cache, stop)
            }
        };
        // Somebody waits for the first report as for a move, so it counts as quick work. Later
        // reports count as long work.
        let class = if number == 0 { Class::Quick(client) } else { Class::Long(client) };
        let report = pool.run_patiently(class, 2 * time(number) + GRACE, work).await?;
        let report = match report.map_err(|error| bad(&error))? {
            Ok(report) => report,
            // A mean over rolls needs all of them; the next report has more time to evaluate
            // them.
            Err(NoAnswer::Analysis(AnalysisError::Stopped)) if number + 1 < REPORTS => continue,
            Err(error) => return Err(bad(&error)),
        };
        let last = number + 1 == REPORTS || report.is_final();
        let reply = AnalysisReply { tag: question.tag, last, report };
        let text = serde_json::to_string(&reply).map_err(|error| bad(&error))?;
        if tell.send(text).await.is_err() || last {
            break;
        }
    }
    Ok(())
}

/// The time for a report.
fn time(number: u32) -> Duration {
    FIRST * 2u32.pow(number)
}

fn report(
    game: Game,
    position: &Position,
    spec: &Spec,
    number: u32,
    cache: &mut AgentCache,
    stop: Stop<'_>,
) -> Result<Result<PositionReport, NoAnswer>, SpecError> {
    let budget = Budget { time: Some(time(number)), stop: Some(stop), ..Budget::default() };
    let report = |agent: &mut dyn Agent| {
        if number == 0 {
            agent.begin(Random::new(0));
        }
        agent.analyse(&spec.to_string(), position, budget)
    };
    // Exact values are used only with the default agent, because whoever names another agent wants
    // that agent's own opinion.
    let is_default = spec.to_string() == DEFAULT_AGENT;
    cache.of(game, spec, is_default, report)
}
