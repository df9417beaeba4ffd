/**
 * The organizations in which resources were found before. A cluster looks there first (sql/citus/paths.ts); one PostgreSQL ignores it.
 * It is never wrong, because a resource stays in its organization, and says nothing about access: that is read for every request.
 */
import { findWithinReach, type Search } from '../../core/reachable-tenants.ts'

const MAX_ENTRIES = 10_000

const organizations = new Map<string, string>()

/** The organization of a resource that was found before; null if none was. */
export const knownOrganization = (id: string): string | null => organizations.get(id) ?? null

/** Remembers where a resource was found. When there is no room, the oldest entry is forgotten. */
export function rememberOrganization(id: string, organization_id: string): void {
  if (organizations.has(id)) return
  const [first] = organizations.keys()
  if (organizations.size >= MAX_ENTRIES && first !== undefined) organizations.delete(first)
  organizations.set(id, organization_id)
}

/** Finds a resource without knowing whose organizations to search: where it was found before, or in all. */
export async function findAnywhere<Found extends { organization_id: string }>(
  id: string,
  search: Search<Found | undefined>,
): Promise<Found | undefined> {
  const known = knownOrganization(id)
  const found = known === null ? await findWithinReach(search) : await search([known])
  if (found) rememberOrganization(id, found.organization_id)
  return found
}
