// The driver of version 1 of MCP's TypeScript SDK, the npm package @modelcontextprotocol/sdk.
import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { listed, serve, settings, outcome } from './lines.js';
import { Provider } from './provider.js';

const provider = new Provider();
let client;
let transport;
let version;

async function open() {
  // if the previous client were not closed, it would reopen its stream
  await client?.close();
  transport = new StreamableHTTPClientTransport(new URL(settings.url), { authProvider: provider });
  const { setProtocolVersion } = transport;
  transport.setProtocolVersion = (agreed) => {
    version = agreed;
    setProtocolVersion.call(transport, agreed);
  };
  client = new Client({ name: settings.name, version: '1.0.0' });
  await client.connect(transport);
}

async function authorized(action) {
  try {
    return await action();
  } catch (error) {
    if (error.code === 403 && /upscoping/.test(error.message)) {
      // The SDK has refreshed its token to get more scopes. A refresh cannot add scopes (RFC 6749 §6). So this driver,
      // like every application, has to request authorization again.
      provider.invalidateCredentials('tokens');
      await auth(provider, { serverUrl: settings.url, scope: 'service:read service:write' });
    } else if (!(error instanceof UnauthorizedError)) {
      throw error;
    }
    await transport.finishAuth((await provider.decision()).get('code'));
    return action();
  }
}

await serve({
  async connect() {
    await authorized(open);
    return { version, server: client.getServerVersion()?.name };
  },
  list: async () => listed((await authorized(() => client.listTools())).tools),
  call: async ({ tool, arguments: given }) => outcome(await authorized(() => client.callTool({ name: tool, arguments: given }))),
  // the test has moved the server's clock; this has no effect on the SDK, which does not check the expiry of tokens
  advance() {},
  close: () => client.close(),
});
