//! Commands that get an invalid configuration or invalid arguments report the errors and exit with code 2.

use std::process::{Command, Output};

use serde_json::Value;

fn switchboard(arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(arguments)
        .env_clear()
        .envs(settings.iter().copied())
        .output()
        .unwrap()
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// Two valid settings, and three with errors.
const PARTLY_INVALID: [(&str, &str); 5] = [
    ("SWITCHBOARD_BASE_URL", "chat.example.com"),
    ("SWITCHBOARD_LISTN", "127.0.0.1:1"),
    ("SWITCHBOARD_LISTEN", "127.0.0.1:7001"),
    ("SWITCHBOARD_ENVIRONMENT", "sandbox"),
    ("SWITCHBOARD_OPERATOR_KEY_SHA256", "short"),
];

#[test]
fn an_invalid_configuration_is_printed_with_its_errors() {
    let output = switchboard(&["config", "print"], &PARTLY_INVALID);
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(2), "{out}{err}");
    for line in [
        "listen = \"127.0.0.1:7001\" # SWITCHBOARD_LISTEN",
        "environment = \"sandbox\" # SWITCHBOARD_ENVIRONMENT",
        "# base_url is invalid # SWITCHBOARD_BASE_URL",
        "# operator_key_sha256 is invalid # SWITCHBOARD_OPERATOR_KEY_SHA256",
        "drain_seconds = 25 # the default",
        "# the configuration cannot be used:",
    ] {
        assert!(out.lines().any(|found| found == line), "{line} is missing in\n{out}");
    }
    assert!(out.parse::<toml::Table>().is_ok(), "the output is valid TOML: {out}");
    for text in [&out, &err] {
        assert!(text.contains("base_url (from SWITCHBOARD_BASE_URL)"), "{text}");
        assert!(text.contains("did you mean SWITCHBOARD_LISTEN?"), "{text}");
        assert!(!text.contains("short"), "a secret is not shown: {text}");
    }
}

#[test]
fn errors_are_printed_as_json() {
    let output = switchboard(&["config", "print", "--json"], &PARTLY_INVALID);
    assert_eq!(output.status.code(), Some(2));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["listen"], "127.0.0.1:7001");
    assert!(document.get("base_url").is_none());
    let faults = document["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 3, "{faults:?}");
    let fault = faults.iter().find(|fault| fault["key"] == "base_url").expect("an error of base_url");
    assert_eq!(fault["source"], "SWITCHBOARD_BASE_URL");
    assert!(fault["problem"].is_string());
    // the test clock is rejected in production, which is the default environment
    let production =
        [("SWITCHBOARD_TEST_CLOCK", "true"), ("SWITCHBOARD_BASE_URL", "https://chat.example.com")];
    let output = switchboard(&["config", "print", "--json"], &production);
    assert_eq!(output.status.code(), Some(2));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&document["test_clock"], &document["faults"][0]["key"]),
        (&true.into(), &"test_clock".into())
    );
    // a valid configuration has no `faults`
    let output = switchboard(&["config", "print", "--json"], &production[1..]);
    assert_eq!(output.status.code(), Some(0));
    assert!(serde_json::from_slice::<Value>(&output.stdout).unwrap().get("faults").is_none());
}

#[test]
fn serve_rejects_configured_files_that_it_cannot_use() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("data.db").display());
    let files = folder.path().join("files").display().to_string();
    let no_certificate = folder.path().join("no-certificate.pem");
    std::fs::write(&no_certificate, "nothing").unwrap();
    let no_certificate = no_certificate.display().to_string();
    for (variable, value, words) in [
        ("SWITCHBOARD_EXTRA_CA_FILE", "/nonexist/ca.pem", "extra_ca_file: /nonexist/ca.pem: "),
        ("SWITCHBOARD_EXTRA_CA_FILE", no_certificate.as_str(), "extra_ca_file"),
        (
            "SWITCHBOARD_WELL_KNOWN_CLIENTS",
            "/nonexist/clients.toml",
            "well_known_clients: /nonexist/clients.toml",
        ),
    ] {
        let settings = [
            ("SWITCHBOARD_ENVIRONMENT", "sandbox"),
            ("SWITCHBOARD_LISTEN", "127.0.0.1:0"),
            ("SWITCHBOARD_DATABASE_URL", database.as_str()),
            ("SWITCHBOARD_FILES_DIR", files.as_str()),
            (variable, value),
        ];
        let output = switchboard(&["serve"], &settings);
        let (_, err) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(words), "{err}");
    }
}

