//! The checks of DNS and TLS at the public address.

use switchboard::cli::{doctor::public, listen::certificate};

use super::*;
use crate::support::receiver::{Identity, Receiver, authority_pem};

#[tokio::test]
async fn certificates_are_checked_by_doctor() {
    let home = tempfile::tempdir().unwrap();
    let authority = home.path().join("authority.pem");
    std::fs::write(&authority, authority_pem()).unwrap();
    for (identity, words, remedy) in [
        (Identity::Good, "", ""),
        (Identity::Tls12, "", ""),
        (Identity::Expired, "has expired (valid until 2021-01-01)", "renew"),
        (Identity::OtherName, "another name", "this host"),
        (Identity::UnknownAuthority, "not trusted", "full chain"),
        (Identity::Plain, "no TLS", "accept TLS"),
    ] {
        let receiver = Receiver::with(identity, &["127.0.0.1"]).await;
        let mut config = Config::default();
        config.base_url = BaseUrl::parse(&format!("https://{}", receiver.address)).unwrap();
        config.extra_ca_file = Some(authority.clone());
        let report = DoctorReport::of(public::check(&context(config)).await);
        match words {
            "" => is_ok(&report, "tls", "trusted, valid until 2050-01-01"),
            words => fails(&report, "tls", words, "SWITCHBOARD_BASE_URL", remedy),
        }
    }
}

#[tokio::test]
async fn authorities_that_cannot_be_loaded_are_reported() {
    let home = tempfile::tempdir().unwrap();
    let (missing, damaged) = (home.path().join("missing.pem"), home.path().join("damaged.pem"));
    std::fs::write(&damaged, "-----BEGIN CERTIFICATE-----\n????\n-----END CERTIFICATE-----\n").unwrap();
    for (file, words) in [(missing, "missing.pem cannot be read"), (damaged, "authorities cannot be read")] {
        let receiver = Receiver::with(Identity::Good, &["127.0.0.1"]).await;
        let mut config = Config::default();
        config.base_url = BaseUrl::parse(&format!("https://{}", receiver.address)).unwrap();
        config.extra_ca_file = Some(file);
        let report = DoctorReport::of(public::check(&context(config)).await);
        fails(&report, "tls", words, "SWITCHBOARD_EXTRA_CA_FILE", "PEM file");
    }
}

#[tokio::test]
async fn a_host_name_without_addresses_fails() {
    let mut config = Config::default();
    config.base_url = BaseUrl::parse("https://nobody.invalid").unwrap();
    let report = DoctorReport::of(public::check(&context(config)).await);
    fails(&report, "dns", "nobody.invalid", "SWITCHBOARD_BASE_URL", "DNS");
}

#[tokio::test]
async fn a_deployment_over_tls_passes_all_checks() {
    let home = tempfile::tempdir().unwrap();
    let authority = home.path().join("ca.pem");
    let tls = certificate::make([127, 0, 0, 1].into(), Clock::system().now(), Some(&authority)).unwrap();
    let proxy = Proxy::over(ProxyBehaviour::good(), Some(tls)).await;
    let trusting = move |config: &mut Config| config.extra_ca_file = Some(authority.clone());
    let deployment = Deployment::behind(&proxy, trusting).await;
    let report = deployment.report().await;
    is_ok(&report, "tls", "TLSv1.3, trusted");
    is_ok(&report, "streaming", "arrive as they are sent");
    is_ok(&report, "https", "");
    assert_eq!(report.failures(), 0, "{}", report.text());
}
