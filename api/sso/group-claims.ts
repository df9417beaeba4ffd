/** The groups of a person, as the claims of a provider name them. */
import { Problem } from '../problems.ts'
import { type Claims, claimAt, rootOf } from './claims.ts'

const MAX_VALUES = 1_000

const overage = (detail: string): Problem => new Problem('sso_groups_overage', detail)

/**
 * The values of the claim of groups: a text, the texts of a list, or the keys of an object. An absent claim is none.
 *
 * @throws Problem `sso_groups_overage` if there are more than the provider sends, or than are taken
 */
export function groupsIn(claims: Claims, path: string): string[] {
  const names = claims._claim_names
  const isElsewhere = typeof names === 'object' && names !== null && Object.hasOwn(names, rootOf(path))
  if (isElsewhere || claims.hasgroups === true || claims.hasgroups === 'true')
    throw overage(
      'You are in more groups than your provider sends, so it cannot be known which roles you have. Ask an admin there to send only the groups that are assigned to this application.',
    )
  const value = claimAt(claims, path)
  const values = Array.isArray(value)
    ? value.filter((each) => typeof each === 'string')
    : typeof value === 'string'
      ? [value]
      : Object.keys(Object(value ?? {}))
  if (values.length > MAX_VALUES)
    throw overage(
      `You are in more than ${MAX_VALUES} groups at your provider. Ask an admin there to send fewer to this application.`,
    )
  // Mappings name only what can be stored.
  return values.filter((each) => each.isWellFormed() && !each.includes('\0'))
}
