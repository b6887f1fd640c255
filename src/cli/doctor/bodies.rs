//! Checks the size limits of request bodies. A proxy must forward every body that the server accepts. It must also
//! forward a body that is slightly too large, so that the server rejects the body: clients understand only the server's
//! errors.

use http::Method;

use super::{Finding, PublicUrl};
use crate::cli::{
    failure::Result,
    web::{HttpResponse, Web},
};

const CHECK: &str = "bodies";
/// Maximum size of a request body of `/token` in bytes (D-332).
const MAX_BODY: usize = 1_048_576;

/// Sends a body of exactly the maximum size, and then a body with one byte more.
pub async fn check(web: &Web, public_url: &PublicUrl) -> Vec<Finding> {
    let largest = post(web, public_url, MAX_BODY).await;
    if !largest.as_ref().is_ok_and(|got| got.is_from_switchboard() && got.status != 413) {
        return vec![refused(&largest, public_url, "1 MiB")];
    }
    let over = post(web, public_url, MAX_BODY + 1).await;
    vec![match &over {
        Ok(got) if got.is_from_switchboard() && got.status == 413 => {
            Finding::ok(CHECK, "a body of 1 MiB reaches the server, which rejects a body with one byte more")
        }
        _ => refused(&over, public_url, "1 MiB and a byte"),
    }]
}

/// Sends a body of `size` bytes to `/token`, which reads the body before authentication.
async fn post(web: &Web, public_url: &PublicUrl, size: usize) -> Result<HttpResponse> {
    const HEAD: &str = r#"{"grant_type":"diagnostic","filling":""#;
    let body = format!("{HEAD}{}\"}}", "x".repeat(size - HEAD.len() - 2));
    let request =
        web.request(Method::POST, &public_url.at("/token")).header("content-type", "application/json");
    web.send(request.body(body)).await
}

fn refused(outcome: &Result<HttpResponse>, public_url: &PublicUrl, size: &str) -> Finding {
    let found = match outcome {
        Ok(got) => {
            let who = if got.is_from_switchboard() { "the server" } else { "a proxy in front of the server" };
            format!("a body of {size} to {}: {who} returns {}", public_url.url, got.status.as_u16())
        }
        Err(error) => format!("a body of {size} is not accepted: {error}"),
    };
    Finding::failure(CHECK, found).of(public_url.setting).remedy(
        "raise the proxy's limit: the largest body that the server accepts is a form of the web client with files of \
         1 GiB together (nginx: client_max_body_size 1030m; Caddy and HAProxy have no limit by default); the server \
         itself rejects larger bodies",
    )
}
