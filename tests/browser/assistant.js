// Registers an MCP client, connects it to a person, and calls tools over MCP.
import { createHash } from 'node:crypto';
import { Person } from '../clients/lib/person.js';

const verifier = 'a-verifier-of-forty-three-characters-or-more-it-is';
const redirect = 'https://assistant.example/callback';
const version = '2026-07-28';

/** Registers a client with this name. Returns the client's id and the URL of an authorization request. */
export async function register(sandbox, name, more = {}) {
  const body = { client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: 'none', ...more };
  const answer = await fetch(`${sandbox.base}/register`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  const { client_id: id } = await answer.json();
  const query = new URLSearchParams({
    response_type: 'code', client_id: id, redirect_uri: redirect, code_challenge_method: 'S256', state: 'x',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  return { id, url: `${sandbox.base}/authorize?${query}` };
}

/**
 * Registers a client with this name, and lets the person consent to its connection. Returns a function that calls a
 * tool of the connection and returns the structured content of the result.
 */
export async function connect(sandbox, person, name) {
  const { id, url } = await register(sandbox, name);
  const { location, text } = await new Person(sandbox.base, person).visit(url);
  if (!location) throw new Error(`not connected: ${text}`);
  const code = new URL(location).searchParams.get('code');
  const form = new URLSearchParams({
    grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirect, client_id: id,
  });
  const { access_token: token } = await (await fetch(`${sandbox.base}/token`, { method: 'POST', body: form })).json();
  return async (tool, values) => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: values, _meta: meta } };
    const response = await fetch(`${sandbox.base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': tool,
      },
      body: JSON.stringify(message),
    });
    const { result, error } = await response.json();
    if (error || result.isError) throw new Error(`${tool}: ${JSON.stringify(error ?? result)}`);
    return result.structuredContent;
  };
}
