"""Verifies a request from Signalbox with the public key of the hook, in Python 3.8 or newer.

Python's standard library has no Ed25519: install the package cryptography (pip install cryptography).

    SIGNALBOX_PUBLIC_KEY=whpk_... python3 verify-public-key.py headers.txt body.json
"""

import base64
import os
import re
import sys
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

TOLERANCE_SECONDS = 300  # An older request may be a replay.
SECONDS = re.compile(r"(0|[1-9][0-9]{0,10})")  # Whole seconds since 1970, in one spelling.
# 64 bytes in base64. b64decode skips characters that are none.
SIGNATURE = re.compile(r"v1a,([A-Za-z0-9+/]{85}[AQgw]==)")


def key_of(public_key):
    """After whpk_ the 32 bytes of the key are in base64."""
    encoded = public_key[len("whpk_") :] if public_key.startswith("whpk_") else public_key
    return Ed25519PublicKey.from_public_bytes(base64.b64decode(encoded))


def refusal(public_key, headers, body, now=None):
    """Returns why a request must be rejected; None if it is from Signalbox.

    headers: names in lower case. body: the raw bytes, before anything parsed them.
    """
    key = key_of(public_key)
    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not SECONDS.fullmatch(timestamp) or abs((now or time.time()) - int(timestamp)) > TOLERANCE_SECONDS:
        return "webhook-timestamp is too old, or in the future"

    signed = f"{webhook_id}.{timestamp}.".encode() + body
    # During a rotation there are two signatures. Those of other versions than v1a are not for this key.
    for each in headers.get("webhook-signature", "").split(" "):
        given = SIGNATURE.fullmatch(each)
        try:
            if given:
                key.verify(base64.b64decode(given[1]), signed)
                return None
        except InvalidSignature:
            pass
    return "webhook-signature does not match"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        pairs = [line.strip().split(":", 1) for line in file if ":" in line]
    with open(sys.argv[2], "rb") as file:
        given = {name.lower(): value.strip() for name, value in pairs}
        reason = refusal(os.environ["SIGNALBOX_PUBLIC_KEY"], given, file.read())
    print(reason or "ok")
    sys.exit(1 if reason else 0)
