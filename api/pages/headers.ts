/** The headers of all pages. */
import { SECURITY_HEADERS } from '../plugins/responses.ts'

/**
 * The Content-Security-Policy of all pages: only resources of the same origin, and neither styles nor scripts in the HTML.
 *
 * @param target a source, in addition to this one, that a form may lead to: browsers apply the policy also to where an action redirects
 */
export const policyWith = (target = ''): string =>
  `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action ${`'self' ${target}`.trim()}; frame-ancestors 'none'; base-uri 'none'`

export const POLICY = policyWith()

/** `same-origin` instead of `no-referrer`, with which browsers would send `Origin: null` with forms. */
export const PAGE_HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

export const jsonFor = (value: object): Response =>
  new Response(JSON.stringify(value), { headers: { ...PAGE_HEADERS, 'Content-Type': 'application/json' } })
