//! The reference receiver of events (B-441): what every app's callback must do, without sockets.
//!
//! It verifies over the raw bytes before it reads them, takes over each event once, and answers at once. A repeat of
//! an event it has taken over is answered like the first and not handled again.

use std::{
    collections::{HashMap, VecDeque},
    sync::atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use http::{HeaderMap, Method};
use parking_lot::Mutex;
use serde_json::Value;

use super::{
    conduct::{Conduct, Reply},
    verdict::{self, Match, Signed, Wrong},
};
use crate::{
    domain::time::Timestamp,
    platform::{clock::Clock, secrets::Secret},
};

/// Which attempt to deliver the event the request is.
pub const ATTEMPT: &str = "x-service-attempt";
/// When it was signed.
pub const TIMESTAMP: &str = "x-service-timestamp";
/// Its signature.
pub const SIGNATURE: &str = "x-service-signature";

/// How many events are remembered, to know a repeat. The last retry comes 36 minutes after the first attempt.
const MEMORY: usize = 100_000;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// When it was whole.
    pub received_at: Timestamp,
    pub method: Method,
    /// With the query.
    pub path: String,
    pub headers: HeaderMap,
    /// The raw bytes; they are verified before anything is made of them.
    pub body: Bytes,
}

impl Incoming {
    /// A header's text; `None` when it is missing, is not ASCII, or is there twice, which nobody could verify.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next()?;
        if values.next().is_some() { None } else { value.to_str().ok() }
    }

    /// What its signature is made with.
    #[must_use]
    pub fn signed(&self) -> Signed<'_> {
        Signed { timestamp: self.header(TIMESTAMP), signature: self.header(SIGNATURE), body: &self.body }
    }
}

/// What became of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The event was taken over.
    Handled,
    /// It had been taken over before, so it was not handled again.
    Repeated,
    /// It was verified, but not taken over: a failure was asked for.
    Failed,
    /// The signature does not hold.
    Refused(Wrong),
    /// The signature holds, but there is no event in it.
    NoEvent(&'static str),
    /// Not `POST`.
    NoPost,
}

