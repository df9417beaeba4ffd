import {
  Day,
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

const perMillion = (of: string) => ({
  ...Usd,
  description: `USD per million ${of}, at most 1,000,000,000; rounded half up to 6 decimals.`,
})

const ModelPriceInput = Shape({
  model: Name(200, {
    description: 'The name of a model, or the beginning of names followed by `*`.',
    examples: ['claude-opus-4-8*'],
  }),
  from: Type.Unsafe<string>({ ...InstantInput, description: 'When the price begins. Usage before has the price before it.' }),
  input: perMillion('input tokens that are neither read from nor written to a cache'),
  cached_input: Maybe(
    Nullable({
      ...perMillion('tokens read from a cache'),
      description: 'USD per million tokens read from a cache. Default: as `input`.',
    }),
  ),
  cache_write: Maybe(
    Nullable({
      ...perMillion('tokens written to a cache'),
      description: 'USD per million tokens written to a cache. Default: as `input`.',
    }),
  ),
  output: perMillion('output tokens'),
})

export const MAX_PRICES = 200

export const ModelPricesInput = Type.Array(ModelPriceInput, { maxItems: MAX_PRICES })
export type ModelPricesInput = Static<typeof ModelPricesInput>

export const ModelPrice = Shape(
  {
    model: Type.String({ examples: ['claude-opus-4-8*'] }),
    from: Instant,
    input: UsdOutput,
    cached_input: Nullable(UsdOutput),
    cache_write: Nullable(UsdOutput),
    output: UsdOutput,
  },
  { title: 'ModelPrice' },
)
export type ModelPrice = Static<typeof ModelPrice>

/** A price as a form has it: it begins with a day. */
export const ModelPriceForm = Shape({ ...ModelPriceInput.properties, from: Day })

/** Which price a form removes. */
export const ModelPriceKey = Shape({ model: Type.String(), from: InstantInput })
