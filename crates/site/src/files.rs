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
    content: &'static [u8],
}

macro_rules! files {
    ($($kind:literal: $($path:literal),+;)+) => {
        &[$($(Source {
            path: concat!("/", $path),
            kind: $kind,
            content: include_bytes!(concat!("../web/", $path)),
        },)+)+]
    };
}

const FILES: &[Source] = files! {
    "text/html; charset=utf-8": "index.html", "embed/index.html";
    "application/manifest+json": "manifest.webmanifest";
    "text/css; charset=utf-8": "style.css";
    "image/svg+xml": "icon.svg";
    "image/png": "icon-192.png", "icon-512.png", "icon-maskable.png";
    "text/javascript; charset=utf-8":
        "app.js", "api.js", "board.js", "brief.js", "chart.js", "dice.js", "dom.js", "editor.js", "fair.js",
        "scores.js", "pieces.js", "moves.js", "device.js", "local.js", "place.js", "sw.js", "worker.js", "setup.js",
        "embed/embed.js", "sound.js", "storage.js", "language.js", "person.js", "languages/en.js", "languages/de.js",
        "languages/zh-hans.js", "languages/zh-hant.js", "rolls.js", "promotion.js", "tree.js", "treelist.js",
        "treepanel.js", "walker.js", "picture.js", "download.js", "recognise.js",
        "pages/analyse.js", "pages/learn.js", "pages/lesson.js", "pages/play.js", "pages/puzzle.js", "pages/review.js",
        "pages/room.js", "pages/shared.js", "pages/training.js", "pages/verify.js",
        "pages/watch.js", "pages/watch/boards.js", "pages/analyse/palette.js", "pages/analyse/results.js",
        "pages/analyse/rollout.js", "pages/analyse/settings.js", "pages/analyse/state.js", "pages/analyse/table.js",
        "pages/play/choice.js", "pages/play/fields.js", "pages/play/opponents.js", "pages/play/others.js",
        "pages/room/actions.js", "pages/room/arrangement.js",
        "pages/room/choices.js", "pages/room/explanation.js", "pages/room/fairness.js",
        "pages/room/line.js", "pages/room/people.js", "pages/room/premove.js",
        "pages/room/players.js", "pages/room/state.js", "pages/room/table.js",
        "pages/room/talk.js", "pages/room/words.js", "rules/dicechess.js", "rules/einstein.js", "rules/lessons.js";
};

/// The address of the board for pages of others, the only page that they may show in a frame.
pub(crate) const EMBEDDED: &str = "/embed/";

/// The first parts of the addresses of the page's views, other than the first view at `/`.
const PAGES: [&str; 6] = ["room", "analyse", "review", "learn", "watch", "dice"];

/// The tags in the pages for the folders beside them. A line is removed if its folder is not
/// served.
const LINKS: [(Kind, &str); 3] = [
    (Kind::Wasm, "    <meta name=\"engine\" content=\"/wasm/wurfel.js\">\n"),
    (Kind::Papers, "        <a href=\"/papers/\" target=\"_self\">Papers</a>\n"),
    (Kind::Book, "        <a href=\"/docs/\" target=\"_self\">Docs</a>\n"),
];

/// The address of the page's files that never change: a folder named after their version.
/// A browser asks for them once, and a new version has other addresses.
const VERSIONS: &str = "/files/";
/// The offer of the site: a file of the page that each server makes for itself.
const GAMES: &str = "/games.json";
/// The files that the pages name, whose imports lead to all others.
const NAMED: [&str; 4] = ["/app.js", "/embed/embed.js", "/style.css", "/icon.svg"];
/// The time for which a browser may cache a file of a version without asking: a year.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// All files that the site serves.
pub(crate) struct Files {
    /// One file for each of [`FILES`].
    page: Vec<File>,
    /// The version of the page's files: a hash of them all.
    version: String,
    /// The file [`GAMES`], which is part of the version: a page that is loaded again does not ask for it.
    games: File,
    /// The folders beside the page.
    beside: Vec<Docs>,
}

impl Files {
    /// `games` is the answer of `/api/games`, which stays the same as long as the server runs.
    pub fn new(beside: Vec<Docs>, games: String) -> Self {
        let version = version(&games);
        let folder = format!("{VERSIONS}{version}");
        let page = contents(&beside, &folder, |_, page| {
            NAMED.iter().fold(page, |page, name| {
                page.replace(&format!("\"{name}\""), &format!("\"{folder}{name}\""))
            })
        });
        let file = |(source, content): (&Source, Vec<u8>)| File::new(source.kind, content);
        let games = File::new("application/json", games);
        Self { page: FILES.iter().zip(page).map(file).collect(), version, games, beside }
    }

