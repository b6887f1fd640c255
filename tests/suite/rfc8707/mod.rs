//! Resource indicators.

use switchboard::domain::grant::Resource;

use crate::{
    on_both,
    support::{Server, assistant::*},
};

on_both! {
    async fn at_authorize(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let base = server.base.clone();
        let upper = base.replace("http://", "HTTP://");
        for (resource, expected) in [
            (String::new(), Resource::Full),
            (format!("{base}/mcp"), Resource::Full),
            (format!("{base}/mcp/readonly"), Resource::ReadOnly),
            (format!("{upper}/mcp"), Resource::Full), // D-259
        ] {
            let tokens = employee.connect_with(&server, &client, &[("resource", &resource)]).await;
            assert_eq!(server.connected(&tokens.access).await.unwrap().resource, expected, "A-150: {resource}");
        }
        let slash = format!("{base}/mcp/");
        let fragment = format!("{base}/mcp#x");
        let query = format!("{base}/mcp?x");
        //
        for resource in [&*base, &slash, &fragment, &query, "https://evil.example/mcp", "/mcp", "mcp", "x"] {
            let told = refused(&server, &client, &[("resource", resource)]).await;
            assert_eq!(told, "invalid_target", "A-151: {resource}");
        }
        //
        let good = format!("{base}/mcp");
        assert_eq!(refused(&server, &client, &[("resource", &good), ("resource", &good)]).await, "invalid_target");
    }

    async fn at_the_exchange_and_the_refresh(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let (full, readonly) = (format!("{}/mcp", server.base), format!("{}/mcp/readonly", server.base));
        for (own, other) in [(&full, &readonly), (&readonly, &full)] {
            let code = employee.approve(&server, &client, &[("resource", own)]).await;
            // refused, and the code can still be used
            for wrong in [other, &server.base, &"x".to_owned()] {
                client.exchange_with(&code, &[("resource", wrong)]).await.refused(400, "invalid_target");
            }
            let tokens = Tokens::of(&client.exchange_with(&code, &[("resource", own)]).await.ok());
            for wrong in [other, &server.base, &"x".to_owned()] {
                let reply = client.refresh_with(&tokens.refresh, &[("resource", wrong)]).await;
                reply.refused(400, "invalid_target");
            }
            server.lives(&tokens).await;
            Tokens::of(&client.refresh_with(&tokens.refresh, &[("resource", own)]).await.ok());
        }
    }
}

async fn refused(server: &Server, client: &Client, more: &[(&str, &str)]) -> String {
    let query = client.ask(more);
    let query: Vec<_> = query.iter().map(|(n, v)| (*n, v.as_str())).collect();
    server.turned_back(&query).await.get("error").expect("an error").to_owned()
}
