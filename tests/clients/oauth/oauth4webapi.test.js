// Tests the OAuth server with oauth4webapi, a strict client library that validates responses against the RFCs. Only the
// library's check for HTTPS is disabled, because the server listens on a loopback address.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { base, newestConnection, operator, publish, visit } from '../lib/desk.js';
import * as oauth from 'oauth4webapi';

const plain = { [oauth.allowInsecureRequests]: true };
const redirect = 'http://127.0.0.1:53682/callback';
const issuer = new URL(base);
let server;

before(async () => {
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain });
  server = await oauth.processDiscoveryResponse(issuer, answer);
});

/** Registers a client. Returns the client and its authentication for oauth4webapi. */
async function register(method, members = {}) {
  const metadata = { client_name: 'Strict Client', redirect_uris: [redirect], token_endpoint_auth_method: method, ...members };
  const answer = await oauth.dynamicClientRegistrationRequest(server, metadata, plain);
  const client = await oauth.processDynamicClientRegistrationResponse(answer);
  assert.equal(client.token_endpoint_auth_method, method);
  const ways = { none: oauth.None, client_secret_basic: oauth.ClientSecretBasic, client_secret_post: oauth.ClientSecretPost };
  return { client, auth: ways[method](client.client_secret) };
}

/** Publishes a metadata document. Returns the client and its authentication for oauth4webapi. */
async function documented(path) {
  const id = await publish(path, { client_name: 'Documented Client', redirect_uris: [redirect] });
  return { client: { client_id: id }, auth: oauth.None() };
}

/**
 * Makes an employee approve the client's authorization request, or make another `decision`. Validates the redirect with
 * its `state` and `iss`. Returns the parameters, the URL and the state of the redirect, and the PKCE verifier.
 */
async function authorize({ client }, { decision, ...more } = {}) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint);
  const query = {
    response_type: 'code', client_id: client.client_id, redirect_uri: redirect, state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
    resource: `${base}/mcp`, ...more,
  };
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const { location, status, text } = await visit(url, decision);
  assert.ok(location, `the browser must be redirected; instead it shows a page: ${status} ${text}`);
  assert.ok(location.startsWith(`${redirect}?`), location);
  return { parameters: oauth.validateAuthResponse(server, client, new URL(location), state), verifier, location: new URL(location), state };
}

async function exchange({ client, auth }, { parameters, verifier }) {
  const answer = await oauth.authorizationCodeGrantRequest(server, client, auth, parameters, redirect, verifier, plain);
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
  assert.match(tokens.access_token, /^svc_mcp_at_test_/);
  assert.match(tokens.refresh_token, /^svc_mcp_rt_test_/);
  assert.equal(tokens.expires_in, 3600);
  return tokens;
}

async function refresh({ client, auth }, token, parameters) {
  const options = { ...plain, ...(parameters && { additionalParameters: parameters }) };
  const answer = await oauth.refreshTokenGrantRequest(server, client, auth, token, options);
  return oauth.processRefreshTokenResponse(server, client, answer);
}

async function revoke({ client, auth }, token) {
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, auth, token, plain));
}

const connect = async (who, more) => exchange(who, await authorize(who, more));

/** Returns a check that a call failed with this OAuth error in the response body. */
const oauthError = (error, status = 400) => (thrown) => {
  assert.ok(thrown instanceof oauth.ResponseBodyError, thrown);
  assert.deepEqual([thrown.error, thrown.status], [error, status]);
  return true;
};
/** Returns a check that a call failed with this OAuth error in the parameters of the redirect. */
const redirected = (error) => (thrown) => {
  assert.ok(thrown instanceof oauth.AuthorizationResponseError, thrown);
  assert.equal(thrown.error, error);
  return true;
};

test('the metadata of the resources and of the authorization server have the values that clients need', async () => {
  for (const [path, scopes] of [['/mcp', ['service:read', 'service:write']], ['/mcp/readonly', ['service:read']]]) {
    const resource = new URL(base + path);
    const answer = await oauth.resourceDiscoveryRequest(resource, plain);
    const found = await oauth.processResourceDiscoveryResponse(resource, answer);
    assert.deepEqual([found.authorization_servers, found.scopes_supported], [[base], scopes]);
  }
  assert.equal(server.issuer, base);
  assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
  assert.equal(server.authorization_response_iss_parameter_supported, true);
  assert.equal(server.client_id_metadata_document_supported, true);
});

const clients = {
  'a public client': () => register('none'),
  'a client with a secret in HTTP Basic': () => register('client_secret_basic'),
  'a client with a secret in the body': () => register('client_secret_post'),
  'a client with a metadata document': () => documented('/client.json'),
};

