/** Which URLs can name an OAuth client, and to which its codes are sent. */
import { issuerUrlError } from '../trusts/issuers.ts'

const MAX_LENGTH = 2_000

/** Visible ASCII characters without a backslash, which browsers read as a slash, and without a fragment. */
const PLAIN = /^[!"$-[\]-~]+$/

/**
 * What is wrong with the URL of a metadata document. It must be written as browsers and servers write it, so that a client has one id.
 *
 * @returns the end of a sentence; null if nothing is
 */
export function clientUrlError(text: string): string | null {
  if (text.length > MAX_LENGTH || !PLAIN.test(text)) return 'must be a URL'
  const flaw = issuerUrlError(text)
  if (flaw !== null) return flaw
  const { href, pathname } = new URL(text)
  if (href !== text) return `must be written as ${href}`
  return pathname === '/' ? 'must have a path' : null
}

/** The port is chosen when the program starts (RFC 8252, section 7.3). */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1)(?::\d{1,5})?(\/.*)?$/

/** Whether a redirect URI leads to a program on the computer of the person. */
export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri)

/**
 * Where a redirect URI leads, as a Content-Security-Policy names it: an https origin, one of this computer, or the scheme of an app, which is
 * the reversed name of a domain (RFC 8252, section 7.1). The policy cannot name an IPv6 address.
 *
 * @returns null if codes are not sent there
 */
export function redirectTarget(uri: string): string | null {
  const url = uri.length <= MAX_LENGTH && PLAIN.test(uri) ? URL.parse(uri) : null
  if (!url || url.username || url.password) return null
  // A host may have characters that would end the policy.
  if (url.protocol === 'https:') return /^[a-z\d.-]+$/.test(url.hostname) ? url.origin : null
  if (url.protocol === 'http:') return isLoopback(uri) ? url.origin : null
  return /^[a-z][a-z\d-]*(\.[a-z\d-]+)+:$/.test(url.protocol) ? url.protocol : null
}

/** Whether a client that has listed a redirect URI may use another: the same one or, on this computer, one that differs in its port. */
export function isSameRedirect(listed: string, given: string): boolean {
  if (listed === given) return true
  const [one, other] = [LOOPBACK.exec(listed), LOOPBACK.exec(given)]
  return one !== null && other !== null && one[1] === other[1] && (one[2] ?? '/') === (other[2] ?? '/')
}

/** A redirect URI with parameters, in addition to its own. */
export const withParameters = (uri: string, parameters: Record<string, string>): string =>
  `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`
