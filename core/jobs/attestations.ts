/** Jobs that sign attestations. */
import type { Queryable } from '../../sql/index.ts'

/** Adds a job for each organization that signs the attestations of its gates. */
export async function attestGates(db: Queryable, gates: { id: string; organization_id: string }[]): Promise<void> {
  if (gates.length === 0) return
  await db`
    select from graphile_worker.add_jobs(array(
      select (
        'attest_gates', json_build_object('organization_id', gate.organization_id, 'gate_ids', json_agg(gate.id)), null, now(),
        null, null,
        null, array['org:' || gate.organization_id, 'task:attest_gates']
      )::graphile_worker.job_spec
      from unnest(${gates.map(({ id }) => id)}::uuid[], ${gates.map(({ organization_id }) => organization_id)}::uuid[])
        as gate (id, organization_id)
      group by gate.organization_id
    ))
  `
}
