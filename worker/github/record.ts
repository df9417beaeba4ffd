/** Records what attempts at requests have achieved. */
import { emitAll } from '../../core/events/outbox.ts'
import { endUnasked, lockGates } from '../../core/github/requests.ts'
import { syncInstallations } from '../../core/jobs/tasks.ts'
import { recordAll } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'
import type { RequestAttempt } from './attempt.ts'

/** How long an answer has to fail before github.unanswered is emitted. */
const UNANSWERED_SECONDS = 600

interface Recorded {
  id: string
  organization_id: string
  workspace_id: string
  project_id: string
  gate_id: string | null
  full_name: string
  environment: string
  run_url: string
  error: { code: string; detail: string } | null
  /** A job has asked while the answer was on its way. */
  is_short: boolean
  is_told: boolean
}

const isOver = ({ progress: { state } }: RequestAttempt): boolean => state === 'answered' || state === 'closed'

/** What others have changed meanwhile is looked at again. */
async function store(tx: Tx, attempts: RequestAttempt[]): Promise<Recorded[]> {
  const rows = attempts.map((each) => {
    const { item, progress, isUnanswered } = each
    const { due, ...stored } = progress
    // A failed commit status delays no run.
    const failure = isOver(each) ? null : each.failure
    return {
      ...stored,
      id: item.id,
      organization_id: item.organization_id,
      jobs: item.jobs,
      error: failure && { code: failure.code, detail: failure.detail },
      after_seconds: typeof due === 'number' ? due : null,
      due_at: typeof due === 'string' ? due : null,
      is_unanswered: isUnanswered && failure !== null,
    }
  })
  return tx<Recorded[]>`
    with done as materialized (
      select *
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as done (
        id uuid, organization_id uuid, jobs integer, state text, answer text, refusal text, held_until timestamptz,
        report_count integer, reported text, commit_status text, status_failures integer, revision bigint, error jsonb,
        after_seconds double precision, due_at timestamptz, is_unanswered boolean
      )
    )
    update github_requests as request
    set state           = case
          when done.state = 'answered' or request.state in ('open', 'held') then done.state
          else request.state
        end,
        answer          = case
          when done.state = 'answered' or request.state in ('open', 'held') then done.answer
          else request.answer
        end,
        answered_at     = case when done.state = 'answered' then now() else request.answered_at end,
        refusal         = coalesce(done.refusal, request.refusal),
        held_until      = case when request.state in ('open', 'held') then done.held_until end,
        report_count    = done.report_count,
        reported        = done.reported,
        commit_status   = done.commit_status,
        status_failures = done.status_failures,
        error           = done.error,
        attempt_count   = case when done.error is null then 0 else request.attempt_count + 1 end,
        failing_since   = case when done.error is not null then coalesce(request.failing_since, now()) end,
        unanswered_at   = case
          when done.is_unanswered
            and request.unanswered_at is null
            and request.failing_since <= now() - ${UNANSWERED_SECONDS} * interval '1 second'
          then now()
          else request.unanswered_at
        end,
        due_at          = case
          when request.revision > done.revision then now()
          else coalesce(done.due_at, seconds_after(now(), done.after_seconds))
        end
    from done
    where request.id = done.id and request.organization_id = done.organization_id
    returning
      request.id, request.organization_id, request.workspace_id, request.project_id, request.gate_id, request.full_name,
      request.environment, request.run_url, request.error, request.state = 'answered' and request.jobs > done.jobs as is_short,
      coalesce(request.unanswered_at = now()::timestamptz(3), false) as is_told
  `
}

/** Jobs that have asked while an answer was on its way may not have got it: they ask again. */
async function askAgain(tx: Tx, short: Recorded[]): Promise<void> {
  if (short.length === 0) return
  await tx`
    insert into github_requests (
      organization_id, workspace_id, project_id, lane_id, repository_id, full_name, is_private, run_id, environment, commit, ref,
      run_url, asked_by, deployment_ids
    )
    select
      organization_id, workspace_id, project_id, lane_id, repository_id, full_name, is_private, run_id, environment, commit, ref,
      run_url, asked_by, deployment_ids
    from github_requests
    where id = any(${short.map(({ id }) => id)}::uuid[])
      and organization_id = any(${[...new Set(short.map(({ organization_id }) => organization_id))]}::uuid[])
    on conflict (organization_id, repository_id, run_id, environment) where state in ('open', 'held') do nothing
  `
}

/** Tells that requests are not answered. */
async function tell(tx: Tx, unanswered: Recorded[]): Promise<void> {
  await emitAll(
    tx,
    SYSTEM,
    unanswered.map(({ full_name, environment, run_url, gate_id, error, ...scope }) => ({
      scope,
      name: 'github.unanswered' as const,
      data: { repository: full_name, environment, run_url, gate_id, reason: error?.detail ?? 'It is not known why.' },
    })),
  )
  await recordAll(
    tx,
    SYSTEM,
    unanswered.map(({ id, full_name, environment, error, ...scope }) => ({
      scope,
      entry: {
        action: 'github.unanswered',
        resource_type: 'github_request',
        resource_id: id,
        detail: `GitHub does not take the answer for ${environment} of ${full_name}: ${error?.detail ?? 'it is not known why.'}`,
      },
    })),
  )
}

export async function record(tx: Tx, attempts: RequestAttempt[]): Promise<Set<string>> {
  const unasked = attempts.filter((each) => isOver(each) && each.gate?.status === 'pending')
  // Gates before requests, as decisions that are taken back do.
  for (const { item, gate } of unasked) if (gate) await lockGates(tx, item.organization_id, [gate.id])
  const recorded = await store(tx, attempts)
  for (const { item, gate, progress } of unasked) {
    const why = progress.state === 'closed' ? 'the workflow run does not wait any more' : 'the workflow run was rejected'
    if (gate) await endUnasked(tx, item.organization_id, [gate.id], why)
  }
  await askAgain(
    tx,
    recorded.filter(({ is_short }) => is_short),
  )
  const told = recorded.filter(({ is_told }) => is_told)
  if (told.length > 0) await tell(tx, told)
  const shut = attempts.filter(({ failure }) => failure?.isShut)
  await syncInstallations(
    tx,
    shut.map(({ lane }) => ({ id: lane.id, organization_id: lane.organization_id })),
  )
  return new Set(recorded.map(({ id }) => id))
}
