//! Tests of the operations `listClientBlocks`, `putClientBlock`, `deleteClientBlock` and `listAssistantClients`.

use super::*;
use crate::support::*;

#[both_engines]
async fn put_client_block(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let id = employee.company.id.as_str();
    let tokens = employee.connect(&server, &client).await;
    let key = text(&employee.connections().await[0], "/block_key");
    let operator = Client::of(&server.operator());
    let blocked = succeeds!(200, operator.put_client_block(id, &typed(key)));
    assert_eq!(blocked.revoked, 1, "the connections of the client are revoked");
    server.assert_revoked(&client, &tokens).await;
    refused!(404, "not_found", operator.put_client_block(NO_COMPANY, &typed("a.example")));
    refused!(400, "invalid_request", operator.put_client_block(id, &typed("a\0")));
}

#[both_engines]
async fn list_client_blocks(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (admin, id) = (fixture.admin, fixture.company.id.as_str());
    for key in ["one.example", "/a b"] {
        succeeds!(200, admin.put_client_block(id, &typed(key)));
    }
    let first = succeeds!(200, admin.list_client_blocks(id, None, Some(typed(1))));
    assert_eq!((first.client_blocks.len(), first.client_blocks[0].key.as_str()), (1, "one.example"));
    let cursor = typed(first.next_cursor.as_deref().expect("a page that is not the last has a cursor"));
    let second = succeeds!(200, admin.list_client_blocks(id, Some(&cursor), None));
    assert_eq!((second.client_blocks[0].key.as_str(), &second.next_cursor), ("/a b", &None));
    refused!(404, "not_found", admin.list_client_blocks(NO_COMPANY, None, None));
    refused!(400, "invalid_cursor", admin.list_client_blocks(id, Some(&typed("unknown")), None));
    refused!(400, "token_in_query", admin.list_client_blocks(id, Some(&typed("svc_bot_test_")), None));
}

#[both_engines]
async fn delete_client_block(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (admin, id) = (fixture.admin, fixture.company.id.as_str());
    succeeds!(200, admin.put_client_block(id, &typed("a.example")));
    succeeds!(200, admin.delete_client_block(id, &typed("a.example")));
    assert_eq!(succeeds!(200, admin.list_client_blocks(id, None, None)).client_blocks, []);
    refused!(404, "not_found", admin.delete_client_block(NO_COMPANY, &typed("a.example")));
    refused!(400, "invalid_request", admin.delete_client_block(id, &typed("a\0")));
}

#[both_engines]
async fn list_assistant_clients(server: Server) {
    let [one, other] = [server.client_named("One").await, server.client_named("Other").await];
    let operator = Client::of(&server.operator());
    let first = succeeds!(200, operator.list_assistant_clients(None, Some(typed(1))));
    let found = &first.assistant_clients[0];
    assert_eq!(
        (&found.client_id, found.display_name.as_str()),
        (&one.id, "One"),
        "the oldest client is listed first"
    );
    assert_eq!((found.kind.as_str(), &found.last_used_at), ("registered", &None));
    let cursor = typed(first.next_cursor.as_deref().expect("a page that is not the last has a cursor"));
    let second = succeeds!(200, operator.list_assistant_clients(Some(&cursor), None));
    assert_eq!((&second.assistant_clients[0].client_id, &second.next_cursor), (&other.id, &None));
    refused!(400, "invalid_cursor", operator.list_assistant_clients(Some(&typed("unknown")), None));
    refused!(400, "token_in_query", operator.list_assistant_clients(Some(&typed("svc_bot_test_")), None));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, list_client_blocks(NO_COMPANY, None, None));
    refuses_callers!(callers, put_client_block(NO_COMPANY, &typed("a.example")));
    refuses_callers!(callers, delete_client_block(NO_COMPANY, &typed("a.example")));
    refuses_callers!(callers, list_assistant_clients(None, None));
}
