import { isActiveOrganization } from '../../core/active-organizations.ts'
import { comparisonColumns, type Winner } from '../../core/dual-track.ts'
import { emit } from '../../core/events/outbox.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { offsetOf, paged } from '../plugins/pages.ts'
import type { Caller, ProjectResource, ResourceKey } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { type FieldError, invalidTransition, notFound, Problem } from '../problems.ts'
import type { Comparison, ComparisonInput, ComparisonQuery } from './schema.ts'
import { type ComparisonStatus, isTransition } from './states.ts'

/** A comparison as the API shows it. */
export async function getComparison(db: Queryable, { id, organization_id }: ResourceKey): Promise<Comparison> {
  const [comparison] = await db<Comparison[]>`
    select ${comparisonColumns} from dual_track_comparisons where id = ${id} and organization_id = ${organization_id}
  `
  if (!comparison) throw notFound('comparison')
  return comparison
}

/**
 * A comparison once it is compared or has failed, else null.
 *
 * @throws Problem `not_found` where it is deleted, or its organization is
 */
export async function settledComparison(db: Queryable, { id, organization_id }: ResourceKey): Promise<Comparison | null> {
  const [comparison] = await db<Comparison[]>`
    select ${comparisonColumns}
    from dual_track_comparisons
    where id = ${id}
      and organization_id = ${organization_id}
      and ${isActiveOrganization(sql`dual_track_comparisons.organization_id`)}
  `
  if (!comparison) throw notFound('comparison')
  return comparison.status === 'comparing' ? null : comparison
}

/** A page of a project's comparisons, newest first. */
export async function listComparisons(db: Queryable, { id, organization_id }: ResourceKey, query: ComparisonQuery) {
  const [{ total }] = await db<[{ total: number }]>`
    select count(*) as total from dual_track_comparisons where project_id = ${id} and organization_id = ${organization_id}
  `
  const items = await db<Comparison[]>`
    select ${comparisonColumns}
    from dual_track_comparisons
    where project_id = ${id}
      and organization_id = ${organization_id}
    order by created_at desc, id desc
    limit ${query.page_size} offset ${offsetOf(query)}
  `
  return paged(query, total, items)
}

/**
 * Checks that both tracks are there, and are two. The requirement is held until the commit, so that it cannot be
 * deleted in between; executions go only with it.
 *
 * @throws Problem `validation_failed`, with every field that is wrong
 */
