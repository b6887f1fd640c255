// Starts the server for the tests with third-party clients, the conformance tests and the browser tests. The server is
// a sandbox with a demo company. The environment variable SWITCHBOARD is the path of the server's binary.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Starts `switchboard dev` at the address `listen`, by default on a free port. `settings` are environment variables.
 * The server's database and files are in a subfolder of `folder`. Returns the base URL, the operator key, the one-time
 * link of the console, the data of the demo company, the path of the subfolder, and the functions `restart` and `stop`.
 * `restart` stops the process gracefully, and starts another process with the same address and subfolder. `stop` stops
 * the process, and deletes the subfolder.
 */
export async function startServer(folder, settings = {}, listen = '127.0.0.1:0') {
  const state = path.join(folder, 'state');
  const env = { ...process.env, SWITCHBOARD_LIMITS_SCALE: '1000', ...settings };
  let running = await run(env, '--fresh', '--dir', state, '--listen', listen);
  const { base } = running;
  const operatorKey = /operator key\s+(\S+)/.exec(running.printed)[1];
  const consoleLink = /\S+\/console\/link\/\S+/.exec(running.printed)?.[0];
  const demo = JSON.parse(readFileSync(path.join(state, 'demo.json'), 'utf8'));
  const restart = async () => {
    await running.end();
    running = await run(env, '--dir', state, '--listen', listen.endsWith(':0') ? new URL(base).host : listen);
  };
  const stop = async () => {
    await running.end();
    rmSync(state, { recursive: true, force: true });
  };
  return { base, operatorKey, consoleLink, demo, state, restart, stop };
}

/**
 * Runs `switchboard dev` until `end` is called. `end` fails if the process logged an error or a panic, even if no
 * client noticed it.
 */
async function run(env, ...args) {
  const child = spawn(process.env.SWITCHBOARD, ['dev', ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let printed = '';
  let stderr = '';
  child.stderr.on('data', (data) => { stderr += data; });
  const base = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      printed += data;
      const found = /base URL\s+(\S+)/.exec(printed);
      if (found && printed.includes('Stop:')) resolve(found[1]);
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
  const end = async () => {
    const ended = new Promise((resolve) => { child.on('exit', resolve); });
    // a process that a signal ended has no exit code
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    if (/panicked|ERROR/.test(stderr)) throw new Error(`the server logged an error or a panic:\n${stderr}`);
  };
  return { base, printed, end };
}

/** Calls the admin API as the operator. */
export async function asOperator(server, method, where, body) {
  const headers = { authorization: `Bearer ${server.operatorKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${server.base}/admin/v1${where}`, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (!json.ok) throw new Error(`${method} ${where}: ${JSON.stringify(json)}`);
  return json;
}
