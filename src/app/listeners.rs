//! Options of the process's listeners, within the limits of the system.

use crate::{
    config::Config,
    platform::{descriptors, net::ServeOptions},
};

/// Maximum number of concurrent connections to the metrics: a few scrapers.
const SCRAPERS: usize = 32;

/// Returns the options of the public listener. First raises the limit of open files as far as the system allows. If the
/// configured maximum number of connections does not fit within this limit, lowers the maximum.
pub fn options(config: &Config) -> ServeOptions {
    let options = config.serve_options();
    let Some(limit) = descriptors::raise() else { return options };
    let fitting = descriptors::fitting(options.max_connections, limit);
    if fitting < options.max_connections {
        tracing::warn!(
            max_connections = options.max_connections,
            lowered_to = fitting,
            open_files = limit,
            "max_connections does not fit within the limit of open files; raise the limit \
             (LimitNOFILE, ulimit -Hn)"
        );
    }
    ServeOptions { max_connections: fitting, ..options }
}

/// Returns the options of the metrics listener.
pub fn for_metrics(config: &Config) -> ServeOptions {
    let options = config.serve_options();
    ServeOptions { max_connections: options.max_connections.min(SCRAPERS), ..options }
}
