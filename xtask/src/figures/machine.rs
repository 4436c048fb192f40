//! The circumstances of a measurement: machine, load, date, sources and compiler.

use std::path::Path;
use std::process::Command;
use std::{fs, thread};

use crate::compiled;

/// The name of the machine. Figures are compared only between machines with the same name.
pub fn name() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    named(&info, cpus)
}

fn named(cpuinfo: &str, cpus: usize) -> String {
    let model = field(cpuinfo, "model name").unwrap_or(std::env::consts::ARCH);
    // Virtual machines give the same name to CPUs of different generations, so the generation is
    // added.
    let generation = match (field(cpuinfo, "cpu family"), field(cpuinfo, "model")) {
        (Some(family), Some(number)) => format!(" (family {family}, model {number})"),
        _ => String::new(),
    };
    let widest = [("avx512f", ", AVX-512"), ("avx2", ", AVX2")];
    let vectors = widest.iter().find(|(flag, _)| flags(cpuinfo, flag)).map_or("", |(_, name)| name);
    format!("{model}{generation}, {cpus} CPUs{vectors}")
}

/// Whether the CPU has the instructions with this name in `/proc/cpuinfo`.
pub fn has(flag: &str) -> bool {
    flags(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default(), flag)
}

fn flags(cpuinfo: &str, flag: &str) -> bool {
    field(cpuinfo, "flags").is_some_and(|flags| flags.split(' ').any(|known| known == flag))
}

fn field<'a>(cpuinfo: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(known, _)| known.trim() == name).map(|(_, value)| value.trim())
}

/// How many programs were ready to run, on average over the last minute.
pub fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").into()
}

/// Today's date, in the form 2026-11-23.
pub fn today() -> String {
    jiff::Zoned::now().date().to_string()
}

/// The commit, whether the sources differ from it, and the compiler.
pub fn versions(root: &Path) -> String {
    let commit = said(root, "git", &["describe", "--always", "--dirty=+", "--exclude=*"]);
    let compiler = compiled::compiler(root).unwrap_or_else(|_| "unknown".into());
    format!("commit {commit}, Rust {compiler}")
}

fn said(root: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(root).output();
    let output = output.ok().filter(|output| output.status.success());
    output.map_or_else(
        || "unknown".into(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_its_cpu_with_its_widest_vectors() {
        let info = "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu avx avx2 avx512f\n\n\
                    processor\t: 1\nmodel name\t: AMD EPYC\n";
        assert_eq!(named(info, 2), "AMD EPYC, 2 CPUs, AVX-512");
        assert_eq!(named(&info.replace(" avx512f", ""), 2), "AMD EPYC, 2 CPUs, AVX2");
        assert_eq!(named(&info.replace("avx", "sse"), 1), "AMD EPYC, 1 CPUs");
        let other = format!("cpu family\t: 26\nmodel\t\t: 2\n{info}");
        assert_eq!(named(&other, 2), "AMD EPYC (family 26, model 2), 2 CPUs, AVX-512");
        assert!(flags(info, "avx2") && !flags(info, "avx512"));
    }
}
