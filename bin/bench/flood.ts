/** Floods: many events of one commit, and the time until all of their dispatches are recorded. */
import { newSecret } from '../../core/security/signing.ts'
import type { Sql } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { type Environment, startProcess } from './processes.ts'
import { createProjects, type Stage, until } from './stage.ts'

export const HOOKS = 20
export const TIMEOUT_MS = 120_000
export const dispatchesIn = (quick: boolean): number => (quick ? 2_000 : 20_000)
export const roundsIn = (quick: boolean): number => (quick ? 1 : 3)
/** Text that brings a body to about 600 bytes. */
export const filler = (bytes: number): string => 'The release review was passed. '.repeat(20).slice(0, bytes)

/** The hooks of a flood, each in a project of its own, so that one event becomes one dispatch. */
export interface FloodTarget {
  projects: string[]
  hooks: string[]
}

export interface Receiver extends AsyncDisposable {
  url: string
  /** Waits for the given number of requests, not counting repeats. */
  untilReceived(count: number): Promise<void>
  /** Sets the counters to zero. Fails if a dispatch arrived twice. */
  clear(): Promise<void>
}

/** @param more fields of the hooks */
export async function createHooks(stage: Stage, url: string, count = HOOKS, more: object = {}): Promise<FloodTarget> {
  const projects = await createProjects(stage, count)
  const input = { name: 'Flood', url, secret: newSecret(), trigger_on: 'gate_approved', ...more }
  const hooks: string[] = []
  for (const { id } of projects) hooks.push((await stage.api.post(`/projects/${id}/deployment-hooks`, input)).id)
  return { projects: projects.map(({ id }) => id), hooks }
}

/** Starts a receiver process. */
export async function startReceiver(environment: Environment, answerMs = 0): Promise<Receiver> {
  const process = startProcess('bin/bench/receiver.ts', { ...environment, RECEIVER_DELAY_MS: String(answerMs) })
  const url = await process.firstLine
  const counters = async () => (await (await fetch(url)).json()) as { requests: number; distinct: number }
  return {
    url,
    async untilReceived(count) {
      // Polls the receiver, because polling the database would slow down what is measured.
      await until(`${count} requests arrive`, async () => (await counters()).distinct >= count, TIMEOUT_MS, 10)
    },
    async clear() {
      const { requests, distinct } = await counters()
      if (requests !== distinct) throw new Failure(`${requests - distinct} of ${requests} requests came twice.`)
      await fetch(url, { method: 'DELETE' })
    },
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  }
}

/** Commits events, spread over the target's projects. Each becomes one dispatch. */
export async function writeEvents(sql: Sql, { projects }: FloodTarget, count: number, gate = 'Release review'): Promise<void> {
  await sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    select
      project.organization_id, project.workspace_id, project.id, 'gate.approved',
      jsonb_build_object(
        'gate',
        jsonb_build_object('id', uuidv7(), 'name', ${gate}::text, 'status', 'approved', 'note', ${filler(45)}::text)
      )
    from generate_series(1, ${count}::integer) as number
    join projects as project on project.id = (${projects}::uuid[])[1 + number % ${projects.length}]
  `
}

/** Notifies the worker of new events, as the API does after each commit. */
export async function notifyDrain(sql: Sql): Promise<void> {
  await sql`select pg_notify('signalbox_outbox', '')`
}

async function setPaused({ api }: Stage, { hooks }: FloodTarget, paused: boolean): Promise<void> {
  await Promise.all(hooks.map((id) => api.put(`/deployment-hooks/${id}`, { paused })))
}

/** Drains events into dispatches of paused hooks. */
export async function preparePending(stage: Stage, target: FloodTarget, count: number): Promise<void> {
  const { sql } = stage
  await setPaused(stage, target, true)
  await writeEvents(sql, target, count)
  await notifyDrain(sql)
  await until('Every event is drained', async () => !(await hasWaitingEvents(sql)), TIMEOUT_MS)
  const [{ pending }] = await sql<[{ pending: number }]>`
    select count(*) as pending
    from dispatches
    where hook_id = any(${target.hooks}::uuid[])
      and status = 'pending'
  `
  if (pending !== count) throw new Failure(`${count} events became ${pending} dispatches.`)
  await sql`vacuum (analyze)`
}

export async function hasWaitingEvents(sql: Sql): Promise<boolean> {
  const [{ waiting }] = await sql<[{ waiting: boolean }]>`
    select exists (select 1 from outbox where drained_at is null) as waiting
  `
  return waiting
}

/** Dispatches per second, from resuming their paused hooks to the record of the last one. */
export async function flood(stage: Stage, receiver: Receiver, target: FloodTarget, count: number): Promise<number> {
  await preparePending(stage, target, count)
  return deliverPending(stage, receiver, target, count)
}

/**
 * Resumes the hooks.
 *
 * @param everyMs how often the database is asked for open dispatches
 * @returns dispatches per second until the record of the last one
 */
export async function deliverPending(stage: Stage, receiver: Receiver, target: FloodTarget, count: number, everyMs = 2) {
  const begun = performance.now()
  await setPaused(stage, target, false)
  return count / (await secondsUntilRecorded(stage, receiver, target, count, begun, everyMs))
}

/** Dispatches per second including drain and fan-out: from the commit of their events to the record of the last one. */
export async function floodFromEvents(stage: Stage, receiver: Receiver, target: FloodTarget, count: number): Promise<number> {
  await writeEvents(stage.sql, target, count)
  const begun = performance.now()
  await notifyDrain(stage.sql)
  return count / (await secondsUntilRecorded(stage, receiver, target, count, begun))
}

/** @param begun by `performance.now()`. @returns seconds from then until every dispatch of the flood is recorded */
async function secondsUntilRecorded(
  { sql }: Stage,
  receiver: Receiver,
  target: FloodTarget,
  count: number,
  begun: number,
  everyMs = 2,
): Promise<number> {
  await receiver.untilReceived(count)
  await until(
    'Every dispatch is recorded',
    async () => {
      const [{ open }] = await sql<[{ open: boolean }]>`
        select exists (select 1 from deliveries where lane_id = any(${target.hooks}::uuid[])) as open
      `
      return !open
    },
    TIMEOUT_MS,
    everyMs,
  )
  const seconds = (performance.now() - begun) / 1000
  await verify(sql, target)
  await receiver.clear()
  return seconds
}

/** Fails unless every dispatch succeeded at its first attempt. */
async function verify(sql: Sql, { hooks }: FloodTarget): Promise<void> {
  const [found] = await sql<[{ total: number; good: number }]>`
    select count(*) as total, count(*) filter (where status = 'succeeded' and attempt_count = 1) as good
    from dispatches
    where hook_id = any(${hooks}::uuid[])
  `
  const [{ attempts }] = await sql<[{ attempts: number }]>`
    select count(*) as attempts
    from dispatch_attempts
    join dispatches on id = dispatch_id and dispatches.organization_id = dispatch_attempts.organization_id
    where hook_id = any(${hooks}::uuid[])
  `
  if (found.good !== found.total || attempts !== found.total) {
    throw new Failure(
      `${found.good} of ${found.total} dispatches succeeded at their first attempt; ${attempts} attempts were made.`,
    )
  }
}
