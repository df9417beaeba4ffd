import { inUtc } from '../../core/values/instants.ts'
import {
  Day,
  Described,
  Instant,
  InstantInput,
  Maybe,
  Name,
  Nullable,
  Shape,
  type Static,
  Type,
  Usd,
  UsdOutput,
} from '../../core/values/schema.ts'
import type { Json, Queryable, Tx } from '../../sql/index.ts'
import { entryChanges, recordUpdate } from '../audit-logs/changes.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { atOtherFields, type FieldError, invalidField, invalidFields } from '../problems.ts'

const perMillion = (of: string) => Described(Usd, `USD per million ${of}, at most 1,000,000,000; rounded half up to 6 decimals.`)
const orInput = (of: string) => Maybe(Nullable(Described(Usd, `USD per million tokens ${of}. Default: as \`input\`.`)))

const ModelPriceInput = Shape({
  model: Name(200, {
    description: 'The name of a model, or the beginning of names followed by `*`.',
    examples: ['claude-opus-4-8*'],
  }),
  from: Described(InstantInput, 'When the price begins. Usage before has the price before it.'),
  input: perMillion('input tokens that are neither read from nor written to a cache'),
  cached_input: orInput('read from a cache'),
  cache_write: orInput('written to a cache'),
  output: perMillion('output tokens'),
})

const MAX_PRICES = 200

export const ModelPricesInput = Type.Array(ModelPriceInput, { maxItems: MAX_PRICES })
export type ModelPricesInput = Static<typeof ModelPricesInput>

export const ModelPrice = Shape('ModelPrice', {
  model: Type.String({ examples: ['claude-opus-4-8*'] }),
  from: Instant,
  input: UsdOutput,
  cached_input: Nullable(UsdOutput),
  cache_write: Nullable(UsdOutput),
  output: UsdOutput,
})
export type ModelPrice = Static<typeof ModelPrice>

/** A price as a form has it: it begins with a day. */
export const ModelPriceForm = Shape({ ...ModelPriceInput.properties, from: Day })

export const ModelPriceKey = Shape({ model: Type.String(), from: InstantInput })

export const listModelPrices = (db: Queryable, organization_id: string) => db<ModelPrice[]>`
  select model, valid_from as from, input, cached_input, cache_write, output
  from model_prices
  where organization_id = ${organization_id}
  order by model collate "C", valid_from
`

/** @throws Problem `validation_failed` if two prices of a model begin at the same time, or a `*` is not at the end */
function requireValid(prices: ModelPrice[]): void {
  const seen = new Set<string>()
  const faults = prices.flatMap(({ model, from }, at): FieldError[] => {
    const key = JSON.stringify([model, from])
    const isRepeated = seen.has(key)
    seen.add(key)
    if (isRepeated) return [{ pointer: `/${at}/from`, code: 'duplicate', detail: 'is the same as in another price of the model' }]
    if (/\*./s.test(model)) return [{ pointer: `/${at}/model`, code: 'malformed', detail: 'must not have a * before its end' }]
    return []
  })
  if (faults.length > 0) throw invalidFields(faults)
}

/** Lets one change of the prices follow the other. */
const lock = (tx: Tx, organization_id: string) => tx`
  select from organizations where id = ${organization_id} for no key update
`

/** Replaces the prices of an organization. Usage that is recorded keeps its cost. @returns the prices as they are stored */
export async function setModelPrices(
  tx: Tx,
  by: Caller,
  { id: organization_id, ...scope }: Resource<'organization'>,
  request: Request,
  input: ModelPricesInput,
): Promise<ModelPrice[]> {
  const given = input.map(({ model, from, cached_input = null, cache_write = null, ...price }) => ({
    ...price,
    model: model.trim(),
    from: inUtc(from),
    cached_input,
    cache_write,
  }))
  requireValid(given)
  // A list has no entity tag.
  requireMatch(request, null)
  await lock(tx, organization_id)
  const before = await listModelPrices(tx, organization_id)
  await tx`delete from model_prices where organization_id = ${organization_id}`
  await tx`
    insert into model_prices (organization_id, model, valid_from, input, cached_input, cache_write, output)
    select ${organization_id}::uuid, model, "from", input, cached_input, cache_write, output
    from jsonb_to_recordset(${tx.json(given as unknown as Json)}) as price (
      model text, "from" timestamptz, input numeric, cached_input numeric, cache_write numeric, output numeric
    )
  `
  const after = await listModelPrices(tx, organization_id)
  const named = (prices: ModelPrice[]) =>
    Object.fromEntries(prices.map(({ model, from, ...price }) => [`${model} at ${from}`, price]))
  const changes = entryChanges(named(before), named(after))
  const updated = { resource_type: 'model_price', resource_id: organization_id, what: 'the prices of models' }
  if (changes.length > 0) await recordUpdate(tx, by, scope, updated, changes)
  return after
}

/** Adds a price to those of an organization. @throws Problem with errors at the fields of the price */
export async function addModelPrice(
  tx: Tx,
  by: Caller,
  organization: Resource<'organization'>,
  request: Request,
  price: ModelPricesInput[number],
): Promise<void> {
  await lock(tx, organization.id)
  const prices = await listModelPrices(tx, organization.id)
  if (prices.length >= MAX_PRICES)
    throw invalidField('/model', 'too_many', `is one more than the ${MAX_PRICES} prices that there can be: remove one first`)
  try {
    await setModelPrices(tx, by, organization, request, [...prices, price])
  } catch (error) {
    atOtherFields(error, (each) => ({ ...each, pointer: each.pointer.replace(`/${prices.length}/`, '/') }))
  }
}

export async function removeModelPrice(
  tx: Tx,
  by: Caller,
  organization: Resource<'organization'>,
  request: Request,
  { model, from }: Pick<ModelPrice, 'model' | 'from'>,
): Promise<void> {
  await lock(tx, organization.id)
  const prices = await listModelPrices(tx, organization.id)
  const others = prices.filter((price) => price.model !== model || price.from !== from)
  await setModelPrices(tx, by, organization, request, others)
}

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
export const pricePeriods = (prices: ModelPrice[], models: string[]): PricePeriod[] =>
  models.flatMap((name, model) => {
    const own = prices.filter((price) => isFor(price.model, name))
    const times = [...new Set(own.map(({ from }) => from))].sort()
    return times.flatMap((from, at) => {
      const price = priceAt(own, from)
      return price ? [{ ...price, model, from, until: times[at + 1] ?? null }] : []
    })
  })
