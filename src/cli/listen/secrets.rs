//! Where the signing secrets of receivers come from: `listen` and `events verify` take them alike.
//!
//! Never only from the command line: other users of a machine can read it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{
    cli::{
        dev::folder,
        failure::{Failure, Result},
    },
    config::ClientEnv,
    domain::token::{self, Kind},
    platform::secrets::Secret,
};

/// The app's signing secrets: two of them during a rotation.
#[derive(Args, Clone, Debug, Default)]
pub struct SecretArgs {
    /// The app's signing secret (whsec_...); once for each. Also `SWITCHBOARD_SIGNING_SECRET`, several with commas
    ///
    /// Other users of this machine can read command lines: prefer the variable or --secret-file. With none of the
    /// three, that of the app in the sandbox of `switchboard dev` in the current folder is taken.
    #[arg(long = "secret", value_name = "SECRET")]
    secrets: Vec<Secret>,
    /// A file with a signing secret on each line; once for each
    // a name of its own among the arguments of the commands that take it
    #[arg(id = "secret_files", long = "secret-file", value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl SecretArgs {
    /// At least one secret: those named here, else those of the environment, else the sandbox's.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is none, [`Failure::Local`] for a file that cannot be read.
    pub fn gather(&self, env: &ClientEnv) -> Result<Vec<Secret>> {
        self.resolve(env, || folder::sandbox_app_here().map(|app| app.signing_secret))
    }

    fn resolve(&self, env: &ClientEnv, sandbox: impl FnOnce() -> Option<Secret>) -> Result<Vec<Secret>> {
        let mut found = self.secrets.clone();
        for file in &self.files {
            found.extend(read_file(file)?);
        }
        if found.is_empty() {
            found.clone_from(&env.signing_secrets);
        }
        if found.is_empty() {
            found.extend(sandbox());
        }
        if found.iter().any(|secret| secret.expose().is_empty()) {
            return Err(Failure::Usage("a signing secret is empty".to_owned()));
        }
        if found.is_empty() {
            return Err(Failure::Usage(
                "no signing secret: give --secret-file or --secret, or set SWITCHBOARD_SIGNING_SECRET (`switchboard \
                 app create` and `switchboard app rotate` print it; with `switchboard dev` in this folder none is \
                 needed)"
                    .to_owned(),
            ));
        }
        Ok(found)
    }
}

/// What is wrong with secrets that no server can have given out; without the secret itself.
#[must_use]
pub fn fault(secrets: &[Secret]) -> Option<String> {
    let place = secrets.iter().position(|secret| !may_be_one(secret.expose()))?;
    let which =
        if secrets.len() == 1 { String::new() } else { format!(" {} of {}", place + 1, secrets.len()) };
    Some(format!(
        "the signing secret{which} is none: it begins {} and goes on with letters and digits, all as `switchboard app \
         create` and `switchboard app rotate` print it",
        Kind::SigningSecret.prefix()
    ))
}

/// Whether a text has the form of a signing secret. One that is as long as those of a server has its checksum; a shorter
/// or longer one is somebody's own, for a try.
fn may_be_one(text: &str) -> bool {
    let rest = text.strip_prefix(Kind::SigningSecret.prefix()).unwrap_or_default();
    let is_whole = text.len() == token::mint(Kind::SigningSecret, &[0; 32]).len();
    !rest.is_empty()
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && (!is_whole || token::parse(text) == Some(Kind::SigningSecret))
}

/// The signing secrets of a file, one a line.
///
/// # Errors
/// [`Failure::Local`] for a file that cannot be read, or holds none.
pub fn read_file(path: &Path) -> Result<Vec<Secret>> {
    let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
    let found: Vec<_> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Secret::new).collect();
    if found.is_empty() {
        return Err(Failure::Local(format!("{} holds no signing secret", path.display())));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(found: Result<Vec<Secret>>) -> Vec<String> {
        found.unwrap().iter().map(|secret| secret.expose().to_owned()).collect()
    }

    #[test]
    fn what_is_named_wins_over_the_environment_and_both_over_a_sandbox() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("secrets");
        fs::write(&file, "whsec_new\n\n  whsec_old \r\n").unwrap();
        let env = ClientEnv { signing_secrets: vec![Secret::new("whsec_env")], ..ClientEnv::default() };
        let sandbox = || Some(Secret::new("whsec_sandbox"));
        let named = SecretArgs { secrets: vec![Secret::new("whsec_flag")], files: vec![file] };
        assert_eq!(texts(named.resolve(&env, sandbox)), ["whsec_flag", "whsec_new", "whsec_old"]);
        let none = SecretArgs::default();
        assert_eq!(texts(none.resolve(&env, sandbox)), ["whsec_env"]);
        assert_eq!(texts(none.resolve(&ClientEnv::default(), sandbox)), ["whsec_sandbox"]);
        assert!(matches!(none.resolve(&ClientEnv::default(), || None), Err(Failure::Usage(_))));
    }

    #[test]
    fn what_cannot_be_a_secret_is_told_without_it() {
        let real = token::mint(Kind::SigningSecret, &[7; 32]);
        let mistyped = format!("{}!", &real[..real.len() - 1]);
        let swapped = real.replace(&real[6..8], if &real[6..8] == "ab" { "ba" } else { "ab" });
        let fault_of =
            |texts: &[&str]| fault(&texts.iter().map(|text| Secret::new(*text)).collect::<Vec<_>>());
        assert_eq!(fault_of(&[&real, "whsec_own"]), None);
        for wrong in ["bad", "", "whsec_", "whsec_a b", "svc_sec_x", &mistyped, &swapped] {
            let told = fault_of(&[&real, wrong]).expect(wrong);
            assert!(told.contains("secret 2 of 2") && told.contains("whsec_"), "{told}");
            assert!(wrong.len() < 9 || !told.contains(wrong), "{told}");
        }
    }

    #[test]
    fn an_empty_file_and_an_empty_secret_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("secrets");
        fs::write(&file, "\n").unwrap();
        let empty = SecretArgs { secrets: Vec::new(), files: vec![file] };
        assert!(matches!(empty.resolve(&ClientEnv::default(), || None), Err(Failure::Local(_))));
        let blank = SecretArgs { secrets: vec![Secret::new("")], files: Vec::new() };
        assert!(matches!(blank.resolve(&ClientEnv::default(), || None), Err(Failure::Usage(_))));
    }
}
