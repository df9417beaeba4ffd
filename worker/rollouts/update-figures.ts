/** Updates the figures of environments in which a rollout is older than 30 days by now. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { type EnvironmentKey, storeFigures } from '../../core/environments.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { isAmong } from '../../core/reachable-tenants.ts'
import { serveDue } from '../process/tenant-groups.ts'

/** Few, because reports about these environments wait meanwhile. */
const BATCH = 20

/** @returns the number of environments that were updated */
function updateBatch(): Promise<number> {
  return serveDue(
    (among) => sql<{ organization_id: string }[]>`
      select organization_id
      from environments as outdated
      where figures_until is not null
        and figures_until <= now()
        and ${isActiveOrganization(sql`outdated.organization_id`, among)}
        and ${isAmong(sql`outdated.organization_id`, among)}
      order by figures_until
      limit ${BATCH}
    `,
    update,
  )
}

/** The same for the environments of some organizations, in one transaction. */
function update(tenants: string[]): Promise<number> {
  return transaction(async (tx) => {
    const outdated = await tx<EnvironmentKey[]>`
      select organization_id, project_id, environment
      from environments as outdated
      where figures_until is not null
        and figures_until <= now()
        and organization_id = any(${tenants}::uuid[])
      order by figures_until
      limit ${BATCH}
      -- A report updates them as well.
      for no key update skip locked
    `
    if (outdated.length > 0) await storeFigures(tx, outdated)
    return outdated.length
  })
}

/** Updates the figures that are outdated. */
export async function updateFigures(): Promise<void> {
  while ((await updateBatch()) >= BATCH);
}
