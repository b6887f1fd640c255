//! TLS of `switchboard listen`, the receiver of events. The certificate is generated at the start, or is read from the
//! files of `--cert` and `--key`.
//!
//! Without these arguments, the receiver generates a certificate authority, and a certificate that this authority
//! signs. The server that sends the events must trust the authority (`SWITCHBOARD_EXTRA_CA_FILE`). With `--cert-out`,
//! the authority's certificate and key are saved. The next start uses the saved key again, so a server that trusts the
//! authority's earlier certificate still trusts the receiver.

use std::{
    fs,
    io::{self, ErrorKind},
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    IsCa, KeyPair, KeyUsagePurpose, date_time_ymd,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, pem::PemObject as _},
    },
};

use crate::{
    cli::failure::{Failure, Result},
    domain::time::Timestamp,
};

const AUTHORITY: &str = "switchboard listen: test authority";

/// Returns a TLS acceptor with a new certificate for `localhost`, the loopback addresses and `address`.
///
/// If `keep` is given, writes the authority's certificate to this file, and the authority's key to a file beside it. If
/// the key's file already exists, uses this key and does not generate a new one.
///
/// # Errors
/// [`Failure::Local`] if a file cannot be read or written, or if the certificate cannot be generated.
pub fn make(address: IpAddr, now: Timestamp, keep: Option<&Path>) -> Result<TlsAcceptor> {
    let key = match keep {
        Some(certificate) => saved_key(certificate)?,
        None => KeyPair::generate().map_err(failed)?,
    };
    let authority = CertifiedIssuer::self_signed(authority(now), key).map_err(failed)?;
    if let Some(path) = keep {
        fs::write(path, authority.pem()).map_err(|error| Failure::file("write", path, &error))?;
    }
    let key = KeyPair::generate().map_err(failed)?;
    let certificate = leaf(address, now)?.signed_by(&key, &authority).map_err(failed)?;
    let key = PrivatePkcs8KeyDer::from(key.serialize_der());
    acceptor(vec![certificate.der().clone()], key.into())
}

/// Returns a TLS acceptor with the certificate chain and the key in PEM files.
///
/// # Errors
/// [`Failure::Local`] if the files cannot be read, or if key and certificate do not match.
pub fn load(certificate: &Path, key: &Path) -> Result<TlsAcceptor> {
    let unreadable = |path: &Path, error: &dyn std::fmt::Display| {
        Failure::Local(format!("cannot read {} as PEM: {error}", path.display()))
    };
    let chain: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| unreadable(certificate, &error))?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, &error))?;
    acceptor(chain, key)
}

fn acceptor(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<TlsAcceptor> {
    // the default versions are TLS 1.2 and 1.3; events need TLS 1.2 or later (B-424)
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(failed)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(failed)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Local(format!("the certificate cannot be used: {error}"))
}

fn authority(now: Timestamp) -> CertificateParams {
    let mut params = valid(now);
    params.distinguished_name = named(AUTHORITY);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn leaf(address: IpAddr, now: Timestamp) -> Result<CertificateParams> {
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    let address = address.to_string();
    if !names.contains(&address) {
        names.push(address);
    }
    let alternatives = CertificateParams::new(names).map_err(failed)?.subject_alt_names;
    let mut params = valid(now);
    params.subject_alt_names = alternatives;
    params.distinguished_name = named("switchboard listen");
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(params)
}

fn named(name: &str) -> DistinguishedName {
    let mut named = DistinguishedName::new();
    named.push(DnType::CommonName, name);
    named
}

/// Returns the parameters of a certificate that is valid from the start of last year to the end of next year, so that
/// servers whose clocks are wrong accept it too.
fn valid(now: Timestamp) -> CertificateParams {
    // an approximate year suffices; `clamp` keeps the year in the range that the dates below support
    const MICROS_PER_YEAR: i64 = 31_556_952_000_000;
    let year = 1970 + i32::try_from(now.micros().div_euclid(MICROS_PER_YEAR)).unwrap_or(0).clamp(0, 2_000);
    let mut params = CertificateParams::default();
    params.not_before = date_time_ymd(year - 1, 1, 1);
    params.not_after = date_time_ymd(year + 2, 1, 1);
    params
}

/// Returns the key that is saved beside an authority's certificate. If there is none, generates a key and saves it.
fn saved_key(certificate: &Path) -> Result<KeyPair> {
    let path = key_path(certificate);
    match fs::read_to_string(&path) {
        Ok(text) => KeyPair::from_pem(&text)
            .map_err(|error| Failure::Local(format!("{} is not a private key: {error}", path.display()))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = KeyPair::generate().map_err(failed)?;
            write_private(&path, &key.serialize_pem())
                .map_err(|error| Failure::file("write", &path, &error))?;
            Ok(key)
        }
        Err(error) => Err(Failure::file("read", &path, &error)),
    }
}

/// Returns the path of the key. For `ca.pem` it is `ca.pem.key`.
fn key_path(certificate: &Path) -> PathBuf {
    let mut path = certificate.as_os_str().to_owned();
    path.push(".key");
    path.into()
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_795_196_100);

    #[test]
    fn the_key_of_an_authority_is_reused() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("ca.pem");
        make(Ipv4Addr::LOCALHOST.into(), NOW, Some(&file)).unwrap();
        let (first, key) = (fs::read(&file).unwrap(), fs::read(key_path(&file)).unwrap());
        assert!(first.starts_with(b"-----BEGIN CERTIFICATE-----"));
        make(Ipv4Addr::LOCALHOST.into(), NOW, Some(&file)).unwrap();
        assert_eq!(fs::read(key_path(&file)).unwrap(), key);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(key_path(&file)).unwrap().permissions().mode() & 0o777, 0o600);
        }
        // the receiver can also use the certificate and the key of the authority itself (`--cert`, `--key`)
        load(&file, &key_path(&file)).unwrap();
        fs::write(key_path(&file), "no key").unwrap();
        assert!(make(Ipv4Addr::LOCALHOST.into(), NOW, Some(&file)).is_err());
        assert!(load(&file, &key_path(&file)).is_err());
    }

    #[test]
    fn a_certificate_is_generated_without_files() {
        make("192.0.2.7".parse().unwrap(), NOW, None).unwrap();
    }
}
