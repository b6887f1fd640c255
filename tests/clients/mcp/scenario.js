// The scenario that every client runs. An employee connects the client for reading. The client reads, requests more
// scopes, and writes. It stays connected while its tokens expire and the server restarts. At the end the operator
// revokes its connection.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { freePort } from '../lib/listen.js';
import { Driver } from './driver.js';
import { Fixture } from './fixture.js';

/** The newest protocol version with sessions. */
export const LEGACY = '2025-11-25';
// Which scope a tool needs is read from the table in docs/mcp-tools.md. CI runs a copy of this folder outside the
// repository, and sets `REPOSITORY` to the path of the repository.
const repository = process.env.REPOSITORY ?? path.join(import.meta.dirname, '../../..');
const page = fs.readFileSync(path.join(repository, 'docs/mcp-tools.md'), 'utf8');
const toolsThatNeed = (scope) => [...page.matchAll(/^\| \[`(\w+)`\].*? \| `([\w:]+)` \|/gm)].filter((row) => row[2] === scope).map((row) => row[1]).sort();
const READ = toolsThatNeed('service:read');
const WRITE = toolsThatNeed('service:write');
const BOTH = 'service:read service:write';

const names = (tools) => tools.map(({ name }) => name).sort();
const scopes = (text) => text.split(' ').sort().join(' ');

/** Runs the scenario with a client of clients.test.js. Calls `log` with the duration of each step. */
export async function runScenario(client, log) {
  const fixture = await Fixture.open();
  const scenario = new Scenario(fixture, client, await freePort());
  try {
    for (const step of ['connects', 'reads', 'failsReadably', 'stepsUp', 'writes', 'refreshes', 'outlivesRestarts', 'staysIdle', 'identifiesInTheOtherWay', 'readsOnly', 'isCutOff']) {
      const begun = performance.now();
      try {
        await scenario[step]();
      } catch (error) {
        error.message = `${step}: ${error.message}`;
        throw error;
      }
      log(`${step}: ${Math.round(performance.now() - begun)} ms`);
    }
  } finally {
    await scenario.end();
    await fixture.close();
  }
}

class Scenario {
  #drivers = [];

  constructor(fixture, client, port) {
    Object.assign(this, { fixture, client });
    this.redirect = `http://127.0.0.1:${port}/callback`;
    this.mcp = `${fixture.server.base}/mcp`;
  }

  /**
   * Starts a process of the client. `known` is the way in which the client identifies itself: `document` (a metadata
   * document) or `registration`. Processes with the same `store` share their tokens.
   */
  start({ url = this.mcp, known = this.client.known, store }) {
    const { file, mode, name } = this.client;
    const { redirect, fixture } = this;
    const document = known === 'document' ? this.publish() : undefined;
    const driver = new Driver(fixture, { file, mode, name, url, redirect, document, store: path.join(fixture.folder, store) });
    this.#drivers.push(driver);
    return driver;
  }

