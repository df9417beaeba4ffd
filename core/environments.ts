/** Environments, shared by API and worker: their stored figures. */
import type { Tx } from '../sql/index.ts'

/** What identifies an environment. */
export interface EnvironmentKey {
  organization_id: string
  project_id: string
  environment: string
}

/** Stores the figures of environments as of now. Their rows are locked. */
export async function storeFigures(tx: Tx, environments: EnvironmentKey[]): Promise<void> {
  await tx`
    update environments as known
    set frequency_30d                   = figures.frequency_30d,
        change_failure_rate_30d         = figures.change_failure_rate_30d,
        lead_time_median_seconds_30d    = figures.lead_time_median_seconds_30d,
        restore_time_median_seconds_30d = figures.restore_time_median_seconds_30d,
        figures_until                   = figures.figures_until
    from jsonb_to_recordset(${tx.json(environments.map((each) => ({ ...each })))}) as wanted (
      organization_id uuid, project_id uuid, environment text
    )
    cross join lateral environment_figures(wanted.project_id, wanted.environment, wanted.organization_id) as figures
    where known.project_id = wanted.project_id
      and known.environment = wanted.environment
      and known.organization_id = wanted.organization_id
  `
}
