//! The catalog of tools: names, schemas, hints, and `docs/mcp-tools.md`, which is generated from the catalog.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, json};
use switchboard::{
    assistant::mcp::tools::{CallOutcome, Tool, call, catalog, docs, find},
    domain::{grant::AccessScope, refusal::Code},
    service::employee::{drafts::MAX_DRAFTS, send::PageElicitation},
};

use crate::support::{Server, committed::assert_committed};

#[test]
fn the_catalog_is_complete_and_in_order() {
    let names: Vec<_> = catalog().iter().map(|tool| tool.name()).collect();
    // D-367 names first the tools that read, then the tools that write (A-006)
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/contract/decisions-assistants.md");
    let decisions = fs::read_to_string(page).unwrap();
    let (_, decision) = decisions.split_once("**D-367**").unwrap();
    let (decision, _) = decision.split_once("\n- <a").unwrap();
    let listed: Vec<_> = decision.split('`').skip(1).step_by(2).collect();
    assert_eq!(names, listed, "D-367 names the tools in the order of the catalog");
    for tool in catalog() {
        assert_eq!(find(tool.name()).map(Tool::name), Some(tool.name()));
        assert!(!(tool.is_read_only() && tool.destructive), "{}", tool.name());
        assert!(tool.title.len() > 3 && tool.description.len() > 40, "{}", tool.name());
        assert!(!tool.description.contains("  "), "{}", tool.description);
    }
    let writes = catalog().iter().filter(|tool| tool.needs() == AccessScope::Write).map(Tool::name);
    assert_eq!(
        writes.collect::<Vec<_>>(),
        ["draft_message", "send_draft", "discard_draft"],
        "only these tools write"
    );
    assert!(find("nothing").is_none());
    let hints = |name| find(name).map(|tool: &Tool| (tool.destructive, tool.idempotent)).unwrap();
    assert_eq!(hints("draft_message"), (false, false));
    assert_eq!(hints("send_draft"), (true, true));
    assert_eq!(hints("discard_draft"), (true, true));
}

#[test]
fn schemas_are_objects_that_describe_every_argument() {
    for tool in catalog() {
        assert_eq!(tool.input["type"], "object", "{}", tool.name());
        assert_eq!(tool.input["additionalProperties"], false, "{}", tool.name());
        assert_eq!(tool.output["type"], "object", "{}", tool.name());
        for (name, argument) in tool.input["properties"].as_object().unwrap() {
            assert!(argument["description"].as_str().unwrap().len() > 10, "{} {name}", tool.name());
            assert!(argument["type"].is_string(), "{} {name}", tool.name());
        }
    }
}

#[test]
fn the_document_describes_the_catalog() {
    let written = docs::document();
    assert_committed("docs/mcp-tools.md", &written);
    for tool in catalog() {
        assert!(written.contains(&format!("\n## {}\n", tool.name())));
        for (name, argument) in tool.input["properties"].as_object().unwrap() {
            assert!(written.contains(&format!("| `{name}` |")), "{name}");
            assert!(written.contains(argument["description"].as_str().unwrap()), "{name}");
        }
    }
    let joined = written.replace('\n', " ");
    for limit in
        [format!("at most {MAX_DRAFTS} unsent drafts"), format!("already has {MAX_DRAFTS} unsent drafts")]
    {
        assert!(joined.contains(&limit), "the document names the limit of drafts: {limit}");
    }
    // every error code in the lines `Errors: …` of the document exists
    let codes: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let errors = written.lines().filter(|line| line.starts_with("Errors: "));
    for word in errors.flat_map(|line| line.split('`').skip(1).step_by(2)) {
        assert!(codes.contains(word), "{word}");
    }
    assert!(
        written
            .lines()
            .all(|line| line.starts_with('|') || line.starts_with("Errors") || line.chars().count() < 400),
        "except in tables and lists of errors, no line has 400 characters or more"
    );
}

#[test]
fn examples_use_only_arguments_of_their_tools() {
    let written = docs::document();
    let mut seen = 0;
    for block in written.split("```json\n").skip(1) {
        let call: Value = serde_json::from_str(block.split("```").next().unwrap()).unwrap();
        let tool = find(call["name"].as_str().unwrap()).unwrap();
        for name in call["arguments"].as_object().unwrap().keys() {
            assert!(tool.input["properties"][name].is_object(), "{} {name}", tool.name());
        }
        seen += 1;
    }
    assert_eq!(seen, catalog().len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_that_break_the_schema_are_named() {
    let server = Server::sqlite().await;
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann").await;
    for (tool, arguments, why) in [
        (
            "read_messages",
            json!({"conversation": "general"}),
            "`conversation` must be an id that begins with grp_",
        ),
        (
            "read_messages",
            json!({"channel": "x"}),
            "`channel` is not an argument of this tool; it takes `conversation`",
        ),
        (
            "read_messages",
            json!({"conversation": "grp_1", "limit": 201}),
            "`limit` must be an integer from 1 to 200",
        ),
        ("search_messages", json!({}), "`query` is required"),
        ("search_messages", json!({"query": ""}), "`query` must be a text of 1 to 500 characters"),
        ("search_messages", json!({"query": "x", "sort": "best"}), "`sort` must be one of relevance, newest"),
        ("send_draft", json!({"draft_id": "1"}), "`draft_id` must be an id that begins with drf_"),
        ("whoami", json!({"x": 1}), "`x` is not an argument of this tool; it takes none"),
    ] {
        let said = ann.invalid(tool, arguments).await;
        assert!(said.starts_with(why), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_call_of_a_tool_checks_the_scope_again() {
    let server = Server::sqlite().await;
    let employee = server.employee().await;
    let reader = server.assistant_with(&employee, &[("scope", "service:read")]).await;
    reader.ok("whoami", json!({})).await;
    // The endpoint checks the scope before it calls `tools::call`. This test calls `tools::call` directly, which checks
    // the scope again.
    let who = server.connected(&reader.tokens.access).await;
    for tool in catalog().iter().filter(|tool| tool.needs() == AccessScope::Write) {
        let mut arguments = json!({});
        for name in tool.input["required"].as_array().into_iter().flatten() {
            arguments[name.as_str().unwrap()] = "drf_0000000000000".into();
        }
        let world = server.running().world();
        let arguments = arguments.as_object().unwrap();
        let called = call(world, &who, tool, arguments, PageElicitation::Unsupported).await;
        let CallOutcome::Done(answer) = called else {
            panic!("{} must not reject the arguments {arguments:?}", tool.name());
        };
        assert_eq!((answer.is_error, answer.code), (true, Some("missing_scope")));
        assert!(answer.text.contains("connect again"), "{}", answer.text);
    }
}
