// A client's own website: serves metadata documents over HTTPS, as their URLs name them.
import https from 'node:https';

/** Starts it on a free port. `publish` puts a document under a path and gives its URL, which is the client id. */
export async function startDocuments({ key, cert }) {
  const documents = new Map();
  const server = https.createServer({ key, cert }, (request, answer) => {
    const found = documents.get(request.url);
    if (!found) return answer.writeHead(404).end();
    return answer.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=300' }).end(JSON.stringify(found));
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const host = `127.0.0.1:${server.address().port}`;
  const publish = (where, members) => {
    const url = `https://${host}${where}`;
    documents.set(where, { client_id: url, token_endpoint_auth_method: 'none', ...members });
    return url;
  };
  const stop = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return { host, publish, stop };
}
