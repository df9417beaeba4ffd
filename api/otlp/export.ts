/** Reads an OTLP export: inflates and decodes it, and lists the usage in it. */
import { gunzipSync } from 'node:zlib'
import { isUuid } from '../../core/values/uuids.ts'
import { usageId } from '../executions/usage-values.ts'
import { Problem } from '../problems.ts'
import { recordsOfJson, recordsOfMessage, type Signal, type TelemetryRecord } from './records.ts'
import { type Place, placesOf, type TelemetryUsage, usageOf } from './usage.ts'
import { MalformedMessage } from './wire.ts'

export const MAX_EXPORT_BYTES = 4_194_304
/** Of usage in one export. Exporters send 512 records by default, collectors 8,192. */
const MAX_RECORDS = 10_000
const MAX_MODELS = 100
const MAX_EXECUTIONS = 1_000

export interface Source {
  signal: Signal
  bytes: Uint8Array
  isJson: boolean
  isGzip: boolean
}

/** Why usage of an export is not counted. */
type Rejection = 'unnamed' | 'invalid' | 'excess'

export interface Export {
  /** The executions that it names, and how many records each has. */
  executions: { id: string; records: number }[]
  models: string[]
  /** JSON: the rows that `countUsage` takes. A text takes no time to hand over. */
  rows: string
  /** Whether there are events of spans, or spans within spans, among them. */
  hasLinks: boolean
  rejected: Record<Rejection, number>
}

const tooLarge = () =>
  new Problem('body_too_large', `The export must not be larger than ${MAX_EXPORT_BYTES} bytes when it is inflated.`)

/** Stops at the limit, whatever the compressed body promises. */
function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_EXPORT_BYTES })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge()
    throw new MalformedMessage()
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The message of the parser would quote the body.
    throw new MalformedMessage()
  }
}

function decode(source: Source): TelemetryRecord[] {
  const { signal, bytes, isJson } = source.isGzip ? { ...source, bytes: inflate(source.bytes) } : source
  if (bytes.length > MAX_EXPORT_BYTES) throw tooLarge()
  return isJson ? recordsOfJson(signal, parse(bytes)) : recordsOfMessage(signal, bytes)
}

/** The numbers of values, in the order in which they first occur. */
class Numbers {
  readonly all: string[] = []
  readonly #known = new Map<string, number>()

  constructor(readonly most: number) {}

  /** The number of a value; undefined if there are too many. */
  of(value: string): number | undefined {
    const known = this.#known.get(value)
    if (known !== undefined || this.all.length === this.most) return known
    this.#known.set(value, this.all.length)
    return this.all.push(value) - 1
  }
}

const idOf = (key: string | null): string | null => (key === null ? null : usageId(key))

const rowOf = (
  execution: number,
  model: number,
  at: number | null,
  { key, span_key, ...usage }: TelemetryUsage,
  { outer_key, isOuter }: Place,
) => ({
  ...usage,
  execution,
  model,
  id: usageId(key),
  span_id: idOf(span_key),
  outer_id: idOf(outer_key),
  is_outer: isOuter,
  used_at: at === null ? null : new Date(at).toISOString(),
})

function listUsage(signal: Signal, records: TelemetryRecord[]): Export {
  const [executions, models] = [new Numbers(MAX_EXECUTIONS), new Numbers(MAX_MODELS)]
  const rejected = { unnamed: 0, invalid: 0, excess: 0 }
  const counts: number[] = []
  const rows: ReturnType<typeof rowOf>[] = []
  const usages = records.map((record) => usageOf(signal, record))
  const places = placesOf(records, usages)
  for (const [index, record] of records.entries()) {
    const [usage, place] = [usages[index] ?? null, places[index] as Place]
    if (usage === null) continue
    const named = record.execution?.toLowerCase()
    if (named === undefined) rejected.unnamed += 1
    else if (usage === 'invalid') rejected.invalid += 1
    else {
      const execution = executions.of(isUuid(named) ? named : '')
      const model = models.of(usage.model)
      if (execution === undefined || model === undefined || rows.length === MAX_RECORDS) rejected.excess += 1
      else {
        counts[execution] = (counts[execution] ?? 0) + 1
        rows.push(rowOf(execution, model, record.at, usage, place))
      }
    }
  }
  return {
    executions: executions.all.map((id, at) => ({ id, records: counts[at] ?? 0 })),
    models: models.all,
    rows: JSON.stringify(rows),
    hasLinks: rows.some(({ span_id, outer_id }) => (span_id ?? outer_id) !== null),
    rejected,
  }
}

/** Runs a step of reading an export. @throws Problem `malformed_export` if it finds no export */
function reading<Result>({ signal, isJson }: Source, step: () => Result): Result {
  try {
    return step()
  } catch (error) {
    // A RangeError: nested deeper than the stack.
    if (!(error instanceof MalformedMessage || error instanceof RangeError)) throw error
    const form = isJson ? 'JSON' : 'Protocol Buffers'
    throw new Problem('malformed_export', `The body is not an OTLP export of ${signal} in ${form}.`)
  }
}

/** The same export, not compressed. @throws Problem `body_too_large`, `malformed_export` */
export const inflated = (source: Source): Source =>
  source.isGzip ? { ...source, bytes: reading(source, () => inflate(source.bytes)), isGzip: false } : source

/** Lists the usage in an export. @throws Problem `body_too_large`, `malformed_export` */
export const readExport = (source: Source): Export => reading(source, () => listUsage(source.signal, decode(source)))
