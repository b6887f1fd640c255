//! The reference receiver of events, which follows the rules for receivers (B-441). This module opens no sockets.
//!
//! The receiver verifies the raw bytes before it parses them, handles each event once, and responds immediately. If a
//! handled event is delivered again, the receiver responds with 200. The command's options can request other responses
//! ([`Misbehaviour`]).

use std::{
    collections::{HashMap, VecDeque},
    sync::atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use http::{HeaderMap, Method};
use parking_lot::Mutex;
use serde_json::Value;

use super::{
    misbehaviour::{Misbehaviour, ReceiverReply},
    verdict::{self, InvalidSignature, Match, Signed},
};
use crate::{
    domain::time::Timestamp,
    platform::{clock::Clock, secrets::Secret},
};

/// Header with the number of the delivery attempt.
pub const ATTEMPT: &str = "x-service-attempt";
/// Header with the time of the signature.
pub const TIMESTAMP: &str = "x-service-timestamp";
/// Header with the signature.
pub const SIGNATURE: &str = "x-service-signature";

/// Maximum number of event ids that the receiver remembers to recognize repeated deliveries. Unless the operator
/// requests a redelivery, an id is needed for about 36 minutes, until the last retry (1 + 5 + 30 minutes).
const MAX_REMEMBERED: usize = 100_000;

/// A received request.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// When the request had arrived completely.
    pub received_at: Timestamp,
    pub method: Method,
    /// The path with the query.
    pub path: String,
    pub headers: HeaderMap,
    /// The raw bytes, which are verified before they are parsed.
    pub body: Bytes,
}

impl Incoming {
    /// Returns the value of a header; `None` if the header is missing, not ASCII text, or repeated. It is unknown which
    /// value of a repeated header is signed.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next()?;
        if values.next().is_some() { None } else { value.to_str().ok() }
    }

    /// Returns the parts of the request that the signature covers, and the signature.
    #[must_use]
    pub fn signed(&self) -> Signed<'_> {
        Signed { timestamp: self.header(TIMESTAMP), signature: self.header(SIGNATURE), body: &self.body }
    }
}

/// The outcome of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReceiverOutcome {
    /// The event was handled.
    Handled,
    /// The event had been handled before and was ignored.
    Repeated,
    /// The event was verified but not handled, because [`Misbehaviour`] requested a failure.
    Failed,
    /// The signature or the timestamp is missing or malformed, the signature does not match, or the timestamp is too
    /// old.
    Refused(InvalidSignature),
    /// The signature is valid, but the body is not an event.
    NoEvent(&'static str),
    /// The method is not `POST`.
    NoPost,
}

impl ReceiverOutcome {
    /// Returns the name of the outcome in the JSON output.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Handled => "handled",
            Self::Repeated => "repeated",
            Self::Failed => "failed",
            Self::Refused(_) => "refused",
            Self::NoEvent(_) => "no_event",
            Self::NoPost => "no_post",
        }
    }
}

/// A request with its result.
#[derive(Clone, Debug)]
pub struct Reception {
    /// The number of the request, counted from 1 in order of arrival.
    pub number: u64,
    pub incoming: Incoming,
    /// Which value of the signature header matched, and with which secret; `None` if the request was not verified.
    pub verified: Option<Match>,
    /// The parsed body; `None` if the method is not `POST`, the signature is invalid or the body is not JSON.
    pub event: Option<Value>,
    pub outcome: ReceiverOutcome,
    pub reply: ReceiverReply,
}

/// The receiver. Shared by all connections.
#[derive(Debug)]
pub struct Receiver {
    secrets: Vec<Secret>,
    misbehaviour: Misbehaviour,
    clock: Clock,
    arrived: AtomicU64,
    memory: Mutex<Memory>,
}

/// The remembered events by id, at most [`MAX_REMEMBERED`]. When this number is reached, each new event replaces the
/// oldest one.
#[derive(Debug, Default)]
struct Memory {
    events: HashMap<String, Known>,
    order: VecDeque<String>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    attempts: u32,
    handled: bool,
}

