//! `wurfel review`: how much each move of a game lost, and how lucky its rolls were.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde_json::{Value, json};
use wurfel_agents::{Catalogued, DEFAULT_AGENT, Spec, build, solver};
use wurfel_arena::{
    Entry, Estimate, FiledGame, Graph, LuckMark, Mark, Printed, Review, Reviewed, ReviewedDecision,
    Reviewer, Series, write_whole,
};
use wurfel_core::{Assessment, Budget, BySide, Failure, Side};

use crate::bounds::Bounds;
use crate::game_command::GameCommand;
use crate::games::{Sources, Texts};
use crate::json::write_json;
use crate::new_file::expect_picture;
use crate::work::{Jobs, bar};
use crate::{Done, stop};

/// Reviews games: what each move lost, how lucky each roll was, and how well each side played
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel review games.jsonl --depth 4\n  \
    wurfel review games.jsonl --list\n  wurfel review games.jsonl --depth 4 --number 2\n  \
    wurfel review record.txt --svg record.svg\n  wurfel review '@4 a4b4 @1 e1e2 @3 c5d4' --json\n\n\
    Values are win probabilities of the side that moves. A move is marked ?! as doubtful when it\n\
    loses 0.02, ? as an error (0.04) and ?? as a blunder (0.08); a roll is marked + as lucky\n\
    (0.15) and ++ as very lucky (0.3), - as unlucky and -- as very unlucky. Without a bound the\n\
    analyser looks four turns ahead. The last positions of a game, with six pieces or fewer in\n\
    EinStein, are solved as far back as that is quick: their values, marked *, are exact whatever\n\
    the analyser and its bounds are. --no-exact leaves them to the analyser, too. Ctrl-C ends the\n\
    review after the games that are done.")]
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

/// How many turns the analyser looks ahead when no bound is given.
const DEPTH: u32 = 4;
/// How many better moves are shown beside a bad one.
const ALTERNATIVES: usize = 3;

impl ReviewCommand {
    /// Reviews the games and writes the results to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let texts = self.sources.read()?;
        Reviewing { command: self, texts }.run(out)
    }
}

struct Reviewing {
    command: ReviewCommand,
    texts: Texts,
}

impl GameCommand for Reviewing {
    fn game(&self) -> &str {
        &self.texts.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Self { command, texts } = self;
        let spec: Spec = command.agent.parse()?;
        let games = texts.games::<G>()?;
        if command.list {
            return list(&games, command.json, out);
        }
        if command.svg.is_some() && games.len() != 1 {
            bail!("--svg draws one game, but there are {}", games.len());
        }
        command.svg.as_deref().map_or(Ok(()), expect_picture)?;
        let usual = Budget { depth: Some(DEPTH), ..Budget::default() };
        let stop = stop::on_ctrl_c();
        let budget = Budget { stop: Some(stop), ..command.bounds.budget().or(usual) };
        let solver = if command.no_exact { None } else { solver::<G>() };
        let reviewer = Reviewer { analyser: build::<G>(&spec)?, solver, budget, again: None };
        let analyser = analyser_text(&spec, budget);
        let bar = bar(games.len() as u64, "games", command.json);
        let mut series = Series::new(&games);
        let mut failed = None;
        stop::working(|| {
            reviewer.run(&games, command.jobs.count(), |number, review| {
                bar.set_position(number as u64 + 1);
                series.add(&games[number], &review);
                let shown = ReviewOutput { filed: &games[number], number, review: &review };
                let written = bar.suspend(|| command.show(&shown, out));
                failed = written.err();
                failed.is_none()
            })
        })?;
        bar.finish_and_clear();
        if let Some(error) = failed {
            return Err(error);
        }
        if command.json {
            writeln!(out, "{}", series_json(&series, &analyser))?;
        } else {
            series_text(&series, &analyser, out)?;
        }
        out.flush()?;
        if series.games() == games.len() as u64 {
            return Ok(Done::All);
        }
        writeln!(io::stderr(), "stopped after {} of {} games", series.games(), games.len())?;
        Ok(Done::Stopped)
    }
}

/// Lists the games without reviewing them.
fn list<G: Catalogued>(
    games: &[FiledGame<G>],
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Done> {
    for (number, filed) in (1..).zip(games) {
        let entry = filed.entry();
        let Entry { players: [first, second], result, plies } = &entry;
        if json {
            let mut line = serde_json::to_value(&entry)?;
            line["number"] = json!(number);
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{number:>4}  {first} against {second}: {result}, {plies} turns")?;
        }
    }
    out.flush()?;
    Ok(Done::All)
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

impl ReviewCommand {
    /// Writes the review of a game to `out` and draws its graph, as the options ask.
    fn show<G: Catalogued>(
        &self,
        shown: &ReviewOutput<'_, G>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        if self.json {
            write_json(&shown.json(), out)?;
        } else if !self.totals {
            shown.text(out)?;
        }
        if let Some(path) = &self.svg {
            write_whole(path, shown.graph().svg()).map_err(|error| {
                anyhow::Error::new(error).context(format!("'{}'", path.display()))
            })?;
        }
        Ok(())
    }
}

/// A reviewed game, to be shown.
struct ReviewOutput<'a, G: Catalogued> {
    filed: &'a FiledGame<G>,
    number: usize,
    review: &'a Review<G>,
}

fn name<G: Catalogued>(filed: &FiledGame<G>, side: Side) -> String {
    match filed.game.players[side].as_str() {
        "" => G::SIDES[side].to_owned(),
        player => format!("{player} ({})", G::SIDES[side]),
    }
}

