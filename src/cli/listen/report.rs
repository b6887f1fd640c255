//! Output of the event receiver (`switchboard listen`). The receiver prints each request as a paragraph for people, or
//! as a line with a JSON document for programs.
//!
//! Requests are untrusted. Their control characters could control the terminal, so the paragraph has spaces instead.

use std::{fmt::Write as _, path::Path};

use serde_json::{Value, json};

use super::receiver::{ATTEMPT, ReceiverOutcome, Reception};
use crate::cli::table;

/// Returns a paragraph for people about a request. `saved` is the file in which the request was saved.
#[must_use]
pub fn paragraph(reception: &Reception, saved: Option<&Path>) -> String {
    let incoming = &reception.incoming;
    let event = reception.event.as_ref();
    let member = |name: &str| event.and_then(|event| event[name].as_str()).map(clean);
    let mut text = format!("#{}  {}", reception.number, incoming.received_at.to_rfc3339());
    match (member("type"), member("id")) {
        (Some(kind), Some(id)) => text = format!("{text}  {kind}  {id}"),
        _ => text = format!("{text}  {} {}", incoming.method, clean(&incoming.path)),
    }
    text.push('\n');
    // writing to a String cannot fail
    let mut line = |name: &str, value: &str| _ = writeln!(text, "    {name:<10} {value}");
    if let Some(attempt) = incoming.header(ATTEMPT) {
        line("attempt", &clean(attempt));
    }
    if let Some(found) = reception.verified {
        let which = match found.values {
            1 => String::new(),
            values => format!(" (value {} of {values})", found.value + 1),
        };
        line("signature", &format!("valid{which}, {}", found.age_text()));
    }
    for (name, value) in event.and_then(|event| event["data"].as_object()).into_iter().flatten() {
        line("data", &format!("{} = {}", clean(name), table::cell(value)));
    }
    line("response", &format!("{}{}", reply(reception), describe(&reception.outcome)));
    if let Some(saved) = saved {
        line("saved", &saved.display().to_string());
    }
    text
}

fn reply(reception: &Reception) -> String {
    let reply = &reception.reply;
    let mut text = reply.status.to_string();
    if let Some(location) = &reply.location {
        text = format!("{text} to {location}");
    }
    if !reply.delay.is_zero() {
        text = format!("{text} after {} s", reply.delay.as_secs());
    }
    text
}

fn describe(outcome: &ReceiverOutcome) -> String {
    match outcome {
        ReceiverOutcome::Handled => ", handled".to_owned(),
        ReceiverOutcome::Repeated => ", ignored: this id was already handled".to_owned(),
        ReceiverOutcome::Failed => ", as the options require; not handled".to_owned(),
        ReceiverOutcome::Refused(invalid) => format!(", rejected: {invalid}"),
        ReceiverOutcome::NoEvent(why) => format!(", rejected: {why}"),
        ReceiverOutcome::NoPost => ", rejected: events are sent with POST".to_owned(),
    }
}

/// Returns a JSON document about a request. `saved` is the file in which the request was saved.
#[must_use]
pub fn document(reception: &Reception, saved: Option<&Path>) -> Value {
    let incoming = &reception.incoming;
    let reason = match &reception.outcome {
        ReceiverOutcome::Refused(invalid) => Some(invalid.name()),
        ReceiverOutcome::NoEvent(why) => Some(*why),
        _ => None,
    };
    json!({
        "number": reception.number,
        "received_at": incoming.received_at.to_rfc3339(),
        "method": incoming.method.as_str(),
        "path": incoming.path,
        "attempt": incoming.header(ATTEMPT),
        "verified": reception.verified.is_some(),
        "matched_value": reception.verified.map(|found| found.value + 1),
        "age_seconds": reception.verified.map(|found| found.age),
        "event": reception.event,
        "outcome": reception.outcome.name(),
        "reason": reason,
        "status": reception.reply.status,
        "delay_seconds": reception.reply.delay.as_secs(),
        "saved": saved.map(|path| path.display().to_string()),
    })
}

fn clean(text: &str) -> String {
    table::cell(&Value::from(text))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, HeaderValue, Method};

    use super::*;
    use crate::{
        cli::listen::{
            misbehaviour::ReceiverReply,
            receiver::Incoming,
            verdict::{InvalidSignature, Match},
        },
        domain::time::Timestamp,
    };

    fn reception(outcome: ReceiverOutcome, event: Option<Value>) -> Reception {
        let mut headers = HeaderMap::new();
        headers.insert(ATTEMPT, HeaderValue::from_static("2"));
        Reception {
            number: 3,
            incoming: Incoming {
                received_at: Timestamp::from_millis(1_795_196_100_123),
                method: Method::POST,
                path: "/events\u{9b}2J".to_owned(),
                headers,
                body: Bytes::new(),
            },
            verified: event.is_some().then_some(Match { secret: 0, value: 1, values: 2, age: 1 }),
            event,
            outcome,
            reply: ReceiverReply::of(200),
        }
    }

    #[test]
    fn an_event_is_printed_with_its_outcome() {
        let event = json!({"id": "evt_1", "type": "directory.changed", "data": {"kind": "user.created", "id": "usr_1"}});
        assert_eq!(
            paragraph(
                &reception(ReceiverOutcome::Repeated, Some(event.clone())),
                Some(Path::new("x/y.json"))
            ),
            "\
#3  2026-11-20T17:35:00.123Z  directory.changed  evt_1
    attempt    2
    signature  valid (value 2 of 2), 1 s old
    data       id = usr_1
    data       kind = user.created
    response   200, ignored: this id was already handled
    saved      x/y.json
"
        );
        let line = document(&reception(ReceiverOutcome::Handled, Some(event)), None);
        assert_eq!((&line["outcome"], &line["matched_value"]), (&json!("handled"), &json!(2)));
        assert_eq!(line["event"]["data"]["kind"], "user.created");
    }

    #[test]
    fn control_characters_are_replaced() {
        let wild = json!({"id": "e\u{1b}[2J", "type": "t\r\n", "data": {"x\u{1b}": "\u{1b}]0;x\u{7}"}});
        let text = paragraph(&reception(ReceiverOutcome::Handled, Some(wild)), None);
        let refused = paragraph(&reception(ReceiverOutcome::Refused(InvalidSignature::Mismatch), None), None);
        assert!(
            !(text.clone() + &refused).contains(|c: char| c.is_control() && c != '\n'),
            "{text}{refused}"
        );
        assert!(refused.contains("POST /events 2J") && refused.contains("rejected: no value"), "{refused}");
    }
}
