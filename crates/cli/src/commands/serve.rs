//! `wurfel serve`: the site, which `wurfel` also serves without a command.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command, FromArgMatches};
use ipnet::IpNet;
use wurfel_site::{Limits, OfferedEngine, Server, SiteConfig};
use wurfel_tablebase::data_folder;

use crate::Done;
use crate::bounds::whole;
use crate::options::cpus;

/// The port when none is given; if it is taken, a free one is used.
const PORT: u16 = 3140;

/// Serves the site: play, analyse, learn and watch in a browser
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel serve\n  wurfel serve --port 8080 --runs results\n  \
    wurfel serve --host 0.0.0.0 --class 40\n  \
    wurfel serve --engine 'theirs=\"./engine --fast\",game=einstein'\n\n\
    Only this machine can reach the site unless --host says otherwise. In that case list its\n\
    host names with --name: requests under any other name are refused.\n\
    Ctrl-C ends the server; games continue where they were when it is started again.")]
pub struct Serve {
    /// The port, or 0 for any free one [default: 3140, or a free one if that is taken]
    #[arg(long, value_parser = whole::<u16>(0..=u16::MAX.into()))]
    port: Option<u16>,
    /// The address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = address)]
    host: IpAddr,
    /// A name, or name:port, by which browsers call this server; may be repeated
    #[arg(long)]
    name: Vec<String>,
    /// The folder for saved games [default: wurfel in your data folder]
    #[arg(long)]
    data: Option<PathBuf>,
    /// A folder with tournaments, matches and training runs to watch
    #[arg(long)]
    runs: Option<PathBuf>,
    /// A folder with the rendered documents, which the site serves under /docs/ (`cargo xtask
    /// book` makes target/book)
    #[arg(long)]
    docs: Option<PathBuf>,
    /// A folder with the report on the papers, which the site serves under /papers/ (`wurfel
    /// reproduce report` makes it)
    #[arg(long)]
    papers: Option<PathBuf>,
    /// A folder with the engine for web pages, with which the page analyses on the device of its visitor
    /// (`cargo xtask wasm` makes target/engine)
    #[arg(long)]
    wasm: Option<PathBuf>,
    /// An external program that guests may play against under its name, with the options of cmd: and
    /// game= where it plays only one (see `wurfel agents`); may be repeated
    #[arg(long, value_name = "NAME=\"COMMAND\",OPTION=VALUE")]
    engine: Vec<OfferedEngine>,
    /// Have no list of games that anybody on this server may join; people then play by invitation only
    #[arg(long)]
    no_lobby: bool,
    /// Offer no analysis of a game in progress, as a teacher may wish; without this, only games between
    /// people on two devices have none
    #[arg(long)]
    no_live_analysis: bool,
    /// Number of search threads (all CPUs by default)
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// How many people may use the site from one address, as a class in a school's network does: raises
    /// the limits of each client to what they all need
    #[arg(long, value_name = "PEOPLE", value_parser = whole::<u16>(1..=1000))]
    class: Option<u16>,
    /// Requests per second that each client may send, on average (by default 20, or 10 for each person
    /// of a class if that is more)
    #[arg(long, value_parser = whole::<u32>(1..=u32::MAX.into()))]
    rate: Option<u32>,
    /// Connections that each client may have open (by default 64, or 8 for each person of a class if that
    /// is more)
    #[arg(long, value_parser = whole::<u16>(1..=u16::MAX.into()))]
    connections: Option<u16>,
    /// Addresses or networks of proxies in front of the site, which are trusted to name the client
    /// of a request
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',', value_parser = network)]
    proxy: Vec<IpNet>,
    /// New games per minute that each client may open (by default 8, or any number if only this
    /// machine can reach the site)
    #[arg(long, value_parser = whole::<u32>(1..=u32::MAX.into()))]
    new_per_minute: Option<u32>,
    /// New games per day that each client may open (by default 300, or any number if only this
    /// machine can reach the site)
    #[arg(long, value_parser = whole::<u32>(1..=u32::MAX.into()))]
    new_per_day: Option<u32>,
}

/// The action of `wurfel` without a command: serves the site, and opens it in a browser if there is
/// a desktop.
pub fn run(out: &mut dyn Write) -> anyhow::Result<Done> {
    let line = Serve::augment_args(Command::new("serve")).get_matches_from(["serve"]);
    Serve::from_arg_matches(&line)?.serve(out, |address| {
        if io::stdout().is_terminal() && has_desktop() {
            // If no browser opens, the user still has the address, which has been printed.
            let _ = open::that_detached(address);
        }
    })
}

/// Reads a network, or an address as a network of a single machine.
fn network(text: &str) -> Result<IpNet, &'static str> {
    let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    network.map_err(|_| "expected an address such as 127.0.0.1 or a network such as 10.0.0.0/8")
}

/// Reads an address.
fn address(text: &str) -> Result<IpAddr, &'static str> {
    text.parse().map_err(|_| "expected an address such as 127.0.0.1 or ::1")
}

/// Whether there is a desktop on which a browser can open.
fn has_desktop() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

impl Serve {
    /// Serves the site until Ctrl-C.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        self.serve(out, |_| ())
    }

    fn serve(self, out: &mut dyn Write, ready: impl FnOnce(&str)) -> anyhow::Result<Done> {
        let defaults = Limits::for_class(self.class.unwrap_or(1));
        let rate = self.rate.map_or(defaults.requests_per_second, f64::from);
        let each = self.connections.map_or(defaults.connections_each, usize::from);
        // A site that only this machine can reach needs no limit on new games.
        let alone = self.host.is_loopback() && self.proxy.is_empty();
        let data = self.data.clone().map_or_else(data_folder, Ok);
        let data = data.context("no folder for the games (--data names one)")?;
        let unless_alone = |defaults: Option<u32>| defaults.filter(|_| !alone);
        let config = SiteConfig {
            address: SocketAddr::new(self.host, self.port.unwrap_or(PORT)),
            any_port: self.port.is_none(),
            data,
            runs: self.runs,
            docs: self.docs,
            papers: self.papers,
            wasm: self.wasm,
            names: self.name,
            proxies: self.proxy,
            engines: self.engine,
            lobby: !self.no_lobby,
            live_analysis: !self.no_live_analysis,
            threads: self.jobs.map_or_else(cpus, usize::from),
            limits: Limits {
                requests_per_second: rate,
                burst: 10.0 * rate,
                connections_each: each,
                connections: defaults.connections.max(2 * each),
                new_per_minute: self.new_per_minute.or(unless_alone(defaults.new_per_minute)),
                new_per_day: self.new_per_day.or(unless_alone(defaults.new_per_day)),
                ..defaults
            },
        };
        let server = Server::bind(config)?;
        let address = format!("http://{}/", server.address());
        writeln!(out, "The site is at {address} (Ctrl-C ends it).")?;
        out.flush()?;
        ready(&address);
        server.run();
        Ok(Done::All)
    }
}
