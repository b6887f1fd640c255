//! `switchboard dev`: a sandbox with a demo company, stored in one folder.
//!
//! The sandbox is an ordinary server in the environment `dev`. The folder contains the database, the files, the
//! operator key and the key that encrypts secrets. The first start generates the keys and creates the demo data
//! ([`seed`](super::seed)). Later starts use the same keys and data.

pub mod banner;
pub mod facts;
pub mod folder;

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;
use url::Url;

use self::folder::{DevUrls, SandboxFolder};
use super::{
    answer::Answer,
    client::{Server, is_loopback},
    failure::{Failure, Result},
    local::{hash_operator_key, new_operator_key},
    logging::start_logs,
    sandbox,
    secrets::make_key,
    seed::{self, Demo},
    server::start,
};
use crate::{
    app::StartOptions,
    config::{BaseUrl, CLIENT_VARIABLES, Config, ConfigErrors, Environment, Flag, Loaded, Sources},
    platform::{rng::Rng, secrets::Secret},
};

/// Host and port at which the sandbox's app receives events: the default address of `switchboard listen` for plain
/// HTTP.
pub const CALLBACK_HOST: &str = "127.0.0.1:8081";
/// Callback URL of the sandbox's app.
pub const CALLBACK_URL: &str = "http://127.0.0.1:8081/events";
/// Loopback hosts to which a sandbox may send events, in addition to the configured hosts: the default addresses of
/// `switchboard listen` for HTTP and for HTTPS.
pub const CALLBACK_HOSTS: [&str; 4] = [CALLBACK_HOST, "localhost:8081", "127.0.0.1:8443", "localhost:8443"];

/// Settings that a sandbox ignores in the environment and in the configuration file, because they may belong to another
/// deployment.
const OWN: [&str; 5] = ["database.", "files.dir", "files.s3.", "operator_key_sha256", "secrets."];

/// Run a sandbox with a demo company, on embedded SQLite
///
/// Prints everything needed to begin. All state is in one folder, and the next start continues with it.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard dev
  switchboard dev --fresh --dir ./try --listen 127.0.0.1:9000")]
pub struct DevArgs {
    /// Folder of the state; created if it does not exist
    #[arg(long, value_name = "FOLDER", default_value = sandbox::FOLDER)]
    dir: PathBuf,
    /// Start over: delete the state of earlier starts from the folder
    #[arg(long)]
    fresh: bool,
    /// Address and port to listen on; port 0 chooses a free port. Also `SWITCHBOARD_LISTEN`
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
}

/// Starts the sandbox, prints its URL and credentials (as JSON if `json` is true), and serves until the process is
/// stopped.
///
/// # Errors
/// [`Failure::Usage`] if the settings are invalid. A failure of the folder, of the start, or of the demo data.
pub async fn run(args: DevArgs, json: bool) -> Result<()> {
    let folder = SandboxFolder::open(&args.dir)?;
    let demo = if args.fresh { None } else { folder.demo()? };
    if demo.is_none() {
        // also without `--fresh`, because an interrupted first start can have left incomplete data
        folder.clear()?;
    }
    let rng = Rng::os();
    let key = folder.operator_key(|| new_operator_key(&rng).0)?;
    let sources = Sources::from_process(CLIENT_VARIABLES).map_err(usage)?;
    let secrets_key = folder.secrets_key(|| make_key(&rng))?;
    let (config, production_url) = configure(sources, &folder, (&key, &secrets_key), args.listen.clone())?;
    start_logs(config.log.format, config.log.level)?;
    if let Some(url) = &production_url {
        tracing::warn!(
            base_url = url.as_str(),
            "the settings are those of a production deployment, so the sandbox does not use their base URL; set \
             SWITCHBOARD_ENVIRONMENT=dev to use it"
        );
    }

    let running = start(config, StartOptions::default()).await?;
    let demo = match demo {
        Some(demo) => demo,
        None => fill(running.address(), &key, &rng).await.inspect_err(|_| running.drain())?,
    };
    running.fill_in_token(&demo.installation.bot_token);
    let local_url = local_url(running.base_url(), running.address());
    let mcp = running.world().settings.mcp_url.as_str();
    let urls = DevUrls { base: running.base_url(), mcp, local: &local_url };
    let mut document = folder.write_demo(&demo, urls, &key)?;
    let options = banner::DevOptions { dir: &args.dir, listen: args.listen.as_deref() };
    let mut text = banner::banner(&demo, urls, &key, options, &rng.base62(10));
    running.show_in_console(facts::facts(&demo, running.base_url(), &key, &banner::start_over(options)));
    // the link is printed but not stored in the folder, because it can be used only once
    if let Some(link) = running.console_link() {
        text.push_str(&banner::console_link(&link));
        document["console_link"] = link.into();
    }
    Answer::new(document, text).print(json)?;
    running.wait().await;
    Ok(())
}

