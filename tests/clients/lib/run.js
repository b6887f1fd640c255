// Runs a command with a server, a client's website and an employee beside it; its exit code is the command's.
//
//   SWITCHBOARD=target/debug/switchboard node run.js COMMAND [ARGUMENT...]
//
// The command, in any language, finds in its environment:
//
//   SWITCHBOARD_BASE   the server's base URL, which is the OAuth issuer
//   DESK               the URL of what a client cannot do itself, as JSON over POST:
//     /visit     {url, decision?}    an employee opens an authorization URL, signs in and decides (`approve`, `deny`):
//                                    {location}, or {status, text} of a page that leads nowhere
//     /publish   {path, document}    puts a client's metadata document on its website: {url}, its client id
//     /operator  {method, path, body?}   the admin API as the operator: its answer
//     /demo      {}                  what was seeded (`switchboard seed demo --json`)
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificate } from './certificate.js';
import { startDocuments } from './documents.js';
import { Person } from './person.js';
import { asOperator, startServer } from './server.js';

async function startDesk(server, documents) {
  const { email, password } = server.demo.people.employee;
  const tasks = {
    // every visit in a browser of its own, as after a night
    '/visit': ({ url, decision }) => new Person(server.base, { email, password }).visit(url, decision),
    '/publish': ({ path: where, document }) => ({ url: documents.publish(where, document) }),
    '/operator': ({ method, path: where, body }) => asOperator(server, method, where, body),
    '/demo': () => server.demo,
  };
  const desk = http.createServer((request, answer) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part) => { text += part; });
    request.on('end', async () => {
      try {
        const task = tasks[request.url];
        if (!task) throw new Error(`the desk does not do ${request.url}`);
        const done = await task(JSON.parse(text || '{}'));
        answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(done));
      } catch (error) {
        answer.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: String(error) }));
      }
    });
  });
  await new Promise((resolve) => { desk.listen(0, '127.0.0.1', resolve); });
  const stop = () => new Promise((resolve) => {
    desk.close(resolve);
    desk.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${desk.address().port}`, stop };
}

async function main([command, ...args]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-clients-'));
  const stops = [];
  try {
    const certificate = makeCertificate(folder);
    const documents = await startDocuments(certificate);
    stops.unshift(documents.stop);
    const server = await startServer(folder, {
      SWITCHBOARD_EXTRA_CA_FILE: certificate.authority,
      SWITCHBOARD_ALLOW_PRIVATE_HOSTS: documents.host,
    });
    stops.unshift(server.stop);
    const desk = await startDesk(server, documents);
    stops.unshift(desk.stop);
    const env = { ...process.env, SWITCHBOARD_BASE: server.base, DESK: desk.url };
    const child = spawn(command, args, { stdio: 'inherit', env });
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
