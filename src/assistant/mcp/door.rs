//! One of the two endpoints: which tools stand behind it, how it challenges, and the answers that never change, made
//! once.

use std::fmt::Write as _;
use std::sync::Arc;

use rmcp::model::{
    CacheScope, DiscoverResult, Implementation, InitializeResult, MetaObject, ProtocolVersion,
    ServerCapabilities, Tool as ListedTool, ToolAnnotations, ToolsCapability,
};
use serde_json::{Value, json};

use super::{
    challenge::Challenges,
    era::SUPPORTED,
    tools::{self, Need, Tool},
};
use crate::domain::grant::{Access, AccessScope, Resource};

/// How long a client may keep what it was told (D-348, D-349).
const TTL_MS: u64 = 300_000;
/// What the server is called among programs.
const NAME: &str = env!("CARGO_PKG_NAME");
/// Where every result of 2026-07-28 says which server it is from (basic, "Per-response protocol fields").
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// An endpoint.
pub(super) struct Door {
    pub(super) resource: Resource,
    pub(super) challenges: Challenges,
    /// The results of `tools/list`, by what the token may, [`bits`](Access::bits) of it: in a session, and modern.
    lists: [[String; 2]; 4],
    /// The result of `server/discover`.
    pub(super) discovery: String,
    introduction: InitializeResult,
    /// What results of 2026-07-28 say beside themselves.
    pub(super) meta: MetaObject,
}

impl Door {
    pub(super) fn new(resource: Resource, mcp_url: &str, service_name: &str) -> Self {
        let server = Implementation::new(NAME, env!("CARGO_PKG_VERSION")).with_title(service_name);
        let mut capabilities = ServerCapabilities::default();
        // lists do not change under a client: a token that may more is another token
        capabilities.tools = Some(ToolsCapability::default());
        let instructions = match resource {
            Resource::Full => "Reads and writes as the employee who connected it, in their one company.",
            Resource::ReadOnly => "Reads as the employee who connected it, in their one company.",
        };
        let mut discovery = DiscoverResult::new(SUPPORTED.to_vec(), capabilities.clone())
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Private)
            .with_server_info(server.clone());
        let meta = MetaObject([(SERVER_INFO.to_owned(), json!(server))].into_iter().collect());
        discovery.instructions = Some(instructions.to_owned());
        let introduction =
            InitializeResult::new(capabilities).with_server_info(server).with_instructions(instructions);
        let list = |bits| {
            [false, true].map(|modern| list(resource, Access::from_bits(bits), modern.then_some(&meta)))
        };
        Self {
            resource,
            challenges: Challenges::new(resource, mcp_url),
            lists: [list(0), list(1), list(2), list(3)],
            discovery: text(&discovery),
            introduction,
            meta,
        }
    }

    /// The tool of a name, if it stands behind this door.
    pub(super) fn tool(&self, name: &str) -> Option<&'static Tool> {
        tools::find(name).filter(|tool| self.resource.scopes().contains(scope_of(tool)))
    }

    /// The result of `tools/list` for a token.
    pub(super) fn list(&self, scopes: Access, modern: bool) -> &str {
        let at = usize::try_from(scopes.bits()).unwrap_or(0);
        self.lists.get(at).map_or("{\"tools\":[]}", |both| &both[usize::from(modern)])
    }

    /// The result of `initialize`.
    pub(super) fn introduction(&self, version: ProtocolVersion) -> InitializeResult {
        self.introduction.clone().with_protocol_version(version)
    }
}

/// The scope that a tool needs.
pub(super) fn scope_of(tool: &Tool) -> AccessScope {
    match tool.needs {
        Need::Read => AccessScope::Read,
        Need::Write => AccessScope::Write,
    }
}

fn list(resource: Resource, scopes: Access, modern: Option<&MetaObject>) -> String {
    let may = |tool: &&Tool| {
        let scope = scope_of(tool);
        scopes.contains(scope) && resource.scopes().contains(scope)
    };
    let tools = tools::catalog().iter().filter(may).map(listed);
    #[cfg(feature = "conformance")]
    let tools = tools.chain(super::fixtures::listed());
    let tools: Vec<ListedTool> = tools.collect();
    let mut list = format!("{{\"tools\":{}", text(&tools));
    if let Some(meta) = modern {
        let meta = text(meta);
        // writing to a String cannot fail
        let _ = write!(
            list,
            ",\"resultType\":\"complete\",\"ttlMs\":{TTL_MS},\"cacheScope\":\"private\",\"_meta\":{meta}"
        );
    }
    list.push('}');
    list
}

fn listed(tool: &Tool) -> ListedTool {
    let schema = |value: &Value| Arc::new(value.as_object().cloned().unwrap_or_default());
    let hints = ToolAnnotations::from_raw(
        None,
        Some(tool.read_only),
        Some(tool.destructive),
        Some(tool.idempotent),
        // one company's own messages, and nothing beyond
        Some(false),
    );
    let listed = ListedTool::new(tool.name, tool.description, schema(&tool.input))
        .with_title(tool.title)
        .with_annotations(hints);
    match &tool.output {
        Value::Object(_) => listed.with_raw_output_schema(schema(&tool.output)),
        _ => listed,
    }
}

fn text(value: &impl serde::Serialize) -> String {
    // values of JSON are written to memory without failing
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<String> {
        let list: Value = serde_json::from_str(list).unwrap();
        list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().into()).collect()
    }

    #[test]
    fn lists_show_what_the_token_may() {
        let full = Door::new(Resource::Full, "https://mcp.example", "Example");
        let readonly = Door::new(Resource::ReadOnly, "https://mcp.example", "Example");
        let of = |needs: &[Need]| -> Vec<String> {
            tools::catalog()
                .iter()
                .filter(|tool| needs.contains(&tool.needs))
                .map(|t| t.name.into())
                .collect()
        };
        let write = Access::parse("service:write").unwrap();
        for modern in [false, true] {
            assert_eq!(names(full.list(Access::ALL, modern)), of(&[Need::Read, Need::Write]));
            assert_eq!(names(full.list(Access::READ, modern)), of(&[Need::Read]));
            assert_eq!(names(full.list(write, modern)), of(&[Need::Write]), "A-269");
            assert_eq!(names(full.list(Access::NONE, modern)), [""; 0]);
            assert_eq!(names(readonly.list(Access::ALL, modern)), of(&[Need::Read]));
            assert_eq!(names(readonly.list(write, modern)), [""; 0]);
        }
    }
}
