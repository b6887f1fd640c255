// A driver puts a real client behind lines of JSON, so that one story can be told to all of them (../driver.js):
// `{"do": "call", …}` comes in, `{"result": …}` or `{"error": {name, message}}` goes out.
// What a person with a browser does is asked of the desk (../stage.js).
import { createInterface } from 'node:readline';
import { visit as send } from '../../lib/desk.js';

/** The settings that ../driver.js gives every driver. */
export const settings = {
  /** The MCP endpoint. */
  url: process.env.MCP_URL,
  /** Which versions of the protocol to speak: `auto` or `legacy`. */
  mode: process.env.MCP_MODE,
  /** Where the browser is sent back to. */
  redirect: process.env.REDIRECT_URI,
  /** The client's metadata document; without one it registers. */
  document: process.env.METADATA_DOCUMENT || undefined,
  name: process.env.CLIENT_NAME,
  /** A folder that outlives the process, for tokens. */
  store: process.env.STORE,
};

/** Sends the employee's browser to a URL; gives where it ends. */
export async function visit(url) {
  const { location, text } = await send(url);
  if (!location) throw new Error(`the employee stays on a page: ${text}`);
  return location;
}

/** A tool's result as the story wants it. */
export const told = ({ structuredContent, content, isError }) => ({
  structured: structuredContent ?? null,
  text: content.filter(({ type }) => type === 'text').map(({ text }) => text).join('\n'),
  isError: isError ?? false,
});

/** A list of tools as the story wants it. */
export const listed = (tools) => tools.map(({ name, inputSchema, outputSchema, annotations }) => ({
  name,
  input: inputSchema,
  output: outputSchema ?? null,
  readOnly: annotations?.readOnlyHint ?? null,
}));

/** Serves the methods of an object until standard input ends. */
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
