//! The state that all requests share.

use std::sync::Arc;

use crate::files::Files;
use crate::http::hosts::Hosts;
use crate::http::large_body::Uploads;
use crate::http::proxy::Proxies;
use crate::limits::Gate;
use crate::pool::Pool;
use crate::registry::Registry;
use crate::runs::Runs;

/// The state that all requests share.
pub(crate) struct App {
    pub files: Files,
    pub registry: Arc<Registry>,
    pub pool: Arc<Pool>,
    pub gate: Arc<Gate>,
    pub hosts: Hosts,
    pub proxies: Proxies,
    pub runs: Arc<Runs>,
    pub uploads: Arc<Uploads>,
}
