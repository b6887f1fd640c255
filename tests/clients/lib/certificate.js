// Creates a certificate authority for one run, and a server certificate for the loopback address. The authority signs
// the server certificate. Uses the program `openssl`.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const openssl = (...args) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });

/**
 * Creates both certificates in `folder`. Returns the path of the authority's certificate, and the server's key and
 * certificate as PEM.
 */
export function makeCertificate(folder) {
  const at = (name) => path.join(folder, name);
  const key = (name) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', at(`${name}.key`)];
  writeFileSync(at('server.ext'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\n');
  openssl('req', '-x509', ...key('ca'), '-out', at('ca.pem'), '-days', '2', '-subj', '/CN=Switchboard client tests', '-addext', 'keyUsage=critical,keyCertSign,cRLSign');
  openssl('req', ...key('server'), '-out', at('server.csr'), '-subj', '/CN=localhost');
  openssl('x509', '-req', '-in', at('server.csr'), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2', '-extfile', at('server.ext'), '-out', at('server.pem'));
  return { authority: at('ca.pem'), key: readFileSync(at('server.key')), cert: readFileSync(at('server.pem')) };
}
