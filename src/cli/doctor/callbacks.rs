//! Checks whether the callback URLs of apps can be reached under the rules of event delivery.

use std::{net::SocketAddr, time::Duration};

use bytes::Bytes;
use futures_util::future::{FutureExt as _, select_ok};
use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::json;
use tokio::net::TcpStream;
use url::Url;

use super::{
    DoctorContext, Finding,
    finding::CheckState,
    public::{no_authorities, trust},
    web,
};
use crate::{
    app,
    cli::{
        failure::{Failure, Result},
        listen::receiver::{ATTEMPT, SIGNATURE, TIMESTAMP},
    },
    domain::signature,
    platform::{
        clock::Clock,
        outbound::{Outbound, OutboundFailure, OutboundRequest, OutboundResponse, ResponseLimits},
        rng::Rng,
        secrets::Secret,
    },
};

const CHECK: &str = "callback";
const UNTRUSTED: &str = "correct the receiver's certificate; if you use a certificate authority of your own, set \
                         SWITCHBOARD_EXTRA_CA_FILE";
/// Timeout of name resolution, connecting and TLS together, and with `--send` also of waiting for the response head
/// (B-422). For the response body there is another timeout of the same length.
const TIMEOUT: Duration = Duration::from_secs(3);
/// The delay after which the addresses of the second address family are tried as well (Happy Eyeballs, RFC 8305). The
/// HTTP client that delivers events has the same delay.
const FALLBACK_DELAY: Duration = Duration::from_millis(300);
/// Maximum number of bytes that are read of a response body.
const MAX_RESPONSE: usize = 1024;

/// Checks the given callback URLs. With the operator key, also checks the callback URLs of all apps that are not
/// disabled.
pub async fn check(context: &DoctorContext) -> Vec<Finding> {
    let outbound = match app::open_outbound(&context.config, &context.clock) {
        Ok(outbound) => outbound,
        Err(error) => {
            let remedy = "name a PEM file with certificates, or remove the setting";
            return vec![
                Finding::failure(CHECK, error.to_string()).of("SWITCHBOARD_EXTRA_CA_FILE").remedy(remedy),
            ];
        }
    };
    let (mut urls, mut findings) = (context.callbacks.clone(), Vec::new());
    if !outbound.has_authorities() {
        let found = "no CA certificates found: HTTPS requests to callback URLs and for metadata documents of \
                     clients fail";
        let remedy = "install the system's certificates (the package ca-certificates), or name a PEM file";
        findings.push(Finding::warning(CHECK, found).of("SWITCHBOARD_EXTRA_CA_FILE").remedy(remedy));
    }
    match of_apps(context).await {
        Ok(found) => urls.extend(found.into_iter().filter(|url| !context.callbacks.contains(url))),
        Err(error) => {
            findings.push(Finding::skipped(CHECK, format!("the apps' callbacks cannot be listed: {error}")));
        }
    }
    if urls.is_empty() && context.key.is_none() {
        let why = "listing the apps' callbacks requires the operator key: set SWITCHBOARD_OPERATOR_KEY, or name \
                   callbacks with --callback URL";
        findings.push(Finding::skipped(CHECK, why));
    } else if urls.is_empty() && !findings.iter().any(|finding| finding.state == CheckState::Skipped) {
        let why =
            "no enabled app has a callback; --callback URL checks a callback that is not registered yet";
        findings.push(Finding::skipped(CHECK, why));
    }
    for url in urls {
        findings.push(check_callback(context, &outbound, &url).await);
    }
    findings
}

/// Returns the callback URLs of the apps that are not disabled. Without the operator key, returns no URLs. Does not use
/// the generated client of the admin API, because that client does not trust the certificate authorities of
/// `extra_ca_file`.
async fn of_apps(context: &DoctorContext) -> Result<Vec<String>> {
    let Some(key) = &context.key else { return Ok(Vec::new()) };
    let web = web(context).map_err(|finding| Failure::Local(finding.found))?;
    let base = context.config.base_url.as_str();
    let (mut found, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let request = web.request(Method::GET, &format!("{base}/admin/v1/apps")).bearer_auth(key.expose());
        let mut request = request.query(&[("limit", "1000")]);
        if let Some(cursor) = &cursor {
            request = request.query(&[("cursor", cursor)]);
        }
        let got = web.send(request).await?;
        let Some(page) = got.json().filter(|_| got.status == 200) else {
            return Err(Failure::Local(format!("{base}/admin/v1/apps returns {}", got.status.as_u16())));
        };
        let apps = page["apps"].as_array().into_iter().flatten();
        let urls = apps.filter(|app| app["disabled"] != true).filter_map(|app| app["callback_url"].as_str());
        found.extend(urls.map(str::to_owned));
        cursor = page["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            return Ok(found);
        }
    }
}

