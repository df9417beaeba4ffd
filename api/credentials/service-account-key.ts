/**
 * The format of keys of service accounts: `sbx_svc_`, the id of the organization in 32 hexadecimal digits, then as in personal tokens.
 * With the organization, a key is looked up where its account is, wherever the organizations are.
 */
import { isIntact, newTokenWith } from './personal-token.ts'

export const KEY_PREFIX = 'sbx_svc_'

const FORMAT = new RegExp(`^${KEY_PREFIX}([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})`)
const ORGANIZATION_DIGITS = 32

/** A new key of an account of an organization, shown once. */
export const newServiceAccountKey = (organization_id: string): string =>
  newTokenWith(KEY_PREFIX + organization_id.replaceAll('-', ''))

/** The organization that a key names; undefined if it is malformed. */
export function organizationOfKey(key: string): string | undefined {
  if (!isIntact(key, KEY_PREFIX.length + ORGANIZATION_DIGITS)) return undefined
  return FORMAT.exec(key)?.slice(1).join('-')
}
