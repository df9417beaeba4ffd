/** Recording what a receiver, or a person, reports about a dispatch. */

import { approvedDigest } from '../../core/dispatches/approval.ts'
import { decryptBody, decryptTemplateSecrets } from '../../core/dispatches/bodies.ts'
import { eventDispatches } from '../../core/dispatches/view.ts'
import type { EventName } from '../../core/events/catalogue.ts'
import { emitAll } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { digestTextOf } from '../../core/promotions/promotion.ts'
import { isMismatch, type Rollout, type RolloutState, storeFigures } from '../../core/rollouts/rollouts.ts'
import { record } from '../../core/security/audit.ts'
import { type Mask, maskOf } from '../../core/security/masking.ts'
import { reportToken } from '../../core/security/report-token.ts'
import { secretsOfHeader, secretsOfSigning } from '../../core/security/secret-forms.ts'
import { decrypt } from '../../core/security/secrets.ts'
import type { Actor } from '../../core/tenants/actors.ts'
import { maskCredentials } from '../../core/values/credentials.ts'
import { storable } from '../../core/values/plain-text.ts'
import type { Fragment, Tx } from '../../sql/index.ts'
import { getDispatch } from '../dispatches/dispatches.ts'
import type { Dispatch } from '../dispatches/schema.ts'
import { lockHooksAndPolicies, lockPromotedLanes } from '../lanes/lanes.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { invalidField, invalidTransition, notFound, Problem } from '../problems.ts'
import { type EndedRollout, recordRun } from './runs.ts'
import { MAX_DESCRIPTION, MAX_VERSION, type ReportInput } from './schema.ts'

type Report = ReportInput['state']

interface LockedRollout {
  state: RolloutState
  environment: string
  hook_name: string
  was_started: boolean
  digest: ReportInput['digest']
}

/** Locks the rollout of a dispatch until the commit, so that concurrent reports follow one another. */
async function lockRollout(tx: Tx, { id, organization_id }: ResourceKey<'dispatch'>): Promise<LockedRollout | undefined> {
  const [rollout] = await tx<LockedRollout[]>`
    select
      rollout.state, rollout.environment, rollout.digest, rollout.started_at is not null as was_started,
      hook.name as hook_name
    from rollouts as rollout
    join deployment_hooks as hook on hook.id = rollout.hook_id and hook.organization_id = rollout.organization_id
    where rollout.id = ${id} and rollout.organization_id = ${organization_id}
    for no key update of rollout
  `
  return rollout
}

function urlProblem(url: string, mask: Mask): Problem | null {
  const { username, password } = new URL(url)
  if (username || password)
    return invalidField('/url', 'credentials_in_url', 'must not contain a user name or password: members of the workspace see it')
  if (mask(url) === url) return null
  const detail = 'must not contain a secret of the hook, a value of its headers, or a token: members of the workspace see it'
  return invalidField('/url', 'contains_secret', detail)
}

/**
 * A report as members of the workspace may see it: with the secrets in its texts masked. The report itself if it has no texts.
 * @throws Problem `validation_failed` for a url that contains secrets: without them it would lead nowhere
 */
async function withoutSecrets(dispatch_id: string, input: ReportInput, known: KnownSecrets | null, presented: string | null) {
  if (known === null) return input
  const mask = await maskOfKnown(dispatch_id, known, presented)
  const { version, url, description } = input
  const problem = url == null ? null : urlProblem(url, mask)
  if (problem) throw problem
  // A mask may be longer than what it replaces.
  const shown = (text: string, limit: number) => [...mask(text)].slice(0, limit).join('')
  return {
    ...input,
    ...(version == null ? {} : { version: shown(version, MAX_VERSION) }),
    ...(description == null ? {} : { description: shown(description, MAX_DESCRIPTION) }),
  }
}

async function isRollback(tx: Tx, { id, organization_id }: ResourceKey<'dispatch'>): Promise<boolean> {
  const rows = await tx`
    select from dispatches where id = ${id} and organization_id = ${organization_id} and event = 'deployment.rollback'
  `
  return rows.length > 0
}

/**
 * SQL: whether a dispatch rolls the environment back that is `known`. A rollback is sent to the hooks of all environments, also where it is for
 * one of them. Once its event is forgotten, that is not known any more, and it counts.
 */
const isRollbackHere = (dispatch: Fragment) => sql`
  (
    ${dispatch}.event = 'deployment.rollback'
    and not exists (
      select
      from outbox as event
      where event.id = ${dispatch}.event_id
        and event.organization_id = ${dispatch}.organization_id
        and event.data ->> 'environment' <> known.environment
    )
  )
`

/** SQL: whether the environment that is `known` was rolled back after `dispatch` was made. A rollback is overtaken by the next one of its hook. */
const isOvertaken = sql`
  case
    when dispatch.event <> 'deployment.rollback' then coalesce(dispatch.created_at <= known.rolled_back_at, false)
    else exists (
      select
      from dispatches as later
      where later.hook_id = dispatch.hook_id
        and later.organization_id = dispatch.organization_id
        and later.redelivery_of is null
        and later.sequence > coalesce(dispatch.made_after_sequence, dispatch.sequence)
        and ${isRollbackHere(sql`later`)}
    )
  end
`