async fn check_callback(context: &DoctorContext, outbound: &Outbound, url: &str) -> Finding {
    if let Some(secrets) = &context.send {
        return send(context, outbound, url, secrets).await;
    }
    let watch = context.clock.stopwatch();
    let checked = tokio::select! {
        checked = connect(context, outbound, url) => checked,
        () = watch.sleep_until_elapsed(TIMEOUT) => Err(OutboundFailure::Timeout),
    };
    checked.unwrap_or_else(|why| unreached(url, why))
}

fn unreached(url: &str, why: OutboundFailure) -> Finding {
    let (found, setting, remedy) = match why {
        OutboundFailure::Url => (
            "is not an https:// URL with a host",
            Some("SWITCHBOARD_ALLOW_PRIVATE_HOSTS"),
            "give the app an https:// callback (`switchboard app set`); plain HTTP is allowed only for hosts in \
             SWITCHBOARD_ALLOW_PRIVATE_HOSTS, in dev",
        ),
        OutboundFailure::Dns => (
            "has a host name that does not resolve",
            Some("SWITCHBOARD_NAME_SERVERS"),
            "correct the host; or, if this machine's name servers cannot resolve it, set other name servers",
        ),
        OutboundFailure::ForbiddenAddress => (
            "leads to an address that is not public; events are sent to public addresses only, except for exempt hosts \
             in dev",
            Some("SWITCHBOARD_ALLOW_PRIVATE_HOSTS"),
            "give the callback a public address; in dev, SWITCHBOARD_ALLOW_PRIVATE_HOSTS can exempt a host \
             and port",
        ),
        OutboundFailure::Tls => (
            "has an untrusted certificate, or does not support TLS 1.2 or later",
            Some("SWITCHBOARD_EXTRA_CA_FILE"),
            UNTRUSTED,
        ),
        OutboundFailure::Timeout => (
            "did not answer within 3 seconds",
            None,
            "respond immediately and process events afterwards; check that no firewall blocks outgoing connections",
        ),
        OutboundFailure::Connect => (
            "refuses connections",
            None,
            "start the receiver, and let outgoing connections to its port through the firewall",
        ),
        OutboundFailure::Closed | OutboundFailure::Protocol => {
            ("does not answer with HTTP", None, "check that the port is the receiver's")
        }
    };
    let finding = Finding::failure(CHECK, format!("{url} {found} ({why})")).remedy(remedy);
    match setting {
        Some(setting) => finding.of(setting),
        None => finding,
    }
}

