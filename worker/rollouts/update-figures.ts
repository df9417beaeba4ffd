/** Updates the figures of environments in which a rollout is older than 30 days by now. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { type EnvironmentKey, storeFigures } from '../../core/environments.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'
import { type DueRows, serveDue } from '../process/tenant-groups.ts'

/** Few, because reports about these environments wait meanwhile. */
const BATCH = 20

const outdated: DueRows = {
  table: sql`environments`,
  organization_id: sql`environments.organization_id`,
  condition: sql`
    figures_until is not null
    and figures_until <= now()
    and ${isActiveOrganization(sql`environments.organization_id`)}
  `,
}

/** @returns the number of environments that were updated */
function update(condition: Fragment): Promise<number> {
  return transaction(async (tx) => {
    const locked = await tx<EnvironmentKey[]>`
      select organization_id, project_id, environment
      from environments
      where ${condition}
      order by figures_until
      limit ${BATCH}
      -- A report updates them as well.
      for no key update skip locked
    `
    if (locked.length > 0) await storeFigures(tx, locked)
    return locked.length
  })
}

/** Updates the figures that are outdated. */
export async function updateFigures(): Promise<void> {
  while ((await serveDue(outdated, update)) >= BATCH);
}
