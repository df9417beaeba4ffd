/**
 * compare_tracks: reads both tracks in one snapshot, compares them, and stores the result.
 *
 * If the worker is killed, the job runs again. Each answer of the model is charged and stored in one transaction as soon as it
 * arrives, so that the next run repeats only calls that were in flight. Such a call may be paid twice, but is charged once.
 */
import { chargeModel, exhaustedBudget } from '../../core/budgets/budgets.ts'
import { emit } from '../../core/events/outbox.ts'
import type { EventComparison } from '../../core/events/subjects.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { type ComparisonResult, comparisonColumns } from '../../core/records/comparisons.ts'
import { record } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { Json } from '../../sql/index.ts'
import { askModel, lockTenant, type ModelResult, modelName } from '../model/model.ts'
import { judgeByMetrics, type TrackMetrics } from './metrics-judge.ts'
import { combineAnswers } from './model-judge.ts'
import { Judgment, type Order, PROMPT_VERSION, type PromptData, promptOf } from './prompt.ts'
import { type ComparedTracks, readTracks } from './tracks.ts'
import { type Agents, metricsVerdict, modelVerdict } from './verdict.ts'

interface PendingComparison extends ComparedTracks, Agents {
  id: string
  run: number
  request_id: string | null
  /** Answers from earlier attempts of this run, each with the hash of its prompt. */
  model_answers: Partial<Record<Order, { hash: string; answer: Judgment }>>
}

/** The cost is not part of it; it is summed up in the row. */
type ComparisonOutcome = { result: Omit<ComparisonResult, 'cost_usd'> } | { error: string }

const actorOf = ({ request_id }: PendingComparison) => ({ ...SYSTEM, request_id })

/** Charges a call and stores its answer. Also charges if the comparison was cancelled or deleted meanwhile. */
async function chargeAndStore(pending: PendingComparison, cost_usd: number, answers: PendingComparison['model_answers']) {
  await transaction(async (tx) => {
    if (!(await lockTenant(tx, pending))) return
    await tx`
      update dual_track_comparisons
      set model_answers = model_answers || ${tx.json(answers as Json)},
          cost_usd      = cost_usd + ${cost_usd}
      where id = ${pending.id}
        and organization_id = ${pending.organization_id}
        and run = ${pending.run}
    `
    await chargeModel(tx, actorOf(pending), pending, modelName, cost_usd)
  })
}

async function ask(pending: PendingComparison, promptData: PromptData, order: Order): Promise<ModelResult<Judgment>> {
  const { system, user, hash } = promptOf(promptData, order)
  const stored = pending.model_answers[order]
  if (stored?.hash === hash) return { ok: true, answer: stored.answer, cost_usd: 0 }
  const result = await askModel({ system, user, name: 'comparison', schema: Judgment })
  await chargeAndStore(pending, result.cost_usd, result.ok ? { [order]: { hash, answer: result.answer } } : {})
  return result
}

/** The rationale begins with the verdict, on a line of its own. */
const withVerdict = <Result extends { rationale: string }>(result: Result, verdict: string): Result => ({
  ...result,
  rationale: `${verdict}\n${result.rationale}`,
})

function byMetrics(agents: Agents, a: TrackMetrics, b: TrackMetrics, fallback_reason: string | null): ComparisonOutcome {
  const judge = { kind: 'metrics' as const, model: null, prompt_version: null, order_consistent: null, fallback_reason }
  const found = judgeByMetrics(a, b)
  return { result: { ...withVerdict(found, metricsVerdict(agents, a, b, found)), judge } }
}

async function judge(pending: PendingComparison): Promise<ComparisonOutcome | null> {
  const read = await sql.begin('isolation level repeatable read read only', (tx) => readTracks(tx, pending, modelName !== null))
  if (!read) return null
  const { a, b } = read
  if (modelName === null) return byMetrics(pending, a.metrics, b.metrics, null)
  const whose = await exhaustedBudget(sql, pending)
  if (whose)
    return byMetrics(pending, a.metrics, b.metrics, `The budget of the ${whose} is exhausted, so the model was not used.`)

  const { id, track_a_agent, track_b_agent } = pending
  const promptData: PromptData = { ...read, id, track_a_agent, track_b_agent }
  const [ab, ba] = await Promise.all([ask(pending, promptData, 'ab'), ask(pending, promptData, 'ba')])
  if (ab.ok && ba.ok) {
    const combined = combineAnswers({ ab: ab.answer, ba: ba.answer })
    const { order_consistent, ...result } = withVerdict(combined, modelVerdict(pending, combined))
    const by = { kind: 'model' as const, model: modelName, prompt_version: PROMPT_VERSION }
    return { result: { ...result, judge: { ...by, order_consistent, fallback_reason: null } } }
  }
  const [failure = ''] = [ab, ba].flatMap((result) => (result.ok ? [] : [result.failure]))
  return config.AI_ON_FAILURE === 'fail' ? { error: failure } : byMetrics(pending, a.metrics, b.metrics, failure)
}

/** Whether a retry may succeed. Errors with a code come from the database or the operating system. */
const isTemporary = (error: unknown): boolean => error instanceof Error && 'code' in error

/** An internal error makes the comparison fail: a retry would read the same tracks. */
async function judgeOrFail(pending: PendingComparison): Promise<ComparisonOutcome | null> {
  try {
    return await judge(pending)
  } catch (error) {
    if (isTemporary(error)) throw error
    log.error({ error, comparison: pending.id, request_id: pending.request_id }, 'comparison of tracks failed')
    return {
      error: `Internal error: the tracks could not be compared. Contact the operator and name the request ${pending.request_id ?? pending.id}.`,
    }
  }
}

async function finish(pending: PendingComparison, outcome: ComparisonOutcome): Promise<void> {
  const participle = 'result' in outcome ? 'compared' : 'failed'
  await transaction(async (tx) => {
    const result = 'result' in outcome ? tx.json(outcome.result as Json) : null
    const [comparison] = await tx<EventComparison[]>`
      update dual_track_comparisons
      set status = ${participle},
          result = ${result}::jsonb || ('{"cost_usd":' || cost_usd::text || '}')::jsonb,
          error  = ${'error' in outcome ? outcome.error : null}
      where id = ${pending.id}
        and organization_id = ${pending.organization_id}
        and run = ${pending.run}
        and status = 'comparing'
      returning ${comparisonColumns}
    `
    if (!comparison) return
    const between = `${pending.track_a_agent} (a) and ${pending.track_b_agent} (b)`
    await record(tx, actorOf(pending), pending, {
      action: `dual_track.${participle}`,
      resource_type: 'dual_track',
      resource_id: pending.id,
      detail: `Signalbox ${participle === 'compared' ? 'compared' : 'failed to compare'} ${between}.`,
    })
    const references = { requirement_id: pending.work_item_id }
    await emit(tx, actorOf(pending), pending, `dual_track.${participle}`, { comparison }, references)
  })
  log.info({ comparison: pending.id, request_id: pending.request_id, outcome: participle }, 'compared two tracks')
}

export async function compareTracks({ organization_id, comparison_id }: Tasks['compare_tracks']): Promise<void> {
  const [pending] = await sql<PendingComparison[]>`
    select
      id, organization_id, workspace_id, project_id, work_item_id, track_a_graph_id, track_b_graph_id,
      track_a_agent, track_b_agent, run, request_id, model_answers
    from dual_track_comparisons
    where id = ${comparison_id}
      and organization_id = ${organization_id}
      and status = 'comparing'
  `
  const outcome = pending && (await judgeOrFail(pending))
  if (outcome) await finish(pending, outcome)
}
