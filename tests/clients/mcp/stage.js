// The stage of a story: a server, a client's website, and an employee with a browser.
import http from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificate } from '../lib/certificate.js';
import { startDocuments } from '../lib/documents.js';
import { Person } from '../lib/person.js';
import { asOperator, startServer } from '../lib/server.js';

export class Stage {
  /** What clients asked the employee for, in order: the parameters of each authorization URL. */
  visits = [];
  /** What the employee answers. */
  decision = 'approve';
  /** The scope that clients are made to ask for, since they ask for all that a challenge names. */
  narrowed = undefined;

  static async open() {
    const stage = new Stage();
    stage.folder = mkdtempSync(path.join(tmpdir(), 'switchboard-mcp-'));
    const certificate = makeCertificate(stage.folder);
    stage.documents = await startDocuments(certificate);
    stage.server = await startServer(stage.folder, {
      SWITCHBOARD_EXTRA_CA_FILE: certificate.authority,
      SWITCHBOARD_ALLOW_PRIVATE_HOSTS: stage.documents.host,
    });
    stage.demo = stage.server.demo;
    stage.employee = stage.demo.people.employee;
    await stage.#openDesk();
    return stage;
  }

  /** The desk of `../lib/desk.js`, of which clients need one thing. */
  async #openDesk() {
    this.desk = http.createServer(async (request, answer) => {
      try {
        if (request.url !== '/visit') throw new Error(`the desk does not do ${request.url}`);
        let text = '';
        for await (const part of request) text += part;
        const done = await this.#visit(new URL(JSON.parse(text).url));
        answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(done));
      } catch (error) {
        answer.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: String(error) }));
      }
    });
    await new Promise((resolve) => { this.desk.listen(0, '127.0.0.1', resolve); });
    this.deskUrl = `http://127.0.0.1:${this.desk.address().port}`;
  }

  /** The employee opens an authorization URL in a new browser, signs in and decides. */
  async #visit(url) {
    if (this.narrowed) url.searchParams.set('scope', this.narrowed);
    this.visits.push(Object.fromEntries(url.searchParams));
    const { email, password } = this.employee;
    return new Person(this.server.base, { email, password }).visit(String(url), this.decision);
  }

  operator(method, where, body) {
    return asOperator(this.server, method, where, body);
  }

  /** Moves the server's clock. */
  advance(seconds) {
    return this.operator('POST', '/clock', { advance_seconds: seconds });
  }

  /** The employee's connections, oldest first. */
  async connections() {
    const { workspace_id: company, id } = this.employee;
    return (await this.operator('GET', `/workspaces/${company}/connections?user_id=${id}&limit=200`)).connections;
  }

  async close() {
    const closed = new Promise((resolve) => { this.desk.close(resolve); });
    this.desk.closeAllConnections();
    await closed;
    await this.documents.stop();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
