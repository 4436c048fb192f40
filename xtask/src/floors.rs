//! Checks that dependencies only point down, and that the crates above the library `wurfel` are
//! compiled once, not again for each game.
//!
//! Each crate lives on a floor and may need only crates of lower floors, in its tests and build
//! script as well. A dependency sideways or upwards is refused, and so is a crate without an
//! assigned floor. Above the library no code has a type parameter for a game.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::files::with_extension;

/// The folders under `crates/`, lowest floor first.
const FLOORS: [&[&str]; 10] = [
    &["core"],
    &["games", "protocol", "search", "statistics"],
    &["engines", "net", "tablebase"],
    &["agents", "gpu"],
    &["arena"],
    &["train"],
    &["wurfel"],
    &["lab", "site"],
    &["wasm", "work"],
    &["cli", "python"],
];

/// The library below which code is compiled for each game.
const LIBRARY: &str = "wurfel";

/// Names that occur only in code that is compiled for each game.
const FOR_EACH_GAME: [&str; 6] =
    ["Catalogued", "UseGame", "with_game", "GameCommand", "<G>", "<G:"];

/// The package of the checks themselves: on no floor, needed by no crate and needing none.
const XTASK: &str = "xtask";

/// The fuzz targets, the counted kernels and the package of a game from outside: above all floors, so
/// they may need every crate, and no crate may need them.
const ABOVE: [&str; 3] = ["wurfel-fuzz", "wurfel-counts", "sprint"];

/// A package of the workspace, as far as the floors are concerned.
struct Member {
    name: String,
    /// The folder of the package, relative to the workspace's root, with forward slashes.
    folder: String,
    /// The names of the project's own packages that it depends on.
    needs: BTreeSet<String>,
    /// The names of further packages that its tests, examples and benchmarks need.
    tests_need: BTreeSet<String>,
}

/// Prints one line per crate, or fails with every violation.
pub fn check(root: &Path) -> Result<()> {
    let metadata =
        MetadataCommand::new().current_dir(root).no_deps().exec().context("cargo metadata")?;
    let members = members(&metadata);
    let mut problems = for_each_game(root, &members)?;
    match survey(&members) {
        Ok(lines) if problems.is_empty() => {
            for line in lines {
                println!("{line}");
            }
            return Ok(());
        }
        Ok(_) => {}
        Err(found) => problems.extend(found),
    }
    bail!("floors\n  {}", problems.join("\n  "))
}

/// The places above the library where code is compiled for each game.
fn for_each_game(root: &Path, members: &[Member]) -> Result<Vec<String>> {
    let library = place(LIBRARY).context("the library has a place")?.floor;
    let above =
        members.iter().filter(|member| place(&member.name).is_some_and(|at| at.floor > library));
    // The package for Python is a workspace of its own.
    let folders = above.map(|member| member.folder.as_str()).chain(["crates/python"]);
    let mut problems = vec![];
    for folder in folders {
        for file in with_extension(&root.join(folder).join("src"), "rs")? {
            let text = std::fs::read_to_string(&file)?;
            let shown = file.strip_prefix(root).unwrap_or(&file).display().to_string();
            problems.extend(named_in(&text).map(|(line, word)| {
                format!("{shown}:{line}: {word} is for code below the library {LIBRARY}")
            }));
        }
    }
    Ok(problems)
}

/// The lines of a text, from 1, that name what is [`FOR_EACH_GAME`], and what they name.
fn named_in(text: &str) -> impl Iterator<Item = (usize, &'static str)> {
    let code = |line: &&str| !line.trim_start().starts_with("//");
    let lines = text.lines().enumerate().filter(move |(_, line)| code(line));
    lines.filter_map(|(number, line)| {
        let word = FOR_EACH_GAME.into_iter().find(|word| line.contains(word))?;
        Some((number + 1, word))
    })
}

/// The packages in cargo's metadata, reduced to what the floors need.
fn members(metadata: &Metadata) -> Vec<Member> {
    let packages = metadata.workspace_packages();
    let is_ours = |name: &str| packages.iter().any(|package| *package.name == name);
    packages
        .iter()
        .map(|package| {
            let manifest = &package.manifest_path;
            let folder = manifest.parent().unwrap_or(manifest);
            let folder = folder.strip_prefix(&metadata.workspace_root).unwrap_or(folder);
            // This includes every kind of dependency, optional and platform ones as well.
            let needed = |for_tests: bool| -> BTreeSet<String> {
                package
                    .dependencies
                    .iter()
                    .filter(|dependency| dependency.path.is_some() || is_ours(&dependency.name))
                    .filter(|dependency| {
                        (dependency.kind == DependencyKind::Development) == for_tests
                    })
                    .map(|dependency| dependency.name.clone())
                    .collect()
            };
            Member {
                name: package.name.to_string(),
                folder: folder.as_str().replace('\\', "/"),
                needs: needed(false),
                tests_need: needed(true),
            }
        })
        .collect()
}

