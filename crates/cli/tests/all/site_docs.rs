//! The folders that the site serves beside its page: a book and a report on the papers.

use crate::program::site::Site;
use crate::program::wurfel;

#[test]
fn a_report_is_served_under_papers_without_what_its_runs_have_left() {
    let folder = tempfile::tempdir().unwrap();
    let (data, report) = (folder.path().join("data"), folder.path().join("report"));
    std::fs::create_dir_all(report.join("p/t/training-tiny-1")).unwrap();
    for (name, content) in [
        ("index.html", "<h1>The papers</h1>"),
        ("p/t/result.csv", "row,column"),
        ("p/t/progress.jsonl", "left"),
        ("p/t/training-tiny-1/run", "left"),
    ] {
        std::fs::write(report.join(name), content).unwrap();
    }
    let site = Site::serve(&data, &["--papers", report.to_str().unwrap()]);
    assert_eq!(site.get("/papers/").body, "<h1>The papers</h1>");
    assert_eq!(site.get("/papers").status, 301);
    assert!(site.get("/papers/p/t/result.csv").head.contains("text/plain; charset=utf-8"));
    for left in ["p/t/progress.jsonl", "p/t/training-tiny-1/run", "../data"] {
        assert_eq!(site.get(&format!("/papers/{left}")).status, 404, "{left}");
    }
    let page = site.get("/").body;
    assert!(page.contains("href=\"/papers/\"") && !page.contains("/docs/"));
    site.kill();
    let serve = |folder: &str| wurfel(&["serve", "--port", "0", "--papers", folder]);
    serve(folder.path().to_str().unwrap()).refused("as a report: it has no index.html");
}

#[test]
fn a_book_is_served_under_docs_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (data, book) = (folder.path().join("data"), folder.path().join("book"));
    std::fs::create_dir_all(book.join("methods")).unwrap();
    let page = "<h1>The book</h1>".repeat(100);
    for (name, content) in [
        ("book/index.html", &*page),
        ("book/methods/uct.html", "<h1>UCT</h1>"),
        ("book/book.js", "const book = 1;"),
        ("book/.hidden", "private"),
        ("beside.html", "private"),
    ] {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("../beside.html", book.join("link.html")).unwrap();

    let site = Site::serve(&data, &["--docs", book.to_str().unwrap()]);
    for path in ["/docs/", "/docs/index.html"] {
        let answer = site.get(path);
        assert_eq!((answer.status, &*answer.body), (200, &*page), "{path}");
        assert!(answer.head.contains("text/html; charset=utf-8"), "{}", answer.head);
        assert!(answer.head.contains("script-src 'self'"), "{}", answer.head);
    }
    assert_eq!(site.get("/docs/methods/uct.html").body, "<h1>UCT</h1>");
    assert!(site.get("/docs/book.js").head.contains("text/javascript"));
    let moved = site.get("/docs");
    assert_eq!(moved.status, 301);
    assert!(moved.head.contains("location: /docs/"), "{}", moved.head);
    for path in [
        "/docs/../beside.html",
        "/docs/methods/../../beside.html",
        "/docs/%2e%2e/beside.html",
        "/docs/..%2fbeside.html",
        "/docs/..\\beside.html",
        "/docs//beside.html",
        "/docs/.hidden",
        "/docs/link.html",
        "/docs/methods",
        "/docs/methods/",
    ] {
        assert_eq!(site.get(path).status, 404, "{path}");
    }
    let absolute = format!("/docs/{}", folder.path().join("beside.html").display());
    assert_eq!(site.get(&absolute).status, 404);
    assert!(site.get("/").body.contains("href=\"/docs/\""));
    site.kill();

    // Without a folder of documents, no page links to one.
    let site = Site::serve(&data, &[]);
    site.get("/docs/").refused(404);
    assert!(!site.get("/").body.contains("/docs/"));
    site.kill();

    let serve = |folder: &str| wurfel(&["serve", "--port", "0", "--docs", folder]);
    serve(data.to_str().unwrap()).refused("it has no index.html");
    serve("no such folder").refused_by_system("cannot serve 'no such folder' as documents");
    let what = "cannot serve 'no such folder' as tournaments, matches and training runs";
    wurfel(&["serve", "--port", "0", "--runs", "no such folder"]).refused_by_system(what);
}
