//! `wurfel review`: how much each move of a game lost, and how lucky its rolls were.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde_json::{Value, json};
use wurfel::{Games, ReviewSettings};
use wurfel_agents::{DEFAULT_AGENT, Spec};
use wurfel_arena::{
    Decimal, Estimate, GameEntry, LostByFault, LuckMark, Mark, PlayerReview, ReviewProgress,
    ReviewReport, ReviewedMove, ReviewedPlayer, ScoredMove, Series, SeriesTally,
};
use wurfel_core::Budget;
use wurfel_core::files::write_whole;

use crate::bounds::Bounds;
use crate::games::{Sources, Texts};
use crate::json::write_json;
use crate::new_file::expect_picture;
use crate::options::Jobs;
use crate::progress::counter;
use crate::{Done, stop};

/// Reviews games: what each move lost, how lucky each roll was, and how well each side played
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel review games.jsonl --depth 4\n  \
    wurfel review games.jsonl --list\n  wurfel review games.jsonl --depth 4 --number 2\n  \
    wurfel review record.txt --svg record.svg\n  wurfel review '@4 a4b4 @1 e1e2 @3 c5d4' --json\n\n\
    Values are win probabilities of the side that moves. A move is marked ?! as doubtful when it\n\
    loses 0.02, ? as an error (0.04) and ?? as a blunder (0.08); a roll is marked + as lucky\n\
    (0.15) and ++ as very lucky (0.3), - as unlucky and -- as very unlucky. Without a bound the\n\
    analyser looks four turns ahead, with three dice one. The last positions of a game, with six\n\
    pieces or fewer in EinStein, are solved as far back as that is quick: their values, marked *,\n\
    are exact whatever the analyser and its bounds are. --no-exact leaves them to the analyser,\n\
    too. Ctrl-C ends the review after the games that are done.")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct ReviewCommand {
    #[command(flatten)]
    sources: Sources,
    /// The analyser (see `wurfel agents`); it must evaluate every move
    #[arg(long, default_value = DEFAULT_AGENT)]
    agent: String,
    #[command(flatten)]
    bounds: Bounds,
    /// Solve no endings: all values are the analyser's
    #[arg(long)]
    no_exact: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// Write the graph of the game as an SVG image to this file
    #[arg(long)]
    svg: Option<PathBuf>,
    /// Only list the games, with number, players, result and turns
    #[arg(long, conflicts_with_all = ["svg", "totals"])]
    list: bool,
    /// Show only the totals
    #[arg(long)]
    totals: bool,
    /// Answer in JSON, a line for each game and one for the totals
    #[arg(long)]
    json: bool,
}

/// How many games are read and reviewed together, so that memory does not grow with the number of all.
const TOGETHER: usize = 256;
/// How many better moves are shown beside a bad one.
const ALTERNATIVES: usize = 3;