    /// The offer of the site.
    pub fn games(&self, headers: &HeaderMap) -> Response {
        self.games.answer(StatusCode::OK, headers)
    }

    /// The file of the present version at a path that names a version.
    fn versioned(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let path = path.strip_prefix(VERSIONS)?.strip_prefix(self.version.as_str())?;
        let place = FILES.iter().position(|file| file.path == path);
        let file = if path == GAMES { &self.games } else { &self.page[place?] };
        let mut response = file.answer(StatusCode::OK, headers);
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
        if path == GAMES {
            return Ok(self.games(headers));
        }
        let view = path.strip_prefix('/').and_then(|path| path.split('/').next());
        let named = FILES.iter().position(|file| [file.path, name(file.path)].contains(&path));
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

/// The address of a file: that of a folder is also that of its `index.html`.
fn name(path: &str) -> &str {
    path.strip_suffix("index.html").unwrap_or(path)
}

/// The files of the page in the order of [`FILES`], as they are served: with links to the existing folders
/// only, and with all files that a page caches listed in `sw.js`, under a version that changes with any of
/// them. `adapt` changes each page itself first, given its path; what they load is in `folder`.
fn contents(beside: &[Docs], folder: &str, adapt: impl Fn(&str, String) -> String) -> Vec<Vec<u8>> {
    let missing = |kind| beside.iter().all(|folder| folder.kind() != kind);
    let page = |file: &Source| {
        let links = LINKS.into_iter().filter(|(kind, _)| missing(*kind));
        let page = String::from_utf8_lossy(file.content).into_owned();
        adapt(file.path, links.fold(page, |page, (_, link)| page.replace(link, ""))).into_bytes()
    };
    let is_page = |file: &Source| file.kind.starts_with("text/html");
    let content = |file: &Source| if is_page(file) { page(file) } else { file.content.to_owned() };
    let mut contents: Vec<Vec<u8>> = FILES.iter().map(content).collect();
    let engine = beside.iter().filter(|folder| folder.kind() == Kind::Wasm);
    let engine = engine.flat_map(Docs::files).filter(|(path, _)| is_loaded(path));
    let mut engine: Vec<_> = engine.map(|(path, bytes)| (format!("wasm/{path}"), bytes)).collect();
    engine.sort();
    let address = |file: &Source| match name(file.path) {
        "/" => "./".to_owned(),
        page if is_page(file) => page[1..].to_owned(),
        path => format!("{folder}{path}")[1..].to_owned(),
    };
    let own = FILES.iter().zip(&contents).filter(|(file, _)| file.path != WORKER);
    let own = own.map(|(file, content)| (address(file), content.as_slice()));
    let (mut names, mut all) = (vec![], vec![]);
    for (name, bytes) in own.chain(engine) {
        all.extend(checksum(bytes).to_le_bytes());
        names.push(format!("'{name}'"));
    }
    let place = FILES.iter().position(|file| file.path == WORKER).expect("the page has it");
    let worker = String::from_utf8_lossy(FILES[place].content);
    all.extend(checksum(worker.as_bytes()).to_le_bytes());
    let version = format!("const VERSION = '{:016x}';", checksum(&all));
    let list = format!("const FILES = [{}];", names.join(", "));
    let worker = worker.replace("const VERSION = '';", &version);
    contents[place] = worker.replace("const FILES = [];", &list).into_bytes();
    contents
}

/// A checksum of all files as they are in the program, and of the offer of the site.
fn version(games: &str) -> String {
    let files = FILES.iter().flat_map(|file| [file.path.as_bytes(), file.content]);
    let all: Vec<u8> = files.chain([games.as_bytes()]).flatten().copied().collect();
    format!("{:016x}", checksum(&all))
}

/// The file that caches the others on a device.
const WORKER: &str = "/sw.js";

/// Whether a page loads this file of the engine's folder.
fn is_loaded(path: &str) -> bool {
    [".js", ".wasm", ".weights", ".replies", ".puzzles", ".safetensors"]
        .iter()
        .any(|end| path.ends_with(end))
}

/// The files of a site without a server, by their paths: the page, and the folders beside it. `beside` has the
/// engine, without which such a page could do nothing.
pub(crate) fn exported(beside: &[Docs]) -> Vec<(String, Vec<u8>)> {
    let page = FILES.iter().zip(contents(beside, "", |path, page| without_server(path, &page)));
    let mut files: Vec<_> =
        page.map(|(file, content)| (file.path[1..].to_owned(), content)).collect();
    for folder in beside {
        let place = folder.kind().address()[1..].to_owned();
        let of = folder.files().map(|(path, bytes)| (format!("{place}{path}"), bytes.to_vec()));
        files.extend(of);
    }
    files
}

/// A page at this path for any folder of any host: its files and views are named relative to it, and it knows that
/// there is no server. The policy that a server sends with each answer is in the page.
fn without_server(path: &str, page: &str) -> String {
    // As many steps up as there are folders between the page and the site.
    let root = "../".repeat(path[1..].matches('/').count());
    let head = format!(
        "<meta name=\"server\" content=\"none\">\n    \
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY_ALONE}\">\n    <title>"
    );
    let mut page = page.replace("<title>", &head);
    page = page.replace("        <a href=\"/watch\">Watch</a>\n", "");
    for view in ["/", "/analyse", "/review", "/learn"] {
        page = page.replace(&format!("href=\"{view}\""), &format!("href=\"#{view}\""));
    }
    for attribute in ["href", "src", "content"] {
        page = page.replace(&format!("{attribute}=\"/"), &format!("{attribute}=\"{root}"));
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
            } else if ["html", "css", "js", "png", "svg", "webmanifest"]
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
        let files = Files::new(vec![], String::new());
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
        let files = Files::new(vec![], String::new());
        let headers = HeaderMap::new();
        let page: String =
            files.page[..2].iter().map(|page| String::from_utf8_lossy(page.content())).collect();
        let games = format!("{VERSIONS}{}{GAMES}", files.version);
        assert_eq!(
            files.answer(&games, &headers).unwrap().headers()[header::CACHE_CONTROL],
            FOREVER
        );
        assert_ne!(files.version, Files::new(vec![], "others".into()).version);
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
        let files = Files::new(vec![], String::new());
        for (kind, link) in LINKS {
            assert!(String::from_utf8_lossy(FILES[0].content).contains(link));
            for page in &files.page[..2] {
                assert!(!String::from_utf8_lossy(page.content()).contains(kind.address()));
            }
        }
    }

    #[test]
    fn the_icons_of_the_manifest_are_pictures_of_their_sizes() {
        let read = |name: &str| {
            FILES.iter().find(|file| file.path == format!("/{name}")).expect(name).content
        };
        let manifest: serde_json::Value =
            serde_json::from_slice(read("manifest.webmanifest")).unwrap();
        let icons = manifest["icons"].as_array().unwrap();
        let is_png = |icon: &&serde_json::Value| icon["type"] == "image/png";
        assert_eq!(icons.iter().filter(is_png).count(), 3);
        for icon in icons.iter().filter(is_png) {
            let bytes = read(icon["src"].as_str().unwrap());
            assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
            let size = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
            assert_eq!(icon["sizes"], format!("{}x{}", size(16), size(20)));
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
        let (page, framed) = (text("index.html"), text("embed/index.html"));
        for absolute in ["href=\"/", "src=\"/", "content=\"/", "/watch", "docs/", "papers/"] {
            assert!(!page.contains(absolute), "{absolute}: {page}");
            assert!(!framed.contains(absolute), "{absolute}: {framed}");
        }
        for part in
            ["content=\"../wasm/wurfel.js\"", "src=\"../embed/embed.js\"", "content=\"none\""]
        {
            assert!(framed.contains(part), "{part}: {framed}");
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
            let listed = match name.strip_suffix("index.html") {
                Some("") => "'./'".to_owned(),
                address => format!("'{}'", address.unwrap_or(name)),
            };
            assert!(worker.contains(&listed), "{listed}: {worker}");
        }
        assert!(!worker.contains("wurfel.d.ts"));
        assert!(!worker.contains("VERSION = ''") && worker == written(b"one").1("sw.js"));
        assert_ne!(worker, written(b"other").1("sw.js"));
    }

    #[test]
    fn nothing_needs_a_laxer_policy() {
        for file in FILES {
            let content = String::from_utf8_lossy(file.content);
            for wrong in [" style=\"", "onclick=", "eval(", "innerHTML", "https://cdn"] {
                assert!(!content.contains(wrong), "{wrong} in {}", file.path);
            }
        }
    }
}