impl Outcome {
    /// The name for programs.
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

/// A request and what became of it.
#[derive(Clone, Debug)]
pub struct Reception {
    /// From 1, in order of arrival.
    pub number: u64,
    pub incoming: Incoming,
    /// Which value of the signature was right, when one was.
    pub verified: Option<Match>,
    /// The body, once it is verified and is JSON.
    pub event: Option<Value>,
    pub outcome: Outcome,
    pub reply: Reply,
}

/// The receiver. Shared by all connections.
#[derive(Debug)]
pub struct Receiver {
    secrets: Vec<Secret>,
    conduct: Conduct,
    clock: Clock,
    arrived: AtomicU64,
    memory: Mutex<Memory>,
}

/// What is known of events, by id; the oldest are forgotten first.
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
    fn of(&mut self, id: &str) -> &mut Known {
        if !self.events.contains_key(id) {
            if self.order.len() == MEMORY
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
    /// A receiver that knows these secrets.
    #[must_use]
    pub fn new(secrets: Vec<Secret>, conduct: Conduct, clock: Clock) -> Self {
        Self { secrets, conduct, clock, arrived: AtomicU64::new(0), memory: Mutex::default() }
    }

    /// The time it goes by.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Decides about a request. The answer's delay is the caller's to wait.
    #[must_use]
    pub fn receive(&self, incoming: Incoming) -> Reception {
        let number = self.arrived.fetch_add(1, Ordering::Relaxed) + 1;
        let mut reception = Reception {
            number,
            verified: None,
            event: None,
            outcome: Outcome::NoPost,
            reply: Reply::of(405),
            incoming,
        };
        if reception.incoming.method != Method::POST {
            return reception;
        }
        let now = self.clock.now();
        match verdict::judge(&self.secrets, reception.incoming.signed(), now) {
            Err(wrong) => {
                // what was not sent as agreed is a bad request; what anybody could have sent proves nobody
                let malformed = !matches!(wrong, Wrong::Mismatch | Wrong::TooOld(_));
                reception.reply = Reply::of(if malformed { 400 } else { 401 });
                reception.outcome = Outcome::Refused(wrong);
            }
            Ok(found) => {
                reception.verified = Some(found);
                reception.event = serde_json::from_slice(&reception.incoming.body).ok();
                (reception.outcome, reception.reply) = self.take(reception.event.as_ref());
            }
        }
        reception
    }

    /// What to do with a verified body.
    fn take(&self, event: Option<&Value>) -> (Outcome, Reply) {
        let Some(event) = event else {
            return (Outcome::NoEvent("the body is not JSON"), Reply::of(400));
        };
        let Some(id) = event["id"].as_str() else {
            return (Outcome::NoEvent("the body has no id"), Reply::of(400));
        };
        // one step: two requests with one id at the same time must not both be the first
        let mut memory = self.memory.lock();
        let known = memory.of(id);
        known.attempts = known.attempts.saturating_add(1);
        let reply = self.conduct.answer(known.attempts);
        if !reply.is_success() {
            return (Outcome::Failed, reply);
        }
        if std::mem::replace(&mut known.handled, true) {
            return (Outcome::Repeated, reply);
        }
        (Outcome::Handled, reply)
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

    fn receiver(conduct: Conduct) -> Receiver {
        let clock = Clock::manual(Timestamp::from_seconds(AT));
        Receiver::new(vec![Secret::new("whsec_x")], conduct, clock)
    }

    #[test]
    fn an_event_is_handled_once() {
        // B-441: an id already handled is ignored
        let receiver = receiver(Conduct::default());
        let first = receiver.receive(signed(BODY, AT));
        assert_eq!((first.outcome, first.reply, first.number), (Outcome::Handled, Reply::of(200), 1));
        assert_eq!(first.event.unwrap()["data"]["kind"], "user.created");
        let again = receiver.receive(signed(BODY, AT - 60));
        assert_eq!((again.outcome, again.reply, again.number), (Outcome::Repeated, Reply::of(200), 2));
        let other = receiver.receive(signed(&BODY.replace("646007j", "646007k"), AT));
        assert_eq!(other.outcome, Outcome::Handled);
    }

    #[test]
    fn what_was_failed_is_handled_when_it_comes_again() {
        let receiver = receiver(Conduct { fail: Some(2), ..Conduct::default() });
        let outcomes = [0; 4].map(|_| receiver.receive(signed(BODY, AT)).outcome);
        assert_eq!(outcomes, [Outcome::Failed, Outcome::Failed, Outcome::Handled, Outcome::Repeated]);
    }

    #[test]
    fn what_is_not_verified_is_not_read() {
        let receiver = receiver(Conduct::default());
        let mut tampered = signed(BODY, AT);
        tampered.body = Bytes::from(BODY.replace("created", "updated"));
        for (request, status, wrong) in [
            (tampered, 401, Wrong::Mismatch),
            (signed(BODY, AT - 301), 401, Wrong::TooOld(301)),
            (request(BODY, &[]), 400, Wrong::NoTimestamp),
            (request(BODY, &[(TIMESTAMP, "1")]), 400, Wrong::NoSignature),
            (request(BODY, &[(TIMESTAMP, "1"), (TIMESTAMP, "1"), (SIGNATURE, "x")]), 400, Wrong::NoTimestamp),
            (request(BODY, &[(TIMESTAMP, "now"), (SIGNATURE, "x")]), 400, Wrong::BadTimestamp),
            (request(BODY, &[(TIMESTAMP, "1"), (SIGNATURE, "x")]), 400, Wrong::BadSignature),
        ] {
            let found = receiver.receive(request);
            assert_eq!((&found.outcome, found.reply), (&Outcome::Refused(wrong), Reply::of(status)));
            assert!(found.event.is_none() && found.verified.is_none());
        }
        // and is not taken for a repeat afterwards
        assert_eq!(receiver.receive(signed(BODY, AT)).outcome, Outcome::Handled);
    }

    #[test]
    fn only_events_are_taken() {
        let receiver = receiver(Conduct::default());
        for body in ["", "no", "[]", "{}", r#"{"id":5}"#] {
            let found = receiver.receive(signed(body, AT));
            assert!(matches!(found.outcome, Outcome::NoEvent(_)), "{body}: {:?}", found.outcome);
            assert_eq!(found.reply, Reply::of(400));
        }
        let get = Incoming { method: Method::GET, ..signed(BODY, AT) };
        assert_eq!(receiver.receive(get).reply, Reply::of(405));
    }

    #[test]
    fn the_oldest_are_forgotten_first() {
        let mut memory = Memory::default();
        for number in 0..=MEMORY {
            memory.of(&number.to_string()).handled = true;
        }
        assert_eq!((memory.events.len(), memory.order.len()), (MEMORY, MEMORY));
        assert!(!memory.of("0").handled && memory.of("2").handled);
    }
}
