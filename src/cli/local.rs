//! Commands that need no server: `openapi print`, `operator-key new`, `completions`.

use clap::{Args, Subcommand, ValueEnum};
use clap_complete::Shell;
use serde_json::json;

use super::{
    answer::Answer,
    failure::{Failure, Result},
};
use crate::{
    app::documents,
    contract::PublishedDocument,
    domain::token::{self, TokenKind},
    platform::{
        rng::Rng,
        secrets::{hex, sha256},
    },
};

/// The API descriptions.
#[derive(Clone, Debug, Subcommand)]
pub enum OpenapiCommand {
    /// Print an API description: the YAML source, or with --json the JSON
    ///
    /// The source is OpenAPI 3.0.3. The OpenAPI 3.1 document is converted from it, and always printed as JSON. A server
    /// serves the same JSON with its own address in `servers`.
    #[command(after_help = "Examples:
  switchboard openapi print bot > bot.yaml
  switchboard openapi print bot --version 3.1 > bot-3.1.json
  switchboard openapi print admin --json | jq '.paths | keys'")]
    Print {
        /// Which API
        #[arg(value_enum)]
        document: ApiDocument,
        /// Which version of OpenAPI
        // `version` is the id of the flag that clap itself adds, so this argument needs another id
        #[arg(
            id = "openapi_version",
            long = "version",
            value_name = "VERSION",
            value_enum,
            default_value = "3.0"
        )]
        version: OpenApiVersion,
    },
}

/// An API description.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ApiDocument {
    /// The bot API.
    Bot,
    /// The assistant API.
    Assistant,
    /// The admin API, which this command line uses.
    Admin,
}

/// A version of the OpenAPI specification.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum OpenApiVersion {
    /// 3.0.3, the source.
    #[value(name = "3.0")]
    V3_0,
    /// 3.1.1, which has `webhooks`.
    #[value(name = "3.1")]
    V3_1,
}

impl ApiDocument {
    /// Returns the hand-written YAML file and the document that the routes publish.
    fn texts(self) -> (&'static str, PublishedDocument) {
        match self {
            Self::Bot => (include_str!("../../openapi/bot.yaml"), documents::bot()),
            Self::Assistant => (include_str!("../../openapi/assistant.yaml"), documents::assistant()),
            Self::Admin => (include_str!("../../openapi/admin.yaml"), documents::admin()),
        }
    }
}

impl OpenapiCommand {
    /// Returns the document.
    ///
    /// # Errors
    /// None in practice, because the document is part of the binary.
    pub fn run(self) -> Result<Answer> {
        let Self::Print { document, version } = self;
        let (yaml, json) = document.texts();
        Ok(match version {
            OpenApiVersion::V3_0 => Answer::new(json.value(), yaml),
            OpenApiVersion::V3_1 => {
                let json = json.to_3_1();
                Answer::new(json.value(), json.text())
            }
        })
    }
}

/// The operator key of a server.
#[derive(Clone, Debug, Subcommand)]
pub enum OperatorKeyCommand {
    /// Make an operator key: prints it with the hash to configure; it cannot be shown again
    #[command(after_help = "Examples:\n  switchboard operator-key new")]
    New,
}

impl OperatorKeyCommand {
    /// Returns a new key.
    #[must_use]
    pub fn run(self) -> Answer {
        let Self::New = self;
        let (key, hash) = new_operator_key(&Rng::os());
        let text = format!(
            "The operator key, which cannot be shown again; keep it in a safe place:\n{key}\n\n\
             Setting of the server:\nSWITCHBOARD_OPERATOR_KEY_SHA256={hash}"
        );
        Answer::new(json!({"operator_key": key, "operator_key_sha256": hash}), text)
    }
}

/// Returns a new operator key and the hexadecimal SHA-256 of its text.
#[must_use]
pub fn new_operator_key(rng: &Rng) -> (String, String) {
    let key = token::mint(TokenKind::Operator, &rng.bytes());
    let hash = hash_operator_key(&key);
    (key, hash)
}

/// Returns the hexadecimal SHA-256 of an operator key's text: the value of the setting `operator_key_sha256`.
#[must_use]
pub fn hash_operator_key(key: &str) -> String {
    hex(&sha256(key))
}

/// Print the completion script of a shell
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard completions bash > /etc/bash_completion.d/switchboard
  switchboard completions zsh > ~/.zfunc/_switchboard")]
pub struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    /// Returns the completion script for `command`.
    ///
    /// # Errors
    /// None in practice, because the script is UTF-8.
    pub fn run(self, mut command: clap::Command) -> Result<Answer> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "switchboard", &mut script);
        let script = String::from_utf8(script).map_err(|error| Failure::Local(error.to_string()))?;
        Ok(Answer::new(json!({"script": script}), script))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_key_matches_its_hash() {
        let (key, hash) = new_operator_key(&Rng::seeded(1));
        assert_eq!(token::parse(&key), Some(TokenKind::Operator));
        assert_eq!(hash, hex(&token::hash(&key)));
        assert_ne!(new_operator_key(&Rng::os()).0, key);
    }

    #[test]
    fn each_api_description_is_printed_in_the_requested_version() {
        for document in [ApiDocument::Bot, ApiDocument::Assistant, ApiDocument::Admin] {
            for (version, expected) in [(OpenApiVersion::V3_0, "3.0.3"), (OpenApiVersion::V3_1, "3.1.1")] {
                let answer = OpenapiCommand::Print { document, version }.run().unwrap();
                assert_eq!(answer.document()["openapi"], expected);
            }
        }
    }
}
