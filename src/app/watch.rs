//! Gives every request its id and counts every answer.

use std::{collections::HashMap, sync::OnceLock, time::Duration};

use metrics::{Counter, Histogram};

use crate::{
    assistant,
    contract::Observer,
    generated,
    platform::{
        metrics::{HTTP_REQUESTS, HTTP_SECONDS},
        rng::Rng,
    },
};

/// The envelope's observer.
pub(super) struct Watch {
    rng: Rng,
    /// By operation.
    meters: HashMap<&'static str, Meters>,
    /// Of everything outside the documents.
    other: Meters,
}

/// The metrics of one operation, looked up when they are first needed: that costs more than recording does.
struct Meters {
    operation: &'static str,
    seconds: OnceLock<Histogram>,
    answers: [OnceLock<Counter>; STATUSES.len()],
}

impl Meters {
    const fn new(operation: &'static str) -> Self {
        Self { operation, seconds: OnceLock::new(), answers: [const { OnceLock::new() }; STATUSES.len()] }
    }

    fn record(&self, status: u16, elapsed: Duration) {
        let operation = self.operation;
        let place = STATUSES.iter().position(|(known, _)| *known == status).unwrap_or(STATUSES.len() - 1);
        let answers = self.answers[place].get_or_init(
            || metrics::counter!(HTTP_REQUESTS, "operation" => operation, "status" => STATUSES[place].1),
        );
        answers.increment(1);
        let seconds =
            self.seconds.get_or_init(|| metrics::histogram!(HTTP_SECONDS, "operation" => operation));
        seconds.record(elapsed.as_secs_f64());
    }
}

impl Watch {
    pub(super) fn new(rng: Rng) -> Self {
        let operations =
            [generated::bot::OPERATIONS, generated::assistant::OPERATIONS, generated::admin::OPERATIONS];
        let operations = operations.into_iter().flatten().chain(assistant::MCP_OPERATIONS);
        let meters = operations.map(|operation| (operation.id, Meters::new(operation.id))).collect();
        Self { rng, meters, other: Meters::new("other") }
    }
}

impl Observer for Watch {
    fn random(&self) -> u128 {
        self.rng.public_bits()
    }

    fn done(
        &self,
        operation: Option<&'static str>,
        status: u16,
        code: Option<&'static str>,
        elapsed: Duration,
    ) {
        let meters = operation.and_then(|id| self.meters.get(id)).unwrap_or(&self.other);
        meters.record(status, elapsed);
        let operation = meters.operation;
        tracing::debug!(operation, status, code, elapsed_us = elapsed.as_micros(), "answered");
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
