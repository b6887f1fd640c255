// Tests the types that openapi-typescript generates from the OpenAPI documents of a running server. The program
// calls.ts uses these types and calls the server. It must compile with the types of the OpenAPI 3.0 documents, and with
// those of the OpenAPI 3.1 documents.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { base, demo, operatorKey, visit } from '../lib/desk.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const tool = (name) => path.join(here, '../node_modules/.bin', name);
const redirect = 'http://127.0.0.1:53682/callback';
let calls;
let seeded;

/** Generates the types of the three documents at `/openapi/{name}{suffix}.json`, and compiles calls.ts with them. */
async function compile(suffix) {
  for (const name of ['bot', 'assistant', 'admin']) {
    const answer = await fetch(`${base}/openapi/${name}${suffix}.json`);
    const document = await answer.json();
    assert.equal(document.servers[0].url, base, 'a document names the server that serves it');
    const file = path.join(here, 'documents', name);
    writeFileSync(`${file}.json`, JSON.stringify(document));
    execFileSync(tool('openapi-typescript'), [`${file}.json`, '--output', `${file}.d.ts`], { stdio: 'pipe' });
  }
  try {
    execFileSync(tool('tsc'), ['--project', here], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(`tsc${suffix}: ${error.stdout}`);
  }
}

before(async () => {
  mkdirSync(path.join(here, 'documents'), { recursive: true });
  await compile('-3.1');
  const types = readFileSync(path.join(here, 'documents/bot.d.ts'), 'utf8');
  assert.match(types, /export interface webhooks \{\s+appUninstalled:/, 'the OpenAPI 3.1 document defines the types of events');
  await compile('');
  calls = await import('./compiled/calls.js');
  seeded = await demo();
});

test('a bot posts, replies and reads messages', async () => {
  const { installation, conversations } = seeded;
  const group = conversations.public_group;
  const { first, reply, page } = await calls.bot(base, installation.bot_token, group, randomBytes(8).toString('hex'));
  assert.equal(reply.thread_id, first.id);
  assert.deepEqual(page.messages.map((message) => message.id), [reply.id, first.id]);
  assert.equal(typeof page.next_cursor, 'string');
});

test('errors of the bot API have their documented type', async () => {
  const { unknown, token } = await calls.failures(base, seeded.installation.bot_token);
  assert.equal(unknown.error.code, 'user_not_found');
  assert.equal(token.error.code, 'invalid_auth');
});

test('the operator lists companies and installations', async () => {
  const { companies, reasons } = await calls.admin(base, operatorKey);
  assert.ok(companies.some((company) => company.id === seeded.workspaces.first.id));
  assert.ok(companies.length >= 2, 'the companies of several pages are listed; a page has one company');
  assert.ok(reasons.includes(null), 'a connected installation has null as the reason of its disconnect');
});

test('an assistant registers, connects and lists tools', async () => {
  const { server, registered } = await calls.register(base, redirect);
  assert.equal(server.issuer, base);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const url = new URL(server.authorization_endpoint);
  const query = {
    response_type: 'code', client_id: registered.client_id, redirect_uri: redirect, state: 's',
    code_challenge: challenge, code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { location } = await visit(url);
  const code = new URL(location).searchParams.get('code');
  const { tokens, listed, refused } = await calls.connect(base, registered.client_id, code, verifier, redirect);
  assert.equal(tokens.expires_in, 3600);
  assert.ok(listed.result.tools.some((tool) => tool.name === 'whoami'));
  assert.equal(refused.error, 'invalid_token');
});
