//! The request log and the HTTP metrics. [`RequestLog`] counts every response and logs it at `debug`. At `info`, it
//! logs sign-ins, sign-outs, and changes through the admin API and the pages, each with its caller. Outside production,
//! it also passes requests and responses to the recorder of the console.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::Duration,
};

use metrics::{Counter, Histogram};
use poem::{Request, Response};

use crate::{
    api::recorder::{Recorder, SeenRequest},
    assistant,
    contract::{Answered, Observer, OperationInfo, answer::PageAction},
    generated,
    platform::{
        metrics::{HTTP_REQUESTS, HTTP_SECONDS},
        rng::Rng,
    },
};

/// Value of the labels and log fields `api` and `operation` for pages, including `/authorize`, and for all other
/// requests that are not operations of an API. The messages at `info` about pages have other values.
const OTHER: &str = "other";
/// The API whose changes are logged at `info`.
const ADMIN: &str = "admin";
/// The admin API's operation that signs in. Logged at `info` even if it fails.
const SIGN_IN: &str = "createSession";
/// The admin API's operation that signs out.
const SIGN_OUT: &str = "deleteSession";
/// Value of the field `api` in the messages at `info` about pages.
const PAGES: &str = "pages";

/// The [`Observer`] of the response middleware.
pub(super) struct RequestLog {
    rng: Rng,
    /// The recorder of requests for the console; `None` in production.
    recorder: Option<Arc<Recorder>>,
    /// The metrics of operations: for each API, a map from operation ids to metrics.
    meters: Vec<(&'static str, HashMap<&'static str, Meters>)>,
    /// The metrics of all requests without an entry in `meters`.
    other: Meters,
}

/// Metrics of one operation. Each metric is looked up in the metrics registry only once, on its first use, because a
/// look-up takes longer than recording a value.
struct Meters {
    api: &'static str,
    operation: &'static str,
    seconds: OnceLock<Histogram>,
    /// The counters of responses by status, in the order of [`STATUSES`].
    responses: [OnceLock<Counter>; STATUSES.len()],
}

impl Meters {
    const fn new(api: &'static str, operation: &'static str) -> Self {
        let responses = [const { OnceLock::new() }; STATUSES.len()];
        Self { api, operation, seconds: OnceLock::new(), responses }
    }

    fn record(&self, status: u16, elapsed: Duration) {
        let (api, operation) = (self.api, self.operation);
        let index = STATUSES.iter().position(|(known, _)| *known == status).unwrap_or(STATUSES.len() - 1);
        let responses = self.responses[index].get_or_init(|| {
            let status = STATUSES[index].1;
            metrics::counter!(HTTP_REQUESTS, "api" => api, "operation" => operation, "status" => status)
        });
        responses.increment(1);
        let seconds = self
            .seconds
            .get_or_init(|| metrics::histogram!(HTTP_SECONDS, "api" => api, "operation" => operation));
        seconds.record(elapsed.as_secs_f64());
    }
}

impl RequestLog {
    pub(super) fn new(rng: Rng, recorder: Option<Arc<Recorder>>) -> Self {
        let operations =
            [generated::bot::OPERATIONS, generated::assistant::OPERATIONS, generated::admin::OPERATIONS];
        let mut meters: Vec<(&str, HashMap<_, _>)> = Vec::new();
        for operation in operations.into_iter().flatten().chain(assistant::MCP_OPERATIONS) {
            let (api, id) = (operation.api, operation.id);
            let index = meters.iter().position(|(known, _)| *known == api).unwrap_or_else(|| {
                meters.push((api, HashMap::new()));
                meters.len() - 1
            });
            meters[index].1.insert(id, Meters::new(api, id));
        }
        Self { rng, recorder, meters, other: Meters::new(OTHER, OTHER) }
    }

    fn meters(&self, operation: Option<&'static OperationInfo>) -> &Meters {
        let known = operation.and_then(|operation| {
            let (_, document) = self.meters.iter().find(|(api, _)| *api == operation.api)?;
            document.get(operation.id)
        });
        known.unwrap_or(&self.other)
    }
}

impl Observer for RequestLog {
    type Seen = Option<Box<SeenRequest>>;

    fn random(&self) -> u128 {
        self.rng.public_bits()
    }

    fn seen(&self, request: &mut Request) -> Self::Seen {
        self.recorder.as_ref().and_then(|recorder| recorder.seen(request))
    }

    fn done(&self, answered: &Answered<'_>, seen: Self::Seen, response: &mut Response) {
        if let (Some(recorder), Some(seen)) = (&self.recorder, seen) {
            recorder.answered(*seen, answered, response);
        }
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
        if let Some(text) = info_message(answered) {
            let (api, operation) =
                answered.page_action.map_or((api, operation), |page_action| (PAGES, page_action.name()));
            let caller = answered.caller.map(tracing::field::display);
            let path = shown_path(answered.path);
            let page_change = answered.page_change;
            let (resource, change) =
                page_change.map(|page_change| (page_change.resource.as_str(), page_change.change)).unzip();
            tracing::info!(
                request_id, api, operation, path, resource, change, status, code, caller, "{text}"
            );
        }
    }
}

/// Returns a path as it is logged. The path of the console's one-time link contains a token, which is replaced by
/// `{token}`.
fn shown_path(path: &str) -> &str {
    if path.starts_with("/console/link/") { "/console/link/{token}" } else { path }
}

/// Returns the message that is logged at `info`; `None` if nothing is logged at `info`.
fn info_message(answered: &Answered<'_>) -> Option<&'static str> {
    let success = answered.status < 400;
    match (answered.operation, answered.page_action) {
        (Some(operation), _) if operation.api == ADMIN => match (operation.id, operation.method) {
            (SIGN_IN, _) => Some(if success { "signed in" } else { "sign-in failed" }),
            (SIGN_OUT, _) => success.then_some("signed out"),
            (_, "GET") => None,
            _ => success.then_some("changed"),
        },
        (None, Some(PageAction::SignIn)) => Some(if success { "signed in" } else { "sign-in failed" }),
        (None, Some(PageAction::SignOut)) => success.then_some("signed out"),
        (None, Some(PageAction::SubmitForm)) => success.then_some("changed"),
        _ => None,
    }
}

/// The response statuses of the server with their metric labels. The last entry stands for all other statuses.
const STATUSES: [(u16, &str); 27] = [
    (200, "200"),
    (201, "201"),
    (202, "202"),
    (204, "204"),
    (206, "206"),
    (302, "302"),
    (303, "303"),
    (304, "304"),
    (307, "307"),
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
    (416, "416"),
    (422, "422"),
    (429, "429"),
    (431, "431"),
    (500, "500"),
    (503, "503"),
    (0, "other"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_of_a_link_is_not_logged() {
        assert_eq!(shown_path("/console/link/secret"), "/console/link/{token}");
        assert_eq!(shown_path("/console/signin"), "/console/signin");
    }
}
