// Listens on a free port, by default of the loopback address.
import net from 'node:net';

/** Starts to listen. Returns the port and `stop`. For an HTTP server, `stop` also closes its open connections. */
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
