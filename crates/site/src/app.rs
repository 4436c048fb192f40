//! The state that all requests share.

use std::sync::Arc;

use crate::files::Files;
use crate::hosts::Hosts;
use crate::limits::Gate;
use crate::pool::Pool;
use crate::proxy::Proxies;
use crate::registry::Registry;
use crate::runs::Runs;
use crate::uploads::Uploads;

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
