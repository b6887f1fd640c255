// npm @modelcontextprotocol/client 2.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { listed, serve, settings, told } from './lines.js';
import { Provider } from './provider.js';

const provider = new Provider();
let client;
let transport;

async function open() {
  transport = new StreamableHTTPClientTransport(new URL(settings.url), { authProvider: provider });
  client = new Client({ name: settings.name, version: '1.0.0' }, { versionNegotiation: { mode: settings.mode } });
  await client.connect(transport);
}

/** Does something; when the SDK wants the employee to decide first, has them decide and does it once more. */
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
  // the list that was kept is of the token before
  list: async () => listed((await authorized(() => client.listTools(undefined, { cacheMode: 'refresh' }))).tools),
  call: async ({ tool, arguments: given }) => told(await authorized(() => client.callTool({ name: tool, arguments: given }))),
  // it judges no token by the clock
  advance() {},
  close: () => client.close(),
});