/**
 * Stores a report in the rollout, and what runs in its environment. The environment is locked first: reports of its rollouts
 * get their times in the order of their commits.
 */
async function store(tx: Tx, by: Actor, dispatch: Resource<'dispatch'>, environment: string, input: ReportInput): Promise<void> {
  const { id, organization_id, project_id } = dispatch
  const { state, version, url, description, digest } = input
  const isOver = state !== 'in_progress'
  await tx`
    select
    from environments
    where project_id = ${project_id}
      and environment = ${environment}
      and organization_id = ${organization_id}
    for no key update
  `
  const [ended] = await tx<EndedRollout[]>`
    with moment as materialized (
      -- Not now(), which is before the lock.
      select
        clock_timestamp()::timestamptz(3) as at, known.failing_since, dispatch.report_within_seconds as within,
        dispatch.status <> 'pending' as is_over,
        dispatch.status in ('failed', 'cancelled') and dispatch.attempt_count = 0 as is_unsent,
        ${state === 'succeeded' ? isOvertaken : tx`false`} as is_overtaken,
        case when ${isRollbackHere(tx`dispatch`)} then dispatch.created_at end as rolled_back_at,
        ${isOver || digest != null ? approvedDigest : tx`null::jsonb`} as approved_digest
      from environments as known
      join dispatches as dispatch on dispatch.id = ${id} and dispatch.organization_id = known.organization_id
      cross join lateral (select known.environment) as hook
      where known.project_id = ${project_id}
        and known.environment = ${environment}
        and known.organization_id = ${organization_id}
    ),
    reported as (
      update rollouts as rollout
      set state       = ${state},
          version     = ${version === undefined ? tx`version` : version},
          url         = ${url === undefined ? tx`url` : url},
          description = ${description === undefined ? tx`description` : description},
          digest      = ${digest === undefined ? tx`rollout.digest` : digest === null ? null : tx.json(digest)},
          approved_digest = ${
            digest === undefined ? tx`rollout.approved_digest` : digest === null ? null : tx`moment.approved_digest`
          },
          reported_by = ${by.id},
          reported_at = moment.at,
          -- Before the dispatch is delivered or given up, there is no deadline.
          deadline_at = case
            when ${state === 'in_progress'} and (deadline_at is not null or moment.is_over)
            then seconds_after(moment.at, moment.within)
            else deadline_at
          end,
          -- It may become unknown after it was not delivered: the event is emitted once.
          unknown_at  = case when rollout.state <> 'not_delivered' then unknown_at end,
          started_at  = case when ${state === 'in_progress'} then coalesce(started_at, moment.at) else started_at end,
          lead_ms     = case when ${state === 'succeeded'} then greatest(0, extract(epoch from moment.at - event_at) * 1000) end,
          restore_ms  = case when ${state === 'succeeded'} then extract(epoch from moment.at - moment.failing_since) * 1000 end
      from moment
      where rollout.id = ${id} and rollout.organization_id = ${organization_id}
      returning
        rollout.id, rollout.reported_at, rollout.version, rollout.url, rollout.gate_id,
        coalesce(rollout.digest, moment.approved_digest) as digest, moment.is_unsent, moment.is_overtaken, moment.rolled_back_at
    )
    update environments as known
    set latest_id     = reported.id,
        previous_id   = ${state === 'succeeded' ? tx`known.current_id` : tx`known.previous_id`},
        current_id    = ${state === 'succeeded' ? tx`reported.id` : tx`known.current_id`},
        current_digest = ${state === 'succeeded' ? digestTextOf(tx`reported.digest`) : tx`known.current_digest`},
        failing_since = ${
          state === 'succeeded'
            ? tx`null`
            : state === 'failed'
              ? tx`coalesce(known.failing_since, case when known.current_id is not null then reported.reported_at end)`
              : tx`known.failing_since`
        }
    from reported
    where known.project_id = ${project_id}
      and known.environment = ${environment}
      and known.organization_id = ${organization_id}
    returning
      reported.id as rollout_id, reported.reported_at as at, reported.version, reported.url, reported.gate_id,
      reported.rolled_back_at,
      -- What was not sent, such as for want of an approval, did not bring a subject there. Members can report about it nevertheless.
      -- What was sent before a rollback does not run there after it.
      case
        when ${state !== 'succeeded'} or not reported.is_unsent and not reported.is_overtaken then reported.digest
      end as digest
  `
  if (state === 'in_progress') return
  await storeFigures(tx, [{ organization_id, project_id, environment }])
  if (ended) await recordRun(tx, by, dispatch, environment, state, ended)
}

/** The events of a report that were not emitted before. */
function eventsOf({ state, digest }: ReportInput, before: LockedRollout, reported: Rollout): EventName[] {
  const events: EventName[] = state !== 'in_progress' ? [`rollout.${state}`] : before.was_started ? [] : ['rollout.started']
  const isNew = digest != null && !Bun.deepEquals(digest, before.digest)
  return isNew && isMismatch(reported) ? [...events, 'rollout.mismatch'] : events
}

