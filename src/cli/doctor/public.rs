//! The public addresses: name, connection, TLS and certificate, and that plain HTTP leads to HTTPS.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    net::{TcpStream, lookup_host},
    time::timeout,
};
use url::Url;

use super::{Finding, Patient, Place, web};
use crate::{
    config::Environment,
    domain::time::Timestamp,
    platform::tls::{Problem, Shown, Trust},
};

const DNS: &str = "dns";
const TCP: &str = "tcp";
const TLS: &str = "tls";
const CONNECT: Duration = Duration::from_secs(10);
/// A certificate that ends sooner should have been renewed by then.
const SOON: Duration = Duration::from_secs(14 * 86_400);

/// Looks at every public address.
pub async fn check(patient: &Patient) -> Vec<Finding> {
    let mut findings = Vec::new();
    for place in Place::all(&patient.config) {
        findings.extend(one(patient, &place).await);
    }
    findings
}

async fn one(patient: &Patient, place: &Place) -> Vec<Finding> {
    // the configuration took it, so it has a host
    let Some((url, host, port)) = parts(&place.url) else { return Vec::new() };
    let mut findings = Vec::new();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let addresses: Vec<SocketAddr> = match lookup_host((bare, port)).await {
        Ok(found) => found.collect(),
        Err(error) => {
            let remedy = "add the name to the DNS, or mend it in the setting";
            return vec![
                Finding::failure(DNS, format!("{host} has no address: {error}"))
                    .of(place.setting)
                    .cure(remedy),
            ];
        }
    };
    let listed: Vec<_> = addresses.iter().map(|address| address.ip().to_string()).collect();
    findings.push(Finding::ok(DNS, format!("{host}: {}", listed.join(", "))));
    let mut connected = None;
    for address in &addresses {
        match timeout(CONNECT, TcpStream::connect(address)).await {
            Ok(Ok(socket)) => connected = Some(socket),
            failed => {
                let why = failed.map_or("no answer".to_owned(), |told| {
                    told.map_or_else(|e| e.to_string(), |_| String::new())
                });
                findings.push(
                    Finding::failure(TCP, format!("{address} ({host}) takes no connection: {why}"))
                        .of(place.setting)
                        .cure("see that the proxy listens there; take addresses that do not answer out of the DNS"),
                );
            }
        }
    }
    let Some(socket) = connected else { return findings };
    findings.push(Finding::ok(TCP, format!("{host}:{port} takes connections")));
    if url.scheme() == "https" {
        findings.push(tls(patient, place, socket, bare).await);
        findings.extend(plain(patient, place, &host).await);
    } else if patient.config.environment != Environment::Dev {
        findings.push(
            Finding::warning(
                TLS,
                format!("{} is plain HTTP: tokens and messages can be read on the way", place.url),
            )
            .of(place.setting)
            .cure("put a proxy that ends TLS in front, and set the https:// address"),
        );
    }
    findings
}

fn parts(url: &str) -> Option<(Url, String, u16)> {
    let url = Url::parse(url).ok()?;
    let (host, port) = (url.host_str()?.to_owned(), url.port_or_known_default()?);
    Some((url, host, port))
}

async fn tls(patient: &Patient, place: &Place, socket: TcpStream, host: &str) -> Finding {
    let extra = patient.config.extra_ca_file.as_ref().and_then(|file| std::fs::read(file).ok());
    let shown = match trust(extra.as_deref()) {
        Err(error) => Err(error),
        Ok(trust) => match timeout(CONNECT, trust.look(socket, host, patient.clock.now())).await {
            Ok(looked) => looked.map_err(|error| error.to_string()),
            Err(_) => Err("no answer".to_owned()),
        },
    };
    match shown {
        Ok(shown) => judge(&shown, place, patient.clock.now()),
        Err(why) => Finding::failure(TLS, format!("no TLS 1.2 or 1.3 with {}: {why}", place.url))
            .of(place.setting)
            .cure("let the proxy speak TLS on this port, in version 1.2 or later"),
    }
}

