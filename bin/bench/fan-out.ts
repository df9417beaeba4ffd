/** Events that ten hooks wait for: how fast they are drained and fanned out, against one insert of as many rows. */
import { newSecret } from '../../core/security/signing.ts'
import type { Sql } from '../../sql/index.ts'
import { type Compared, compared, median, versus } from './figures.ts'
import { filler, heap, roundsOf, type Target } from './flood.ts'
import type { Part } from './part.ts'
import { idle, makeProjects, type Stage } from './stage.ts'

const HOOKS_EACH = 10
const eventsOf = (quick: boolean): number => (quick ? 200 : 2_000)

/** One project, and the hooks that wait for its events. Nobody listens at their URL: they stay paused. */
async function makeTarget(stage: Stage): Promise<Target> {
  const [project] = await makeProjects(stage, 1)
  const hook = { name: 'Fan', url: 'http://127.0.0.1:9/', secret: newSecret(), trigger_on: 'gate_approved', paused: true }
  const hooks: string[] = []
  for (let each = 0; each < HOOKS_EACH; each++) {
    hooks.push((await stage.api.post(`/projects/${project?.id}/deployment-hooks`, hook)).id)
  }
  return { projects: [project?.id ?? ''], hooks }
}

/** As many rows of as many bytes, by one statement. @returns rows a second */
async function insertAll(sql: Sql, { hooks }: Target, events: number): Promise<number> {
  const begun = performance.now()
  await sql`
    insert into dispatches (
      organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, body, max_attempts
    )
    select
      hook.organization_id, hook.workspace_id, hook.project_id, hook.id, event.id, 'gate.approved', hook.environment,
      1000000 + event.number, ${filler(600)}, 9
    from (select uuidv7() as id, number from generate_series(1, ${events}::integer) as number) as event
    cross join deployment_hooks as hook
    where hook.id = any(${hooks}::uuid[])
  `
  return (events * hooks.length) / ((performance.now() - begun) / 1000)
}

/** Both in turns, on tables as autovacuum would leave them; what was made is taken away before the next. */
async function measureFanOut(stage: Stage, events: number, rounds: number): Promise<Compared> {
  const { sql } = stage
  const target = await makeTarget(stage)
  const clear = async () => {
    await sql`delete from dispatches where hook_id = any(${target.hooks}::uuid[])`
    await sql`vacuum (analyze)`
  }
  const ours: number[] = []
  const baseline: number[] = []
  for (let round = 0; round <= rounds; round++) {
    // The first round warms up.
    const size = round === 0 ? Math.ceil(events / 10) : events
    await idle(sql)
    const rows = await heap(stage, target, size, HOOKS_EACH)
    await clear()
    const plain = await insertAll(sql, target, size)
    await clear()
    if (round === 0) continue
    ours.push(rows)
    baseline.push(plain)
  }
  await sql`delete from deployment_hooks where id = any(${target.hooks}::uuid[])`
  return { ours: median(ours), baseline: median(baseline) }
}

export const fanOut: Part = {
  name: 'fan-out',
  conditions: (quick) =>
    `fan-out   ${eventsOf(quick).toLocaleString('en')} events in one insert, each for ${HOOKS_EACH} hooks; until the last dispatch is there, in dispatches. Baseline: one insert … select of as many rows and bytes. In turns, median of ${roundsOf(quick)}.`,
  async run(stage, quick) {
    const figures = await measureFanOut(stage, eventsOf(quick), roundsOf(quick))
    return {
      rows: [{ ...versus('fan-out, to an insert … select', figures), limit: '≥ 0.5' }],
      figures: { fan_out_per_second: compared(figures) },
    }
  },
}
