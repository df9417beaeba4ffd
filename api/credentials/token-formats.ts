/**
 * The formats of tokens: a prefix, such as `sbx_pat_` of personal tokens, 30 random base-62 digits, and a checksum of 6 digits. Mistyped or
 * invented tokens are rejected without a query, and secret scanners can recognize leaked ones reliably.
 */

export const PREFIX = 'sbx_pat_'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 30
const CHECKSUM_DIGITS = 6

function checksum(body: string): string {
  let rest = Bun.hash.crc32(body)
  let digits = ''
  for (let digit = 0; digit < CHECKSUM_DIGITS; digit++) {
    digits = DIGITS.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** A token that begins with a text: 178 random bits, and the checksum of both. */
function newTokenWith(beginning: string): string {
  let digits = ''
  while (digits.length < RANDOM_DIGITS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS))) {
      // 248 is four times 62: larger bytes would make the first digits more frequent.
      if (byte < 248 && digits.length < RANDOM_DIGITS) digits += DIGITS.charAt(byte % 62)
    }
  }
  const body = beginning + digits
  return body + checksum(body)
}

export const newToken = (): string => newTokenWith(PREFIX)

/** Whether a token has the right length and checksum, after a beginning of so many characters. */
function isIntact(token: string, beginning: number): boolean {
  const body = token.slice(0, -CHECKSUM_DIGITS)
  return body.length === beginning + RANDOM_DIGITS && token.slice(-CHECKSUM_DIGITS) === checksum(body)
}

export const isWellFormed = (token: string): boolean => token.startsWith(PREFIX) && isIntact(token, PREFIX.length)

/** Of what OAuth clients have. */
const BEGINNINGS = { code: 'sbx_oac_', access: 'sbx_oat_', refresh: 'sbx_ort_' }

type Kind = keyof typeof BEGINNINGS

export const newClientSecret = (kind: Kind): string => newTokenWith(BEGINNINGS[kind])

export const isClientSecret = (kind: Kind, text: string): boolean => text.startsWith(BEGINNINGS[kind])

/** Whether it also has the right length and checksum. */
export const isIntactSecret = (kind: Kind, text: string): boolean =>
  isClientSecret(kind, text) && isIntact(text, BEGINNINGS[kind].length)

/** Of keys of service accounts. The id of the organization follows, in 32 hexadecimal digits: a key is looked up where its account is. */
export const KEY_PREFIX = 'sbx_svc_'

const FORMAT = new RegExp(`^${KEY_PREFIX}([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})`)
const ORGANIZATION_DIGITS = 32

export const newServiceAccountKey = (organization_id: string): string =>
  newTokenWith(KEY_PREFIX + organization_id.replaceAll('-', ''))

/** The organization that a key names; undefined if it is malformed. */
export function organizationOfKey(key: string): string | undefined {
  if (!isIntact(key, KEY_PREFIX.length + ORGANIZATION_DIGITS)) return undefined
  return FORMAT.exec(key)?.slice(1).join('-')
}

/** Of tokens with which the dispatches of one pull hook are claimed and acknowledged. They have no checksum. */
export const PULL_PREFIX = 'sbx_pull_'

export const newPullToken = (): string =>
  PULL_PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

export const pullTokenHash = (token: string): Uint8Array => new Bun.CryptoHasher('sha256').update(token).digest()
