/** Writes down what came of attempts, many at once: a statement for each would be what limits the rate. */
import { config } from '../../core/config.ts'
import { sql } from '../../core/database.ts'
import { log } from '../../core/log.ts'
import type { OutboundResult } from '../../core/outbound.ts'
import { askForDrain, commit } from '../../core/outbox.ts'
import type { Json, Queryable } from '../../sql/index.ts'
import { type Failing, GONE, switchOff, WORN_OUT } from './disable.ts'
import type { Outcome } from './outcome.ts'
import type { DueDispatch } from './request.ts'

/** One attempt, with what it means. */
export interface Attempted {
  hook_id: string
  dispatch: DueDispatch
  started_at: string
  result: OutboundResult
  outcome: Outcome
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
  gone: outcome.kind === 'failed' && outcome.gone,
})

/**
 * What attempts say about receivers, by the last word of each: failures count since the last success, and it is slow
 * if a timeout came after that. A test.ping says nothing.
 */
function fares(attempts: Attempted[]) {
  const succeeded = new Set<string>()
  return attempts
    .toReversed()
    .map((attempted) => {
      const { hook_id, dispatch, outcome, result } = attempted
      const counts = dispatch.event !== 'test.ping' && !succeeded.has(hook_id)
      if (counts && outcome.kind === 'succeeded') succeeded.add(hook_id)
      const failed = counts && outcome.kind !== 'succeeded'
      return {
        ...row(attempted),
        success: counts && outcome.kind === 'succeeded',
        failure: failed,
        timeout: failed && result.status === null && result.error?.code === 'timeout',
      }
    })
    .toReversed()
}

/** A success is noted so often, to spare a write for each. */
const SUCCESS_SECONDS = Math.min(60, config.HOOK_DISABLE_SECONDS / 10)

/** An instant as the API shows it. */
const iso = (column: string) => sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * Attempts, outcomes, the events that tell of them, and how the receivers fare: one statement, and so one transaction.
 *
 * The fence is in the `where`: an attempt that was recorded already, or of a dispatch that is settled by now, or
 * of an organization that is deleted, changes nothing. No lane is locked here; together with the drain that would deadlock. Receivers are written in the order of
 * their hooks, as two of these may run at once.
 *
 * Each dispatch must be looked up by its key. Statistics that were taken while nothing was pending say that hardly any
 * row is, and then the whole backlog was read for every batch; so it is `completed_at` that says what is pending, as
 * no index of pending rows does.
 *
 * @returns the hooks that are to be switched off for it
 */
