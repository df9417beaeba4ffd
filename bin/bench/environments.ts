/** Whether reading what runs where costs more in a project with a long history. */
import { median, medians, rounded } from './figures.ts'
import type { Part } from './part.ts'
import { createProjects, type Stage, settle, until } from './stage.ts'

const FEW = 1_000
const manyIn = (quick: boolean): number => (quick ? 100_000 : 1_000_000)
const requestsIn = (quick: boolean): number => (quick ? 50 : 300)
const roundsIn = (quick: boolean): number => (quick ? 1 : 3)
const BATCH = 100_000

/** Fills an environment of a project with rollouts over the last five years; every tenth failed. */
async function fill({ sql, tenant }: Stage, project_id: string, count: number): Promise<void> {
  const place = sql`${tenant.organization.id}::uuid, ${tenant.workspace.id}::uuid, ${project_id}::uuid`
  await sql`
    insert into environments (organization_id, workspace_id, project_id, environment, rollout_count)
    values (${place}, 'production', ${count})
  `
  for (let from = 0; from < count; from += BATCH) {
    await sql`
      with rollout as (
        select now() - n * interval '1825 days' / ${count}::integer as at, n % 10 = 3 as failed
        from generate_series(${from}::integer, ${Math.min(count, from + BATCH) - 1}::integer) as n
      )
      insert into rollouts (
        id, organization_id, workspace_id, project_id, hook_id, environment, event, event_at, state, version, reported_at,
        created_at, lead_ms, restore_ms
      )
      select
        overlay(gen_random_uuid()::text placing left(partition_boundary(at)::text, 14) || '7' from 1)::uuid, ${place}, uuidv7(),
        'production', 'gate.approved', at - interval '5 minutes', case when failed then 'failed' else 'succeeded' end, 'v1',
        at, at, case when not failed then (random() * 600000)::bigint end, case when random() < 0.1 then 600000 end
      from rollout
    `
  }
  await sql`
    update environments as known
    set current_id = newest.ids[1], previous_id = newest.ids[2], latest_id = newest.ids[1], figures_until = now()
    from (
      select array_agg(id) as ids
      from (
        select id
        from rollouts
        where project_id = ${project_id}
          and state = 'succeeded'
        order by reported_at desc
        limit 2
      ) as last
    ) as newest
    where project_id = ${project_id}
  `
}

/** @returns the median of the milliseconds that a request takes */
async function timeOf({ api }: Stage, path: string, count: number): Promise<number> {
  const samples: number[] = []
  for (let number = 0; number < count; number++) {
    const begun = performance.now()
    await api.get(path)
    samples.push(performance.now() - begun)
  }
  return median(samples)
}

export const environments: Part = {
  name: 'environments',
  describe: (quick) =>
    `environments  GET /projects/{id}/environments and the first page of …/rollouts, one request after another, of a project with ${manyIn(quick).toLocaleString('en')} rollouts over five years; baseline: one with ${FEW.toLocaleString('en')}. Median of ${roundsIn(quick)} × ${requestsIn(quick)} requests in turns.`,
  async run(stage, quick) {
    const [few, many] = await createProjects(stage, 2)
    await fill(stage, few?.id ?? '', FEW)
    await fill(stage, many?.id ?? '', manyIn(quick))
    await settle(stage.sql)
    await until('The worker updates the figures', async () => {
      const outdated = await stage.sql`select from environments where figures_until <= now()`
      return outdated.length === 0
    })
    const measure = async (name: string, path: string) => {
      const time = (project: typeof few) => () => timeOf(stage, `/projects/${project?.id}/${path}`, requestsIn(quick))
      const { value, baseline } = await medians(roundsIn(quick), { value: time(many), baseline: time(few) })
      return { name, value, unit: 'ms' as const, baseline, atMost: rounded(2 * baseline) }
    }
    return [
      await measure('environments of a project', 'environments'),
      await measure('rollouts of an environment', 'environments/production/rollouts'),
    ]
  },
}
