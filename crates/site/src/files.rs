//! The page: files of `web/`, in the program; and how a file is sent, compressed where it may be.

use std::io::Write;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::answers::Problem;
use crate::docs::{Docs, Kind};
use crate::secret;

/// A file of the page as it is in the program.
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
    "text/css; charset=utf-8": "style.css";
    "image/svg+xml": "icon.svg";
    "text/javascript; charset=utf-8":
        "app.js", "api.js", "board.js", "chart.js", "dice.js", "dom.js", "editor.js", "fair.js",
        "scores.js", "pieces.js", "moves.js", "setup.js", "sound.js", "rolls.js",
        "pages/analyse.js", "pages/learn.js", "pages/play.js", "pages/puzzle.js", "pages/review.js",
        "pages/room.js", "pages/shared.js", "pages/training.js", "pages/verify.js",
        "pages/watch.js", "pages/analyse/palette.js", "pages/analyse/results.js",
        "pages/analyse/rollout.js", "pages/analyse/settings.js", "pages/analyse/state.js", "pages/analyse/table.js",
        "pages/play/choice.js", "pages/play/fields.js", "pages/play/opponents.js",
        "pages/room/actions.js", "pages/room/arrangement.js",
        "pages/room/choices.js", "pages/room/explanation.js", "pages/room/fairness.js",
        "pages/room/line.js", "pages/room/moves.js", "pages/room/people.js",
        "pages/room/players.js", "pages/room/state.js", "pages/room/table.js",
        "pages/room/talk.js", "pages/room/words.js", "rules/dicechess.js", "rules/einstein.js";
};

/// The first words of the addresses at which the page shows something.
const PAGES: [&str; 7] = ["", "room", "analyse", "review", "learn", "watch", "dice"];

/// What the page's `index.html` has where folders beside it are served: links to them.
const LINKS: [(Kind, &str); 2] = [
    (Kind::Papers, "        <a href=\"/papers/\" target=\"_self\">Papers</a>\n"),
    (Kind::Book, "        <a href=\"/docs/\" target=\"_self\">Docs</a>\n"),
];

/// A file as it is sent.
struct Form {
    content: Bytes,
    /// Of the content: with another encoding it is another one.
    tag: String,
}

impl Form {
    fn new(content: impl Into<Bytes>, encoding: &str) -> Self {
        let content = content.into();
        let tag = format!("\"{}{encoding}\"", &secret::hash_hex_of(&content)[..16]);
        Self { content, tag }
    }
}

/// A file that is sent plain or compressed.
pub(crate) struct File {
    kind: &'static str,
    plain: Form,
    /// Made when a client first takes it.
    packed: OnceLock<Form>,
}

impl File {
    /// `kind` is its media type.
    pub fn new(kind: &'static str, content: impl Into<Bytes>) -> Self {
        Self { kind, plain: Form::new(content, ""), packed: OnceLock::new() }
    }

    fn packed(&self) -> &Form {
        self.packed.get_or_init(|| {
            let mut encoder = GzEncoder::new(vec![], Compression::best());
            // Nothing is written but to memory.
            let packed = encoder.write_all(&self.plain.content).and_then(|()| encoder.finish());
            Form::new(packed.unwrap_or_default(), "-gzip")
        })
    }

    /// The file as a client takes it, or that the client already has it.
    fn answer(&self, status: StatusCode, headers: &HeaderMap) -> Response {
        let gzip = takes_gzip(headers);
        let Form { content, tag } = if gzip { self.packed() } else { &self.plain };
        let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
        let known = known.is_some_and(|known| {
            known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag)
        });
        let known = known && status == StatusCode::OK;
        let mut response = if known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            (status, [(header::CONTENT_TYPE, self.kind)], content.clone()).into_response()
        };
        let answers = response.headers_mut();
        if gzip && !known {
            answers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        answers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        // Asked for again each time, and sent only when it has changed.
        answers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if let Ok(tag) = tag.parse() {
            answers.insert(header::ETAG, tag);
        }
        response
    }
}

/// Whether a client takes answers that are compressed.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut accepted =
        accepted.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    accepted.any(|accepted| {
        let mut parts = accepted.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        named && weight.is_none_or(|weight| weight > 0.0)
    })
}

/// All files that the site serves.
pub(crate) struct Files {
    /// One for each of [`FILES`].
    page: Vec<File>,
    /// The folders beside the page.
    beside: Vec<Docs>,
}