async function checkTracks(tx: Tx, { project_id, organization_id }: ProjectResource, input: ComparisonInput): Promise<void> {
  const errors: FieldError[] = []
  const refuse = (field: keyof ComparisonInput, code: string, detail: string) =>
    errors.push({ pointer: `/${field}`, code, detail })
  const { work_item_id, track_a_graph_id, track_b_graph_id } = input
  const [requirement] = await tx`
    select
    from requirements
    where id = ${work_item_id}
      and project_id = ${project_id}
      and organization_id = ${organization_id}
    for key share
  `
  if (requirement) {
    const graphs = await tx<{ graph_id: string }[]>`
      select distinct graph_id
      from executions
      where project_id = ${project_id}
        and requirement_id = ${work_item_id}
        and organization_id = ${organization_id}
        and graph_id in (${track_a_graph_id}, ${track_b_graph_id})
    `
    const known = new Set(graphs.map(({ graph_id }) => graph_id))
    for (const field of ['track_a_graph_id', 'track_b_graph_id'] as const) {
      if (!known.has(input[field].toLowerCase())) refuse(field, 'unknown', 'is no graph_id of an execution of this requirement')
    }
  } else {
    refuse('work_item_id', 'unknown', 'is no requirement of this project')
  }
  if (track_a_graph_id.toLowerCase() === track_b_graph_id.toLowerCase())
    refuse('track_b_graph_id', 'same_track', 'must not be the graph_id of track a: a track cannot be compared with itself')
  if (errors.length === 0) return
  throw new Problem('validation_failed', errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '), errors)
}

const titleOf = ({ track_a_agent, track_b_agent }: Comparison) => `${track_a_agent} (a) and ${track_b_agent} (b)`

const recordDeed = (tx: Tx, by: Caller, place: ProjectResource, comparison: Comparison, participle: string, words: string) =>
  record(tx, by, place, {
    action: `dual_track.${participle}`,
    resource_type: 'dual_track',
    resource_id: comparison.id,
    detail: `${by.name} ${words} ${titleOf(comparison)}.`,
  })

/** Puts two tracks of one requirement beside each other. */
export async function createComparison(tx: Tx, by: Caller, place: ProjectResource, input: ComparisonInput): Promise<Comparison> {
  await checkTracks(tx, place, input)
  const [comparison] = await tx<[Comparison]>`
    insert into dual_track_comparisons (
      organization_id, workspace_id, project_id, work_item_id, track_a_graph_id, track_b_graph_id,
      track_a_agent, track_b_agent, created_by
    )
    values (
      ${place.organization_id}, ${place.workspace_id}, ${place.project_id}, ${input.work_item_id},
      ${input.track_a_graph_id}, ${input.track_b_graph_id}, ${input.track_a_agent}, ${input.track_b_agent}, ${by.id}
    )
    returning ${comparisonColumns}
  `
  await recordDeed(tx, by, place, comparison, 'created', 'created a comparison of')
  return comparison
}

async function lockComparison(tx: Tx, { id, organization_id }: ResourceKey): Promise<Comparison> {
  const [comparison] = await tx<Comparison[]>`
    select ${comparisonColumns}
    from dual_track_comparisons
    where id = ${id}
      and organization_id = ${organization_id}
    for no key update
  `
  if (!comparison) throw notFound('comparison')
  return comparison
}

/**
 * Locks a comparison that is to move.
 *
 * @throws Problem `invalid_transition`
 */
async function lockForMove(tx: Tx, place: ResourceKey, to: ComparisonStatus): Promise<void> {
  const { status } = await lockComparison(tx, place)
  if (!isTransition(status, to)) throw invalidTransition('comparison', status, to)
}

/** Asks the worker to compare. What an earlier run has found is gone from here on. */
export async function startComparing(tx: Tx, by: Caller, place: ProjectResource): Promise<Comparison> {
  await lockForMove(tx, place, 'comparing')
  const [comparison] = await tx<[Comparison]>`
    update dual_track_comparisons
    set status        = 'comparing',
        result        = null,
        error         = null,
        run           = run + 1,
        model_answers = '{}',
        cost_usd      = 0,
        request_id    = ${by.request_id}
    where id = ${place.id}
      and organization_id = ${place.organization_id}
    returning ${comparisonColumns}
  `
  await recordDeed(tx, by, place, comparison, 'started', 'asked for a comparison of')
  await addJob(tx, 'compare_tracks', { organization_id: place.organization_id, comparison_id: comparison.id })
  return comparison
}

/** Decides which track wins, whatever a judge recommends. */
export async function decideComparison(tx: Tx, by: Caller, place: ProjectResource, winner: Winner): Promise<Comparison> {
  await lockForMove(tx, place, 'decided')
  const [comparison] = await tx<[Comparison]>`
    update dual_track_comparisons
    set status = 'decided', winner = ${winner}, decided_by = ${by.id}, decided_at = now()
    where id = ${place.id}
      and organization_id = ${place.organization_id}
    returning ${comparisonColumns}
  `
  const outcome = winner === 'tie' ? 'called it a tie between' : `decided for track ${winner} of`
  await recordDeed(tx, by, place, comparison, 'decided', outcome)
  await emit(tx, by, place, 'dual_track.decided', { comparison })
  return comparison
}

/** Cancels a comparison; one that is under way is dropped, and what it has cost stays counted. */
export async function cancelComparison(tx: Tx, by: Caller, place: ProjectResource): Promise<Comparison> {
  await lockForMove(tx, place, 'cancelled')
  const [comparison] = await tx<[Comparison]>`
    update dual_track_comparisons
    set status = 'cancelled'
    where id = ${place.id}
      and organization_id = ${place.organization_id}
    returning ${comparisonColumns}
  `
  await recordDeed(tx, by, place, comparison, 'cancelled', 'cancelled the comparison of')
  await emit(tx, by, place, 'dual_track.cancelled', { comparison })
  return comparison
}

/** Deletes a comparison, whatever its state. */
export async function deleteComparison(tx: Tx, by: Caller, place: ProjectResource, request: Request): Promise<null> {
  const before = await lockComparison(tx, place)
  requireMatch(request, before.updated_at)
  await recordDeed(tx, by, place, before, 'deleted', 'deleted the comparison of')
  await tx`
    delete from dual_track_comparisons where id = ${place.id} and organization_id = ${place.organization_id}
  `
  return null
}
