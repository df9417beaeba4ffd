/** The prices of models, from which costs are computed. */
import { sql } from '../../core/platform/database.ts'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { Money, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import type { ModelPrice } from './model-prices.ts'
import { addModelPrice, listModelPrices, ModelPriceForm, ModelPriceKey, removeModelPrice } from './model-prices.ts'

const pathOf = ({ id }: { id: string }): string => `/app/organizations/${id}/model-prices`

const asInput = <span class="hint">as input</span>

const columnsIn = (path: string): Column<ModelPrice>[] => [
  { head: 'Model', main: true, cell: ({ model }) => <bdi>{model}</bdi> },
  { head: 'From', cell: ({ from }) => <Time at={from} exact /> },
  { head: 'Input', numeric: true, cell: ({ input }) => <Money usd={input} /> },
  {
    head: 'Cached input',
    numeric: true,
    cell: ({ cached_input }) => (cached_input === null ? asInput : <Money usd={cached_input} />),
  },
  {
    head: 'Cache write',
    numeric: true,
    cell: ({ cache_write }) => (cache_write === null ? asInput : <Money usd={cache_write} />),
  },
  { head: 'Output', numeric: true, cell: ({ output }) => <Money usd={output} /> },
  {
    head: 'Actions',
    cell: ({ model, from }) => (
      <Form action={`${path}/remove`} inline>
        <input type="hidden" name="model" value={model} />
        <input type="hidden" name="from" value={from} />
        <Submit kind="danger" confirm={`Remove this price of ${model}? Usage that is recorded keeps its cost.`}>
          Remove
          <span class="unseen">
            : {model}, from {from.slice(0, 10)}
          </span>
        </Submit>
      </Form>
    ),
  },
]

const today = (): string => new Date().toISOString().slice(0, 10)

const usd = { inputMode: 'decimal' as const }

const pricesPage = page('/app/organizations/:org_id/model-prices', { organization: 'admin' }, async ({ organization }) => {
  const prices = await listModelPrices(sql, organization.id)
  const path = pathOf(organization)
  return {
    title: 'Prices of models',
    crumbs: [{ href: `/app/organizations/${organization.id}/budget`, text: 'Budget' }],
    main: (
      <>
        <p>
          Usage that is reported without a cost costs what the price of its model says, in US dollars per million tokens. The
          exact name of a model wins, then the longest prefix; of several prices, the latest that had begun.
        </p>
        <Section title="Prices" count={prices.length}>
          <Table label="Prices" columns={columnsIn(path)} rows={prices}>
            No prices yet. Usage without a cost of its own stays without one, and executions say so.
          </Table>
        </Section>
        <Section title="Add a price">
          <Form card action={path}>
            <Field
              name="model"
              label="Model"
              required
              maxLength={200}
              hint="Its name as it is reported, or the beginning of names and *, such as gpt-5*."
            />
            <Field
              name="from"
              label="From, in UTC"
              type="date"
              required
              value={today()}
              hint="Usage before that day has the price before. To change a price, add one from a later day."
            />
            <Field name="input" label="Input, USD per million tokens" required {...usd} />
            <Field name="cached_input" label="Input read from a cache" hint="Empty: as input." {...usd} />
            <Field name="cache_write" label="Input written to a cache" hint="Empty: as input." {...usd} />
            <Field name="output" label="Output, USD per million tokens" required {...usd} />
            <Submit>Add the price</Submit>
          </Form>
        </Section>
      </>
    ),
  }
})

const admin = { organization: 'admin' } as const

const add = actionOn(pricesPage, '', admin, ModelPriceForm, async ({ request, caller, organization, change }, price) => {
  await change((tx) => addModelPrice(tx, caller, organization, request, price))
  return { notice: `The price of ${price.model.trim()} was added.` }
})

const remove = actionOn(pricesPage, '/remove', admin, ModelPriceKey, async ({ request, caller, organization, change }, price) => {
  await change((tx) => removeModelPrice(tx, caller, organization, request, price))
  return { notice: `The price of ${price.model} was removed.` }
})

export const pricePages = pageRoutes('price-pages', pricesPage, add, remove)
