//! Checks the errors that depend only on the caller. The operations of a document have these errors in common.

use progenitor_client::Error;
use switchboard::domain::token::{self, TokenKind};

use super::{
    clients::{Typed, admin, bot},
    documents::{self, Operation, Outcome},
    outcome,
};
use crate::support::{Api, Server, fresh_key};

type Choose<C> = Box<dyn Fn(&Operation, &str) -> C>;

/// Callers whom the operations of a document reject, each for a different reason. The server has the rate limits of
/// production.
pub struct Callers<C> {
    server: Server,
    /// The table that authentication reads; renaming it causes `internal_error`.
    table: &'static str,
    /// Returns the client of a caller whom the operation rejects with this code.
    choose: Choose<C>,
}

impl Callers<bot::Client> {
    /// Callers of the bot API. One has no token; the tokens of the others are unknown, revoked, without scopes, or
    /// valid. To check `rate_limited`, a test uses up the operation's rate limit for the installation with the valid
    /// token.
    pub async fn of_bots(server: Server) -> Self {
        let server = server.restarted_with(|config| config.limits.scale = 1).await;
        let company = server.company().await;
        let [good, revoked] = [company.bot(&server).await, company.bot(&server).await];
        let weak = company.bot_with(&server, &[]).await;
        company.uninstall(&revoked).await;
        let nobody = server.api();
        let choose = move |_: &Operation, code: &str| match code {
            "not_authed" => bot::Client::of(&nobody),
            "invalid_auth" | "internal_error" => bot::Client::of(&unknown(&nobody, TokenKind::BotTest)),
            "token_revoked" => bot::Client::of(&revoked.api),
            "missing_scope" => bot::Client::of(&weak.api),
            _ => bot::Client::of(&good.api),
        };
        Self { server, table: "bot_tokens", choose: Box::new(choose) }
    }
}

impl Callers<admin::Client> {
    /// Callers of the admin API. One has no credential, and one has an unknown session. For `forbidden`, a person who
    /// is not an admin calls the operations that accept the operator, and the operator calls the operations that do not
    /// accept the operator. The operator and an admin have used up their rate limits.
    pub async fn of_admins(server: Server) -> Self {
        let server = server.restarted_with(|config| config.limits.scale = 1).await;
        let company = server.company().await;
        let person = server.employee_of(&company).await.session(&server).await;
        let admin = server.employee_of(&company).await;
        company.update_user(&admin.id, serde_json::json!({"is_admin": true})).await;
        let admin = admin.session(&server).await;
        let (nobody, operator) = (server.api(), server.operator());
        for caller in [&operator, &admin] {
            exhaust(caller).await;
        }
        let choose = move |operation: &Operation, code: &str| {
            let takes_operator = operation.credentials.iter().any(|kind| kind == "operator");
            let caller = match code {
                "not_authed" => nobody.clone(),
                "invalid_auth" | "internal_error" => unknown(&nobody, TokenKind::Session),
                "forbidden" if takes_operator => person.clone(),
                "rate_limited" if !takes_operator => admin.clone(),
                _ => operator.clone(),
            };
            admin::Client::of(&caller)
        };
        Self { server, table: "sessions", choose: Box::new(choose) }
    }
}

impl<C: Typed> Callers<C> {
    /// For each error that depends only on the caller, makes the call as a caller who gets the error, and asserts the
    /// error. See `refuses_callers!`.
    pub async fn assert_refused(
        &self,
        function: &str,
        call: impl AsyncFn(&C) -> Result<(), Error<C::Error>>,
    ) {
        let operation = documents::operation(C::DOCUMENT, function);
        let outcomes = operation.of_callers(C::DOCUMENT);
        assert!(!outcomes.is_empty(), "{function} has errors that depend on its caller");
        for Outcome { status, code } in outcomes {
            let code = code.expect("an error has a code");
            let client = (self.choose)(operation, &code);
            let answer = match code.as_str() {
                "rate_limited" => until_limited(&client, &call).await,
                "internal_error" => {
                    let table = self.table;
                    self.server
                        .database
                        .execute(&format!("ALTER TABLE {table} RENAME TO {table}_away"))
                        .await;
                    let answer = call(&client).await;
                    self.server
                        .database
                        .execute(&format!("ALTER TABLE {table}_away RENAME TO {table}"))
                        .await;
                    answer
                }
                _ => call(&client).await,
            };
            outcome::refused(&client, function, status, &code, answer);
        }
    }
}

/// Repeats a call until the rate limit rejects it.
async fn until_limited<C: Typed>(
    client: &C,
    call: &impl AsyncFn(&C) -> Result<(), Error<C::Error>>,
) -> Result<(), Error<C::Error>> {
    let mut answer = call(client).await;
    for _ in 0..outcome::MANY {
        if outcome::status(&answer) == Some(429) {
            break;
        }
        answer = call(client).await;
    }
    answer
}

/// Makes requests to the admin API until the caller's rate limit rejects a request. All operations except
/// `createSession` share this limit.
async fn exhaust(caller: &Api) {
    for _ in 0..outcome::MANY {
        if caller.get("/admin/v1/users/nobody").send().await.status == 429 {
            return;
        }
    }
    panic!("the rate limit of the admin API rejected none of {} requests", outcome::MANY);
}

/// Returns a caller with a well-formed token that was never issued.
fn unknown(api: &Api, kind: TokenKind) -> Api {
    api.bearer(&token::mint(kind, &token::hash(&fresh_key())))
}
