import { emit } from '../../core/events/outbox.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { ComparisonResult, comparisonColumns, Winner } from '../../core/records/comparisons.ts'
import { record } from '../../core/security/audit.ts'
import { isActiveOrganization, type Scope } from '../../core/tenants/scopes.ts'
import {
  ActorShape,
  Described,
  Instant,
  Name,
  Nullable,
  OneOf,
  Shape,
  type Static,
  Type,
  Uuid,
} from '../../core/values/schema.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { following, PAGED_LIST, type Paged, pageLimit, readPage } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { type Ending, pendingIn, Waits } from '../plugins/waiting.ts'
import { type FieldError, invalidFields, invalidTransition, notFound } from '../problems.ts'

const graph = (track: string) => Described(Uuid, `The \`graph_id\` of the executions that form track ${track}.`)
const agent = (track: string, example: string) =>
  Name(120, { description: `The agent of track ${track}; free text.`, examples: [example] })

export const ComparisonInput = Shape({
  work_item_id: Described(Uuid, 'The requirement of this project that both tracks implement.'),
  track_a_graph_id: graph('a'),
  track_b_graph_id: graph('b'),
  track_a_agent: agent('a', 'claude-code'),
  track_b_agent: agent('b', 'codex'),
})
export type ComparisonInput = Static<typeof ComparisonInput>

export const Decision = Shape({ winner: Winner })

export const ComparisonQuery = Shape(PAGED_LIST)
export type ComparisonQuery = Static<typeof ComparisonQuery>

export const Comparison = Shape('Comparison', {
  id: Uuid,
  project_id: Uuid,
  work_item_id: Uuid,
  track_a_graph_id: Uuid,
  track_b_graph_id: Uuid,
  track_a_agent: Type.String(),
  track_b_agent: Type.String(),
  status: OneOf(['created', 'comparing', 'compared', 'failed', 'decided', 'cancelled']),
  result: Nullable(ComparisonResult),
  winner: Nullable(Winner),
  decided_by: Nullable(Uuid),
  decided_at: Nullable(Instant),
  error: Nullable(Type.String({ description: 'Why the last comparison failed.' })),
  created_by: Uuid,
  actor: ActorShape,
  created_at: Instant,
  updated_at: Instant,
})
export type Comparison = Static<typeof Comparison>

/** @param rest of the statement: a further condition, beginning with `and`, or a lock @throws Problem `not_found` */
export async function getComparison(db: Queryable, { id, organization_id }: ResourceKey<'comparison'>, rest = sql``) {
  const [comparison] = await db<Comparison[]>`
    select ${comparisonColumns}
    from dual_track_comparisons
    where id = ${id} and organization_id = ${organization_id} ${rest}
  `
  if (!comparison) throw notFound('comparison')
  return comparison
}

const waits = new Waits(pendingIn(sql`dual_track_comparisons`, sql`waited.status = 'comparing'`))

/** When it is compared or has failed. Reading it throws the Problem `not_found` if it, or its organization, was deleted. */
export const endOfComparing = (key: ResourceKey<'comparison'>): Ending<Comparison> => ({
  waits,
  keys: [key],
  async read() {
    const comparison = await getComparison(sql, key, sql`and ${isActiveOrganization(sql`${key.organization_id}`)}`)
    return comparison.status === 'comparing' ? null : comparison
  },
})

export const listComparisons = (db: Queryable, { id, organization_id }: ResourceKey<'project'>, query: Paged<ComparisonQuery>) =>
  readPage<Comparison>(
    db,
    query,
    sql`select count(*) from dual_track_comparisons where project_id = ${id} and organization_id = ${organization_id}`,
    sql`
      select ${comparisonColumns}
      from dual_track_comparisons
      where project_id = ${id} and organization_id = ${organization_id}
        ${following(sql`created_at, id`, query.after)}
      order by created_at desc, id desc
      ${pageLimit(query)}
    `,
  )

/**
 * Checks that both tracks exist and differ. The requirement is locked until commit, so that neither it nor its executions
 * can be deleted meanwhile.
 * @throws Problem `validation_failed` with every error
 */
async function checkTracks(tx: Tx, { project_id, organization_id }: Resource<'project'>, input: ComparisonInput): Promise<void> {
  const errors: FieldError[] = []
  const addError = (field: keyof ComparisonInput, code: string, detail: string) =>
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
      if (!known.has(input[field].toLowerCase()))
        addError(field, 'unknown', 'is not the graph_id of an execution of this requirement')
    }
  } else {
    addError('work_item_id', 'unknown', 'is not a requirement of this project')
  }
  if (track_a_graph_id.toLowerCase() === track_b_graph_id.toLowerCase())
    addError('track_b_graph_id', 'same_track', 'must differ from track_a_graph_id')
  if (errors.length > 0) throw invalidFields(errors)
}

