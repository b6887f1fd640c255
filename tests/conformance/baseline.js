// Reads the expected failures (baseline.yaml): those of features that the suite tests and the server does not offer.
import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

/**
 * Returns the expected failures of a protocol version in the suite's format. `scenarios` are the scenarios of the
 * version. Entries for other scenarios are left out. Throws an error if a group has no reason of at least 20
 * characters, or if an entry of the version occurs twice.
 */
export function baselineFor(version, scenarios, file) {
  const groups = parse(readFileSync(file, 'utf8'));
  const server = [];
  for (const { reason, versions, failures } of groups) {
    if (typeof reason !== 'string' || reason.length < 20) throw new Error(`no reason for ${failures}`);
    if (versions && !versions.includes(version)) continue;
    server.push(...failures.filter((entry) => scenarios.includes(entry.split(':')[0])));
  }
  if (new Set(server).size !== server.length) throw new Error(`named twice: ${server}`);
  return stringify({ server });
}

/** Returns the entries for scenarios that no version has. */
export function unknownEntries(scenarios, file) {
  const entries = parse(readFileSync(file, 'utf8')).flatMap(({ failures }) => failures);
  return entries.filter((entry) => !scenarios.has(entry.split(':')[0]));
}
