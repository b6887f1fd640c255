//! Checks of the configuration. They find invalid settings, and valid settings that are unsuitable, for example in
//! production.

use super::{DoctorContext, Finding};
use crate::{
    app,
    config::{CONFIG_FILE_KEY, CONFIG_VARIABLE, Config, ConfigErrors, Environment},
    domain::token,
    platform::{descriptors, secrets},
};

const CHECK: &str = "configuration";

/// Returns the findings for a configuration that `serve` would reject.
#[must_use]
pub fn unusable(errors: &ConfigErrors) -> Vec<Finding> {
    let finding = |error: &crate::config::ConfigError| {
        let variable = match error.key.as_str() {
            CONFIG_FILE_KEY => CONFIG_VARIABLE.to_owned(),
            key if key.starts_with("SWITCHBOARD_") => key.to_owned(),
            key => format!("SWITCHBOARD_{}", key.replace('.', "_").to_uppercase()),
        };
        let remedy = "`switchboard config print` shows every setting; docs/configuration.md explains them";
        Finding::failure(CHECK, format!("{} (from {}) {}", error.key, error.source, error.problem))
            .of(variable)
            .remedy(remedy)
    };
    errors.0.iter().map(finding).collect()
}

/// Checks the settings of a valid configuration.
#[must_use]
pub fn check(context: &DoctorContext) -> Vec<Finding> {
    let config = &context.config;
    let mut findings =
        vec![Finding::ok(CHECK, format!("environment {}, {}", config.environment, config.base_url.as_str()))];
    findings.extend(operator_key(context));
    findings.extend(proxies(config));
    findings.extend(open_files(config));
    findings.extend(named_files(context));
    if config.environment == Environment::Production {
        findings.extend(production(config));
    }
    if config.assistant.refresh_overlap_seconds > 0 {
        let found = format!(
            "for {} seconds after a refresh, the spent refresh token can be presented again and gets the same new \
             tokens: the theft of a refresh token is not detected in that time, which deviates from the contract of \
             the assistant server",
            config.assistant.refresh_overlap_seconds
        );
        findings
            .push(Finding::warning(CHECK, found).of("SWITCHBOARD_ASSISTANT_REFRESH_OVERLAP_SECONDS").remedy(
            "remove it, unless clients lose connections because several of their processes refresh concurrently",
        ));
    }
    if !config.events.enabled {
        let found = "a server with this configuration delivers no events; events wait for another process";
        findings.push(
            Finding::warning(CHECK, found)
                .of("SWITCHBOARD_EVENTS_ENABLED")
                .remedy("remove it, unless another process on the same database delivers them"),
        );
    }
    findings
}

fn operator_key(context: &DoctorContext) -> Option<Finding> {
    const SETTING: &str = "SWITCHBOARD_OPERATOR_KEY_SHA256";
    let Some(hash) = &context.config.operator_key_sha256 else {
        let found = "there is no operator key: only people who sign in can use the admin API, and nobody \
                     can create a company or register an app";
        let remedy = "make one with `switchboard operator-key new`, and configure the hash that it prints";
        return Some(Finding::warning(CHECK, found).of(SETTING).remedy(remedy));
    };
    let key = context.key.as_ref()?;
    if secrets::constant_time_eq(&token::hash(key.expose()), &hash.0) {
        return None;
    }
    let found = "the given operator key (--operator-key, SWITCHBOARD_OPERATOR_KEY) is not the configured one";
    Some(Finding::failure(CHECK, found).of(SETTING).remedy("use the key whose SHA-256 is configured"))
}

fn proxies(config: &Config) -> Vec<Finding> {
    const SETTING: &str = "SWITCHBOARD_TRUSTED_PROXIES";
    let mut findings = Vec::new();
    if let Some(all) = config.trusted_proxies.iter().find(|network| network.prefix_len() == 0) {
        findings.push(
            Finding::failure(CHECK, format!("{all} trusts every address: any caller can claim any address"))
                .of(SETTING)
                .remedy("name only the addresses of your proxies, such as 10.0.0.5/32"),
        );
    }
    if config.base_url.is_https() && config.trusted_proxies.is_empty() {
        let found = "a proxy terminates TLS, and no proxy is trusted: all callers count as one address, and share the \
                     rate limits and the connection limit of one address";
        let remedy = "set it to the addresses of the proxies, which must send X-Forwarded-For";
        findings.push(Finding::warning(CHECK, found).of(SETTING).remedy(remedy));
    }
    findings
}

/// Checks whether the hard limit of open files is high enough for `max_connections`. The soft limit does not matter,
/// because the server raises it to the hard limit when it starts.
fn open_files(config: &Config) -> Option<Finding> {
    let wanted = config.serve_options().max_connections;
    let (_, hard) = descriptors::limits()?;
    let fitting = descriptors::fitting(wanted, hard);
    if fitting == wanted {
        return Some(Finding::ok(CHECK, format!("{wanted} connections fit the limit of {hard} open files")));
    }
    let found = format!(
        "the limit of open files, {hard} here, allows {fitting} connections instead of {wanted}; the server \
         accepts no more"
    );
    let remedy = "lower this setting, or raise the server's hard limit (LimitNOFILE of its systemd unit, `ulimit -Hn`)";
    Some(Finding::warning(CHECK, found).of("SWITCHBOARD_MAX_CONNECTIONS").remedy(remedy))
}

/// Checks the files that settings name. If such a file is unusable, the server does not start.
fn named_files(context: &DoctorContext) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Err(error) = context.config.well_known_clients() {
        findings.push(
            Finding::failure(CHECK, error.to_string())
                .of("SWITCHBOARD_WELL_KNOWN_CLIENTS")
                .remedy("name a TOML file that the server's user can read, with lines `host = \"name\"`"),
        );
    }
    // without `--offline`, the check of callback URLs reports an unusable file
    if context.offline
        && let Err(error) = app::open_outbound(&context.config, &context.clock)
    {
        findings.push(
            Finding::failure(CHECK, error.to_string())
                .of("SWITCHBOARD_EXTRA_CA_FILE")
                .remedy("name a PEM file that the server's user can read, with certificates"),
        );
    }
    findings
}

fn production(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    if config.limits.scale != 1 {
        findings.push(
            Finding::warning(CHECK, format!("every rate limit is multiplied by {}", config.limits.scale))
                .of("SWITCHBOARD_LIMITS_SCALE")
                .remedy("remove it: it is for load tests"),
        );
    }
    if config.metrics.listen.is_some_and(|address| !address.ip().is_loopback()) {
        findings.push(
            Finding::warning(CHECK, "the metrics are served to everybody who can connect to their port")
                .of("SWITCHBOARD_METRICS_LISTEN")
                .remedy("listen on a loopback or private address, or close the port to others"),
        );
    }
    findings
}
