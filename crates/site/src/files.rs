//! The page: the files of `web/`, which are part of the program.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use wurfel_core::checksum;

use crate::docs::{Docs, Kind};
use crate::file::File;
use crate::http::answers::Problem;

/// A file of the page as it is stored in the program.
struct Source {
    path: &'static str,
    kind: &'static str,
    content: &'static str,
}

macro_rules! files {
    ($($kind:literal: $($path:literal),+;)+) => {
        &[$($(Source {
            path: concat!("/", $path),
            kind: $kind,
            content: include_str!(concat!("../web/", $path)),
        },)+)+]
    };
}

const FILES: &[Source] = files! {
    "text/html; charset=utf-8": "index.html";
    "application/manifest+json": "manifest.webmanifest";
    "text/css; charset=utf-8": "style.css";
    "image/svg+xml": "icon.svg";
    "text/javascript; charset=utf-8":
        "app.js", "api.js", "board.js", "brief.js", "chart.js", "dice.js", "dom.js", "editor.js", "fair.js",
        "scores.js", "pieces.js", "moves.js", "device.js", "local.js", "place.js", "sw.js", "worker.js", "setup.js",
        "sound.js", "storage.js", "language.js", "person.js", "languages/en.js", "languages/de.js",
        "languages/zh-hans.js", "languages/zh-hant.js", "rolls.js", "promotion.js", "tree.js", "treelist.js",
        "pages/analyse.js", "pages/learn.js", "pages/lesson.js", "pages/play.js", "pages/puzzle.js", "pages/review.js",
        "pages/room.js", "pages/shared.js", "pages/training.js", "pages/verify.js",
        "pages/watch.js", "pages/watch/boards.js", "pages/analyse/palette.js", "pages/analyse/results.js",
        "pages/analyse/rollout.js", "pages/analyse/settings.js", "pages/analyse/state.js", "pages/analyse/table.js",
        "pages/play/choice.js", "pages/play/fields.js", "pages/play/opponents.js", "pages/play/others.js",
        "pages/room/actions.js", "pages/room/arrangement.js",
        "pages/room/choices.js", "pages/room/explanation.js", "pages/room/fairness.js",
        "pages/room/line.js", "pages/room/moves.js", "pages/room/people.js",
        "pages/room/players.js", "pages/room/state.js", "pages/room/table.js",
        "pages/room/talk.js", "pages/room/words.js", "rules/dicechess.js", "rules/einstein.js", "rules/lessons.js";
};

/// The first parts of the addresses of the page's views, other than the first view at `/`.
const PAGES: [&str; 6] = ["room", "analyse", "review", "learn", "watch", "dice"];

/// The tags in `index.html` for the folders beside the page. A line is removed if its folder is not
/// served.
const LINKS: [(Kind, &str); 3] = [
    (Kind::Wasm, "    <meta name=\"engine\" content=\"/wasm/wurfel.js\">\n"),
    (Kind::Papers, "        <a href=\"/papers/\" target=\"_self\">Papers</a>\n"),
    (Kind::Book, "        <a href=\"/docs/\" target=\"_self\">Docs</a>\n"),
];

/// The address of the page's files that never change: a folder named after their version.
/// A browser asks for them once, and a new version has other addresses.
const VERSIONS: &str = "/files/";
/// The files that `index.html` names, whose imports lead to all others.
const NAMED: [&str; 3] = ["/app.js", "/style.css", "/icon.svg"];
/// The time for which a browser may cache a file of a version without asking: a year.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// All files that the site serves.
pub(crate) struct Files {
    /// One file for each of [`FILES`].
    page: Vec<File>,
    /// The version of the page's files: a hash of them all.
    version: String,
    /// The folders beside the page.
    beside: Vec<Docs>,
}

impl Files {
    pub fn new(beside: Vec<Docs>) -> Self {
        let version = version();
        let folder = format!("{VERSIONS}{version}");
        let page = texts(&beside, &folder, |index| {
            NAMED.iter().fold(index, |index, name| {
                index.replace(&format!("\"{name}\""), &format!("\"{folder}{name}\""))
            })
        });
        let file = |(source, text): (&Source, String)| File::new(source.kind, text);
        Self { page: FILES.iter().zip(page).map(file).collect(), version, beside }
    }

    /// The file of the present version at a path that names a version.
    fn versioned(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let path = path.strip_prefix(VERSIONS)?.strip_prefix(self.version.as_str())?;
        let place = FILES.iter().position(|file| file.path == path)?;
        let mut response = self.page[place].answer(StatusCode::OK, headers);
        response.headers_mut().insert(header::CACHE_CONTROL, FOREVER);
        Some(response)
    }

