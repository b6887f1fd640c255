#!/usr/bin/env node
// The program that clients start as the browser (BROWSER). The desk opens the authorization URL as the employee, who
// decides. Then this program follows the server's redirect to the client's own listener.
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