for (const [name, make] of Object.entries(clients)) {
  test(`${name} connects, refreshes and revokes its token`, async () => {
    const who = await make();
    const first = await connect(who);
    assert.equal(first.scope, 'service:read service:write');
    const second = await refresh(who, first.refresh_token);
    assert.notEqual(second.access_token, first.access_token);
    assert.notEqual(second.refresh_token, first.refresh_token);
    const narrow = await refresh(who, second.refresh_token, { scope: 'service:read', resource: `${base}/mcp` });
    assert.equal(narrow.scope, 'service:read');
    await assert.rejects(refresh(who, narrow.refresh_token, { scope: 'service:read admin' }), oauthError('invalid_scope'));
    await assert.rejects(refresh(who, narrow.refresh_token, { resource: `${base}/other` }), oauthError('invalid_target'));
    assert.equal((await newestConnection()).state, 'active');
    await revoke(who, narrow.access_token);
    const { state, reason } = await newestConnection();
    assert.deepEqual([state, reason], ['revoked', 'client']);
    await assert.rejects(refresh(who, narrow.refresh_token), oauthError('invalid_grant'));
    await revoke(who, 'unknown');
  });

  test(`${name} is disconnected if it uses a refresh token twice`, async () => {
    const who = await make();
    const first = await connect(who);
    const second = await refresh(who, first.refresh_token);
    await assert.rejects(refresh(who, first.refresh_token), oauthError('invalid_grant'));
    assert.equal((await newestConnection()).reason, 'refresh_reused');
    await assert.rejects(refresh(who, second.refresh_token), oauthError('invalid_grant'));
  });

  test(`${name} is disconnected if it uses a code twice`, async () => {
    const who = await make();
    const answer = await authorize(who);
    const tokens = await exchange(who, answer);
    await assert.rejects(exchange(who, answer), oauthError('invalid_grant'));
    assert.equal((await newestConnection()).reason, 'code_reused');
    await assert.rejects(refresh(who, tokens.refresh_token), oauthError('invalid_grant'));
  });
}

test('a code is valid only with its verifier, and for ten minutes', async () => {
  const who = await register('none');
  const answer = await authorize(who);
  const other = { ...answer, verifier: oauth.generateRandomCodeVerifier() };
  await assert.rejects(exchange(who, other), oauthError('invalid_grant'));
  await exchange(who, answer);
  const late = await authorize(who);
  await operator('POST', '/clock', { advance_seconds: 601 });
  await assert.rejects(exchange(who, late), oauthError('invalid_grant'));
});

test('the library rejects an authorization response with a wrong issuer or without an issuer', async () => {
  const who = await register('none');
  const { location, state } = await authorize(who);
  for (const iss of ['https://evil.example', null]) {
    const tampered = new URL(location);
    if (iss) tampered.searchParams.set('iss', iss);
    else tampered.searchParams.delete('iss');
    assert.throws(() => oauth.validateAuthResponse(server, who.client, tampered, state), oauth.OperationProcessingError);
  }
});

test('if the redirect URI is valid, errors are returned in the redirect, with state and issuer', async () => {
  const who = await register('none');
  for (const [more, error] of [
    [{ decision: 'deny' }, 'access_denied'],
    [{ scope: 'service:admin' }, 'invalid_scope'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
  ]) await assert.rejects(authorize(who, more), redirected(error), error);
  const id = await publish('/confidential.json', { redirect_uris: [redirect], token_endpoint_auth_method: 'private_key_jwt' });
  await assert.rejects(authorize({ client: { client_id: id } }), redirected('invalid_client'));
});

test('an unknown client, an invalid metadata document and a wrong redirect URI get an error page and no redirect', async () => {
  const { client } = await register('none');
  const id = await publish('/other.json', { client_id: 'https://elsewhere.example/client.json', redirect_uris: [redirect] });
  for (const query of [
    { client_id: 'mcpc_unknown', redirect_uri: redirect },
    { client_id: id, redirect_uri: redirect },
    { client_id: client.client_id, redirect_uri: 'https://evil.example/callback' },
  ]) {
    const { status, location } = await visit(`${server.authorization_endpoint}?${new URLSearchParams(query)}`);
    assert.deepEqual([status, location], [400, undefined]);
  }
});

test('a wrong or missing secret is refused with a challenge', async () => {
  const { client } = await register('client_secret_basic');
  for (const auth of [oauth.ClientSecretBasic('wrong'), oauth.ClientSecretPost('wrong'), oauth.None()]) {
    for (const ask of [refresh, revoke]) {
      await assert.rejects(ask({ client, auth }, 'x'), (thrown) => {
        assert.ok(thrown instanceof oauth.WWWAuthenticateChallengeError, thrown);
        assert.deepEqual([thrown.status, thrown.cause[0].scheme], [401, 'basic']);
        return true;
      });
    }
  }
});

test('an invalid redirect URI and a reserved name get different registration errors', async () => {
  await assert.rejects(register('none', { redirect_uris: ['http://client.example/callback'] }), oauthError('invalid_redirect_uri'));
  await assert.rejects(register('none', { client_name: 'Support Desk' }), oauthError('invalid_client_metadata'));
});
