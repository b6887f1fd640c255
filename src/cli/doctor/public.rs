//! The checks of the public URLs by `switchboard doctor`: DNS, connection, TLS and certificate, and redirects from HTTP
//! to HTTPS.

use std::{net::SocketAddr, path::Path, time::Duration};

use tokio::{
    net::{TcpStream, lookup_host},
    time::timeout,
};
use url::Url;

use super::{DoctorContext, Finding, PublicUrl, web};
use crate::{
    config::Environment,
    domain::time::Timestamp,
    platform::tls::{CertificateProblem, TlsReport, Trust},
};

const DNS: &str = "dns";
const TCP: &str = "tcp";
const TLS: &str = "tls";
const CONNECT: Duration = Duration::from_secs(10);
/// If a certificate expires within this time, it should have been renewed already.
const RENEWAL_TIME: Duration = Duration::from_secs(14 * 86_400);

/// Checks every public URL.
pub async fn check(context: &DoctorContext) -> Vec<Finding> {
    let mut findings = Vec::new();
    for public_url in PublicUrl::all(&context.config) {
        findings.extend(check_url(context, &public_url).await);
    }
    findings
}

async fn check_url(context: &DoctorContext, public_url: &PublicUrl) -> Vec<Finding> {
    // the configuration accepts only URLs with a host
    let Some((url, host, port)) = parts(&public_url.url) else { return Vec::new() };
    let mut findings = Vec::new();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let addresses: Vec<SocketAddr> = match lookup_host((bare, port)).await {
        Ok(found) => found.collect(),
        Err(error) => {
            let remedy = "add the name to the DNS, or correct it in the setting";
            return vec![
                Finding::failure(DNS, format!("{host} has no address: {error}"))
                    .of(public_url.setting)
                    .remedy(remedy),
            ];
        }
    };
    let listed: Vec<_> = addresses.iter().map(|address| address.ip().to_string()).collect();
    findings.push(Finding::ok(DNS, format!("{host}: {}", listed.join(", "))));
    let (mut connected, mut unreached) = (None, Vec::new());
    for address in &addresses {
        match timeout(CONNECT, TcpStream::connect(address)).await {
            Ok(Ok(socket)) => connected = Some(socket),
            Ok(Err(error)) => unreached.push(format!("{address} ({host}) cannot be reached: {error}")),
            Err(_) => {
                let seconds = CONNECT.as_secs();
                unreached.push(format!("{address} ({host}) did not answer within {seconds} seconds"));
            }
        }
    }
    let answers = connected.is_some();
    findings.extend(unreached.into_iter().map(|found| unreached_address(found, answers, public_url)));
    let Some(socket) = connected else { return findings };
    findings.push(Finding::ok(TCP, format!("{host}:{port} accepts connections")));
    if url.scheme() == "https" {
        findings.push(tls(context, public_url, socket, bare).await);
        findings.extend(plain(context, public_url, &host).await);
    } else if context.config.environment != Environment::Dev {
        findings.push(
            Finding::warning(
                TLS,
                format!("{} is plain HTTP: tokens and messages can be intercepted", public_url.url),
            )
            .of(public_url.setting)
            .remedy("put a proxy that terminates TLS in front of the server, and set the https:// URL"),
        );
    }
    findings
}

/// Returns the finding about an address that cannot be reached. If another address of the host `answers`, the finding
/// is only a warning, because this machine may have no route to the unreachable address. For example, a machine without
/// IPv6 has no route to an IPv6 address.
fn unreached_address(found: String, answers: bool, public_url: &PublicUrl) -> Finding {
    let finding = if answers { Finding::warning(TCP, found) } else { Finding::failure(TCP, found) };
    finding
        .of(public_url.setting)
        .remedy("check that the proxy listens on this address, or remove the address from the DNS")
}

fn parts(url: &str) -> Option<(Url, String, u16)> {
    let url = Url::parse(url).ok()?;
    let (host, port) = (url.host_str()?.to_owned(), url.port_or_known_default()?);
    Some((url, host, port))
}

async fn tls(context: &DoctorContext, public_url: &PublicUrl, socket: TcpStream, host: &str) -> Finding {
    let trust = match trust(context.config.extra_ca_file.as_deref()) {
        Ok(trust) => trust,
        Err(error) => return no_authorities(TLS, error),
    };
    let shown = match timeout(CONNECT, trust.inspect(socket, host, context.clock.now())).await {
        Ok(looked) => looked.map_err(|error| error.to_string()),
        Err(_) => Err("no answer".to_owned()),
    };
    match shown {
        Ok(shown) => check_certificate(&shown, public_url, context.clock.now()),
        Err(why) => {
            Finding::failure(TLS, format!("{} accepts no TLS 1.2 or 1.3 connection: {why}", public_url.url))
                .of(public_url.setting)
                .remedy("let the proxy accept TLS 1.2 or later on this port")
        }
    }
}

