/** Floods of events, and how fast their dispatches are delivered and on record. */

import { newSecret } from '../../core/security/signing.ts'
import type { Sql } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { makeProjects, type Stage, until } from './stage.ts'

export const HOOKS = 20
export const countOf = (quick: boolean): number => (quick ? 2_000 : 20_000)
export const roundsOf = (quick: boolean): number => (quick ? 1 : 3)
export const PATIENCE_MS = 120_000
/** Text that brings a body to about 600 bytes. */
export const filler = (bytes: number) => 'The release review was passed. '.repeat(20).slice(0, bytes)

/** Where a flood goes: as many projects, each with one hook, so that one event is one dispatch. */
export interface Target {
  projects: string[]
  hooks: string[]
}

export interface Receiver {
  url: string
  /** Waits until so many requests came, each a different one. */
  received(count: number): Promise<void>
  /** Forgets what came. Fails where something came twice. */
  clear(): Promise<void>
}

/** Makes a hook for each of as many projects. */
export async function makeHooks(stage: Stage, url: string, count = HOOKS): Promise<Target> {
  const projects = await makeProjects(stage, count)
  const hook = { name: 'Flood', url, secret: newSecret(), trigger_on: 'gate_approved' }
  const hooks: string[] = []
  for (const { id } of projects) hooks.push((await stage.api.post(`/projects/${id}/deployment-hooks`, hook)).id)
  return { projects: projects.map(({ id }) => id), hooks }
}

/** The receiver process at a URL. */
export function receiverAt(url: string): Receiver {
  const counted = async () => (await (await fetch(url)).json()) as { requests: number; distinct: number }
  return {
    url,
    async received(count) {
      // Asked of the receiver, so that the database is not kept busy with questions while it is measured.
      await until(`${count} requests arrive`, async () => (await counted()).distinct >= count, PATIENCE_MS, 10)
    },
    async clear() {
      const { requests, distinct } = await counted()
      if (requests !== distinct) throw new Failure(`${requests - distinct} of ${requests} requests came twice.`)
      await fetch(url, { method: 'DELETE' })
    },
  }
}

/** Writes events, each of which is a dispatch, as one commit. */
export async function writeEvents(sql: Sql, { projects }: Target, count: number): Promise<void> {
  await sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    select
      project.organization_id, project.workspace_id, project.id, 'gate.approved',
      jsonb_build_object('gate', jsonb_build_object('id', uuidv7(), 'name', 'Release review', 'status', 'approved', 'note', ${filler(45)}::text))
    from generate_series(1, ${count}::integer) as number
    join projects as project on project.id = (${projects}::uuid[])[1 + number % ${projects.length}]
  `
}

/** Asks for a drain, as the API does after each commit. */
export async function askForDrain(sql: Sql): Promise<void> {
  await sql`select pg_notify('signalbox_outbox', '')`
}

/** Pauses or resumes hooks. */
async function setPaused({ api }: Stage, { hooks }: Target, paused: boolean): Promise<void> {
  await Promise.all(hooks.map((id) => api.put(`/deployment-hooks/${id}`, { paused })))
}

/**
 * Writes events for hooks that are paused, and waits until they are dispatches.
 *
 * @param each how many hooks wait for one event
 * @returns dispatches made a second, from the commit of the events on
 */
export async function heap(stage: Stage, target: Target, count: number, each = 1): Promise<number> {
  const { sql } = stage
  await setPaused(stage, target, true)
  await writeEvents(sql, target, count)
  const begun = performance.now()
  await askForDrain(sql)
  // The last event is drained last; to count rows would slow down who makes them.
  await until(
    'Every event is drained',
    async () => {
      const [{ waiting }] = await sql<
        [{ waiting: boolean }]
      >`select exists (select from outbox where drained_at is null) as waiting`
      return !waiting
    },
    PATIENCE_MS,
    5,
  )
  const seconds = (performance.now() - begun) / 1000
  const [{ made }] = await sql<[{ made: number }]>`
    select count(*) as made
    from dispatches
    where hook_id = any(${target.hooks}::uuid[])
      and sequence is not null
      and status = 'pending'
  `
  if (made !== count * each) throw new Failure(`${count} events for ${each} hooks each became ${made} dispatches.`)
  await sql`vacuum (analyze)`
  return made / seconds
}

/** Dispatches a second: from resuming their paused hooks to the record of the last one. */
export async function flood(stage: Stage, receiver: Receiver, target: Target, count: number): Promise<number> {
  await heap(stage, target, count)
  const begun = performance.now()
  await setPaused(stage, target, false)
  return count / (await recorded(stage, receiver, target, count, begun))
}

/**
 * Dispatches a second with the drain and the fan-out in it: from the commit of their events to the record of the last one.
 *
 * @param begin runs between the commit and the drain
 */
export async function floodFromEvents(
  stage: Stage,
  receiver: Receiver,
  target: Target,
  count: number,
  begin = async (): Promise<void> => {},
): Promise<number> {
  await writeEvents(stage.sql, target, count)
  await begin()
  const begun = performance.now()
  await askForDrain(stage.sql)
  return count / (await recorded(stage, receiver, target, count, begun))
}

/**
 * Waits until every dispatch of a flood is on record.
 *
 * @param begun when the flood began, by `performance.now()`
 * @returns how many seconds it took since then
 */
async function recorded({ sql }: Stage, receiver: Receiver, target: Target, count: number, begun: number): Promise<number> {
  await receiver.received(count)
  await until(
    'Every dispatch is on record',
    async () => {
      const [{ open }] = await sql<[{ open: boolean }]>`
        select exists (
          select
          from deliveries
          where lane_id = any(${target.hooks}::uuid[])
            and due_at < now() + interval '1 minute'
        ) as open
      `
      return !open
    },
    PATIENCE_MS,
    2,
  )
  const seconds = (performance.now() - begun) / 1000
  await check(sql, target)
  await receiver.clear()
  return seconds
}

/** Fails unless every dispatch succeeded at its first attempt. */
async function check(sql: Sql, { hooks }: Target): Promise<void> {
  const [found] = await sql<[{ all: number; good: number; attempts: number }]>`
    select
      count(*) as all,
      count(*) filter (where status = 'succeeded' and attempt_count = 1) as good,
      (
        select count(*)
        from dispatch_attempts
        join dispatches on id = dispatch_id
        where hook_id = any(${hooks}::uuid[])
      ) as attempts
    from dispatches
    where hook_id = any(${hooks}::uuid[])
      and sequence is not null
  `
  if (found.good !== found.all || found.attempts !== found.all) {
    throw new Failure(`${found.good} of ${found.all} dispatches were delivered at once, in ${found.attempts} attempts.`)
  }
}
