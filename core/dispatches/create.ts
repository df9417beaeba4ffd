/** Creates dispatches, with the envelope as their body or what the template of their hook makes of it (`bodies.ts`). */

import type { Fragment, Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import type { Guard } from '../delivery/lanes.ts'
import { type Event, eventUrl, TRIGGERS } from '../events/catalogue.ts'
import { sql } from '../platform/database.ts'
import { discardText } from '../platform/garbage.ts'
import type { Promoted } from '../promotions/promotion.ts'
import { hasRollout } from '../rollouts/rollouts.ts'
import { SYSTEM } from '../tenants/actors.ts'
import { type NamedProjectScope, type NamedResource, type NamedScope, scopeOf } from '../tenants/scopes.ts'
import { derivedId } from '../values/uuids.ts'
import { readApprovals } from './approval.ts'
import { emitFinished } from './attempts.ts'
import { type BodyToRender, type RenderedBody, renderInChunks } from './bodies.ts'
import { APPROVAL_REVOKED, NOT_APPROVED, NOT_PROMOTED, PAYLOAD_TOO_LARGE } from './errors.ts'
import { emitBlocked, holdSoaking } from './promoted.ts'

export interface NamedHook extends NamedResource {
  environment: string
  /** How long its receiver may take to report; null if it does not. */
  report_within_seconds: number | null
}

export interface DispatchedHook extends NamedHook {
  /** The JSON text of its template; null: it sends the envelope. */
  body_template: string | null
  /** Encrypted. */
  template_secrets: Uint8Array | null
  /** Where the template secrets may be sent: read in the same statement. Null for a pull hook. */
  url: string | null
}

/** SQL: these fields, of the table `deployment_hooks`. */
export const dispatchedHookColumns = sql`
  deployment_hooks.id, deployment_hooks.name, deployment_hooks.environment, deployment_hooks.report_within_seconds,
  deployment_hooks.url, deployment_hooks.body_template::text as body_template, deployment_hooks.template_secrets
`

export interface NewDispatch {
  hook: DispatchedHook
  /** Why it is created as cancelled, and is not sent: such as for hooks that Signalbox disabled, whose dispatches can be redelivered. */
  cancelled?: { code: string; detail: string } | null
  /** What the environment of the hook requires: without an approval, the dispatch is created as cancelled. */
  guard: Guard | null
  /** Why it may be sent without an approval. */
  override_reason?: string | null
  event: Event
  scope: NamedProjectScope
  sequence: number | null
  max_attempts: number
  requested_by?: string
  request_id: string | null
  traceparent: string | null
}

interface CreatedDispatch extends NewDispatch {
  id: string
  promoted: Promoted | null
}

/** The id of the dispatch of an event to a hook. */
export const dispatchId = ({ event, hook }: { event: { id: string }; hook: { id: string } }): string =>
  derivedId(event.id, hook.id)

/**
 * Creates dispatches, due at once. Called by the drain for triggering events, and by requests that return the dispatch. The ids
 * are derived from event and hook, so that no dispatch is created twice. One whose rendered body is too large is created as failed.
 *
 * @returns them in the given order
 */
export async function createDispatches(tx: Tx, dispatches: NewDispatch[]): Promise<CreatedDispatch[]> {
  const ids = dispatches.map(dispatchId)
  const guarded = dispatches.flatMap((dispatch, index) => originOfGuarded(ids[index] ?? '', dispatch))
  const approvals = await readApprovals(tx, guarded)
  const required = new Map(
    [...approvals].flatMap(([id, { promoted, override_reason }]) =>
      promoted && override_reason === null ? [[id, promoted] as const] : [],
    ),
  )
  const identified = dispatches.map((dispatch, index): CreatedDispatch => {
    const [id, { event, guard, cancelled = null }] = [ids[index] ?? '', dispatch]
    const approval = approvals.get(id)
    const isRefused = guard?.gate_required && isAutomatic(event) && !approval?.is_given
    const promoted = required.get(id) ?? null
    const refusal = isRefused ? NOT_APPROVED : promoted?.soak_until === null ? NOT_PROMOTED : null
    return {
      ...dispatch,
      id,
      cancelled: refusal !== null && cancelled?.code !== APPROVAL_REVOKED.code ? refusal : cancelled,
      override_reason: dispatch.override_reason ?? approval?.override_reason ?? gateOverride(event),
      // Of one whose subject does not run there, nothing is kept.
      promoted: promoted?.soak_until === null ? null : promoted,
    }
  })
  const plain = identified.filter(({ hook }) => hook.body_template === null)
  // It goes with what follows, often the commit.
  if (plain.length > 0) await pipeline(tx, insertDispatches(tx, plain, envelopes(plain)))
  const toRender = identified.flatMap((dispatch): BodyToRender<CreatedDispatch>[] => {
    const { id, event, scope, hook, sequence } = dispatch
    if (hook.body_template === null) return []
    const envelope = () => envelopeOf(event, scope, hook, sequence)
    const reportable = hasRollout(event, hook)
    return [{ dispatch, id, hook: { ...hook, body_template: hook.body_template }, envelope, reportable }]
  })
  for await (const chunk of renderInChunks(toRender)) {
    const created = chunk.map(({ dispatch }) => dispatch)
    // They are large: they are written before the next ones are rendered.
    await insertDispatches(tx, created, renderedBodies(chunk))
    const failed = chunk.flatMap(({ id, body, dispatch: { event, scope } }) =>
      body === null ? { id, organization_id: scope.organization.id, event: event.name, status: 'failed' as const } : [],
    )
    await emitFinished(tx, failed)
  }
  if (required.size > 0) await followPromotion(tx, identified)
  return identified
}

/** Holds back what soaks, and emits what is not promoted: those who approved it are notified. */
async function followPromotion(tx: Tx, dispatches: CreatedDispatch[]): Promise<void> {
  const organization_ids = [...new Set(dispatches.map(({ scope }) => scope.organization.id))]
  const idsOf = (some: CreatedDispatch[]) => some.map(({ id }) => id)
  const waiting = idsOf(dispatches.filter(({ promoted, cancelled }) => promoted?.is_soaking && !cancelled))
  if (waiting.length > 0) await holdSoaking(tx, organization_ids, sql`delivery.id = any(${waiting}::uuid[])`)
  const blocked = idsOf(dispatches.filter(({ cancelled }) => cancelled?.code === NOT_PROMOTED.code))
  await emitBlocked(tx, SYSTEM, organization_ids, blocked)
}

/** The gate or workflow graph that a triggering event is about. It is stored with the dispatch: events are forgotten after some days. */
const originOf = ({ name, data }: Event) => ({
  gate_id: name === TRIGGERS.gate_approved ? ((data.gate as { id?: string } | undefined)?.id ?? null) : null,
  graph_id: name === TRIGGERS.workflow_done ? ((data.graph_id as string | undefined) ?? null) : null,
})

/** The reason of the person who overrode the gate of an approval; null if it was not overridden. */
function gateOverride({ name, data }: Event): string | null {
  const { decided_via, comment } = (name === TRIGGERS.gate_approved && data.gate ? data.gate : {}) as Partial<
    Record<'decided_via' | 'comment', string | null>
  >
  return decided_via === 'override' ? (comment ?? null) : null
}

const AUTOMATIC = new Set<string>(Object.values(TRIGGERS))

const isAutomatic = ({ name }: Event): boolean => AUTOMATIC.has(name)

/** What an automatic dispatch comes from, if its environment requires an approved gate, or has freezes, which overrides pass. */
function originOfGuarded(id: string, { event, scope, guard }: NewDispatch) {
  if (guard === null || !isAutomatic(event)) return []
  const { id: event_id, name } = event
  const { environment, promotes_from, soak_seconds } = guard
  return { ...scopeOf(scope), ...originOf(event), id, environment, event: name, event_id, promotes_from, soak_seconds }
}

/**
 * The text of the envelope before and after the part that differs between hooks. PostgreSQL concatenates the parts, so that an
 * event for many hooks is sent to it once. The result is the exact text that is signed and sent.
 */
function commonParts(event: Event, scope: NamedScope): [head: string, tail: string] {
  const head = { id: event.id, event: event.name, created_at: event.created_at, url: eventUrl(event, scope), ...scope }
  return [JSON.stringify(head).slice(0, -1), `,"data":${JSON.stringify(event.data)}}`]
}

/** The part of the envelope that differs between hooks, up to the sequence number. */
const hookPart = ({ id, name, environment }: NamedHook): string =>
  `,${JSON.stringify({ hook: { id, name }, environment }).slice(1, -1)},"sequence":`

/** The complete envelope, as templates and filters read it. */
export const envelopeOf = (event: Event, scope: NamedScope, hook: NamedHook, sequence: number | null) => ({
  id: event.id,
  event: event.name,
  created_at: event.created_at,
  url: eventUrl(event, scope),
  ...scope,
  hook: { id: hook.id, name: hook.name },
  environment: hook.environment,
  sequence,
  data: event.data,
})

/** The body of each dispatch of `row`, `event` and `hook`, and the table that it comes from. */
interface BodySource {
  body: Fragment
  encrypted_body: Fragment
  has_report: Fragment
  from: Fragment
}

/** Envelopes are concatenated by PostgreSQL. The parts are long: it reads them faster as arrays than as JSON. */
function envelopes(dispatches: CreatedDispatch[]): BodySource {
  const parts = new Map<string, [head: string, tail: string]>()
  const hooks = new Map<string, string>()
  for (const { event, scope, hook } of dispatches) {
    if (!parts.has(event.id)) parts.set(event.id, commonParts(event, scope))
    if (!hooks.has(hook.id)) hooks.set(hook.id, hookPart(hook))
  }
  for (const [head] of parts.values()) discardText(head.length)
  return {
    body: sql`part.head || hook_part.text || coalesce(row.sequence::text, 'null') || part.tail`,
    encrypted_body: sql`null::bytea`,
    has_report: sql`false`,
    from: sql`
      join unnest(
        ${[...parts.keys()]}::uuid[],
        ${[...parts.values()].map(([head]) => head)}::text[],
        ${[...parts.values()].map(([, tail]) => tail)}::text[]
      ) as part (id, head, tail) on part.id = row.event_id
      join unnest(${[...hooks.keys()]}::uuid[], ${[...hooks.values()]}::text[]) as hook_part (id, text)
        on hook_part.id = row.hook_id
    `,
  }
}

/** Of a body that is too large, nothing is kept. */
function renderedBodies(rendered: RenderedBody[]): BodySource {
  const bodies = rendered.map(({ id, body, encrypted, has_report }) => ({
    id,
    body,
    encrypted: encrypted?.toString('base64') ?? null,
    has_report,
  }))
  return {
    body: sql`rendered.body`,
    encrypted_body: sql`decode(rendered.encrypted, 'base64')`,
    has_report: sql`rendered.has_report`,
    from: sql`
      join json_to_recordset(${JSON.stringify(bodies)}::text::json) as rendered (
        id uuid, body text, encrypted text, has_report boolean
      ) on rendered.id = row.id
    `,
  }
}

/** Each event and hook is sent to PostgreSQL once; a dispatch only refers to them. */
function insertDispatches(tx: Tx, dispatches: CreatedDispatch[], source: BodySource) {
  const events = new Map<string, object>()
  const hooks = new Map<string, object>()
  for (const { event, hook, scope, max_attempts, override_reason, requested_by, request_id, traceparent } of dispatches) {
    const { id, environment, report_within_seconds } = hook
    if (!hooks.has(id)) hooks.set(id, { id, environment, report_within_seconds, max_attempts })
    if (!events.has(event.id)) {
      const origin = { ...scopeOf(scope), ...originOf(event) }
      events.set(event.id, { id: event.id, name: event.name, requested_by, override_reason, request_id, traceparent, ...origin })
    }
  }
  // The trigger dispatches_inserted adds the rows to the queue (`deliveries`).
  return tx`
    insert into dispatches (
      id, organization_id, workspace_id, project_id, hook_id, event_id, event,
      environment, sequence, max_attempts, report_within_seconds, gate_id, graph_id, promoted_from, promoted_digest, soak_until,
      requested_by, override_reason, request_id,
      traceparent, status, error, completed_at, encrypted_body, has_report, body
    )
    select
      row.id, event.organization_id, event.workspace_id, event.project_id, hook.id, event.id, event.name,
      hook.environment, row.sequence, hook.max_attempts,
      case when event.name <> 'test.ping' then hook.report_within_seconds end,
      event.gate_id, event.graph_id, row.promoted_from, row.promoted_digest, row.soak_until,
      event.requested_by, event.override_reason, event.request_id, event.traceparent,
      case when body.text is null then 'failed' when row.cancelled is not null then 'cancelled' else 'pending' end,
      case when body.text is null then ${tx.json(PAYLOAD_TOO_LARGE)}::jsonb else row.cancelled::jsonb end,
      case when body.text is null or row.cancelled is not null then now() end,
      ${source.encrypted_body}, ${source.has_report}, body.text
    from unnest(
      ${dispatches.map(({ id }) => id)}::uuid[],
      ${dispatches.map(({ event }) => event.id)}::uuid[],
      ${dispatches.map(({ hook }) => hook.id)}::uuid[],
      ${dispatches.map(({ sequence }) => sequence)}::bigint[],
      ${dispatches.map(({ cancelled }) => (cancelled ? JSON.stringify(cancelled) : null))}::text[],
      ${dispatches.map(({ promoted }) => promoted?.promoted_from ?? null)}::text[],
      ${dispatches.map(({ promoted }) => promoted?.promoted_digest ?? null)}::text[],
      ${dispatches.map(({ promoted }) => promoted?.soak_until ?? null)}::timestamptz[]
    ) as row (id, event_id, hook_id, sequence, cancelled, promoted_from, promoted_digest, soak_until)
    join json_to_recordset(${JSON.stringify([...events.values()])}::text::json) as event (
      id uuid, name text, organization_id uuid, workspace_id uuid, project_id uuid, gate_id uuid, graph_id uuid,
      requested_by uuid, override_reason text, request_id text, traceparent text
    ) on event.id = row.event_id
    join json_to_recordset(${JSON.stringify([...hooks.values()])}::text::json) as hook (
      id uuid, environment text, max_attempts integer, report_within_seconds integer
    ) on hook.id = row.hook_id
    ${source.from}
    -- The offset makes PostgreSQL concatenate it once, and not wherever it is used.
    cross join lateral (select ${source.body} as text offset 0) as body
  `
}
