/** OpenID providers. */
import { bareName } from './web-addresses.ts'

/** The connection of the whole instance, in place of the id of one of an organization. */
export const INSTANCE = '00000000-0000-0000-0000-000000000000'

/** Providers at which anyone has an account, with the claim that says whose it is: without it, anyone could sign in. */
const CLAIMS: Record<string, string> = { 'accounts.google.com': 'hd', 'gitlab.com': 'groups_direct' }

/** The claim that an issuer requires, and that is not among the given ones; null if none is missing. */
export function missingClaim(issuer: string, claims: Record<string, string[]>): string | null {
  const host = bareName(URL.parse(issuer)?.hostname ?? '')
  const claim = Object.hasOwn(CLAIMS, host) ? CLAIMS[host] : undefined
  return claim === undefined || Object.hasOwn(claims, claim) ? null : claim
}

/** Of Microsoft accounts that are of no company. */
const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** Whether an issuer is one at which anyone has an account, and no claim says whose it is. */
export const isForAnyone = (issuer: string): boolean => issuer.toLowerCase().includes(PERSONAL_TENANT)

/** Scopes as they are sent, from those that are typed; null if one is none, or `openid` is not among them. */
export function scopesIn(text: string): string | null {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.includes('openid') && words.every((word) => /^[!#-[\]-~]+$/.test(word)) ? words.join(' ') : null
}
