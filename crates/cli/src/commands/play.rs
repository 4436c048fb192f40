//! `wurfel play`: a game in the terminal.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::bail;
use clap::{Args, ValueEnum};
use wurfel_agents::{Catalogued, DEFAULT_AGENT, Level, Spec, build};
use wurfel_arena::{Journal, TimedDecision};
use wurfel_core::{
    Agent, Budget, BySide, Decision, Dice, DiceError, EnteredDice, FairDice, NotationError, Random,
    Side, Situation, Turn,
};
use wurfel_games::UnknownName;

use crate::Done;
use crate::bounds::{Bounds, seed};
use crate::game_command::GameCommand;
use crate::terminal;
use crate::typing::Typist;
use crate::work::waiting;

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
    /// Drop rights to castle that the board of --position rules out (Dice Chess); such a position is
    /// refused if this is left out
    #[arg(long, requires = "position")]
    drop_castling: bool,
    /// The seed for set-ups, dice and agent (by default a new one each time)
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

impl GameCommand for Play {
    fn game(&self) -> &str {
        &self.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let spec: Spec = match &self.level {
            Some(name) => level::<G>(name)?.spec.parse()?,
            None => self.agent.parse()?,
        };
        let mut agent = build::<G>(&spec)?();
        let people = people::<G>(self.side.as_deref())?;
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = self.seed.unwrap_or_else(|| clock().as_nanos() as u64);
        agent.begin(Random::new(Random::seed_for(seed, &[1])));
        let start = match &self.position {
            Some(text) => G::read_position(text, self.drop_castling)?,
            None => {
                let random = &mut Random::new(Random::seed_for(seed, &[2]));
                let position = match &self.setup {
                    Some(text) => arranged::<G>(text, &people, random)?,
                    None => G::setup(random),
                };
                Situation { position, roll: None }
            }
        };
        let player = |side| if people.contains(&side) { "person".into() } else { spec.to_string() };
        let players = [player(Side::First), player(Side::Second)];
        let journal = self.out.as_ref().map(|path| Journal::open::<G>(path, players, self.csv));
        let journal = journal.transpose()?;
        let second = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
        let sides: Vec<&str> = people.iter().map(|&side| G::SIDES[side]).collect();
        writeln!(
            out,
            "{}, seed {seed}. You play {}.\n\
             {} Pieces in parentheses may move.\nType help for help.",
            G::TITLE,
            sides.join(" and "),
            G::LEGEND
        )?;
        let typist = RefCell::new(Typist::new());
        let mut table = Table {
            agent,
            people,
            budget: self.bounds.budget().or(second),
            colour: terminal::colours(),
            typist: &typist,
            typed: matches!(self.dice, Rolls::Typed),
            history: vec![],
            decisions: vec![],
            now: start,
            out,
        };
        match self.dice {
            Rolls::Rolled => table.play(&mut FairDice::new(Random::seed_for(seed, &[3])))?,
            Rolls::Typed => table.play(&mut EnteredDice::new(
                |position: &G, wrong: Option<&NotationError>| {
                    ask_for_roll(&typist, position, wrong)
                },
            ))?,
        }
        if let Some(journal) = journal {
            journal.write(&table.decisions, &table.now.position)?;
        }
        Ok(Done::All)
    }
}

/// The level with this name.
fn level<G: Catalogued>(name: &str) -> Result<&'static Level, UnknownName> {
    G::LEVELS.iter().find(|level| level.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<&str> = G::LEVELS.iter().map(|level| level.name).collect();
        UnknownName::new("level", name, &names)
    })
}

/// A start position in which people have this set-up, and an agent has a set-up that is drawn at
/// random.
fn arranged<G: Catalogued>(text: &str, people: &[Side], random: &mut Random) -> anyhow::Result<G> {
    let theirs = G::setups().iter().find(|setup| setup.to_string() == text);
    let Some(&theirs) = theirs else {
        let example = random.pick(G::setups());
        bail!("set-up '{text}': expected one such as {example}");
    };
    let mut setup = |side| if people.contains(&side) { theirs } else { *random.pick(G::setups()) };
    Ok(G::start(BySide::new(setup(Side::First), setup(Side::Second))))
}

/// The sides that people play.
fn people<G: Catalogued>(name: Option<&str>) -> anyhow::Result<Vec<Side>> {
    let Some(name) = name else { return Ok(vec![Side::First]) };
    if name == "both" {
        return Ok(Side::BOTH.to_vec());
    }
    match Side::BOTH.into_iter().find(|&side| G::SIDES[side] == name) {
        Some(side) => Ok(vec![side]),
        None => {
            let names = [G::SIDES[Side::First], G::SIDES[Side::Second], "both"];
            bail!(UnknownName::new("side", name, &names))
        }
    }
}

fn ask_for_roll<G: Catalogued>(
    typist: &RefCell<Typist>,
    position: &G,
    wrong: Option<&NotationError>,
) -> Option<String> {
    if let Some(wrong) = wrong {
        writeln!(io::stdout(), "{wrong}").ok()?;
    }
    let prompt = format!("{} rolls: ", G::SIDES[position.side()]);
    let faces = G::DICE.iter().map(|face| face.item.to_string());
    let words = faces.chain(["quit".to_owned()]).collect();
    typist.borrow_mut().line(&prompt, words).filter(|answer| answer != "quit")
}

