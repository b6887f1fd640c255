use super::section::Section;
use super::*;
use crate::committed::assert_committed;

const KEY_HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn env(pairs: &[(&str, &str)]) -> Sources {
    let env =
        pairs.iter().map(|(name, value)| (format!("SWITCHBOARD_{name}"), (*value).to_owned())).collect();
    Sources { env, ..Sources::default() }
}

fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("switchboard.toml");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn errors(sources: &Sources) -> Vec<String> {
    Loaded::read(sources).unwrap_err().0.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn assert_rejected(pairs: &[(&str, &str)], wanted: &[&str]) {
    let found = errors(&env(pairs));
    assert_eq!(found.len(), 1, "{found:?}");
    for part in wanted {
        assert!(found[0].contains(part), "{part:?} is missing in {:?}", found[0]);
    }
}

#[test]
fn docs_configuration_md_is_up_to_date() {
    assert_committed("docs/configuration.md", &render_docs());
}

#[test]
fn every_variable_that_tests_rely_on_exists() {
    let mut keys = Vec::new();
    Config::keys(&mut keys);
    let known: Vec<String> = keys.iter().map(section::SettingKey::env).collect();
    for name in [
        "LISTEN",
        "BASE_URL",
        "MCP_URL",
        "ENVIRONMENT",
        "DATABASE_URL",
        "OPERATOR_KEY_SHA256",
        "SERVICE_NAME",
        "MAKER_NAME",
        "EDITOR_SCHEMES",
        "WELL_KNOWN_CLIENTS",
        "TRUSTED_PROXIES",
        "EVENTS_ENABLED",
        "EXTRA_CA_FILE",
        "ALLOW_PRIVATE_HOSTS",
        "TEST_CLOCK",
        "METRICS_LISTEN",
        "LOG_FORMAT",
        "LOG_LEVEL",
        "FILES_DIR",
        "FILES_S3_BUCKET",
        "LIMITS_SCALE",
        "MAX_CONNECTIONS",
        "DATABASE_MAX_CONNECTIONS",
        "DATABASE_DIRECT_URL",
        "DATABASE_REPLICA_URL",
        "NODES",
        "DRAIN_SECONDS",
    ] {
        assert!(known.contains(&format!("SWITCHBOARD_{name}")), "{name}");
    }
    let mut unique = known.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), known.len(), "every key has a variable of its own");
}

#[test]
fn every_default_round_trips() {
    let (defaults, mut copy) = (Config::default(), Config::default());
    let mut keys = Vec::new();
    Config::keys(&mut keys);
    for key in keys {
        if let Some(value) = defaults.get(key.path) {
            copy.put(key.path, values::Input::Toml(&value)).unwrap().unwrap();
            assert_eq!(copy.get(key.path), Some(value), "{}", key.path);
        }
    }
}

#[test]
fn flags_override_the_environment_the_file_and_the_defaults() {
    let text =
        "environment = 'dev'\nservice_name = 'From File'\nmaker_name = 'From File'\nlog.level = 'warn'\n";
    let (_folder, path) = file(text);
    let flag = |key, name, value: &str| Flag { key, name, value: value.to_owned() };
    let sources = Sources {
        file: Some(path.clone()),
        flags: vec![flag("service_name", "--service-name", "From Flag")],
        ..env(&[("SERVICE_NAME", "From Environment"), ("MAKER_NAME", "From Environment")])
    };
    let loaded = Loaded::read(&sources).unwrap();
    let config = &loaded.config;
    assert_eq!((config.service_name.as_str(), config.maker_name.as_str()), ("From Flag", "From Environment"));
    assert_eq!((config.environment, config.log.level), (Environment::Dev, Level::WARN));
    assert_eq!(config.mcp_url(), "http://127.0.0.1:8080");
    let printed = loaded.print(|_| None);
    for line in [
        "service_name = \"From Flag\" # --service-name\n".to_owned(),
        "maker_name = \"From Environment\" # SWITCHBOARD_MAKER_NAME\n".to_owned(),
        format!("environment = \"dev\" # {}\n", path.display()),
        "\n[log]\nformat = \"json\" # the default\n".to_owned(),
        "# mcp_url is not set\n".to_owned(),
    ] {
        assert!(printed.contains(&line), "{line} is missing in\n{printed}");
    }
}

