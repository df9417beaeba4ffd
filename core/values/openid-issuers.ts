/** OpenID providers at which everybody has an account: without a claim that says whose it is, everybody could sign in. */
import { bareName } from './web-addresses.ts'

const CLAIMS: Record<string, string> = { 'accounts.google.com': 'hd', 'gitlab.com': 'groups_direct' }

/** The claim that an issuer requires, and that is not among the given ones; null if none is missing. */
export function missingClaim(issuer: string, claims: Record<string, string[]>): string | null {
  const host = bareName(URL.parse(issuer)?.hostname ?? '')
  const claim = Object.hasOwn(CLAIMS, host) ? CLAIMS[host] : undefined
  return claim === undefined || Object.hasOwn(claims, claim) ? null : claim
}
