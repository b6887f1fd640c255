//! The clock: this machine's against the one that stands on the answers of the public address.

use super::{
    Finding, Place,
    storage::{ahead, clocks},
};
use crate::{cli::web::Web, domain::time::Timestamp};

/// Compares with the `Date` of an answer, which is cut to whole seconds.
pub async fn public(web: &Web, place: &Place) -> Vec<Finding> {
    let before = web.clock().now();
    let Ok(got) = web.get(&place.at("/healthz")).await else { return Vec::new() };
    let after = web.clock().now();
    let Some(date) = got.header("date").and_then(read) else {
        let found = format!("{} sends no Date", place.url);
        let remedy = "let the proxy pass the server's headers on";
        return vec![Finding::warning("clock", found).of(place.setting).cure(remedy)];
    };
    let began = Timestamp::from_seconds(before.seconds());
    vec![clocks(&format!("the clock of {}", place.url), ahead(date, began, after), place.setting)]
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
fn read(text: &str) -> Option<Timestamp> {
    let moment = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    Some(Timestamp::from_seconds(moment.as_second()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read() {
        assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Timestamp::from_seconds(784_111_777)));
        assert_eq!(read("yesterday"), None);
    }
}
