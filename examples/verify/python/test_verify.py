import base64
import json
import pathlib
import unittest

from verify import Refused, verify

VECTORS = pathlib.Path(__file__).parent.parent / "vectors.json"


class Vectors(unittest.TestCase):
    def test_every_vector_has_the_expected_result(self) -> None:
        vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
        self.assertTrue(vectors)
        for vector in vectors:
            with self.subTest(vector["name"]):
                body = base64.b64decode(vector["body_base64"])
                try:
                    verify(vector["secret"], vector["timestamp"], vector["signature"], body, vector["now"])
                    found = "ok"
                except Refused as refused:
                    found = refused.reason
                self.assertEqual(found, vector["expected"])

    def test_missing_headers_are_refused(self) -> None:
        for timestamp, signature, reason in [(None, "v1=", "bad_timestamp"), ("1", None, "mismatch")]:
            with self.assertRaises(Refused) as refused:
                verify("whsec_x", timestamp, signature, b"")
            self.assertEqual(refused.exception.reason, reason)


if __name__ == "__main__":
    unittest.main()
