/** Which price a use of a model has. */
import type { ModelPrice } from './schema.ts'

/** A price of a model, by its number, during a time. `until` is null for the last one. */
interface PricePeriod extends Omit<ModelPrice, 'model'> {
  model: number
  until: string | null
}

const isFor = (pattern: string, model: string): boolean =>
  pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : pattern === model

/** How closely a pattern names its models: exactly, or by how many characters. */
const closeness = ({ model }: ModelPrice): number => (model.endsWith('*') ? model.length : Number.POSITIVE_INFINITY)

/** The price at a moment, of those for one model. The exact name wins, then the longest prefix, then the latest beginning. */
const priceAt = (prices: ModelPrice[], at: string): ModelPrice | undefined =>
  prices
    .filter(({ from }) => from <= at)
    .reduce<ModelPrice | undefined>((best, each) => {
      if (!best) return each
      const closer = closeness(each) - closeness(best) || 0
      return closer > 0 || (closer === 0 && each.from > best.from) ? each : best
    }, undefined)

/** The prices of models, each from when it begins until another one does. */
export function pricePeriods(prices: ModelPrice[], models: string[]): PricePeriod[] {
  return models.flatMap((name, model) => {
    const own = prices.filter((price) => isFor(price.model, name))
    const times = [...new Set(own.map(({ from }) => from))].sort()
    return times.flatMap((from, at) => {
      const price = priceAt(own, from)
      return price ? [{ ...price, model, from, until: times[at + 1] ?? null }] : []
    })
  })
}
