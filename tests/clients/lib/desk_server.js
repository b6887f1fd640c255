// The desk: an HTTP server that performs tasks for a client under test. A task is a POST with JSON. `desk.js` and
// `desk.py` call it.
import http from 'node:http';
import { listen } from './listen.js';

/**
 * Starts the desk. `tasks` maps a path to a function from the request body to the response body. Returns the URL of the
 * desk, and `stop`.
 */
export async function startDesk(tasks) {
  const { port, stop } = await listen(http.createServer(async (request, answer) => {
    const send = (status, body) => answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    try {
      const task = tasks[request.url];
      if (!task) throw new Error(`the desk has no task ${request.url}`);
      let text = '';
      request.setEncoding('utf8');
      for await (const part of request) text += part;
      send(200, await task(JSON.parse(text || '{}')));
    } catch (error) {
      send(500, { error: String(error) });
    }
  }));
  return { url: `http://127.0.0.1:${port}`, stop };
}
