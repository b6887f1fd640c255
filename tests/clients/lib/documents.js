// A website of OAuth clients under test: serves their metadata documents over HTTPS. A document's URL is the client id.
import https from 'node:https';
import { listen } from './listen.js';

/**
 * Starts the website on a free port. Returns its host with the port, and the functions `publish` and `stop`. `publish`
 * serves a document with the given members at a path, and returns the document's URL.
 */
export async function startDocuments({ key, cert }) {
  const documents = new Map();
  const server = https.createServer({ key, cert }, (request, answer) => {
    const found = documents.get(request.url);
    if (!found) return answer.writeHead(404).end();
    return answer.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=300' }).end(JSON.stringify(found));
  });
  const { port, stop } = await listen(server);
  const host = `127.0.0.1:${port}`;
  const publish = (where, members) => {
    const url = `https://${host}${where}`;
    documents.set(where, { client_id: url, token_endpoint_auth_method: 'none', ...members });
    return url;
  };
  return { host, publish, stop };
}
