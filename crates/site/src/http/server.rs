//! The server: its settings, and the connections it takes.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use ipnet::IpNet;
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use crate::app::App;
use crate::docs::{Docs, Kind};
use crate::engines::{EngineRefused, OfferedEngine};
use crate::files::Files;
use crate::games::{Policy, SiteShown};
use crate::http::guard::Peer;
use crate::http::hosts::Hosts;
use crate::http::proxy::Proxies;
use crate::http::routes::router;
use crate::limits::{Gate, Limits, client};
use crate::lobby::{Lobby, MAX_CODES};
use crate::lock::FolderLock;
use crate::pool::Pool;
use crate::registry::Registry;
use crate::runs::Runs;
use crate::store::{Store, StoreError};

/// How long a client may take to send the head of a request.
const MAX_HEADERS: Duration = Duration::from_secs(15);
/// The time that a client may go without accepting data of an answer.
const MAX_WRITE: Duration = Duration::from_secs(10);
/// The longest head of a request in bytes.
const MAX_HEAD: usize = 16 << 10;

/// The settings of the site.
#[derive(Clone, Debug)]
pub struct SiteConfig {
    /// The address to listen on; port 0 takes a free one.
    pub address: SocketAddr,
    /// Whether to take a free port if that one is taken.
    pub any_port: bool,
    /// The folder of the saved games.
    pub data: PathBuf,
    /// A folder with tournaments, matches and training runs to be watched.
    pub runs: Option<PathBuf>,
    /// A folder with a rendered book, to be served under `/docs/`.
    pub docs: Option<PathBuf>,
    /// A folder with the report on the papers, to be served under `/papers/`.
    pub papers: Option<PathBuf>,
    /// The folder with the engine for pages; by default the engine in this program, if any.
    pub wasm: Option<PathBuf>,
    /// The names by which browsers call this server, `name` or `name:port`, in addition to those of
    /// this machine.
    pub names: Vec<String>,
    /// The proxies that are trusted to name the client of a request.
    pub proxies: Vec<IpNet>,
    /// The external programs that guests may play against, by their names.
    pub engines: Vec<OfferedEngine>,
    /// Whether people may open games that anybody can join.
    pub lobby: bool,
    /// Whether the page offers analyses of games in progress.
    pub live_analysis: bool,
    /// The number of search threads.
    pub threads: usize,
    /// The limits of clients.
    pub limits: Limits,
}

