/**
 * What a process counts and measures. It keeps no totals: what came since the last report is added to the figures of
 * all processes, in Postgres. So no counter goes backwards when a process ends, and any API process can tell of all.
 */

/** One series, as it is added to and as it is kept: the sum first for a histogram, then one count a bucket. */
export interface Figure {
  name: string
  /** As they stand between the braces of the text format; what tells the series of a metric apart. */
  labels: string
  amounts: number[]
}

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Labels in the text format of Prometheus; those without a value are left out. */
export const labelsOf = (labels: Record<string, string | null | undefined>): string =>
  Object.entries(labels)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}="${escaped(value as string)}"`)
    .join(',')

interface Series {
  labels: string
  amounts: Float64Array
}

/** A metric of the catalogue, with what this process has not reported yet. */
export class Metric {
  readonly #series = new Map<string, Series>()

  /**
   * @param name as it is served, with its unit
   * @param labels names, in the order in which `count` and `observe` take values; few values each, never a tenant
   * @param bounds upper ends of the buckets, in seconds; none for a counter. They never change: other bounds, other name.
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
      const labels = labelsOf(Object.fromEntries(this.labels.map((label, place) => [label, values[place]])))
      series = { labels, amounts: new Float64Array(this.bounds ? this.bounds.length + 2 : 1) }
      this.#series.set(key, series)
    }
    return series.amounts
  }

  /** Counts events of one kind. */
  count(values: readonly (string | null)[], times = 1): void {
    const amounts = this.#amountsOf(values)
    amounts[0] = (amounts[0] as number) + times
  }

  /** Measures one event of a histogram. */
  observe(values: readonly (string | null)[], seconds: number): void {
    const amounts = this.#amountsOf(values)
    const bounds = this.bounds ?? []
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1
    amounts[0] = (amounts[0] as number) + seconds
    amounts[bucket + 1] = (amounts[bucket + 1] as number) + 1
  }

  /** Hands over what came since the last time. */
  take(): Figure[] {
    const taken: Figure[] = []
    for (const { labels, amounts } of this.#series.values()) {
      if (!amounts.some((amount) => amount !== 0)) continue
      taken.push({ name: this.name, labels, amounts: [...amounts] })
      amounts.fill(0)
    }
    return taken
  }

  /** Takes back what could not be reported. */
  giveBack(figure: Figure): void {
    for (const series of this.#series.values()) {
      if (series.labels !== figure.labels) continue
      figure.amounts.forEach((amount, place) => {
        series.amounts[place] = (series.amounts[place] as number) + amount
      })
    }
  }
}
