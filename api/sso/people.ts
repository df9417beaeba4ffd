/** What a provider says about a person, as it is used here. */
import { Compile } from 'typebox/compile'
import { epochSeconds } from '../../core/platform/clock.ts'
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import { isPlainLine, nfc } from '../../core/values/plain-text.ts'
import { PersonName } from '../../core/values/schema.ts'
import { Problem } from '../problems.ts'
import type { Claims } from './claims.ts'
import type { Connection } from './connections.ts'

/** A person whom a provider vouches for. */
export interface Person {
  issuer: string
  subject: string
  /** In canonical form; null if there is none that a mail server takes. */
  email: string | null
  email_verified: boolean
  name: string
  /** When they proved to the provider who they are, in seconds since 1970; null if it does not say. */
  authenticated_at: number | null
  /** Those that something here looks at. */
  claims: Claims
  /** The names of those that may be missing alone because the provider did not answer. */
  unknown: string[]
}

const NAME = Compile(PersonName())

const textOf = (value: unknown): string => (typeof value === 'string' && value.length <= 1_000 ? nfc(value.trim()) : '')

/** The first of the names that a person can have here. */
function nameIn({ name, given_name, family_name, preferred_username }: Claims, email: string | null): string {
  const candidates = [name, [given_name, family_name].map(textOf).join(' '), preferred_username, email?.split('@')[0]]
  return candidates.map(textOf).find((each) => isPlainLine(each) && NAME.Check(each)) ?? 'Unnamed'
}

/** A time in the future says that the clock of the provider is ahead: then it is now. */
const momentIn = ({ auth_time }: Claims): number | null =>
  typeof auth_time === 'number' && auth_time > 0 ? Math.min(auth_time, epochSeconds()) : null

/** How providers say that groups are elsewhere. */
const OVERAGE = ['_claim_names', 'hasgroups']

/** @param claims of the ID token, with those that it lacks from userinfo */
export function personIn(
  { issuer, trust_email, claims: required, wanted }: Connection,
  claims: Claims,
  unknown: string[],
): Person {
  const email = typeof claims.email === 'string' ? canonicalAddress(claims.email) : null
  return {
    issuer,
    subject: claims.sub,
    email,
    email_verified: email !== null && (trust_email || claims.email_verified === true),
    name: nameIn(claims, email),
    authenticated_at: momentIn(claims),
    claims: { ...pick(claims, [...Object.keys(required), ...wanted, ...OVERAGE]), sub: claims.sub },
    unknown,
  }
}

const pick = (claims: Claims, names: string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]))

/** Whether a claim has one of the values: as text, or as an element of a list. */
const hasValue = (claim: unknown, values: string[]): boolean =>
  [claim].flat().some((each) => typeof each === 'string' && values.includes(each))

/** Requires the claims that every person must have. @throws Problem `sso_not_allowed` */
export function requireClaims({ claims: required, name }: Connection, { claims }: Person): void {
  const missing = Object.entries(required).find(
    ([claim, values]) => !hasValue(Object.hasOwn(claims, claim) ? claims[claim] : undefined, values),
  )
  if (missing)
    throw new Problem(
      'sso_not_allowed',
      `Your account at the provider is not one that may sign in to ${name}: its ${missing[0]} is not among the allowed ones. Ask an admin, or sign in there with another account.`,
    )
}
