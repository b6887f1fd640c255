#!/usr/bin/env node
// The program that clients start instead of a browser, because the environment variable BROWSER names it. An HTTP
// server, which ../fixture.js starts and whose URL is in the environment variable DESK, opens the authorization URL as
// the employee, and approves or denies the client. Then this program follows the redirect to the client's own listener.
import { visit } from './lines.js';

const location = await visit(process.argv[2]);
const { protocol, hostname } = new URL(location);
if (protocol !== 'http:' || hostname !== '127.0.0.1') throw new Error(`${location} is not on this machine`);
// some clients begin to listen only after they have opened the browser
for (let tries = 0; ; tries += 1) {
  try {
    await fetch(location);
    break;
  } catch (problem) {
    if (tries === 300) throw problem;
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
}
