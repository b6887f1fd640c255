-- expand
-- oldest compatible: 0001
--
-- Clients that open addresses for their users.

-- Whether the client opens addresses for its user (elicitation in URL mode of MCP).
ALTER TABLE mcp_sessions ADD COLUMN url_elicitation BIGINT NOT NULL DEFAULT 0;
