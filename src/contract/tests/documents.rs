//! Rules that both documents keep.

use std::sync::Arc;

use crate::{
    contract::{OperationInfo, docs_page},
    domain::refusal::Code,
    generated::{admin, bot},
};

fn operations() -> impl Iterator<Item = &'static &'static OperationInfo> {
    bot::OPERATIONS.iter().chain(admin::OPERATIONS)
}

#[test]
fn a_code_has_the_status_of_the_document() {
    for (code, status) in bot::CODES.iter().chain(admin::CODES) {
        assert_eq!(code.status(), *status, "{code}");
    }
}

/// What the ladder can answer, the document lists.
#[test]
fn operations_document_what_the_ladder_answers() {
    let mut missing = Vec::new();
    for operation in operations() {
        let mut needed = vec![Code::TokenInQuery, Code::NotAcceptable, Code::InternalError];
        if operation.body.is_some() {
            needed.extend([Code::InvalidRequest, Code::PayloadTooLarge, Code::UnsupportedMediaType]);
        }
        if !operation.scopes.is_empty() {
            needed.push(Code::MissingScope);
        }
        if operation.sandbox {
            needed.push(Code::NotFound);
        }
        needed.extend(operation.required_headers.iter().map(|(_, code)| *code));
        for code in needed.into_iter().filter(|code| !operation.errors.contains(code)) {
            missing.push(format!("{}: {code}", operation.id));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_reference_page_asks_nobody_else() {
    let page = docs_page(&[("bot", bot::DOCUMENT), ("admin", admin::DOCUMENT)]);
    assert!(page.contains("SwaggerUIBundle") && page.contains("/v1/messages") && page.contains("/admin/v1/"));
    assert!(!page.contains("{documents}"));
    let lower = page.to_lowercase();
    for outside in ["src=\"http", "href=\"http", "url(http", "@import", "//cdn", "fonts.g"] {
        let found = lower.match_indices(outside).map(|(at, _)| lower.get(at.saturating_sub(40)..at + 60));
        assert_eq!(found.collect::<Vec<_>>(), [], "{outside}");
    }
    let documents = page.split("id=\"documents\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let documents: serde_json::Value = serde_json::from_str(documents.expect("the data")).expect("JSON");
    assert_eq!(documents[0]["name"], "bot");
    assert_eq!(documents[1]["document"], serde_json::from_str::<serde_json::Value>(admin::DOCUMENT).expect("JSON"));
}

#[test]
fn the_routes_of_both_documents_can_be_mounted() {
    let _ = bot::routes(Arc::new(bot::Blank));
    let _ = admin::routes(Arc::new(admin::Blank));
}
