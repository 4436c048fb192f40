//! `wurfel play`: a game in the terminal.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use wurfel::{Agent, Facts, Game, PlayedDecision, Position, game};
use wurfel_agents::{DEFAULT_AGENT, Level, Spec};
use wurfel_core::{Budget, BySide, Decision, Random, Side, UnknownName};

use crate::Done;
use crate::bounds::{Bounds, seed};
use crate::progress::waiting;
use crate::terminal;
use crate::typing::Typist;

/// Plays a game in the terminal, against an agent or between two people
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel play\n  \
    wurfel play --level Casual --setup S654321\n  \
    wurfel play --agent expecti:depth=5 --side blue --dice typed\n\n\
    On your turn type a move such as a5b4, or one of: moves, hint, undo, board, quit. With typed\n\
    dice, die lets you type the roll again. Without a bound the agent takes one second per move.")]
pub struct Play {
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// The opponent (see `wurfel agents`)
    #[arg(long, default_value = DEFAULT_AGENT)]
    agent: String,
    /// An opponent of measured strength, such as Beginner, instead of --agent (`wurfel agents`
    /// lists them)
    #[arg(long, conflicts_with = "agent")]
    level: Option<String>,
    /// Your set-up, such as S654321 (see `wurfel setups`); that of the other side is drawn at random
    #[arg(long, conflicts_with = "position")]
    setup: Option<String>,
    /// Your side, such as red or white, or both for two people
    #[arg(long)]
    side: Option<String>,
    /// Whether the program rolls the dice or you type them in
    #[arg(long, value_enum, default_value_t = Rolls::Rolled)]
    dice: Rolls,
    /// Start from this position instead of random set-ups
    #[arg(long)]
    position: Option<String>,
    /// Drop castling rights that the board of --position rules out (Dice Chess); such a position is
    /// otherwise refused
    #[arg(long, requires = "position")]
    drop_castling: bool,
    /// The seed for set-ups, dice and agent [default: a new one each time]
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// Save the finished game in FILE
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write tables of the game and of its moves in CSV beside FILE, with the time of each move
    #[arg(long, requires = "out")]
    csv: bool,
    #[command(flatten)]
    bounds: Bounds,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rolls {
    /// The program rolls
    Rolled,
    /// You roll real dice and type what they show
    Typed,
}

impl Play {
    /// Plays a game and writes it to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = game(&self.game)?;
        let spec: Spec = match &self.level {
            Some(name) => level(game, name)?.spec.parse()?,
            None => self.agent.parse()?,
        };
        let mut agent = game.agents_of(&spec)?.make();
        let Facts { title, legend, sides, .. } = game.facts();
        let people = people(sides, self.side.as_deref())?;
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = self.seed.unwrap_or_else(|| clock().as_nanos() as u64);
        agent.begin(Random::new(Random::seed_for(seed, &[1])));
        let random = &mut Random::new(Random::seed_for(seed, &[2]));
        let start = match (&self.position, &self.setup) {
            (Some(text), _) => game.read(text, self.drop_castling)?,
            (None, Some(text)) => arranged(game, text, &people, random)?,
            (None, None) => game.setup(random),
        };
        let player = |side| if people.contains(&side) { "person".into() } else { spec.to_string() };
        let players = [player(Side::First), player(Side::Second)];
        let files = self.out.as_ref().map(|path| game.open_game_files(path, players, self.csv));
        let files = files.transpose()?;
        let second = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
        let own: Vec<&str> = people.iter().map(|&side| sides[side]).collect();
        writeln!(
            out,
            "{title}, seed {seed}. You play {}.\n\
             {legend} Pieces in parentheses may move.\nType help for help.",
            own.join(" and "),
        )?;
        let dice = match self.dice {
            Rolls::Rolled => Dice::Rolled { seed: Random::seed_for(seed, &[3]), rolled: 0 },
            Rolls::Typed => Dice::Typed(game.dice().into_iter().map(|face| face.item).collect()),
        };
        let mut table = Table {
            agent,
            people,
            budget: self.bounds.budget().or(second),
            colour: terminal::colours(),
            typist: Typist::new(),
            dice,
            history: vec![],
            decisions: vec![],
            now: start,
            out,
        };
        table.play()?;
        if let Some(files) = files {
            game.write_game_files(files, &table.decisions, &table.now)?;
        }
        Ok(Done::All)
    }
}