async fn fill(address: SocketAddr, key: &Secret, rng: &Rng) -> Result<Demo> {
    let server = Server::new(&format!("http://{}", reachable(address)), Some(key), None)?;
    seed::demo(&server, rng, Some(CALLBACK_URL)).await
}

/// Returns the address at which this machine reaches a server that listens on `address`: the loopback address if
/// `address` is unspecified (`0.0.0.0`, `::`), otherwise `address`.
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

/// Returns the URL at which commands on this machine call the sandbox: the base URL if its host is a loopback address,
/// otherwise the URL of the address on which the sandbox listens. Commands send the sandbox's operator key only to
/// loopback addresses, so they cannot use a base URL that leads through a tunnel to this machine.
fn local_url(base_url: &str, address: SocketAddr) -> String {
    match Url::parse(base_url) {
        Ok(url) if is_loopback(&url) => base_url.to_owned(),
        _ => format!("http://{}", reachable(address)),
    }
}

fn usage(errors: ConfigErrors) -> Failure {
    Failure::Usage(errors.to_string())
}

/// Returns the configured base URL if the settings are those of a production deployment: the environment is
/// `production`, which is the default, and the URL is HTTPS. With this URL, the sandbox would print commands that send
/// the sandbox's credentials to the production deployment.
fn production_url(sources: &Sources) -> Option<BaseUrl> {
    let config = Loaded::read_lenient(sources).0.config;
    let is_production = config.environment == Environment::Production;
    Some(config.base_url).filter(|url| is_production && url.is_https())
}

