/**
 * Verifies an attestation of Signalbox, in Node 18 or newer, or Bun; no dependencies, no network.
 *
 *   node verify-attestation.mjs attestation.json key.pem gitCommit:7d3f1f0b… production "$PROJECT_ID"
 */
import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** @returns {string | null} why the attestation does not allow the digest in the environment of the project; null if it does */
function refusal(envelope, key, digest, environment, project_id) {
  const { payloadType, payload, signatures } = JSON.parse(envelope)
  const body = Buffer.from(payload, 'base64')
  // What is signed: the pre-authentication encoding of DSSE.
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `), body])
  if (!signatures.some(({ sig }) => verify('sha256', signed, key, Buffer.from(sig, 'base64'))))
    return 'the signature does not match'
  if (payloadType !== 'application/vnd.in-toto+json') return 'this is no in-toto statement'
  const { predicateType, subject, predicate } = JSON.parse(body)
  if (predicateType !== 'https://in-toto.io/attestation/svr/v0.1') return 'this is no verification result'
  const [algorithm, hex = ''] = digest.split(':')
  if (!subject.some((each) => each.digest[algorithm] === hex)) return `this is not about ${digest}`
  // The key signs for all projects of the organization.
  if (predicate.signalbox?.project_id !== project_id) return 'this is for another project'
  const lacking = ['SIGNALBOX_APPROVED', `SIGNALBOX_ENVIRONMENT_${environment}`].find(
    (each) => !predicate.properties.includes(each),
  )
  return lacking ? `this lacks ${lacking}` : null
}

const [, , envelopeFile, keyFile, digest, environment, project_id] = process.argv
const reason = project_id
  ? refusal(readFileSync(envelopeFile, 'utf8'), readFileSync(keyFile), digest, environment, project_id)
  : 'usage: verify-attestation.mjs ATTESTATION KEY DIGEST ENVIRONMENT PROJECT_ID'
console.log(reason ?? 'ok')
process.exitCode = reason ? 1 : 0
