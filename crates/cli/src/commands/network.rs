//! `wurfel network`: the description of a network and its view of a position, so that programs in
//! other languages can check their encoding; and checksums for network files whose parameters were
//! changed by other programs.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::{Value, json};
use wurfel_agents::{Catalogued, readers};
use wurfel_arena::Printed;
use wurfel_core::{Encode, Network, Predictions, Situation};
use wurfel_net::{EncodedNetwork, Forward, Inference, Model, NetError};

use crate::Done;
use crate::batch::{Answer, PositionArgs, answer_each};
use crate::game_command::GameCommand;
use crate::json::write_json;
use crate::new_file::new_file;

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
    /// The encoding, such as ewn-v2 (the game's newest if left out)
    #[arg(long)]
    encoding: Option<String>,
}

/// Shows a network's output for a position: its value, and the prior of each move
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel network policy 'ABC2/DE3/F3f/3ed/2cba r 4 1'")]
struct PolicyOf {
    #[command(flatten)]
    query: PositionArgs,
    /// The network, a file that `wurfel train network` has written (the game's own if left out)
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
    /// A network whose encoding and shape the new one has (those that the file itself names if left
    /// out)
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
fn read(path: &Path) -> anyhow::Result<Model> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("'{name}'"))?;
    Model::from_bytes(&bytes).with_context(|| format!("'{name}'"))
}

impl Info {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let model = read(&self.net)?;
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
            let answer = json!({
                "encoding": encoding,
                "games": readers,
                "architecture": architecture,
                "int8_scales": scales,
                "parameters": model.size(),
                "checksum": checksum,
            });
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
        let like = self.like.as_deref().map(read).transpose()?;
        let name = self.file.display();
        let bytes = fs::read(&self.file).with_context(|| format!("'{name}'"))?;
        let model = Model::unsealed(&bytes, like.as_ref()).map_err(|error| match error {
            NetError::Undescribed => anyhow!(
                "'{name}': {error} (--like FILE takes the encoding and the shape from another network)"
            ),
            NetError::Unlike(_) => {
                let like = self.like.as_deref().map(Path::display);
                let like = like.map_or_else(String::new, |like| format!(" '{like}'"));
                anyhow!("'{name}': {error}: expected that of --like{like}")
            }
            other => anyhow!("'{name}': {other}"),
        })?;
        readers(&model).with_context(|| format!("'{name}'"))?;
        let mut file = new_file(self.out)?;
        file.write(&model.to_bytes()?)?;
        file.finish()?;
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

/// The indices of the legal moves; none before the roll.
fn indexed<G: Catalogued>(encode: &dyn Encode<G>, situation: &Situation<G>) -> Vec<Indexed> {
    let Some(turn) = situation.turn() else { return vec![] };
    let moves = turn.moves();
    let each = moves.as_ref().iter();
    each.map(|&mv| Indexed { mv: mv.to_string(), index: encode.index(turn, mv) }).collect()
}

fn planes<G: Catalogued>(encode: &dyn Encode<G>, situation: &Situation<G>) -> Vec<f32> {
    let mut planes = vec![0.0; encode.planes() * encode.board() * encode.board()];
    encode.write(situation, &mut planes);
    planes
}

fn not_over<G: Catalogued>(situation: &Situation<G>) -> anyhow::Result<()> {
    let over = situation.position.outcome().is_some();
    ensure!(!over, "'{situation}': expected a position before the end of the game");
    Ok(())
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
                    row.iter().map(|cell| format!("{:7.4}", Printed((*cell).into()))).collect();
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

impl GameCommand for PlanesOf {
    fn game(&self) -> &str {
        &self.query.form.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let wanted = self.encoding.as_deref();
        let known: Vec<&str> = G::ENCODINGS.iter().map(|encode| encode.name()).collect();
        let found = G::ENCODINGS.iter().find(|encode| wanted.is_none_or(|w| encode.name() == w));
        let encode = *found.ok_or_else(|| match wanted {
            Some(name) => anyhow!("unknown encoding '{name}': expected {}", known.join(", ")),
            None => anyhow!("'{}': expected a game that has an encoding", G::NAME),
        })?;
        let PositionArgs { position, form } = self.query;
        answer_each::<G, _>(&position, &form, out, |situation| {
            not_over(&situation)?;
            let cells = encode.board() * encode.board();
            let numbers = planes(encode, &situation);
            Ok(EncodedPosition {
                game: G::NAME,
                encoding: encode.name(),
                position: situation.to_string(),
                board: encode.board(),
                planes: numbers.chunks_exact(cells).map(<[f32]>::to_vec).collect(),
                outputs: encode.moves(),
                moves: indexed(encode, &situation),
            })
        })?;
        Ok(Done::All)
    }
}

/// A move with a network's output for it.
#[derive(Serialize)]
struct Likely {
    #[serde(flatten)]
    place: Indexed,
    /// The network's output, before the softmax over the legal moves.
    logit: f32,
    /// The network's probability that the move is the best one.
    prior: f32,
}

/// A network's output for a position.
#[derive(Serialize)]
struct NetworkAnswer {
    game: &'static str,
    encoding: String,
    /// The checksum of the network.
    checksum: String,
    position: String,
    /// The expected result for the side to move, 0 to 1.
    value: f32,
    /// The moves, the likeliest ones first.
    moves: Vec<Likely>,
}

impl Answer for NetworkAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "value {:.4} for the side to move", self.value)?;
        for Likely { place, logit, prior } in &self.moves {
            writeln!(
                out,
                "{:<8} {prior:.4}  logit {:8.4}  output {}",
                place.mv,
                Printed((*logit).into()),
                place.index
            )?;
        }
        Ok(())
    }
}

