//! Games written down and read again, in every form.

pub(crate) mod archive;
pub(crate) mod csv_log;
pub(crate) mod draft;
pub(crate) mod journal;
pub(crate) mod output;
pub(crate) mod record;
pub(crate) mod scribe;
