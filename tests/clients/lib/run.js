// Starts a Switchboard server, a website for metadata documents of clients, and a helper server, the desk. Then runs a
// command, and exits with the command's exit code.
//
//   SWITCHBOARD=target/debug/switchboard node run.js COMMAND [ARGUMENT...]
//
// The command may be written in any language. Its environment has:
//
//   SWITCHBOARD_BASE   the server's base URL, which is the OAuth issuer
//   OPERATOR_KEY       the operator key, for the admin API
//   DESK               the URL of the desk
//
// The desk (desk_server.js) acts as an employee and as the operator, and publishes metadata documents on the website.
// Each task of the desk is a POST with a JSON body:
//
//   /visit {url, decision?}
//     An employee opens an authorization URL, signs in and decides (`approve` by default, or `deny`).
//     Returns {location} of the redirect to another site, or {status, text} of the last page.
//   /publish {path, document}
//     Publishes a client's metadata document. Returns {url}, which is the client id.
//   /operator {method, path, body?}
//     Calls the admin API as the operator. `path` does not include `/admin/v1`. Returns the JSON body of the response.
//   /demo {}
//     Returns the seeded data (`switchboard seed demo --json`).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificate } from './certificate.js';
import { startDesk } from './desk_server.js';
import { startDocuments } from './documents.js';
import { Person } from './person.js';
import { asOperator, startServer } from './server.js';

/** Returns the tasks of the desk, by path. */
function tasksOf(server, documents) {
  const { email, password } = server.demo.people.employee;
  return {
    // every visit uses a new browser, without a session
    '/visit': ({ url, decision }) => new Person(server.base, { email, password }).visit(url, decision),
    '/publish': ({ path: where, document }) => ({ url: documents.publish(where, document) }),
    '/operator': ({ method, path: where, body }) => asOperator(server, method, where, body),
    '/demo': () => server.demo,
  };
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
    const desk = await startDesk(tasksOf(server, documents));
    stops.unshift(desk.stop);
    const env = { ...process.env, SWITCHBOARD_BASE: server.base, OPERATOR_KEY: server.operatorKey, DESK: desk.url };
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
