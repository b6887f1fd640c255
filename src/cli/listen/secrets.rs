//! Sources of signing secrets for `listen` and `events verify`.
//!
//! Secrets can come from arguments, files, the environment or a sandbox. Other users of the machine can read arguments.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{
    cli::{
        failure::{Failure, Result},
        sandbox,
    },
    config::ClientEnv,
    domain::token::{self, TokenKind},
    platform::secrets::Secret,
};

/// The app's signing secrets: two during a rotation.
#[derive(Args, Clone, Debug, Default)]
pub struct SecretArgs {
    /// The app's signing secret (whsec_...); repeatable. Also `SWITCHBOARD_SIGNING_SECRET`, separated by
    /// commas
    ///
    /// Other users of this machine can read command lines: prefer the variable or --secret-file. If none of them
    /// gives a secret, the secret of the app in the sandbox of `switchboard dev` in the current folder is used.
    #[arg(long = "secret", value_name = "SECRET")]
    secrets: Vec<Secret>,
    /// A file with one signing secret per line; repeatable
    // an explicit id, because `files` could be an argument of a command that includes this struct
    #[arg(id = "secret_files", long = "secret-file", value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl SecretArgs {
    /// Returns the secrets of the first source that has any: the arguments and the files that they name, the
    /// environment, the sandbox in the current folder.
    ///
    /// # Errors
    /// - [`Failure::Local`] for a file that cannot be read or contains no secret.
    /// - [`Failure::Usage`] if a secret is empty, or if there is no secret.
    pub fn gather(&self, env: &ClientEnv) -> Result<Vec<Secret>> {
        self.resolve(env, || sandbox::app_here().map(|app| app.signing_secret))
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
                 app create` and `switchboard app rotate` print the secret; in a folder with the sandbox of \
                 `switchboard dev` none is needed)"
                    .to_owned(),
            ));
        }
        Ok(found)
    }
}

/// Returns an error text about the first malformed secret; `None` if all secrets are well-formed. The text does not
/// contain the secret.
#[must_use]
pub fn problem(secrets: &[Secret]) -> Option<String> {
    let index = secrets.iter().position(|secret| !is_well_formed(secret.expose()))?;
    let which =
        if secrets.len() == 1 { String::new() } else { format!(" {} of {}", index + 1, secrets.len()) };
    Some(format!(
        "the signing secret{which} is malformed: it must begin with {} followed by letters and digits; copy the whole \
         secret that `switchboard app create` or `switchboard app rotate` printed",
        TokenKind::SigningSecret.prefix()
    ))
}

/// Returns whether a text has the form of a signing secret. If the text is as long as the secrets that Switchboard
/// generates, its checksum must be valid too. Shorter and longer secrets are accepted without a checksum, because
/// developers can choose secrets for tests.
fn is_well_formed(text: &str) -> bool {
    let rest = text.strip_prefix(TokenKind::SigningSecret.prefix()).unwrap_or_default();
    let has_generated_length = text.len() == token::mint(TokenKind::SigningSecret, &[0; 32]).len();
    !rest.is_empty()
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && (!has_generated_length || token::parse(text) == Some(TokenKind::SigningSecret))
}

/// Reads the signing secrets of a file, one per line.
///
/// # Errors
/// [`Failure::Local`] for a file that cannot be read or contains no secret.
pub fn read_file(path: &Path) -> Result<Vec<Secret>> {
    let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
    let found: Vec<_> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Secret::new).collect();
    if found.is_empty() {
        return Err(Failure::Local(format!("{} contains no signing secret", path.display())));
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
    fn arguments_precede_the_environment_and_both_precede_a_sandbox() {
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
    fn errors_about_malformed_secrets_do_not_contain_the_secrets() {
        let real = token::mint(TokenKind::SigningSecret, &[7; 32]);
        let mistyped = format!("{}!", &real[..real.len() - 1]);
        let swapped = real.replace(&real[6..8], if &real[6..8] == "ab" { "ba" } else { "ab" });
        let problem_of =
            |texts: &[&str]| problem(&texts.iter().map(|text| Secret::new(*text)).collect::<Vec<_>>());
        assert_eq!(problem_of(&[&real, "whsec_own"]), None);
        for wrong in ["bad", "", "whsec_", "whsec_a b", "svc_sec_x", &mistyped, &swapped] {
            let reported = problem_of(&[&real, wrong]).expect(wrong);
            assert!(reported.contains("secret 2 of 2") && reported.contains("whsec_"), "{reported}");
            assert!(wrong.len() < 9 || !reported.contains(wrong), "{reported}");
        }
    }

    #[test]
    fn an_empty_file_and_an_empty_secret_are_rejected() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("secrets");
        fs::write(&file, "\n").unwrap();
        let empty = SecretArgs { secrets: Vec::new(), files: vec![file] };
        assert!(matches!(empty.resolve(&ClientEnv::default(), || None), Err(Failure::Local(_))));
        let blank = SecretArgs { secrets: vec![Secret::new("")], files: Vec::new() };
        assert!(matches!(blank.resolve(&ClientEnv::default(), || None), Err(Failure::Usage(_))));
    }
}
