//! Options of the public listener and of the metrics listener.

use crate::{
    config::Config,
    platform::{descriptors, net::ServeOptions},
};

/// Maximum number of concurrent connections to the metrics listener, enough for several scrapers.
const SCRAPERS: usize = 32;

/// Raises the process's limit of open files as far as the system allows, and returns the options of the public
/// listener. If the configured maximum number of connections does not fit within the raised limit, lowers the maximum.
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