/// The system's authorities and the operator's own; those alone on a machine that has none.
pub(super) fn trust(extra: Option<&[u8]>) -> Result<Trust, String> {
    match (Trust::new(extra), extra) {
        (Err(_), Some(pem)) => Trust::only(pem).map_err(|error| error.to_string()),
        (trust, _) => trust.map_err(|error| error.to_string()),
    }
}

fn judge(shown: &Shown, place: &Place, now: Timestamp) -> Finding {
    let until = shown.valid_until.map(|end| end.to_rfc3339()[..10].to_owned()).unwrap_or_default();
    let url = &place.url;
    let failure = |remedy: &str| {
        let problem = shown.problem.as_ref().map(ToString::to_string).unwrap_or_default();
        let until = if until.is_empty() { String::new() } else { format!(" (valid until {until})") };
        Finding::failure(TLS, format!("{url}: {problem}{until}")).of(place.setting).cure(remedy)
    };
    match &shown.problem {
        Some(Problem::Expired) => failure("renew it, and let the proxy load the new one"),
        Some(Problem::NotYetValid) => {
            failure("set this machine's clock, or the one that made the certificate")
        }
        Some(Problem::OtherName) => failure("have it made for this host, or mend the host in the setting"),
        Some(Problem::UnknownIssuer) => failure(
            "let the proxy send the certificates between as well (the full chain); for an authority of your own, name \
             it in SWITCHBOARD_EXTRA_CA_FILE",
        ),
        Some(Problem::Other(_)) => failure("replace the certificate"),
        None if shown.valid_until.is_some_and(|end| end.since(now) < SOON) => {
            Finding::warning(TLS, format!("the certificate of {url} ends on {until}"))
                .of(place.setting)
                .cure("see that its renewal works")
        }
        None => Finding::ok(TLS, format!("{url}: {}, trusted, valid until {until}", shown.version)),
    }
}

/// Plain HTTP on the usual port: nothing, or a way to HTTPS.
async fn plain(patient: &Patient, place: &Place, host: &str) -> Option<Finding> {
    let web = web(patient).ok()?;
    let got = web.get(&format!("http://{host}/readyz")).await;
    let Ok(got) = got else {
        return Some(Finding::ok("https", format!("nothing answers plain HTTP on {host}")));
    };
    let to = got.header("location").unwrap_or_default();
    if got.status.is_redirection() && to.starts_with("https://") {
        return Some(Finding::ok("https", format!("http://{host} leads to HTTPS")));
    }
    let found = format!("http://{host} answers {} without HTTPS", got.status.as_u16());
    let remedy = "let the proxy answer plain HTTP with a redirect to https://, or not at all";
    Some(Finding::warning("https", found).of(place.setting).cure(remedy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn certificates_are_judged_by_what_they_show() {
        let now = Timestamp::from_seconds(1_795_132_800);
        let place =
            Place { url: "https://a.example".to_owned(), setting: "SWITCHBOARD_BASE_URL", is_mcp: true };
        let shown = |problem: Option<Problem>, days: u64| Shown {
            version: "TLSv1.3".to_owned(),
            problem,
            valid_until: Some(now + Duration::from_secs(days * 86_400)),
        };
        assert_eq!(judge(&shown(None, 90), &place, now).state, State::Ok);
        let soon = judge(&shown(None, 13), &place, now);
        assert_eq!((soon.state, soon.setting.as_deref()), (State::Warning, Some("SWITCHBOARD_BASE_URL")));
        for (problem, remedy) in [
            (Problem::Expired, "renew"),
            (Problem::OtherName, "this host"),
            (Problem::UnknownIssuer, "full chain"),
            (Problem::NotYetValid, "clock"),
        ] {
            let finding = judge(&shown(Some(problem), 90), &place, now);
            assert!(finding.is_failure() && finding.remedy.unwrap().contains(remedy));
        }
    }
}