fn percent(value: f64) -> Printed {
    Printed(100.0 * value)
}

/// The moves that were better than a marked one, best first.
fn better<G: Catalogued>(decided: &ReviewedDecision<G>) -> &[Assessment<G::Move>] {
    let made = decided.moves.iter().position(|scored| scored.mv == decided.mv);
    let count = if Mark::of(decided.lost()).is_some() { made.unwrap_or(0) } else { 0 };
    &decided.moves[..count.min(ALTERNATIVES)]
}

impl<G: Catalogued> ReviewOutput<'_, G> {
    fn graph(&self) -> Graph {
        Graph::new(self.review, BySide::from_fn(|side| name(self.filed, side)))
    }

    fn result(&self) -> String {
        self.filed.game.result.map_or_else(|| "*".to_owned(), |result| result.to_string())
    }

    fn json(&self) -> Value {
        let Self { filed, number, review } = self;
        let side = |side: Side| {
            let totals = review.totals[side];
            json!({
                "side": G::SIDES[side],
                "player": filed.game.players[side],
                "totals": totals,
                "error_rate": totals.error_rate(),
                "grade": totals.grade(),
            })
        };
        json!({
            "game": number + 1,
            "start": filed.game.start().to_string(),
            "result": self.result(),
            "fault": filed.failure.as_ref().map(|(side, Failure { fault, reason })| {
                json!({"side": G::SIDES[*side], "fault": fault, "reason": reason})
            }),
            "initial": review.initial,
            "final": review.last,
            "luck": review.luck(),
            "lost": review.lost(),
            "residual": review.residual(),
            "luck_adjusted": review.last - review.luck(),
            "players": Side::BOTH.map(side),
            "moves": review.decisions.iter().map(decided_json).collect::<Vec<_>>(),
        })
    }

    fn text(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Self { filed, number, review } = self;
        let [first, second] = Side::BOTH.map(|side| name(filed, side));
        writeln!(out, "game {}: {first} against {second}: {}", number + 1, self.result())?;
        if let Some((side, Failure { fault, reason })) = &filed.failure {
            let fault = serde_json::to_value(fault)?;
            let reason = if reason.is_empty() { "" } else { &format!(": {reason}") };
            let fault = fault.as_str().unwrap_or_default();
            writeln!(out, "{} lost by {fault}{reason}", name(filed, *side))?;
        }
        writeln!(out, "\n ply side  roll   luck %  move         value %  lost %")?;
        for decided in &review.decisions {
            write_decided(decided, out)?;
        }
        writeln!(out, "\n{}", self.graph().text())?;
        writeln!(
            out,
            "{first}: {:.2} % at first, luck {:+.2} %, moves {:+.2} %, \
             the analyser's residual {:+.2} %, {:.2} % at last; {:.2} % without luck\n",
            percent(review.initial),
            percent(review.luck()),
            percent(-review.lost()),
            percent(review.residual()),
            percent(review.last),
            percent(review.last - review.luck())
        )?;
        Ok(())
    }
}

fn decided_json<G: Catalogued>(decided: &ReviewedDecision<G>) -> Value {
    let scored = |scored: &Assessment<G::Move>| json!({"move": scored.mv.to_string(), "value": scored.value.map(f64::from), "exact": scored.exact});
    let luck = decided.luck();
    json!({
        "ply": decided.situation.position.ply(),
        "side": G::SIDES[decided.side()],
        "position": decided.situation.to_string(),
        "before": decided.before,
        "rolled": decided.rolled,
        "luck": luck,
        "luck_mark": LuckMark::of(luck),
        "move": decided.mv.to_string(),
        "value": decided.made(),
        "best": decided.best(),
        "lost": decided.lost(),
        "mark": Mark::of(decided.lost()),
        "forced": !decided.unforced(),
        "exact": decided.exact(),
        "residual": decided.residual(),
        "again": decided.again,
        "after": decided.after,
        "moves": decided.moves.iter().map(scored).collect::<Vec<_>>(),
    })
}

fn write_decided<G: Catalogued>(
    decided: &ReviewedDecision<G>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let ReviewedDecision { situation, mv, .. } = decided;
    let roll = situation.roll.map(|roll| roll.to_string()).unwrap_or_default();
    let luck = match decided.before {
        Some(_) => format!("{:+7.2}", percent(decided.luck())),
        None => String::new(),
    };
    let lucky = LuckMark::of(decided.luck()).map_or("", LuckMark::sign);
    let mark = Mark::of(decided.lost()).map_or("", Mark::sign);
    let mv = format!("{mv}{mark}");
    let exact = if decided.exact() { '*' } else { ' ' };
    write!(
        out,
        "{:4} {:<5} {roll:<5} {luck:>7} {lucky:<2} {mv:<9} {:7.2}{exact}",
        situation.position.ply(),
        G::SIDES[decided.side()],
        percent(decided.made()),
    )?;
    if decided.unforced() {
        write!(out, " {:7.2}", percent(decided.lost()))?;
    }
    for (place, scored) in better(decided).iter().enumerate() {
        let value = scored.value.map_or(0.0, f64::from);
        let lead = if place == 0 { "  better: " } else { ", " };
        write!(out, "{lead}{} {:.2}", scored.mv, percent(value))?;
    }
    writeln!(out)
}

fn series_json(series: &Series, analyser: &str) -> Value {
    let player = |player: &Reviewed| {
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
            let mut found = estimate(adjusted);
            found["coefficient"] = json!(coefficient);
            found
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
        let Reviewed { name, totals, .. } = player;
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
    let one = &players[0].name;
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
