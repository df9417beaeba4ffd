/** The headers of all pages. */
import { SECURITY_HEADERS } from '../plugins/responses.ts'

/** The Content-Security-Policy of all pages: only resources of the same origin, and neither styles nor scripts in the HTML. */
export const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** `same-origin` instead of `no-referrer`, with which browsers would send `Origin: null` with forms. */
export const PAGE_HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}
