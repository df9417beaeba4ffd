/** Updates the figures of environments in which a rollout is older than 30 days by now. */

import { sql } from '../../core/platform/database.ts'
import { type EnvironmentKey, storeFigures } from '../../core/rollouts/rollouts.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import { type DueRows, serveAllDue } from '../process/tenant-groups.ts'

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

export const updateFigures = () =>
  serveAllDue(outdated, BATCH, async (tx, condition) => {
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
