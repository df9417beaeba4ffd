/** The URLs of pages: which origins may post forms, where signing in leads, which paths are those of pages, and their parameters. */
import { config } from '../../core/platform/config.ts'
import type { Static, TSchema } from '../../core/values/schema.ts'
import { isSameOrigin } from '../../core/values/web-addresses.ts'
import { withoutSlash } from '../plugins/request-context.ts'
import { signOnPath } from '../plugins/sign-on-problem.ts'
import { queryInput } from '../plugins/validation.ts'
import { Problem } from '../problems.ts'

const PUBLIC = new URL(config.PUBLIC_URL)

/** @throws Problem `forbidden` unless a form was posted by a page of this service */
export function requireOwnOrigin(request: Request): void {
  const origin = request.headers.get('origin') ?? ''
  if (isSameOrigin(origin, config.PUBLIC_URL)) return
  const host = request.headers.get('host') ?? ''
  // Behind a proxy that ends TLS, the scheme of the request differs from the scheme of the page. For the public host it is known.
  const isPublic = isSameOrigin(`${PUBLIC.protocol}//${host}`, config.PUBLIC_URL)
  if (!isPublic && ['http', 'https'].some((scheme) => isSameOrigin(`${scheme}://${host}`, origin))) return
  throw new Problem('forbidden', 'This form was not sent by a page of this service. Open the page again and repeat the action.')
}

/** The path to go to after signing in, percent-encoded, as a `Location` header requires; null for other origins. */
function ownPath(next: string | null | undefined): string | null {
  // Browsers read a backslash as a slash and drop control characters, so that both could name another host.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!next || !/^\/[^\\\x00-\x20\x7f]*$/.test(next)) return null
  const url = URL.parse(next, PUBLIC.origin)
  if (url?.origin !== PUBLIC.origin) return null
  const path = url.pathname + url.search + url.hash
  // Dots are resolved: `/.//host` has become `//host`, which is not a path.
  return path.startsWith('//') ? null : path
}

/** Where the person of a session signs on again, so that the provider asks for what proves who they are. */
export const signOnAgainPath = (opened_by: string | null, next: string): string =>
  opened_by === null ? '/sign-out' : `${signOnPath(opened_by)}?fresh=1&next=${encodeURIComponent(next)}`

/** Where a person confirms that it is they. */
export const confirmPath = (next: string): string => `/app/account/confirm?next=${encodeURIComponent(next)}`

export const signInPath = (next: string): string => `/sign-in?next=${encodeURIComponent(next)}`

/** Where people sign in with a password, although the domain of their address has a provider. */
export const passwordPath = (next: string): string => `${signInPath(next)}&with=password`

/** The paths of pages outside of `/app`, with their methods. */
const pagePaths = new Set<string>()

/** Those with a parameter, as patterns. */
const pagePatterns: RegExp[] = []

export function addPagePath(method: 'GET' | 'POST', path: string): void {
  if (path.includes(':') && !path.startsWith('/app/'))
    pagePatterns.push(new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '[^/]+')}$`))
  else pagePaths.add(`${method} ${path}`)
}

export function isPagePath(method: string, path: string): boolean {
  if (path === '/app' || path.startsWith('/app/')) return true
  const asked = `${method === 'HEAD' ? 'GET' : method} ${withoutSlash(path)}`
  return pagePaths.has(asked) || pagePatterns.some((pattern) => pattern.test(asked))
}

/** The token in the URL of a mailed link; empty if there is none. */
export const tokenOf = (url: URL): string => url.searchParams.get('token') ?? ''

/** Reads the query of a page: only the parameters that it knows, without the blank ones that forms send. Compiles the schema once. */
export function queryReader<Query extends TSchema>(schema: Query): (url: URL) => Static<Query> {
  const known = 'properties' in schema ? Object.keys(schema.properties as object) : []
  const { validate } = queryInput(schema)['~standard']
  return (url) => {
    const given = [...url.searchParams].filter(([name, value]) => known.includes(name) && value.trim() !== '')
    return validate(Object.fromEntries(given)).value
  }
}

export const nextOf = (url: URL): string => ownPath(url.searchParams.get('next')) ?? '/app'

export const withNext = (path: string, next: string): string =>
  next === '/app' ? path : `${path}?next=${encodeURIComponent(next)}`

/** The path of a page with other parameters; null leaves one out. */
export function pathWith(url: URL, parameters: Record<string, string | null>): string {
  const search = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) search.delete(name)
    else search.set(name, value)
  }
  return `${url.pathname}?${search}`
}
