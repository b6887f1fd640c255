// The driver of the MCP Inspector's command line (npm package @modelcontextprotocol/inspector). Each command is a
// process, which runs an authorization flow if it needs one. Later commands find the tokens in files.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listed, serve, settings, outcome } from './lines.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const command = path.resolve(here, '../../node_modules/.bin/mcp-inspector');
const mode = { auto: 'modern', legacy: 'legacy' }[settings.mode];
// The Inspector gets only the environment variables in `env`. The variables of a desktop session would make it open the
// desktop's browser.
const { PATH, DESK, SWITCHBOARD_BASE } = process.env;
const env = {
  PATH,
  DESK,
  SWITCHBOARD_BASE,
  HOME: settings.store,
  MCP_INSPECTOR_SECRET_STORE: 'file',
  // without a terminal, the Inspector opens the browser only if this variable is set
  MCP_AUTO_OPEN_ENABLED: 'true',
  BROWSER: path.join(here, 'browser.js'),
};

function run(method, ...more) {
  const args = ['--cli', settings.url, '--transport', 'http', '--protocol-era', mode, '--callback-url', settings.redirect, '--format', 'json', '--method', method, ...more];
  if (settings.document) args.push('--client-metadata-url', settings.document);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'pipe' });
    let out = '';
    let said = '';
    child.stdout.on('data', (data) => { out += data; });
    child.stderr.on('data', (data) => {
      said += data;
      // the Inspector prompts before it requests more scopes
      if (/\[y\/N\] $/.test(said)) child.stdin.end('y\n');
    });
    child.on('error', reject);
    child.on('close', (code) => {
      // exit code 5: the tool ran and failed
      if (code !== 0 && code !== 5) return reject(new Error(said.trim()));
      try {
        return resolve(JSON.parse(out).result);
      } catch {
        return reject(new Error(`${code}: ${out}${said}`));
      }
    });
  });
}

await serve({
  async connect() {
    const { protocolVersion, serverInfo } = await run('initialize');
    return { version: protocolVersion, server: serverInfo.name };
  },
  list: async () => listed((await run('tools/list')).tools),
  call: async ({ tool, arguments: given }) => outcome(await run('tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(given))),
  // The Inspector calls only tools that are listed, and a tool is listed only after its scopes were granted. So the
  // scenario requests the scopes by a new sign-in before it calls a tool that needs more scopes.
  relogin: () => run('tools/list', '--relogin'),
  advance() {},
  close() {},
});
