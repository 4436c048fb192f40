//! `wurfel serve`: the site; what `wurfel` does without a command.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use ipnet::IpNet;
use wurfel_site::{Limits, Server, SiteConfig, default_data};

use crate::Done;
use crate::work::cpus;

/// The port when none is named, unless something else listens there.
const PORT: u16 = 3140;

/// Serves the site: play, analyse, learn and watch in a browser
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel serve\n  wurfel serve --port 8080 --runs results\n\n\
    Only this machine can reach the site unless --host says otherwise. Then give its names\n\
    with --name, so that pages of other sites cannot reach it under names of their own. Ctrl-C ends it; games go on\n\
    where they were when it is served again.")]
pub struct Serve {
    /// The port; 0 for any free one (by default 3140, or a free one if that is taken)
    #[arg(long)]
    port: Option<u16>,
    /// The address of this machine to listen at
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// A name, or name:port, by which browsers call this server; may be repeated
    #[arg(long)]
    name: Vec<String>,
    /// The folder of the games that are kept (by default wurfel in your data folder)
    #[arg(long)]
    data: Option<PathBuf>,
    /// A folder with tournaments, matches and training runs to watch
    #[arg(long)]
    runs: Option<PathBuf>,
    /// A folder with the rendered documents, to be read under /docs/ (`cargo xtask book` makes
    /// target/book)
    #[arg(long)]
    docs: Option<PathBuf>,
    /// Threads that search (all CPUs by default)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Requests of a client in a second, on average
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// Connections of a client
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    connections: u16,
    /// Proxies before the site, addresses or networks, that are believed when they say who sends a
    /// request
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',', value_parser = network)]
    proxy: Vec<IpNet>,
    /// New games of a client in a minute (by default 8, or any number where only this machine can
    /// reach the site)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    new_per_minute: Option<u32>,
    /// New games of a client in a day (by default 300, or any number where only this machine can
    /// reach the site)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    new_per_day: Option<u32>,
}

/// What `wurfel` does without a command: serves the site, and opens it in a browser if
/// somebody sits at a desktop.
pub fn run(out: &mut dyn Write) -> anyhow::Result<Done> {
    let serve = Serve {
        port: None,
        host: IpAddr::V4(Ipv4Addr::LOCALHOST),
        name: vec![],
        data: None,
        runs: None,
        docs: None,
        jobs: None,
        rate: 20,
        connections: 64,
        proxy: vec![],
        new_per_minute: None,
        new_per_day: None,
    };
    serve.serve(out, |address| {
        if io::stdout().is_terminal() && has_desktop() {
            // Without a browser the address that was printed must do.
            let _ = open::that_detached(address);
        }
    })
}

/// Reads an address, which is a network of one, or a network.
fn network(text: &str) -> Result<IpNet, &'static str> {
    let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    network.map_err(|_| "expected an address such as 127.0.0.1 or a network such as 10.0.0.0/8")
}

/// Whether programs with windows can be opened.
fn has_desktop() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

impl Serve {
    /// Does it.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        self.serve(out, |_| ())
    }

    fn serve(self, out: &mut dyn Write, ready: impl FnOnce(&str)) -> anyhow::Result<Done> {
        let rate = f64::from(self.rate);
        let each = usize::from(self.connections);
        let usual = Limits::default();
        // Whoever plays alone on this machine is held up by nothing.
        let alone = self.host.is_loopback() && self.proxy.is_empty();
        let unless_alone = |usual: Option<u32>| usual.filter(|_| !alone);
        let config = SiteConfig {
            address: SocketAddr::new(self.host, self.port.unwrap_or(PORT)),
            any_port: self.port.is_none(),
            data: self.data.unwrap_or_else(default_data),
            runs: self.runs,
            docs: self.docs,
            names: self.name,
            proxies: self.proxy,
            threads: self.jobs.map_or_else(cpus, usize::from),
            limits: Limits {
                requests_per_second: rate,
                burst: 10.0 * rate,
                connections_each: each,
                connections: usual.connections.max(2 * each),
                new_per_minute: self.new_per_minute.or(unless_alone(usual.new_per_minute)),
                new_per_day: self.new_per_day.or(unless_alone(usual.new_per_day)),
                ..usual
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
