//! `switchboard dev`: a sandbox with a demo company, kept in one folder.
//!
//! It is a server like any other, in the environment `dev`, with its database and files in the folder and the
//! operator key generated on the first start. The first start also fills it (see [`seed`](super::seed)); later starts
//! find everything as it was.

pub mod banner;
pub mod folder;

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;

use self::folder::Folder;
use super::{
    answer::Answer,
    client::Server,
    failure::{Failure, Result},
    local::{hash_operator_key, new_operator_key},
    logging::start_logs,
    seed::{self, Demo},
    server::start,
};
use crate::{
    app::StartOptions,
    config::{CLIENT_VARIABLES, Config, ConfigErrors, Flag, Loaded, Sources},
    platform::{rng::Rng, secrets::Secret},
};

/// Where the app of a sandbox is told of events, over plain HTTP: `switchboard listen` listens there.
pub const CALLBACK_HOST: &str = "127.0.0.1:8081";
/// The callback URL of a sandbox's app.
pub const CALLBACK_URL: &str = "http://127.0.0.1:8081/events";
/// Hosts on this machine that a sandbox sends events to besides those of the settings: the ones `switchboard listen`
/// listens on, with plain HTTP and with HTTPS.
pub const CALLBACK_HOSTS: [&str; 4] = [CALLBACK_HOST, "localhost:8081", "127.0.0.1:8443", "localhost:8443"];

/// Run a sandbox with a demo company, on embedded SQLite
///
/// Prints everything needed to begin. The state lives in one folder, so the next start finds everything as it was.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard dev
  switchboard dev --fresh --dir ./try --listen 127.0.0.1:9000")]
pub struct DevArgs {
    /// The folder of the state; made if it is missing
    #[arg(long, value_name = "FOLDER", default_value = folder::DEFAULT)]
    dir: PathBuf,
    /// Start over: remove what earlier starts left in the folder
    #[arg(long)]
    fresh: bool,
    /// Address and port to listen on; port 0 takes a free one. Also `SWITCHBOARD_LISTEN`
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
}

/// Serves until it is told to end. `json`: print the state for programs.
///
/// # Errors
/// What is wrong with the folder, the settings or the start.
pub async fn run(args: DevArgs, json: bool) -> Result<()> {
    let folder = Folder::open(&args.dir)?;
    let demo = if args.fresh { None } else { folder.demo()? };
    if demo.is_none() {
        // a first start that did not get to its end leaves nothing that anybody could use
        folder.clear()?;
    }
    let rng = Rng::os();
    let key = folder.operator_key(|| new_operator_key(&rng).0)?;
    let sources = Sources::from_process(None, Vec::new(), CLIENT_VARIABLES).map_err(usage)?;
    let config = configure(sources, &folder, &key, args.listen.clone())?;
    start_logs(config.log.format, config.log.level)?;

    let running = start(config, StartOptions::default()).await?;
    let demo = match demo {
        Some(demo) => demo,
        None => fill(running.address(), &key, &rng).await.inspect_err(|_| running.drain())?,
    };
    let document = folder.write_demo(&demo, running.base_url(), &key)?;
    let again = banner::Again { dir: &args.dir, listen: args.listen.as_deref() };
    let text = banner::banner(&demo, running.base_url(), &key, again, &rng.base62(10));
    Answer::new(document, text).print(json)?;
    running.wait().await;
    Ok(())
}

async fn fill(address: SocketAddr, key: &Secret, rng: &Rng) -> Result<Demo> {
    let server = Server::new(&format!("http://{}", reachable(address)), Some(key), None)?;
    seed::demo(&server, rng, Some(CALLBACK_URL)).await
}

/// The address by which a server that listens on `address` is reached from this machine.
#[must_use]
pub fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

fn usage(errors: ConfigErrors) -> Failure {
    Failure::Usage(errors.to_string())
}

/// The settings of a sandbox: those of the sources, under what makes it one.
fn configure(mut sources: Sources, folder: &Folder, key: &Secret, listen: Option<String>) -> Result<Config> {
    let flag = |key, value: String| Flag { key, name: "switchboard dev", value };
    sources.flags = vec![
        flag("environment", "dev".to_owned()),
        flag("test_clock", "true".to_owned()),
        flag("database.url", format!("sqlite://{}", folder.database().display())),
        flag("files.dir", folder.files().display().to_string()),
        flag("operator_key_sha256", hash_operator_key(key.expose())),
    ];
    sources.flags.extend(listen.map(|value| Flag { key: "listen", name: "--listen", value }));
    // a person looks at it: text, and only what is wrong, unless they want more
    for (name, value) in [("SWITCHBOARD_LOG_FORMAT", "text"), ("SWITCHBOARD_LOG_LEVEL", "warn")] {
        if !sources.env.iter().any(|(set, _)| set == name) {
            sources.env.push((name.to_owned(), value.to_owned()));
        }
    }
    let config = Loaded::read(&sources).map_err(usage)?.config;
    let mut hosts: Vec<_> = config.allow_private_hosts.iter().map(ToString::to_string).collect();
    hosts.extend(CALLBACK_HOSTS.map(str::to_owned));
    sources.flags.push(flag("allow_private_hosts", hosts.join(",")));
    let default = Config::default();
    // nobody named a base address: it is where this server listens (of a free port the server says itself)
    if config.base_url == default.base_url && config.listen != default.listen && config.listen.port() != 0 {
        sources.flags.push(flag("base_url", format!("http://{}", reachable(config.listen))));
    }
    Ok(Loaded::read(&sources).map_err(usage)?.config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_address_is_where_it_listens() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("dev")).unwrap();
        let base = |listen: Option<&str>| {
            let sources = Sources::default();
            let config = configure(sources, &folder, &Secret::new("k"), listen.map(str::to_owned)).unwrap();
            config.base_url.as_str().to_owned()
        };
        assert_eq!(base(None), "http://127.0.0.1:8080");
        assert_eq!(base(Some("127.0.0.1:9001")), "http://127.0.0.1:9001");
        assert_eq!(base(Some("0.0.0.0:9002")), "http://127.0.0.1:9002");
        assert_eq!(base(Some("[::1]:9003")), "http://[::1]:9003");
    }

    #[test]
    fn events_may_go_to_where_listen_listens() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("dev")).unwrap();
        let config = configure(Sources::default(), &folder, &Secret::new("k"), None).unwrap();
        let allowed: Vec<_> = config.allow_private_hosts.iter().map(ToString::to_string).collect();
        assert!(allowed.iter().any(|host| CALLBACK_URL.contains(&format!("//{host}/"))), "{allowed:?}");
        assert!(CALLBACK_HOSTS.iter().all(|host| allowed.iter().any(|allowed| allowed == host)));
    }
}
