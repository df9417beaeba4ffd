/** Where the time from a commit to its record goes: the stages of a dispatch, from the traces of the worker. */
import { percentile, type Row } from './figures.ts'
import { type Flood, HOOKS, openFlood, untilDrained, writeEvents } from './flood.ts'
import { commitAtRate, fullRate } from './half-load.ts'
import { startProcess } from './processes.ts'
import { type Part, type Stage, untilIdle, untilWorkersReady, withoutWorker } from './stage.ts'
import { collectSpans, type TimedSpan } from './trace-collector.ts'

/** Tracing all of them would measure the tracing. */
const SAMPLED = 0.1
/** Long enough for the record of a dispatch, so that it does not overlap with the next one. */
const PAUSE_MS = 50

const STAGES = [
  'commit → notified',
  'notified → drain starts',
  'drain starts → events read',
  'events read → drain commits',
  'drain commits → dispatch fetched',
  'fetched → sent',
  'sent → answered',
  'answered → recorded',
] as const

/**
 * The durations of the stages of one dispatch, in milliseconds. A drain may have been requested for an earlier event: then this one waits
 * for no notification.
 */
function stagesOf(committed: number, drain: TimedSpan, dispatch: TimedSpan): number[] {
  const times = [
    committed,
    Math.max(committed, drain.events.requested ?? Number.NaN),
    drain.events.started ?? Number.NaN,
    drain.start,
    drain.end,
    dispatch.events.fetched ?? Number.NaN,
    dispatch.events.sent ?? Number.NaN,
    dispatch.events.answered ?? Number.NaN,
    dispatch.end,
  ]
  return STAGES.map((_, index) => (times[index + 1] ?? Number.NaN) - (times[index] ?? Number.NaN))
}

/** @param commits when each event was committed, by the name of its gate */
async function rowsOf({ sql }: Stage, load: string, spans: TimedSpan[], commits: Map<string, number>): Promise<Row[]> {
  const drains = new Map(spans.flatMap((span) => (span.name.startsWith('drain ') ? [[span.id, span] as const] : [])))
  const events = await sql<{ id: string; gate: string }[]>`select id, data -> 'gate' ->> 'name' as gate from outbox`
  const committedAt = new Map(events.map(({ id, gate }) => [id, commits.get(gate)]))
  const samples = spans.flatMap((dispatch) => {
    const drain = drains.get(dispatch.parent)
    const committed = drain && committedAt.get(drain.event)
    return drain && committed !== undefined ? [stagesOf(committed, drain, dispatch)] : []
  })
  const rows = STAGES.map((name, index) => {
    const ms = samples.map((stages) => stages[index] ?? Number.NaN)
    return { name: `${load}: ${name}`, p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) }
  })
  return rows.map(({ name, p50, p99 }) => ({ name, value: p50, unit: 'ms', note: `p99 ${p99.toFixed(1)} ms` }))
}

async function commitOneByOne(sql: Stage['sql'], flood: Flood, count: number): Promise<Map<string, number>> {
  const commits = new Map<string, number>()
  for (let turn = 0; turn < count; turn++) {
    const gate = `idle ${turn}`
    commits.set(gate, performance.timeOrigin + (await writeEvents(sql, flood.projects, 1, gate)))
    await untilDrained(sql)
    await Bun.sleep(PAUSE_MS)
  }
  return commits
}

export const stages: Part = {
  name: 'stages',
  about: `where the time goes: medians of each stage for events committed one by one, and at half load as in \`half-load\`, from the traces of a worker that exports one in ${1 / SAMPLED}. A trace takes time of its own, so the sum is more than in the other parts.`,
  async run(stage) {
    const { environment, sql, quick } = stage
    await using collector = collectSpans()
    await using flood = await openFlood(stage, HOOKS)
    const traced = {
      ...environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    }
    /** The rows of one load, with a worker of its own: its last traces are exported when it stops. */
    async function measure(load: string, share: number, run: () => Promise<Map<string, number>>): Promise<Row[]> {
      let commits: Map<string, number>
      {
        await using _ = startProcess('worker/main.ts', { ...traced, OTEL_TRACES_SAMPLER_ARG: String(share) })
        await untilWorkersReady(sql, 1)
        commits = await run()
        await untilIdle(sql)
      }
      return rowsOf(stage, load, collector.take(), commits)
    }
    return await withoutWorker(stage, async () => {
      const idle = await measure('idle', 1, () => commitOneByOne(sql, flood, quick ? 20 : 200))
      const half = await measure('half load', SAMPLED, async () => {
        const rate = await fullRate(stage, flood)
        return (await commitAtRate(stage, flood, rate / 2)).commits
      })
      return [...idle, ...half]
    })
  },
}