#[test]
fn listen_rejects_malformed_secrets() {
    for wrong in ["bad", "whsec_", "svc_sec_abc"] {
        let output = switchboard(&["listen", "--listen", "127.0.0.1:0", "--http", "--secret", wrong], &[]);
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{out}{err}");
        assert!(err.contains("the signing secret is malformed: it must begin with whsec_"), "{err}");
    }
}

/// `config print` parses PostgreSQL URLs as `serve` does, and prints them without their secrets.
#[test]
fn config_print_parses_database_urls() {
    let settings = |url| {
        [
            ("SWITCHBOARD_ENVIRONMENT", "sandbox"),
            ("SWITCHBOARD_DATABASE_URL", "postgres://bot:hunter2@db.example/chat"),
            ("SWITCHBOARD_DATABASE_DIRECT_URL", url),
        ]
    };
    let output = switchboard(&["config", "print"], &settings("postgres://bot:hunter2@db.example:5433/chat"));
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    for line in [
        "# url without its secrets: postgres://db.example:5432/chat # SWITCHBOARD_DATABASE_URL",
        "# direct_url without its secrets: postgres://db.example:5433/chat # SWITCHBOARD_DATABASE_DIRECT_URL",
    ] {
        assert!(out.lines().any(|found| found == line), "{line} is missing in\n{out}");
    }
    assert!(!out.contains("hunter2"), "{out}");
    for wrong in
        ["postgres://bot:hunter2@db.example:port/chat", "postgres://bot:hunter2@db.example/chat?sslmode=no"]
    {
        for command in [&["config", "print"][..], &["serve"]] {
            let output = switchboard(command, &settings(wrong));
            let (out, err) = texts(&output);
            assert_eq!(output.status.code(), Some(2), "{command:?} {out}{err}");
            assert!(
                err.contains("database.direct_url (from SWITCHBOARD_DATABASE_DIRECT_URL): "),
                "{command:?} {err}"
            );
            assert!(!out.contains("hunter2") && !err.contains("hunter2"), "{out}{err}");
        }
        let output = switchboard(&["config", "print", "--json"], &settings(wrong));
        assert_eq!(output.status.code(), Some(2));
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["faults"][0]["key"], "database.direct_url");
    }
}

#[test]
fn config_print_parses_replica_urls() {
    let settings = |url| {
        [
            ("SWITCHBOARD_ENVIRONMENT", "sandbox"),
            ("SWITCHBOARD_DATABASE_URL", "postgres://bot:hunter2@db.example/chat"),
            ("SWITCHBOARD_DATABASE_REPLICA_URL", url),
        ]
    };
    let output = switchboard(&["config", "print"], &settings("postgres://bot:hunter2@copy.example/chat"));
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    let line = "# replica_url without its secrets: postgres://copy.example:5432/chat?target_session_attrs=standby \
                # SWITCHBOARD_DATABASE_REPLICA_URL";
    assert!(out.lines().any(|found| found == line), "{line} is missing in\n{out}");
    assert!(!out.contains("hunter2"), "{out}");
    for wrong in [
        "postgres://bot:hunter2@copy.example:port/chat",
        "postgres://bot:hunter2@copy.example/chat?target_session_attrs=primary",
        "sqlite:///hunter2.db",
    ] {
        for command in [&["config", "print"][..], &["serve"]] {
            let output = switchboard(command, &settings(wrong));
            let (out, err) = texts(&output);
            assert_eq!(output.status.code(), Some(2), "{command:?} {out}{err}");
            let named = "database.replica_url (from SWITCHBOARD_DATABASE_REPLICA_URL)";
            assert_eq!(err.matches(named).count(), 1, "{command:?} {err}");
            assert!(!out.contains("hunter2") && !err.contains("hunter2"), "{out}{err}");
        }
    }
}
