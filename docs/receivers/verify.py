"""Verifies both signatures of a request from Signalbox, in Python 3.8 or newer; no dependencies.

    SIGNALBOX_SECRET=whsec_... python3 verify.py headers.txt body.json
"""

import base64
import hashlib
import hmac
import os
import re
import sys
import time

TOLERANCE_SECONDS = 300  # An older request may be a replay.
SECONDS = re.compile(r"(0|[1-9][0-9]{0,10})")  # Whole seconds since 1970, in one spelling.


def key_of(secret):
    """After whsec_ the key is base64; otherwise the key is the secret itself."""
    if secret.startswith("whsec_"):
        encoded = secret[len("whsec_") :]
        return base64.b64decode(encoded + "=" * (-len(encoded) % 4))
    return secret.encode()


def refusal(secret, headers, body, now=None):
    """Returns why a request must be rejected; None if it is from Signalbox.

    headers: names in lower case. body: the raw bytes, before anything parsed them.
    """

    def mac(message):
        return hmac.new(key_of(secret), message, hashlib.sha256)

    def fits(given, expected):  # Constant time.
        return hmac.compare_digest(given.encode(), expected.encode())

    # During a rotation, the old secret signs as well.
    github = [headers.get("x-signalbox-signature", ""), headers.get("x-signalbox-signature-previous", "")]
    expected = "sha256=" + mac(body).hexdigest()
    if not any(fits(each, expected) for each in github):
        return "X-Signalbox-Signature does not match"

    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not SECONDS.fullmatch(timestamp) or abs((now or time.time()) - int(timestamp)) > TOLERANCE_SECONDS:
        return "webhook-timestamp is too old, or in the future"
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    standard = "v1," + base64.b64encode(mac(signed).digest()).decode()
    if not any(fits(each, standard) for each in headers.get("webhook-signature", "").split(" ")):
        return "webhook-signature does not match"
    return None


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        pairs = [line.strip().split(":", 1) for line in file if ":" in line]
    with open(sys.argv[2], "rb") as file:
        reason = refusal(os.environ["SIGNALBOX_SECRET"], {name.lower(): value.strip() for name, value in pairs}, file.read())
    print(reason or "ok")
    sys.exit(1 if reason else 0)
