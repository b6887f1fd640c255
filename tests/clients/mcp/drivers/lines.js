// A driver wraps a real client behind a line-delimited JSON protocol (../driver.js), so that one scenario can run with
// all clients. A request is `{"do": "call", …}`. A response is `{"result": …}` or `{"error": {name, message, cause}}`.
// Authorization URLs are opened by an HTTP server that acts as the employee. ../fixture.js starts this server, and the
// environment variable `DESK` has its URL.
import { createInterface } from 'node:readline';
import { visit as send } from '../../lib/desk.js';

/** The settings that ../driver.js gives every driver. */
export const settings = {
  /** The MCP endpoint. */
  url: process.env.MCP_URL,
  /** The protocol version that the client negotiates: `auto` for the newest one, `legacy` for one with sessions. */
  mode: process.env.MCP_MODE,
  /** The redirect URI. */
  redirect: process.env.REDIRECT_URI,
  /** The URL of the client's metadata document. A client without a document registers dynamically. */
  document: process.env.METADATA_DOCUMENT || undefined,
  name: process.env.CLIENT_NAME,
  /** A folder for tokens that are kept after the process ends. */
  store: process.env.STORE,
};

/** Opens an authorization URL as the employee, and returns the `Location` of the final redirect. */
export async function visit(url) {
  const { location, text } = await send(url);
  if (!location) throw new Error(`the last page does not redirect to the client: ${text}`);
  return location;
}

/** Converts the result of a tool to the members that ../scenario.js compares. */
export const outcome = ({ structuredContent, content, isError }) => ({
  structured: structuredContent ?? null,
  text: content.filter(({ type }) => type === 'text').map(({ text }) => text).join('\n'),
  isError: isError ?? false,
});

/** Converts a list of tools to the members that ../scenario.js compares. */
export const listed = (tools) => tools.map(({ name, inputSchema, outputSchema, annotations }) => ({
  name,
  input: inputSchema,
  output: outputSchema ?? null,
  readOnly: annotations?.readOnlyHint ?? null,
}));

/** Reads requests from standard input until it ends. For each request, calls the method of `client` that `do` names. */
export async function serve(client) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { do: task, ...given } = JSON.parse(line);
    let answer;
    try {
      answer = { result: (await client[task](given)) ?? null };
    } catch (error) {
      answer = { error: { name: error.name, message: error.message, cause: String(error.cause ?? '') } };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  process.exit(0);
}
