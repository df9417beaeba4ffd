"""Verifies an attestation of Signalbox, in Python 3.8 or newer; no dependencies, no network.

    python3 verify-attestation.py attestation.json key.pem gitCommit:7d3f1f0b... production "$PROJECT_ID"
"""

import base64
import hashlib
import json
import sys

# The curve P-256, which Python's standard library does not have.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
KEY_HEAD = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and a != b:
        return None
    slope = 3 * (a[0] ** 2 - 1) * pow(2 * a[1], -1, P) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope**2 - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def times(factor, point):
    result = None
    for bit in bin(factor)[2:]:
        result = add(add(result, result), point if bit == "1" else None)
    return result


def verifies(pem, signed, signature):
    key = base64.b64decode("".join(line for line in pem.splitlines() if "-" not in line))
    if len(key) != 91 or not key.startswith(KEY_HEAD) or len(signature) < 8:
        return False
    point = (int.from_bytes(key[27:59], "big"), int.from_bytes(key[59:], "big"))
    # DER: a sequence of two integers.
    middle = 4 + signature[3]
    r, s = int.from_bytes(signature[4:middle], "big"), int.from_bytes(signature[middle + 2 :], "big")
    if not (0 < r < N and 0 < s < N):
        return False
    digest, inverse = int.from_bytes(hashlib.sha256(signed).digest(), "big"), pow(s, -1, N)
    found = add(times(digest * inverse % N, G), times(r * inverse % N, point))
    return found is not None and found[0] % N == r


def refusal(envelope, pem, digest, environment, project_id):
    """Returns why the attestation does not allow the digest in the environment of the project; None if it does."""
    kind, body = envelope["payloadType"], base64.b64decode(envelope["payload"])
    # What is signed: the pre-authentication encoding of DSSE.
    signed = f"DSSEv1 {len(kind)} {kind} {len(body)} ".encode() + body
    if not any(verifies(pem, signed, base64.b64decode(each["sig"])) for each in envelope["signatures"]):
        return "the signature does not match"
    if kind != "application/vnd.in-toto+json":
        return "this is no in-toto statement"
    statement = json.loads(body)
    if statement["predicateType"] != "https://in-toto.io/attestation/svr/v0.1":
        return "this is no verification result"
    algorithm, _, value = digest.partition(":")
    if not any(each["digest"].get(algorithm) == value for each in statement["subject"]):
        return f"this is not about {digest}"
    # The key signs for all projects of the organization.
    if statement["predicate"]["signalbox"]["project_id"] != project_id:
        return "this is for another project"
    wanted = ["SIGNALBOX_APPROVED", f"SIGNALBOX_ENVIRONMENT_{environment}"]
    lacking = [each for each in wanted if each not in statement["predicate"]["properties"]]
    return f"this lacks {lacking[0]}" if lacking else None


if __name__ == "__main__":
    if len(sys.argv) != 6 or not sys.argv[5]:
        sys.exit("usage: verify-attestation.py ATTESTATION KEY DIGEST ENVIRONMENT PROJECT_ID")
    with open(sys.argv[1], encoding="utf-8") as given, open(sys.argv[2], encoding="utf-8") as key:
        reason = refusal(json.load(given), key.read(), *sys.argv[3:])
    print(reason or "ok")
    sys.exit(1 if reason else 0)