  publish() {
    return this.fixture.documents.publish('/assistant/client.json', {
      client_name: this.client.name,
      redirect_uris: [this.redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
  }

  async end() {
    for (const driver of this.#drivers) await driver.end();
  }

  /** Runs `action`. Returns how often the employee had to decide while `action` ran. */
  async countDecisions(action) {
    const before = this.fixture.visits.length;
    await action();
    return this.fixture.visits.length - before;
  }

  /** Returns the newest connection, which must be active. */
  async connection() {
    const connection = (await this.fixture.connections()).at(-1);
    assert.equal(connection.state, 'active');
    return connection;
  }

  async connects() {
    this.fixture.narrowed = 'service:read';
    this.driver = this.start({ store: 'first' });
    const { version, server } = await this.driver.do('connect');
    this.fixture.narrowed = undefined;
    assert.equal(version, this.client.version);
    assert.equal(server, 'switchboard');
    const [visit, ...more] = this.fixture.visits;
    assert.deepEqual(more, []);
    assert.equal(visit.resource, this.mcp);
    assert.equal(visit.code_challenge_method, 'S256');
    assert.match(visit.client_id, this.client.known === 'document' ? /^https:/ : /^mcpc_/);
    const { client_id: id, scope, resource } = await this.connection();
    assert.deepEqual({ id, scope, resource }, { id: visit.client_id, scope: 'service:read', resource: this.mcp });
  }

  async reads() {
    const { demo, employee } = this.fixture;
    const tools = await this.driver.do('list');
    assert.deepEqual(names(tools), READ);
    for (const { name, input, output, readOnly } of tools) {
      assert.equal(input.type, 'object', name);
      assert.equal(output.type, 'object', name);
      assert.equal(readOnly, true, name);
    }

    const self = await this.driver.call('whoami');
    assert.equal(self.isError, false);
    assert.equal(self.structured.user.id, employee.id);
    assert.equal(self.structured.workspace.id, employee.workspace_id);
    assert.deepEqual(self.structured.connection.scopes, ['service:read']);
    assert.ok(self.text.includes(employee.id));

    const { structured: { conversations } } = await this.driver.call('list_conversations', { types: ['group'] });
    assert.ok(conversations.some(({ id }) => id === demo.conversations.public_group));
    const read = await this.driver.call('read_messages', { conversation: demo.conversations.public_group, limit: 200 });
    const message = read.structured.messages.find(({ id }) => id === demo.messages.text);
    assert.equal(message.text, 'Build 42 is green. Who releases it?');
    assert.ok(read.text.includes(message.text));
    const found = await this.driver.call('search_messages', { query: '"Build 42"' });
    assert.ok(found.structured.messages.some(({ id }) => id === message.id));
  }

  /**
   * A tool that fails returns a result with `isError`. If the arguments are invalid, the client's error names the
   * argument.
   */
  async failsReadably() {
    const answer = await this.driver.call('read_messages', { conversation: 'grp_0000000000000' });
    assert.equal(answer.isError, true);
    assert.equal(answer.structured, null);
    assert.match(answer.text, /^conversation_not_found: /);
    const refusal = await this.driver.failure('call', { tool: 'read_messages', arguments: { conversation: this.fixture.demo.conversations.public_group, limit: 1000 } });
    assert.match(refusal, /`limit` must be an integer from 1 to 200/);
  }

  /** A write tool needs a scope that was not granted. The employee decides about both scopes, and the call succeeds. */
  async stepsUp() {
    const given = { conversation: this.fixture.demo.conversations.public_group, text: 'The release is out.' };
    const decisions = await this.countDecisions(async () => {
      if (this.client.needsRelogin) {
        assert.match(await this.driver.failure('call', { tool: 'draft_message', arguments: given }), /tool_not_found/);
        await this.driver.do('relogin');
      }
      const answer = await this.callAndReconnect('draft_message', given);
      assert.equal(answer.isError, false, answer.text);
      this.draft = answer.structured.draft;
    });
    assert.equal(decisions, 1);
    assert.equal(scopes(this.fixture.visits.at(-1).scope), BOTH);
    assert.match(this.draft.id, /^drf_/);
    assert.equal(scopes((await this.connection()).scope), BOTH);
    assert.deepEqual(names(await this.driver.do('list')), [...READ, ...WRITE].sort());
  }

  /**
   * Calls a tool. If the client reports that its session has ended, connects the client again and repeats the call. A
   * session ends with its connection (D-360): when the employee grants more scopes, the client gets a new connection,
   * which replaces the connection of the session.
   */
  async callAndReconnect(tool, given) {
    try {
      return await this.driver.call(tool, given);
    } catch (error) {
      if (!/Session (not found|terminated)/.test(error.message)) throw error;
      await this.driver.do('connect');
      return await this.driver.call(tool, given);
    }
  }

  async writes() {
    const { demo, employee } = this.fixture;
    const { structured, isError, text } = await this.driver.call('send_draft', { draft_id: this.draft.id, idempotency_key: 'once' });
    assert.equal(isError, false, text);
    assert.equal(structured.replayed, false);
    const again = await this.driver.call('send_draft', { draft_id: this.draft.id, idempotency_key: 'once' });
    assert.deepEqual(again.structured, { ...structured, replayed: true });
    const { messages } = await this.fixture.operator('GET', `/conversations/${demo.conversations.public_group}/messages?limit=200`);
    const sent = messages.filter((message) => message.text === 'The release is out.');
    assert.equal(sent.length, 1);
    assert.equal(sent[0].id, structured.message.id);
    assert.equal(sent[0].user_id, employee.id);
    assert.ok(sent[0].via_label);
    assert.equal(sent[0].via_label, structured.message.via_label);
  }

  /** During an hour of calls the access token expires, and the client refreshes it. */
  async refreshes() {
    const before = await this.connection();
    const decisions = await this.countDecisions(async () => {
      // a call every nine minutes keeps the session, which ends after ten minutes without a request
      for (let minutes = 0; minutes <= 60; minutes += 9) {
        await this.fixture.advance(9 * 60);
        await this.driver.do('advance', { seconds: 9 * 60 });
        assert.equal((await this.callAndReconnect('whoami')).isError, false);
      }
    });
    const after = await this.connection();
    if (this.client.forgetsExpiry) {
      // After `callAndReconnect` has connected this client again, the client does not know when its stored tokens
      // expire. So it does not refresh them in time, and after a 401 it requests authorization again.
      assert.ok(decisions <= 1);
      return;
    }
    assert.equal(decisions, 0);
    assert.equal(after.id, before.id);
    assert.notEqual(after.refreshed_at, before.refreshed_at);
  }

  /** The server restarts, and then the client restarts. The employee does not have to decide again. */
  async outlivesRestarts() {
    const before = await this.connection();
    const decisions = await this.countDecisions(async () => {
      await this.fixture.server.restart();
      assert.equal((await this.driver.call('whoami')).isError, false);
      await this.driver.close();
      this.driver = this.start({ store: 'first' });
      await this.driver.do('connect');
      assert.equal((await this.driver.call('list_drafts')).structured.next_cursor, null);
    });
    assert.equal(decisions, 0);
    assert.equal((await this.connection()).id, before.id);
  }

  /**
   * The client sends no request for eleven minutes. The employee does not have to decide again. In protocol
   * versions with sessions, the client either keeps a stream open, so that its session lasts (D-361), or connects again
   * for every call.
   */
  async staysIdle() {
    const decisions = await this.countDecisions(async () => {
      await this.fixture.advance(11 * 60);
      await this.driver.do('advance', { seconds: 11 * 60 });
      assert.equal((await this.driver.call('whoami')).isError, false);
    });
    assert.equal(decisions, 0);
  }

  /**
   * The client identifies itself in the other way: by a metadata document instead of a registration, or the reverse. It
   * is granted all scopes at once.
   */
  async identifiesInTheOtherWay() {
    const known = { registration: 'document', document: 'registration' }[this.client.known];
    const driver = this.start({ known, store: 'second' });
    const decisions = await this.countDecisions(async () => {
      await driver.do('connect');
      assert.deepEqual(names(await driver.do('list')), [...READ, ...WRITE].sort());
      assert.equal((await driver.call('draft_message', { person: this.fixture.demo.people.admin.id, text: 'Hello.' })).structured.draft.text, 'Hello.');
    });
    assert.equal(decisions, 1);
    assert.match(this.fixture.visits.at(-1).client_id, known === 'document' ? /^https:/ : /^mcpc_/);
    await driver.close();
  }

  /** The endpoint /mcp/readonly has only read tools, and no connection to it can write. */
  async readsOnly() {
    // This process registers as another client, because a new connection of the same client would replace the
    // connection to /mcp.
    const driver = this.start({ url: `${this.mcp}/readonly`, known: 'registration', store: 'third' });
    await driver.do('connect');
    const visit = this.fixture.visits.at(-1);
    assert.deepEqual({ resource: visit.resource, scope: visit.scope }, { resource: `${this.mcp}/readonly`, scope: 'service:read' });
    assert.deepEqual(names(await driver.do('list')), READ);
    // The response is 403. A client that then requests more scopes gets `invalid_scope`, because this endpoint has no
    // other scope.
    assert.match(await driver.failure('call', { tool: 'draft_message', arguments: { text: 'x' } }), /scope|403|forbidden|tool_not_found|connection closed/i);
    // kills the process without the task `close`, in which some clients would fail once more
    await driver.end();
  }

  /**
   * The operator revokes the connection. If the employee then denies a new connection, calls of the client fail. If the
   * employee approves a new connection, they succeed.
   */
  async isCutOff() {
    const { connection } = (await this.driver.call('whoami')).structured;
    await this.fixture.operator('DELETE', `/connections/${connection.id}`);
    this.fixture.decision = 'deny';
    const decisions = await this.countDecisions(async () => {
      assert.match(await this.driver.failure('call', { tool: 'whoami', arguments: {} }), this.client.cutOff ?? /access_denied/);
    });
    assert.equal(decisions, 1);
    this.fixture.decision = 'approve';
    await this.driver.end();
    this.driver = this.start({ store: 'first' });
    await this.driver.do('connect');
    const now = (await this.driver.call('whoami')).structured.connection;
    assert.notEqual(now.id, connection.id);
    await this.driver.close();
  }
}
