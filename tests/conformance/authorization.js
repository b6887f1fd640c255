// Runs the suite's checks of authorization servers: the metadata, and the flow from /authorize to /token.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { freePort } from '../clients/lib/listen.js';
import { Person } from '../clients/lib/person.js';
import { register } from './connect.js';

/**
 * Returns whether the server conforms. The suite prints a URL, which the employee opens. The redirect leads to the
 * suite.
 */
export async function checkAuthorization(script, { base, demo }) {
  const port = await freePort();
  const client = await register(base, `http://127.0.0.1:${port}/callback`);
  const args = ['authorization', '--url', base, '--client-id', client, '--port', port, '--resource', `${base}/mcp`];
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => { child.on('error', reject).on('exit', resolve); });
  let said = '';
  let code;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      said += `${line}\n`;
      if (line.startsWith(`${base}/authorize?`)) {
        const { location, status, text } = await new Person(base, demo.people.employee).visit(line);
        if (location === undefined) throw new Error(`${line} does not redirect to the suite: ${status} ${text}`);
        await fetch(location);
      }
    }
    code = await ended;
  } finally {
    child.kill();
  }
  const [, passed] = /^Total: (\d+) passed/m.exec(said) ?? [];
  // if the suite gets no authorization code, it skips checks and does not report a failure
  const isRight = code === 0 && /authorization-code-grant: 1 passed/.test(said);
  process.stdout.write(`authorization server: ${passed} checks passed: ${isRight ? 'conforms' : 'does not conform'}\n`);
  if (!isRight) process.stdout.write(said);
  return isRight;
}