impl Files {
    pub fn new(beside: Vec<Docs>) -> Self {
        let file = |source: &Source| {
            let mut content = source.content.to_owned();
            if source.path == "/index.html" {
                let missing = |kind| beside.iter().all(|folder| folder.kind() != kind);
                for (_, link) in LINKS.into_iter().filter(|(kind, _)| missing(*kind)) {
                    content = content.replace(link, "");
                }
            }
            File::new(source.kind, content)
        };
        Self { page: FILES.iter().map(file).collect(), beside }
    }

    /// The file at a path; the page itself at the paths of its views, and for a browser that looks
    /// at a path where nothing is, which the page then says.
    pub fn answer(&self, path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
        for folder in &self.beside {
            let address = folder.kind().address();
            if Some(path) == address.strip_suffix('/') {
                // Links in the folder start from it.
                let moved = [(header::LOCATION, address)];
                return Ok((StatusCode::MOVED_PERMANENTLY, moved).into_response());
            }
            if let Some(file) = path.strip_prefix(address).and_then(|path| folder.file(path)) {
                return Ok(file.answer(StatusCode::OK, headers));
            }
        }
        let view = path.strip_prefix('/').and_then(|path| path.split('/').next());
        let named = FILES.iter().position(|file| file.path == path);
        let page = view.filter(|view| PAGES.contains(view)).map(|_| 0);
        let looks = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
        let reads = looks.is_some_and(|kinds| kinds.contains("text/html"));
        let (place, status) = match named.or(page) {
            Some(place) => (place, StatusCode::OK),
            None if reads => (0, StatusCode::NOT_FOUND),
            None => return Err(Problem::new(StatusCode::NOT_FOUND, "no page is here")),
        };
        Ok(self.page[place].answer(status, headers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn collect(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            if path.is_dir() && name != "tests" && name != "node_modules" {
                collect(&path, root, found);
            } else if ["html", "css", "js", "svg"]
                .iter()
                .any(|end| name.ends_with(&format!(".{end}")))
            {
                found.push(format!("/{name}"));
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_in_the_program_and_the_page_is_small() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let mut found = vec![];
        collect(&root, &root, &mut found);
        found.sort();
        let mut listed: Vec<_> = FILES.iter().map(|file| file.path.to_owned()).collect();
        listed.sort();
        assert_eq!(found, listed);
        let bytes: usize = FILES.iter().map(|file| file.content.len()).sum();
        // All pages together; what the first one loads is measured in a browser.
        assert!(bytes < 230_000, "the page is {bytes} bytes");
    }

    #[test]
    fn a_browser_is_shown_a_page_where_nothing_is_and_a_program_a_problem() {
        let mut headers = HeaderMap::new();
        let files = Files::new(vec![]);
        let answer = |path: &str, headers: &HeaderMap| files.answer(path, headers);
        assert_eq!(answer("/nothing/here", &headers).unwrap_err().status, StatusCode::NOT_FOUND);
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/html,*/*;q=0.8"));
        let shown = answer("/nothing/here", &headers).unwrap();
        assert_eq!(shown.status(), StatusCode::NOT_FOUND);
        assert_eq!(shown.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(answer("/learn", &headers).unwrap().status(), StatusCode::OK);
    }

    #[test]
    fn whoever_takes_it_gets_files_compressed_and_each_form_has_its_tag() {
        let files = Files::new(vec![]);
        let asked = |accept: &str, tag: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, accept.parse().unwrap());
            headers.insert(header::IF_NONE_MATCH, tag.parse().unwrap());
            let response = files.answer("/app.js", &headers).unwrap();
            let header = |name| {
                let value = response.headers().get(name).map(|value| value.to_str().unwrap());
                value.unwrap_or_default().to_owned()
            };
            assert_eq!(header(header::VARY), "accept-encoding");
            (response.status(), header(header::CONTENT_ENCODING), header(header::ETAG))
        };
        let (status, encoding, packed) = asked("br, gzip;q=0.8", "");
        assert_eq!((status.as_u16(), encoding.as_str()), (200, "gzip"));
        let (status, encoding, plain) = asked("gzip;q=0, br", &packed);
        assert_eq!((status.as_u16(), encoding.as_str()), (200, ""));
        assert_ne!(packed, plain);
        assert_eq!(asked("gzip", &format!("\"x\", W/{packed}")).0.as_u16(), 304);
        assert_eq!(asked("identity", &plain).0.as_u16(), 304);
    }

    #[test]
    fn the_page_without_folders_beside_it_has_no_links_to_them() {
        let files = Files::new(vec![]);
        for (kind, link) in LINKS {
            assert!(FILES[0].content.contains(link));
            assert!(
                !String::from_utf8_lossy(&files.page[0].plain.content).contains(kind.address())
            );
        }
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
