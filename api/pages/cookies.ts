/** The cookies of the web app: the session, the notice that the next page shows, and the organization that was looked at last. */
import { config } from '../../core/platform/config.ts'
import { isUuid } from '../../core/values/uuids.ts'

const isSecure = config.PUBLIC_URL.startsWith('https:')

/** With the prefix, browsers accept the cookie only from this host, over https and for all paths. */
const nameOf = (name: string): string => (isSecure ? `__Host-${name}` : name)

const SESSION = nameOf('signalbox')
const NOTICE = nameOf('signalbox-notice')
const ORGANIZATION = nameOf('signalbox-organization')

const SIGN_ON = nameOf('signalbox-sso-')
const signOnName = (id: string): string => `${SIGN_ON}${id}`

export const SIGN_ON_SECONDS = 600
const SESSION_SECONDS = 30 * 86_400
const NOTICE_SECONDS = 60

const serialized = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

/** Sets or extends the session; with null, deletes it. */
export const sessionCookie = (value: string | null): string =>
  serialized(SESSION, value ?? '', value === null ? 0 : SESSION_SECONDS)

/** Sets the text that the next page shows; with null, deletes it. */
export const noticeCookie = (text: string | null): string =>
  serialized(NOTICE, encodeURIComponent(text ?? ''), text === null ? 0 : NOTICE_SECONDS)

/** What a sign-on must be answered with, for ten minutes; with null, deletes it. @param id of the sign-on: a browser may start several */
export const signOnCookie = (id: string, value: string | null): string =>
  serialized(signOnName(id), value ?? '', value === null ? 0 : SIGN_ON_SECONDS)

export const organizationCookie = (id: string): string => serialized(ORGANIZATION, id, SESSION_SECONDS)

/**
 * The blanks that may surround a cookie (RFC 6265bis). `trim()` removes others too, which would change the name of the cookie. Those
 * within a cookie are passed over once, not once from each of them.
 */
const BLANKS = /^[ \t]+|(?<![ \t])[ \t]+$/g

/** One that was sent twice counts as none: another host of the domain may have set the second, and nothing tells which is which. */
function cookieIn(request: Request, name: string): string | null {
  const values = (request.headers.get('cookie') ?? '').split(';').flatMap((pair) => {
    const [key = '', ...rest] = pair.replace(BLANKS, '').split('=')
    return key === name ? [rest.join('=')] : []
  })
  const [value = ''] = values
  return values.length === 1 && value !== '' ? value : null
}

export const sessionIn = (request: Request): string | null => cookieIn(request, SESSION)

export const signOnIn = (request: Request, id: string): string | null => cookieIn(request, signOnName(id))

/** The ids of the sign-ons that a browser has started and not ended. */
export const signOnsIn = (request: Request): string[] =>
  (request.headers.get('cookie') ?? '').split(';').flatMap((pair) => {
    const [key = ''] = pair.replace(BLANKS, '').split('=')
    const id = key.startsWith(SIGN_ON) ? key.slice(SIGN_ON.length) : ''
    return /^[\w-]{1,64}$/.test(id) ? [id] : []
  })

/** Whatever the browser sends: whether its person is a member there is for the caller to check. */
export function organizationIn(request: Request): string | null {
  const id = cookieIn(request, ORGANIZATION)
  return id !== null && isUuid(id) ? id : null
}

export function noticeIn(request: Request): string | null {
  try {
    return decodeURIComponent(cookieIn(request, NOTICE) ?? '') || null
  } catch {
    return null
  }
}
