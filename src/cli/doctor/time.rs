//! Checks whether the clock of a server behind a public URL agrees with this machine's clock.

use super::{
    Finding, PublicUrl,
    storage::{ahead, clocks},
};
use crate::{cli::web::Web, domain::time::Timestamp};

/// Compares this machine's clock with the header `Date` of a response. The header has no fraction of a second. So the
/// time before the request is also rounded down to a second; otherwise the missing fraction would count as a lag of the
/// server's clock. If there is no response, returns no finding.
pub async fn public(web: &Web, public_url: &PublicUrl) -> Vec<Finding> {
    let before = web.clock().now();
    let Ok(got) = web.get(&public_url.at("/healthz")).await else { return Vec::new() };
    let after = web.clock().now();
    let Some(date) = got.header("date").and_then(parse_http_date) else {
        let found = format!("{} sends no valid Date header", public_url.url);
        let remedy = "let the proxy pass on the server's headers";
        return vec![Finding::warning("clock", found).of(public_url.setting).remedy(remedy)];
    };
    let began = Timestamp::from_seconds(before.seconds());
    vec![clocks(&format!("the clock of {}", public_url.url), ahead(date, began, after), public_url.setting)]
}

/// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
fn parse_http_date(text: &str) -> Option<Timestamp> {
    let moment = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    Some(Timestamp::from_seconds(moment.as_second()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_parsed() {
        assert_eq!(
            parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(Timestamp::from_seconds(784_111_777))
        );
        assert_eq!(parse_http_date("yesterday"), None);
    }
}
