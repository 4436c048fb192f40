//! Work in units: jobs and the folders of plans as they are read, and work that was done in units
//! against the same work done in one go.

use std::fs;
use std::path::Path;

use wurfel_agents::{Catalogued, Spec, UseGame, games, with_game};
use wurfel_arena::{CupLimits, LuckMeter, Match, Output};
use wurfel_core::Random;
use wurfel_work::{
    Job, Manifest, MatchJob, Merged, Plan, Planned, Resources, TournamentJob, testkit,
};
use xxhash_rust::xxh3::xxh3_128;

use super::checks::{chance, one_line, parts, text, with_files};

/// Maximum number of files in an input: the plan, then manifest and shard of each unit in turn.
const MAX_FILES: usize = 17;
/// Agents that are built and play at once, and read no file.
const QUICK: [&str; 2] = ["random", "greedy"];
/// The games in which luck is measured quickly; with three dice a game of chess takes seconds.
const QUICK_LUCK: [&str; 2] = ["einstein", "einstein-nearest"];
/// Maximum number of pairs of a job that is done.
const MAX_PAIRS: u64 = 6;
/// Maximum number of units that are lost or damaged.
const MAX_LOSSES: u32 = 4;

/// Reads the input as a job, and its parts as the files of a plan, as they are and with the checksums
/// corrected.
pub fn fuzz(input: &[u8]) {
    match Job::read(&text(input)) {
        Err(error) => one_line(&error),
        Ok(job) => {
            let written = serde_json::to_string(&job).expect("a job can be written");
            let again: Job = serde_json::from_str(&written).expect("a job that we have written");
            assert_eq!(again, job, "a job changes when it is kept");
        }
    }
    let files = parts(input, MAX_FILES);
    let plan: Option<Plan> = serde_json::from_slice(files[0]).ok();
    read_folder(&named(&files, None), plan.as_ref());
    if let Some(plan) = &plan {
        read_folder(&named(&files, Some(plan)), Some(plan));
    }
}

/// The files of a plan with their names; with `plan`, manifests are made to fit plan and shards.
fn named(files: &[&[u8]], plan: Option<&Plan>) -> Vec<(String, Vec<u8>)> {
    let mut named = vec![("plan.json".to_owned(), files[0].to_vec())];
    for (unit, pair) in files[1..].chunks(2).enumerate() {
        let (manifest, shard) = (pair[0], pair.get(1).copied().unwrap_or_default());
        let name = format!("{unit}.shard");
        let fitting = plan.and_then(|plan| {
            let there: Manifest = serde_json::from_slice(manifest).ok()?;
            let fitting = Manifest {
                unit: unit as u64,
                plan: plan.checksum(),
                shard: name.clone(),
                bytes: shard.len() as u64,
                checksum: format!("{:032x}", xxh3_128(shard)),
                ..there
            };
            serde_json::to_vec(&fitting).ok()
        });
        let manifest = fitting.unwrap_or_else(|| manifest.to_vec());
        named.push((format!("units/{unit:06}.json"), manifest));
        named.push((format!("units/{name}"), shard.to_vec()));
    }
    named
}

fn read_folder(files: &[(String, Vec<u8>)], plan: Option<&Plan>) {
    if plan.is_some_and(|plan| !is_quick(&plan.job)) {
        return;
    }
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    with_files(&files, |folder| match Planned::open(folder) {
        Err(error) => one_line(&error),
        Ok(planned) => look(&planned),
    });
}

/// Whether the work of a job can be made without files, networks or much time.
fn is_quick(job: &Job) -> bool {
    let known = |agent: &String| {
        agent.parse::<Spec>().map_or(true, |spec| QUICK.contains(&spec.name.as_str()))
    };
    match job {
        Job::Match(job) => job.agents.iter().all(known),
        Job::Tournament(job) => job.agents.iter().all(known),
        Job::Regret(job) => known(&job.agent),
        Job::Positions(job) => job.eval.chars().all(char::is_alphanumeric),
        Job::Tables(_) => true,
        // Trainings, experiments, and future kinds.
        _ => false,
    }
}

