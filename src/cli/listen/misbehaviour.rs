//! How the receiver responds to events: correctly, or with the misbehaviour that the arguments request.

use std::time::Duration;

use clap::Args;
use url::Url;

use crate::cli::values::span;

/// Misbehaviour on request, to see how the server handles it.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Misbehaviour")]
pub struct Misbehaviour {
    /// Misbehave only at the first N attempts of each event; respond with status 500 unless --status, --delay or
    /// --redirect is given
    #[arg(long, value_name = "N")]
    pub fail: Option<u32>,
    /// Respond with this status
    #[arg(long, value_name = "STATUS", value_parser = clap::value_parser!(u16).range(200..=599))]
    pub status: Option<u16>,
    /// Delay before the response: 4s exceeds the server's timeout
    #[arg(long, value_name = "SPAN", value_parser = span)]
    pub delay: Option<Duration>,
    /// Respond with a redirect to this URL; 302 unless --status is 301, 303, 307 or 308
    #[arg(long, value_name = "URL")]
    pub redirect: Option<String>,
}

/// The response of the receiver to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReceiverReply {
    /// The HTTP status.
    pub status: u16,
    /// The header `Location`.
    pub location: Option<String>,
    /// Delay before the response.
    pub delay: Duration,
}

impl ReceiverReply {
    /// Returns an immediate response with this status.
    #[must_use]
    pub const fn of(status: u16) -> Self {
        Self { status, location: None, delay: Duration::ZERO }
    }

    /// Returns whether the status means that the receiver accepts the event. Ignores the delay.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }
}

impl Misbehaviour {
    /// Returns whether no misbehaviour was requested.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        self.fail.is_none() && self.status.is_none() && self.delay.is_none() && self.redirect.is_none()
    }

    /// Returns the response to a delivery attempt. `attempt` is the number of the request among the requests with the
    /// same event, counted from 1.
    #[must_use]
    pub fn answer(&self, attempt: u32) -> ReceiverReply {
        if self.is_good() || self.fail.is_some_and(|bad| attempt > bad) {
            return ReceiverReply::of(200);
        }
        let status = match self {
            Self { status: Some(status), .. } => *status,
            Self { redirect: Some(_), .. } => 302,
            Self { delay: Some(_), .. } => 200,
            _ => 500,
        };
        ReceiverReply { status, location: self.redirect.clone(), delay: self.delay.unwrap_or_default() }
    }

    /// Returns why the arguments are invalid; `None` if they are valid.
    #[must_use]
    pub fn problem(&self) -> Option<&'static str> {
        let redirects = |status| matches!(status, 301 | 302 | 303 | 307 | 308);
        if self.redirect.is_some() && self.status.is_some_and(|status| !redirects(status)) {
            return Some("with --redirect, --status must be 301, 302, 303, 307 or 308");
        }
        // The URL is sent in the header `Location` exactly as it was typed, so it must not contain line breaks or other
        // bytes that a header cannot contain.
        let is_url =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic()) && Url::parse(text).is_ok();
        self.redirect.as_deref().is_some_and(|text| !is_url(text)).then_some("--redirect must be a URL")
    }

    /// Returns a sentence that describes the misbehaviour. Returns an empty text if no misbehaviour was requested.
    #[must_use]
    pub fn describe(&self) -> String {
        if self.is_good() {
            return String::new();
        }
        let ReceiverReply { status, location, delay } = self.answer(1);
        let mut text = match self.fail {
            Some(1) => "Misbehaves at the first attempt of each event: ".to_owned(),
            Some(bad) => format!("Misbehaves at the first {bad} attempts of each event: "),
            None => "Misbehaves at every attempt: ".to_owned(),
        };
        if !delay.is_zero() {
            text = format!("{text}waits {} s and ", delay.as_secs());
        }
        text = format!("{text}returns {status}");
        if let Some(location) = location {
            text = format!("{text} with the Location {location}");
        }
        text + "."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaviour_is_correct_by_default() {
        let good = Misbehaviour::default();
        assert_eq!((good.answer(1), good.answer(4)), (ReceiverReply::of(200), ReceiverReply::of(200)));
        assert!(good.describe().is_empty());
    }

    #[test]
    fn misbehaviour_can_be_limited_to_the_first_attempts() {
        let misbehaviour = Misbehaviour { fail: Some(2), ..Misbehaviour::default() };
        assert_eq!([1, 2, 3].map(|attempt| misbehaviour.answer(attempt).status), [500, 500, 200]);
        let slow =
            Misbehaviour { fail: Some(1), delay: Some(Duration::from_secs(4)), ..Misbehaviour::default() };
        assert_eq!(slow.answer(1), ReceiverReply { delay: Duration::from_secs(4), ..ReceiverReply::of(200) });
        assert_eq!(slow.answer(2), ReceiverReply::of(200));
        assert_eq!(
            slow.describe(),
            "Misbehaves at the first attempt of each event: waits 4 s and returns 200."
        );
    }

    #[test]
    fn requested_misbehaviour_is_applied() {
        let status = Misbehaviour { status: Some(204), ..Misbehaviour::default() };
        assert_eq!(status.answer(9), ReceiverReply::of(204));
        assert!(status.answer(1).is_success());
        let to = Misbehaviour { redirect: Some("http://x/".to_owned()), ..Misbehaviour::default() };
        assert_eq!(
            to.answer(1),
            ReceiverReply { location: Some("http://x/".to_owned()), ..ReceiverReply::of(302) }
        );
        let permanent = Misbehaviour { status: Some(308), ..to.clone() };
        assert_eq!((permanent.answer(1).status, permanent.problem()), (308, None));
        assert!(Misbehaviour { status: Some(200), ..to.clone() }.problem().is_some());
        for text in ["a\r\nb", "", "nonsense", "http://x/\r\n"] {
            let invalid = Misbehaviour { redirect: Some(text.to_owned()), ..to.clone() };
            assert_eq!(invalid.problem(), Some("--redirect must be a URL"), "{text:?}");
        }
    }
}
