//! The site as a process, and a small client that can also misbehave.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{ClientRequestBuilder, Message, WebSocket};

/// The longest wait for an answer: whoever waits so long has hung, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(10);

/// A running site.
pub struct Site {
    child: Child,
    /// The client whose methods the site has.
    visitor: Visitor,
}

/// A client of a site, which may be running or not.
#[derive(Clone)]
pub struct Visitor {
    /// `127.0.0.1:port`.
    pub host: String,
    /// The client's own address.
    address: IpAddr,
}

impl std::ops::Deref for Site {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visitor
    }
}

/// What the server answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts that it is an error with this status and a message of one line.
    pub fn refused(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        let message = self.json()["error"].as_str().expect("an error").to_owned();
        assert!(!message.is_empty() && !message.contains('\n'), "{message}");
        message
    }
}

impl Site {
    /// Serves the games of a folder on a free port.
    pub fn serve(data: &Path, options: &[&str]) -> Self {
        Self::start(Command::new(env!("CARGO_BIN_EXE_wurfel")), data, options)
    }

    /// Serves the games of a folder with a given command, which must end up running the program.
    pub fn start(mut command: Command, data: &Path, options: &[&str]) -> Self {
        let mut child = command
            .args(["serve", "--port", "0", "--jobs", "2", "--data"])
            .arg(data)
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.split(' ').find_map(|word| word.strip_prefix("http://"));
        let host = address.expect("an address").trim_end_matches('/').to_owned();
        let visitor = Visitor { host, address: Ipv4Addr::LOCALHOST.into() };
        Self { child, visitor }
    }

    /// The id of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// A client with an address of its own, 127.x.y.z, where the system allows that.
    pub fn visitor(&self, number: u32) -> Visitor {
        let address = Ipv4Addr::from_bits(Ipv4Addr::LOCALHOST.to_bits() + number).into();
        Visitor { host: self.host.clone(), address }
    }

    /// A line of the process's status, such as `VmHWM`, the most memory that it has had in kB; 0
    /// where the system does not tell.
    pub fn status(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.unwrap_or_default()
    }

    /// The CPU time that the process has used; zero where the system does not tell.
    pub fn worked(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        // The 12th and 13th fields after the name in brackets are hundredths of a second.
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok());
        Duration::from_millis(10 * ticks.sum::<u64>())
    }

    /// How many files and sockets it has open; 0 where the system does not tell.
    pub fn handles(&self) -> u64 {
        let open = std::fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        open.map_or(0, |open| open.count() as u64)
    }

    /// Kills the process without warning.
    pub fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }
}

impl Visitor {
    pub fn connect(&self) -> TcpStream {
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None);
        let socket = socket.expect("a socket");
        socket.bind(&SocketAddr::new(self.address, 0).into()).expect("an address of this machine");
        let server: SocketAddr = self.host.parse().expect("an address");
        socket.connect(&server.into()).expect("it listens");
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        stream
    }

    /// Sends bytes as they are; `None` when the server just hangs up.
    pub fn raw(&self, request: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(request);
        let mut text = vec![];
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Answer { status, head: head.to_lowercase(), body: body.to_owned() })
    }

    pub fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        let host = &self.host;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-length: {length}\r\n{headers}\r\n{body}"
        );
        self.raw(request.as_bytes()).expect("an answer")
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", "")
    }

    /// Sends a request; `None` if the server hangs up, because the client has too many connections.
    pub fn try_post(&self, path: &str, body: &Value) -> Option<Answer> {
        let (host, body) = (&self.host, body.to_string());
        self.raw(
            format!(
                "POST {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
                 content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            )
            .as_bytes(),
        )
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path, "content-type: application/json\r\n", &body.to_string())
    }

    /// Opens a room that has begun: its view and its token.
    pub fn open(&self, request: &Value) -> (Value, String) {
        let opened = self.post("/api/rooms", request);
        assert_eq!(opened.status, 201, "{opened:?}");
        let opened = opened.json();
        let token = opened["token"].as_str().expect("a token").to_owned();
        let room = self.act(&id(&opened), &token, &json!({ "do": "begin", "salt": "pepper" }));
        assert_eq!(room.status, 200, "{room:?}");
        (room.json(), token)
    }

    /// Sends an action for the current version of a room, unless the action names another one.
    pub fn act(&self, id: &str, token: &str, action: &Value) -> Answer {
        let path = format!("/api/rooms/{id}");
        let mut action = action.clone();
        action["token"] = token.into();
        if action["version"].is_null() {
            action["version"] = self.get(&path).json()["version"].clone();
        }
        self.post(&path, &action)
    }

    /// Opens a WebSocket, with the header `origin` as a browser would send it.
    pub fn socket(
        &self,
        path: &str,
        origin: Option<&str>,
    ) -> Result<Socket, Box<tungstenite::Error>> {
        let address = format!("ws://{}{path}", self.host).parse().expect("an address");
        let mut request = ClientRequestBuilder::new(address);
        if let Some(origin) = origin {
            request = request.with_header("origin", origin);
        }
        let stream = MaybeTlsStream::Plain(self.connect());
        let (line, _) = tungstenite::client(request, stream).map_err(|error| {
            Box::new(tungstenite::Error::Io(std::io::Error::other(error.to_string())))
        })?;
        Ok(Socket { line })
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A player with a browser, as a request names them.
pub fn person() -> Value {
    json!({ "kind": "person" })
}

/// An agent as a player, as a request names it.
pub fn agent(spec: &str) -> Value {
    json!({ "kind": "agent", "spec": spec })
}

/// A request for a game of EinStein würfelt nicht!, the first side first.
pub fn request(first: &Value, second: &Value) -> Value {
    json!({ "game": "einstein", "players": [first, second] })
}

/// A request for a game of a person against an agent.
pub fn against(spec: &str) -> Value {
    request(&person(), &agent(spec))
}

/// The text of a JSON string.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// The name of a room.
pub fn id(room: &Value) -> String {
    room["id"].as_str().expect("a name").to_owned()
}

/// An open socket.
pub struct Socket {
    pub line: WebSocket<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    pub fn send(&mut self, message: &Value) {
        self.line.send(Message::text(message.to_string())).expect("it is open");
    }

    /// The next message; `None` when the server has closed the connection.
    pub fn hear(&mut self) -> Option<Value> {
        loop {
            match self.line.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }
}
