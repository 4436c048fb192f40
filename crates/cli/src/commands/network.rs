//! `wurfel network`: the description of a network and its view of a position, so that programs in
//! other languages can check their encoding; and checksums for network files whose parameters were
//! changed by other programs.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;
use wurfel::{Facts, Game, LikelyMove, PolicyNetwork, PolicyReport};
use wurfel_agents::readers;
use wurfel_arena::Decimal;
use wurfel_net::{Model, NetError};

use crate::Done;
use crate::batch::{Answer, PositionArgs, answer_each};
use crate::json::write_json;
use crate::new_file::write_new;

/// Shows a network's facts, inputs and outputs, and seals files that other programs have changed
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel network policy 'ABC2/DE3/F3f/3ed/2cba r 4 1'")]
pub struct NetworkCommand {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand, Debug)]
enum Step {
    Info(Info),
    Planes(PlanesOf),
    Policy(PolicyOf),
    Seal(Seal),
}

/// Shows the encoding, the shape and the checksum of a network
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel network info run/net.safetensors")]
struct Info {
    /// The network, a file that `wurfel train network` has written
    net: PathBuf,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Shows the planes of a position and the indices of its moves
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel network planes 'ABC2/DE3/F3f/3ed/2cba r 4 1'\n  \
    wurfel network planes 'ABC2/DE3/F3f/3ed/2cba r 4 1' --encoding ewn-v1 --json")]
struct PlanesOf {
    #[command(flatten)]
    query: PositionArgs,
    /// The encoding, such as ewn-v2 [default: the game's newest]
    #[arg(long)]
    encoding: Option<String>,
}

/// Shows a network's output for a position: its value, and the prior of each move
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel network policy 'ABC2/DE3/F3f/3ed/2cba r 4 1'")]
struct PolicyOf {
    #[command(flatten)]
    query: PositionArgs,
    /// The network, a file that `wurfel train network` has written [default: the game's own]
    #[arg(long)]
    net: Option<PathBuf>,
}

/// Writes a network file with a valid checksum from one whose parameters another program has changed
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  \
    wurfel network seal run/net.safetensors --out sealed.safetensors")]
struct Seal {
    /// The file with the parameters
    file: PathBuf,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// A network whose encoding and shape the new one has [default: those that the file itself names]
    #[arg(long)]
    like: Option<PathBuf>,
}

impl NetworkCommand {
    /// Runs the subcommand.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        match self.step {
            Step::Info(command) => command.run(out),
            Step::Planes(command) => command.run(out),
            Step::Policy(command) => command.run(out),
            Step::Seal(command) => command.run(),
        }
    }
}

/// Reads a network.
pub fn read_model(path: &Path) -> anyhow::Result<Model> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("'{name}'"))?;
    Model::from_bytes(&bytes).with_context(|| format!("'{name}'"))
}

#[derive(Serialize)]
struct NetworkFacts<'a> {
    architecture: Value,
    /// Sixteen hexadecimal digits.
    checksum: String,
    encoding: &'a str,
    /// The games whose agents read the network.
    games: Vec<&'static str>,
    int8_scales: bool,
    parameters: usize,
}

impl Info {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let model = read_model(&self.net)?;
        let encoding = model.encoding();
        let readers = readers(&model).with_context(|| format!("'{}'", self.net.display()))?;
        let checksum = format!("{:016x}", model.checksum());
        let mut architecture = serde_json::to_value(model.architecture())?;
        // Files leave out the switches that are off, but a reader wants to see them.
        for switch in ["spatial_policy", "afterstate_value"] {
            if let Value::Object(entries) = &mut architecture {
                entries.entry(switch).or_insert(Value::Bool(false));
            }
        }
        let scales = model.int8_scales().is_some();
        if self.json {
            let answer = NetworkFacts {
                architecture,
                checksum,
                encoding,
                games: readers,
                int8_scales: scales,
                parameters: model.size(),
            };
            write_json(&answer, out)?;
            return Ok(Done::All);
        }
        let mut row = |name: &str, value: &str| writeln!(out, "{name:<17} {value}");
        row("encoding", encoding)?;
        row("games", &readers.join(", "))?;
        if let Value::Object(entries) = &architecture {
            for (name, value) in entries {
                row(name, &value.to_string())?;
            }
        }
        row("8-bit scales", if scales { "yes" } else { "none" })?;
        row("parameters", &model.size().to_string())?;
        row("checksum", &checksum)?;
        Ok(Done::All)
    }
}

