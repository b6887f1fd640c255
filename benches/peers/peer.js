// An authorization server with which Switchboard is compared: npm's oidc-provider, with everything in memory. Both are
// measured with the same flow: public clients, authorization codes with PKCE, and refresh tokens that rotate. Only the
// token endpoint is measured, so this program creates the codes itself, on request.
//
//   node peer.js      prints the port on which it listens
//   POST /prepare {"clients": N, "codes": M}     returns a list of M codes; code i is for client i modulo N
import http from 'node:http';
import { Provider } from 'oidc-provider';

const redirect = 'http://127.0.0.1:1/callback';
// the PKCE challenge of RFC 7636, appendix B
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** A minimal adapter for oidc-provider: an in-memory map for each model. */
class Memory {
  static grants = new Map();

  constructor(kind) {
    this.kind = kind;
    this.entries = new Map();
  }

  async upsert(id, payload) {
    this.entries.set(id, payload);
    if (payload.grantId) {
      if (!Memory.grants.has(payload.grantId)) Memory.grants.set(payload.grantId, []);
      Memory.grants.get(payload.grantId).push([this.entries, id]);
    }
  }

  async find(id) { return this.entries.get(id); }

  async consume(id) { this.entries.get(id).consumed = Math.floor(Date.now() / 1000); }

  async destroy(id) { this.entries.delete(id); }

  async revokeByGrantId(grantId) {
    for (const [entries, id] of Memory.grants.get(grantId) ?? []) entries.delete(id);
    Memory.grants.delete(grantId);
  }

  async findByUid() { return undefined; }

  async findByUserCode() { return undefined; }
}

const adapters = new Map();
const adapter = function adapter(kind) {
  if (!adapters.has(kind)) adapters.set(kind, new Memory(kind));
  return adapters.get(kind);
};

const clients = Array.from({ length: 64 }, (_, n) => ({
  client_id: `client${n}`, token_endpoint_auth_method: 'none', redirect_uris: [redirect], application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
}));

const server = http.createServer();
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const { port } = server.address();
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter, clients,
  scopes: ['service:read', 'service:write'],
  features: { devInteractions: { enabled: false } },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  ttl: { AccessToken: 3600, AuthorizationCode: 600, RefreshToken: 30 * 24 * 3600, Grant: 30 * 24 * 3600 },
});

async function prepare({ clients: count, codes }) {
  const made = [];
  for (let n = 0; n < codes; n += 1) {
    const client = await provider.Client.find(`client${n % count}`);
    const accountId = `person${n}`;
    const grant = new provider.Grant({ accountId, clientId: client.clientId });
    grant.addOIDCScope('service:read service:write');
    const grantId = await grant.save();
    const code = new provider.AuthorizationCode({
      accountId, client, grantId, redirectUri: redirect, scope: 'service:read service:write',
      codeChallenge: challenge, codeChallengeMethod: 'S256', gty: 'authorization_code',
    });
    made.push(await code.save());
  }
  return made;
}

const callback = provider.callback();
server.on('request', (request, answer) => {
  if (request.url !== '/prepare') return callback(request, answer);
  let text = '';
  request.on('data', (part) => { text += part; });
  request.on('end', async () => {
    const body = JSON.stringify(await prepare(JSON.parse(text)));
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  });
  return undefined;
});
console.log(port);