/// A game in progress.
struct Table<'a, G: Catalogued> {
    agent: Box<dyn Agent<G>>,
    people: Vec<Side>,
    budget: Budget<'static>,
    colour: bool,
    typist: &'a RefCell<Typist>,
    /// Whether people roll the dice, in which case they may have mistyped a roll.
    typed: bool,
    /// For undo: the earlier turns of people, each with the number of decisions before it.
    history: Vec<(Situation<G>, usize)>,
    /// The game so far.
    decisions: Vec<TimedDecision<G>>,
    now: Situation<G>,
    out: &'a mut dyn Write,
}

/// The meaning of what a person typed.
enum Typed<M> {
    Move(M),
    /// A move or a roll was taken back, so the person must be asked again.
    Again,
    Quit,
}

impl<G: Catalogued> Table<'_, G> {
    fn play(&mut self, dice: &mut dyn Dice<G>) -> anyhow::Result<()> {
        while self.now.position.outcome().is_none() {
            let side = self.now.position.side();
            let roll = match self.now.roll {
                Some(roll) => roll,
                None => {
                    self.out.flush()?;
                    match dice.roll(&self.now.position) {
                        Ok(roll) => roll,
                        Err(DiceError::Ended) => return Ok(writeln!(self.out)?),
                        Err(error) => return Err(error.into()),
                    }
                }
            };
            self.now.roll = Some(roll);
            let begun = Instant::now();
            let decision = if self.people.contains(&side) {
                self.board()?;
                match self.ask(roll)? {
                    Typed::Move(mv) => {
                        self.history.push((self.now.clone(), self.decisions.len()));
                        Decision { mv, value: None, exact: false, nodes: 0, depth: 0 }
                    }
                    Typed::Again => continue,
                    Typed::Quit => return Ok(()),
                }
            } else {
                self.agent_moves(roll)?
            };
            self.agent.observe(Turn { position: &self.now.position, roll }, decision.mv);
            let position = self.now.position.clone();
            self.decisions.push(TimedDecision { position, roll, decision, time: begun.elapsed() });
            self.now.roll = self.now.position.play(roll, decision.mv);
        }
        self.board()
    }

    fn board(&mut self) -> anyhow::Result<()> {
        let picture = self.now.position.diagram(self.now.roll).text(self.colour);
        Ok(write!(self.out, "\n{picture}")?)
    }

    fn agent_moves(&mut self, roll: G::Roll) -> anyhow::Result<Decision<G::Move>> {
        let position = &self.now.position;
        let waiting = waiting("thinking", false);
        let decision = self.agent.decide(Turn { position, roll }, self.budget);
        drop(waiting);
        if let Some(failure) = self.agent.failure() {
            bail!("the agent failed: {failure}");
        }
        let expects = decision.value.map_or(String::new(), |value| {
            let exactly = if decision.exact { " exactly" } else { "" };
            format!(" and expects {:.1} %{exactly}", 100.0 * value)
        });
        let side = G::SIDES[position.side()];
        writeln!(self.out, "\n{side} rolls {roll}, plays {}{expects}", decision.mv)?;
        Ok(decision)
    }

    /// Asks until the person types a move, or a command that ends the turn or the game.
    fn ask(&mut self, roll: G::Roll) -> anyhow::Result<Typed<G::Move>> {
        loop {
            self.out.flush()?;
            let Some(line) = self.typist.borrow_mut().line("> ", self.words(roll)) else {
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
                    self.now.position.moves(roll).as_ref()[0]
                )?,
                "board" => self.board()?,
                "moves" => {
                    let moves = self.now.position.moves(roll);
                    let moves: Vec<String> =
                        moves.as_ref().iter().map(ToString::to_string).collect();
                    writeln!(self.out, "{}", moves.join(" "))?;
                }
                "hint" => self.hint(roll)?,
                "die" if self.typed && self.is_rest() => {
                    writeln!(
                        self.out,
                        "die: expected before the first move of a turn, so undo first"
                    )?;
                }
                "die" if self.typed => {
                    self.now.roll = None;
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
                text => match self.now.position.find_move(roll, text) {
                    Ok(mv) => return Ok(Typed::Move(mv)),
                    Err(error) => writeln!(self.out, "{error}")?,
                },
            }
        }
    }

    /// Whether the roll is what the last move left of a larger one.
    fn is_rest(&self) -> bool {
        let left =
            |made: &TimedDecision<G>| made.position.clone().play(made.roll, made.decision.mv);
        self.decisions.last().and_then(left).is_some()
    }

    /// What can be typed: the moves and the commands.
    fn words(&self, roll: G::Roll) -> Vec<String> {
        let moves = self.now.position.moves(roll);
        let moves = moves.as_ref().iter().map(ToString::to_string);
        let commands = ["help", "moves", "hint", "undo", "board", "quit"].into_iter();
        let die = self.typed.then_some("die");
        moves.chain(commands.chain(die).map(str::to_owned)).collect()
    }

    fn hint(&mut self, roll: G::Roll) -> anyhow::Result<()> {
        let turn = Turn { position: &self.now.position, roll };
        let waiting = waiting("thinking", false);
        let analysis = self.agent.analyse(turn, self.budget);
        drop(waiting);
        for scored in analysis.moves {
            let value = scored.value.map_or("?".into(), |value| format!("{:.2} %", 100.0 * value));
            let exact = if scored.exact { " exactly" } else { "" };
            writeln!(self.out, "{:<6} {value}{exact}", scored.mv.to_string())?;
        }
        Ok(())
    }
}
