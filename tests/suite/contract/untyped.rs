//! Tests with raw requests, which the generated clients cannot send because of their types. Each test causes one error.
//! It sends its request to the operations whose documents list this error.

use super::documents::{self, Operation, Outcome};
use crate::support::{Api, BotFixture, Call, Server, both_engines, wire};

/// An error that a test of this file causes. The test causes it at every operation whose document lists the error and
/// which `includes` accepts.
pub struct Everywhere {
    pub status: u16,
    pub code: &'static str,
    /// The name of the test. The test calls the operations that [`documenting`] returns for `code`.
    pub test: &'static str,
    /// Returns whether the test calls an operation for which the document lists the error.
    includes: fn(&Operation) -> bool,
    /// Returns whether an operation needs no other test for the error. An operation needs a second test if generated
    /// clients can also send a request that causes the error.
    suffices: fn(&Operation) -> bool,
}

/// The operations at which only a raw request, such as one without `Host`, causes `invalid_request`. A request that a
/// generated client can send never causes this error at these operations.
pub const WITHOUT_RULES: [&str; 35] = [
    "deleteMessage",
    "getConversation",
    "listConversationMessages",
    "getConversationFile",
    "listUsers",
    "getUser",
    "testAuth",
    "registerClient",
    "deleteSession",
    "listWorkspaces",
    "getWorkspace",
    "adminGetUser",
    "setUserState",
    "logoutUser",
    "blockApp",
    "unblockApp",
    "adminListConversations",
    "adminGetConversation",
    "deleteConversation",
    "listMembers",
    "addMember",
    "removeMember",
    "listMessages",
    "adminDeleteMessage",
    "deleteFile",
    "listApps",
    "getApp",
    "rotateSecret",
    "redeliverEvent",
    "listInstallations",
    "deleteConnection",
    "listClientBlocks",
    "listAssistantClients",
    "getClock",
    "resetRateLimits",
];

/// The errors of the tests in this file. [`super::reached`] compares this table with the documents and with the tests.
pub const EVERYWHERE: [Everywhere; 5] = [
    Everywhere {
        status: 406,
        code: "not_acceptable",
        test: "an_accept_header_that_excludes_json_is_rejected",
        includes: |_| true,
        suffices: |_| true,
    },
    Everywhere {
        status: 400,
        code: "token_in_query",
        test: "a_token_in_the_query_is_rejected",
        includes: |_| true,
        suffices: |_| true,
    },
    Everywhere {
        status: 415,
        code: "unsupported_media_type",
        test: "an_unsupported_media_type_is_rejected",
        includes: |_| true,
        suffices: |_| true,
    },
    Everywhere {
        status: 413,
        code: "payload_too_large",
        test: "a_body_that_is_too_large_is_rejected",
        // the body of the test is not too large for an upload
        includes: |operation| !operation.is_upload(),
        suffices: |_| true,
    },
    Everywhere {
        status: 400,
        code: "invalid_request",
        test: "a_request_without_a_host_is_rejected",
        includes: |_| true,
        suffices: |operation| WITHOUT_RULES.contains(&operation.id.as_str()),
    },
];

impl Everywhere {
    /// Returns the operations that the test calls, with the names of their documents.
    pub fn operations(&self) -> impl Iterator<Item = (&'static str, &'static Operation)> {
        let outcome = Outcome { status: self.status, code: Some(self.code.to_owned()) };
        let includes = self.includes;
        documents::of_clients()
            .filter(move |(_, operation)| operation.outcomes.contains(&outcome) && includes(operation))
    }

    /// Returns the operations that need no other test for the error, with the names of their documents.
    pub fn sufficient(&self) -> impl Iterator<Item = (&'static str, &'static Operation)> {
        let suffices = self.suffices;
        self.operations().filter(move |(_, operation)| suffices(operation))
    }
}

/// Returns the operations at which the test of an error code in [`EVERYWHERE`] causes the error, each with a caller.
/// The caller has a valid credential, or no credential if the operation needs none.
async fn documenting(server: &Server, code: &str) -> Vec<(Api, &'static Operation)> {
    let fixture = BotFixture::new(server).await;
    let error = EVERYWHERE.iter().find(|error| error.code == code).expect("the table has the code");
    let with_caller = |(document, operation): (_, &'static Operation)| {
        let caller = match document {
            _ if !operation.is_secured => server.api(),
            "bot" => fixture.bot.api.clone(),
            _ => server.operator(),
        };
        (caller, operation)
    };
    error.operations().map(with_caller).collect()
}

impl Operation {
    /// Returns the path, with `x` for each parameter.
    fn raw_path(&self) -> String {
        let segments =
            self.path.split('/').map(|segment| if segment.starts_with('{') { "x" } else { segment });
        segments.collect::<Vec<_>>().join("/")
    }

    fn is_upload(&self) -> bool {
        self.media_types == ["application/octet-stream"]
    }

    /// Returns a request to a path, with an empty JSON object as the body if the operation takes JSON.
    fn call(&self, caller: &Api, path: &str) -> Call {
        let call = caller.call(self.method.parse().expect("a method"), path);
        match self.media_types.first().map(String::as_str) {
            Some("application/json") => call.header("content-type", "application/json").body("{}"),
            _ => call,
        }
    }
}

#[both_engines]
async fn an_accept_header_that_excludes_json_is_rejected(server: Server) {
    for (caller, operation) in documenting(&server, "not_acceptable").await {
        let call = operation.call(&caller, &operation.raw_path()).header("accept", "text/html");
        call.refused(406, "not_acceptable").await;
    }
}

#[both_engines]
async fn a_token_in_the_query_is_rejected(server: Server) {
    for (caller, operation) in documenting(&server, "token_in_query").await {
        let path = format!("{}?access_token=x", operation.raw_path());
        operation.call(&caller, &path).refused(400, "token_in_query").await;
    }
}

#[both_engines]
async fn an_unsupported_media_type_is_rejected(server: Server) {
    for (caller, operation) in documenting(&server, "unsupported_media_type").await {
        let call = caller.call(operation.method.parse().unwrap(), &operation.raw_path()).body("x");
        // an upload accepts any valid `Content-Type`, but no `Content-Encoding` except `identity`
        let is_upload = operation.is_upload();
        let header = if is_upload { ("content-encoding", "gzip") } else { ("content-type", "text/plain") };
        call.header(header.0, header.1).refused(415, "unsupported_media_type").await;
    }
}

#[both_engines]
async fn a_body_that_is_too_large_is_rejected(server: Server) {
    for (caller, operation) in documenting(&server, "payload_too_large").await {
        let call = operation.call(&caller, &operation.raw_path()).body(vec![b' '; 1_048_577]);
        call.refused(413, "payload_too_large").await;
    }
}

#[both_engines]
async fn a_request_without_a_host_is_rejected(server: Server) {
    for (_, operation) in documenting(&server, "invalid_request").await {
        let request = format!("{} {} HTTP/1.1\r\n\r\n", operation.method, operation.raw_path());
        let answer = wire::exchange(&server.base, request.as_bytes()).await;
        let error = answer.json()["error"].clone();
        // errors of the assistant server have the format of OAuth (RFC 6749 §5.2), without an envelope
        let code = error["code"].as_str().or(error.as_str());
        assert_eq!(
            (answer.status, code),
            (400, Some("invalid_request")),
            "{} rejects a request without Host",
            operation.id
        );
    }
}
