//! Sizes of bodies: what the server takes must reach it, and what is too large must be refused by the server, whose
//! refusals clients understand.

use http::Method;

use super::{Finding, Place};
use crate::cli::{
    failure::Result,
    web::{Got, Web},
};

const CHECK: &str = "bodies";
/// The most that the server takes of a request that is not an upload (D-332).
const MOST: usize = 1_048_576;

/// Sends a body of exactly the most, and one byte more.
pub async fn check(web: &Web, place: &Place) -> Vec<Finding> {
    let largest = post(web, place, MOST).await;
    if !largest.as_ref().is_ok_and(|got| got.is_ours() && got.status != 413) {
        return vec![refused(&largest, place, "1 MiB")];
    }
    let over = post(web, place, MOST + 1).await;
    vec![match &over {
        Ok(got) if got.is_ours() && got.status == 413 => {
            Finding::ok(CHECK, "1 MiB reaches the server; one byte more, and the server refuses it")
        }
        _ => refused(&over, place, "1 MiB and a byte"),
    }]
}

/// To an operation that reads its body before it asks who sends it.
async fn post(web: &Web, place: &Place, size: usize) -> Result<Got> {
    const HEAD: &str = r#"{"grant_type":"diagnostic","filling":""#;
    let body = format!("{HEAD}{}\"}}", "x".repeat(size - HEAD.len() - 2));
    let ask = web.request(Method::POST, &place.at("/token")).header("content-type", "application/json");
    web.send(ask.body(body)).await
}

fn refused(outcome: &Result<Got>, place: &Place, size: &str) -> Finding {
    let found = match outcome {
        Ok(got) => {
            let who = if got.is_ours() { "the server" } else { "not the server but something before it" };
            format!("a body of {size} to {}: {who} answers {}", place.url, got.status.as_u16())
        }
        Err(error) => format!("a body of {size} is not taken: {error}"),
    };
    Finding::failure(CHECK, found).of(place.setting).cure(
        "raise the proxy's limit above the largest upload, 100 MiB (nginx: client_max_body_size 101m; Caddy and \
         HAProxy have none of their own), and leave refusing to the server",
    )
}