/// The network in a file, or the one that ships with the game.
fn network_of<G: Catalogued>(path: Option<&Path>) -> anyhow::Result<Model> {
    let Some(path) = path else {
        let bytes = G::NETWORK
            .ok_or_else(|| anyhow!("no network ships with {}: expected --net FILE", G::NAME))?;
        return Ok(Model::from_bytes(bytes)?);
    };
    let model = read(path)?;
    // The error of this call names the encodings that the game has.
    EncodedNetwork::<G>::new(&model, G::ENCODINGS)
        .with_context(|| format!("'{}'", path.display()))?;
    Ok(model)
}

impl GameCommand for PolicyOf {
    fn game(&self) -> &str {
        &self.query.form.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let model = network_of::<G>(self.net.as_deref())?;
        let found = G::ENCODINGS.iter().find(|encode| encode.name() == model.encoding());
        let encode = *found.context("the network names no encoding of this game")?;
        let mut network: EncodedNetwork<G> = EncodedNetwork::new(&model, G::ENCODINGS)?;
        let mut inference = Inference::new(&model);
        let mut predictions = Predictions::default();
        let PositionArgs { position, form } = self.query;
        answer_each::<G, _>(&position, &form, out, |situation| {
            not_over(&situation)?;
            ensure!(
                situation.roll.is_some() || network.evaluates_at_rest(),
                "'{situation}': expected a roll, because this network does not know positions before it"
            );
            network.infer(std::slice::from_ref(&situation), &mut predictions);
            let (mut logits, mut values) = (vec![0.0; encode.moves()], [0.0]);
            inference.infer(&planes(encode, &situation), &mut logits, &mut values);
            let prediction = predictions.iter().next().context("the network says nothing")?;
            let each = indexed(encode, &situation).into_iter().zip(prediction.prior);
            let mut moves: Vec<Likely> = each
                .map(|(place, &prior)| Likely { logit: logits[place.index], place, prior })
                .collect();
            moves.sort_by(|one, other| other.prior.total_cmp(&one.prior));
            Ok(NetworkAnswer {
                game: G::NAME,
                encoding: model.encoding().to_owned(),
                checksum: format!("{:016x}", model.checksum()),
                position: situation.to_string(),
                value: prediction.value,
                moves,
            })
        })?;
        Ok(Done::All)
    }
}