impl Seal {
    fn run(self) -> anyhow::Result<Done> {
        let like = self.like.as_deref().map(read_model).transpose()?;
        let name = self.file.display();
        let bytes = fs::read(&self.file).with_context(|| format!("'{name}'"))?;
        let model = Model::unsealed(&bytes, like.as_ref()).map_err(|error| match error {
            NetError::NoMetadata => anyhow!(
                "'{name}': {error} (--like FILE takes the encoding and the shape from another network)"
            ),
            NetError::ShapeMismatch(_) => {
                let like = self.like.as_deref().map(Path::display);
                let like = like.map_or_else(String::new, |like| format!(" '{like}'"));
                anyhow!("'{name}': {error}: expected that of --like{like}")
            }
            other => anyhow!("'{name}': {other}"),
        })?;
        readers(&model).with_context(|| format!("'{name}'"))?;
        write_new(self.out, &model.to_bytes()?)?;
        Ok(Done::All)
    }
}

/// A move and its output.
#[derive(Serialize)]
struct Indexed {
    #[serde(rename = "move")]
    mv: String,
    index: usize,
}

/// A position as an encoding shows it to a network.
#[derive(Serialize)]
struct EncodedPosition {
    game: &'static str,
    encoding: &'static str,
    position: String,
    /// How many cells a side of the board has.
    board: usize,
    /// The planes, each cell by cell.
    planes: Vec<Vec<f32>>,
    outputs: usize,
    moves: Vec<Indexed>,
}

impl Answer for EncodedPosition {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { encoding, board, planes, outputs, .. } = self;
        let count = planes.len();
        writeln!(out, "{encoding}: {count} planes of {board} × {board}, {outputs} outputs")?;
        let mut empty = vec![];
        for (number, plane) in planes.iter().enumerate() {
            if plane.iter().all(|cell| *cell == 0.0) {
                empty.push(number.to_string());
                continue;
            }
            writeln!(out, "\nplane {number}")?;
            for row in plane.chunks_exact(*board) {
                let cells: Vec<String> =
                    row.iter().map(|cell| format!("{:7.4}", Decimal((*cell).into()))).collect();
                writeln!(out, "{}", cells.join(""))?;
            }
        }
        writeln!(out, "\nplanes of zeros: {}", empty.join(" "))?;
        for Indexed { mv, index } in &self.moves {
            writeln!(out, "{mv} is output {index}")?;
        }
        Ok(())
    }
}

impl PlanesOf {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let PositionArgs { position, form } = self.query;
        let game = form.game()?;
        let encoding = game.encoding(self.encoding.as_deref())?;
        answer_each(game, &position, &form, out, |position| {
            let over = position.outcome().is_some();
            ensure!(!over, "'{position}': expected a position before the end of the game");
            let cells = encoding.board() * encoding.board();
            let mut numbers = vec![0.0; encoding.planes() * cells];
            encoding.write(position, &mut numbers)?;
            let indexed = |(mv, index)| Indexed { mv, index };
            let moves = position.moves().into_iter().zip(encoding.indices(position)?);
            Ok(EncodedPosition {
                game: game.name(),
                encoding: encoding.name(),
                position: position.to_string(),
                board: encoding.board(),
                planes: numbers.chunks_exact(cells).map(<[f32]>::to_vec).collect(),
                outputs: encoding.moves(),
                moves: moves.map(indexed).collect(),
            })
        })?;
        Ok(Done::All)
    }
}

impl Answer for PolicyReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "value {:.4} for the side to move", self.value)?;
        for LikelyMove { r#move, index, logit, prior } in &self.moves {
            let logit = Decimal((*logit).into());
            writeln!(out, "{move:<8} {prior:.4}  logit {logit:8.4}  output {index}")?;
        }
        Ok(())
    }
}

/// The network in a file, or the one that ships with the game.
fn network_of(game: Game, path: Option<&Path>) -> anyhow::Result<Box<dyn PolicyNetwork>> {
    let Some(path) = path else {
        let Facts { name, network, .. } = game.facts();
        let bytes =
            network.ok_or_else(|| anyhow!("no network ships with {name}: expected --net FILE"))?;
        return Ok(game.policy(&Model::from_bytes(bytes)?)?);
    };
    game.policy(&read_model(path)?).with_context(|| format!("'{}'", path.display()))
}

impl PolicyOf {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let PositionArgs { position, form } = self.query;
        let game = form.game()?;
        let mut network = network_of(game, self.net.as_deref())?;
        answer_each(game, &position, &form, out, |position| Ok(network.report(position)?))?;
        Ok(Done::All)
    }
}
