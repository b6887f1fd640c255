// Registers an OAuth client, and connects it to the MCP server for an employee.
import { createHash, randomBytes } from 'node:crypto';
import { Person } from '../clients/lib/person.js';

const redirect = 'http://127.0.0.1:53682/callback';

async function answer(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Registers a public client with a redirect URI, and returns its id. */
export async function register(base, redirectUri) {
  const registration = { client_name: 'Conformance', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' };
  const headers = { 'content-type': 'application/json' };
  return (await answer(await fetch(`${base}/register`, { method: 'POST', headers, body: JSON.stringify(registration) }))).client_id;
}

/** Connects a new client with every scope, and returns the access token. */
export async function connect({ base, demo }) {
  const client = await register(base, redirect);
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const { location } = await new Person(base, demo.people.employee).visit(`${base}/authorize?${query}`);
  const code = new URL(location).searchParams.get('code');
  const grant = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirect, client_id: client });
  return (await answer(await fetch(`${base}/token`, { method: 'POST', body: grant }))).access_token;
}
