//! `wurfel referee`: the arbiter's helper at a real table.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::Args;
use wurfel::{Agent, Game, Player, Session, Spec, default_game, game};
use wurfel_arena::{SessionClock, SessionFile, SessionSettings};
use wurfel_core::Budget;

use crate::bounds::{Bounds, seed, time, whole};
use crate::options::quoted;
use crate::referee::{Console, Input, Players, RealWorld, Typing, World, left_over};
use crate::{Done, stop, terminal};

/// The name of a session's file in its folder.
const FILE: &str = "session.jsonl";

/// Referees a match at a real table: checks the rolls and moves you type, keeps clocks and records
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel referee Ada Blaise --out table-1\n  \
    wurfel referee --out table-1\n  \
    wurfel referee Ada Blaise --games 1 --clock 10m --increment 5s\n  \
    wurfel referee Ours Theirs --first-agent champion --place Beijing --event '2026 CCGC'\n\n\
    The first player begins the first game. Type help for what you can enter. Every entry is on\n\
    the disk before it is answered. With the same folder the command continues a match that was\n\
    left or killed.")]
pub struct Referee {
    /// The names of the two players; leave them out to continue a match
    #[arg(value_name = "PLAYER", num_args = 0..=2)]
    players: Vec<String>,
    /// The folder of the match: session.jsonl, and a record of each game [default: this folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The game (see `wurfel games`) [default: einstein]
    #[arg(long)]
    game: Option<String>,
    /// Maximum number of games (1 to 100); the first player with more than half of the points wins [default: 7]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=100))]
    games: Option<u32>,
    /// Play all games, even when the match is decided
    #[arg(long)]
    all: bool,
    /// The first player keeps the first side, such as red, in all games; otherwise whoever begins a
    /// game has it
    #[arg(long)]
    keep_sides: bool,
    /// The time of each side for a game, such as 10m [default: 4m]
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, conflicts_with = "no_clock")]
    clock: Option<Duration>,
    /// The time that a side is given after each of its turns, such as 5s [default: 0s]
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, conflicts_with = "no_clock")]
    increment: Option<Duration>,
    /// When to warn that little time is left [default: 60s,30s,10s]
    #[arg(long, value_name = "TIMES", value_parser = time, allow_hyphen_values = true, value_delimiter = ',',
        conflicts_with = "no_clock")]
    warn: Vec<Duration>,
    /// Play without clocks
    #[arg(long)]
    no_clock: bool,
    /// Let an agent decide for the first player (see `wurfel agents`)
    #[arg(long, value_name = "SPEC")]
    first_agent: Option<String>,
    /// Let an agent decide for the second player
    #[arg(long, value_name = "SPEC")]
    second_agent: Option<String>,
    /// The town, for the records
    #[arg(long)]
    place: Option<String>,
    /// The tournament, for the records
    #[arg(long)]
    event: Option<String>,
    /// The seed of agents and of set-ups drawn at random [default: a new one each time]
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    #[command(flatten)]
    bounds: Bounds,
}