/// Opens a connection, with TLS if the URL begins with `https://`, and sends no request.
async fn connect(
    context: &DoctorContext,
    outbound: &Outbound,
    url: &str,
) -> std::result::Result<Finding, OutboundFailure> {
    let addresses = outbound.addresses(url).await?;
    let socket = open(&context.clock, &addresses).await?;
    let parsed = Url::parse(url).ok().filter(|url| url.scheme() == "https");
    let Some(host) = parsed.as_ref().and_then(Url::host_str) else {
        return Ok(Finding::ok(CHECK, format!("{url} accepts connections")));
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let trust = match trust(context.config.extra_ca_file.as_deref()) {
        Ok(trust) => trust,
        Err(error) => return Ok(no_authorities(CHECK, error)),
    };
    let shown = trust.inspect(socket, host, context.clock.now()).await.map_err(|_| OutboundFailure::Tls)?;
    Ok(match shown.problem {
        None => Finding::ok(CHECK, format!("{url} accepts connections, {}", shown.version)),
        Some(problem) => Finding::failure(CHECK, format!("{url}: {problem}"))
            .of("SWITCHBOARD_EXTRA_CA_FILE")
            .remedy(UNTRUSTED),
    })
}

/// Connects to the first address that accepts a connection. Tries the addresses one after the other, first those of the
/// family of `addresses[0]`. After [`FALLBACK_DELAY`], also tries those of the other family, concurrently.
async fn open(clock: &Clock, addresses: &[SocketAddr]) -> std::result::Result<TcpStream, OutboundFailure> {
    let is_v4 = addresses.first().is_some_and(SocketAddr::is_ipv4);
    let (preferred, other): (Vec<SocketAddr>, Vec<SocketAddr>) =
        addresses.iter().copied().partition(|address| address.is_ipv4() == is_v4);
    if other.is_empty() {
        return TcpStream::connect(preferred.as_slice()).await.map_err(|_| OutboundFailure::Connect);
    }
    let fallback = async {
        clock.pause(FALLBACK_DELAY).await;
        TcpStream::connect(other.as_slice()).await
    };
    let attempts = [TcpStream::connect(preferred.as_slice()).boxed(), fallback.boxed()];
    select_ok(attempts).await.map(|(socket, _)| socket).map_err(|_| OutboundFailure::Connect)
}

/// Sends an event of an unknown type, signed with one secret after the other until the receiver accepts the event.
/// Without secrets, signs the event with a random secret. A correct receiver rejects this event.
async fn send(context: &DoctorContext, outbound: &Outbound, url: &str, secrets: &[Secret]) -> Finding {
    let rng = Rng::os();
    let random_secret = Secret::new(format!("whsec_{}", rng.base62(43)));
    let tried: Vec<&Secret> =
        if secrets.is_empty() { vec![&random_secret] } else { secrets.iter().collect() };
    let mut last = None;
    for secret in tried {
        match post(context, outbound, url, secret, &rng).await {
            Err(why) => return unreached(url, why),
            Ok(reply) if reply.status.is_success() => {
                last = Some(reply);
                break;
            }
            Ok(reply) => last = Some(reply),
        }
    }
    let Some(reply) = last else { return unreached(url, OutboundFailure::Closed) };
    let (status, time) = (reply.status.as_u16(), reply.latency.as_millis());
    let refuses = status == 401 || status == 403 || status == 400;
    let answered = format!("{url} returned {status} in {time} ms");
    match (reply.status.is_success(), secrets.is_empty()) {
        (true, false) => Finding::ok(CHECK, format!("{answered} to a signed event")),
        (true, true) => Finding::warning(CHECK, format!("{answered} to an event with a wrong signature"))
            .remedy(
                "the receiver must reject this event: let it verify the signature before anything else \
                 (docs/events.md); to send an event with a valid signature, use --secret-file",
            ),
        (false, true) if refuses => Finding::ok(CHECK, format!("{answered} to an event with a wrong signature")),
        (false, true) => Finding::warning(CHECK, format!("{answered} to an event with a wrong signature")).remedy(
            "check the receiver's log: if the receiver rejected the event because of its signature, nothing \
             has to be changed; to send an event with a valid signature, use --secret-file",
        ),
        (false, false) if refuses => Finding::failure(CHECK, format!("{answered} to a signed event"))
            .of("SWITCHBOARD_SIGNING_SECRET")
            .remedy("configure the app's signing secret (`switchboard app rotate` makes a new one), here and at the receiver"),
        (false, false) => Finding::failure(CHECK, format!("{answered} to a signed event"))
            .of("SWITCHBOARD_SIGNING_SECRET")
            .remedy(
                "check the receiver's log; a receiver must return 2xx to a signed event of an unknown type, and a \
                 status such as 401 to an event with a wrong signature",
            ),
    }
}

async fn post(
    context: &DoctorContext,
    outbound: &Outbound,
    url: &str,
    secret: &Secret,
    rng: &Rng,
) -> std::result::Result<OutboundResponse, OutboundFailure> {
    let id = format!("evt_{}", rng.crockford(13));
    let body = json!({"id": id, "type": "diagnostic", "data": {"message": "sent by `switchboard doctor`"}});
    let (body, at) = (body.to_string(), context.clock.now().seconds());
    let signed = signature::sign(secret.expose(), at, body.as_bytes());
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static("switchboard-doctor/1"));
    headers.insert(ATTEMPT, HeaderValue::from_static("1"));
    headers.insert(TIMESTAMP, HeaderValue::from(at));
    if let Ok(value) = HeaderValue::from_str(&signed) {
        headers.insert(SIGNATURE, value);
    }
    let request =
        OutboundRequest { method: Method::POST, url: url.to_owned(), headers, body: Bytes::from(body) };
    let limits = ResponseLimits { head: TIMEOUT, body: TIMEOUT, most: MAX_RESPONSE };
    outbound.send(request, limits).await.map_err(|unanswered| unanswered.why)
}
