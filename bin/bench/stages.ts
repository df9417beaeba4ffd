/** Where the time from a commit to its record goes: the stages of a dispatch, from the traces of the worker. */
import { Collector, type SpanRecord } from '../../test/operations/collector.ts'
import { ms, percentile, type Row } from './figures.ts'
import { openFlood, untilDrained } from './flood.ts'
import { commitAtRate, fullRate } from './half-load.ts'
import { startProcess } from './processes.ts'
import { type Part, type Stage, untilIdle, untilWorkersReady, withoutWorker } from './stage.ts'

/** Tracing all of them would measure the tracing. */
const SAMPLED = 0.1
/** Long enough for the record of a dispatch, so that it does not overlap with the next one. */
const PAUSE_MS = 50

/** A span of the worker, with its times in milliseconds since 1970. */
const timed = (span: SpanRecord) => ({
  id: span.spanId,
  parent: span.parentSpanId ?? '',
  isDrain: span.name.startsWith('drain '),
  event: String(span.attributes['signalbox.event_id']),
  start: milliseconds(span.startTimeUnixNano),
  end: milliseconds(span.endTimeUnixNano),
  events: Object.fromEntries((span.events ?? []).map(({ name, timeUnixNano }) => [name, milliseconds(timeUnixNano)])),
})
const milliseconds = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000

type TimedSpan = ReturnType<typeof timed>
type Clock = (committed: number, drain: TimedSpan, dispatch: TimedSpan) => number | undefined

/** The end of each stage. It begins where the one before ends, the first at the commit. */
const STAGES: [name: string, end: Clock][] = [
  // A drain may have been requested for an earlier event: then this one waits for no notification.
  ['commit → notified', (committed, drain) => Math.max(committed, drain.events.requested ?? Number.NaN)],
  ['notified → drain starts', (_, drain) => drain.events.started],
  ['drain starts → events read', (_, drain) => drain.start],
  ['events read → drain commits', (_, drain) => drain.end],
  ['drain commits → dispatch fetched', (_, __, dispatch) => dispatch.events.fetched],
  ['fetched → sent', (_, __, dispatch) => dispatch.events.sent],
  ['sent → answered', (_, __, dispatch) => dispatch.events.answered],
  ['answered → recorded', (_, __, dispatch) => dispatch.end],
]

/** @param commits when each event was committed, by the name of its gate */
async function rowsOf({ sql }: Stage, load: string, spans: TimedSpan[], commits: Map<string, number>): Promise<Row[]> {
  const drains = new Map(spans.filter(({ isDrain }) => isDrain).map((span) => [span.id, span]))
  const events = await sql<{ id: string; gate: string }[]>`select id, data -> 'gate' ->> 'name' as gate from outbox`
  const committedAt = new Map(events.map(({ id, gate }) => [id, commits.get(gate)]))
  const samples = spans.flatMap((dispatch) => {
    const drain = drains.get(dispatch.parent)
    const committed = drain && committedAt.get(drain.event)
    if (!drain || committed === undefined) return []
    const ends = STAGES.map(([, end]) => end(committed, drain, dispatch) ?? Number.NaN)
    return [ends.map((end, index) => end - (index ? (ends[index - 1] ?? Number.NaN) : committed))]
  })
  return STAGES.map(([name], index) => {
    const times = samples.map((stages) => stages[index] ?? Number.NaN)
    return ms(`${load}: ${name}`, percentile(times, 0.5), { note: `p99 ${percentile(times, 0.99).toFixed(1)} ms` })
  })
}

export const part: Part = {
  about: `where the time goes: medians of each stage for events committed one by one, and at half load as in \`half-load\`, from the traces of a worker that exports one in ${1 / SAMPLED}. A trace takes time of its own, so the sum is more than in the other parts.`,
  async run(stage) {
    const { environment, sql, quick } = stage
    const collector = new Collector()
    await using flood = await openFlood(stage)
    const traced = { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
    /** The rows of one load, with a worker of its own: its last traces are exported when it stops. */
    async function measure(load: string, share: number, run: () => Promise<Map<string, number>>): Promise<Row[]> {
      let commits: Map<string, number>
      {
        await using _ = startProcess('worker/main.ts', { ...traced, OTEL_TRACES_SAMPLER_ARG: String(share) })
        await untilWorkersReady(sql, 1)
        commits = await run()
        await untilIdle(sql)
      }
      return rowsOf(stage, load, collector.spans.splice(0).map(timed), commits)
    }
    async function commitOneByOne(): Promise<Map<string, number>> {
      const commits = new Map<string, number>()
      while (commits.size < (quick ? 20 : 200)) {
        const gate = `idle ${commits.size}`
        commits.set(gate, performance.timeOrigin + (await flood.write(1, gate)))
        await untilDrained(sql)
        await Bun.sleep(PAUSE_MS)
      }
      await flood.receiver.untilReceived(commits.size)
      flood.receiver.clear()
      return commits
    }
    const rows = await withoutWorker(stage, async () => {
      const idle = await measure('idle', 1, commitOneByOne)
      const atHalfLoad = async () => (await commitAtRate(stage, flood, (await fullRate(stage, flood)) / 2)).commits
      return [...idle, ...(await measure('half load', SAMPLED, atHalfLoad))]
    })
    await collector.stop()
    return rows
  },
}
