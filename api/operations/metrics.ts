/** Prometheus metrics of all processes. Every API process returns the same. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { instance, processGauges, report } from '../../core/platform/metric-reports.ts'
import { labelsOf, METRICS, PROCESS_GAUGES, type ProcessGauge, type SeriesValues } from '../../core/platform/metrics.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'
import { Problem } from '../problems.ts'
import { backlogGauges, type Gauge, nodeGauges, queueGauges } from './backlog.ts'

/** How long a response is cached. */
const CACHE_MS = 5_000
/** Timeout of the database. Prometheus itself times out after ten seconds. */
const DATABASE_TIMEOUT_MS = 5_000
/** How long a request waits for new gauges that may take long to read. */
const READING_TIMEOUT_MS = 2_000
/** Reading them takes at most this fraction of the time of one connection. */
const READING_SHARE = 1 / 20

const LOOPBACK = /^(127\.|::1$)/
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/**
 * Requires METRICS_TOKEN or, if it is not set, a connection from loopback that did not pass through a proxy: a proxy on the
 * same machine would otherwise make the metrics public.
 * @param peer the address of the connection
 * @throws Problem `forbidden`
 */
export function requireMetricsAccess(request: Request, peer: string): void {
  if (config.METRICS_TOKEN !== undefined) {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    if (equalInConstantTime(token, config.METRICS_TOKEN)) return
    throw new Problem('forbidden', 'Send the METRICS_TOKEN of this service as bearer token.')
  }
  const isProxied = FORWARDED.some((name) => request.headers.has(name))
  if (LOOPBACK.test(peer.replace(/^::ffff:/, '')) && !isProxied) return
  const detail = 'Without METRICS_TOKEN, metrics are available only from loopback and without a proxy. Set METRICS_TOKEN.'
  throw new Problem('forbidden', detail)
}

const number = (value: number): string => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value))
const line = (name: string, labels: string, value: number): string => `${name}${labels ? `{${labels}}` : ''} ${number(value)}`
const head = (name: string, help: string, type: string): string[] => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]

function histogramLines({ name, labels, amounts }: SeriesValues, bounds: readonly number[]): string[] {
  const [sum = 0, ...counts] = amounts
  let total = 0
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
    total += counts[index] ?? 0
    return line(`${name}_bucket`, [labels, `le="${number(bound)}"`].filter(Boolean).join(','), total)
  })
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, total)]
}

/** All counters and histograms. Metrics without values are declared as well. */
async function countedLines(): Promise<string[]> {
  const totals = await sql<SeriesValues[]>`select name, labels, amounts from metric_totals order by name, labels`
  return METRICS.flatMap(({ name, help, bounds }) => [
    ...head(name, help, bounds ? 'histogram' : 'counter'),
    ...totals
      .filter((total) => total.name === name)
      .flatMap((total) => (bounds ? histogramLines(total, bounds) : [line(name, total.labels, total.amounts[0] ?? 0)])),
  ])
}

interface ProcessRow {
  process: string
  instance: string
  gauges: Partial<Record<ProcessGauge, number>>
}

const processLines = (rows: ProcessRow[]): string[] =>
  Object.entries(PROCESS_GAUGES).flatMap(([name, [type, help]]) => [
    ...head(name, help, type),
    ...rows.flatMap(({ process, instance, gauges }) => {
      const value = gauges[name as ProcessGauge]
      return value === undefined ? [] : [line(name, labelsOf({ process, service_instance_id: instance }), value)]
    }),
  ])

const liveProcesses = () => sql<ProcessRow[]>`
  select process, instance, gauges
  from process_gauges
  where process_status(seen_at) <> 'dead'
  order by process, instance
`

const sampleLines = (samples: Gauge[]): string[] =>
  samples.flatMap(({ name, help, values }) => [
    ...head(name, help, 'gauge'),
    ...values.map(([labels, value]) => line(name, labelsOf(labels), value)),
  ])

/** Gauges that may take long to read. The longer it takes (seconds for a million jobs), the less often it is done. */
class SlowGauges {
  #lines: string[] = []
  #until = 0
  #reading: Promise<void> | null = null

  constructor(private readonly read: () => Promise<Gauge[]>) {}

  async #readAgain(): Promise<void> {
    const startedAt = monotonicMs()
    try {
      this.#lines = sampleLines(await this.read())
    } finally {
      const endedAt = monotonicMs()
      this.#until = endedAt + (endedAt - startedAt) / READING_SHARE
    }
  }

  /** The last known ones if reading them takes too long. */
  async lines(): Promise<string[]> {
    if (monotonicMs() >= this.#until) {
      this.#reading ??= this.#readAgain().finally(() => {
        this.#reading = null
      })
      await Promise.race([this.#reading, Bun.sleep(READING_TIMEOUT_MS)])
    }
    return this.#lines
  }
}

const backlog = new SlowGauges(async () => [...(await queueGauges(sql)), ...(await backlogGauges())])
/** Apart from the backlog: a node that does not answer delays that most. */
const nodes = new SlowGauges(nodeGauges)

const upLines = (up: 0 | 1): string[] => [
  ...head(
    'signalbox_database_up',
    'Whether the API can reach the database. If it cannot, most other metrics are missing.',
    'gauge',
  ),
  line('signalbox_database_up', '', up),
]

/** Runs one statement after another, to occupy only one connection. */
async function collect(): Promise<string> {
  await report()
  const lines = [...upLines(1), ...(await countedLines()), ...processLines(await liveProcesses())]
  for (const gauges of [nodes, backlog]) lines.push(...(await gauges.lines()))
  return `${lines.join('\n')}\n`
}

/** The metrics without the database. Omits counters, since those of this process alone would look like a reset. */
const collectWithoutDatabase = (): string =>
  `${[...upLines(0), ...processLines([{ process: 'api', instance, gauges: processGauges() }])].join('\n')}\n`

let collecting: Promise<string> | null = null
let cached = ''
let cachedUntil = 0

/** The metrics in text format, cached for five seconds. Concurrent requests share one collection. */
export async function metricsText(): Promise<string> {
  if (monotonicMs() < cachedUntil) return cached
  collecting ??= collect().finally(() => {
    collecting = null
  })
  const text = await Promise.race([collecting, Bun.sleep(DATABASE_TIMEOUT_MS).then(() => null)]).catch((error: unknown) => {
    log.warn({ error }, 'could not collect metrics')
    return null
  })
  if (text === null) return collectWithoutDatabase()
  cached = text
  cachedUntil = monotonicMs() + CACHE_MS
  return text
}