/// Why the site cannot be served. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The server cannot listen on the address.
    #[error("cannot listen on {address}: {error}")]
    Address {
        /// The requested address.
        address: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// The folder of the saved games cannot be used.
    #[error("cannot save games in '{}': {error}", folder.display())]
    Folder {
        /// The folder that `--data` names.
        folder: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A folder beside the page cannot be served.
    #[error("cannot serve '{}' as {what}: {error}", folder.display())]
    Docs {
        /// What the folder should be.
        what: &'static str,
        /// The folder that cannot be read.
        folder: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// Another server uses the folder.
    #[error("'{}' is used by another server, which listens at {address}", folder.display())]
    Used {
        /// The folder of the saved games.
        folder: PathBuf,
        /// The address on which that server listens.
        address: String,
    },
    /// The database cannot be opened.
    #[error("'{}': {error}", file.display())]
    Store {
        /// The file of the database.
        file: PathBuf,
        /// The database's error.
        error: StoreError,
    },
    /// A program cannot be offered.
    #[error(transparent)]
    Engine(#[from] EngineRefused),
    /// The system refuses threads or connections.
    #[error("the server cannot run: {0}")]
    System(#[from] io::Error),
}

impl ServerError {
    /// Whether the system refused, as opposed to something else being in the way.
    pub fn is_of_the_system(&self) -> bool {
        match self {
            Self::Address { .. } | Self::Folder { .. } | Self::System(_) => true,
            Self::Docs { error, .. } => error.kind() != io::ErrorKind::InvalidInput,
            Self::Used { .. } | Self::Engine(_) => false,
            Self::Store { error, .. } => error.is_of_the_system(),
        }
    }
}

/// A site that is listening.
pub struct Server {
    runtime: tokio::runtime::Runtime,
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    app: Arc<App>,
    lock: FolderLock,
}

impl Server {
    /// Prepares everything and listens, but serves nobody before [`Server::run`] is called.
    ///
    /// # Errors
    /// When the address or the folder cannot be used.
    pub fn bind(config: SiteConfig) -> Result<Self, ServerError> {
        let own = if config.wasm.is_none() { Docs::engine() } else { None };
        let mut beside: Vec<_> = own.into_iter().collect();
        for (folder, kind, what) in [
            (config.docs, Kind::Book, "documents"),
            (config.papers, Kind::Papers, "a report"),
            (config.wasm, Kind::Wasm, "the engine for pages"),
        ] {
            let Some(folder) = folder else { continue };
            let read = Docs::read(&folder, kind);
            beside.push(read.map_err(|error| ServerError::Docs { what, folder, error })?);
        }
        if let Some(folder) = &config.runs
            && let Err(error) = fs::read_dir(folder)
        {
            let what = "tournaments, matches and training runs";
            return Err(ServerError::Docs { what, folder: folder.clone(), error });
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let address = config.address;
        let refused = |error| ServerError::Address { address, error };
        let listener = runtime.block_on(async {
            match TcpListener::bind(address).await {
                Err(_) if config.any_port => TcpListener::bind((address.ip(), 0)).await,
                listener => listener,
            }
        });
        let listener = listener.map_err(refused)?;
        let address = listener.local_addr()?;
        let (lock, store) = open_store(&config.data, config.limits.saved_games, address)?;
        let pool = Arc::new(Pool::new(config.threads, config.limits.people, config.engines)?);
        let engines = |game: &str| pool.engines(game).into_iter().map(str::to_owned).collect();
        let policy = Policy { lobby: config.lobby, live_analysis: config.live_analysis };
        let offered = SiteShown::new(policy, engines);
        let files = Files::new(beside, serde_json::to_string(&offered).unwrap_or_default());
        let gate = Arc::new(Gate::new(config.limits));
        let known = runtime.block_on(store.invitations(MAX_CODES as u32));
        let known = known.map_err(|error| ServerError::Store { file: config.data, error })?;
        let lobby = Lobby::new(config.lobby, config.limits.people, known);
        let registry =
            Registry::new(store, Arc::clone(&pool), Arc::clone(&gate), config.limits.rooms, lobby);
        let app = Arc::new(App {
            files,
            registry: Arc::new(registry),
            pool,
            gate,
            hosts: Hosts::new(address, config.names),
            proxies: Proxies::new(config.proxies),
            runs: Arc::new(Runs::new(config.runs)),
            uploads: Arc::default(),
        });
        Ok(Self { runtime, listener, address, router: router(Arc::clone(&app)), app, lock })
    }

    /// The address that the server listens on.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the program ends.
    pub fn run(self) {
        let Self { runtime, listener, router, app, lock, .. } = self;
        runtime.block_on(async move {
            tokio::spawn(lock.live());
            tokio::spawn(Arc::clone(&app.registry).mind_clocks());
            loop {
                match listener.accept().await {
                    Ok((stream, peer)) => {
                        let address = peer.ip();
                        let proxy = app.proxies.has(address);
                        let pass = if proxy { None } else { app.gate.enter(client(address)) };
                        let (gate, router) = (Arc::clone(&app.gate), router.clone());
                        tokio::spawn(async move {
                            let pass = match pass {
                                // A client with too many connections has to wait for this one.
                                None if !proxy => match gate.enter_later(client(address)).await {
                                    None => return,
                                    pass => pass,
                                },
                                pass => pass,
                            };
                            serve(stream, Peer::new(address, pass.map(Arc::new)), router).await;
                        });
                    }
                    // Without free file handles, some must be released first.
                    Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                }
            }
        });
    }
}

fn open_store(
    folder: &Path,
    most: usize,
    address: SocketAddr,
) -> Result<(FolderLock, Store), ServerError> {
    let refused = |error| ServerError::Folder { folder: folder.to_owned(), error };
    fs::create_dir_all(folder).map_err(refused)?;
    let taken = FolderLock::take(folder, &format!("http://{address}/")).map_err(refused)?;
    let used = |address| ServerError::Used { folder: folder.to_owned(), address };
    let lock = taken.map_err(used)?;
    let file = folder.join("games.db");
    let store = Store::open(&file, most, lock.down);
    Ok((lock, store.map_err(|error| ServerError::Store { file, error })?))
}

async fn serve(stream: TcpStream, peer: Peer, router: Router) {
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(Body::new);
        // A socket that the request is upgraded to counts as long as it lasts.
        request.extensions_mut().insert(peer.clone());
        router.clone().oneshot(request)
    });
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(MAX_WRITE));
    let stream = Box::pin(stream);
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(MAX_HEADERS).max_buf_size(MAX_HEAD);
    // A client that closes the connection early is not an error of the server.
    let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
}
