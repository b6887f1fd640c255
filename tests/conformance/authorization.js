// The suite's part for authorization servers: their metadata, and a client's way from /authorize to /token.
import { spawn } from 'node:child_process';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { Person } from '../clients/lib/person.js';
import { register } from './connect.js';

/** A port that nobody listens on. */
async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address();
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

/** Whether the server conforms. The suite prints the address that the employee is to open, and listens for the answer. */
export async function judgeAuthorization(script, { base, demo }) {
  const port = await freePort();
  const client = await register(base, `http://127.0.0.1:${port}/callback`);
  const args = ['authorization', '--url', base, '--client-id', client, '--port', port, '--resource', `${base}/mcp`];
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => { child.on('error', reject).on('exit', resolve); });
  let said = '';
  for await (const line of createInterface({ input: child.stdout })) {
    said += `${line}\n`;
    if (line.startsWith(`${base}/authorize?`)) {
      const { location } = await new Person(base, demo.people.employee).visit(line);
      await fetch(location);
    }
  }
  const code = await ended;
  const [, passed] = /^Total: (\d+) passed/m.exec(said) ?? [];
  // a client that gets no code is skipped, not failed
  const isRight = code === 0 && /authorization-code-grant: 1 passed/.test(said);
  process.stdout.write(`authorization server: ${passed} checks passed: ${isRight ? 'conforms' : 'does not conform'}\n`);
  if (!isRight) process.stdout.write(said);
  return isRight;
}
