//! An engine that speaks the course protocol for EinStein würfelt nicht!.

use std::io;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use wurfel::{Agent, Game, game};
use wurfel_arena::best_setups;
use wurfel_core::{Budget, BySide, Random, Side};
use wurfel_engines::course::{GAMES, cubes, position, turned};
use wurfel_protocol::course::{CUBES, Colour, Command, MoveRequest, setup_line};
use wurfel_protocol::{Line, Lines};
use wurfel_search::Allotment;

use super::clock::within;
use super::options::Options;
use super::send;

/// The time for a turn while no time for the game is set.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Serves a driver until it says `exit`. Fails when the options name no game that the protocol can
/// express, or no agent of this game.
pub fn drive_course(options: Options) -> anyhow::Result<()> {
    if !GAMES.contains(&options.game.as_str()) {
        bail!("--protocol course: expected --game {}", GAMES.join(" or "));
    }
    let game = game(&options.game)?;
    let mut agent = options.agents(game)?.make();
    agent.begin(Random::new(options.seed));
    let mut engine = Engine { options, game, agent, games: 0, time: None, total: None };
    let mut lines = Lines::new(io::stdin());
    while let Some(line) = lines.next_line()? {
        let answer = match line {
            Line::Text(line) if line.trim().is_empty() => continue,
            Line::Text(line) => match line.parse() {
                Ok(Command::Exit) => break,
                Ok(command) => engine.answer(command),
                Err(error) => Err(error.into()),
            },
            Line::TooLong => Err(anyhow::anyhow!("expected a shorter line")),
        };
        match answer {
            Ok(answer) => send(&answer),
            Err(error) => send(&format!("error: {error:#}")),
        }
    }
    Ok(())
}

struct Engine {
    options: Options,
    game: Game,
    agent: Box<dyn Agent>,
    games: u64,
    /// The time for a whole game.
    total: Option<Duration>,
    /// The time that is left.
    time: Option<Allotment>,
}

impl Engine {
    fn answer(&mut self, command: Command) -> anyhow::Result<String> {
        Ok(match command {
            Command::Name => "wurfel".to_owned(),
            Command::Version => env!("CARGO_PKG_VERSION").to_owned(),
            Command::TimeSetting(seconds) => {
                self.total = Some(Duration::from_secs_f64(seconds));
                self.time = self.total.map(Allotment::new);
                "1".to_owned()
            }
            Command::BoardSetting { size: 5, cubes: 6 } => "1".to_owned(),
            Command::BoardSetting { .. } => bail!("board_setting: expected 5 6"),
            Command::Setup(colour) => {
                self.games += 1;
                self.time = self.total.map(Allotment::new);
                self.agent.begin(Random::new(Random::seed_for(self.options.seed, &[self.games])));
                setup_line(&setup(self.game, side(colour))?)
            }
            Command::Move(request) => self.decide(&request)?,
            Command::Exit => String::new(),
            command => bail!("unknown command '{command}'"),
        })
    }

    fn decide(&mut self, request: &MoveRequest) -> anyhow::Result<String> {
        let text = position(request)?;
        let now = self.game.read(&text, false)?;
        now.roll().context("the roll cannot be made here")?;
        if now.outcome().is_some() {
            bail!("expected a position before the end of the game");
        }
        let began = Instant::now();
        let overhead = Duration::from_millis(self.options.overhead);
        let time = self.time.map_or(DEFAULT_TIME, |time| within(time.next(), overhead));
        let budget = Budget { time: Some(time), ..Budget::default() };
        let decision = self.agent.decide(&now, budget);
        if let Some(time) = &mut self.time {
            time.spend(began.elapsed() + overhead);
        }
        let mv = decision?.mv;
        let (from, to) = mv.split_at_checked(2).context("a move without two squares")?;
        Ok(format!("{} {}", turned(from)?, turned(to)?))
    }
}

const fn side(colour: Colour) -> Side {
    match colour {
        Colour::Red => Side::First,
        Colour::Blue => Side::Second,
    }
}

/// The squares of a side's cubes 1 to 6 in its best set-up.
fn setup(game: Game, side: Side) -> anyhow::Result<[String; CUBES]> {
    let book = best_setups("einstein").context("no book of set-ups")?;
    let best = BySide::new(book[Side::First][0], book[Side::Second][0]);
    let start = game.arranged(best).context("no set-ups of the book")?;
    let squares = cubes(&start.to_string(), side).map(Option::unwrap_or_default);
    Ok(squares)
}
