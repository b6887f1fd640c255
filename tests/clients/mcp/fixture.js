// The fixture of a scenario: a server, a website with the client's metadata document, and an employee with a browser.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificate } from '../lib/certificate.js';
import { startDesk } from '../lib/desk_server.js';
import { startDocuments } from '../lib/documents.js';
import { Person } from '../lib/person.js';
import { asOperator, startServer } from '../lib/server.js';

export class Fixture {
  /** The parameters of each authorization URL that the employee opened, in order. */
  visits = [];
  /** The decision of the employee on the consent page. */
  decision = 'approve';
  /**
   * If set, replaces the `scope` of authorization requests. If not set, the client requests all scopes that the
   * server's challenge (`WWW-Authenticate`) names.
   */
  narrowed = undefined;

  static async open() {
    const fixture = new Fixture();
    try {
      await fixture.#start();
    } catch (error) {
      await fixture.close().catch(() => {});
      throw error;
    }
    return fixture;
  }

  async #start() {
    this.folder = mkdtempSync(path.join(tmpdir(), 'switchboard-mcp-'));
    const certificate = makeCertificate(this.folder);
    this.documents = await startDocuments(certificate);
    this.server = await startServer(this.folder, {
      SWITCHBOARD_EXTRA_CA_FILE: certificate.authority,
      SWITCHBOARD_ALLOW_PRIVATE_HOSTS: this.documents.host,
    });
    this.demo = this.server.demo;
    this.employee = this.demo.people.employee;
    // the desk is an HTTP server through which a client under test makes the employee open an authorization URL
    this.desk = await startDesk({ '/visit': ({ url }) => this.#visit(new URL(url)) });
  }

  /** Makes the employee open an authorization URL in a new browser, sign in and decide. */
  async #visit(url) {
    if (this.narrowed) url.searchParams.set('scope', this.narrowed);
    this.visits.push(Object.fromEntries(url.searchParams));
    const { email, password } = this.employee;
    return new Person(this.server.base, { email, password }).visit(String(url), this.decision);
  }

  operator(method, where, body) {
    return asOperator(this.server, method, where, body);
  }

  /** Moves the server's clock forward. */
  advance(seconds) {
    return this.operator('POST', '/clock', { advance_seconds: seconds });
  }

  /** Returns the employee's connections, oldest first. */
  async connections() {
    const { workspace_id: company, id } = this.employee;
    return (await this.operator('GET', `/workspaces/${company}/connections?user_id=${id}&limit=200`)).connections;
  }

  /** Stops everything that was started, even if only a part of the fixture was started. */
  async close() {
    await this.desk?.stop();
    await this.documents?.stop();
    await this.server?.stop();
    if (this.folder) rmSync(this.folder, { recursive: true, force: true });
  }
}
