// Runs those checks of the MCP conformance suite that test authorization servers: the metadata, and the flow from
// /authorize to /token.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { freePort } from '../clients/lib/listen.js';
import { Person } from '../clients/lib/person.js';
import { register } from './connect.js';

/**
 * Runs the checks, and returns whether the server passed. The suite prints an authorization URL. An employee opens the
 * URL and approves. The server redirects to a loopback port, on which the suite waits for the authorization code.
 */
export async function checkAuthorization(script, { base, demo }) {
  const port = await freePort();
  const client = await register(base, `http://127.0.0.1:${port}/callback`);
  const args = ['authorization', '--url', base, '--client-id', client, '--port', port, '--resource', `${base}/mcp`];
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => { child.on('error', reject).on('exit', resolve); });
  let output = '';
  let code;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      output += `${line}\n`;
      if (line.startsWith(`${base}/authorize?`)) {
        const { location, status, text } = await new Person(base, demo.people.employee).visit(line);
        if (location === undefined) throw new Error(`${line}: the server did not redirect to the suite: ${status} ${text}`);
        await fetch(location);
      }
    }
    code = await ended;
  } finally {
    child.kill();
  }
  const [, passed] = /^Total: (\d+) passed/m.exec(output) ?? [];
  // If the suite gets no authorization code, it skips checks and reports no failure. So the output must also say that
  // the scenario with the code passed.
  const hasPassed = code === 0 && /authorization-code-grant: 1 passed/.test(output);
  const verdict = hasPassed ? 'conforms' : 'does not conform';
  process.stdout.write(`authorization server ${verdict}: ${passed ?? 'an unknown number of'} checks passed\n`);
  if (!hasPassed) process.stdout.write(output);
  return hasPassed;
}
