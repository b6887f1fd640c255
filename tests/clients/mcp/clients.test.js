// Published MCP clients connect as an employee's assistant. Each client runs the same scenario (scenario.js).
import os from 'node:os';
import { describe, it } from 'node:test';
import { LEGACY, runScenario } from './scenario.js';

const MODERN = '2026-07-28';

// `cutOff` is a pattern for the client's error after its connection was revoked and the employee denied a new
// connection. For clients without `cutOff`, the pattern is `access_denied`.

// FastMCP sometimes writes the reason of a failure only to its log. Its error is then `Connection closed`.
const FASTMCP = { file: 'fastmcp_client.py', cutOff: /Connection closed|access_denied/ };
// The Inspector starts a process for every command, so it connects for each call. To get more scopes, it has to sign in
// again (`needsRelogin`).
const INSPECTOR = { file: 'inspector.js', connectsForEveryCall: true, needsRelogin: true, cutOff: /the employee did not agree/ };

// `known` is the way in which a client first identifies itself: by dynamic registration or by a metadata document.
// `forgetsExpiry` means that a client that has connected again does not know when its stored tokens expire.
const clients = [
  { name: 'Python SDK', file: 'python_sdk.py', mode: 'auto', version: MODERN, known: 'registration' },
  { name: 'Python SDK, legacy', file: 'python_sdk.py', mode: 'legacy', version: LEGACY, known: 'document', forgetsExpiry: true },
  { name: 'TypeScript client', file: 'typescript.js', mode: 'auto', version: MODERN, known: 'document' },
  { name: 'TypeScript client, legacy', file: 'typescript.js', mode: 'legacy', version: LEGACY, known: 'registration' },
  { name: 'TypeScript SDK 1', file: 'typescript_v1.js', mode: 'legacy', version: LEGACY, known: 'registration' },
  { name: 'FastMCP', ...FASTMCP, mode: 'auto', version: MODERN, known: 'registration' },
  { name: 'FastMCP, legacy', ...FASTMCP, mode: 'legacy', version: LEGACY, known: 'document' },
  { name: 'Inspector', ...INSPECTOR, mode: 'auto', version: MODERN, known: 'document' },
  { name: 'Inspector, legacy', ...INSPECTOR, mode: 'legacy', version: LEGACY, known: 'registration' },
];

describe('MCP clients', { concurrency: os.availableParallelism() }, () => {
  for (const client of clients) {
    it(client.name, (t) => runScenario(client, (text) => t.diagnostic(text)));
  }
});