function settle(db: Queryable, attempts: Attempted[]): Promise<Failing[]> {
  return db<Failing[]>`
    with outcome as materialized (
      select *
      from jsonb_to_recordset(${db.json(fares(attempts) as Json)}) as outcome (
        id uuid, number integer, started_at timestamptz, status text, after_seconds double precision,
        address text, dns_ms integer, first_byte_ms integer, duration_ms integer,
        response_status integer, response_headers jsonb, response_body text, error jsonb, note jsonb,
        gone boolean, success boolean, failure boolean, timeout boolean
      )
      -- True of all. The planner takes it for a rare case, and so looks each dispatch up by its key.
      where number between 1 and 1000000
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
        and dispatch.completed_at is null
        and dispatch.attempt_count = outcome.number - 1
        and exists (select from organizations where id = dispatch.organization_id and deleted_at is null)
      returning
        dispatch.id, dispatch.hook_id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id,
        dispatch.event, dispatch.environment, dispatch.status, dispatch.attempt_count, dispatch.max_attempts,
        dispatch.next_attempt_at, dispatch.response_status, dispatch.duration_ms, dispatch.error, dispatch.sequence,
        dispatch.redelivery_of, dispatch.superseded_by, dispatch.created_at, dispatch.completed_at,
        outcome.gone, outcome.success, outcome.failure, outcome.timeout
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
    ),
    told as (
      insert into outbox (organization_id, workspace_id, project_id, name, data)
      select
        organization_id, workspace_id, project_id, 'deployment.' || status,
        jsonb_build_object('dispatch', jsonb_build_object(
          'id', id, 'hook_id', hook_id, 'project_id', project_id, 'event', event, 'environment', environment,
          'status', status, 'attempt_count', attempt_count, 'max_attempts', max_attempts, 'next_attempt_at', null,
          'response_status', response_status, 'duration_ms', duration_ms, 'error', error, 'sequence', sequence,
          'redelivery_of', redelivery_of, 'superseded_by', superseded_by,
          'created_at', ${iso('created_at')}, 'completed_at', ${iso('completed_at')}
        ))
      from settled
      where status <> 'pending'
        and event <> 'test.ping'
    ),
    receivers as (
      insert into hook_receivers as receiver (
        hook_id, organization_id, last_success_at, failures, first_failure_at, last_failure_at, is_slow
      )
      select
        hook_id, organization_id, case when bool_or(success) then now() end, count(*) filter (where failure),
        case when bool_or(failure) then now() end, case when bool_or(failure) then now() end, bool_or(timeout)
      from settled
      where success
        or failure
      group by hook_id, organization_id
      order by hook_id
      on conflict (hook_id) do update
      set last_success_at  = coalesce(excluded.last_success_at, receiver.last_success_at),
          failures         = case when excluded.last_success_at is null then receiver.failures else 0 end + excluded.failures,
          first_failure_at = case
            when excluded.last_success_at is null then coalesce(receiver.first_failure_at, excluded.first_failure_at)
            else excluded.first_failure_at
          end,
          last_failure_at  = coalesce(excluded.last_failure_at, receiver.last_failure_at),
          is_slow          = excluded.is_slow or receiver.is_slow and excluded.last_success_at is null
      where excluded.failures > 0
        or receiver.failures > 0
        or receiver.is_slow
        or receiver.last_success_at is null
        or receiver.last_success_at < now() - ${SUCCESS_SECONDS} * interval '1 second'
      returning hook_id, organization_id, last_success_at, failures, first_failure_at, last_failure_at
    )
    select hook.id, hook.organization_id, hook.workspace_id, hook.project_id, ${GONE} as reason
    from deployment_hooks as hook
    where id in (select hook_id from settled where gone and event <> 'test.ping')
    union all
    select hook.id, hook.organization_id, hook.workspace_id, hook.project_id, ${WORN_OUT} as reason
    from receivers
    join deployment_hooks as hook on hook.id = receivers.hook_id
    where receivers.failures >= 10
      and receivers.last_failure_at = now()::timestamptz(3)
      and receivers.last_failure_at - receivers.first_failure_at >= ${config.HOOK_DISABLE_SECONDS / 10} * interval '1 second'
      and coalesce(receivers.last_success_at, hook.created_at)
        <= now() - ${config.HOOK_DISABLE_SECONDS + SUCCESS_SECONDS} * interval '1 second'
  `
}

/** Only a failure can switch a hook off, and then both are one transaction; without one a single round trip will do. */
async function write(attempts: Attempted[]): Promise<void> {
  if (attempts.every(({ outcome }) => outcome.kind === 'succeeded')) await settle(sql, attempts)
  else
    await commit(async (tx) => {
      for (const failing of await settle(tx, attempts)) await switchOff(tx, failing)
    })
  askForDrainSoon()
}

/** Nothing waits for these events to the millisecond, and each asking costs every worker a look for jobs. */
const ASK_MS = 50

let asked = false

function askForDrainSoon(): void {
  if (asked) return
  asked = true
  setTimeout(() => {
    asked = false
    void askForDrain()
  }, ASK_MS)
}

const FLUSH_MS = 4
const FLUSH_ROWS = 300
/** While one waits for the disk, another is being worked off. */
const FLUSHES = 2

interface Waiting {
  attempted: Attempted
  done: () => void
}

const waiting: Waiting[] = []
let flushing = 0

/** Records an attempt; resolves once it is on record. */
export function recordAttempt(attempted: Attempted): Promise<void> {
  return new Promise((done) => {
    waiting.push({ attempted, done })
    if (flushing < FLUSHES) void flush()
  })
}

/** Writes batch after batch until none waits. What cannot be written is tried until it can: an answer is not lost. */
async function flush(): Promise<void> {
  flushing += 1
  while (waiting.length > 0) {
    if (waiting.length < FLUSH_ROWS) await Bun.sleep(FLUSH_MS)
    const batch = waiting.splice(0, FLUSH_ROWS)
    if (batch.length === 0) break
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
  flushing -= 1
}
