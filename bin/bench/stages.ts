/** Where the time from a commit to its record goes: the stages of a dispatch, from the traces of the worker. */
import { Collector, type SpanRecord } from '../../test/operations/collector.ts'
import { ms, percentile, type Row } from './figures.ts'
import { openFlood, untilDrained } from './flood.ts'
import { type Part, type Stage, untilIdle, withWorker } from './stage.ts'

/** Tracing all of them would measure the tracing. */
const SAMPLED = 0.1
/** Long enough for the record of a dispatch, so that it does not overlap with the next one. */
const PAUSE_MS = 50

const milliseconds = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000

/** When a span ended, and when what it names in between happened, in milliseconds since 1970. */
const timesOf = ({ startTimeUnixNano, endTimeUnixNano, events = [] }: SpanRecord): Record<string, number> => ({
  ...Object.fromEntries(events.map(({ name, timeUnixNano }) => [name, milliseconds(timeUnixNano)])),
  began: milliseconds(startTimeUnixNano),
  ended: milliseconds(endTimeUnixNano),
})

/** The stages, each with its end. It begins where the one before ends, the first at the commit. */
const STAGES: [name: string, span: 'drain' | 'dispatch', end: string][] = [
  ['commit → notified', 'drain', 'requested'],
  ['notified → drain starts', 'drain', 'started'],
  ['drain starts → events read', 'drain', 'began'],
  ['events read → drain commits', 'drain', 'ended'],
  ['drain commits → dispatch fetched', 'dispatch', 'fetched'],
  ['fetched → sent', 'dispatch', 'sent'],
  ['sent → answered', 'dispatch', 'answered'],
  ['answered → recorded', 'dispatch', 'ended'],
]

/** Milliseconds of each stage of a dispatch. */
function stagesOf(committed: number, drain: SpanRecord, dispatch: SpanRecord): number[] {
  const times = { drain: timesOf(drain), dispatch: timesOf(dispatch) }
  // The drain may have been requested for an earlier event: then this one waits for no notification.
  times.drain.requested = Math.max(committed, times.drain.requested ?? Number.NaN)
  const ends = STAGES.map(([, span, end]) => times[span][end] ?? Number.NaN)
  return ends.map((end, index) => end - (ends[index - 1] ?? committed))
}

/** @param commits when each event was committed, by the name of its gate */
async function rowsOf({ sql }: Stage, load: string, spans: SpanRecord[], commits: Map<string, number>): Promise<Row[]> {
  const drains = new Map(spans.filter(({ name }) => name.startsWith('drain ')).map((span) => [span.spanId, span]))
  const events = await sql<{ id: string; gate: string }[]>`select id, data -> 'gate' ->> 'name' as gate from outbox`
  const committedAt = new Map<unknown, number | undefined>(events.map(({ id, gate }) => [id, commits.get(gate)]))
  const samples = spans.flatMap((dispatch) => {
    const drain = drains.get(dispatch.parentSpanId ?? '')
    const committed = committedAt.get(drain?.attributes['signalbox.event_id'])
    return drain && committed !== undefined ? [stagesOf(committed, drain, dispatch)] : []
  })
  return STAGES.map(([name], index) => {
    const times = samples.map((stages) => stages[index] ?? Number.NaN)
    return ms(`${load}: ${name}`, percentile(times, 0.5), undefined, `p99 ${percentile(times, 0.99).toFixed(1)} ms`)
  })
}

export const part: Part = {
  about: `where the time goes: medians of each stage for events committed one by one, and at half load as in \`half-load\`, from the traces of a worker that exports one in ${1 / SAMPLED}. A trace takes time of its own, so the sum is more than in the other parts.`,
  async run(stage) {
    const { sql, quick } = stage
    const collector = new Collector()
    await using flood = await openFlood(stage)
    /** The rows of one load, with a worker of its own: its last traces are exported when it stops. */
    async function measure(load: string, share: number, run: () => Promise<Map<string, number>>): Promise<Row[]> {
      const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
      const commits = await withWorker(stage, { ...traced, OTEL_TRACES_SAMPLER_ARG: String(share) }, async () => {
        const commits = await run()
        await untilIdle(sql)
        return commits
      })
      return rowsOf(stage, load, collector.spans.splice(0), commits)
    }
    const idle = await measure('idle', 1, async () => {
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
    })
    const atHalfLoad = await measure('half load', SAMPLED, async () => {
      const baseline = await flood.fullRate()
      return (await flood.commitAtRate(baseline / 2)).commits
    })
    await collector.stop()
    return [...idle, ...atHalfLoad]
  },
}
