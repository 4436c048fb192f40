//! Compares the speed of the networks with onnxruntime and `PyTorch` in one run, on one thread
//! each, in positions per second of CPU time.
//!
//! ```sh
//! cargo run --release -p wurfel-net --example compare -- [python3]
//! ```
//!
//! The Python that is named must have torch, safetensors, onnx and onnxruntime.
#![allow(clippy::print_stdout, reason = "prints its table")]

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::process::Command;

use wurfel_core::Random;
use wurfel_net::{
    Architecture, Batch, Forward, Inference, Instructions, Learner, Method, Model, OptimizerStep,
    TaskWeights, Trainer,
};

/// How many seconds of CPU time each measurement takes.
const SECONDS: f64 = 3.0;

/// The seconds of CPU time that this process has used so far (Linux only).
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().ok_or("an empty schedstat")?;
    Ok(nanoseconds.parse::<f64>()? * 1e-9)
}

fn rate(count: usize, mut work: impl FnMut()) -> Result<f64, Box<dyn Error>> {
    work();
    let (start, mut done) = (processor_time()?, 0);
    loop {
        work();
        done += count;
        let time = processor_time()? - start;
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
    let Positions { planes, mut policy, mut values, .. } =
        Positions::new(model.architecture(), batch);
    let mut inference = Inference::with(model, instructions, Method::Faster);
    rate(batch, || inference.infer(&planes, &mut policy, &mut values))
}

fn learning(model: &Model, instructions: Instructions) -> Result<f64, Box<dyn Error>> {
    const BATCH: usize = 1024;
    let Positions { planes, legal, policy, values } = Positions::new(model.architecture(), BATCH);
    let batch = Batch { planes: &planes, legal: &legal, policy: &policy, values: &values };
    let mut trainer = Trainer::with(model, BATCH, instructions);
    rate(BATCH, || {
        trainer.learn(&batch, TaskWeights::default());
        trainer.step(OptimizerStep { learning_rate: 1e-3, decay: 1e-4, clip: 1.0, keep: 0.0 });
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let python = std::env::args().nth(1).unwrap_or_else(|| "python3".into());
    let folder = std::env::temp_dir().join(format!("wurfel-compare-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let paper = Architecture::paper(5, 16, 27);
    let nets = [
        ("paper", paper),
        ("2×64", paper.with_tower(64, 2, 0)),
        ("5 blocks of 64", paper.with_tower(64, 1, 5)),
    ];
    for (name, architecture) in nets {
        let model = Model::new(architecture, "einstein", &mut Random::new(1))?;
        let file = folder.join("net.safetensors");
        fs::write(&file, model.to_bytes()?)?;
        fs::write(file.with_extension("onnx"), model.to_onnx())?;
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference.py");
        let output = Command::new(&python).args([script, "speed"]).arg(&file).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut others: HashMap<(String, usize), f64> = HashMap::new();
        for line in text.lines() {
            if let [who, batch, rate] = line.split(' ').collect::<Vec<_>>()[..] {
                others.insert((who.to_owned(), batch.parse()?), rate.parse()?);
            }
        }
        println!("\n{name}: positions a second, batch by batch");
        println!("{:>10} {:>12} {:>12} {:>28}", "batch", "onnxruntime", "PyTorch", "here");
        let other =
            |who: &str, batch| others.get(&(who.into(), batch)).copied().unwrap_or(f64::NAN);
        for batch in [1, 8, 64, 256] {
            let (onnx, torch) = (other("onnxruntime", batch), other("torch", batch));
            print!("{batch:>10} {onnx:>12.0} {torch:>12.0}");
            for instructions in Instructions::available() {
                let here = inferring(&model, instructions, batch)?;
                print!("   {instructions} {here:.0} ({:.2} ×)", here / onnx);
            }
            println!();
        }
        let torch = other("torch-training", 1024);
        print!("{:>10} {:>12} {torch:>12.0}", "learning", "");
        for instructions in Instructions::available() {
            let here = learning(&model, instructions)?;
            print!("   {instructions} {here:.0} ({:.2} ×)", here / torch);
        }
        println!();
    }
    fs::remove_dir_all(&folder)?;
    Ok(())
}
