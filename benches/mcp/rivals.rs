//! The servers with which Switchboard is compared. Each has one tool, `whoami`, which returns `answer.json`. Unlike
//! Switchboard, they do not check the access token, and have no store, no rate limits and no audit.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::support::process::Process;

/// Name of the server in the folder `bare`: the HTTP server of rmcp, the Rust SDK of MCP, without additions.
pub const BARE: &str = "bare rmcp";
/// Name of the server in `fastmcp_server.py`, which uses the package `fastmcp` of PyPI.
pub const FASTMCP: &str = "FastMCP";

/// Builds the bare server and starts it.
pub fn bare() -> Process {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = target().join("bare");
    let built = Command::new(cargo)
        .args(["build", "--release", "--locked", "--quiet", "--manifest-path"])
        .arg(source().join("bare/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .status()
        .expect("cargo starts");
    assert!(built.success(), "the bare server of rmcp is built");
    Process::with_port(&mut Command::new(target.join("release/bare")))
        .expect("the bare server prints its port")
}

/// Installs FastMCP in cargo's target folder and starts it. If a step fails, prints the reason and returns `None`.
pub fn fastmcp() -> Option<Process> {
    let venv = target().join("fastmcp");
    let python = venv.join("bin/python");
    let has_python = Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has_python {
        return skipped("python3 is not installed");
    }
    if !succeeds(Command::new("python3").args(["-m", "venv"]).arg(&venv)) {
        return skipped("python3 cannot make a virtual environment (Debian: python3-venv)");
    }
    let requirements = source().join("requirements.txt");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    if !succeeds(Command::new(&python).args(pip).arg(requirements)) {
        return skipped("it cannot be installed from PyPI");
    }
    let mut command = Command::new(python);
    command.arg("-B").arg(source().join("fastmcp_server.py")).arg(source().join("answer.json"));
    Process::with_port(&mut command).or_else(|| skipped("it does not start"))
}

fn skipped(why: &str) -> Option<Process> {
    println!("{FASTMCP} is skipped: {why}.\n");
    None
}

fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/mcp")
}

fn target() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // a relative `CARGO_TARGET_DIR` is assumed to be relative to the package's folder, in which cargo starts benchmarks
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| OsString::from("target")))
}