impl Referee {
    /// Begins a match, or continues one.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let folder = self.out.clone().unwrap_or_else(|| ".".into());
        let known = SessionFile::game_of(&folder.join(FILE));
        let game = match self.game.clone().or(known) {
            Some(name) => game(&name)?,
            None => default_game(),
        };
        let mut world = RealWorld::new();
        let Some((file, session)) = self.open(game, &folder, &mut world, out)? else {
            return Ok(Done::All);
        };
        let agents = session.settings().agents.each_ref().map(|spec| agent(game, spec.as_deref()));
        let [first, second] = agents;
        let second_each = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
        let bounds = self.bounds.budget();
        let budget =
            if session.settings().clock.is_some() { bounds } else { bounds.or(second_each) };
        let console = Console {
            game,
            before: session.at(),
            session,
            file,
            folder: folder.clone(),
            players: Players {
                agents: [first?, second?],
                budget: Budget { stop: Some(stop::on_ctrl_c()), ..budget },
                announced_game: 0,
            },
            world,
            colour: terminal::colours(),
            typing: Typing::default(),
            out: &mut *out,
        };
        let (done, is_over) = stop::working(|| console.run())?;
        if !is_over {
            let folder = quoted(folder.display());
            writeln!(
                out,
                "the match is not over; continue it with: wurfel referee --out {folder}"
            )?;
        }
        Ok(done)
    }

    /// Continues an earlier session, if there is one and the arbiter agrees; otherwise begins a new
    /// one.
    fn open(
        &self,
        game: Game,
        folder: &Path,
        world: &mut RealWorld,
        out: &mut dyn Write,
    ) -> anyhow::Result<Option<(SessionFile, Box<dyn Session>)>> {
        let path = folder.join(FILE);
        if let Some((mut file, mut session)) = game.resume_session(&path)? {
            let settings = session.settings().clone();
            if self.settings(settings.clone())? != settings {
                bail!(
                    "'{}' has an unfinished match with other settings: expected no options but \
                     --out, or another folder",
                    folder.display()
                );
            }
            write!(out, "{}", left_over(&*session))?;
            if !goes_on(world, out)? {
                return Ok(None);
            }
            let entry = wurfel_arena::SessionEntry {
                at: session.at(),
                time: world.date(),
                event: wurfel_arena::SessionEvent::Resumed,
            };
            session.apply(entry.clone())?;
            file.write(&[entry])?;
            return Ok(Some((file, session)));
        }
        let settings = self.settings(default_settings(game, world.date()))?;
        if self.players.is_empty() {
            bail!(
                "'{}' has no unfinished match: expected the names of both players",
                path.display()
            );
        }
        for spec in settings.agents.iter().flatten() {
            game.entrants(&[Player::Spec(spec.parse()?)])?.try_start()?;
        }
        let session = game.session(settings)?;
        create(folder)?;
        let file = SessionFile::begin(&path, session.settings())?;
        Ok(Some((file, session)))
    }

    /// The settings on the command line, and for the rest those of `base`.
    fn settings(&self, base: SessionSettings) -> anyhow::Result<SessionSettings> {
        let mut settings = base;
        match self.players.as_slice() {
            [] => {}
            [one, other] => settings.players = [one.clone(), other.clone()],
            _ => bail!("one player: expected the names of both"),
        }
        settings.games = self.games.unwrap_or(settings.games);
        settings.all |= self.all;
        settings.keep_sides |= self.keep_sides;
        if self.no_clock {
            settings.clock = None;
        } else if let Some(clock) = &mut settings.clock {
            let ms = |time: Duration| time.as_millis() as u64;
            clock.total = self.clock.map_or(clock.total, ms);
            clock.increment = self.increment.map_or(clock.increment, ms);
            if !self.warn.is_empty() {
                clock.warnings = self.warn.iter().map(Duration::as_secs).collect();
            }
        } else if self.clock.is_some() || self.increment.is_some() || !self.warn.is_empty() {
            bail!("clocks: expected none, as the match was begun without");
        }
        let [first, second] = settings.agents;
        settings.agents =
            [self.first_agent.clone().or(first), self.second_agent.clone().or(second)];
        settings.place = self.place.clone().unwrap_or(settings.place);
        settings.event = self.event.clone().unwrap_or(settings.event);
        settings.seed = self.seed.unwrap_or(settings.seed);
        Ok(settings)
    }
}

/// The default settings: those of the Chinese championship.
fn default_settings(game: Game, begun: String) -> SessionSettings {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    SessionSettings {
        game: game.name().to_owned(),
        players: Default::default(),
        agents: [None, None],
        games: 7,
        all: false,
        keep_sides: false,
        clock: Some(SessionClock { total: 240_000, increment: 0, warnings: vec![60, 30, 10] }),
        place: String::new(),
        event: String::new(),
        seed: since.as_nanos() as u64,
        begun,
    }
}

/// The agent of this spec, if there is one.
fn agent(game: Game, spec: Option<&str>) -> anyhow::Result<Option<Box<dyn Agent>>> {
    let Some(spec) = spec else { return Ok(None) };
    let spec: Spec = spec.parse()?;
    Ok(Some(game.agents_of(&spec)?.make()))
}

fn create(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("'{}'", folder.display()))
}

/// Asks whether to continue the match.
fn goes_on(world: &mut RealWorld, out: &mut dyn Write) -> anyhow::Result<bool> {
    loop {
        let words = ["yes", "no"].map(str::to_owned).to_vec();
        world.ask("continue it? yes or no: ", words, out)?;
        let line = loop {
            match world.read_input(Duration::from_secs(1)) {
                Input::Nothing => {}
                Input::Line(line) => break line,
                Input::End | Input::Stop => {
                    writeln!(out)?;
                    return Ok(false);
                }
            }
        };
        match line.to_lowercase().as_str() {
            "yes" | "y" => return Ok(true),
            "no" | "n" => return Ok(false),
            _ => writeln!(out, "'{}': expected yes or no", line.escape_debug())?,
        }
    }
}
