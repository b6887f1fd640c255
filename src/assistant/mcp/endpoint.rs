//! One of the two MCP endpoints: its tools, its challenges, and the results that are serialized when the server starts.

use std::fmt::Write as _;
use std::sync::Arc;

use rmcp::model::{
    CacheScope, DiscoverResult, Implementation, InitializeResult, MetaObject, ProtocolVersion,
    ServerCapabilities, Tool as ListedTool, ToolAnnotations, ToolsCapability,
};
use serde_json::{Value, json};

use super::{
    challenge::Challenges,
    mode::SUPPORTED,
    tools::{self, Tool},
};
use crate::domain::grant::{Access, Resource};

/// How long a client may cache the result of `server/discover`: five minutes (D-348).
const TTL_MS: u64 = 300_000;
/// How long a client may cache the list of tools: not at all, because the list depends on the scopes of the token. If
/// the client obtained a token with more scopes, a cached list would lack the additional tools (D-349).
const LIST_TTL_MS: u64 = 0;
/// The name by which the server identifies itself to MCP clients.
const NAME: &str = env!("CARGO_PKG_NAME");
/// Member of `_meta` that identifies the server in every result of the protocol version 2026-07-28 (MCP specification,
/// "Per-response protocol fields").
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// An MCP endpoint.
pub(super) struct McpEndpoint {
    pub(super) resource: Resource,
    pub(super) challenges: Arc<Challenges>,
    /// Results of `tools/list` as JSON. The first index is the [`bits`](Access::bits) of the token's scopes. The second
    /// index is 0 for the protocol versions with sessions, and 1 for 2026-07-28.
    lists: [[String; 2]; 4],
    /// Result of `server/discover` as JSON.
    pub(super) discovery: String,
    /// Result of `initialize`, without the negotiated version.
    initialize_result: InitializeResult,
    /// `_meta` of results in the protocol version 2026-07-28.
    pub(super) meta: MetaObject,
}

impl McpEndpoint {
    pub(super) fn new(resource: Resource, mcp_url: &str, service_name: &str) -> Self {
        let server = Implementation::new(NAME, env!("CARGO_PKG_VERSION")).with_title(service_name);
        let mut capabilities = ServerCapabilities::default();
        // `listChanged` is not declared, because the tools of a token never change: more scopes require another token
        capabilities.tools = Some(ToolsCapability::default());
        let instructions = match resource {
            Resource::Full => "Reads and writes in one company, as the employee who connected the assistant.",
            Resource::ReadOnly => "Reads in one company, as the employee who connected the assistant.",
        };
        let mut discovery = DiscoverResult::new(SUPPORTED.to_vec(), capabilities.clone())
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Private)
            .with_server_info(server.clone());
        let meta = MetaObject([(SERVER_INFO.to_owned(), json!(server))].into_iter().collect());
        discovery.instructions = Some(instructions.to_owned());
        let initialize_result =
            InitializeResult::new(capabilities).with_server_info(server).with_instructions(instructions);
        let list = |bits| {
            [false, true].map(|modern| list(resource, Access::from_bits(bits), modern.then_some(&meta)))
        };
        Self {
            resource,
            challenges: Arc::new(Challenges::new(resource, mcp_url)),
            lists: [list(0), list(1), list(2), list(3)],
            discovery: text(&discovery),
            initialize_result,
            meta,
        }
    }

    /// Returns whether this endpoint has a tool, whatever the scopes of the token are.
    pub(super) fn has(&self, tool: &Tool) -> bool {
        self.resource.scopes().contains(tool.needs())
    }

    /// Returns the result of `tools/list` for a token with these scopes, as JSON. `modern`
    /// selects the format of the protocol version 2026-07-28.
    pub(super) fn list(&self, scopes: Access, modern: bool) -> &str {
        let index = usize::try_from(scopes.bits()).unwrap_or(0);
        self.lists.get(index).map_or("{\"tools\":[]}", |both| &both[usize::from(modern)])
    }

    /// Returns the result of `initialize`.
    pub(super) fn initialize_result(&self, version: ProtocolVersion) -> InitializeResult {
        self.initialize_result.clone().with_protocol_version(version)
    }
}

fn list(resource: Resource, scopes: Access, modern: Option<&MetaObject>) -> String {
    let allowed = |tool: &&Tool| {
        let scope = tool.needs();
        scopes.contains(scope) && resource.scopes().contains(scope)
    };
    let tools = tools::catalog().iter().filter(allowed).map(listed);
    #[cfg(feature = "conformance")]
    let tools = tools.chain(super::fixtures::listed());
    let tools: Vec<ListedTool> = tools.collect();
    let mut list = format!("{{\"tools\":{}", text(&tools));
    if let Some(meta) = modern {
        let meta = text(meta);
        // writing to a String cannot fail
        let _ = write!(
            list,
            ",\"resultType\":\"complete\",\"ttlMs\":{LIST_TTL_MS},\"cacheScope\":\"private\",\"_meta\":{meta}"
        );
    }
    list.push('}');
    list
}

fn listed(tool: &Tool) -> ListedTool {
    let schema = |value: &Value| Arc::new(value.as_object().cloned().unwrap_or_default());
    let hints = ToolAnnotations::from_raw(
        None,
        Some(tool.is_read_only()),
        Some(tool.destructive),
        Some(tool.idempotent),
        // `openWorldHint`: the tools use only the company's own data
        Some(false),
    );
    let listed = ListedTool::new(tool.name(), tool.description, schema(&tool.input))
        .with_title(tool.title)
        .with_annotations(hints);
    match &tool.output {
        Value::Object(_) => listed.with_raw_output_schema(schema(&tool.output)),
        _ => listed,
    }
}

fn text(value: &impl serde::Serialize) -> String {
    // the serialized types contain only JSON values, so the serialization cannot fail
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::grant::AccessScope;

    fn names(list: &str) -> Vec<String> {
        let list: Value = serde_json::from_str(list).unwrap();
        list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().into()).collect()
    }

    #[test]
    fn lists_contain_the_tools_allowed_by_the_token() {
        let full = McpEndpoint::new(Resource::Full, "https://mcp.example", "Example");
        let readonly = McpEndpoint::new(Resource::ReadOnly, "https://mcp.example", "Example");
        let tools_that_need = |needs: &[AccessScope]| -> Vec<String> {
            tools::catalog()
                .iter()
                .filter(|tool| needs.contains(&tool.needs()))
                .map(|t| t.name().into())
                .collect()
        };
        let write = Access::parse("service:write").unwrap();
        for modern in [false, true] {
            assert_eq!(
                names(full.list(Access::ALL, modern)),
                tools_that_need(&[AccessScope::Read, AccessScope::Write])
            );
            assert_eq!(names(full.list(Access::READ, modern)), tools_that_need(&[AccessScope::Read]));
            assert_eq!(
                names(full.list(write, modern)),
                tools_that_need(&[AccessScope::Write]),
                "a token with only service:write has only the write tools (A-269)"
            );
            assert_eq!(names(full.list(Access::NONE, modern)), [""; 0]);
            assert_eq!(names(readonly.list(Access::ALL, modern)), tools_that_need(&[AccessScope::Read]));
            assert_eq!(names(readonly.list(write, modern)), [""; 0]);
        }
    }
}
