/** What Prometheus scrapes: the figures of all processes, the same from whichever of them answers. */

import { timingSafeEqual } from 'node:crypto'
import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { labelsOf, type SeriesValues } from '../../core/platform/metric.ts'
import { instance, processGauges, report } from '../../core/platform/metric-reports.ts'
import { METRICS, PROCESS_GAUGES, type ProcessGauge } from '../../core/platform/metrics.ts'
import { Problem } from '../problems.ts'
import { backlogFigures } from './backlog.ts'
import { type Gauge, queueGauges } from './queue-gauges.ts'

/** An answer serves so long, whoever asks. */
const KEPT_MS = 5_000
/** The database has so long; then it counts as away. Prometheus itself gives up after ten seconds. */
const PATIENCE_MS = 5_000
/** Nobody waits longer for what is counted in the queue. */
const BACKLOG_MS = 2_000
/** It takes this part of the time of one connection at the most. */
const SHARE = 1 / 20

const LOOPBACK = /^(127\.|::1$)/
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

const same = (given: string, wanted: string): boolean => {
  const hash = (value: string) => new Bun.CryptoHasher('sha256').update(value).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}

/**
 * Lets in who has the token or, where there is none, who asks from this very machine. What came through a proxy did
 * not, whatever address the proxy reports: else one beside the API would open the figures to everybody.
 *
 * @param peer the address at the other end of the connection
 * @throws Problem `forbidden`
 */
export function admitScraper(request: Request, peer: string): void {
  if (config.METRICS_TOKEN !== undefined) {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    if (same(token, config.METRICS_TOKEN)) return
    throw new Problem('forbidden', 'The figures need the METRICS_TOKEN of this service as bearer token.')
  }
  const isProxied = FORWARDED.some((name) => request.headers.has(name))
  if (LOOPBACK.test(peer.replace(/^::ffff:/, '')) && !isProxied) return
  throw new Problem('forbidden', 'Without a METRICS_TOKEN the figures are told to loopback alone. Set one.')
}

const number = (value: number): string => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value))
const line = (name: string, labels: string, value: number): string => `${name}${labels ? `{${labels}}` : ''} ${number(value)}`
const head = (name: string, help: string, type: string): string[] => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]

function histogramLines({ name, labels, amounts }: SeriesValues, bounds: readonly number[]): string[] {
  const [sum = 0, ...counts] = amounts
  let total = 0
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, place) => {
    total += counts[place] ?? 0
    return line(`${name}_bucket`, [labels, `le="${number(bound)}"`].filter(Boolean).join(','), total)
  })
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, total)]
}

/** All that was counted and measured; a metric of which there is nothing yet is announced all the same. */
async function countedLines(): Promise<string[]> {
  const figures = await sql<SeriesValues[]>`select name, labels, amounts from figures order by name, labels`
  return METRICS.flatMap(({ name, help, bounds }) => [
    ...head(name, help, bounds ? 'histogram' : 'counter'),
    ...figures
      .filter((figure) => figure.name === name)
      .flatMap((figure) => (bounds ? histogramLines(figure, bounds) : [line(name, figure.labels, figure.amounts[0] ?? 0)])),
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
  from process_figures
  where seen_at > now() - interval '35 seconds'
  order by process, instance
`

const sampleLines = (samples: Gauge[]): string[] =>
  samples.flatMap(({ name, help, values }) => [
    ...head(name, help, 'gauge'),
    ...values.map(([labels, value]) => line(name, labelsOf(labels), value)),
  ])

let backlog: string[] = []
let backlogUntil = 0
let counting: Promise<void> | null = null

/** Counting a million jobs takes a second or two, so that the longer it takes the more seldom it is done. */
async function countBacklog(): Promise<void> {
  const begun = monotonicMs()
  try {
    backlog = sampleLines([...(await queueGauges(sql)), ...(await backlogFigures())])
  } finally {
    const ended = monotonicMs()
    backlogUntil = ended + (ended - begun) / SHARE
  }
}

/** What waits; where it is still being counted, what waited when it was counted last. */
async function backlogLines(): Promise<string[]> {
  if (monotonicMs() >= backlogUntil) {
    counting ??= countBacklog().finally(() => {
      counting = null
    })
    await Promise.race([counting, Bun.sleep(BACKLOG_MS)])
  }
  return backlog
}

const upLines = (up: 0 | 1): string[] => [
  ...head(
    'signalbox_database_up',
    'Whether the database answers the API; while it does not, there is little else to tell.',
    'gauge',
  ),
  line('signalbox_database_up', '', up),
]

/** Statement after statement: figures must not take more than one connection from those who work. */
async function collect(): Promise<string> {
  await report()
  const lines = [...upLines(1), ...(await countedLines()), ...processLines(await liveProcesses()), ...(await backlogLines())]
  return `${lines.join('\n')}\n`
}

/** Without totals: those that this process alone could tell would look as if all had begun anew. */
const collectAlone = (): string =>
  `${[...upLines(0), ...processLines([{ process: 'api', instance, gauges: processGauges() }])].join('\n')}\n`

let collecting: Promise<string> | null = null
let kept = ''
let keptUntil = 0

/** The text; made anew when it is older than five seconds, by one request at a time. */
export async function metricsText(): Promise<string> {
  if (monotonicMs() < keptUntil) return kept
  collecting ??= collect().finally(() => {
    collecting = null
  })
  const text = await Promise.race([collecting, Bun.sleep(PATIENCE_MS).then(() => null)]).catch((error: unknown) => {
    log.warn({ error }, 'the figures could not be collected')
    return null
  })
  if (text === null) return collectAlone()
  kept = text
  keptUntil = monotonicMs() + KEPT_MS
  return text
}
