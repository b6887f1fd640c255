//! Tests of the checks of `switchboard doctor`. Each check looks for a kind of error of a deployment, and reports it
//! with a setting and a remedy.

mod callbacks;
mod certificates;
mod command;
mod deployment;
mod machine;

use std::sync::{Arc, Mutex};

use switchboard::{
    cli::doctor::{
        DoctorContext, examine,
        finding::{CheckState, DoctorReport, Finding},
    },
    config::{BaseUrl, Config},
    domain::token::{self, TokenKind},
    platform::{clock::Clock, secrets::Secret},
};

use crate::support::{
    proxy::{Proxy, ProxyBehaviour},
    server::Options,
    *,
};

/// Returns the operator key of every in-process test server ([`Server`]).
fn operator_key() -> Secret {
    Secret::new(token::mint(TokenKind::Operator, &[7; 32]))
}

/// Returns the input of the checks of a deployment: this configuration and the operator key.
fn context(config: Config) -> DoctorContext {
    DoctorContext {
        config,
        key: Some(operator_key()),
        callbacks: Vec::new(),
        send: None,
        offline: false,
        clock: Clock::system(),
    }
}

/// A server behind a proxy, and its configuration.
struct Deployment {
    server: Server,
    config: Config,
}

impl Deployment {
    async fn behind(proxy: &Proxy, change: impl Fn(&mut Config) + Send + Sync + 'static) -> Self {
        let kept = Arc::new(Mutex::new(None));
        let (into, url) = (Arc::clone(&kept), proxy.url.clone());
        let configure = move |config: &mut Config| {
            config.base_url = BaseUrl::parse(&url).unwrap();
            config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
            change(config);
            *into.lock().unwrap() = Some(config.clone());
        };
        let options = Options { configure: Some(Arc::new(configure)), ..Options::default() };
        let server = Server::with(options).await.expect("SQLite is always there");
        proxy.to(&server.base);
        let config = kept.lock().unwrap().clone().unwrap();
        Self { server, config }
    }

    async fn report(&self) -> DoctorReport {
        examine(context(self.config.clone())).await
    }
}

/// Returns the finding of the check `check` whose text contains `words`.
#[track_caller]
fn find<'a>(report: &'a DoctorReport, check: &str, words: &str) -> &'a Finding {
    let found = report.findings.iter().find(|one| one.check == check && one.found.contains(words));
    found.unwrap_or_else(|| panic!("no finding of {check} contains {words:?}:\n{}", report.text()))
}

/// Asserts that the check `check` failed with a finding that contains `words`. The finding must name `setting`, and its
/// remedy must contain `remedy`.
#[track_caller]
fn fails(report: &DoctorReport, check: &str, words: &str, setting: &str, remedy: &str) {
    let finding = find(report, check, words);
    assert_eq!(finding.state, CheckState::Failure, "{finding:?}");
    assert_eq!(finding.setting.as_deref(), Some(setting), "{finding:?}");
    assert!(finding.remedy.as_ref().is_some_and(|text| text.contains(remedy)), "{finding:?}");
}

#[track_caller]
fn is_ok(report: &DoctorReport, check: &str, words: &str) {
    assert_eq!(find(report, check, words).state, CheckState::Ok, "{}", report.text());
}
