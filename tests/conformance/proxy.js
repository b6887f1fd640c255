// The MCP conformance suite cannot obtain an access token. This proxy adds an employee's access token to the suite's
// requests and forwards them.
import http from 'node:http';
import { listen } from '../clients/lib/listen.js';

/** Starts the proxy on a free port, and returns its base URL. */
export async function startProxy(target, token) {
  const proxy = http.createServer((request, answer) => {
    const headers = [...request.rawHeaders, 'Authorization', `Bearer ${token}`];
    const onward = http.request(new URL(request.url, target), { method: request.method, headers }, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    // if the suite disconnects, the proxy disconnects from the server as well
    answer.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  const { port, stop } = await listen(proxy);
  return { base: `http://127.0.0.1:${port}`, stop };
}