    /// The file at a path. At the paths of its views, the answer is the page itself. A browser also
    /// gets the page for an unknown path, and the page then shows that nothing is there.
    pub fn answer(&self, path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
        for folder in &self.beside {
            let address = folder.kind().address();
            if Some(path) == address.strip_suffix('/') {
                // Relative links in the folder start from this address.
                let moved = [(header::LOCATION, address)];
                return Ok((StatusCode::MOVED_PERMANENTLY, moved).into_response());
            }
            if let Some(file) = path.strip_prefix(address).and_then(|path| folder.file(path)) {
                return Ok(file.answer(StatusCode::OK, headers));
            }
        }
        if let Some(response) = self.versioned(path, headers) {
            return Ok(response);
        }
        let view = path.strip_prefix('/').and_then(|path| path.split('/').next());
        let named = FILES.iter().position(|file| file.path == path);
        let page = (path == "/" || view.is_some_and(|view| PAGES.contains(&view))).then_some(0);
        let looks = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
        let reads = looks.is_some_and(|kinds| kinds.contains("text/html"));
        let (place, status) = match named.or(page) {
            Some(place) => (place, StatusCode::OK),
            None if reads => (0, StatusCode::NOT_FOUND),
            None => return Err(Problem::new(StatusCode::NOT_FOUND, "page not found")),
        };
        Ok(self.page[place].answer(status, headers))
    }
}

/// The files of the page in the order of [`FILES`], as they are served: with links to the existing
/// folders only, and with all files that a page caches listed in `sw.js`, under a version that
/// changes with any of them. `adapt` changes the page itself before; what it loads is in `folder`.
fn texts(beside: &[Docs], folder: &str, adapt: impl Fn(String) -> String) -> Vec<String> {
    let mut texts: Vec<String> = FILES.iter().map(|file| file.content.to_owned()).collect();
    let missing = |kind| beside.iter().all(|folder| folder.kind() != kind);
    for (_, link) in LINKS.into_iter().filter(|(kind, _)| missing(*kind)) {
        texts[0] = texts[0].replace(link, "");
    }
    texts[0] = adapt(std::mem::take(&mut texts[0]));
    let engine = beside.iter().filter(|folder| folder.kind() == Kind::Wasm);
    let engine = engine.flat_map(Docs::files).filter(|(path, _)| is_loaded(path));
    let mut engine: Vec<_> = engine.map(|(path, bytes)| (format!("wasm/{path}"), bytes)).collect();
    engine.sort();
    let page = FILES.iter().zip(&texts).filter(|(file, _)| file.path != WORKER);
    let name = |path: &str| match path {
        "/index.html" => "./".to_owned(),
        path => format!("{folder}{path}")[1..].to_owned(),
    };
    let page = page.map(|(file, text)| (name(file.path), text.as_bytes()));
    let (mut names, mut all) = (vec![], vec![]);
    for (name, bytes) in page.chain(engine) {
        all.extend(checksum(bytes).to_le_bytes());
        names.push(format!("'{name}'"));
    }
    let worker = FILES.iter().position(|file| file.path == WORKER);
    let worker = &mut texts[worker.expect("the page has it")];
    all.extend(checksum(worker.as_bytes()).to_le_bytes());
    let version = format!("const VERSION = '{:016x}';", checksum(&all));
    *worker = worker.replace("const VERSION = '';", &version);
    *worker =
        worker.replace("const FILES = [];", &format!("const FILES = [{}];", names.join(", ")));
    texts
}

/// A checksum of all files as they are in the program.
fn version() -> String {
    let all: String = FILES.iter().flat_map(|file| [file.path, file.content]).collect();
    format!("{:016x}", checksum(all.as_bytes()))
}

/// The file that caches the others on a device.
const WORKER: &str = "/sw.js";

/// Whether a page loads this file of the engine's folder.
fn is_loaded(path: &str) -> bool {
    [".js", ".wasm", ".weights", ".replies", ".safetensors"].iter().any(|end| path.ends_with(end))
}

/// The files of a site without a server, by their paths: the page, and the folders beside it. `beside` has the
/// engine, without which such a page could do nothing.
pub(crate) fn exported(beside: &[Docs]) -> Vec<(String, Vec<u8>)> {
    let page = FILES.iter().zip(texts(beside, "", |index| without_server(&index)));
    let mut files: Vec<_> =
        page.map(|(file, text)| (file.path[1..].to_owned(), text.into_bytes())).collect();
    for folder in beside {
        let place = folder.kind().address()[1..].to_owned();
        let of = folder.files().map(|(path, bytes)| (format!("{place}{path}"), bytes.to_vec()));
        files.extend(of);
    }
    files
}

/// The page for any folder of any host: its files and views are named relative to it, and it knows
/// that there is no server. The policy that a server sends with each answer is in the page.
fn without_server(index: &str) -> String {
    let head = format!(
        "<meta name=\"server\" content=\"none\">\n    \
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY_ALONE}\">\n    <title>"
    );
    let mut page = index.replace("<title>", &head);
    page = page.replace("        <a href=\"/watch\">Watch</a>\n", "");
    for view in ["/", "/analyse", "/review", "/learn"] {
        page = page.replace(&format!("href=\"{view}\""), &format!("href=\"#{view}\""));
    }
    for attribute in ["href", "src", "content"] {
        page = page.replace(&format!("{attribute}=\"/"), &format!("{attribute}=\""));
    }
    page
}

