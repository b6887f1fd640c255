// Reads baseline.yaml, the list of expected failures: the MCP conformance suite tests features that the server does not
// offer.
import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

/**
 * Returns the expected failures of one protocol version, as the YAML text that the suite reads. `scenarios` are the
 * scenarios of the version; entries for other scenarios are left out. An entry is `scenario` or `scenario:check`.
 * Throws an error if a group of entries has no reason of at least 20 characters, or if an entry occurs twice in the
 * result.
 */
export function baselineFor(version, scenarios, file) {
  const groups = parse(readFileSync(file, 'utf8'));
  const server = [];
  for (const { reason, versions, failures } of groups) {
    if (typeof reason !== 'string' || reason.length < 20) throw new Error(`no reason for ${failures}`);
    if (versions && !versions.includes(version)) continue;
    server.push(...failures.filter((entry) => scenarios.includes(entry.split(':')[0])));
  }
  if (new Set(server).size !== server.length) throw new Error(`an entry occurs twice: ${server}`);
  return stringify({ server });
}

/** Returns the entries whose scenario is not in the set `scenarios`, the scenarios of all protocol versions. */
export function unknownEntries(scenarios, file) {
  const entries = parse(readFileSync(file, 'utf8')).flatMap(({ failures }) => failures);
  return entries.filter((entry) => !scenarios.has(entry.split(':')[0]));
}