/// The level with this name.
fn level(game: Game, name: &str) -> Result<&'static Level, UnknownName> {
    let levels = game.facts().levels;
    levels.iter().find(|level| level.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<&str> = levels.iter().map(|level| level.name).collect();
        UnknownName::new("level", name, &names)
    })
}

/// A start position in which people have this set-up, and an agent has a set-up that is drawn at
/// random.
fn arranged(
    game: Game,
    text: &str,
    people: &[Side],
    random: &mut Random,
) -> anyhow::Result<Position> {
    let all = game.setups();
    if !all.iter().any(|setup| setup == text) {
        bail!("set-up '{text}': expected one such as {}", random.pick(&all));
    }
    let mut setup = |side| if people.contains(&side) { text } else { random.pick(&all) };
    let setups = BySide::new(setup(Side::First), setup(Side::Second));
    game.arranged(setups).with_context(|| format!("set-up '{text}': expected a set-up"))
}

/// The sides that people play.
fn people(sides: BySide<&'static str>, name: Option<&str>) -> anyhow::Result<Vec<Side>> {
    let Some(name) = name else { return Ok(vec![Side::First]) };
    if name == "both" {
        return Ok(Side::BOTH.to_vec());
    }
    match Side::BOTH.into_iter().find(|&side| sides[side] == name) {
        Some(side) => Ok(vec![side]),
        None => {
            let names = [sides[Side::First], sides[Side::Second], "both"];
            bail!(UnknownName::new("side", name, &names))
        }
    }
}

/// Where rolls come from.
enum Dice {
    /// The program rolls; roll `rolled` has a random generator of its own.
    Rolled { seed: u64, rolled: u64 },
    /// People roll, and type one of these faces.
    Typed(Vec<String>),
}

/// A game in progress.
struct Table<'a> {
    agent: Box<dyn Agent>,
    people: Vec<Side>,
    budget: Budget<'static>,
    colour: bool,
    typist: Typist,
    dice: Dice,
    /// For undo: the earlier turns of people, each with the number of decisions before it.
    history: Vec<(Position, usize)>,
    /// The game so far.
    decisions: Vec<PlayedDecision>,
    now: Position,
    out: &'a mut dyn Write,
}

/// The meaning of what a person typed.
enum Typed {
    Move(String),
    /// A move or a roll was taken back, so the person must be asked again.
    Again,
    Quit,
}

