//! Finds the sandbox of `switchboard dev` below the current folder. Other commands use this sandbox by default. The
//! module reads the file that [`dev::folder`](super::dev::folder) writes.

use std::{fs, path::Path};

use serde_json::Value;

use crate::platform::secrets::Secret;

/// The default folder of `switchboard dev`, in which the other commands look for a sandbox.
pub const FOLDER: &str = "switchboard-dev";
/// The file in a sandbox's folder that contains the ids and secrets of the sandbox.
pub const DEMO: &str = "demo.json";

/// Returns the local URL and the operator key of the sandbox in the folder [`FOLDER`] of the current folder; `None` if
/// there is no sandbox.
#[must_use]
pub fn operator_key_here() -> Option<(String, Secret)> {
    operator_key_in(Path::new(FOLDER))
}

pub(in crate::cli) fn operator_key_in(dir: &Path) -> Option<(String, Secret)> {
    let demo = demo_in(dir)?;
    Some((local_url(&demo)?, Secret::new(demo["operator_key"].as_str()?)))
}

/// Returns the URL of the assistant server of the sandbox in the folder [`FOLDER`] of the current folder; `None` if
/// there is no sandbox.
#[must_use]
pub fn mcp_url_here() -> Option<String> {
    mcp_url_in(Path::new(FOLDER))
}

pub(in crate::cli) fn mcp_url_in(dir: &Path) -> Option<String> {
    mcp_url(&demo_in(dir)?)
}

/// Returns the assistant server's URL, and the password that all demo people have, from the sandbox in the folder
/// [`FOLDER`] of the current folder; `None` if there is no sandbox.
#[must_use]
pub fn password_here() -> Option<(String, Secret)> {
    let demo = demo_in(Path::new(FOLDER))?;
    Some((mcp_url(&demo)?, Secret::new(demo["password"].as_str()?)))
}

/// Returns the URL of a sandbox's assistant server. If an earlier version wrote the file, the file has no such URL, and
/// this function returns the base URL.
fn mcp_url(demo: &Value) -> Option<String> {
    demo["mcp_url"].as_str().or(demo["base_url"].as_str()).map(str::to_owned)
}

/// Returns the URL at which commands on this machine call a sandbox. If an earlier version wrote the file, the file has
/// no such URL, and this function returns the base URL.
fn local_url(demo: &Value) -> Option<String> {
    demo["local_url"].as_str().or(demo["base_url"].as_str()).map(str::to_owned)
}

/// The app that is installed in a sandbox's demo company.
#[derive(Clone, Debug)]
pub struct SandboxApp {
    /// Local URL of the sandbox, without a trailing slash.
    pub sandbox: String,
    /// `app_...`
    pub id: String,
    /// The callback URL that the app had when the sandbox was created.
    pub callback_url: String,
    /// The signing secret that the app had when the sandbox was created. A rotation replaces the app's secret, but not
    /// this value.
    pub signing_secret: Secret,
}

/// Returns the app of the sandbox in the folder [`FOLDER`] of the current folder; `None` if there is no sandbox, or if
/// the app has no callback URL.
#[must_use]
pub fn app_here() -> Option<SandboxApp> {
    app_in(Path::new(FOLDER))
}

pub(in crate::cli) fn app_in(dir: &Path) -> Option<SandboxApp> {
    let demo = demo_in(dir)?;
    let app = &demo["apps"]["installed"];
    Some(SandboxApp {
        sandbox: local_url(&demo)?,
        id: app["id"].as_str()?.to_owned(),
        callback_url: app["callback_url"].as_str()?.to_owned(),
        signing_secret: Secret::new(app["signing_secret"].as_str()?),
    })
}

fn demo_in(dir: &Path) -> Option<Value> {
    let text = fs::read_to_string(dir.join(DEMO)).ok()?;
    serde_json::from_str(&text).ok()
}
