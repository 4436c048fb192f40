//! The page: files of `web/`, in the program.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::answers::Problem;
use crate::secret;

/// A file of the page.
struct File {
    path: &'static str,
    kind: &'static str,
    content: &'static str,
}

macro_rules! files {
    ($($kind:literal: $($path:literal),+;)+) => {
        &[$($(File {
            path: concat!("/", $path),
            kind: $kind,
            content: include_str!(concat!("../../../web/", $path)),
        },)+)+]
    };
}

const FILES: &[File] = files! {
    "text/html; charset=utf-8": "index.html";
    "text/css; charset=utf-8": "style.css";
    "image/svg+xml": "icon.svg";
    "text/javascript; charset=utf-8":
        "app.js", "api.js", "board.js", "chart.js", "dice.js", "dom.js", "editor.js", "fair.js",
        "judged.js", "men.js", "moves.js", "setup.js", "sound.js", "throws.js",
        "pages/analyse.js", "pages/learn.js", "pages/people.js", "pages/play.js", "pages/puzzle.js",
        "pages/review.js", "pages/room.js", "pages/shared.js", "pages/training.js",
        "pages/verify.js", "pages/watch.js", "rules/dicechess.js", "rules/einstein.js";
};

/// The first words of the addresses at which the page shows something.
const PAGES: [&str; 7] = ["", "room", "analyse", "review", "learn", "watch", "dice"];

/// The file at a path; the page itself at the paths of its views, and for a browser that looks
/// at a path where nothing is, which the page then says.
pub(crate) fn answer(path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let view = path.strip_prefix('/').and_then(|path| path.split('/').next());
    let named = FILES.iter().find(|file| file.path == path);
    let page = view.filter(|view| PAGES.contains(view)).and(FILES.first());
    let Some(file) = named.or(page) else {
        let looks = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
        let reads = looks.is_some_and(|kinds| kinds.contains("text/html"));
        return match FILES.first().filter(|_| reads) {
            Some(page) => {
                Ok((StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, page.kind)], page.content)
                    .into_response())
            }
            None => Err(Problem::new(StatusCode::NOT_FOUND, "no page is here")),
        };
    };
    let tag = format!("\"{}\"", &secret::hash_hex(file.content)[..16]);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == *tag);
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, file.kind)], file.content).into_response()
    };
    let answers = response.headers_mut();
    // Asked for again each time, and sent only when it has changed.
    answers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = tag.parse() {
        answers.insert(header::ETAG, tag);
    }
    Ok(response)
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
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
        let mut found = vec![];
        collect(&root, &root, &mut found);
        found.sort();
        let mut listed: Vec<_> = FILES.iter().map(|file| file.path.to_owned()).collect();
        listed.sort();
        assert_eq!(found, listed);
        let bytes: usize = FILES.iter().map(|file| file.content.len()).sum();
        // All pages together; what the first one loads is measured in a browser.
        assert!(bytes < 200_000, "the page is {bytes} bytes");
    }

    #[test]
    fn a_browser_is_shown_a_page_where_nothing_is_and_a_program_a_problem() {
        let mut headers = HeaderMap::new();
        assert_eq!(answer("/nothing/here", &headers).unwrap_err().status, StatusCode::NOT_FOUND);
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/html,*/*;q=0.8"));
        let shown = answer("/nothing/here", &headers).unwrap();
        assert_eq!(shown.status(), StatusCode::NOT_FOUND);
        assert_eq!(shown.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(answer("/learn", &headers).unwrap().status(), StatusCode::OK);
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
