//! Contract tests of `exchangeToken` and `revokeToken`.

use serde_json::{Value, json};

use super::*;
use crate::support::*;

/// Returns a body with these members and an app's credentials.
fn of_app<T: serde::de::DeserializeOwned>(app: &App, members: Value) -> T {
    typed(with(members, json!({"client_id": app.client_id, "client_secret": app.client_secret})))
}

fn grant(app: &App, code: &str) -> types::TokenRequest {
    of_app(app, json!({"grant_type": "authorization_code", "code": code}))
}

#[both_engines]
async fn exchange_token(server: Server) {
    let (company, app) = (server.company().await, server.app(&ALL_SCOPES).await);
    let client: Client = server.typed();
    let code = company.install_code(&app, &["users:read"]).await;
    let made = succeeds!(200, client.exchange_token(&grant(&app, &code)));
    assert_eq!((made.token_type, made.scope.as_str()), (types::TokenType::Bearer, "users:read"));
    assert_eq!((&made.app_id, &made.workspace.id), (&app.id, &company.id));
    let bot = Client::of(&server.api().bearer(&made.access_token));
    assert_eq!(succeeds!(200, bot.list_users(None, None)).users[0].id, company.admin, "the token works");
    // the body may be a form
    let code = company.install_code(&app, &["users:read"]).await;
    let more = succeeds!(200, client.exchange_token_form(&grant(&app, &code)));
    assert_eq!(more.bot, made.bot, "the exchange of a second code returns the same bot user");
    assert_ne!(more.access_token, made.access_token);

    refused!(400, "invalid_grant", client.exchange_token(&grant(&app, &code)));
    refused!(400, "invalid_grant", client.exchange_token_form(&grant(&app, "unknown")));
    let other = of_app(&app, json!({"grant_type": "password"}));
    refused!(400, "unsupported_grant_type", client.exchange_token(&other));
    let without_code = of_app(&app, json!({"grant_type": "authorization_code"}));
    refused!(400, "invalid_request", client.exchange_token(&without_code));
    let wrong = App { client_secret: "wrong".to_owned(), ..app.clone() };
    refused!(401, "invalid_client", client.exchange_token(&grant(&wrong, &code)));
    let huge = grant(&app, &"x".repeat(1_048_577));
    refused!(413, "payload_too_large", client.exchange_token(&huge));
    fails!(500, "internal_error", client.exchange_token(&grant(&app, "unknown")), server, "install_codes");
}

#[both_engines]
async fn revoke_token(server: Server) {
    let company = server.company().await;
    let [one, other, third] =
        [company.bot(&server).await, company.bot(&server).await, company.bot(&server).await];
    let client: Client = server.typed();
    let revoke = |bot: &Bot| -> types::RevokeRequest { of_app(&bot.app, json!({"token": bot.token})) };
    succeeds!(200, client.revoke_token(&revoke(&one)));
    succeeds!(200, client.revoke_token_form(&revoke(&other)));
    for bot in [&one, &other] {
        let bot = Client::of(&bot.api);
        refused!(401, "token_revoked", bot.test_auth());
    }

    let nul = of_app(&one.app, json!({"token": "\0"}));
    refused!(400, "invalid_request", client.revoke_token(&nul));
    let wrong = App { client_secret: "wrong".to_owned(), ..third.app.clone() };
    refused!(401, "invalid_client", client.revoke_token(&of_app(&wrong, json!({"token": third.token}))));
    let huge = of_app(&third.app, json!({"token": "x".repeat(1_048_577)}));
    refused!(413, "payload_too_large", client.revoke_token(&huge));
    fails!(500, "internal_error", client.revoke_token(&revoke(&third)), server, "bot_tokens");
}

#[both_engines]
async fn limits(server: Server) {
    let server = server.restarted_with(|config| config.limits.scale = 1).await;
    let app = server.app(&ALL_SCOPES).await;
    let client: Client = server.typed();
    limited!(429, "rate_limited", client.exchange_token(&grant(&app, "unknown")));
    let revoke = of_app(&app, json!({"token": "unknown"}));
    limited!(429, "rate_limited", client.revoke_token(&revoke));
}