/**
 * Records a report. The first outcome stands: the same again changes nothing. Reports are taken whatever the status of the
 * dispatch is, because the receiver may report before its response arrives, or after a response that was lost.
 * @param by the user, or the holder of the report token
 * @param presented the token with which the report was made, which is masked in its texts
 * @throws Problem `validation_failed` if the url contains secrets; `invalid_transition` if another outcome was reported, or the dispatch has no rollout
 */
export async function reportRollout(
  tx: Tx,
  by: Actor,
  dispatch: Resource<'dispatch'>,
  given: ReportInput,
  presented: string | null,
): Promise<Dispatch> {
  const { state, version, url, description } = given
  const hasTexts = [version, url, description].some((text) => text != null)
  // Before the rollout and the environment, as the drain does.
  if (state === 'failed' || (state === 'succeeded' && (await isRollback(tx, dispatch)))) {
    await lockHooksAndPolicies(tx, dispatch)
    await lockPromotedLanes(tx, dispatch)
  }
  // In one round trip.
  const [rollout, known] = await Promise.all([lockRollout(tx, dispatch), hasTexts ? readKnownSecrets(tx, dispatch) : null])
  const input = await withoutSecrets(dispatch.id, given, known, presented)
  if (!rollout) {
    await getDispatch(tx, dispatch)
    const detail = 'This dispatch has no rollout: it is a test.ping, or was made while its hook had no report_within_seconds.'
    throw new Problem('invalid_transition', detail)
  }
  if (rollout.state === 'succeeded' || rollout.state === 'failed') {
    if (rollout.state !== state) throw invalidTransition('rollout', rollout.state, state)
    return getDispatch(tx, dispatch)
  }
  await store(tx, by, dispatch, rollout.environment, input)
  const [found] = await eventDispatches(tx, [dispatch.organization_id], [dispatch.id])
  const reported = found?.dispatch
  if (reported?.rollout) {
    const data = { dispatch: reported, rollout: reported.rollout }
    const events = eventsOf(input, rollout, data.rollout)
    await emitAll(
      tx,
      by,
      events.map((name) => ({ scope: dispatch, name, data })),
    )
  }
  // Progress may be reported every minute: only a new state is recorded.
  if (rollout.state !== state) {
    const detail = `${by.name} reported that a rollout of the deployment hook ${rollout.hook_name} to ${rollout.environment} ${SENTENCES[state]}.`
    await record(tx, by, dispatch, { action: 'rollout.reported', resource_type: 'dispatch', resource_id: dispatch.id, detail })
  }
  return getDispatch(tx, dispatch)
}

const SENTENCES: Record<Report, string> = { in_progress: 'is in progress', succeeded: 'succeeded', failed: 'failed' }

/** The secrets that a receiver of a dispatch may know, encrypted, and the mode of its hook. */
interface KnownSecrets {
  mode: 'push' | 'pull'
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  headers: Uint8Array | null
  template_secrets: Uint8Array | null
  encrypted_body: Uint8Array | null
  pull_token_hash: Uint8Array | null
}

/** @throws Problem `not_found` */
export async function readKnownSecrets(tx: Tx, { id, organization_id }: ResourceKey<'dispatch'>): Promise<KnownSecrets> {
  const [found] = await tx<KnownSecrets[]>`
    select hook.mode, hook.secret, hook.previous_secret, hook.headers, hook.template_secrets, dispatch.encrypted_body,
      hook.pull_token_hash
    from dispatches as dispatch
    join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
    where dispatch.id = ${id} and dispatch.organization_id = ${organization_id}
  `
  if (!found) throw notFound('dispatch')
  return found
}

/**
 * Masks the secrets of the hook and of the body, the report token of the dispatch, and what looks like a credential: the output of a job
 * may contain the secrets that it was given.
 * @param presented the token with which the text was sent
 */
export async function maskOfKnown(dispatch_id: string, found: KnownSecrets, presented: string | null): Promise<Mask> {
  const keys = [found.secret, found.previous_secret].filter((each) => each !== null)
  const signing = await Promise.all(keys.map(decrypt))
  const headers: Record<string, string> = found.headers ? JSON.parse(await decrypt(found.headers)) : {}
  const template = [...(await decryptTemplateSecrets(found.template_secrets)).values()]
  const sent = found.encrypted_body ? (await decryptBody(found.encrypted_body)).secrets : []
  const mask = maskOf([
    ...signing.flatMap(secretsOfSigning),
    ...[...Object.values(headers), ...template, ...sent].flatMap(secretsOfHeader),
    reportToken(dispatch_id),
    ...(presented === null ? [] : [presented]),
  ])
  // Whole tokens first: with one of them, the mask also finds the beginning that all have.
  return (text) => storable(mask(maskCredentials(text)))
}

export const presentedToken = (request: Request): string | null => request.headers.get('authorization')?.split(' ').at(-1) || null
