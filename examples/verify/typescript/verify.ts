// Verifies the signatures of Switchboard's events. Needs Node.js only.
//
//   const refused = verify(secret, headers["x-service-timestamp"], headers["x-service-signature"], body);
//   if (refused) return respond(401);
//   // only now parse the body, and handle each event id once
//
// `body` must be the raw bytes as they were received: with Express, `express.raw({ type: "application/json" })`.

import { createHmac, timingSafeEqual } from "node:crypto";

/** Maximum age of a timestamp, in seconds. Older timestamps are refused. */
export const TOLERANCE = 5 * 60;

export type Refused = "bad_timestamp" | "mismatch" | "too_old";

/** Checks one request; returns the reason why it is refused, or null if it is genuine. `now` is Unix time in seconds. */
export function verify(
  secret: string,
  timestamp: string | undefined,
  signature: string | undefined,
  body: Uint8Array,
  now: number = Math.floor(Date.now() / 1000),
): Refused | null {
  if (timestamp === undefined || !/^[0-9]+$/.test(timestamp)) return "bad_timestamp";

  const expected = Buffer.from("v1=" + createHmac("sha256", secret).update(timestamp + ".").update(body).digest("hex"));
  // for 24 hours after a rotation of the secret, the header has two values; one match suffices
  const right = (signature ?? "").split(",").some((value) => {
    const given = Buffer.from(value.trim());
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!right) return "mismatch";

  return now - Number(timestamp) > TOLERANCE ? "too_old" : null;
}
