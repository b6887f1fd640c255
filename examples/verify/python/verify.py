"""Verifies the signatures of Switchboard's events. Needs the standard library only.

    try:
        headers = request.headers
        verify(secret, headers.get("X-Service-Timestamp"), headers.get("X-Service-Signature"), request.body)
    except Refused:
        return respond(401)
    # only now parse the body, and handle each event id once

`body` must be the raw bytes as they were received: `request.get_data()` in Flask, `await request.body()` in FastAPI.
"""

import hashlib
import hmac
import re
import time
from typing import Optional

TOLERANCE = 5 * 60
"""Maximum age of a timestamp, in seconds. Older timestamps are refused."""


class Refused(Exception):
    """The request is not genuine; `reason` is bad_timestamp, mismatch or too_old."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def verify(
    secret: str, timestamp: Optional[str], signature: Optional[str], body: bytes, now: Optional[float] = None
) -> None:
    """Checks one request, and raises Refused unless it is genuine. Pass None for a header that the request lacks.
    `now` is Unix time in seconds."""
    if timestamp is None or not re.fullmatch(r"[0-9]+", timestamp):
        raise Refused("bad_timestamp")

    mac = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    expected = ("v1=" + mac.hexdigest()).encode()
    # for 24 hours after a rotation of the secret, the header has two values; one match suffices
    values = [value.strip().encode() for value in (signature or "").split(",")]
    if not any(hmac.compare_digest(expected, value) for value in values):
        raise Refused("mismatch")

    if (time.time() if now is None else now) - int(timestamp) > TOLERANCE:
        raise Refused("too_old")
