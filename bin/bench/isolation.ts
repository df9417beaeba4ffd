/** What must not slow fresh dispatches down: a hook whose receiver hangs, and retries that wait. */
import type { Sql } from '../../sql/index.ts'
import { type Compared, compared, median, versus } from './figures.ts'
import { countOf, flood, HOOKS, makeHooks, receiverAt, roundsOf, type Target, writeEvents } from './flood.ts'
import type { Part } from './part.ts'
import { startProcess } from './processes.ts'
import { type Stage, tidy, until } from './stage.ts'

const WAITING = 100_000
const IN_FLIGHT = 10

/** 19 hooks, alone and beside one whose receiver takes requests and never answers. */
async function measureHanging(stage: Stage, count: number, rounds: number): Promise<Compared> {
  const { sql } = stage
  await using receiving = startProcess('bin/bench/receiver.ts', stage.environment)
  const receiver = receiverAt(await receiving.firstLine)
  let hanging = 0
  const mute = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch() {
      hanging += 1
      return new Promise<Response>(() => {})
    },
  })
  try {
    const live = await makeHooks(stage, receiver.url, HOOKS - 1)
    await flood(stage, receiver, live, Math.ceil(count / 10))
    const ours: number[] = []
    const baseline: number[] = []
    for (let round = 0; round < rounds; round++) {
      await tidy(sql)
      baseline.push(await flood(stage, receiver, live, count))
      await tidy(sql)
      const dead = await makeHooks(stage, mute.url.href, 1)
      hanging = 0
      await writeEvents(sql, dead, Math.ceil(count / HOOKS))
      await until('The requests hang', async () => hanging >= IN_FLIGHT)
      ours.push(await flood(stage, receiver, live, count))
      await sql`delete from deployment_hooks where id = any(${dead.hooks}::uuid[])`
    }
    return { ours: median(ours), baseline: median(baseline) }
  } finally {
    await mute.stop(true)
  }
}

/** The same hooks, without anything else and with a hundred thousand retries that wait. */
async function measureWaiting(stage: Stage, count: number, rounds: number): Promise<Compared> {
  const { sql } = stage
  await using receiving = startProcess('bin/bench/receiver.ts', stage.environment)
  const receiver = receiverAt(await receiving.firstLine)
  const target = await makeHooks(stage, receiver.url)
  await flood(stage, receiver, target, Math.ceil(count / 10))
  const ours: number[] = []
  const baseline: number[] = []
  for (let round = 0; round < rounds; round++) {
    await tidy(sql)
    baseline.push(await flood(stage, receiver, target, count))
  }
  await addRetries(sql, target)
  for (let round = 0; round < rounds; round++) {
    await tidy(sql)
    ours.push(await flood(stage, receiver, target, count))
  }
  await sql`delete from dispatches where hook_id = any(${target.hooks}::uuid[]) and sequence is null`
  return { ours: median(ours), baseline: median(baseline) }
}

/** Dispatches that failed once and are due in an hour; without a number, so that the flood can be told from them. */
async function addRetries(sql: Sql, { hooks }: Target): Promise<void> {
  await sql`
    with made as (
      insert into dispatches (organization_id, workspace_id, project_id, hook_id, event_id, event, environment, max_attempts)
      select
        hook.organization_id, hook.workspace_id, hook.project_id, hook.id, uuidv7(), 'gate.approved', hook.environment, 9
      from generate_series(1, ${WAITING}::integer) as number
      join deployment_hooks as hook on hook.id = (${hooks}::uuid[])[1 + number % ${hooks.length}]
      returning id, organization_id
    )
    insert into dispatch_bodies (dispatch_id, organization_id, body)
    select id, organization_id, repeat('x', 600) from made
  `
  await sql`
    update deliveries
    set attempt_count = 1, due_at = now() + interval '1 hour'
    where lane_id = any(${hooks}::uuid[])
      and attempt_count = 0
  `
}

export const hanging: Part = {
  name: 'hanging',
  conditions: () =>
    `hanging   The same flood to ${HOOKS - 1} hooks, while the receiver of the twentieth takes requests and answers none; baseline: without it.`,
  async run(stage, quick) {
    const figures = await measureHanging(stage, countOf(quick), roundsOf(quick))
    return {
      rows: [{ ...versus('dispatches, one of 20 hooks hangs', figures), limit: '> 0.9' }],
      figures: { beside_hanging_hook_per_second: compared(figures) },
    }
  },
}

export const waiting: Part = {
  name: 'waiting',
  conditions: () =>
    `waiting   The same flood to ${HOOKS} hooks that have ${WAITING.toLocaleString('en')} retries due in an hour; baseline: without them.`,
  async run(stage, quick) {
    const figures = await measureWaiting(stage, countOf(quick), roundsOf(quick))
    return {
      rows: [{ ...versus('dispatches, 100,000 retries wait', figures), limit: '> 0.83' }],
      figures: { beside_waiting_retries_per_second: compared(figures) },
    }
  },
}
