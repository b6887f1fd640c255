// Calls the desk: an HTTP server (desk_server.js) that acts as an employee and as the operator. The desk that run.js
// starts performs all tasks below. The desk that ../mcp/fixture.js starts performs only `visit`, and ignores
// `decision`, because the fixture has a decision of its own.
import { webcrypto } from 'node:crypto';

// Node 18 does not define the global `crypto`, which libraries need
globalThis.crypto ??= webcrypto;

export const base = process.env.SWITCHBOARD_BASE;
export const operatorKey = process.env.OPERATOR_KEY;

async function ask(task, body = {}) {
  const answer = await fetch(process.env.DESK + task, { method: 'POST', body: JSON.stringify(body) });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${task}: ${json.error}`);
  return json;
}

/**
 * Makes an employee open an authorization URL and decide. Returns `{ location }` of the redirect, or `{ status, text }`
 * of the page that is shown.
 */
export const visit = (url, decision = 'approve') => ask('/visit', { url: String(url), decision });

/** Publishes a client's metadata document on the website that run.js starts, and returns the client id. */
export const publish = async (path, document) => (await ask('/publish', { path, document })).url;

/** Calls the admin API as the operator. */
export const operator = (method, path, body) => ask('/operator', { method, path, body });

/** Returns the seeded demo data. */
export const demo = () => ask('/demo');

/** Returns the employee's newest connection as the company's admins see it. */
export async function newestConnection() {
  const { people } = await demo();
  const { workspace_id: company, id } = people.employee;
  const { connections } = await operator('GET', `/workspaces/${company}/connections?user_id=${id}&limit=1000`);
  return connections.at(-1);
}
