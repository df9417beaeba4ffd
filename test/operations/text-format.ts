/** A strict parser of Prometheus's text format, version 0.0.4: any deviation is an error. */

export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Family {
  type: string
  help: string
  series: Series[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const [whole, name, value, comma] = LABEL.exec(rest) ?? []
    if (whole === undefined || name === undefined || value === undefined) throw new Error(`No label: ${rest}`)
    if (name in labels) throw new Error(`Twice the label ${name}`)
    labels[name] = value.replaceAll(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter))
    rest = rest.slice(whole.length)
    if (comma === ',' && rest === '') throw new Error(`A comma at the end: ${text}`)
  }
  return labels
}

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  if (!/^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/.test(text)) throw new Error(`No value: ${text}`)
  return Number(text)
}

const familyOf = (name: string, families: Map<string, Family>): string => {
  const stem = name.replace(/_(bucket|sum|count)$/, '')
  return families.get(stem)?.type === 'histogram' ? stem : name
}

/** Checks that the buckets of each histogram increase up to `+Inf`, which equals its count. */
function checkHistogram(name: string, series: Series[]): void {
  const groups = new Map<string, Series[]>()
  for (const each of series) {
    const { le, ...rest } = each.labels
    const key = JSON.stringify(rest)
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((each) => each.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => numberOf(labels.le ?? ''))
    const counts = buckets.map(({ value }) => value)
    const sorted = (values: number[]) => values.every((value, place) => place === 0 || value >= (values[place - 1] as number))
    const count = group.find((each) => each.name === `${name}_count`)?.value
    if (!sorted(bounds) || bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name}${key} has wrong bounds`)
    if (!sorted(counts) || counts.at(-1) !== count) throw new Error(`${name}${key} has wrong counts`)
    if (!group.some((each) => each.name === `${name}_sum`)) throw new Error(`${name}${key} has no sum`)
  }
}

/** Parses a complete response. */
export function readMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line is not ended')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === 'HELP') {
      if (!NAME.test(name) || families.has(name)) throw new Error(`A second or misnamed family: ${line}`)
      families.set(name, { help: rest, type: '', series: [] })
      current = name
    } else if (kind === 'TYPE') {
      const family = families.get(name)
      if (!family || name !== current || !/^(counter|gauge|histogram)$/.test(rest)) throw new Error(`No type: ${line}`)
      family.type = rest
    } else {
      const [, series = '', labels = '', value = ''] = LINE.exec(line) ?? []
      if (familyOf(series, families) !== current) throw new Error(`It is outside of its family: ${line}`)
      const read = { name: series, labels: labelsIn(labels), value: numberOf(value) }
      const key = JSON.stringify([series, Object.entries(read.labels).sort()])
      if (seen.has(key)) throw new Error(`Twice: ${line}`)
      seen.add(key)
      families.get(current)?.series.push(read)
    }
  }
  for (const [name, { type, series }] of families) {
    if (type === '') throw new Error(`${name} has no type`)
    if (type === 'histogram') checkHistogram(name, series)
    if (type === 'counter' && !name.endsWith('_total')) throw new Error(`The counter ${name} does not end in _total`)
  }
  return families
}

/** The sum of all series of a metric that have these labels. */
export function sumOf(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const stem = familyOf(name, families)
  const family = families.get(stem)
  if (!family) throw new Error(`There is no ${stem}`)
  return family.series
    .filter((each) => each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)
}
