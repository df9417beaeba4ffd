/**
 * Counters and histograms. A process keeps no totals: it periodically adds its counts to totals in the database. So no counter
 * goes backwards when a process ends, and every API process can serve the metrics of all.
 */

/** The values of one series: the count of a counter; for a histogram, the sum, then one count per bucket. */
export interface SeriesValues {
  name: string
  /** In the text format, as between its braces. They identify the series within the metric. */
  labels: string
  amounts: number[]
}

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Labels in the Prometheus text format. Labels without a value are omitted. */
export const labelsOf = (labels: Record<string, string | null | undefined>): string =>
  Object.entries(labels)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}="${escaped(value as string)}"`)
    .join(',')

interface Series {
  labels: string
  amounts: Float64Array
}

/** A metric of the catalogue, with the values that this process has not reported yet. */
export class Metric {
  readonly #series = new Map<string, Series>()

  /**
   * @param name the full name, with its unit
   * @param labels label names, in the order of the values of `count` and `observe`. Few values each, and never a tenant.
   * @param bounds upper bounds of the buckets, in seconds; null for a counter. To change them, change the name.
   */
  constructor(
    readonly name: string,
    readonly help: string,
    readonly labels: readonly string[],
    readonly bounds: readonly number[] | null,
  ) {}

  #amountsOf(values: readonly (string | null)[]): Float64Array {
    const key = values.join('\n')
    let series = this.#series.get(key)
    if (!series) {
      const labels = labelsOf(Object.fromEntries(this.labels.map((label, index) => [label, values[index]])))
      series = { labels, amounts: new Float64Array(this.bounds ? this.bounds.length + 2 : 1) }
      this.#series.set(key, series)
    }
    return series.amounts
  }

  count(values: readonly (string | null)[], times = 1): void {
    const amounts = this.#amountsOf(values)
    amounts[0] = (amounts[0] as number) + times
  }

  /** Adds one observation to a histogram. */
  observe(values: readonly (string | null)[], seconds: number): void {
    const amounts = this.#amountsOf(values)
    const bounds = this.bounds ?? []
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1
    amounts[0] = (amounts[0] as number) + seconds
    amounts[bucket + 1] = (amounts[bucket + 1] as number) + 1
  }

  /** Returns the values since the last call, and resets them. */
  take(): SeriesValues[] {
    const taken: SeriesValues[] = []
    for (const { labels, amounts } of this.#series.values()) {
      if (!amounts.some((amount) => amount !== 0)) continue
      taken.push({ name: this.name, labels, amounts: [...amounts] })
      amounts.fill(0)
    }
    return taken
  }

  /** Adds values again that could not be reported. */
  restore(values: SeriesValues): void {
    for (const series of this.#series.values()) {
      if (series.labels !== values.labels) continue
      values.amounts.forEach((amount, index) => {
        series.amounts[index] = (series.amounts[index] as number) + amount
      })
    }
  }
}
