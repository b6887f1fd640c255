//! The console's page that shows the ids and secrets of the sandbox, each with a button that copies it.

use askama::Template;
use poem::http::StatusCode;

use super::{Console, SandboxFacts, context::ConsoleContext, shell::ConsoleShell};
use crate::pages::{Outcome, answer, frame::Frame};

#[derive(Template)]
#[template(path = "console/secrets.html")]
struct SecretsPage<'a> {
    frame: Frame,
    shell: ConsoleShell,
    /// `None` if the process was not started by `switchboard dev`.
    facts: Option<&'a SandboxFacts>,
}

/// GET /console/secrets.
pub(super) fn show(console: &Console, context: &ConsoleContext) -> Outcome {
    let (frame, shell) = ConsoleShell::new(console, context, "Secrets", "/console/secrets");
    answer::client_page(StatusCode::OK, &SecretsPage { frame, shell, facts: console.state.facts.get() })
}
