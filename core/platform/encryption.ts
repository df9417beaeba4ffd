/** How stored secrets are encrypted: AES-256-GCM. Stored as `nonce (12 bytes), ciphertext, tag`. */
// Not Web Crypto: for short texts, handing them to another thread costs much more than the encryption.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Sql } from '../../sql/index.ts'
import { acrossTenants, unmarked } from '../../sql/reach.ts'

const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

export function encryptWith(key: Uint8Array, text: string): Uint8Array {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, key, nonce)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** @returns null if another key encrypted it */
export function decryptWith(key: Uint8Array, encrypted: Uint8Array): string | null {
  const end = encrypted.length - TAG
  const decipher = createDecipheriv(CIPHER, key, encrypted.subarray(0, NONCE))
  decipher.setAuthTag(encrypted.subarray(end))
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE, end)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

export const ENCRYPTED_COLUMNS: Record<string, string[]> = {
  deployment_hooks: ['secret', 'previous_secret', 'headers', 'template_secrets'],
  dispatches: ['encrypted_body'],
  notification_channels: ['secrets'],
  slack_clicks: ['response_url'],
  signing_keys: ['secret'],
  idempotency_keys: ['response'],
  totp_apps: ['secret'],
  totp_setups: ['secret'],
  sso_connections: ['client_secret'],
  github_apps: ['private_key', 'client_secret', 'webhook_secret', 'previous_webhook_secret'],
}

const KEYS: Record<string, [string, string]> = {
  idempotency_keys: ['caller_id', 'key'],
  totp_apps: ['user_id', 'user_id'],
  totp_setups: ['user_id', 'user_id'],
  sso_connections: ['id', 'id'],
  github_apps: ['id', 'id'],
}

/** The primary key of one of these tables. */
export const primaryKeyOf = (table: string): [string, string] => KEYS[table] ?? ['id', 'organization_id']

/** Marks statements about all rows of one of these tables. */
export const markOf = (table: string) => (primaryKeyOf(table)[1] === 'organization_id' ? acrossTenants : unmarked)

/** Rows that are tried of each table, the newest of those with an id. */
const TRIED = 20

/** Whether secrets are stored, and no key decrypts any of them. A part of them may have been lost earlier. */
export async function isForeign(sql: Sql, keys: readonly Uint8Array[]): Promise<boolean> {
  let found = false
  for (const [table, columns] of Object.entries(ENCRYPTED_COLUMNS)) {
    const [key] = primaryKeyOf(table)
    const rows = await markOf(table)(sql<Record<string, Uint8Array | null>[]>`
      select ${sql(columns)} from ${sql(table)} order by ${sql(key)} desc limit ${TRIED}
    `)
    const stored = rows.flatMap((row) => Object.values(row)).filter((value) => value !== null)
    if (stored.some((value) => keys.some((each) => decryptWith(each, value) !== null))) return false
    found ||= stored.length > 0
  }
  return found
}
