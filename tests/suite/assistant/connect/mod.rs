//! Tests of `switchboard connect`. They run the command as a process, as a developer would, against Switchboard servers
//! and the servers in [`fake`].

mod errors;
mod fake;
mod oauth;
mod protocol_versions;

use std::{
    path::{Path, PathBuf},
    process::Output,
};

use serde_json::Value;

use crate::support::{assistant::*, *};

/// The working directory of the command, with a password file.
struct RunFolder {
    home: tempfile::TempDir,
}

impl RunFolder {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("password"), format!("{PASSWORD}\n")).unwrap();
        Self { home }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Runs the command. Waits for the command on a blocking thread, so that the server in this process can respond to
    /// the command.
    async fn run(&self, arguments: &[&str]) -> Output {
        let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
        let home = self.home.path().to_owned();
        let run = move || {
            std::process::Command::new(env!("CARGO_BIN_EXE_switchboard"))
                .arg("connect")
                .args(arguments)
                .current_dir(home)
                .env_clear()
                .output()
                .unwrap()
        };
        tokio::task::spawn_blocking(run).await.unwrap()
    }

    /// Runs the command with the e-mail address and the password of an employee, so that it signs in and approves the
    /// connection. Returns the command's output as JSON and its exit code.
    async fn connect(&self, server: &Server, who: &Employee, more: &[&str]) -> (Value, i32) {
        let mcp = format!("{}/mcp", server.base);
        let mut arguments =
            vec!["--json", "--mcp", &mcp, "--sign-in", &who.email, "--password-file", "password"];
        arguments.extend(more);
        read(&self.run(&arguments).await)
    }
}

#[track_caller]
fn read(output: &Output) -> (Value, i32) {
    let document = serde_json::from_slice(&output.stdout);
    (document.unwrap_or_else(|e| panic!("{e}: {}", output_text(output))), output.status.code().unwrap())
}

fn output_text(output: &Output) -> String {
    let [out, err] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    format!("{out}\n{err}")
}

/// Returns the names of the completed steps.
fn steps(document: &Value) -> Vec<&str> {
    document["steps"].as_array().unwrap().iter().map(|step| step["step"].as_str().unwrap()).collect()
}

fn step<'a>(document: &'a Value, name: &str) -> &'a Value {
    let found = document["steps"].as_array().unwrap().iter().find(|step| step["step"] == name);
    found.unwrap_or_else(|| panic!("no step {name}: {document:#}"))
}

fn saved_connection(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}