/// Returns the trusted certificate authorities: those of the system and those of `extra`, which is a PEM file. If the
/// system has no authorities, returns only those of `extra`.
///
/// # Errors
/// If the file cannot be read or is invalid, or if there are no authorities at all.
pub(super) fn trust(extra: Option<&Path>) -> Result<Trust, String> {
    let read = |file: &Path| {
        std::fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))
    };
    let extra = extra.map(read).transpose()?;
    match (Trust::new(extra.as_deref()), extra) {
        (Err(_), Some(pem)) => Trust::only(&pem).map_err(|error| error.to_string()),
        (trust, _) => trust.map_err(|error| error.to_string()),
    }
}

/// Returns the finding about certificate authorities that [`trust`] could not load.
pub(super) fn no_authorities(check: &'static str, error: String) -> Finding {
    Finding::failure(check, error).of("SWITCHBOARD_EXTRA_CA_FILE").remedy(
        "install the certificate authorities of the system, or name a PEM file that the server's user can read",
    )
}

fn check_certificate(shown: &TlsReport, public_url: &PublicUrl, now: Timestamp) -> Finding {
    let until = shown.valid_until.map(|end| end.to_rfc3339()[..10].to_owned()).unwrap_or_default();
    let url = &public_url.url;
    let failure = |remedy: &str| {
        let problem = shown.problem.as_ref().map(ToString::to_string).unwrap_or_default();
        let until = if until.is_empty() { String::new() } else { format!(" (valid until {until})") };
        Finding::failure(TLS, format!("{url}: {problem}{until}")).of(public_url.setting).remedy(remedy)
    };
    match &shown.problem {
        Some(CertificateProblem::Expired) => {
            failure("renew the certificate, and let the proxy load the new one")
        }
        Some(CertificateProblem::NotYetValid) => {
            failure("correct the clock of this machine, or of the certificate's issuer")
        }
        Some(CertificateProblem::OtherName) => {
            failure("issue a certificate for this host, or correct the host in the setting")
        }
        Some(CertificateProblem::UnknownIssuer) => failure(
            "let the proxy send the intermediate certificates as well (the full chain); if you use a certificate \
             authority of your own, set SWITCHBOARD_EXTRA_CA_FILE",
        ),
        Some(CertificateProblem::Other(_)) => failure("replace the certificate"),
        None if shown.valid_until.is_some_and(|end| end.since(now) < RENEWAL_TIME) => {
            Finding::warning(TLS, format!("the certificate of {url} expires on {until}"))
                .of(public_url.setting)
                .remedy("check that the renewal of the certificate works")
        }
        None => Finding::ok(TLS, format!("{url}: {}, trusted, valid until {until}", shown.version)),
    }
}

/// Checks that port 80 of the host is closed, or redirects plain HTTP to HTTPS. Returns `None` if no HTTP client can be
/// created.
async fn plain(context: &DoctorContext, public_url: &PublicUrl, host: &str) -> Option<Finding> {
    let web = web(context).ok()?;
    let got = web.get(&format!("http://{host}/readyz")).await;
    let Ok(got) = got else {
        return Some(Finding::ok("https", format!("nothing answers plain HTTP on {host}")));
    };
    let to = got.header("location").unwrap_or_default();
    if got.status.is_redirection() && to.starts_with("https://") {
        return Some(Finding::ok("https", format!("http://{host} redirects to HTTPS")));
    }
    let found = format!("http://{host} returns {} without HTTPS", got.status.as_u16());
    let remedy = "let the proxy redirect plain HTTP to https://, or close the port";
    Some(Finding::warning("https", found).of(public_url.setting).remedy(remedy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::CheckState;

    #[test]
    fn an_unreachable_address_is_a_failure_if_no_other_address_answers() {
        let public_url =
            PublicUrl { url: "https://a.example".to_owned(), setting: "SWITCHBOARD_BASE_URL", is_mcp: true };
        let finding = |answers| unreached_address("[2001:db8::1]:443".to_owned(), answers, &public_url);
        assert_eq!(
            [true, false].map(|answers| finding(answers).state),
            [CheckState::Warning, CheckState::Failure]
        );
    }

    #[test]
    fn certificates_are_checked() {
        let now = Timestamp::from_seconds(1_795_132_800);
        let public_url =
            PublicUrl { url: "https://a.example".to_owned(), setting: "SWITCHBOARD_BASE_URL", is_mcp: true };
        let shown = |problem: Option<CertificateProblem>, days: u64| TlsReport {
            version: "TLSv1.3".to_owned(),
            problem,
            valid_until: Some(now + Duration::from_secs(days * 86_400)),
        };
        assert_eq!(check_certificate(&shown(None, 90), &public_url, now).state, CheckState::Ok);
        let soon = check_certificate(&shown(None, 13), &public_url, now);
        assert_eq!(
            (soon.state, soon.setting.as_deref()),
            (CheckState::Warning, Some("SWITCHBOARD_BASE_URL"))
        );
        for (problem, remedy) in [
            (CertificateProblem::Expired, "renew"),
            (CertificateProblem::OtherName, "this host"),
            (CertificateProblem::UnknownIssuer, "full chain"),
            (CertificateProblem::NotYetValid, "clock"),
        ] {
            let finding = check_certificate(&shown(Some(problem), 90), &public_url, now);
            assert!(finding.is_failure() && finding.remedy.unwrap().contains(remedy));
        }
    }
}