/// Asks for the state of a plan, and merges it twice.
fn look(planned: &Planned) {
    if let Err(error) = planned.state() {
        one_line(&error);
    }
    for unit in [0, 1, u64::MAX] {
        let _ = planned.memory(unit, 2);
    }
    match planned.merge(Resources::default(), false) {
        Err(error) => one_line(&error),
        Ok(merged) => {
            let merged = merged.expect("nobody has stopped it");
            merged.summary.iter().for_each(one_line);
            let files = contents(&merged);
            let again = planned.merge(Resources::default(), true).expect("it was merged before");
            assert_eq!(again.as_ref().map(contents), Some(files), "another result the second time");
        }
    }
}

fn contents(merged: &Merged) -> Vec<Vec<u8>> {
    merged.files.iter().map(|file| fs::read(file).expect("a file of the result")).collect()
}

/// A match or tournament whose units are done in any order, and of which some are lost or damaged
/// and done again: the games are those of the same matches played in one run, and the figures
/// those of the same plan with as few units as possible.
pub fn fuzz_merges(input: &[u8]) {
    testkit::skip_searches();
    let random = &mut chance(input);
    let job = Job::read(&text(input)).ok().filter(is_small).unwrap_or_else(|| some_job(random));
    with_files(&[], |folder| {
        let merged = done(&job, &folder.join("units"), random);
        let whole = undivided(&job);
        let planned = planned(&whole, &folder.join("whole"));
        for unit in 0..planned.plan().units() {
            planned.run(unit, Resources::default()).expect("it can be played");
        }
        let together = planned.merge(Resources::default(), false).expect("all of it was played");
        let together = together.expect("nobody has stopped it");
        assert_eq!(merged.summary, together.summary);
        let files = contents(&merged);
        assert!(files == contents(&together), "the units of {job:?} make another result");
        let (_, games) = files.split_last().expect("a file with the figures");
        for (number, games) in games.iter().enumerate() {
            let played = played(&whole, number, &folder.join(format!("{number}.jsonl")));
            assert!(*games == played, "the units of {job:?} make other games in match {number}");
        }
    });
}

/// Whether a job is a match or tournament that can be played quickly.
fn is_small(job: &Job) -> bool {
    let (game, agents, pairs, budget, luck) = match job {
        Job::Match(job) => (&job.game, job.agents.to_vec(), job.pairs, job.budget, job.luck),
        Job::Tournament(job) => (&job.game, job.agents.clone(), job.pairs, job.budget, job.luck),
        _ => return false,
    };
    agents.len() <= 3
        && agents.iter().all(|agent| QUICK.contains(&agent.as_str()))
        && pairs <= MAX_PAIRS
        && budget == CupLimits::default()
        && (!luck || QUICK_LUCK.contains(&game.as_str()))
        && games().iter().any(|known| known.name == game)
}

fn some_job(random: &mut Random) -> Job {
    let names: Vec<&str> = games().iter().map(|game| game.name).collect();
    let game = (*random.pick(&names)).to_owned();
    let pairs = 1 + u64::from(random.below(MAX_PAIRS as u32));
    let units = 1 + u64::from(random.below(pairs as u32));
    let luck = random.below(4) == 0 && QUICK_LUCK.contains(&game.as_str());
    let (seed, budget) = (random.bits(), CupLimits::default());
    let mut agent = || (*random.pick(&QUICK)).to_owned();
    let agents = [agent(), agent()];
    if random.below(3) > 0 {
        return Job::Match(MatchJob { game, agents, pairs, seed, budget, luck, units });
    }
    let mut agents = agents.to_vec();
    agents.extend((random.below(2) > 0).then(|| "random".to_owned()));
    Job::Tournament(TournamentJob { game, agents, pairs, seed, budget, luck, units })
}

/// The same job in as few units as possible.
fn undivided(job: &Job) -> Job {
    let mut job = job.clone();
    match &mut job {
        Job::Match(job) => job.units = 1,
        Job::Tournament(job) => job.units = 1,
        _ => {}
    }
    job
}

