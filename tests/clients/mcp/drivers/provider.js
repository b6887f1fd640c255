// The `OAuthClientProvider` that an application passes to the TypeScript SDKs. It has the client's metadata, stores the
// tokens, and opens the authorization URL.
import { readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { settings, visit } from './lines.js';

export class Provider {
  #file = path.join(settings.store, 'oauth.json');
  #kept = {};
  #url;

  clientMetadataUrl = settings.document;

  constructor() {
    try {
      this.#kept = JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }

  #keep(members) {
    Object.assign(this.#kept, members);
    writeFileSync(this.#file, JSON.stringify(this.#kept));
  }

  get redirectUrl() { return settings.redirect; }

  get clientMetadata() {
    return {
      client_name: settings.name,
      redirect_uris: [settings.redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state() { return randomUUID(); }
  clientInformation() { return this.#kept.client; }
  saveClientInformation(client) { this.#keep({ client }); }
  tokens() { return this.#kept.tokens; }
  saveTokens(tokens) { this.#keep({ tokens }); }
  codeVerifier() { return this.#kept.verifier; }
  saveCodeVerifier(verifier) { this.#keep({ verifier }); }
  redirectToAuthorization(url) { this.#url = url; }

  /** Deletes credentials that the SDK found to be invalid. */
  invalidateCredentials(what) {
    const names = { all: ['client', 'tokens', 'verifier'], client: ['client'], tokens: ['tokens'], verifier: ['verifier'] }[what] ?? [];
    this.#keep(Object.fromEntries(names.map((name) => [name, undefined])));
  }

  /** Makes the employee decide about the latest authorization request. Returns the parameters of the redirect. */
  async decision() {
    const answer = new URL(await visit(this.#url)).searchParams;
    if (answer.get('state') !== this.#url.searchParams.get('state')) throw new Error('the redirect does not have the `state` of the request');
    if (answer.has('error')) throw new Error(`authorization failed: ${answer.get('error')}`);
    return answer;
  }
}
