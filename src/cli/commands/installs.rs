//! `switchboard install`: apps installed in a company (W-35 to W-37).

use clap::{Args, Subcommand};
use switchboard_clients::admin::types;

use crate::{
    cli::{
        answer::{Answer, value},
        client::{Server, accept},
        failure::Result,
        paging::{self, PageArgs},
        requests::{SCOPES, exchange},
        table::Column,
        values::one_of,
    },
    platform::secrets::Secret,
};

const COLUMNS: &[Column] = &[
    ("ID", "id"),
    ("APP", "app_id"),
    ("BOT", "bot_user_id"),
    ("STATE", "state"),
    ("REASON", "reason"),
    ("SCOPES", "scopes"),
    ("INSTALLED BY", "installed_by"),
    ("CREATED", "created_at"),
];

/// Apps installed in a company.
#[derive(Clone, Debug, Subcommand)]
pub enum InstallCommand {
    /// Approve an app for a company, as the install page does
    ///
    /// Prints the install code, which is valid for ten minutes. With --exchange, exchanges the code immediately and
    /// prints the bot token. The operator can name the approving admin with --as.
    #[command(after_help = "Examples:
  switchboard install approve cmp_38f3jpq800005 app_38f3scce000bq --as usr_38f3jtev4001a
  switchboard install approve cmp_38f3jpq800005 app_38f3scce000bq --exchange --client-secret svc_sec_... --scopes messages:write,users:read")]
    Approve(Box<Approve>),
    /// List the apps installed in a company, including disconnected ones
    #[command(after_help = "Examples:\n  switchboard install list cmp_38f3jpq800005")]
    List {
        /// Id of the company (cmp_...)
        workspace: String,
        /// Paging options.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Uninstall an app: the bot's tokens stop working immediately
    ///
    /// The operator must name an admin of the company with --as.
    #[command(
        after_help = "Examples:\n  switchboard install remove ins_38f3sjfv000cw --as usr_38f3jtev4001a"
    )]
    Remove {
        /// Id of the installation (ins_...)
        installation: String,
    },
}

/// The arguments of `switchboard install approve`.
#[derive(Args, Clone, Debug)]
pub struct Approve {
    /// Id of the company (cmp_...)
    workspace: String,
    /// Id of the app (app_...)
    app: types::InstallationCreateAppId,
    /// Scopes to grant, separated by commas; by default all scopes of the app
    #[arg(long, value_delimiter = ',', value_parser = one_of::<types::Scope>(SCOPES))]
    scopes: Option<Vec<types::Scope>>,
    /// One of the app's redirect URIs; if given, the exchange must repeat it
    #[arg(long, value_name = "URI")]
    redirect_uri: Option<types::InstallationCreateRedirectUri>,
    /// PKCE challenge with the method S256; the exchange then requires its verifier
    #[arg(long, value_name = "CHALLENGE", conflicts_with = "exchange")]
    code_challenge: Option<types::InstallationCreateCodeChallenge>,
    /// Exchange the code immediately, as the app, and print the bot token
    #[arg(long, requires = "client_secret")]
    exchange: bool,
    /// The app's client id, for --exchange; looked up by default
    #[arg(long, requires = "exchange", value_name = "ID")]
    client_id: Option<String>,
    /// The app's client secret, for --exchange
    #[arg(long, requires = "exchange", value_name = "SECRET")]
    client_secret: Option<Secret>,
}

impl InstallCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// - [`Failure::Usage`](crate::cli::failure::Failure::Usage) if the cursor of a list is malformed.
    /// - An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        match self {
            Self::Approve(approve) => approve.run(server).await,
            Self::List { workspace, page } => {
                let found = paging::all("installations", &page, async |cursor, limit| {
                    admin.list_installations(&workspace, Option::as_ref(&cursor), limit).await
                });
                Ok(Answer::list(found.await?, "installations", COLUMNS))
            }
            Self::Remove { installation } => {
                accept(admin.delete_installation(&installation, None)).await?;
                Ok(Answer::done(format!("{installation} is disconnected.")))
            }
        }
    }
}

impl Approve {
    async fn run(self, server: &Server) -> Result<Answer> {
        let redirect_uri = self.redirect_uri.as_ref().map(|uri| uri.to_string());
        let body = types::InstallationCreate {
            app_id: self.app,
            scopes: self.scopes,
            redirect_uri: self.redirect_uri,
            code_challenge: self.code_challenge,
        };
        let done = accept(server.admin().create_installation(&self.workspace, None, &body)).await?;
        let Some(secret) = self.client_secret.filter(|_| self.exchange) else {
            let text = format!("The code, valid for {} seconds:\n{}", done.expires_in, done.code);
            return Ok(Answer::new(&done, text));
        };
        let client_id = match self.client_id {
            Some(id) => id,
            None => accept(server.admin().get_app(&body.app_id)).await?.app.client_id,
        };
        let token = exchange(server, &client_id, &secret, &done.code, redirect_uri.as_deref()).await?;
        let text = format!(
            "Installed; the bot is {}. Its token, which cannot be shown again:\n{}",
            token.bot.id, token.access_token
        );
        let mut document = value(&token);
        document["ok"] = value(true);
        Ok(Answer::new(document, text))
    }
}
