//! Logs to standard error, as JSON lines for machines or as text for people.
//!
//! Tokens, codes, secrets and e-mail addresses must not be logged at any level. The type
//! [`Secret`](crate::platform::secrets::Secret) hides its text, and request bodies and query strings are not logged.
//! Other crates log headers and SQL statements at verbose levels. So the configured level applies to this crate only;
//! of every other crate, only warnings and errors are logged.

use std::fmt;

use thiserror::Error;
use tracing::level_filters::LevelFilter;
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object per line.
    Json,
    /// For reading in a terminal.
    Text,
}

/// The error if a logger is already installed in this process.
#[derive(Debug, Error)]
#[error("logging is already set up")]
pub struct AlreadySetUp;

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Json => "json",
            Self::Text => "text",
        })
    }
}

/// Starts logging for the process. `colours` enables ANSI colours in the text format; the caller passes `false` if
/// standard error is a file or a pipe.
///
/// # Errors
/// [`AlreadySetUp`] if this process already has a logger.
pub fn init(format: LogFormat, level: Level, colours: bool) -> Result<(), AlreadySetUp> {
    let subscriber = subscriber(format, level, colours, std::io::stderr);
    tracing::subscriber::set_global_default(subscriber).map_err(|_| AlreadySetUp)
}

fn subscriber<W>(format: LogFormat, level: Level, colours: bool, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let ours = Targets::new().with_default(LevelFilter::WARN).with_target(env!("CARGO_CRATE_NAME"), level);
    tracing_subscriber::registry().with(lines(format, colours, writer).with_filter(ours))
}

fn lines<W, S>(format: LogFormat, colours: bool, writer: W) -> Box<dyn Layer<S> + Send + Sync>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let layer = tracing_subscriber::fmt::layer().with_writer(writer);
    match format {
        LogFormat::Json => {
            layer.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed()
        }
        LogFormat::Text => layer.compact().with_ansi(colours).boxed(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::*;
    use crate::platform::secrets::Secret;

    #[derive(Clone, Default)]
    struct Memory(Arc<Mutex<Vec<u8>>>);

    impl Write for Memory {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Runs `work` and returns what it logs.
    pub(crate) fn logged(format: LogFormat, level: Level, work: impl FnOnce()) -> String {
        let memory = Memory::default();
        let writer = memory.clone();
        tracing::subscriber::with_default(subscriber(format, level, false, move || writer.clone()), work);
        String::from_utf8(memory.0.lock().clone()).unwrap()
    }

    #[test]
    fn json_lines_are_json_and_hide_secrets() {
        let text = logged(LogFormat::Json, Level::TRACE, || {
            tracing::info_span!("create_message", request = "req_1").in_scope(|| {
                tracing::trace!(token = ?Secret::new("svc_bot_live_x"), "said");
            });
        });
        let line: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
        assert_eq!(line["message"], "said");
        assert_eq!(line["span"]["request"], "req_1");
        assert!(!text.contains("svc_bot"));
    }

    #[test]
    fn other_crates_log_only_warnings_and_errors_even_at_trace() {
        let text = logged(LogFormat::Text, Level::TRACE, || {
            tracing::info!(target: "hyper::proto", "authorization: Bearer x");
            tracing::warn!(target: "hyper::proto", "trouble");
            tracing::debug!("ours");
        });
        assert!(!text.contains("Bearer") && text.contains("trouble") && text.contains("ours"), "{text}");
        assert!(logged(LogFormat::Text, Level::WARN, || tracing::info!("ours")).is_empty());
    }
}
