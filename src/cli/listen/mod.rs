//! `switchboard listen`: receives events on the developer's own machine, as a reference implementation of receivers.
//!
//! - [`receiver`]: the rules of receivers (B-441), without sockets; [`verdict`] verifies signatures.
//! - [`misbehaviour`]: deliberate failures, which arguments such as `--fail` request.
//! - [`serve`], [`certificate`]: sockets and TLS.
//! - [`capture`]: requests saved as files; [`report`]: output; [`advice`]: settings for the server.
//! - [`secrets`]: sources of signing secrets.
//!
//! The command calls no Switchboard server, and needs none.

pub mod advice;
pub mod capture;
pub mod certificate;
pub mod misbehaviour;
pub mod receiver;
pub mod report;
pub mod secrets;
pub mod serve;
pub mod verdict;

use std::{
    io::{self, Write as _},
    net::{SocketAddr, ToSocketAddrs as _},
    path::PathBuf,
    sync::Arc,
};

use clap::Args;
use serde_json::Value;
use tokio_rustls::TlsAcceptor;

use self::{
    advice::StartupText,
    capture::CaptureFolder,
    misbehaviour::Misbehaviour,
    receiver::{Receiver, Reception},
    secrets::SecretArgs,
};
use super::{
    answer::escaped,
    dev,
    failure::{Failure, Result},
    logging::start_logs,
    sandbox::{self, SandboxApp},
};
use crate::{
    config::ClientEnv,
    platform::{clock::Clock, logs::LogFormat, shutdown},
};

/// Default address for HTTPS.
const HTTPS: &str = "127.0.0.1:8443";

/// Receive events on this machine: verify them, print them, and fail on purpose
///
/// In a folder with the sandbox of `switchboard dev` it needs no arguments: it listens at the callback URL of the
/// sandbox's app (plain HTTP, 127.0.0.1:8081). Everywhere else it uses HTTPS on 127.0.0.1:8443, with a certificate
/// generated at the start, and prints the settings that the server needs to send events to it.
///
/// It follows the rules of receivers. It verifies the raw bytes in constant time, rejects timestamps older than 5
/// minutes, and accepts a request if any value of its signature header matches. It handles each event id once, and
/// responds immediately. With --json it prints one JSON document per line.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard listen
  switchboard listen --http --listen 127.0.0.1:9000 --secret-file signing-secret
  switchboard listen --cert-out ca.pem --save captured
  switchboard listen --fail 2
  switchboard listen --fail 1 --delay 4s
  switchboard listen --redirect https://example.com/ --status 308")]
pub struct ListenArgs {
    #[command(flatten)]
    secrets: SecretArgs,
    /// Address and port to listen on; port 0 chooses a free one
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    listen: Option<SocketAddr>,
    /// Use plain HTTP, which servers in `dev` accept for the hosts in `allow_private_hosts`
    #[arg(long)]
    http: bool,
    /// A PEM file of the certificate chain, instead of a certificate generated at the start
    #[arg(long, value_name = "FILE", requires = "key", conflicts_with_all = ["http", "cert_out"])]
    cert: Option<PathBuf>,
    /// The PEM file of the certificate's private key
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
    /// Write the generated certificate authority to this file, for the server to trust; its key is saved
    /// beside it and reused
    #[arg(long, value_name = "FILE", conflicts_with = "http")]
    cert_out: Option<PathBuf>,
    /// Save each request as a file in this folder, for `switchboard events verify`
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    #[command(flatten)]
    misbehaviour: Misbehaviour,
}

/// Parses `host:port`. A host name is resolved to its first address.
fn address(text: &str) -> std::result::Result<SocketAddr, String> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| "must be an address and a port, such as 127.0.0.1:8443".to_owned())
}

impl ListenArgs {
    /// Returns the app of the sandbox in the current folder; `None` if the folder contains no sandbox, or if an option
    /// chooses the address, plain HTTP or the certificate.
    fn sandbox(&self) -> Option<SandboxApp> {
        let is_chosen = self.listen.is_some() || self.http || self.cert.is_some() || self.cert_out.is_some();
        if is_chosen { None } else { sandbox::app_here() }
    }

    fn tls(&self, address: SocketAddr, clock: &Clock) -> Result<TlsAcceptor> {
        match (&self.cert, &self.key) {
            (Some(cert), Some(key)) => certificate::load(cert, key),
            _ => certificate::make(address.ip(), clock.now(), self.cert_out.as_deref()),
        }
    }
}

/// Receives requests until a signal stops the process or standard output cannot be written. If `json` is true, prints
/// one JSON document per line.
///
/// # Errors
/// [`Failure::Usage`] for invalid arguments, [`Failure::Local`] for a file or an address that cannot be used.
pub async fn run(args: ListenArgs, json: bool) -> Result<()> {
    if let Some(problem) = args.misbehaviour.problem() {
        return Err(Failure::Usage(problem.to_owned()));
    }
    let env = ClientEnv::from_process().map_err(|error| Failure::Usage(error.to_string()))?;
    let secrets = args.secrets.gather(&env)?;
    if let Some(problem) = secrets::problem(&secrets) {
        return Err(Failure::Usage(problem));
    }
    let clock = Clock::system();
    start_logs(LogFormat::Text, tracing::Level::WARN)?;

    let sandbox = args.sandbox();
    let plain = args.http || sandbox.is_some();
    let default = if plain { dev::CALLBACK_HOST } else { HTTPS };
    let wanted = args.listen.map_or_else(|| address(default).map_err(Failure::Usage), Ok)?;
    let tls = if plain { None } else { Some(args.tls(wanted, &clock)?) };
    let saves = args.save.as_deref().map(CaptureFolder::open).transpose()?;
    let listening = serve::bind(wanted, tls)
        .await
        .map_err(|error| Failure::Local(format!("cannot listen on {wanted}: {error}")))?;

    let advice = StartupText {
        address: listening.address(),
        plain,
        made_certificate: !plain && args.cert.is_none(),
        authority: args.cert_out.as_deref(),
        sandbox: sandbox.as_ref(),
        secrets: secrets.len(),
        misbehaviour: &args.misbehaviour,
    };
    print(&if json { format!("{}\n", advice.document()) } else { advice.text() })?;

    let (trigger, stop) = shutdown::channel();
    let signals = trigger.clone();
    tokio::spawn(async move {
        if let Err(error) = signals.follow_signals().await {
            tracing::error!(%error, "failed to install signal handlers");
        }
    });
    let report = move |reception: &Reception| {
        if report_request(reception, saves.as_ref(), json).is_err() {
            // nobody can read the output any more, so the receiver stops
            trigger.drain();
        }
    };
    let receiver = Receiver::new(secrets, args.misbehaviour, clock);
    listening.serve(Arc::new(receiver), Arc::new(report), stop).await;
    Ok(())
}

/// Saves a request if `saves` is given, and prints it.
///
/// # Errors
/// [`Failure::Local`] if standard output cannot be written. A failure to save the request is only logged.
fn report_request(reception: &Reception, saves: Option<&CaptureFolder>, json: bool) -> Result<()> {
    let saved = saves.map(|folder| folder.save(reception)).transpose().unwrap_or_else(|failure| {
        tracing::error!("{failure}");
        None
    });
    let saved = saved.as_deref();
    print(&if json {
        let document: Value = report::document(reception, saved);
        format!("{}\n", escaped(document.to_string()))
    } else {
        format!("{}\n", report::paragraph(reception, saved))
    })
}

fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Failure::Local(format!("cannot write to standard output: {error}")))
}