/// The policy of a page without a server: only files of its own folder, as with one.
const POLICY_ALONE: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'none'";

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn collect(folder: &Path, root: &Path, files: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            if path.is_dir() && name != "tests" && name != "node_modules" {
                collect(&path, root, files);
            } else if ["html", "css", "js", "svg", "webmanifest"]
                .iter()
                .any(|end| name.ends_with(&format!(".{end}")))
            {
                files.push(format!("/{name}"));
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_in_the_program_and_the_page_is_small() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let mut files = vec![];
        collect(&root, &root, &mut files);
        files.sort();
        let mut listed: Vec<_> = FILES.iter().map(|file| file.path.to_owned()).collect();
        listed.sort();
        assert_eq!(files, listed);
        let bytes: usize = FILES.iter().map(|file| file.content.len()).sum();
        // The size of all views together; the size of what the first view loads is measured in a
        // browser.
        assert!(bytes < 560_000, "the page is {bytes} bytes");
    }

    #[test]
    fn an_unknown_path_is_a_page_for_a_browser_and_an_error_for_a_program() {
        let mut headers = HeaderMap::new();
        let files = Files::new(vec![]);
        let answer = |path: &str, headers: &HeaderMap| files.answer(path, headers);
        for path in ["/nothing/here", "//", "//etc/passwd", "/rooms"] {
            assert_eq!(answer(path, &headers).unwrap_err().status, StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(answer("/", &headers).unwrap().status(), StatusCode::OK);
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/html,*/*;q=0.8"));
        let shown = answer("/nothing/here", &headers).unwrap();
        assert_eq!(shown.status(), StatusCode::NOT_FOUND);
        assert_eq!(shown.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(answer("/learn", &headers).unwrap().status(), StatusCode::OK);
    }

    #[test]
    fn files_of_a_version_are_cached_without_asking_and_another_version_has_none() {
        let files = Files::new(vec![]);
        let headers = HeaderMap::new();
        let page = String::from_utf8_lossy(files.page[0].content()).into_owned();
        for name in NAMED {
            let path = format!("{VERSIONS}{}{name}", files.version);
            assert!(page.contains(&path) && !page.contains(&format!("\"{name}\"")), "{page}");
            let answer = files.answer(&path, &headers).unwrap();
            assert_eq!(answer.headers()[header::CACHE_CONTROL], FOREVER);
            assert!(files.answer(&format!("{VERSIONS}0{name}"), &headers).is_err());
            let plain = files.answer(name, &headers).unwrap();
            assert_eq!(plain.headers()[header::CACHE_CONTROL], "no-cache");
        }
    }

    #[test]
    fn the_page_without_folders_beside_it_has_no_links_to_them() {
        let files = Files::new(vec![]);
        for (kind, link) in LINKS {
            assert!(FILES[0].content.contains(link));
            assert!(!String::from_utf8_lossy(files.page[0].content()).contains(kind.address()));
        }
    }

    /// What is written into a folder: its names, and a file as text.
    fn written(engine: &[u8]) -> (Vec<String>, impl Fn(&str) -> String + use<>) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("wurfel.js"), engine).unwrap();
        std::fs::write(folder.path().join("wurfel.d.ts"), "").unwrap();
        let files = exported(&[Docs::read(folder.path(), Kind::Wasm).unwrap()]);
        let names = files.iter().map(|(name, _)| name.clone()).collect();
        let text = move |wanted: &str| {
            let file = files.iter().find(|(name, _)| name == wanted).unwrap();
            String::from_utf8_lossy(&file.1).into_owned()
        };
        (names, text)
    }

    #[test]
    fn a_page_without_a_server_names_everything_relative_to_itself() {
        let (names, text) = written(b"");
        let page = text("index.html");
        for absolute in ["href=\"/", "src=\"/", "content=\"/", "/watch", "docs/", "papers/"] {
            assert!(!page.contains(absolute), "{absolute}: {page}");
        }
        for part in ["href=\"#/analyse\"", "content=\"wasm/wurfel.js\"", "content=\"none\""] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(names.contains(&"wasm/wurfel.js".to_owned()) && names.len() > FILES.len());
    }

    #[test]
    fn a_page_caches_all_that_it_loads_under_a_version_of_its_own() {
        let (names, text) = written(b"one");
        let worker = text("sw.js");
        for name in names.iter().filter(|name| !name.contains(".d.ts") && *name != "sw.js") {
            let listed = format!("'{}'", name.replace("index.html", "./"));
            assert!(worker.contains(&listed), "{listed}: {worker}");
        }
        assert!(!worker.contains("wurfel.d.ts"));
        assert!(!worker.contains("VERSION = ''") && worker == written(b"one").1("sw.js"));
        assert_ne!(worker, written(b"other").1("sw.js"));
    }

    #[test]
    fn nothing_needs_a_laxer_policy() {
        for file in FILES {
            for wrong in [" style=\"", "onclick=", "eval(", "innerHTML", "https://cdn"] {
                assert!(!file.content.contains(wrong), "{} in {}", wrong, file.path);
            }
        }
    }
}
