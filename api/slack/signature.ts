/** Verifies that a request comes from Slack (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '../../core/security/tokens.ts'

/** Seconds that the timestamp of a request may differ from our clock. */
const TOLERANCE = 300

/**
 * Whether a request is signed with one of the secrets, and is recent.
 *
 * @param body the raw body
 * @param now seconds since 1970
 */
export function isSignedBySlack(headers: Headers, body: Uint8Array, secrets: readonly string[], now: number): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  const given = headers.get('x-slack-signature') ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE) return false
  return secrets.some((secret) => {
    const expected = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`
    return equalInConstantTime(given, expected)
  })
}