const titleOf = ({ track_a_agent, track_b_agent }: Comparison) => `${track_a_agent} (a) and ${track_b_agent} (b)`

const recordComparison = (tx: Tx, by: Caller, scope: Scope, comparison: Comparison, participle: string, verb: string) =>
  record(tx, by, scope, {
    action: `dual_track.${participle}`,
    resource_type: 'dual_track',
    resource_id: comparison.id,
    detail: `${by.name} ${verb} ${titleOf(comparison)}.`,
  })

export async function createComparison(tx: Tx, by: Caller, project: Resource<'project'>, input: ComparisonInput) {
  await checkTracks(tx, project, input)
  const [comparison] = await tx<[Comparison]>`
    insert into dual_track_comparisons (
      organization_id, workspace_id, project_id, work_item_id, track_a_graph_id, track_b_graph_id,
      track_a_agent, track_b_agent, created_by
    )
    values (
      ${project.organization_id}, ${project.workspace_id}, ${project.project_id}, ${input.work_item_id},
      ${input.track_a_graph_id}, ${input.track_b_graph_id}, ${input.track_a_agent}, ${input.track_b_agent}, ${by.id}
    )
    returning ${comparisonColumns}
  `
  await recordComparison(tx, by, project, comparison, 'created', 'created a comparison of')
  return comparison
}

const lockComparison = (tx: Tx, key: ResourceKey<'comparison'>) => getComparison(tx, key, sql`for no key update`)

/** Changes the status of a comparison, and other columns by assignments as SQL. @throws Problem `invalid_transition` */
async function transition(tx: Tx, key: ResourceKey<'comparison'>, to: ComparisonStatus, others = sql``): Promise<Comparison> {
  const { status } = await lockComparison(tx, key)
  if (!isTransition(status, to)) throw invalidTransition('comparison', status, to)
  const [updated] = await tx<[Comparison]>`
    update dual_track_comparisons
    set status = ${to} ${others}
    where id = ${key.id} and organization_id = ${key.organization_id}
    returning ${comparisonColumns}
  `
  return updated
}

/** Queues a comparison for the worker. Removes the result of an earlier run. */
export async function startComparing(tx: Tx, by: Caller, comparison: Resource<'comparison'>): Promise<Comparison> {
  const again = sql`,
    result = null, error = null, run = run + 1, model_answers = '{}', cost_usd = 0, request_id = ${by.request_id}
  `
  const updated = await transition(tx, comparison, 'comparing', again)
  await recordComparison(tx, by, comparison, updated, 'started', 'requested a comparison of')
  await addJob(tx, 'compare_tracks', { organization_id: comparison.organization_id, comparison_id: updated.id })
  return updated
}

/** Decides which track wins, whatever a judge recommends. */
export async function decideComparison(tx: Tx, by: Caller, comparison: Resource<'comparison'>, winner: Winner) {
  const decision = sql`, winner = ${winner}, decided_by = ${by.id}, decided_at = now()`
  const updated = await transition(tx, comparison, 'decided', decision)
  const outcome = winner === 'tie' ? 'decided a tie between' : `decided for track ${winner} of`
  await recordComparison(tx, by, comparison, updated, 'decided', outcome)
  await emit(tx, by, comparison, 'dual_track.decided', { comparison: updated }, { requirement_id: updated.work_item_id })
  return updated
}

/** Cancels a comparison. The outcome of a running one is discarded; its cost remains charged. */
export async function cancelComparison(tx: Tx, by: Caller, comparison: Resource<'comparison'>): Promise<Comparison> {
  const updated = await transition(tx, comparison, 'cancelled')
  await recordComparison(tx, by, comparison, updated, 'cancelled', 'cancelled the comparison of')
  await emit(tx, by, comparison, 'dual_track.cancelled', { comparison: updated }, { requirement_id: updated.work_item_id })
  return updated
}

export async function deleteComparison(tx: Tx, by: Caller, comparison: Resource<'comparison'>, request: Request): Promise<null> {
  const before = await lockComparison(tx, comparison)
  requireMatch(request, before.updated_at)
  await recordComparison(tx, by, comparison, before, 'deleted', 'deleted the comparison of')
  await tx`
    delete from dual_track_comparisons where id = ${comparison.id} and organization_id = ${comparison.organization_id}
  `
  return null
}

export type ComparisonStatus = Comparison['status']

const TRANSITIONS: Record<ComparisonStatus, readonly ComparisonStatus[]> = {
  // A person can decide without a comparison.
  created: ['comparing', 'decided', 'cancelled'],
  comparing: ['compared', 'failed', 'cancelled'],
  compared: ['comparing', 'decided', 'cancelled'],
  failed: ['comparing', 'decided', 'cancelled'],
  decided: [],
  cancelled: [],
}

export const isTransition = (from: ComparisonStatus, to: ComparisonStatus): boolean => TRANSITIONS[from].includes(to)