impl Memory {
    /// Returns the entry of an event, after adding it if it is missing.
    fn of(&mut self, id: &str) -> &mut Known {
        if !self.events.contains_key(id) {
            if self.order.len() == MAX_REMEMBERED
                && let Some(oldest) = self.order.pop_front()
            {
                self.events.remove(&oldest);
            }
            self.order.push_back(id.to_owned());
        }
        self.events.entry(id.to_owned()).or_default()
    }
}

impl Receiver {
    /// Creates a receiver that verifies signatures with these secrets.
    #[must_use]
    pub fn new(secrets: Vec<Secret>, misbehaviour: Misbehaviour, clock: Clock) -> Self {
        Self { secrets, misbehaviour, clock, arrived: AtomicU64::new(0), memory: Mutex::default() }
    }

    /// Returns the clock that the receiver uses.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Verifies a request and handles its event. Before the caller responds, it must wait for the delay of the returned
    /// [`ReceiverReply`].
    #[must_use]
    pub fn receive(&self, incoming: Incoming) -> Reception {
        let number = self.arrived.fetch_add(1, Ordering::Relaxed) + 1;
        let mut reception = Reception {
            number,
            verified: None,
            event: None,
            outcome: ReceiverOutcome::NoPost,
            reply: ReceiverReply::of(405),
            incoming,
        };
        if reception.incoming.method != Method::POST {
            return reception;
        }
        let now = self.clock.now();
        match verdict::verify(&self.secrets, reception.incoming.signed(), now) {
            Err(invalid) => {
                // 401 if the signature does not match or the timestamp is too old, and 400 if a header is missing or
                // malformed
                let malformed = !matches!(invalid, InvalidSignature::Mismatch | InvalidSignature::TooOld(_));
                reception.reply = ReceiverReply::of(if malformed { 400 } else { 401 });
                reception.outcome = ReceiverOutcome::Refused(invalid);
            }
            Ok(found) => {
                reception.verified = Some(found);
                reception.event = serde_json::from_slice(&reception.incoming.body).ok();
                (reception.outcome, reception.reply) = self.handle(reception.event.as_ref());
            }
        }
        reception
    }