impl Table<'_> {
    fn play(&mut self) -> anyhow::Result<()> {
        while self.now.outcome().is_none() {
            if self.now.roll().is_none() {
                self.out.flush()?;
                let Some(rolled) = self.rolled()? else { return Ok(writeln!(self.out)?) };
                self.now = rolled;
            }
            let begun = Instant::now();
            let decision = if self.people.contains(&self.now.side()) {
                self.board()?;
                match self.ask()? {
                    Typed::Move(mv) => {
                        self.history.push((self.now.clone(), self.decisions.len()));
                        Decision { mv, value: None, exact: false, nodes: 0, depth: 0 }
                    }
                    Typed::Again => continue,
                    Typed::Quit => return Ok(()),
                }
            } else {
                self.agent_moves()?
            };
            self.agent.observe(&self.now, &decision.mv)?;
            let next = self.now.played(&decision.mv)?;
            let position = std::mem::replace(&mut self.now, next);
            self.decisions.push(PlayedDecision { position, decision, time: begun.elapsed() });
        }
        self.board()
    }

    /// The position after the next roll; `None` when nobody types one any more.
    fn rolled(&mut self) -> anyhow::Result<Option<Position>> {
        let faces = match &mut self.dice {
            Dice::Rolled { seed, rolled } => {
                let mut random = Random::new(Random::seed_for(*seed, &[*rolled]));
                *rolled += 1;
                return Ok(Some(self.now.roll_dice(&mut random)?));
            }
            Dice::Typed(faces) => faces,
        };
        let prompt = format!("{} rolls: ", self.now.sides()[self.now.side().index()]);
        loop {
            let words = faces.iter().cloned().chain(["quit".to_owned()]).collect();
            let answer = self.typist.line(&prompt, words).filter(|answer| answer != "quit");
            let Some(answer) = answer else { return Ok(None) };
            match self.now.rolled(answer.trim()) {
                Ok(rolled) => return Ok(Some(rolled)),
                Err(error) => writeln!(io::stdout(), "{error}")?,
            }
        }
    }

    fn board(&mut self) -> anyhow::Result<()> {
        let picture = self.now.diagram().text(self.colour);
        Ok(write!(self.out, "\n{picture}")?)
    }

    fn agent_moves(&mut self) -> anyhow::Result<Decision<String>> {
        let waiting = waiting("thinking", false);
        let decision = self.agent.decide(&self.now, self.budget);
        drop(waiting);
        let decision = decision.context("the agent failed")?;
        let expects = decision.value.map_or(String::new(), |value| {
            let exactly = if decision.exact { " exactly" } else { "" };
            format!(" and expects {:.1} %{exactly}", 100.0 * value)
        });
        let side = self.now.sides()[self.now.side().index()];
        let roll = self.now.roll().unwrap_or_default();
        writeln!(self.out, "\n{side} rolls {roll}, plays {}{expects}", decision.mv)?;
        Ok(decision)
    }

    /// Asks until the person types a move, or a command that ends the turn or the game.
    fn ask(&mut self) -> anyhow::Result<Typed> {
        loop {
            self.out.flush()?;
            let words = self.words();
            let Some(line) = self.typist.line("> ", words) else {
                writeln!(self.out)?;
                return Ok(Typed::Quit);
            };
            match line.as_str() {
                "" => {}
                "quit" | "exit" => return Ok(Typed::Quit),
                "help" | "?" => writeln!(
                    self.out,
                    "type a move such as {}, or: moves, hint, undo, board, quit, or die if you \
                     type the dice",
                    self.now.moves()[0]
                )?,
                "board" => self.board()?,
                "moves" => writeln!(self.out, "{}", self.now.moves().join(" "))?,
                "hint" => self.hint()?,
                "die" if self.is_typed() && self.is_rest()? => {
                    writeln!(
                        self.out,
                        "die: expected before the first move of a turn, so undo first"
                    )?;
                }
                "die" if self.is_typed() => {
                    self.now = self.now.unrolled();
                    return Ok(Typed::Again);
                }
                "undo" => match self.history.pop() {
                    Some((before, decisions)) => {
                        self.now = before;
                        self.decisions.truncate(decisions);
                        return Ok(Typed::Again);
                    }
                    None => writeln!(self.out, "there is nothing to take back")?,
                },
                text => match self.now.find_move(text) {
                    Ok(mv) => return Ok(Typed::Move(mv)),
                    Err(error) => writeln!(self.out, "{error}")?,
                },
            }
        }
    }

    /// Whether the roll is the part of a larger one that the last move has left.
    fn is_rest(&self) -> anyhow::Result<bool> {
        Ok(match self.decisions.last() {
            Some(made) => made.position.played(&made.decision.mv)?.roll().is_some(),
            None => false,
        })
    }

    /// Whether people roll the dice, in which case they may have mistyped a roll.
    const fn is_typed(&self) -> bool {
        matches!(self.dice, Dice::Typed(_))
    }

    /// What can be typed: the moves and the commands.
    fn words(&self) -> Vec<String> {
        let moves = self.now.moves().into_iter();
        let commands = ["help", "moves", "hint", "undo", "board", "quit"].into_iter();
        let die = self.is_typed().then_some("die");
        moves.chain(commands.chain(die).map(str::to_owned)).collect()
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let waiting = waiting("thinking", false);
        let analysis = self.agent.analyse("the agent", &self.now, self.budget);
        drop(waiting);
        for scored in analysis?.moves.into_iter().flatten() {
            let value = scored.value.map_or("?".into(), |value| format!("{:.2} %", 100.0 * value));
            let exact = if scored.exact { " exactly" } else { "" };
            writeln!(self.out, "{:<6} {value}{exact}", scored.mv)?;
        }
        Ok(())
    }
}
