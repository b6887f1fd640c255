//! The configuration by itself: what cannot be used, and what can but should not be in production.

use super::{Finding, Patient};
use crate::{
    config::{Config, ConfigErrors, Environment},
    domain::token,
    platform::secrets,
};

const CHECK: &str = "configuration";

/// The findings of a configuration that `serve` would refuse.
#[must_use]
pub fn unusable(errors: &ConfigErrors) -> Vec<Finding> {
    let finding = |error: &crate::config::ConfigError| {
        let variable = match error.key.starts_with("SWITCHBOARD_") || error.key.starts_with("--") {
            true => error.key.clone(),
            false => format!("SWITCHBOARD_{}", error.key.replace('.', "_").to_uppercase()),
        };
        let remedy = "`switchboard config print` shows every setting; docs/configuration.md explains them";
        Finding::failure(CHECK, format!("{} (from {}) {}", error.key, error.source, error.problem))
            .of(variable)
            .cure(remedy)
    };
    errors.0.iter().map(finding).collect()
}

/// Looks at settings that are right by themselves.
#[must_use]
pub fn check(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    let mut findings =
        vec![Finding::ok(CHECK, format!("environment {}, {}", config.environment, config.base_url.as_str()))];
    findings.extend(operator_key(patient));
    findings.extend(proxies(config));
    if config.environment == Environment::Production {
        findings.extend(production(config));
    }
    if !config.events.enabled {
        findings.push(
            Finding::warning(CHECK, "this process delivers no events; they wait until one does")
                .of("SWITCHBOARD_EVENTS_ENABLED")
                .cure("remove it, unless another process on the same database delivers them"),
        );
    }
    findings
}

fn operator_key(patient: &Patient) -> Option<Finding> {
    const SETTING: &str = "SWITCHBOARD_OPERATOR_KEY_SHA256";
    let Some(hash) = &patient.config.operator_key_sha256 else {
        let found = "there is no operator key: only admins reach the admin API, with their passwords";
        let remedy = "make one with `switchboard operator-key new` and set the hash it prints";
        return Some(Finding::warning(CHECK, found).of(SETTING).cure(remedy));
    };
    let key = patient.key.as_ref()?;
    if secrets::same(&token::hash(key.expose()), &hash.0) {
        return None;
    }
    let found = "the operator key that was given (SWITCHBOARD_OPERATOR_KEY) is not the configured one";
    Some(Finding::failure(CHECK, found).of(SETTING).cure("give the key whose SHA-256 is configured"))
}

fn proxies(config: &Config) -> Vec<Finding> {
    const SETTING: &str = "SWITCHBOARD_TRUSTED_PROXIES";
    let mut findings = Vec::new();
    if let Some(all) = config.trusted_proxies.iter().find(|network| network.prefix_len() == 0) {
        findings.push(
            Finding::failure(CHECK, format!("{all} trusts everybody: who asks can claim any address"))
                .of(SETTING)
                .cure("name only the addresses of your proxies, such as 10.0.0.5/32"),
        );
    }
    if config.base_url.is_https() && config.trusted_proxies.is_empty() {
        let found = "something in front ends TLS, and no proxy is trusted: all callers count as one address, and share \
                     its rate limits";
        let remedy = "set it to the addresses of the proxies, which must send X-Forwarded-For";
        findings.push(Finding::warning(CHECK, found).of(SETTING).cure(remedy));
    }
    findings
}

fn production(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    if config.limits.scale != 1 {
        findings.push(
            Finding::warning(CHECK, format!("every rate limit is multiplied by {}", config.limits.scale))
                .of("SWITCHBOARD_LIMITS_SCALE")
                .cure("remove it: it is for load tests"),
        );
    }
    if config.metrics.listen.is_some_and(|address| !address.ip().is_loopback()) {
        findings.push(
            Finding::warning(CHECK, "the metrics are served to everybody who reaches their port")
                .of("SWITCHBOARD_METRICS_LISTEN")
                .cure("listen on a loopback or private address, or close the port to others"),
        );
    }
    findings
}
