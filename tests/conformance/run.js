// Runs the MCP conformance suite against a sandbox, for each protocol version that the server supports. The exit code
// is 1 in these cases:
// - a check fails, and baseline.yaml, the list of expected failures, has neither the check nor its scenario;
// - a scenario or check in this list does not fail;
// - the suite does not run all scenarios of a protocol version, or none of its checks passes;
// - the authorization server does not conform;
// - an error occurs.
//
//   SWITCHBOARD   a binary without the feature `conformance`, so without the tools that only the suite calls
//   FIXTURES      a binary with the feature `conformance`, so with these tools
//   RESULTS       a folder for the result of each check
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServer } from '../clients/lib/server.js';
import { checkAuthorization } from './authorization.js';
import { baselineFor, unknownEntries } from './baseline.js';
import { connect } from './connect.js';
import { startProxy } from './proxy.js';

const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18'];
const here = path.dirname(fileURLToPath(import.meta.url));
const baseline = path.join(here, 'baseline.yaml');
const results = path.resolve(process.env.RESULTS);
const script = path.join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Runs the suite, and returns its exit code and output. */
async function suite(...args) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { maxBuffer: 2 ** 26 });
    return { code: 0, output: stdout };
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    return { code: error.code, output: `${error.stdout}${error.stderr}` };
  }
}

async function scenariosOf(version) {
  const { output } = await suite('list', '--server', '--spec-version', version);
  const names = [...output.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name);
  if (names.length < 20) throw new Error(`the suite must have at least 20 scenarios for ${version}: ${output}`);
  return names;
}

/** Starts a server, runs a function with the server and an access token, and stops the server. */
async function withServer(binary, action) {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-conformance-'));
  process.env.SWITCHBOARD = binary;
  const server = await startServer(folder);
  try {
    return await action(server, await connect(server));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the names of all tools. */
async function tools({ base }, token) {
  const version = VERSIONS[0];
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': 'tools/list',
  };
  const _meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } });
  const answer = await (await fetch(`${base}/mcp`, { method: 'POST', headers, body })).json();
  return answer.result.tools.map(({ name }) => name);
}

/**
 * Runs the suite for a protocol version. Returns the scenarios of the version, and whether the result is as expected:
 * all scenarios ran, at least one check passed, and the failures were exactly those of the baseline.
 */
async function runScenarios(version, url) {
  const scenarios = await scenariosOf(version);
  const folder = path.join(results, version);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'expected.yaml');
  writeFileSync(file, baselineFor(version, scenarios, baseline));
  const { code, output } = await suite('server', '--url', url, '--suite', 'all', '--spec-version', version, '--expected-failures', file, '-o', folder);
  writeFileSync(path.join(folder, 'output.txt'), output);
  const [, ran] = /^Running .*\((\d+) scenarios\)/m.exec(output) ?? [];
  const [, passed] = /^Total: (\d+) passed/m.exec(output) ?? [];
  const isAsExpected = code === 0 && Number(ran) === scenarios.length && Number(passed) > 0;
  process.stdout.write(`${version}: ${ran} scenarios, ${passed} checks passed: ${isAsExpected ? 'as the baseline says' : 'not as the baseline says'}\n`);
  if (!isAsExpected) process.stdout.write(output.slice(Math.max(0, output.indexOf('=== SUMMARY ==='))));
  return { scenarios, isAsExpected };
}

rmSync(results, { recursive: true, force: true });
const { SWITCHBOARD: ordinary, FIXTURES: withFixtures } = process.env;
const ordinaryTools = await withServer(ordinary, tools);
const isFixture = (name) => name.startsWith('test_') || name.startsWith('json_schema_');
if (ordinaryTools.length < 10 || ordinaryTools.some(isFixture)) {
  throw new Error(`a binary without the feature \`conformance\` must have at least 10 tools and no fixture tools, but has ${ordinaryTools}`);
}

await withServer(withFixtures, async (server, token) => {
  const fixtures = (await tools(server, token)).filter((name) => !ordinaryTools.includes(name));
  if (!fixtures.length || !fixtures.every(isFixture)) {
    throw new Error(`a binary with the feature \`conformance\` must add only \`test_\` and \`json_schema_\` tools, but adds ${fixtures}`);
  }
  const proxy = await startProxy(server.base, token);
  const all = new Set();
  for (const version of VERSIONS) {
    const { scenarios, isAsExpected } = await runScenarios(version, `${proxy.base}/mcp`);
    for (const scenario of scenarios) all.add(scenario);
    if (!isAsExpected) process.exitCode = 1;
  }
  if (!(await checkAuthorization(script, server))) process.exitCode = 1;
  const unknown = unknownEntries(all, baseline);
  if (unknown.length) throw new Error(`baseline.yaml lists scenarios that the suite does not have: ${unknown}`);
  await proxy.stop();
});
