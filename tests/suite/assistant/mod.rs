//! The assistant connection server (`openapi/assistant.yaml`): OAuth (a module for each standard), connections, the MCP
//! endpoints, their tools and the audit.

mod address_rule;
mod asking;
mod audit;
mod block_keys;
mod client_documents;
mod connect;
mod connected;
mod connections;
mod cors;
mod document_fetches;
mod documents_not_public;
mod mcp;
mod mcp_tools;
mod rfc6749;
mod rfc7009;
mod rfc7591;
mod rfc7591_limits;
mod rfc7636;
mod rfc8252;
mod rfc8414;
mod rfc8707;
mod rfc9207;
mod rfc9728;
mod standards;
