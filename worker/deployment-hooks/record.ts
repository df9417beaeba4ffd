/** Writes down what came of attempts, many at once: a statement for each would be what limits the rate. */
import { SYSTEM } from '../../core/actors.ts'
import { record } from '../../core/audit.ts'
import { addJob } from '../../core/jobs.ts'
import { log } from '../../core/log.ts'
import type { OutboundResult } from '../../core/outbound.ts'
import { commit, emitAll } from '../../core/outbox.ts'
import type { Json, Tx } from '../../sql/index.ts'
import type { Outcome } from './outcome.ts'
import type { DueDispatch } from './request.ts'

/** One attempt, with what it means. */
export interface Attempted {
  dispatch: DueDispatch
  started_at: string
  result: OutboundResult
  outcome: Outcome
}

/** A dispatch that an attempt settled, as its event shows it. */
interface Settled {
  id: string
  organization_id: string
  workspace_id: string
  project_id: string
  hook_id: string
  event: string
  status: 'pending' | 'succeeded' | 'failed'
}

const row = ({ dispatch, started_at, result, outcome }: Attempted) => ({
  id: dispatch.id,
  number: dispatch.attempt_count + 1,
  started_at,
  status: outcome.kind === 'retry' ? 'pending' : outcome.kind,
  after_seconds: outcome.kind === 'retry' ? outcome.after_seconds : null,
  address: result.address,
  dns_ms: result.dns_ms,
  first_byte_ms: result.first_byte_ms,
  duration_ms: result.duration_ms,
  response_status: result.status,
  response_headers: result.headers,
  response_body: result.body,
  error: outcome.kind === 'succeeded' ? null : outcome.error,
  // What went wrong with the body of a success is noted in the attempt; the dispatch has no error.
  note: outcome.kind === 'succeeded' ? result.error : outcome.error,
})

/**
 * The fence is in the `where`: an attempt that was recorded already, or of a dispatch that is settled by
 * now, changes nothing. No lane is locked here; together with the drain that would deadlock.
 */
function settle(tx: Tx, attempts: Attempted[]): Promise<(Settled & Record<string, unknown>)[]> {
  return tx<(Settled & Record<string, unknown>)[]>`
    with outcome as (
      select
        id, number, started_at, status, after_seconds, address, dns_ms, first_byte_ms, duration_ms,
        response_status, response_headers, response_body, error, note
      from jsonb_to_recordset(${tx.json(attempts.map(row) as Json)}) as outcome (
        id uuid, number integer, started_at timestamptz, status text, after_seconds double precision,
        address text, dns_ms integer, first_byte_ms integer, duration_ms integer,
        response_status integer, response_headers jsonb, response_body text, error jsonb, note jsonb
      )
    ),
    settled as (
      update dispatches as dispatch
      set status          = outcome.status,
          attempt_count   = outcome.number,
          -- What is too old by then is ended when it is, not kept until then.
          next_attempt_at = least(
            now() + outcome.after_seconds * interval '1 second',
            case when outcome.status = 'pending' and dispatch.event <> 'test.ping' then (
              select dispatch.created_at + max_age_seconds * interval '1 second'
              from deployment_hooks
              where id = dispatch.hook_id
            ) end
          ),
          completed_at    = case when outcome.status = 'pending' then null else now() end,
          response_status = outcome.response_status,
          response_body   = outcome.response_body,
          duration_ms     = outcome.duration_ms,
          error           = outcome.error
      from outcome
      where dispatch.id = outcome.id
        and dispatch.status = 'pending'
        and dispatch.attempt_count = outcome.number - 1
      returning
        dispatch.id, dispatch.hook_id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id,
        dispatch.event, dispatch.environment, dispatch.status, dispatch.attempt_count, dispatch.max_attempts,
        dispatch.next_attempt_at, dispatch.response_status, dispatch.duration_ms, dispatch.error, dispatch.sequence,
        dispatch.redelivery_of, dispatch.superseded_by, dispatch.created_at, dispatch.completed_at
    ),
    attempts as (
      insert into dispatch_attempts (
        dispatch_id, organization_id, number, started_at, address, dns_ms, first_byte_ms, duration_ms,
        response_status, response_headers, response_body, error
      )
      select
        settled.id, settled.organization_id, outcome.number, outcome.started_at, outcome.address, outcome.dns_ms,
        outcome.first_byte_ms, outcome.duration_ms, outcome.response_status, outcome.response_headers,
        outcome.response_body, outcome.note
      from settled
      join outcome on outcome.id = settled.id
    )
    select
      id, hook_id, organization_id, workspace_id, project_id, event, environment, status, attempt_count, max_attempts,
      next_attempt_at, response_status, duration_ms, error, sequence, redelivery_of, superseded_by, created_at, completed_at
    from settled
  `
}

