// Real MCP clients connect as an employee's assistant, and each lives through the same story (story.js).
import os from 'node:os';
import { describe, it } from 'node:test';
import { story } from './story.js';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

// what each is, and what it is known by at first
const clients = [
  { name: 'Python SDK', file: 'python_sdk.py', mode: 'auto', version: MODERN, known: 'registration' },
  { name: 'Python SDK, legacy', file: 'python_sdk.py', mode: 'legacy', version: LEGACY, known: 'document' },
  { name: 'TypeScript client', file: 'typescript.js', mode: 'auto', version: MODERN, known: 'document' },
  { name: 'TypeScript client, legacy', file: 'typescript.js', mode: 'legacy', version: LEGACY, known: 'registration' },
  { name: 'TypeScript SDK 1', file: 'typescript_v1.js', mode: 'legacy', version: LEGACY, known: 'registration' },
  { name: 'FastMCP', file: 'fastmcp_client.py', mode: 'auto', version: MODERN, known: 'registration' },
  { name: 'FastMCP, legacy', file: 'fastmcp_client.py', mode: 'legacy', version: LEGACY, known: 'document' },
  { name: 'Inspector', file: 'inspector.js', mode: 'auto', version: MODERN, known: 'document' },
  { name: 'Inspector, legacy', file: 'inspector.js', mode: 'legacy', version: LEGACY, known: 'registration' },
];

describe('MCP clients', { concurrency: Math.max(2, os.availableParallelism()) }, () => {
  for (const client of clients) {
    it(client.name, (t) => story(client, (text) => t.diagnostic(text)));
  }
});