/// One line for each crate, lowest floor first, or everything that is wrong.
fn survey(members: &[Member]) -> Result<Vec<String>, Vec<String>> {
    let mut lines = Vec::new();
    let mut problems = Vec::new();
    for member in members {
        let Member { name, folder, .. } = member;
        if name == XTASK {
            problems.extend(
                (member.needs.iter())
                    .chain(&member.tests_need)
                    .map(|need| format!("{XTASK} needs {need}: it may need no crate")),
            );
            continue;
        }
        if ABOVE.contains(&name.as_str()) {
            continue;
        }
        let Some(place) = place(name) else {
            problems.push(format!("{name} in {folder} is on no floor"));
            continue;
        };
        if *folder != place.folder() {
            problems.push(format!("{name} is in {folder}, not in {}", place.folder()));
        }
        let needs = member.needs.iter().map(|need| (need, 1));
        let tests_need = member.tests_need.iter().map(|need| (need, 0));
        for (need, least_way_down) in needs.chain(tests_need) {
            match self::place(need) {
                Some(other) if other.floor + least_way_down <= place.floor => {}
                Some(other) => problems.push(format!(
                    "{name} on floor {} needs {need} on floor {}: dependencies only point down",
                    place.floor, other.floor
                )),
                None => problems.push(format!("{name} needs {need}, which is on no floor")),
            }
        }
        let needs: Vec<&str> = member.needs.iter().map(String::as_str).collect();
        let arrow = if needs.is_empty() { "" } else { " -> " };
        lines.push((place, format!("floor {}  {name}{arrow}{}", place.floor, needs.join(", "))));
    }
    if problems.is_empty() {
        lines.sort();
        Ok(lines.into_iter().map(|(_, line)| line).collect())
    } else {
        Err(problems)
    }
}

/// The place of a crate; ordered by floor, then in the order of the floor's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    floor: usize,
    index: usize,
}

impl Place {
    fn folder(self) -> String {
        format!("crates/{}", FLOORS[self.floor][self.index])
    }
}

fn place(name: &str) -> Option<Place> {
    // The library above all that is generic has the project's plain name.
    let short = if name == "wurfel" {
        name
    } else {
        name.strip_prefix("wurfel-").filter(|&short| short != "wurfel")?
    };
    FLOORS.iter().enumerate().find_map(|(floor, crates)| {
        let index = crates.iter().position(|&listed| listed == short)?;
        Some(Place { floor, index })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A member in the folder that matches its name.
    fn member(name: &str, needs: &[&str]) -> Member {
        let short = name.strip_prefix("wurfel-").unwrap_or(name);
        Member {
            name: name.into(),
            folder: format!("crates/{short}"),
            needs: needs.iter().map(|&need| need.into()).collect(),
            tests_need: BTreeSet::new(),
        }
    }

    fn problem(member: Member) -> String {
        let problems = survey(&[member]).expect_err("refused");
        assert_eq!(problems.len(), 1, "{problems:?}");
        problems[0].clone()
    }

    #[test]
    fn a_sound_house_is_listed_from_the_ground_up() {
        let house = [
            member("wurfel", &["wurfel-arena", "wurfel-core"]),
            member("wurfel-search", &["wurfel-core"]),
            member("wurfel-arena", &["wurfel-search", "wurfel-games"]),
            member("wurfel-games", &["wurfel-core"]),
            member("wurfel-core", &[]),
            member("xtask", &[]),
        ];
        assert_eq!(
            survey(&house).expect("sound"),
            [
                "floor 0  wurfel-core",
                "floor 1  wurfel-games -> wurfel-core",
                "floor 1  wurfel-search -> wurfel-core",
                "floor 4  wurfel-arena -> wurfel-games, wurfel-search",
                "floor 6  wurfel -> wurfel-arena, wurfel-core",
            ]
        );
    }

    #[test]
    fn code_for_each_game_is_found() {
        let text =
            "// A word on Catalogued.\nfn seek<G: Game>() {}\nlet x = with_game(GAME);\nlet g = 1;";
        assert_eq!(named_in(text).collect::<Vec<_>>(), [(2, "<G:"), (3, "with_game")]);
    }

    #[test]
    fn upward_is_refused() {
        assert_eq!(
            problem(member("wurfel-core", &["wurfel-search"])),
            "wurfel-core on floor 0 needs wurfel-search on floor 1: dependencies only point down"
        );
    }

    #[test]
    fn sideways_is_refused() {
        assert_eq!(
            problem(member("wurfel-search", &["wurfel-core", "wurfel-games"])),
            "wurfel-search on floor 1 needs wurfel-games on floor 1: dependencies only point down"
        );
    }

    #[test]
    fn tests_may_look_sideways_but_not_up() {
        let mut search = member("wurfel-search", &["wurfel-core"]);
        search.tests_need.insert("wurfel-games".into());
        assert!(survey(&[search]).is_ok());
        let mut search = member("wurfel-search", &["wurfel-core"]);
        search.tests_need.insert("wurfel-arena".into());
        assert_eq!(
            problem(search),
            "wurfel-search on floor 1 needs wurfel-arena on floor 4: dependencies only point down"
        );
    }

    #[test]
    fn an_unknown_crate_is_refused() {
        assert_eq!(
            problem(member("wurfel-attic", &[])),
            "wurfel-attic in crates/attic is on no floor"
        );
        // The library's package has only one name.
        assert!(place("wurfel-wurfel").is_none());
    }

    #[test]
    fn needing_an_unknown_crate_is_refused() {
        assert_eq!(
            problem(member("wurfel-games", &["xtask"])),
            "wurfel-games needs xtask, which is on no floor"
        );
    }

    #[test]
    fn the_checks_need_no_crate() {
        assert_eq!(
            problem(member("xtask", &["wurfel-core"])),
            "xtask needs wurfel-core: it may need no crate"
        );
    }

    #[test]
    fn another_folder_is_refused() {
        let mut search = member("wurfel-search", &["wurfel-core"]);
        search.folder = "crates/seek".into();
        assert_eq!(problem(search), "wurfel-search is in crates/seek, not in crates/search");
    }
}
