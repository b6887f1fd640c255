//! Gives every request its id, counts every answer, and tells the log of it: of each answer at `debug`, and at `info`
//! who changed something and who signed in or out.
//!
//! A line is made only where its level is wanted.

use std::{collections::HashMap, sync::OnceLock, time::Duration};

use metrics::{Counter, Histogram};

use crate::{
    assistant,
    contract::{Answered, Observer, OperationInfo, answer::Deed},
    generated,
    platform::{
        metrics::{HTTP_REQUESTS, HTTP_SECONDS},
        rng::Rng,
    },
};

/// What stands for everything outside the documents.
const OTHER: &str = "other";
/// The document whose changes are told of.
const ADMIN: &str = "admin";
/// Its operation that is told of even when it fails, and the one that ends what it began.
const SIGN_IN: &str = "createSession";
const SIGN_OUT: &str = "deleteSession";
/// What stands for the document in what is told of pages, which have none.
const PAGES: &str = "pages";

/// The envelope's observer.
pub(super) struct Watch {
    rng: Rng,
    /// By document, then by operation.
    meters: Vec<(&'static str, HashMap<&'static str, Meters>)>,
    /// Of everything outside the documents.
    other: Meters,
}

/// The metrics of one operation, looked up when they are first needed: that costs more than recording does.
struct Meters {
    api: &'static str,
    operation: &'static str,
    seconds: OnceLock<Histogram>,
    answers: [OnceLock<Counter>; STATUSES.len()],
}

impl Meters {
    const fn new(api: &'static str, operation: &'static str) -> Self {
        let answers = [const { OnceLock::new() }; STATUSES.len()];
        Self { api, operation, seconds: OnceLock::new(), answers }
    }

    fn record(&self, status: u16, elapsed: Duration) {
        let (api, operation) = (self.api, self.operation);
        let place = STATUSES.iter().position(|(known, _)| *known == status).unwrap_or(STATUSES.len() - 1);
        let answers = self.answers[place].get_or_init(|| {
            let status = STATUSES[place].1;
            metrics::counter!(HTTP_REQUESTS, "api" => api, "operation" => operation, "status" => status)
        });
        answers.increment(1);
        let seconds = self
            .seconds
            .get_or_init(|| metrics::histogram!(HTTP_SECONDS, "api" => api, "operation" => operation));
        seconds.record(elapsed.as_secs_f64());
    }
}

impl Watch {
    pub(super) fn new(rng: Rng) -> Self {
        let operations =
            [generated::bot::OPERATIONS, generated::assistant::OPERATIONS, generated::admin::OPERATIONS];
        let mut meters: Vec<(&str, HashMap<_, _>)> = Vec::new();
        for operation in operations.into_iter().flatten().chain(assistant::MCP_OPERATIONS) {
            let (api, id) = (operation.api, operation.id);
            let place = meters.iter().position(|(known, _)| *known == api).unwrap_or_else(|| {
                meters.push((api, HashMap::new()));
                meters.len() - 1
            });
            meters[place].1.insert(id, Meters::new(api, id));
        }
        Self { rng, meters, other: Meters::new(OTHER, OTHER) }
    }

    fn meters(&self, operation: Option<&'static OperationInfo>) -> &Meters {
        let known = operation.and_then(|operation| {
            let (_, document) = self.meters.iter().find(|(api, _)| *api == operation.api)?;
            document.get(operation.id)
        });
        known.unwrap_or(&self.other)
    }
}

impl Observer for Watch {
    fn random(&self) -> u128 {
        self.rng.public_bits()
    }

    fn done(&self, answered: &Answered<'_>) {
        let meters = self.meters(answered.operation);
        let Answered { request_id, status, code, elapsed, .. } = *answered;
        meters.record(status, elapsed);
        let Meters { api, operation, .. } = *meters;
        tracing::debug!(
            request_id,
            api,
            operation,
            status,
            code,
            elapsed_us = elapsed.as_micros(),
            "answered"
        );
        if let Some(what) = told(answered) {
            let (api, operation) = answered.deed.map_or((api, operation), |deed| (PAGES, deed.name()));
            let caller = answered.caller.map(tracing::field::display);
            let path = answered.path;
            tracing::info!(request_id, api, operation, path, status, code, caller, "{what}");
        }
    }
}

/// What the log tells at `info`, if anything.
fn told(answered: &Answered<'_>) -> Option<&'static str> {
    let well = answered.status < 400;
    match (answered.operation, answered.deed) {
        (Some(operation), _) if operation.api == ADMIN => match (operation.id, operation.method) {
            (SIGN_IN, _) => Some(if well { "signed in" } else { "not signed in" }),
            (SIGN_OUT, _) => well.then_some("signed out"),
            (_, "GET") => None,
            _ => well.then_some("changed"),
        },
        (None, Some(Deed::SignIn)) => Some(if well { "signed in" } else { "not signed in" }),
        (None, Some(Deed::SignOut)) => well.then_some("signed out"),
        (None, Some(Deed::SubmitForm)) => well.then_some("changed"),
        _ => None,
    }
}

/// The statuses of the documents as text; the last stands for all others.
const STATUSES: [(u16, &str); 22] = [
    (200, "200"),
    (201, "201"),
    (202, "202"),
    (204, "204"),
    (302, "302"),
    (400, "400"),
    (401, "401"),
    (403, "403"),
    (404, "404"),
    (405, "405"),
    (406, "406"),
    (408, "408"),
    (409, "409"),
    (413, "413"),
    (414, "414"),
    (415, "415"),
    (422, "422"),
    (429, "429"),
    (431, "431"),
    (500, "500"),
    (503, "503"),
    (0, "other"),
];
