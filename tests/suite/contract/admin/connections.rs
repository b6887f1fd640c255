//! Tests of the operations `listConnections` and `deleteConnection`.

use super::*;
use crate::support::*;

#[both_engines]
async fn list_connections(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let id = employee.company.id.as_str();
    employee.connect(&server, &client).await;
    let other = server.employee_of(&employee.company).await;
    other.connect(&server, &client).await;
    let operator = Client::of(&server.operator());
    let first = succeeds!(200, operator.list_connections(id, None, Some(typed(1)), None, None));
    let found = &first.connections[0];
    assert_eq!(
        (&found.user_id, &found.client_id),
        (&employee.id, &client.id),
        "the oldest connection is listed first"
    );
    assert_eq!((found.state, &found.reason), (types::ConnectionState::Active, &None));
    assert_eq!((found.client_kind.as_str(), &found.redirect_uri), ("registered", &client.redirect_uri));
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(200, operator.list_connections(id, Some(&cursor), None, None, None));
    assert_eq!((&second.connections[0].user_id, &second.next_cursor), (&other.id, &None));
    let state = Some(types::ConnectionState::Revoked);
    let revoked = succeeds!(200, operator.list_connections(id, None, None, state, None));
    assert_eq!(revoked.connections, []);
    let person = Client::of(&employee.session(&server).await);
    let own = succeeds!(200, person.list_connections(id, None, None, None, None));
    assert_eq!((own.connections.len(), &own.connections[0].user_id), (1, &employee.id));

    let theirs = typed(other.id.as_str());
    refused!(403, "forbidden", person.list_connections(id, None, None, None, Some(&theirs)));
    refused!(404, "not_found", operator.list_connections(NO_COMPANY, None, None, None, None));
    refused!(400, "invalid_request", operator.list_connections(id, None, None, None, Some(&typed("\0"))));
    let unknown = typed("unknown");
    refused!(400, "invalid_cursor", operator.list_connections(id, Some(&unknown), None, None, None));
    let token = typed("svc_bot_test_");
    refused!(400, "token_in_query", operator.list_connections(id, Some(&token), None, None, None));
}

#[both_engines]
async fn delete_connection(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let id = text(&employee.connections().await[0], "/id");
    let other = server.employee_of(&employee.company).await;
    let [person, other] =
        [Client::of(&employee.session(&server).await), Client::of(&other.session(&server).await)];
    refused!(403, "forbidden", other.delete_connection(&id));
    succeeds!(200, person.delete_connection(&id));
    server.assert_revoked(&client, &tokens).await;
    refused!(404, "not_found", person.delete_connection(NO_CONNECTION));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, list_connections(NO_COMPANY, None, None, None, None));
    refuses_callers!(callers, delete_connection(NO_CONNECTION));
}
