// Calls with the types that openapi-typescript generates from the served OpenAPI documents. A call that violates these
// types does not compile.
import createClient from 'openapi-fetch';
import type { components as AdminComponents, paths as AdminPaths } from './documents/admin.js';
import type { paths as AssistantPaths } from './documents/assistant.js';
import type { components as BotComponents, paths as BotPaths } from './documents/bot.js';

export type BotError = BotComponents['schemas']['ErrorEnvelope'];
export type Company = AdminComponents['schemas']['AdminWorkspace'];

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The header of OAuth requests, whose bodies are forms. With it, openapi-fetch serializes a body as a form. */
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

function must<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) throw new Error(`${answer.response.status}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

/** Posts in a group as a bot, replies to the message, reads both messages, and lists the titles of the people. */
export async function bot(base: string, token: string, group: string, key: string) {
  const client = createClient<BotPaths>({ baseUrl: base, headers: bearer(token) });
  const to = { type: 'conversation', id: group } as const;
  const send = (name: string, body: { text: string; thread_id?: string }) =>
    client.POST('/v1/messages', { params: { header: { 'Idempotency-Key': name } }, body: { to, ...body } });
  const first = must(await send(`${key}-1`, { text: 'Hello' }));
  const reply = must(await send(`${key}-2`, { text: 'And again', thread_id: first.message.id }));
  const path = { conversation_id: group };
  const page = must(
    await client.GET('/v1/conversations/{conversation_id}/messages', { params: { path, query: { limit: 2 } } }),
  );
  const people = must(await client.GET('/v1/users', {}));
  const titles: (string | null)[] = people.users.map((user) => user.title);
  return { first: first.message, reply: reply.message, page, titles };
}

/** Returns the errors of two requests: one for an unknown user, and one with an invalid token. */
export async function failures(base: string, token: string): Promise<{ unknown: BotError; token: BotError }> {
  const client = createClient<BotPaths>({ baseUrl: base, headers: bearer(token) });
  const unknown = await client.GET('/v1/users/{id}', { params: { path: { id: 'usr_38f3jy2mc002g' } } });
  const invalid = await client.GET('/v1/auth/test', { headers: bearer('svc_bot_test_x') });
  if (unknown.error === undefined || invalid.error === undefined) throw new Error('both requests must fail');
  return { unknown: unknown.error, token: invalid.error };
}

/** Lists companies page by page as the operator. Reads why installations of the first company were disconnected. */
export async function admin(base: string, key: string) {
  const client = createClient<AdminPaths>({ baseUrl: base, headers: bearer(key) });
  const companies: Company[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: 1, ...(cursor === null ? {} : { cursor }) };
    const page = must(await client.GET('/admin/v1/workspaces', { params: { query } }));
    companies.push(...page.workspaces);
    cursor = page.next_cursor;
  } while (cursor !== null);
  const company = companies[0];
  if (company === undefined) throw new Error('the list has no company');
  const path = { workspace_id: company.id };
  const { installations } = must(
    await client.GET('/admin/v1/workspaces/{workspace_id}/installations', { params: { path } }),
  );
  const reasons: (string | null)[] = installations.map((installation) => installation.reason);
  return { companies, reasons };
}

/** Reads the metadata of the authorization server, and registers a client. */
export async function register(base: string, redirect: string) {
  const client = createClient<AssistantPaths>({ baseUrl: base });
  const server = must(await client.GET('/.well-known/oauth-authorization-server', {}));
  const registered = must(
    await client.POST('/register', {
      body: { client_name: 'Typed Client', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
    }),
  );
  return { server, registered };
}

/** Exchanges a code for tokens, lists the tools, sends a `ping` with an invalid token, and revokes the tokens. */
export async function connect(base: string, client_id: string, code: string, code_verifier: string, redirect_uri: string) {
  const client = createClient<AssistantPaths>({ baseUrl: base });
  const body = { grant_type: 'authorization_code', client_id, code, code_verifier, redirect_uri };
  const tokens = must(await client.POST('/token', { body, headers: form }));
  const version = '2026-07-28';
  const listed = must(
    await client.POST('/mcp', {
      headers: { ...bearer(tokens.access_token), accept: 'application/json, text/event-stream' },
      params: { header: { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/list' } },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    }),
  );
  const refused = await client.POST('/mcp', {
    headers: bearer('svc_mcp_at_test_x'),
    body: { jsonrpc: '2.0', id: 2, method: 'ping' },
  });
  must(await client.POST('/revoke', { body: { token: tokens.refresh_token, client_id }, headers: form }));
  return { tokens, listed, refused: refused.error };
}