#[test]
fn keys_that_only_flags_can_set_are_ignored_in_the_file_and_the_environment() {
    let text =
        "secrets.key_file = '/nowhere/key'\n[database]\nreplica_url = 'postgres://db/chat'\nnext = 1\n";
    let (_folder, path) = file(text);
    let flag = Flag { key: "database.url", name: "--database-url", value: "sqlite:///flag.db".to_owned() };
    let mut sources = Sources {
        file: Some(path),
        flags: vec![flag],
        unused: &["database.", "secrets.key"],
        ..env(&[
            ("DATABASE_URL", "nonsense"),
            ("SECRETS_KEY", "nonsense"),
            ("ENVIRONMENT", "dev"),
            ("MAKER_NAME", "x"),
        ])
    };
    // an unknown name in `database`, and an invalid value of a key outside `unused`, are still errors
    let found = errors(&sources);
    assert!(found.len() == 2 && found[0].contains("database.next"), "{found:?}");
    assert!(found[1].contains("maker_name"), "{found:?}");
    sources.env.pop();
    sources.file = None;
    let config = Loaded::read(&sources).unwrap().config;
    assert!(matches!(&config.database.url, DatabaseUrlSetting::Sqlite(file) if file.ends_with("flag.db")));
    assert!(config.secrets.key.is_none());
}

#[test]
fn the_file_may_be_named_by_the_environment_and_must_exist() {
    let (_folder, path) = file("environment = 'sandbox'");
    let loaded = Loaded::read(&env(&[("CONFIG", path.to_str().unwrap())])).unwrap();
    assert_eq!(loaded.config.environment, Environment::Sandbox);
    assert_rejected(&[("CONFIG", "/nowhere/x.toml")], &["/nowhere/x.toml", "cannot be read"]);
}