impl ReviewCommand {
    /// Reviews the games and writes the results to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let texts = self.sources.read()?;
        if self.list {
            return list(texts, self.json, out);
        }
        self.svg.as_deref().map_or(Ok(()), expect_picture)?;
        let (game, spec) = (texts.game, self.agent.parse::<Spec>()?);
        let fallback = Budget { depth: Some(game.review_depth()), ..Budget::default() };
        let budget = Budget { stop: Some(stop::on_ctrl_c()), ..self.bounds.budget().or(fallback) };
        let agents = game.agents_of(&spec)?;
        let settings =
            ReviewSettings { analyser: &agents, exact: !self.no_exact, budget, again: None };
        let analyser = analyser_text(&spec, budget);
        let bar = counter("games", self.json);
        let mut tally = SeriesTally::default();
        let mut review = |some: &Games| -> anyhow::Result<ControlFlow<()>> {
            let (before, mut failed) = (tally.games(), None);
            let count = before as usize + some.len();
            if self.svg.is_some() && count != 1 {
                bail!("--svg draws one game, but there are {count}");
            }
            stop::working(|| {
                let progress = &mut |at: ReviewProgress| bar.set_message(position_text(at));
                some.review(settings, self.jobs.count(), progress, &mut |mut report| {
                    report.game += before as usize;
                    tally.add(&report);
                    bar.set_position(tally.games());
                    failed = bar.suspend(|| self.show(&report, out)).err();
                    failed.is_none()
                })
            })?;
            failed.map_or(Ok(()), Err)?;
            let all = tally.games() - before == some.len() as u64;
            Ok(if all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        let (mut some, mut ended) = (game.no_games(), ControlFlow::Continue(()));
        texts.each_until(|one| {
            some.append(one);
            if some.len() == TOGETHER {
                ended = review(&std::mem::replace(&mut some, game.no_games()))?;
            }
            Ok(ended)
        })?;
        if ended.is_continue() {
            ended = review(&some)?;
        }
        bar.finish_and_clear();
        let series = tally.series();
        if self.json {
            writeln!(out, "{}", series_json(&series, &analyser))?;
        } else {
            series_text(&series, &analyser, out)?;
        }
        out.flush()?;
        if ended.is_continue() {
            return Ok(Done::All);
        }
        writeln!(io::stderr(), "stopped after {} games", series.games())?;
        Ok(Done::Stopped)
    }

    /// Writes the review of a game to `out` and draws its graph, as the options ask.
    fn show(&self, report: &ReviewReport, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.json {
            write_json(report, out)?;
        } else if !self.totals {
            write_review(report, out)?;
        }
        if let Some(path) = &self.svg {
            write_whole(path, report.graph.svg())?;
        }
        Ok(())
    }
}

/// Lists the games without reviewing them.
fn list(texts: Texts, json: bool, out: &mut dyn Write) -> anyhow::Result<Done> {
    let mut number = 0;
    texts.each(|game| {
        number += 1;
        let entry = game.record(0).entry;
        let GameEntry { players: [first, second], result, plies } = &entry;
        if json {
            let mut line = serde_json::to_value(&entry)?;
            line["number"] = json!(number);
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{number:>4}  {first} against {second}: {result}, {plies} turns")?;
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(Done::All)
}

/// How far the review of a game is, as text.
fn position_text(ReviewProgress { done, all, .. }: ReviewProgress) -> String {
    format!("position {done} of {all}")
}

/// The analyser's spec and its bounds, as text.
fn analyser_text(spec: &Spec, budget: Budget<'_>) -> String {
    let bounds = [
        budget.depth.map(|depth| format!(" at depth {depth}")),
        budget.nodes.map(|nodes| format!(" with {nodes} nodes")),
        budget.time.map(|time| format!(" with {time:?}")),
    ];
    spec.to_string() + &bounds.into_iter().flatten().collect::<String>()
}

fn percent(value: f64) -> Decimal {
    Decimal(100.0 * value)
}

/// The moves that were better than a marked one, best first.
fn better(decided: &ReviewedMove) -> &[ScoredMove] {
    let made = decided.moves.iter().position(|scored| scored.mv == decided.r#move);
    let count = if decided.mark.is_some() { made.unwrap_or(0) } else { 0 };
    &decided.moves[..count.min(ALTERNATIVES)]
}

/// Writes the review of a game as text for people to read.
fn write_review(report: &ReviewReport, out: &mut dyn Write) -> anyhow::Result<()> {
    let [first, second] = report.players.each_ref().map(ReviewedPlayer::name);
    writeln!(out, "game {}: {first} against {second}: {}", report.game, report.result)?;
    if let Some(LostByFault { side, fault, reason }) = &report.fault {
        let loser = usize::from(*side != report.players[0].side);
        let fault = serde_json::to_value(fault)?;
        let reason = if reason.is_empty() { "" } else { &format!(": {reason}") };
        let fault = fault.as_str().unwrap_or_default();
        writeln!(out, "{} lost by {fault}{reason}", report.players[loser].name())?;
    }
    writeln!(out, "\n ply side  roll   luck %  move         value %  lost %")?;
    for decided in &report.moves {
        write_decided(decided, out)?;
    }
    writeln!(out, "\n{}", report.graph.text())?;
    writeln!(
        out,
        "{first}: {:.2} % at first, luck {:+.2} %, moves {:+.2} %, \
         the analyser's residual {:+.2} %, {:.2} % at last; {:.2} % without luck\n",
        percent(report.initial),
        percent(report.luck),
        percent(-report.lost),
        percent(report.residual),
        percent(report.last),
        percent(report.luck_adjusted)
    )?;
    Ok(())
}

fn write_decided(decided: &ReviewedMove, out: &mut dyn Write) -> io::Result<()> {
    let ReviewedMove { ply, side, roll, .. } = decided;
    let luck = match decided.before {
        Some(_) => format!("{:+7.2}", percent(decided.luck)),
        None => String::new(),
    };
    let lucky = decided.luck_mark.map_or("", LuckMark::symbol);
    let mv = format!("{}{}", decided.r#move, decided.mark.map_or("", Mark::symbol));
    let exact = if decided.exact { '*' } else { ' ' };
    let value = percent(decided.value);
    write!(out, "{ply:4} {side:<5} {roll:<5} {luck:>7} {lucky:<2} {mv:<9} {value:7.2}{exact}")?;
    if !decided.forced {
        write!(out, " {:7.2}", percent(decided.lost))?;
    }
    for (place, scored) in better(decided).iter().enumerate() {
        let lead = if place == 0 { "  better: " } else { ", " };
        write!(out, "{lead}{} {:.2}", scored.mv, percent(scored.value.unwrap_or_default()))?;
    }
    writeln!(out)
}

fn series_json(series: &Series, analyser: &str) -> Value {
    let player = |player: &PlayerReview| {
        json!({
            "player": player.name,
            "totals": player.totals,
            "error_rate": player.totals.error_rate(),
            "error_interval": player.error_interval(),
            "grade": player.totals.grade(),
        })
    };
    let estimate = |estimate: Estimate| {
        json!({
            "mean": estimate.mean,
            "standard_error": estimate.known_error(),
            "interval": estimate.interval.ends(),
        })
    };
    json!({
        "games": series.games(),
        "analyser": analyser,
        "players": series.players().iter().map(player).collect::<Vec<_>>(),
        "result": series.raw().map(estimate),
        "luck_adjusted": series.adjusted().map(|(adjusted, coefficient)| {
            let mut estimate_json = estimate(adjusted);
            estimate_json["coefficient"] = json!(coefficient);
            estimate_json
        }),
    })
}

fn series_text(series: &Series, analyser: &str, out: &mut dyn Write) -> io::Result<()> {
    let players = series.players();
    let width = players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
    writeln!(
        out,
        "{:<width$}  unforced  lost each  95 %      grade         ?!    ?   ??      luck",
        "player"
    )?;
    for player in players {
        let PlayerReview { name, totals, .. } = player;
        let rate = totals.error_rate().map_or("?".into(), |rate| format!("{rate:.4}"));
        let half = player.error_interval().zip(totals.error_rate());
        let half = half.map(|(interval, rate)| format!("± {:.4}", interval.high - rate));
        writeln!(
            out,
            "{name:<width$}  {:>8}  {rate:>9}  {:<8}  {:<12} {:>4} {:>4} {:>4}  {:>+7.2} %",
            totals.unforced,
            half.unwrap_or_default(),
            totals.grade().unwrap_or("?"),
            totals.doubtful,
            totals.errors,
            totals.blunders,
            percent(totals.luck)
        )?;
    }
    let one = players.first().map_or("", |player| &player.name);
    let line = |Estimate { mean, interval, .. }: Estimate| {
        let (low, high) = (percent(interval.low), percent(interval.high));
        format!("{:.2} %, 95 % interval {low:.2} to {high:.2}", percent(mean))
    };
    if let Some(raw) = series.raw() {
        writeln!(out, "{one} won {}", line(raw))?;
    }
    if let Some((adjusted, coefficient)) = series.adjusted() {
        writeln!(out, "luck-adjusted {}; {coefficient:.2} of the luck taken off", line(adjusted))?;
    }
    let games = if series.games() == 1 { "game" } else { "games" };
    writeln!(out, "analyser {analyser}, {} {games}", series.games())
}
