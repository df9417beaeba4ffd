/** Which issuers a trust can name, and which claims of each it must name so that no one else can have a token with them. */
import { isAllowedAddress } from '../../core/outbound-addresses.ts'
import { urlError } from '../../core/outbound-requests.ts'
import { config } from '../../core/platform/config.ts'
import type { FieldError } from '../problems.ts'

/**
 * What is wrong with the URL of an issuer or of its keys: it must be https, or http at an address that the operator allowed.
 *
 * @returns the end of a sentence; null if nothing is
 */
export function issuerUrlError(text: string): string | null {
  const flaw = urlError(text)
  if (flaw) return flaw[1]
  const { protocol, hostname, href } = new URL(text)
  // People take letters of other alphabets for those of an issuer that they know.
  if (!/^[!-~]+$/.test(text)) return `must be written as ${href}`
  return protocol === 'https:' || isAllowedAddress(hostname, config.OUTBOUND_ALLOW) ? null : 'must be an https URL'
}

/** Claims that every token has, or that have a field of their own: they say nothing about who may have it. */
const RESERVED = ['iss', 'aud', 'exp', 'iat', 'nbf', 'jti']

type Names = (name: string) => boolean

/** Issuers of CI systems, with what they require and what is missing. */
interface KnownIssuer {
  hosts: RegExp
  all: string[]
  oneOf: string[]
}

const GITHUB: KnownIssuer = {
  hosts: /^token\.actions\.(githubusercontent|[^.]+\.ghe)\.com$/,
  all: ['repository_id'],
  oneOf: ['ref', 'environment', 'job_workflow_ref'],
}

const GITLAB: KnownIssuer = {
  hosts: /^gitlab\.com$/,
  all: ['project_id'],
  oneOf: ['ref', 'ref_protected', 'environment'],
}

const WHY: Record<string, string> = {
  repository_id: 'the name of a repository can be taken over, its id cannot',
  project_id: 'the path of a project can be taken over, its id cannot',
}

/** What the claims of a trust do not name and must. */
function missingOf({ all, oneOf }: KnownIssuer, names: Names): string | null {
  const missing = all.find((name) => !names(name))
  if (missing !== undefined) return `must name ${missing}: ${WHY[missing]}`
  return oneOf.some(names) ? null : `must name one of ${oneOf.join(', ')}`
}

/** What is wrong with the claims that a trust in an issuer names. */
export function claimErrors(issuer: string, claims: Record<string, string[]>): FieldError[] {
  const reserved = RESERVED.filter((name) => Object.hasOwn(claims, name))
  if (reserved.length > 0) {
    return reserved.map((name) => ({
      pointer: `/claims/${name}`,
      code: 'reserved',
      detail: 'does not say who has the token; name another claim',
    }))
  }
  const names: Names = (name) => Object.hasOwn(claims, name)
  const host = new URL(issuer).hostname.replace(/\.$/, '')
  const known = [GITHUB, GITLAB].find(({ hosts }) => hosts.test(host))
  const enough = names('sub') || Object.keys(claims).length >= 2
  const detail = known ? missingOf(known, names) : enough ? null : 'must name sub, or at least two other claims'
  return detail === null ? [] : [{ pointer: '/claims', code: 'too_broad', detail }]
}
