//! Compares the speed of the networks with onnxruntime and `PyTorch` in one run, on one thread
//! each, in positions per second of CPU time.
//!
//! ```sh
//! cargo run --release -p wurfel-net --example compare -- [python3 [NETWORK...]]
//! ```
//!
//! The given Python should have torch, safetensors, onnx and onnxruntime. Where torch is missing, `PyTorch` is left
//! out. Without names, all networks are measured: `paper`, `2×64` and `5 blocks of 64`.
#![allow(clippy::print_stdout, reason = "prints its table")]

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use wurfel_core::Random;
use wurfel_net::{
    Architecture, Batch, Forward, Inference, Instructions, Int8Inference, Int8Instructions,
    Learner, Method, Model, OptimizerStep, TaskWeights, Trainer,
};

/// How many seconds of CPU time each measurement takes.
const SECONDS: f64 = 3.0;

/// The seconds of CPU time that this process has used so far (Linux only).
fn cpu_time() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().ok_or("an empty schedstat")?;
    Ok(nanoseconds.parse::<f64>()? * 1e-9)
}

fn rate(count: usize, mut work: impl FnMut()) -> Result<f64, Box<dyn Error>> {
    work();
    let (start, mut done) = (cpu_time()?, 0);
    loop {
        work();
        done += count;
        let time = cpu_time()? - start;
        if time >= SECONDS {
            return Ok(done as f64 / time);
        }
    }
}

/// Random positions to evaluate and to learn from, `count` of them.
struct Positions {
    planes: Vec<f32>,
    legal: Vec<bool>,
    policy: Vec<f32>,
    values: Vec<f32>,
}

impl Positions {
    fn new(architecture: &Architecture, count: usize) -> Self {
        let mut random = Random::new(1);
        let (cells, moves) = (architecture.cells(), architecture.moves);
        let numbers = count * architecture.planes * cells;
        Self {
            planes: (0..numbers).map(|_| random.below(2) as f32).collect(),
            legal: vec![true; count * moves],
            policy: vec![1.0 / moves as f32; count * moves],
            values: (0..count).map(|_| random.below(3) as f32 - 1.0).collect(),
        }
    }
}

fn inferring(
    model: &Model,
    instructions: Instructions,
    batch: usize,
) -> Result<f64, Box<dyn Error>> {
    inferring_with(&mut Inference::with(model, instructions, Method::Faster), batch)
}

fn inferring_with(inference: &mut dyn Forward, batch: usize) -> Result<f64, Box<dyn Error>> {
    let Positions { planes, mut policy, mut values, .. } =
        Positions::new(inference.architecture(), batch);
    rate(batch, || inference.infer(&planes, &mut policy, &mut values))
}

fn learning(model: &Model, instructions: Instructions) -> Result<f64, Box<dyn Error>> {
    const BATCH: usize = 1024;
    let Positions { planes, legal, policy, values } = Positions::new(model.architecture(), BATCH);
    let batch = Batch { planes: &planes, legal: &legal, policy: &policy, values: &values };
    let mut trainer = Trainer::with(model, BATCH, instructions);
    rate(BATCH, || {
        trainer.learn(&batch, TaskWeights::default());
        trainer.step(OptimizerStep { learning_rate: 1e-3, l2: 1e-4, clip: 1.0, ema_decay: 0.0 });
    })
}

/// The results of the programs in Python: positions per second, by name and batch. What they cannot do is
/// left out.
fn others(python: &str, net: &Path) -> Result<HashMap<(String, usize), f64>, Box<dyn Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let scripts: [(&str, &[&str], &str); 2] = [
        ("examples/onnx_speed.py", &[], "onnx"),
        ("tests/reference.py", &["speed"], "safetensors"),
    ];
    let mut others = HashMap::new();
    for (script, command, extension) in scripts {
        let script = format!("{folder}{script}");
        let net = net.with_extension(extension);
        let output = Command::new(python).arg(script).args(command).arg(net).output()?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let [who, batch, rate] = line.split(' ').collect::<Vec<_>>()[..] {
                others.insert((who.to_owned(), batch.parse()?), rate.parse()?);
            }
        }
    }
    Ok(others)
}

fn main() -> Result<(), Box<dyn Error>> {
    let python = std::env::args().nth(1).unwrap_or_else(|| "python3".into());
    let wanted: Vec<String> = std::env::args().skip(2).collect();
    let folder = std::env::temp_dir().join(format!("wurfel-compare-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let paper = Architecture::paper(5, 16, 27);
    let nets = [
        ("paper", paper),
        ("2×64", paper.with_tower(64, 2, 0)),
        ("5 blocks of 64", paper.with_tower(64, 1, 5)),
    ];
    for (name, architecture) in nets {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        let mut model = Model::new(architecture, "einstein", &mut Random::new(1))?;
        let Positions { planes, .. } = Positions::new(&architecture, 300);
        model.quantise(&planes);
        let file = folder.join("net.safetensors");
        let bytes: Vec<u8> = planes.iter().flat_map(|number| number.to_le_bytes()).collect();
        fs::write(file.with_extension("planes"), bytes)?;
        fs::write(&file, model.to_bytes()?)?;
        fs::write(file.with_extension("onnx"), model.to_onnx())?;
        let others = others(&python, &file)?;
        let other =
            |who: &str, batch| others.get(&(who.into(), batch)).copied().unwrap_or(f64::NAN);
        println!("\n{name}: positions a second, batch by batch; multiples are of onnxruntime");
        for batch in [1, 8, 64, 256] {
            let [exact, rough] = ["onnxruntime", "onnxruntime-int8"].map(|who| other(who, batch));
            println!("{batch:>4} PyTorch f32 {:.0}", other("torch", batch));
            println!(
                "{batch:>4} onnxruntime f32 {exact:.0}, int8 {rough:.0} ({:.2} ×)",
                rough / exact
            );
            for instructions in Instructions::available() {
                let here = inferring(&model, instructions, batch)?;
                println!("{batch:>4} f32 {instructions} {here:.0} ({:.2} ×)", here / exact);
            }
            for instructions in Int8Instructions::available() {
                let inference = Int8Inference::with(&model, instructions);
                let here = inferring_with(&mut inference.ok_or("no scales")?, batch)?;
                let (of_exact, of_rough) = (here / exact, here / rough);
                println!(
                    "{batch:>4} int8 {instructions} {here:.0} ({of_exact:.2} ×, of its int8 {of_rough:.2} ×)"
                );
            }
        }
        let torch = other("torch-training", 1024);
        print!("learning: PyTorch {torch:.0}");
        for instructions in Instructions::available() {
            let here = learning(&model, instructions)?;
            print!("   {instructions} {here:.0} ({:.2} ×)", here / torch);
        }
        println!();
    }
    fs::remove_dir_all(&folder)?;
    Ok(())
}
