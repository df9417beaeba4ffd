/** Which origins may post forms, and where a person may be sent after signing in. */
import { config } from '../../core/platform/config.ts'
import { Problem } from '../problems.ts'

const PUBLIC = new URL(config.PUBLIC_URL)

/** @throws Problem `forbidden` unless a form was posted by a page of this service */
export function requireOwnOrigin(request: Request): void {
  const origin = request.headers.get('origin') ?? ''
  if (origin === PUBLIC.origin) return
  const host = request.headers.get('host') ?? ''
  // Behind a proxy that ends TLS, the scheme of the request is not that of the page. For the public host it is known.
  if (host !== PUBLIC.host && [`http://${host}`, `https://${host}`].includes(origin)) return
  throw new Problem('forbidden', 'This form was not sent by a page of this service. Open the page again and repeat the action.')
}

/**
 * The path that a person is sent to after signing in, percent-encoded, as a `Location` header requires.
 *
 * @param next as given in the URL
 * @returns null unless it is a path on this origin
 */
export function ownPath(next: string | null | undefined): string | null {
  // Browsers read a backslash as a slash and drop control characters, so that both could name another host.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!next || !/^\/[^\\\x00-\x20\x7f]*$/.test(next)) return null
  const url = URL.parse(next, PUBLIC.origin)
  if (url?.origin !== PUBLIC.origin) return null
  const path = url.pathname + url.search + url.hash
  // Dots are resolved: `/.//host` has become `//host`, which is not a path.
  return path.startsWith('//') ? null : path
}

/** The page for signing in, which leads back to a path. */
export const signInPath = (next: string): string => `/sign-in?next=${encodeURIComponent(next)}`
