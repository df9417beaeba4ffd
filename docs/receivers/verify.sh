#!/bin/sh
# Verifies both signatures of a request from Signalbox with openssl.
#
#   SIGNALBOX_SECRET=whsec_… sh verify.sh headers.txt body.json
set -eu
headers=$1 body=$2

header() { tr -d '\r' <"$headers" | sed -n "s/^$1: *//Ip" | head -n 1; }
hex() { od -An -v -tx1 | tr -d ' \n'; }

# After whsec_ the key is base64; otherwise the key is the secret itself.
case $SIGNALBOX_SECRET in
  whsec_*) key=$(printf %s "${SIGNALBOX_SECRET#whsec_}" | openssl base64 -d -A | hex) ;;
  *) key=$(printf %s "$SIGNALBOX_SECRET" | hex) ;;
esac
mac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary; }

# Compares HMACs under a random key, so that the duration reveals nothing about the signature.
nonce=$(openssl rand -hex 16)
blind() { printf %s "$1" | openssl dgst -sha256 -hmac "$nonce" -r; }
fits() { [ "$(blind "$1")" = "$(blind "$2")" ]; }
refuse() { echo "$1"; exit 1; }

# During a rotation, the old secret signs as well.
expected="sha256=$(mac <"$body" | hex)"
fits "$(header x-signalbox-signature)" "$expected" || fits "$(header x-signalbox-signature-previous)" "$expected" ||
  refuse 'X-Signalbox-Signature does not match'

id=$(header webhook-id) timestamp=$(header webhook-timestamp)
# Whole seconds since 1970, in one spelling.
case $timestamp in '' | *[!0-9]* | 0?* | ????????????*) refuse 'webhook-timestamp is too old, or in the future' ;; esac
age=$(($(date +%s) - timestamp))
[ "${age#-}" -le 300 ] || refuse 'webhook-timestamp is too old, or in the future'

expected="v1,$({ printf '%s.%s.' "$id" "$timestamp"; cat "$body"; } | mac | openssl base64 -A)"
# Separated by spaces alone; no word is a pattern of files.
set -f
IFS=' '
for each in $(header webhook-signature); do
  if fits "$each" "$expected"; then echo ok; exit 0; fi
done
refuse 'webhook-signature does not match'
