// The driver of version 2 of MCP's TypeScript SDK, the npm package @modelcontextprotocol/client.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { listed, serve, settings, outcome } from './lines.js';
import { Provider } from './provider.js';

const provider = new Provider();
let client;
let transport;

async function open() {
  // if the previous client were not closed, it would reopen its stream
  await client?.close();
  transport = new StreamableHTTPClientTransport(new URL(settings.url), { authProvider: provider });
  client = new Client({ name: settings.name, version: '1.0.0' }, { versionNegotiation: { mode: settings.mode } });
  await client.connect(transport);
}

/** Runs an action. If the SDK requires authorization, makes the employee decide and runs the action again. */
async function authorized(action) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await provider.decision());
    return action();
  }
}

await serve({
  async connect() {
    await authorized(open);
    return { version: client.getNegotiatedProtocolVersion(), server: client.getServerVersion()?.name };
  },
  // `refresh` ignores the SDK's cache, which may have the list of tools that the previous token allowed
  list: async () => listed((await authorized(() => client.listTools(undefined, { cacheMode: 'refresh' }))).tools),
  call: async ({ tool, arguments: given }) => outcome(await authorized(() => client.callTool({ name: tool, arguments: given }))),
  // the test has moved the server's clock; this has no effect on the SDK, which does not check the expiry of tokens
  advance() {},
  close: () => client.close(),
});
