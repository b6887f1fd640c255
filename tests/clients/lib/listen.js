// Makes servers listen on free ports.
import net from 'node:net';

/**
 * Makes `server` listen on a free port of `host`. Returns the port, and the function `stop`, which closes the server.
 * For an HTTP server, `stop` also closes the open connections.
 */
export async function listen(server, host = '127.0.0.1') {
  await new Promise((resolve) => { server.listen(0, host, resolve); });
  const stop = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections?.();
  });
  return { port: server.address().port, stop };
}

/** Returns a free port. */
export async function freePort() {
  const { port, stop } = await listen(net.createServer());
  await stop();
  return port;
}
