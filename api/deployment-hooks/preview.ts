/** Previews: what a hook would send for an event, without secrets. Nothing is sent or stored. */

import { compileTemplate } from '../../core/deployment-hooks/templates.ts'
import { type HookRow, hookColumns, shownHook } from '../../core/deployment-hooks/view.ts'
import { renderMasked } from '../../core/dispatches/bodies.ts'
import { dispatchId, envelopeOf } from '../../core/dispatches/create.ts'
import { type FailedCondition, type Filter, failedCondition, isFiltered } from '../../core/dispatches/filters.ts'
import { DIRECT_EVENTS, type Event, type EventName, HOOK_EVENTS, TRIGGERS } from '../../core/events/catalogue.ts'
import { nowIso } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { hasRollout } from '../../core/rollouts/rollouts.ts'
import type { NamedScope } from '../../core/tenants/scopes.ts'
import type { Queryable } from '../../sql/index.ts'
import { maskedHeaders, signatureCount } from '../dispatches/dispatches.ts'
import { sampleData } from '../docs/openapi.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { invalidField, invalidFields, notFound } from '../problems.ts'
import { getHook } from './hooks.ts'
import { templateFieldErrors } from './rules.ts'
import type { Hook } from './schema.ts'
import type { Preview, PreviewInput } from './template-schema.ts'

interface PreviewedHook extends Hook {
  header_names: string[]
  template_secret_names: string[]
  signatures: number
  last_sequence: number
  scope: NamedScope
}

async function readHook(db: Queryable, { id, organization_id }: ResourceKey<'hook'>): Promise<PreviewedHook> {
  const [hook] = await db<HookRow<PreviewedHook>[]>`
    select
      hook.*, lane.sequence as last_sequence,
      json_build_object(
        'organization', json_build_object('id', organization.id, 'name', organization.name),
        'workspace', json_build_object('id', workspace.id, 'name', workspace.name),
        'project', json_build_object('id', project.id, 'name', project.name)
      ) as scope
    from (
      select
        ${hookColumns}, organization_id, workspace_id, header_names, template_secret_names,
        ${signatureCount(sql`deployment_hooks`)}
      from deployment_hooks
      where id = ${id} and organization_id = ${organization_id}
    ) as hook
    join lanes as lane on lane.id = hook.id and lane.organization_id = hook.organization_id
    join organizations as organization on organization.id = hook.organization_id
    join workspaces as workspace on workspace.id = hook.workspace_id and workspace.organization_id = hook.organization_id
    join projects as project on project.id = hook.project_id and project.organization_id = hook.organization_id
  `
  if (!hook) throw notFound('hook')
  return shownHook(hook)
}

/** The newest events of a project that the hook could receive. Tests and triggers concern one hook. */
const newestEvents = (db: Queryable, hook: Resource<'hook'>, name: EventName, limit: number) =>
  db<Event[]>`
    select id, name, created_at, data
    from outbox
    where project_id = ${hook.project_id}
      and organization_id = ${hook.organization_id}
      and name = ${name}
      -- The predicate of the index, which a parameter cannot prove.
      and name in (${sql.unsafe(HOOK_EVENTS.map((event) => `'${event}'`).join(', '))})
      ${name in DIRECT_EVENTS ? sql`and data -> 'hook' ->> 'id' = ${hook.id}` : sql``}
    order by id desc
    limit ${limit}
  `

/** Events whose outcome a filter is tried on. */
const MAX_TRIED = 10

/** A recent event, and the first condition of a filter that it does not fulfil; null if it fulfils all. */
export type TriedEvent = { id: string; created_at: string; failed: FailedCondition | null }

/** What a valid filter would do with the newest events that trigger a hook. @param filter null lets every event pass */
export async function tryFilter(db: Queryable, hook: Resource<'hook'>, filter: Filter | null): Promise<TriedEvent[]> {
  const previewed = await readHook(db, hook)
  const events = await newestEvents(db, hook, TRIGGERS[previewed.trigger_on], MAX_TRIED)
  return events.map((event) => {
    const envelope = envelopeOf(event, previewed.scope, previewed, null)
    return { id: event.id, created_at: event.created_at, failed: filter && failedCondition(filter, envelope) }
  })
}

/** Tests and triggers have the hook as the API shows it. */
const sampleEvent = async (db: Queryable, hook: ResourceKey<'hook'>, name: EventName): Promise<Event> => ({
  id: Bun.randomUUIDv7(),
  name,
  created_at: nowIso(),
  data: name in DIRECT_EVENTS ? { hook: await getHook(db, hook) } : sampleData(name),
})

/**
 * What a hook would send for the newest event of a kind in its project, or for a sample if there is none.
 * @throws Problem `validation_failed` with the errors of the given template and filter, or if the body is too large
 */
export async function previewHook(db: Queryable, hook: Resource<'hook'>, input: PreviewInput): Promise<Preview> {
  const previewed = await readHook(db, hook)
  const errors = templateFieldErrors(input, previewed)
  if (errors.length > 0) throw invalidFields(errors)
  const { body_template: template, filter } = { body_template: previewed.body_template, filter: previewed.filter, ...input }
  const name = input.event ?? TRIGGERS[previewed.trigger_on]
  const [newest] = await newestEvents(db, hook, name, 1)
  const event = newest ?? (await sampleEvent(db, hook, name))
  const sequence = name === 'test.ping' ? null : previewed.last_sequence + 1
  const envelope = envelopeOf(event, previewed.scope, previewed, sequence)
  const body = template === null ? JSON.stringify(envelope) : renderMasked(compileTemplate(template), envelope)
  const tooLarge = 'makes a body larger than 1 MiB of this event, which would not be sent'
  if (body === null) throw invalidField('/body_template', 'payload_too_large', tooLarge)
  // Filters are decided before the event has a sequence.
  const failed: FailedCondition | null =
    filter && isFiltered(name) ? failedCondition(filter, { ...envelope, sequence: null }) : null
  // Of the dispatch that would come next. The id of the event's own dispatch is not shown: a receiver that got it in a hand-made request
  // would treat the real one as a repeat.
  const id = dispatchId({ event: { id: Bun.randomUUIDv7() }, hook: previewed })
  const report_within_seconds = hasRollout(event, previewed) ? previewed.report_within_seconds : null
  const dispatch = { id, event: name, sequence, attempt_count: 0, redelivery_of: null }
  const headers = maskedHeaders(dispatch, { ...previewed, traceparent: null, report_within_seconds }, nowIso())
  return { method: 'POST', url: previewed.url, headers, body, matches: failed === null, failed_condition: failed }
}