/** Tells that deployments were delivered or given up; a test.ping is neither. */
async function tell(tx: Tx, settled: (Settled & Record<string, unknown>)[]): Promise<void> {
  const told = settled.filter(({ status, event }) => status !== 'pending' && event !== 'test.ping')
  await emitAll(
    tx,
    SYSTEM,
    told.map(({ organization_id, workspace_id, ...dispatch }) => ({
      place: { organization_id, workspace_id, project_id: dispatch.project_id },
      name: dispatch.status === 'succeeded' ? 'deployment.succeeded' : 'deployment.failed',
      data: { dispatch },
    })),
  )
}

/** Switches off a hook whose receiver said that it is gone, and tells its admins. Whoever serves its lane ends what waits. */
async function disable(tx: Tx, place: Settled): Promise<void> {
  const reason = 'The receiver answered 410 Gone.'
  const [hook] = await tx<{ name: string; data: Record<string, unknown> }[]>`
    update deployment_hooks
    set enabled = false, disabled_reason = ${reason}
    where id = ${place.hook_id}
      and enabled
    returning name, jsonb_build_object(
      'id', id, 'project_id', project_id, 'name', name, 'url', url, 'trigger_on', trigger_on, 'environment', environment,
      'enabled', enabled, 'disabled_reason', disabled_reason, 'has_secret', secret is not null,
      'created_at', created_at, 'updated_at', updated_at
    ) as data
  `
  if (!hook) return
  await emitAll(tx, SYSTEM, [{ place, name: 'hook.disabled', data: { hook: hook.data, reason } }])
  await record(tx, SYSTEM, place, {
    action: 'hook.disabled',
    resource_type: 'deployment_hook',
    resource_id: place.hook_id,
    detail: `Signalbox switched the deployment hook ${hook.name} off: ${reason}`,
  })
  await addJob(tx, 'mail_hook_disabled', { hook_id: place.hook_id })
}

async function write(attempts: Attempted[]): Promise<void> {
  await commit(async (tx) => {
    const settled = await settle(tx, attempts)
    await tell(tx, settled)
    const gone = new Set(
      attempts.flatMap(({ dispatch, outcome }) => (outcome.kind === 'failed' && outcome.gone ? [dispatch.id] : [])),
    )
    for (const each of settled) if (gone.has(each.id) && each.event !== 'test.ping') await disable(tx, each)
  })
}

const FLUSH_MS = 4
const FLUSH_ROWS = 300

interface Waiting {
  attempted: Attempted
  done: () => void
}

const waiting: Waiting[] = []
let flushing = false

/** Records an attempt; resolves once it is on record. */
export function recordAttempt(attempted: Attempted): Promise<void> {
  return new Promise((done) => {
    waiting.push({ attempted, done })
    if (!flushing) void flush()
  })
}

/** Writes batch after batch until none waits. What cannot be written is tried until it can: an answer is not lost. */
async function flush(): Promise<void> {
  flushing = true
  while (waiting.length > 0) {
    if (waiting.length < FLUSH_ROWS) await Bun.sleep(FLUSH_MS)
    const batch = waiting.splice(0, FLUSH_ROWS)
    for (let tries = 1; ; tries++) {
      try {
        await write(batch.map(({ attempted }) => attempted))
        break
      } catch (error) {
        log.error({ error, attempts: batch.length, tries }, 'attempts could not be recorded yet')
        await Bun.sleep(Math.min(100 * 2 ** tries, 2_000))
      }
    }
    for (const { done } of batch) done()
  }
  flushing = false
}
