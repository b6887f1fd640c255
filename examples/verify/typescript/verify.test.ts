import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { verify } from "./verify.ts";

interface Vector {
  name: string;
  secret: string;
  timestamp: string;
  signature: string;
  body_base64: string;
  now: number;
  expected: string;
}

// npm runs tests in the folder of package.json
const vectors: Vector[] = JSON.parse(readFileSync("../vectors.json", "utf8"));

test("vectors.json has vectors", () => assert.ok(vectors.length > 0));

for (const vector of vectors) {
  test(vector.name, () => {
    const body = Buffer.from(vector.body_base64, "base64");
    const refused = verify(vector.secret, vector.timestamp, vector.signature, body, vector.now);
    assert.equal(refused ?? "ok", vector.expected);
  });
}

test("missing headers are refused", () => {
  assert.equal(verify("whsec_x", undefined, "v1=", new Uint8Array()), "bad_timestamp");
  assert.equal(verify("whsec_x", "1", undefined, new Uint8Array()), "mismatch");
});
