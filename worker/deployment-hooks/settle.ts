/** What attempts mean to their dispatches, and the one statement that writes it down. */
import { config } from '../../core/config.ts'
import { sql } from '../../core/database.ts'
import { isLiving } from '../../core/living.ts'
import { patternsOf } from '../../core/notification-channels.ts'
import type { OutboundResult } from '../../core/outbound.ts'
import type { Queryable } from '../../sql/index.ts'
import { concernsUsers } from '../notifications/fan-out.ts'
import { type Failing, GONE, WORN_OUT } from './disable.ts'
import type { Outcome } from './outcome.ts'
import type { DueDispatch } from './request.ts'

/** One attempt, with what it means. */
export interface Attempted {
  hook_id: string
  /** Of the hook, as it was when the request was sent. */
  target_since: string
  dispatch: DueDispatch
  started_at: string
  result: OutboundResult
  outcome: Outcome
  /** The hook leads elsewhere by now: the answer says nothing about its receiver. */
  isStale?: boolean
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
 * What is told of an attempt that settles its dispatch, as GET shows it then, up to when that was: only the statement
 * that settles it knows. To put this together there took longer than to settle it.
 */
const tellingOf = ({ hook_id, dispatch, result, outcome }: Attempted) =>
  JSON.stringify({
    dispatch: {
      id: dispatch.id,
      hook_id,
      project_id: dispatch.project_id,
      event: dispatch.event,
      environment: dispatch.environment,
      status: outcome.kind,
      attempt_count: dispatch.attempt_count + 1,
      max_attempts: dispatch.max_attempts,
      next_attempt_at: null,
      response_status: result.status,
      duration_ms: result.duration_ms,
      error: outcome.kind === 'succeeded' ? null : outcome.error,
      sequence: dispatch.sequence,
      redelivery_of: dispatch.redelivery_of,
      superseded_by: null,
      created_at: dispatch.created_at,
      completed_at: '',
    },
  }).slice(0, -'"}}'.length)

/**
 * What attempts say about receivers, by the last word of each: failures count since the last success, and it is slow
 * if a timeout came after that. A test.ping says nothing, and neither does an answer of a former url.
 */
function fares(attempts: Attempted[]) {
  const succeeded = new Set<string>()
  return attempts
    .toReversed()
    .map((attempted) => {
      const { hook_id, dispatch, outcome, result, isStale } = attempted
      const counts = dispatch.event !== 'test.ping' && !isStale && !succeeded.has(hook_id)
      if (counts && outcome.kind === 'succeeded') succeeded.add(hook_id)
      const failed = counts && outcome.kind !== 'succeeded'
      return {
        ...row(attempted),
        telling: outcome.kind === 'retry' || dispatch.event === 'test.ping' ? null : tellingOf(attempted),
        success: counts && outcome.kind === 'succeeded',
        failure: failed,
        timeout: failed && result.status === null && result.error?.code === 'timeout',
      }
    })
    .toReversed()
}

/** A hook of which something was settled. */
export interface Served extends Omit<Failing, 'reason'> {
  /** Of its lane; a higher one than was seen before says that somebody touched it. */
  version: number
  /** Somebody may want to be told of its dispatches. */
  heard: boolean
  /** Why it is to be switched off; null where it is not. */
  reason: string | null
}

/** A success is noted so often, to spare a write for each. */
const SUCCESS_SECONDS = Math.min(60, config.HOOK_DISABLE_SECONDS / 10)

const TOLD = ['deployment.succeeded', 'deployment.failed']
/** The subscriptions that such an event fits. */
const PATTERNS = [...new Set(TOLD.flatMap(patternsOf))]
const TELLS_USERS = TOLD.some(concernsUsers)

/**
 * Attempts, outcomes, the events that tell of them, and how the receivers fare: one statement, and so one transaction.
 *
 * The fence is in the `where`: an attempt that was recorded already, or of a dispatch that is settled by now, or
 * of an organization that is deleted, changes nothing. No lane is locked here; together with the drain that would
 * deadlock. Receivers are written in the order of their hooks, as two of these may run at once.
 *
 * An event that nobody subscribes to is drained already: for most organizations that spares the drain as many events
 * as it fans out.
 *
 * Each dispatch must be looked up by its key. Statistics that were taken while nothing was pending say that hardly any
 * row is, and then the whole backlog was read for every batch; so it is `completed_at` that says what is pending, as
 * no index of pending rows does.
 *
 * @returns the hooks of what was settled
 */
export function settle(db: Queryable, attempts: Attempted[]): Promise<Served[]> {
  return db<Served[]>`
    with outcome as materialized (
      select *
      from json_to_recordset(${JSON.stringify(fares(attempts))}::text::json) as outcome (
        id uuid, number integer, started_at timestamptz, status text, after_seconds double precision,
        address text, dns_ms integer, first_byte_ms integer, duration_ms integer,
        response_status integer, response_headers jsonb, response_body text, error jsonb, note jsonb,
        telling text, gone boolean, success boolean, failure boolean, timeout boolean
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
        and ${isLiving(sql`dispatch.organization_id`)}
      returning
        dispatch.id, dispatch.hook_id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id,
        dispatch.event, dispatch.status, dispatch.attempt_count, dispatch.response_status, dispatch.duration_ms,
        dispatch.request_id, dispatch.traceparent,
        outcome.started_at, outcome.address, outcome.dns_ms, outcome.first_byte_ms, outcome.response_headers,
        outcome.response_body, outcome.note, outcome.telling, outcome.gone, outcome.success, outcome.failure, outcome.timeout
    ),
    attempts as (
      insert into dispatch_attempts (
        dispatch_id, organization_id, number, started_at, address, dns_ms, first_byte_ms, duration_ms,
        response_status, response_headers, response_body, error
      )
      select
        id, organization_id, attempt_count, started_at, address, dns_ms, first_byte_ms, duration_ms,
        response_status, response_headers, response_body, note
      from settled
    ),
    listening as materialized (
      select organization_id
      from subscriptions
      where organization_id = any(array(select distinct organization_id from settled))
        and event_pattern = any(${PATTERNS})
    ),
    told as (
      insert into outbox (organization_id, workspace_id, project_id, request_id, traceparent, name, data, drained_at)
      select
        organization_id, workspace_id, project_id, request_id, traceparent, 'deployment.' || status,
        (telling || (select to_char(now()::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || '"}}')::jsonb,
        case when ${TELLS_USERS} or organization_id in (select organization_id from listening) then null else now() end
      from settled
      where telling is not null
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
      on conflict (hook_id, organization_id) do update
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
    select
      hook.id, hook.organization_id, hook.workspace_id, hook.project_id, hook.target_since, lane.version,
      ${TELLS_USERS} or hook.organization_id in (select organization_id from listening) as heard,
      case
        when served.gone then ${GONE}
        when receivers.failures >= 10
          and receivers.last_failure_at = now()::timestamptz(3)
          and receivers.last_failure_at - receivers.first_failure_at
            >= ${config.HOOK_DISABLE_SECONDS / 10} * interval '1 second'
          and greatest(receivers.last_success_at, hook.target_since)
            <= now() - ${config.HOOK_DISABLE_SECONDS + SUCCESS_SECONDS} * interval '1 second'
          then ${WORN_OUT}
      end as reason
    from (select hook_id, bool_or(gone and event <> 'test.ping') as gone from settled group by hook_id) as served
    join deployment_hooks as hook on hook.id = served.hook_id
    join hook_lanes as lane on lane.hook_id = served.hook_id
    left join receivers on receivers.hook_id = served.hook_id
  `
}