/// Returns the settings of a sandbox: the configured settings without [`OWN`], overridden by the settings that a
/// sandbox requires. Also returns [`production_url`], which the sandbox does not use.
fn configure(
    mut sources: Sources,
    folder: &SandboxFolder,
    (key, secrets_key): (&Secret, &Secret),
    listen: Option<String>,
) -> Result<(Config, Option<BaseUrl>)> {
    // set before the settings are read, because otherwise the files that the settings in `OWN` name would be opened
    sources.unused = &OWN;
    let production_url = production_url(&sources);
    let is_production = production_url.is_some();
    let flag = |key, value: String| Flag { key, name: "switchboard dev", value };
    sources.flags = vec![
        flag("environment", "dev".to_owned()),
        flag("test_clock", "true".to_owned()),
        flag("database.url", format!("sqlite://{}", folder.database().display())),
        flag("files.dir", folder.files().display().to_string()),
        flag("operator_key_sha256", hash_operator_key(key.expose())),
        flag("secrets.key", secrets_key.expose().to_owned()),
    ];
    sources.flags.extend(listen.map(|value| Flag { key: "listen", name: "--listen", value }));
    let loaded = Loaded::read(&sources).map_err(usage)?;
    // unless another format or level is configured, the log on the terminal is text, with warnings and errors only
    for (key, value) in [("log.format", "text"), ("log.level", "warn")] {
        if !loaded.is_set(key) {
            sources.flags.push(flag(key, value.to_owned()));
        }
    }
    let config = loaded.config;
    let mut hosts: Vec<_> = config.allow_private_hosts.iter().map(ToString::to_string).collect();
    hosts.extend(CALLBACK_HOSTS.map(str::to_owned));
    sources.flags.push(flag("allow_private_hosts", hosts.join(",")));
    let default = Config::default();
    // if no base URL is configured for the sandbox, it uses the listen address; with port 0, the server sets the base
    // URL as soon as it has a port
    if is_production || config.base_url == default.base_url {
        let base_url = match config.listen.port() {
            0 => default.base_url.as_str().to_owned(),
            _ => format!("http://{}", reachable(config.listen)),
        };
        sources.flags.push(flag("base_url", base_url));
    }
    let mut config = Loaded::read(&sources).map_err(usage)?.config;
    if is_production {
        config.mcp_url = None;
    }
    Ok((config, production_url))
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{File, OpenOptions},
        process::Command,
        sync::{
            Arc, LazyLock,
            atomic::{AtomicBool, Ordering},
        },
    };

    use tracing::Level;

    use super::*;
    use crate::{config::DatabaseUrlSetting, platform::logs::LogFormat};

    fn keys() -> (&'static Secret, &'static Secret) {
        static KEYS: LazyLock<[Secret; 2]> =
            LazyLock::new(|| [Secret::new("k"), Secret::new("0f".repeat(32))]);
        (&KEYS[0], &KEYS[1])
    }

    #[test]
    fn the_bucket_of_another_deployment_is_not_used() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(&home.path().join("dev")).unwrap();
        let env = [("BUCKET", "production"), ("ACCESS_KEY_ID", "id"), ("SECRET_ACCESS_KEY", "key")]
            .map(|(name, value)| (format!("SWITCHBOARD_FILES_S3_{name}"), value.to_owned()));
        let sources = Sources { env: env.into(), ..Sources::default() };
        let (config, _) = configure(sources, &folder, keys(), None).unwrap();
        assert!(config.files.s3.bucket.is_none());
    }

    #[test]
    fn the_database_and_keys_of_another_deployment_are_neither_used_nor_read() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(&home.path().join("dev")).unwrap();
        let env = [
            ("DATABASE_URL", "postgres://pooler.example/chat"),
            ("DATABASE_DIRECT_URL", "postgres://db.example/chat"),
            ("DATABASE_POOLER_PREPARED_STATEMENTS", "true"),
            ("DATABASE_REPLICA_URL_FILE", "/nonexistent/replica-url"),
            ("FILES_S3_SECRET_ACCESS_KEY_FILE", "/nonexistent/access-key"),
            ("OPERATOR_KEY_SHA256_FILE", "/nonexistent/operator-key"),
            ("SECRETS_KEY_FILE", "/nonexistent/secrets-key"),
            ("SECRETS_OLD_KEYS", "not a key"),
        ];
        let env = env.map(|(name, value)| (format!("SWITCHBOARD_{name}"), value.to_owned()));
        let sources = Sources { env: env.into(), ..Sources::default() };
        let (config, _) = configure(sources, &folder, keys(), None).unwrap();
        let database = &config.database;
        assert!(matches!(&database.url, DatabaseUrlSetting::Sqlite(file) if *file == folder.database()));
        assert!(database.direct_url.is_none() && database.replica_url.is_none());
        assert_eq!(config.files.dir, folder.files());
    }

    #[test]
    fn the_secret_files_of_another_deployment_are_not_opened() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(&home.path().join("dev")).unwrap();
        let pipe = home.path().join("secrets-key");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // opening the named pipe for writing blocks the thread until another thread opens the pipe for reading
        let was_opened = Arc::new(AtomicBool::new(false));
        let writer = std::thread::spawn({
            let (pipe, was_opened) = (pipe.clone(), Arc::clone(&was_opened));
            move || {
                let file = OpenOptions::new().write(true).open(pipe).unwrap();
                was_opened.store(true, Ordering::SeqCst);
                drop(file);
            }
        });
        let env = vec![("SWITCHBOARD_SECRETS_KEY_FILE".to_owned(), pipe.display().to_string())];
        configure(Sources { env, ..Sources::default() }, &folder, keys(), None).unwrap();
        assert!(
            !was_opened.load(Ordering::SeqCst),
            "the sandbox does not open the file of a secret of another deployment"
        );
        drop(File::open(&pipe).unwrap());
        writer.join().unwrap();
    }

    #[test]
    fn the_base_url_defaults_to_the_listen_address() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(&home.path().join("dev")).unwrap();
        let base = |listen: Option<&str>| {
            let sources = Sources::default();
            let (config, _) = configure(sources, &folder, keys(), listen.map(str::to_owned)).unwrap();
            config.base_url.as_str().to_owned()
        };
        assert_eq!(base(None), "http://127.0.0.1:8080");
        assert_eq!(base(Some("127.0.0.1:9001")), "http://127.0.0.1:9001");
        assert_eq!(base(Some("0.0.0.0:9002")), "http://127.0.0.1:9002");
        assert_eq!(base(Some("[::1]:9003")), "http://[::1]:9003");
    }

    #[test]
    fn the_log_is_text_with_warnings_unless_its_format_or_level_is_configured() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(&home.path().join("dev")).unwrap();
        let file = home.path().join("switchboard.toml");
        std::fs::write(&file, "[log]\nlevel = \"debug\"\n").unwrap();
        let log = |sources: Sources| {
            let (config, _) = configure(sources, &folder, keys(), None).unwrap();
            (config.log.format, config.log.level)
        };
        assert_eq!(log(Sources::default()), (LogFormat::Text, Level::WARN));
        assert_eq!(log(Sources { file: Some(file), ..Sources::default() }), (LogFormat::Text, Level::DEBUG));
        let env = vec![("SWITCHBOARD_LOG_FORMAT".to_owned(), "json".to_owned())];
        assert_eq!(log(Sources { env, ..Sources::default() }), (LogFormat::Json, Level::WARN));
    }

    #[test]
    fn commands_call_a_sandbox_at_a_loopback_address_if_it_has_one() {
        for (base_url, address, expected) in [
            ("http://localhost:8080", "127.0.0.1:8080", "http://localhost:8080"),
            ("https://sandbox.example", "127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("https://sandbox.example", "[::]:8080", "http://[::1]:8080"),
            ("http://192.0.2.1:8080", "192.0.2.1:8080", "http://192.0.2.1:8080"),
        ] {
            assert_eq!(local_url(base_url, address.parse().unwrap()), expected, "{base_url}");
        }
    }

    #[test]
    fn the_base_url_of_a_production_deployment_is_not_used() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(&home.path().join("dev")).unwrap();
        let base = |environment: Option<&str>, url: &str| {
            let mut env = vec![
                ("SWITCHBOARD_BASE_URL".to_owned(), url.to_owned()),
                ("SWITCHBOARD_MCP_URL".to_owned(), url.to_owned()),
            ];
            env.extend(environment.map(|name| ("SWITCHBOARD_ENVIRONMENT".to_owned(), name.to_owned())));
            let sources = Sources { env, ..Sources::default() };
            let (config, _) = configure(sources, &folder, keys(), None).unwrap();
            (config.base_url.as_str().to_owned(), config.mcp_url.map(|url| url.as_str().to_owned()))
        };
        let own = ("http://127.0.0.1:8080".to_owned(), None);
        let public = "https://chat.example.com";
        assert_eq!(base(Some("production"), public), own);
        assert_eq!(base(None, public), own, "production is the default");
        for (environment, url) in [(Some("dev"), public), (None, "http://127.0.0.1:9000")] {
            assert_eq!(base(environment, url), (url.to_owned(), Some(url.to_owned())));
        }
    }

    #[test]
    fn events_may_be_sent_to_the_default_addresses_of_listen() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(&home.path().join("dev")).unwrap();
        let (config, _) = configure(Sources::default(), &folder, keys(), None).unwrap();
        let allowed: Vec<_> = config.allow_private_hosts.iter().map(ToString::to_string).collect();
        assert!(allowed.iter().any(|host| CALLBACK_URL.contains(&format!("//{host}/"))), "{allowed:?}");
        assert!(CALLBACK_HOSTS.iter().all(|host| allowed.iter().any(|allowed| allowed == host)));
    }
}
