/** Deliveries of GitHub: whether it has signed them, and what they say (https://docs.github.com/webhooks). */
import { createHmac } from 'node:crypto'
import type { StoredApp } from '../../core/github/app.ts'
import type { Sent } from '../../core/github/sent.ts'
import { decrypt } from '../../core/security/secrets.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'
import { isObject } from '../../core/values/json.ts'

export interface Delivery {
  /** The origin of GitHub. */
  url: string
  guid: string
  installation_id: number
  event: string
  action: string | null
  payload: Sent
}

/** Whether a secret of the app that verifies has signed the bytes. */
export async function isSigned(app: StoredApp, signature: string | null, bytes: Uint8Array): Promise<boolean> {
  const [, given = ''] = /^sha256=([0-9a-f]{64})$/.exec(signature ?? '') ?? []
  if (given === '') return false
  for (const encrypted of [app.webhook_secret, app.previous_webhook_secret]) {
    if (encrypted === null) continue
    const expected = createHmac('sha256', await decrypt(encrypted))
      .update(bytes)
      .digest()
    if (equalInConstantTime(Buffer.from(given, 'hex'), expected)) return true
  }
  return false
}

/** The payload, which is JSON or, in a form, the field `payload`. @returns null if it is no object */
export function payloadIn(bytes: Uint8Array, isForm: boolean): Sent | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const payload: unknown = JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text)
    return isObject(payload) ? payload : null
  } catch {
    return null
  }
}
