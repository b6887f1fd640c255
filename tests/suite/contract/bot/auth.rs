//! Contract tests of `testAuth`.

use super::*;
use crate::support::*;

#[both_engines]
async fn test_auth(server: Server) {
    let company = server.company().await;
    let installed = company.bot_with(&server, &["users:read", "files:read"]).await;
    let bot = Client::of(&installed.api);
    let found = succeeds!(200, bot.test_auth());
    assert_eq!((&found.bot.id, &found.app_id), (&installed.user_id, &installed.app.id));
    assert_eq!((&found.workspace.id, found.workspace.domain.as_deref()), (&company.id, Some("example.com")));
    let mut scopes = found.scopes.clone();
    scopes.sort();
    assert_eq!(scopes, ["files:read", "users:read"]);
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_bots(server).await;
    refuses_callers!(callers, test_auth());
}
