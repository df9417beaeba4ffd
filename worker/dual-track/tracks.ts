/** Reads two tracks from one snapshot: their metrics, and the material for the model. */
import { gateState } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { sumUsd } from '../../core/values/money.ts'
import type { Tx } from '../../sql/index.ts'
import type { TrackMetrics } from './metrics-judge.ts'

/** Limits of the material for the model: executions (the newest), artifacts of each, and characters of each artifact. */
const READ_EXECUTIONS = 5
const READ_ARTIFACTS = 20
const READ_CHARACTERS = 24_000

interface Material {
  status: string
  summary: string | null
  error: string | null
  artifacts: { name: string; kind: string | null; url: string | null; content: string | null }[]
}

export interface Track {
  metrics: TrackMetrics
  agents: string[]
  executions: Material[]
  gates: { name: string; description: string | null; status: string; comment: string | null }[]
}

export interface ComparedTask {
  title: string
  description: string | null
  acceptance_criteria: string[]
}

interface ExecutionRow extends Omit<Material, 'artifacts'> {
  graph_id: string
  agent: string
  cost_usd: number | null
  metrics: Record<string, number>
  finished_at: string | null
  measured_seconds: number | null
  artifacts: Material['artifacts'] | null
}

type GateRow = Track['gates'][number] & { graph_id: string }

/** The sum of the values that are present; null if there are none. */
function sumOf(values: (number | null | undefined)[], sum: (some: number[]) => number): number | null {
  const some = values.filter((value) => value !== null && value !== undefined)
  return some.length === 0 ? null : sum(some)
}

const sumSeconds = (seconds: number[]): number => Number(seconds.reduce((sum, each) => sum + each, 0).toFixed(3))

const both = (one: number | undefined, two: number | undefined): number | null =>
  one === undefined || two === undefined ? null : one + two

/** @param executions newest first */
function metricsOf(executions: ExecutionRow[], gates: GateRow[]): TrackMetrics {
  // The metrics of the last finished execution count. Cancelled ones report nothing.
  const finished = executions.filter(({ status }) => status === 'completed' || status === 'failed')
  const last = finished.toSorted((one, two) => (two.finished_at ?? '').localeCompare(one.finished_at ?? ''))[0]
  const { tests_passed, tests_failed, lines_added, lines_removed, retries } = last?.metrics ?? {}
  // Tools leave out failures where there are none.
  const tests = tests_passed === undefined ? null : tests_passed + (tests_failed ?? 0)
  const repeats = executions.length - 1
  const costs = executions.map(({ cost_usd }) => cost_usd)
  const durations = executions.map(({ metrics, measured_seconds }) => metrics.duration_seconds ?? measured_seconds)
  return {
    is_completed: executions.find(({ status }) => status !== 'cancelled')?.status === 'completed',
    gates: { approved: gates.filter(({ status }) => status === 'approved').length, total: gates.length },
    tests: tests === null ? null : { passed: tests_passed ?? 0, total: tests },
    cost_usd: sumOf(costs, sumUsd),
    duration_seconds: sumOf(durations, sumSeconds),
    retries: retries === undefined && repeats === 0 ? null : (retries ?? 0) + repeats,
    change_size: both(lines_added, lines_removed),
  }
}

function trackOf(graph_id: string, executions: ExecutionRow[], gates: GateRow[]): Track {
  const own = executions.filter((execution) => execution.graph_id === graph_id)
  const its = gates.filter((gate) => gate.graph_id === graph_id)
  return {
    metrics: metricsOf(own, its),
    agents: [...new Set(own.map(({ agent }) => agent))],
    executions: own.flatMap(({ status, summary, error, artifacts }) =>
      artifacts ? [{ status, summary, error, artifacts }] : [],
    ),
    gates: its.map(({ name, description, status, comment }) => ({ name, description, status, comment })),
  }
}

/** Which tracks of which requirement. */
export interface ComparedTracks extends ProjectScope {
  work_item_id: string
  track_a_graph_id: string
  track_b_graph_id: string
}

/**
 * @param tx a repeatable read transaction, for a consistent snapshot
 * @param withMaterial whether to read texts and artifacts, which only the model needs
 * @returns null if the requirement is deleted
 */
export async function readTracks(
  tx: Tx,
  wanted: ComparedTracks,
  withMaterial: boolean,
): Promise<{ task: ComparedTask; a: Track; b: Track } | null> {
  const { organization_id, project_id, work_item_id, track_a_graph_id, track_b_graph_id } = wanted
  const [task] = await tx<ComparedTask[]>`
    select title, description, acceptance_criteria
    from requirements
    where id = ${work_item_id}
      and project_id = ${project_id}
      and organization_id = ${organization_id}
  `
  if (!task) return null
  const executions = await tx<ExecutionRow[]>`
    select
      graph_id, agent, status, cost_usd, metrics, finished_at,
      extract(epoch from finished_at - started_at) as measured_seconds,
      case when is_read then summary end as summary,
      case when is_read then error end as error,
      case when is_read then (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'name', artifact ->> 'name', 'kind', artifact ->> 'kind', 'url', artifact ->> 'url',
              'content', left(artifact ->> 'content', ${READ_CHARACTERS})
            )
            order by number
          ),
          '[]'
        )
        from jsonb_array_elements(artifacts) with ordinality as each (artifact, number)
        where number <= ${READ_ARTIFACTS}
      ) end as artifacts
    from (
      select
        id, created_at, graph_id, agent, status, cost_usd, metrics, started_at, finished_at, summary, error, artifacts,
        ${withMaterial}
          and row_number() over (partition by graph_id order by created_at desc, id desc) <= ${READ_EXECUTIONS} as is_read
      from executions
      where project_id = ${project_id}
        and requirement_id = ${work_item_id}
        and organization_id = ${organization_id}
        and graph_id in (${track_a_graph_id}, ${track_b_graph_id})
    ) as execution
    order by created_at desc, id desc
  `
  const gates = await tx<GateRow[]>`
    select execution.graph_id, gate.name, gate.description, ${gateState(sql`gate`)} as status, gate.comment
    from executions as execution
    join gates as gate on gate.execution_id = execution.id and gate.organization_id = execution.organization_id
    where execution.project_id = ${project_id}
      and execution.requirement_id = ${work_item_id}
      and execution.organization_id = ${organization_id}
      and execution.graph_id in (${track_a_graph_id}, ${track_b_graph_id})
      -- A cancelled gate was neither approved nor rejected.
      and gate.status <> 'cancelled'
    order by gate.created_at desc, gate.id desc
  `
  return { task, a: trackOf(track_a_graph_id, executions, gates), b: trackOf(track_b_graph_id, executions, gates) }
}
