//! The site behind nginx, with the configuration of `docs/nginx.conf`.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::site::{Site, id, person, request};
use serde_json::{Value, json};
use tungstenite::{ClientRequestBuilder, Message};

const PATIENCE: Duration = Duration::from_mins(10);
const CONFIGURATION: &str = include_str!("../../../../docs/nginx.conf");

/// nginx in a folder of its own, with a self-signed certificate.
struct Proxy {
    child: Child,
    certificate: PathBuf,
    port: u16,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first of these programs that is installed.
fn installed(names: &[&str]) -> Option<String> {
    let runs = |name: &&&str| {
        let mut command = Command::new(name);
        command.arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    names.iter().find(runs).map(ToString::to_string)
}

impl Proxy {
    fn start(nginx: &str, folder: &Path, site: &str) -> Self {
        let (certificate, key) = (folder.join("certificate"), folder.join("key"));
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"])
            .args(["-subj", "/CN=dice.example", "-addext", "subjectAltName=DNS:dice.example"])
            .arg("-keyout")
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut server = CONFIGURATION.to_owned();
        for (written, here) in [
            ("listen 443 ssl", &*format!("listen 127.0.0.1:{port} ssl")),
            ("/etc/ssl/certs/dice.example.pem", certificate.to_str().unwrap()),
            ("/etc/ssl/private/dice.example.key", key.to_str().unwrap()),
            ("127.0.0.1:3140", site),
        ] {
            assert!(server.contains(written), "{written} is not in docs/nginx.conf");
            server = server.replace(written, here);
        }
        let place = folder.to_str().unwrap();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {place}/{name};\n"))
            .concat();
        let all = format!(
            "daemon off;\nmaster_process off;\npid {place}/pid;\nerror_log {place}/errors;\n\
             events {{}}\nhttp {{\naccess_log off;\n{temporary}{server}}}\n"
        );
        let file = folder.join("nginx.conf");
        std::fs::write(&file, all).unwrap();
        let mut command = Command::new(nginx);
        command.arg("-e").arg(folder.join("errors")).arg("-c").arg(file);
        let child = command.stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let errors = std::fs::read_to_string(folder.join("errors")).unwrap_or_default();
            assert!(begun.elapsed() < PATIENCE, "nginx does not listen: {errors}");
            std::thread::sleep(Duration::from_millis(50));
        }
        Self { child, certificate, port }
    }

    /// A connection over TLS from an address of this machine.
    fn connect(&self, from: &str) -> Tls {
        let mut child = Command::new("openssl")
            .args(["s_client", "-quiet", "-verify_return_error", "-servername", "dice.example"])
            .args(["-bind", &format!("{from}:0"), "-connect", &format!("127.0.0.1:{}", self.port)])
            .arg("-CAfile")
            .arg(&self.certificate)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let pipes = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Tls { child, to: pipes.0, from: pipes.1 }
    }

    /// Opens a game with further headers, and returns the status and the body.
    fn open(&self, from: &str, headers: &str) -> (u16, Value) {
        let request = request(&person(), &person()).to_string();
        let mut line = self.connect(from);
        let length = request.len();
        write!(
            line,
            "POST /api/rooms HTTP/1.1\r\nhost: dice.example\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n{request}"
        )
        .unwrap();
        line.flush().unwrap();
        let mut text = String::new();
        line.read_to_string(&mut text).unwrap();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        let body = text.split_once("\r\n\r\n").unwrap().1;
        (status, serde_json::from_str(body).unwrap_or_default())
    }
}

/// A connection by `openssl s_client`.
struct Tls {
    child: Child,
    to: std::process::ChildStdin,
    from: std::process::ChildStdout,
}

impl Read for Tls {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.from.read(bytes)
    }
}

impl Write for Tls {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Drop for Tls {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn behind_a_proxy_each_guest_is_counted_alone() {
    let nginx = installed(&["nginx", "/usr/sbin/nginx"]);
    let (Some(nginx), Some(_)) = (nginx, installed(&["openssl"])) else {
        let _ = writeln!(io::stderr(), "left out: there is no nginx, or no openssl");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(
        &folder.path().join("data"),
        &["--proxy", "127.0.0.1,::1", "--name", "dice.example", "--new-per-minute", "2"],
    );
    let proxy = Proxy::start(&nginx, folder.path(), &site.host);
    let from = |address: &str, headers: &str| proxy.open(address, headers).0;
    assert_eq!([from("127.0.0.2", ""), from("127.0.0.2", "")], [201, 201]);
    let forged = ["x-forwarded-for: 9.9.9.9\r\n", "forwarded: for=9.9.9.9\r\n"];
    assert_eq!([from("127.0.0.2", ""), from("127.0.0.2", &forged.concat())], [429, 429]);
    let (status, room) = proxy.open("127.0.0.3", "origin: https://dice.example\r\n");
    assert_eq!(status, 201, "{room}");
    assert_eq!(from("127.0.0.3", "origin: http://dice.example\r\n"), 403);
    // Forwarding headers from a client that is no proxy are ignored.
    let direct = site.visitor(8);
    let game = request(&person(), &person());
    let ask = |n: u32| {
        let headers = format!("content-type: application/json\r\nx-forwarded-for: 9.9.9.{n}\r\n");
        direct.request("POST", "/api/rooms", &headers, &game.to_string()).status
    };
    assert_eq!([ask(1), ask(2), ask(3)], [201, 201, 429]);

    // Games are watched and played through the proxy.
    let address = format!("wss://dice.example/api/rooms/{}/live", id(&room)).parse().unwrap();
    let request = ClientRequestBuilder::new(address).with_header("origin", "https://dice.example");
    let Ok((mut line, _)) = tungstenite::client(request, proxy.connect("127.0.0.3")) else {
        panic!("no socket");
    };
    let mut hear = || loop {
        if let Message::Text(text) = line.read().unwrap() {
            return serde_json::from_str::<Value>(&text).unwrap();
        }
    };
    assert_eq!(hear()["id"], room["id"]);
    let begun = site.act(&id(&room), room["token"].as_str().unwrap(), &json!({ "do": "begin" }));
    assert_eq!(begun.status, 200, "{begun:?}");
    assert_eq!(hear()["begun"], true);
}