    /// Handles the event of a verified request.
    fn handle(&self, event: Option<&Value>) -> (ReceiverOutcome, ReceiverReply) {
        let Some(event) = event else {
            return (ReceiverOutcome::NoEvent("the body is not JSON"), ReceiverReply::of(400));
        };
        let Some(id) = event["id"].as_str() else {
            return (ReceiverOutcome::NoEvent("the body has no id"), ReceiverReply::of(400));
        };
        // locked until the outcome is decided, so that of two concurrent requests with the same event id only one is
        // handled
        let mut memory = self.memory.lock();
        let known = memory.of(id);
        known.attempts = known.attempts.saturating_add(1);
        let reply = self.misbehaviour.answer(known.attempts);
        if !reply.is_success() {
            return (ReceiverOutcome::Failed, reply);
        }
        if std::mem::replace(&mut known.handled, true) {
            return (ReceiverOutcome::Repeated, reply);
        }
        (ReceiverOutcome::Handled, reply)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;
    use crate::domain::signature;

    const AT: i64 = 1_795_196_100;
    const BODY: &str = r#"{"id":"evt_38f40r646007j","type":"directory.changed","data":{"kind":"user.created","id":"usr_1"}}"#;

    fn request(body: &str, headers: &[(&'static str, &str)]) -> Incoming {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        Incoming {
            received_at: Timestamp::from_seconds(AT),
            method: Method::POST,
            path: "/events".to_owned(),
            headers: map,
            body: Bytes::copy_from_slice(body.as_bytes()),
        }
    }

    fn signed(body: &str, at: i64) -> Incoming {
        let (time, value) = (at.to_string(), signature::sign("whsec_x", at, body.as_bytes()));
        request(body, &[(TIMESTAMP, &time), (SIGNATURE, &value)])
    }

    fn receiver(misbehaviour: Misbehaviour) -> Receiver {
        let clock = Clock::manual(Timestamp::from_seconds(AT));
        Receiver::new(vec![Secret::new("whsec_x")], misbehaviour, clock)
    }

    #[test]
    fn an_event_is_handled_once() {
        // an event with the id of a handled event is ignored (B-441)
        let receiver = receiver(Misbehaviour::default());
        let first = receiver.receive(signed(BODY, AT));
        assert_eq!(
            (first.outcome, first.reply, first.number),
            (ReceiverOutcome::Handled, ReceiverReply::of(200), 1)
        );
        assert_eq!(first.event.unwrap()["data"]["kind"], "user.created");
        let again = receiver.receive(signed(BODY, AT - 60));
        assert_eq!(
            (again.outcome, again.reply, again.number),
            (ReceiverOutcome::Repeated, ReceiverReply::of(200), 2)
        );
        let other = receiver.receive(signed(&BODY.replace("646007j", "646007k"), AT));
        assert_eq!(other.outcome, ReceiverOutcome::Handled);
    }

    #[test]
    fn an_event_is_handled_after_the_requested_failures() {
        let receiver = receiver(Misbehaviour { fail: Some(2), ..Misbehaviour::default() });
        let outcomes = [0; 4].map(|_| receiver.receive(signed(BODY, AT)).outcome);
        assert_eq!(
            outcomes,
            [
                ReceiverOutcome::Failed,
                ReceiverOutcome::Failed,
                ReceiverOutcome::Handled,
                ReceiverOutcome::Repeated
            ]
        );
    }

    #[test]
    fn unverified_bodies_are_not_parsed() {
        let receiver = receiver(Misbehaviour::default());
        let mut tampered = signed(BODY, AT);
        tampered.body = Bytes::from(BODY.replace("created", "updated"));
        for (request, status, wrong) in [
            (tampered, 401, InvalidSignature::Mismatch),
            (signed(BODY, AT - 301), 401, InvalidSignature::TooOld(301)),
            (request(BODY, &[]), 400, InvalidSignature::NoTimestamp),
            (request(BODY, &[(TIMESTAMP, "1")]), 400, InvalidSignature::NoSignature),
            (
                request(BODY, &[(TIMESTAMP, "1"), (TIMESTAMP, "1"), (SIGNATURE, "x")]),
                400,
                InvalidSignature::NoTimestamp,
            ),
            (request(BODY, &[(TIMESTAMP, "now"), (SIGNATURE, "x")]), 400, InvalidSignature::BadTimestamp),
            (request(BODY, &[(TIMESTAMP, "1"), (SIGNATURE, "x")]), 400, InvalidSignature::BadSignature),
        ] {
            let found = receiver.receive(request);
            assert_eq!(
                (&found.outcome, found.reply),
                (&ReceiverOutcome::Refused(wrong), ReceiverReply::of(status))
            );
            assert!(found.event.is_none() && found.verified.is_none());
        }
        // a rejected request is not remembered as a handled event
        assert_eq!(receiver.receive(signed(BODY, AT)).outcome, ReceiverOutcome::Handled);
    }

    #[test]
    fn only_events_are_handled() {
        let receiver = receiver(Misbehaviour::default());
        for body in ["", "no", "[]", "{}", r#"{"id":5}"#] {
            let found = receiver.receive(signed(body, AT));
            assert!(matches!(found.outcome, ReceiverOutcome::NoEvent(_)), "{body}: {:?}", found.outcome);
            assert_eq!(found.reply, ReceiverReply::of(400));
        }
        let get = Incoming { method: Method::GET, ..signed(BODY, AT) };
        assert_eq!(receiver.receive(get).reply, ReceiverReply::of(405));
    }

    #[test]
    fn the_oldest_event_ids_are_removed_first() {
        let mut memory = Memory::default();
        for number in 0..=MAX_REMEMBERED {
            memory.of(&number.to_string()).handled = true;
        }
        assert_eq!((memory.events.len(), memory.order.len()), (MAX_REMEMBERED, MAX_REMEMBERED));
        assert!(!memory.of("0").handled && memory.of("2").handled);
    }
}
