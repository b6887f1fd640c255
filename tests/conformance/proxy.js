// The suite cannot sign in: this passes its requests on with an employee's token.
import http from 'node:http';

/** Starts it on a free port; gives its base URL. */
export async function startProxy(target, token) {
  const proxy = http.createServer((request, answer) => {
    const headers = [...request.rawHeaders, 'Authorization', `Bearer ${token}`];
    const onward = http.request(new URL(request.url, target), { method: request.method, headers }, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    // a client that leaves is to leave here too
    answer.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise((resolve) => { proxy.listen(0, '127.0.0.1', resolve); });
  const stop = () => new Promise((resolve) => {
    proxy.close(resolve);
    proxy.closeAllConnections();
  });
  return { base: `http://127.0.0.1:${proxy.address().port}`, stop };
}