#[test]
fn the_printed_configuration_can_be_read_back() {
    let sources = env(&[
        ("ENVIRONMENT", "dev"),
        ("LISTEN", "localhost:0"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.1"),
        ("ALLOW_PRIVATE_HOSTS", "127.0.0.1:9000,[::1]:9001"),
        ("TEST_CLOCK", "1"),
        ("NODE", "7"),
    ]);
    let loaded = Loaded::read(&sources).unwrap();
    assert_eq!(loaded.config.trusted_proxies.len(), 2);
    let (_folder, path) = file(&loaded.print(|_| None));
    let again = Loaded::read(&Sources { file: Some(path), ..Sources::default() }).unwrap();
    let values = |text: String| -> Vec<String> {
        text.lines().map(|line| line.split(" # ").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(values(loaded.print(|_| None)), values(again.print(|_| None)));
}

#[test]
fn unknown_names_are_rejected_with_a_suggestion() {
    assert_rejected(
        &[("ENVIRONMENT", "dev"), ("LISTNE", "x")],
        &["SWITCHBOARD_LISTNE", "the environment", "did you mean SWITCHBOARD_LISTEN?"],
    );
    let (_folder, path) = file("environment = 'dev'\n[database]\nurll = 'x'\n[nonsense.deep]\nkey = 1\n");
    let found = errors(&Sources { file: Some(path), ..Sources::default() });
    assert_eq!(found.len(), 2);
    assert!(
        found[0].contains("database.urll") && found[0].contains("did you mean database.url?"),
        "{found:?}"
    );
    assert!(found[1].contains("nonsense.deep.key"), "{found:?}");
}

#[test]
fn foreign_and_empty_variables_are_ignored() {
    let mut sources = env(&[("ENVIRONMENT", "dev"), ("OPERATOR_KEY", "svc_op_x"), ("MCP_URL", "")]);
    sources.env.push(("PATH".to_owned(), "/bin".to_owned()));
    sources.foreign_env = &["SWITCHBOARD_OPERATOR_KEY"];
    assert!(Loaded::read(&sources).unwrap().config.mcp_url.is_none());
    sources.foreign_env = &[];
    assert!(errors(&sources)[0].contains("did you mean SWITCHBOARD_OPERATOR_KEY_SHA256?"));
}

/// A valid value of `secrets.key`.
const KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

#[test]
fn encryption_keys_are_read_from_files_and_hidden() {
    let other = KEY.to_uppercase();
    let ((_one, key), (_two, old)) = (file(&format!("{KEY}\n")), file(&format!("{other}\n{KEY}\n")));
    let sources = env(&[
        ("ENVIRONMENT", "dev"),
        ("SECRETS_KEY_FILE", key.to_str().unwrap()),
        ("SECRETS_OLD_KEYS_FILE", old.to_str().unwrap()),
    ]);
    let loaded = Loaded::read(&sources).unwrap();
    let secrets = &loaded.config.secrets;
    assert_eq!((secrets.key.as_ref().unwrap().expose(), secrets.old_keys.len()), (KEY.to_owned(), 2));
    let printed = loaded.print(|_| None);
    assert!(!printed.to_lowercase().contains(&KEY[..16]), "{printed}");
    assert!(printed.contains("# key is hidden") && printed.contains("# old_keys is hidden"), "{printed}");
    let printed = Loaded::read(&env(&[("ENVIRONMENT", "dev")])).unwrap().print(|_| None);
    assert!(printed.contains("# key is not set") && printed.contains("# old_keys is not set"), "{printed}");
}

#[test]
fn leading_zeros_of_the_port_of_an_exempt_host_are_removed() {
    let sources = env(&[("ENVIRONMENT", "dev"), ("ALLOW_PRIVATE_HOSTS", "127.0.0.1:09000")]);
    let loaded = Loaded::read(&sources).unwrap();
    assert_eq!(loaded.config.allow_private_hosts[0].to_string(), "127.0.0.1:9000");
}

#[test]
fn errors_name_key_source_and_valid_values() {
    let cases: &[(&str, &str, &str)] = &[
        ("LISTEN", "8080", "an address and a port"),
        ("BASE_URL", "https://example.com/", "slash at the end"),
        ("BASE_URL", "ftp://example.com", "http:// or https://"),
        ("BASE_URL", "https://Example.com", "lower-case host"),
        ("BASE_URL", "https://u:p@example.com", "not \"(hidden)\""),
        ("ENVIRONMENT", "prod", "production, sandbox, dev"),
        ("SERVICE_NAME", "Service", "at least four letters"),
        ("MAKER_NAME", "Al", "at least four letters"),
        ("EDITOR_SCHEMES", "vscode,javascript", "private-use scheme"),
        ("TRUSTED_PROXIES", "10.0.0.0/33", "a network"),
        ("ALLOW_PRIVATE_HOSTS", "localhost", "a host and a port"),
        ("TEST_CLOCK", "yes", "true, false, 1 or 0"),
        ("MAX_CONNECTIONS", "-1", "a whole number"),
        ("MAX_CONNECTIONS", "0", "at least 1"),
        ("LIMITS_SCALE", "0", "at least 1"),
        ("LIMITS_SHARED_WAIT_MS", "0", "1 to 30000"),
        ("LIMITS_SHARED_WAIT_MS", "30001", "1 to 30000"),
        ("NODE", "32", "one of the numbers in nodes (0-31)"),
        ("NODES", "0-32", "within 0-31"),
        ("NODES", "5-4", "within 0-31"),
        ("DATABASE_DIRECT_URL", "postgres://db/chat", "must both be postgres:// URLs"),
        ("DATABASE_POOLER_PREPARED_STATEMENTS", "true", "needs database.direct_url"),
        ("DATABASE_REPLICA_URL", "postgres://db/chat", "is for PostgreSQL standbys only"),
        ("DATABASE_REPLICA_MAX_CONNECTIONS", "1", "at least 2"),
        ("DATABASE_LOCK_TIMEOUT_SECONDS", "2147484", "at most 2147483"),
        ("DATABASE_STATEMENT_TIMEOUT_SECONDS", "2147484", "at most 2147483"),
        ("DATABASE_SCAN_TIMEOUT_SECONDS", "4294967295", "at most 2147483"),
        ("SECRETS_KEY", "a passphrase", "64 hexadecimal digits"),
        ("SECRETS_OLD_KEYS", "00,11", "64 hexadecimal digits"),
        ("SECRETS_OLD_KEYS", KEY, "needs secrets.key"),
        ("DATABASE_MAX_CLOCK_SKEW_SECONDS", "1", "at least 2"),
        ("LOG_LEVEL", "switchboard=trace", "error, warn"),
        ("DATABASE_URL", "sqlite://relative.db", "absolute path"),
        ("DATABASE_URL", "mysql://x", "postgres://"),
        ("OPERATOR_KEY_SHA256", "svc_op_secret", "SHA-256 of the key, not the key"),
        ("METRICS_LISTEN", "127.0.0.1:8080", "must differ from listen"),
    ];
    let mut keys = Vec::new();
    Config::keys(&mut keys);
    for (name, value, wanted) in cases {
        let mut pairs = vec![(*name, *value)];
        if *name != "ENVIRONMENT" {
            pairs.push(("ENVIRONMENT", "dev"));
        }
        let variable = format!("SWITCHBOARD_{name}");
        let key = keys.iter().find(|key| key.env() == variable).unwrap().path;
        assert_rejected(&pairs, &[&format!("{key} (from {variable}): "), wanted]);
    }
}

#[test]
fn a_database_may_have_several_hosts_and_a_direct_url() {
    let config = Loaded::read(&env(&[
        ("ENVIRONMENT", "dev"),
        ("DATABASE_URL", "postgres://bot:hunter2@pool:6432/chat"),
        ("DATABASE_DIRECT_URL", "postgres://bot:hunter2@a:5432,b:5433/chat?target_session_attrs=read-write"),
        ("DATABASE_POOLER_PREPARED_STATEMENTS", "true"),
        ("NODES", "8-15"),
        ("NODE", "9"),
    ]));
    let config = config.unwrap().config;
    assert!(matches!(config.database.direct_url, Some(DatabaseUrlSetting::Postgres(_))));
    assert!(!format!("{config:?}").contains("hunter2"));
    assert_eq!(config.nodes, NodeRange(8..=15));
    assert_rejected(
        &[("ENVIRONMENT", "dev"), ("NODES", "8-15"), ("NODE", "7")],
        &["node", "must be one of the numbers in nodes (8-15)"],
    );
}

#[test]
fn production_rejects_test_settings() {
    let production = [("BASE_URL", "https://chat.example.com")];
    assert!(Loaded::read(&env(&production)).is_ok());
    let with = |more: (&'static str, &'static str)| [production[0], more];
    assert_rejected(&[], &["base_url (from the default)", "https:// in production"]);
    assert_rejected(&with(("MCP_URL", "http://mcp.example.com")), &["mcp_url"]);
    let path = "https://chat.example.com/chat";
    assert_rejected(&with(("MCP_URL", path)), &["mcp_url (", "scheme, host and port only"]);
    assert_rejected(&[("BASE_URL", path)], &["base_url (", "set mcp_url"]);
    assert_rejected(&with(("TEST_CLOCK", "1")), &["test_clock", "not for production"]);
    assert_rejected(&with(("ALLOW_PRIVATE_HOSTS", "127.0.0.1:1")), &["allow_private_hosts", "dev only"]);
    assert_rejected(&with(("FILES_S3_ALLOW_HTTP", "true")), &["files.s3.allow_http"]);
    assert_rejected(&[("ENVIRONMENT", "sandbox"), ("ALLOW_PRIVATE_HOSTS", "127.0.0.1:1")], &["dev only"]);
    assert!(Loaded::read(&env(&[("ENVIRONMENT", "sandbox"), ("TEST_CLOCK", "true")])).is_ok());
}

#[test]
fn a_bucket_needs_its_keys_and_its_keys_need_a_bucket() {
    let dev = ("ENVIRONMENT", "dev");
    assert_eq!(errors(&env(&[dev, ("FILES_S3_BUCKET", "b")])).len(), 2);
    assert_rejected(&[dev, ("FILES_S3_ACCESS_KEY_ID", "x")], &["files.s3.bucket"]);
    let whole = [
        dev,
        ("FILES_S3_BUCKET", "b"),
        ("FILES_S3_ACCESS_KEY_ID", "id"),
        ("FILES_S3_SECRET_ACCESS_KEY", "secret"),
        ("FILES_S3_ENDPOINT", "http://127.0.0.1:9000"),
    ];
    assert_rejected(&whole, &["files.s3.endpoint", "allow_http"]);
    let allowed = [&whole[..], &[("FILES_S3_ALLOW_HTTP", "1")]].concat();
    let config = Loaded::read(&env(&allowed)).unwrap().config;
    assert!(
        matches!(config.files.location(), BlobLocation::S3(bucket) if bucket.name == "b" && bucket.allow_http)
    );
    assert!(matches!(Config::default().files.location(), BlobLocation::Disk(_)));
}

#[test]
fn files_are_beside_a_sqlite_database_unless_their_folder_is_set() {
    let dev = ("ENVIRONMENT", "dev");
    let dir = |pairs: &[(&str, &str)]| Loaded::read(&env(pairs)).unwrap().config.files.dir;
    let default = Config::default().files.dir;
    assert_eq!(dir(&[dev]), default);
    let DatabaseUrlSetting::Sqlite(database) = DatabaseUrlSetting::default() else {
        panic!("the default is SQLite")
    };
    assert_eq!(default, database.with_file_name("files"), "by default, files are beside the database");
    let elsewhere = ("DATABASE_URL", "sqlite:///srv/chat/a.db");
    assert_eq!(dir(&[dev, elsewhere]), PathBuf::from("/srv/chat/files"));
    assert_eq!(dir(&[dev, ("DATABASE_URL", "sqlite:///a.db")]), PathBuf::from("/files"));
    assert_eq!(dir(&[dev, elsewhere, ("FILES_DIR", "/srv/files")]), PathBuf::from("/srv/files"));
    // a `files.dir` that is explicitly set to its default stays unchanged
    assert_eq!(dir(&[dev, elsewhere, ("FILES_DIR", default.to_str().unwrap())]), default);
    assert_eq!(dir(&[dev, ("DATABASE_URL", "postgres://db/chat")]), default);
    // `config print` shows the folder that is used
    let printed = Loaded::read(&env(&[dev, elsewhere])).unwrap().print(|_| None);
    assert!(printed.contains("dir = \"/srv/chat/files\" # beside the database\n"), "{printed}");
    let printed = Loaded::read(&env(&[dev])).unwrap().print(|_| None);
    assert!(printed.contains(&format!("dir = \"{}\" # the default\n", default.display())), "{printed}");
}

#[test]
fn secrets_may_come_from_files_and_are_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("database");
    std::fs::write(&secret, "postgres://bot:hunter2@db/chat\n").unwrap();
    let secret = secret.to_str().unwrap();
    let sources =
        env(&[("ENVIRONMENT", "dev"), ("DATABASE_URL_FILE", secret), ("OPERATOR_KEY_SHA256", KEY_HASH)]);
    let loaded = Loaded::read(&sources).unwrap();
    assert_eq!(
        loaded.config.database.url,
        DatabaseUrlSetting::Postgres(Secret::new("postgres://bot:hunter2@db/chat"))
    );
    let shown = format!("{}{loaded:?}", loaded.print(|_| None));
    assert!(!shown.contains("hunter2") && !shown.contains(KEY_HASH), "{shown}");
    assert!(
        shown.contains(&format!("# url is hidden # SWITCHBOARD_DATABASE_URL_FILE, file {secret}")),
        "{shown}"
    );

    let (_folder, path) = file(&format!("environment = 'dev'\ndatabase.url_file = '{secret}'\n"));
    let from_toml = Loaded::read(&Sources { file: Some(path), ..Sources::default() }).unwrap();
    assert_eq!(from_toml.config.database.url, loaded.config.database.url);

    let dev = ("ENVIRONMENT", "dev");
    assert_rejected(
        &[dev, ("DATABASE_URL", "sqlite:///a.db"), ("DATABASE_URL_FILE", secret)],
        &[&format!("database.url (from SWITCHBOARD_DATABASE_URL_FILE, file {secret}): is given twice")],
    );
    assert_rejected(
        &[dev, ("DATABASE_URL_FILE", "/nowhere/x")],
        &["database.url", "/nowhere/x", "cannot be read"],
    );
    let large = folder.path().join("large");
    let text = format!("postgres://bot@db/chat?{}", "é".repeat(40_000));
    std::fs::write(&large, text).unwrap();
    let large = large.to_str().unwrap();
    assert_rejected(&[dev, ("DATABASE_URL_FILE", large)], &["database.url", large, "larger than 64 KiB"]);
    assert_rejected(&[dev, ("LISTEN_FILE", secret)], &["SWITCHBOARD_LISTEN_FILE", "not a known name"]);
}

#[test]
fn a_syntax_error_is_reported_by_line_without_its_content() {
    let (_folder, path) = file("environment = 'dev'\nsecret_thing = 'hunter2\n");
    let found = errors(&Sources { file: Some(path), ..Sources::default() });
    assert!(found[0].contains("line 2") && !found[0].contains("hunter2"), "{found:?}");
}