fn planned(job: &Job, folder: &Path) -> Planned {
    Planned::create(job.clone(), folder).unwrap_or_else(|error| panic!("{error}: {job:?}"))
}

/// Does a job in a folder, with losses.
fn done(job: &Job, folder: &Path, random: &mut Random) -> Merged {
    let mut losses = 0;
    planned(job, folder);
    loop {
        // Each time as another program would open it.
        let planned = Planned::open(folder).expect("a plan that we have written");
        let state = planned.state().expect("a folder that can be listed");
        let Some(ready) = state.missing.get(..state.ready).filter(|ready| !ready.is_empty()) else {
            let merged = planned.merge(Resources::default(), false);
            return merged.expect("all units are there").expect("nobody has stopped it");
        };
        let unit = *random.pick(ready);
        let jobs = 1 + random.below(2) as usize;
        let manifest = planned.run(unit, Resources { jobs, stop: None }).expect("it can be played");
        let manifest = manifest.expect("nobody has stopped it");
        if losses < MAX_LOSSES && random.below(3) == 0 {
            losses += 1;
            lose(&planned, folder, &manifest, random);
        }
    }
}

/// Loses a finished unit: its files are damaged, which merging must detect, and removed.
fn lose(planned: &Planned, folder: &Path, manifest: &Manifest, random: &mut Random) {
    let units = folder.join("units");
    let own = units.join(format!("{:06}.json", manifest.unit));
    let shard = units.join(&manifest.shard);
    let mut bytes = fs::read(&shard).expect("the shard of the unit");
    let place = random.below(bytes.len() as u32) as usize;
    let damage = random.below(5);
    match damage {
        0 => {}
        1 => fs::remove_file(&shard).expect("the shard of the unit"),
        2 => {
            let text = fs::read(&own).expect("the manifest of the unit");
            let end = random.below(text.len() as u32 - 1) as usize;
            fs::write(&own, &text[..end]).expect("room for a file");
        }
        3 => fs::write(&shard, &bytes[..place]).expect("room for a file"),
        _ => {
            bytes[place] ^= 1 << random.below(8);
            fs::write(&shard, &bytes).expect("room for a file");
        }
    }
    // A file left by a program that is killed while it writes.
    fs::write(units.join(".000000.json"), &bytes[..place]).expect("room for a file");
    match planned.merge(Resources::default(), false) {
        Err(error) => one_line(&error),
        Ok(_) => assert_eq!(damage, 0, "a damaged unit is merged"),
    }
    fs::remove_file(&own).expect("the manifest of the unit");
}

/// The games of one of the matches of a job, played in one run.
fn played(job: &Job, number: usize, path: &Path) -> Vec<u8> {
    let (game, agents, pairs, seed, luck) = match job {
        Job::Match(job) => (&job.game, job.agents.to_vec(), job.pairs, job.seed, job.luck),
        Job::Tournament(job) => (&job.game, job.agents.clone(), job.pairs, job.seed, job.luck),
        _ => unreachable!("only matches and tournaments are played"),
    };
    let count = agents.len();
    let mut met = (0..count).flat_map(|one| (one + 1..count).map(move |other| [one, other]));
    let met = met.nth(number).expect("a match of the job");
    let seed = wurfel_arena::seed_of_pairing(seed, met);
    let specs = met.map(|agent| agents[agent].parse().expect("a spec that was built before"));
    with_game(game, Play { specs, pairs, seed, luck, path }).expect("a game of the list");
    fs::read(path).expect("the games of the match")
}

struct Play<'a> {
    specs: [Spec; 2],
    pairs: u64,
    seed: u64,
    luck: bool,
    path: &'a Path,
}

impl UseGame for Play<'_> {
    type Output = ();

    fn with<G: Catalogued>(self, rules: &G) {
        let Self { specs, pairs, seed, luck, path } = self;
        let mut arranged = Match::new(rules, specs, pairs, seed).expect("agents of the game");
        arranged.luck = luck.then(LuckMeter::default_for_game);
        let output = Output::open(path, &arranged.header(), false).expect("a new file");
        arranged.run(1, Some(output), &mut |_| ()).expect("it can be played");
    }
}
