/**
 * compare_tracks: reads both tracks in one snapshot, judges them, and writes down what was found.
 *
 * A worker that is killed on the way leaves the comparison as it was, and the job is run again. Each answer of the
 * model is charged and kept in one transaction as soon as it is there, so that the next run pays only for what was
 * under way at that instant: the one thing that may be paid twice, and is charged once.
 */
import { SYSTEM } from '../../core/actors.ts'
import { chargeModel, exhaustedBudget } from '../../core/budgets.ts'
import { type ComparisonResult, comparisonColumns } from '../../core/dual-track.ts'
import { emit } from '../../core/events/outbox.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { record } from '../../core/security/audit.ts'
import type { Json } from '../../sql/index.ts'
import { askModel, type ModelResult, modelName } from '../model/model.ts'
import { lockTenant } from '../model/tenant.ts'
import { type Figures, judgeByMetrics } from './metrics-judge.ts'
import { findingOf } from './model-judge.ts'
import { Judgement, type Order, PROMPT_VERSION, promptOf, type Sides } from './prompt.ts'
import { readTracks } from './tracks.ts'

/** One run of a comparison. */
interface Wanted {
  id: string
  organization_id: string
  workspace_id: string
  project_id: string
  work_item_id: string
  track_a_graph_id: string
  track_b_graph_id: string
  track_a_agent: string
  track_b_agent: string
  run: number
  request_id: string | null
  /** What earlier tries of this run were answered, by the prompt that was answered. */
  model_answers: Partial<Record<Order, { hash: string; answer: Judgement }>>
}

/** What came of it; the cost is what the row has counted. */
type Outcome = { result: Omit<ComparisonResult, 'cost_usd'> } | { error: string }

const actorOf = ({ request_id }: Wanted) => ({ ...SYSTEM, request_id })

/** Charges a call and keeps its answer. A comparison that was cancelled or deleted meanwhile is charged all the same. */
async function settle(wanted: Wanted, cost_usd: number, answers: Wanted['model_answers']): Promise<void> {
  await transaction(async (tx) => {
    if (!(await lockTenant(tx, wanted))) return
    await tx`
      update dual_track_comparisons
      set model_answers = model_answers || ${tx.json(answers as Json)},
          cost_usd      = cost_usd + ${cost_usd}
      where id = ${wanted.id}
        and organization_id = ${wanted.organization_id}
        and run = ${wanted.run}
    `
    await chargeModel(tx, actorOf(wanted), wanted, modelName, cost_usd)
  })
}

async function ask(wanted: Wanted, sides: Sides, order: Order): Promise<ModelResult<Judgement>> {
  const { system, user, hash } = promptOf(sides, order)
  const known = wanted.model_answers[order]
  if (known?.hash === hash) return { ok: true, answer: known.answer, cost_usd: 0 }
  const asked = await askModel({ system, user, name: 'comparison', schema: Judgement })
  await settle(wanted, asked.cost_usd, asked.ok ? { [order]: { hash, answer: asked.answer } } : {})
  return asked
}

function byMetrics(a: Figures, b: Figures, fallback_reason: string | null): Outcome {
  const judge = { kind: 'metrics' as const, model: null, prompt_version: null, order_consistent: null, fallback_reason }
  return { result: { ...judgeByMetrics(a, b), judge } }
}

async function judge(wanted: Wanted): Promise<Outcome | null> {
  const read = await sql.begin('isolation level repeatable read read only', (tx) => readTracks(tx, wanted, modelName !== null))
  if (!read) return null
  const { a, b } = read
  if (modelName === null) return byMetrics(a.figures, b.figures, null)
  const whose = await exhaustedBudget(sql, wanted)
  if (whose) return byMetrics(a.figures, b.figures, `The budget of the ${whose} is exhausted, so no model was asked.`)

  const sides: Sides = { ...read, id: wanted.id, track_a_agent: wanted.track_a_agent, track_b_agent: wanted.track_b_agent }
  const [ab, ba] = await Promise.all([ask(wanted, sides, 'ab'), ask(wanted, sides, 'ba')])
  if (ab.ok && ba.ok) {
    const { order_consistent, ...finding } = findingOf({ ab: ab.answer, ba: ba.answer })
    const by = {
      kind: 'model' as const,
      model: modelName,
      prompt_version: PROMPT_VERSION,
      order_consistent,
      fallback_reason: null,
    }
    return { result: { ...finding, judge: by } }
  }
  const [failure = ''] = [ab, ba].flatMap((asked) => (asked.ok ? [] : [asked.failure]))
  return config.AI_ON_FAILURE === 'fail' ? { error: failure } : byMetrics(a.figures, b.figures, failure)
}

/** Whether a later try may go better: whatever has a code comes from the database or the system. */
const isPassing = (error: unknown): boolean => error instanceof Error && 'code' in error

/** A fault of our own is an outcome, too: another try would meet the same tracks. */
async function judgeOrFail(wanted: Wanted): Promise<Outcome | null> {
  try {
    return await judge(wanted)
  } catch (error) {
    if (isPassing(error)) throw error
    log.error({ error, comparison: wanted.id, request_id: wanted.request_id }, 'two tracks could not be compared')
    return { error: `The tracks could not be compared. Tell the operator: request ${wanted.request_id ?? wanted.id}.` }
  }
}

/** Writes down what came of a run, unless it was cancelled or deleted, or another worker was faster. */
async function finish(wanted: Wanted, outcome: Outcome): Promise<void> {
  const participle = 'result' in outcome ? 'compared' : 'failed'
  await transaction(async (tx) => {
    const result = 'result' in outcome ? tx.json(outcome.result as Json) : null
    const [comparison] = await tx<Record<string, unknown>[]>`
      update dual_track_comparisons
      set status = ${participle},
          result = ${result}::jsonb || jsonb_build_object('cost_usd', cost_usd),
          error  = ${'error' in outcome ? outcome.error : null}
      where id = ${wanted.id}
        and organization_id = ${wanted.organization_id}
        and run = ${wanted.run}
        and status = 'comparing'
      returning ${comparisonColumns}
    `
    if (!comparison) return
    const between = `${wanted.track_a_agent} (a) and ${wanted.track_b_agent} (b)`
    await record(tx, actorOf(wanted), wanted, {
      action: `dual_track.${participle}`,
      resource_type: 'dual_track',
      resource_id: wanted.id,
      detail: `Signalbox ${participle === 'compared' ? 'compared' : 'failed to compare'} ${between}.`,
    })
    await emit(tx, actorOf(wanted), wanted, `dual_track.${participle}`, { comparison })
  })
  log.info({ comparison: wanted.id, request_id: wanted.request_id, outcome: participle }, 'compared two tracks')
}

/** Compares two tracks, if somebody still waits for it. */
export async function compareTracks({ organization_id, comparison_id }: Tasks['compare_tracks']): Promise<void> {
  const [wanted] = await sql<Wanted[]>`
    select
      id, organization_id, workspace_id, project_id, work_item_id, track_a_graph_id, track_b_graph_id,
      track_a_agent, track_b_agent, run, request_id, model_answers
    from dual_track_comparisons
    where id = ${comparison_id}
      and organization_id = ${organization_id}
      and status = 'comparing'
  `
  const outcome = wanted && (await judgeOrFail(wanted))
  if (outcome) await finish(wanted, outcome)
}
