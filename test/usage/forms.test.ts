/** The forms of prices of models and of limits of agents. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { errorIn } from '../support/page-parts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  visitor = await PageClient.signedIn(box, ada)
})
afterAll(() => box.close())

const api = (what: string, of = site) => `/api/v1/organizations/${of.organization.id}/${what}`
const path = (what: string, of = site) => `/app/organizations/${of.organization.id}/${what}`

const PRICE = { model: 'gpt-5*', from: '2026-01-01', input: '1.25', cached_input: '', cache_write: '0', output: '10' }

describe('Prices', () => {
  test('are added and removed one by one, and the budget page leads to them', async () => {
    expect((await visitor.open(path('budget'))).html).toContain(path('model-prices'))
    expect((await visitor.open(path('model-prices'))).text).toContain('No prices yet')
    const added = await visitor.post(path('model-prices'), PRICE)
    expect(added.text).toContain('The price of gpt-5* was added.')
    await visitor.post(path('model-prices'), { ...PRICE, from: '2026-06-01', input: '1' })
    const [first, second] = (await ada.get(api('model-prices'))).body
    expect(first).toEqual({
      model: 'gpt-5*',
      from: '2026-01-01T00:00:00.000Z',
      input: 1.25,
      cached_input: null,
      cache_write: 0,
      output: 10,
    })
    expect(second.from).toBe('2026-06-01T00:00:00.000Z')
    await visitor.post(path('model-prices/remove'), { model: first.model, from: first.from })
    expect((await ada.get(api('model-prices'))).body).toEqual([second])
  })

  test.each([
    ['model', { model: '' }, 'is required'],
    ['model', { model: 'gpt*5' }, 'must not have a * before its end'],
    ['from', { from: 'yesterday' }, 'must be a day as YYYY-MM-DD'],
    ['from', { from: '2026-06-01' }, 'is the same as in another price of the model'],
    ['input', { input: '-1' }, 'must be'],
    ['cache_write', { cache_write: 'free' }, 'must be'],
    ['output', { output: '' }, 'is required'],
  ])('that cannot be are refused at their field: %s of %p', async (field, change, message) => {
    const before = (await ada.get(api('model-prices'))).body
    const page = await visitor.post(path('model-prices'), { ...PRICE, ...change })
    expect([page.status, errorIn(page, field)]).toEqual([422, expect.stringContaining(message)])
    expect(page.document.querySelector('#model')?.getAttribute('value')).toBe({ ...PRICE, ...change }.model)
    expect((await ada.get(api('model-prices'))).body).toEqual(before)
  })

  test('that are added at once are all there', async () => {
    const place = await box.site(ada, 'At once')
    const models = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(models.map((model) => visitor.post(path('model-prices', place), { ...PRICE, model })))
    expect((await ada.get(api('model-prices', place))).body.map(({ model }: { model: string }) => model)).toEqual(models)
  })

  test('can be 200 at most', async () => {
    const place = await box.site(ada, 'Many')
    const price = { from: '2026-01-01T00:00:00Z', input: 1, output: 1 }
    await ada.put(
      api('model-prices', place),
      Array.from({ length: 200 }, (_, index) => ({ ...price, model: `m${index}` })),
    )
    const page = await visitor.post(path('model-prices', place), PRICE)
    expect([page.status, errorIn(page, 'model')]).toEqual([422, expect.stringContaining('remove one first')])
  })
})

describe('Limits of agents', () => {
  test('are set, replaced and removed, next to what the agent has used', async () => {
    expect((await visitor.open(path('budget'))).html).toContain(path('agent-limits'))
    const { id } = await box.running(ada, site.project.id)
    await ada.make(`/api/v1/executions/${id}/usage`, { cost_usd: 5 })
    const set = await visitor.post(path('agent-limits'), { agent: 'claude', max_cost_usd: '4' })
    expect(set.text).toContain('The limit of claude was set.')
    for (const text of ['exhausted', '$5.00', '$4.00']) expect(set.text).toContain(text)
    await visitor.post(path('agent-limits'), { agent: 'claude', max_cost_usd: '6.5' })
    await visitor.post(path('agent-limits'), { agent: '<i>codex</i>', max_cost_usd: '1' })
    expect((await ada.get(api('agent-limits'))).body).toEqual([
      { agent: '<i>codex</i>', max_cost_usd: 1 },
      { agent: 'claude', max_cost_usd: 6.5 },
    ])
    expect((await visitor.open(path('agent-limits'))).document.querySelector('td i')).toBeNull()
    await visitor.post(path('agent-limits/remove'), { agent: '<i>codex</i>' })
    expect((await ada.get(api('agent-limits'))).body).toHaveLength(1)
  })

  test.each([
    ['agent', { agent: '' }, 'is required'],
    ['agent', { agent: 'x'.repeat(121) }, 'must not have more than 120 characters'],
    ['agent', { agent: 'a\u202eb' }, 'must be one line'],
    ['max_cost_usd', { max_cost_usd: '-1' }, 'must be'],
    ['max_cost_usd', { max_cost_usd: '' }, 'is required'],
  ])('that cannot be are refused at their field: %s', async (field, change, message) => {
    const page = await visitor.post(path('agent-limits'), { agent: 'claude', max_cost_usd: '1', ...change })
    expect([page.status, errorIn(page, field)]).toEqual([422, expect.stringContaining(message)])
  })
})

test('admins alone have the forms', async () => {
  const grace = await box.user('Grace')
  await box.join(grace, site, 'member', 'admin')
  const asMember = await PageClient.signedIn(box, grace)
  for (const what of ['model-prices', 'agent-limits']) {
    expect((await asMember.open(path(what))).status).toBe(403)
    const fields = what === 'model-prices' ? PRICE : { agent: 'codex', max_cost_usd: '1' }
    expect((await asMember.post(path(what), fields)).status).toBe(403)
  }
})
