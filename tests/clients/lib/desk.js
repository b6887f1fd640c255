// What a client cannot do itself: asks the desk of `run.js`.
import { webcrypto } from 'node:crypto';

// Node 18 does not offer it to libraries by itself
globalThis.crypto ??= webcrypto;

export const base = process.env.SWITCHBOARD_BASE;

async function ask(task, body = {}) {
  const answer = await fetch(process.env.DESK + task, { method: 'POST', body: JSON.stringify(body) });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${task}: ${json.error}`);
  return json;
}

/** An employee opens an authorization URL and decides: `{ location }`, or `{ status, text }` of a page. */
export const visit = (url, decision = 'approve') => ask('/visit', { url: String(url), decision });

/** Puts a client's metadata document on its website; its client id. */
export const publish = async (path, document) => (await ask('/publish', { path, document })).url;

/** The admin API as the operator. */
export const operator = (method, path, body) => ask('/operator', { method, path, body });

/** What was seeded. */
export const demo = () => ask('/demo');

/** The employee's newest connection, as the company's admins see it. */
export async function newestConnection() {
  const { people } = await demo();
  const { workspace_id: company, id } = people.employee;
  const { connections } = await operator('GET', `/workspaces/${company}/connections?user_id=${id}&limit=1000`);
  return connections.at(-1);
}
