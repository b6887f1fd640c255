// A seeded sandbox that trusts the test's certificate authority and may ask its hosts.
// SWITCHBOARD names the server's binary.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Starts `switchboard dev` on a free port, with its state in a folder that `stop` removes.
 * `settings` are environment variables. Gives its base URL, the operator key and what was seeded.
 */
export async function startServer(folder, settings = {}) {
  const state = path.join(folder, 'state');
  const env = { ...process.env, SWITCHBOARD_LIMITS_SCALE: '1000', ...settings };
  const child = spawn(process.env.SWITCHBOARD, ['dev', '--fresh', '--dir', state, '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let printed = '';
  let told = '';
  child.stderr.on('data', (data) => { told += data; });
  const base = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      printed += data;
      const found = /base URL\s+(\S+)/.exec(printed);
      if (found && printed.includes('Stop:')) resolve(found[1]);
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${told}`)));
  });
  const operatorKey = /operator key\s+(\S+)/.exec(printed)[1];
  const demo = JSON.parse(readFileSync(path.join(state, 'demo.json'), 'utf8'));
  const stop = async () => {
    const ended = new Promise((resolve) => { child.on('exit', resolve); });
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(state, { recursive: true, force: true });
    // a panic or a fault of the server fails the run even if no client noticed
    if (/panicked|ERROR/.test(told)) throw new Error(`the server's log:\n${told}`);
  };
  return { base, operatorKey, demo, stop };
}

/** Calls the admin API as the operator. */
export async function asOperator(server, method, where, body) {
  const headers = { authorization: `Bearer ${server.operatorKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${server.base}/admin/v1${where}`, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (!json.ok) throw new Error(`${method} ${where}: ${JSON.stringify(json)}`);
  return json;
}
