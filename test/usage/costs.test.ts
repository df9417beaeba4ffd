import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { message } from '../mcp/agents.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { apiRequest, nanoseconds, sendLogs, sendTraces, span } from './otlp.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const organization = (of = site) => `/api/v1/organizations/${of.organization.id}`
const running = (input: object, of = site) => box.running(ada, of.project.id, input)
const get = async (id: string) => (await ada.get(`/api/v1/executions/${id}`)).body
const act = (id: string, action: string, body: object) => ada.post(`/api/v1/executions/${id}/${action}`, body)
const used = async (of = site) => (await ada.get(`${organization(of)}/budget`)).body.budget_used_usd
const setPrices = (prices: object[], of = site) => ada.put(`${organization(of)}/model-prices`, prices)

describe('A report', () => {
  beforeAll(() => setPrices([{ model: 'gpt-5', from: '2020-01-01T00:00:00Z', input: 2, output: 10 }]))

  test('of a model has the price of its tokens, or the cost that is reported', async () => {
    const { id } = await running({})
    const tokens = { model: 'gpt-5', input_tokens: 1000, cached_input_tokens: 400, cache_write_tokens: 100, output_tokens: 100 }
    // Without prices of their own, cached tokens cost as much as others.
    expect((await act(id, 'usage', { ...tokens, reasoning_tokens: 50 })).body).toMatchObject({ cost_usd: 0.003 })
    expect((await act(id, 'usage', { ...tokens, cost_usd: 1 })).body).toMatchObject({ cost_usd: 1.003 })
    expect((await act(id, 'usage', { ...tokens, model: 'unknown' })).body).toMatchObject({
      cost_usd: 1.003,
      unpriced: 1,
      usage: [
        {
          model: 'gpt-5',
          input_tokens: 2000,
          cached_input_tokens: 800,
          cache_write_tokens: 200,
          reasoning_tokens: 50,
          cost_usd: 1.003,
        },
        { model: 'unknown', input_tokens: 1000, cost_usd: null, source: 'reports' },
      ],
    })
    expect((await act(id, 'usage', { model: 'gpt-5', cost_usd: 0.5 })).body).toMatchObject({ cost_usd: 1.503, unpriced: 1 })
  })

  test('counts once by its key, whatever it says the second time, and changes nothing then', async () => {
    const { id } = await running({})
    const before = await used()
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(id, 'usage', { cost_usd: 1, dedupe_key: 'one' })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.cost_usd}`))).toEqual(new Set(['200 1']))
    const first = await get(id)
    expect((await act(id, 'usage', { cost_usd: 5, dedupe_key: 'one' })).body).toEqual(first)
    expect((await act(id, 'usage', { cost_usd: 5, dedupe_key: 'other' })).body.cost_usd).toBe(6)
    expect(await used()).toBe(before + 6)
    const elsewhere = await running({})
    expect((await act(elsewhere.id, 'usage', { cost_usd: 2, dedupe_key: 'one' })).body.cost_usd).toBe(2)
    const [entries] = await box.sql`
      select count(*) as count from audit_log_entries where resource_id = ${id} and action = 'execution.usage_reported'
    `
    expect(entries?.count).toBe(2)
  })

  test('that cannot be is refused, with the field that is wrong', async () => {
    const { id } = await running({})
    for (const [body, pointer] of [
      [{}, '/cost_usd'],
      [{ model: 'gpt-5' }, '/cost_usd'],
      [{ input_tokens: 1 }, '/model'],
      [{ cost_usd: 1, output_tokens: 1 }, '/model'],
      [{ model: 'gpt-5', input_tokens: -1 }, '/input_tokens'],
      [{ model: 'gpt-5', input_tokens: 1.5 }, '/input_tokens'],
      [{ model: 'gpt-5', input_tokens: 2_147_483_648 }, '/input_tokens'],
      [{ model: 'gpt-5', input_tokens: 10, cached_input_tokens: 6, cache_write_tokens: 5 }, '/input_tokens'],
      [{ model: 'gpt-5', output_tokens: 1, reasoning_tokens: 2 }, '/output_tokens'],
      [{ model: '', output_tokens: 1 }, '/model'],
      [{ model: 'x'.repeat(201), output_tokens: 1 }, '/model'],
      [{ cost_usd: -1 }, '/cost_usd'],
      [{ cost_usd: 1, dedupe_key: '' }, '/dedupe_key'],
    ] as const) {
      const answer = await act(id, 'usage', body)
      expect([body, answer.status, answer.body.errors?.[0].pointer]).toEqual([body, 422, pointer])
      const call = { name: 'report_usage', arguments: { execution_id: id, ...body } }
      const told = await fetch(`${box.base}/mcp`, message({ Authorization: `Bearer ${ada.token}` }, 'tools/call', call))
      expect(await told.text()).toContain(`"pointer":"${pointer}"`)
    }
    expect(await get(id)).toMatchObject({ cost_usd: null, usage: [] })
  })
})

describe('Prices', () => {
  const costOf = async (of: Site, model: string, usedAt?: string) => {
    const { id } = await running({ cost_from: 'telemetry' }, of)
    const at = usedAt ? { endTimeUnixNano: nanoseconds(new Date(usedAt)) } : {}
    const tokens = { 'gen_ai.request.model': model, 'gen_ai.usage.input_tokens': 1_000_000, 'gen_ai.usage.output_tokens': 0 }
    await sendTraces(ada, id, span(tokens, at))
    const { cost_usd, unpriced } = await get(id)
    return unpriced === 1 ? null : cost_usd
  }

  test('are those of the exact name, else of the longest prefix; the latest that had begun when the model was used', async () => {
    const place = await box.site(ada, 'Prices')
    const price = (model: string, from: string, input: number) => ({ model, from, input, output: 0 })
    const { status, body } = await setPrices(
      [
        price('*', '2026-01-01T00:00:00Z', 1),
        price('gpt-*', '2026-01-01T00:00:00Z', 2),
        price('gpt-5*', '2026-01-01T00:00:00Z', 3),
        price('gpt-5*', '2026-02-01T00:00:00Z', 4),
        price('gpt-5*', '2026-03-01T00:00:00+01:00', 5),
        price('gpt-5-mini', '2026-02-15T00:00:00Z', 6),
        price('gpt-5-mini', '2099-01-01T00:00:00Z', 7),
      ],
      place,
    )
    expect(status).toBe(200)
    expect(body[0]).toEqual({
      model: '*',
      from: '2026-01-01T00:00:00.000Z',
      input: 1,
      cached_input: null,
      cache_write: null,
      output: 0,
    })
    expect((await ada.get(`${organization(place)}/model-prices`)).body).toEqual(body)
    const costs = await Promise.all([
      costOf(place, 'claude'),
      costOf(place, 'gpt-4'),
      costOf(place, 'gpt-5'),
      costOf(place, 'gpt-5-mini'),
      costOf(place, 'gpt-5-mini', '2026-02-14T23:59:59Z'),
      costOf(place, 'gpt-5', '2026-01-31T23:59:59.999Z'),
      costOf(place, 'gpt-5', '2026-02-01T00:00:00Z'),
      costOf(place, 'gpt-5', '2026-02-28T23:00:00Z'),
      costOf(place, 'gpt-5', '2025-12-31T23:59:59Z'),
    ])
    expect(costs).toEqual([1, 2, 5, 6, 4, 3, 4, 5, null])
  })

  test('of recorded usage do not change, and a cost that is sent wins', async () => {
    const place = await box.site(ada, 'Kept')
    const { id } = await running({ cost_from: 'telemetry' }, place)
    await sendTraces(ada, id, span())
    await setPrices([{ model: '*', from: '2020-01-01T00:00:00Z', input: 1, output: 1 }], place)
    expect(await get(id)).toMatchObject({ cost_usd: null, unpriced: 1 })
    await sendTraces(ada, id, span())
    expect(await get(id)).toMatchObject({ cost_usd: 0.0011, unpriced: 1 })
    await sendLogs(ada, id, apiRequest())
    expect(await get(id)).toMatchObject({ cost_usd: 0.0134, unpriced: 1 })
  })

  test('that cannot be are refused', async () => {
    const price = { model: 'gpt-5', from: '2026-01-01T00:00:00Z', input: 1, output: 1 }
    for (const [prices, pointer] of [
      [{}, ''],
      [[{ ...price, input: -1 }], '/0/input'],
      [[{ ...price, output: 1e10 }], '/0/output'],
      [[{ ...price, from: 'yesterday' }], '/0/from'],
      [[{ ...price, model: '' }], '/0/model'],
      [[{ ...price, model: 'gpt*5' }], '/0/model'],
      [[{ ...price, per: 1 }], '/0/per'],
      [[price, { ...price, from: '2026-01-01T01:00:00+01:00' }], '/1/from'],
      [Array.from({ length: 201 }, (_, at) => ({ ...price, model: `m${at}` })), ''],
    ] as const) {
      const answer = await ada.put(`${organization()}/model-prices`, prices)
      expect([pointer, answer.status, answer.body.errors?.[0].pointer]).toEqual([pointer, 422, pointer])
    }
  })
})

describe('With cost_from', () => {
  test('telemetry, reports without a model are kept next to the cost', async () => {
    const place = await box.site(ada, 'Telemetry')
    const { id } = await running({ cost_from: 'telemetry' }, place)
    await sendLogs(ada, id, apiRequest({ cost_usd: '2' }))
    expect((await act(id, 'usage', { cost_usd: 5 })).body).toMatchObject({ cost_usd: 2, reported_cost_usd: 5 })
    expect((await act(id, 'usage', { cost_usd: 1, model: 'gpt-5' })).body).toMatchObject({ cost_usd: 3, reported_cost_usd: 5 })
    expect((await act(id, 'complete', { cost_usd: 7 })).body).toMatchObject({ cost_usd: 3, reported_cost_usd: 12 })
    expect(await used(place)).toBe(3)
    const failing = await running({ cost_from: 'telemetry' }, place)
    expect((await act(failing.id, 'fail', { cost_usd: 7 })).body).toMatchObject({ cost_usd: null, reported_cost_usd: 7 })
    expect(await used(place)).toBe(3)
  })

  test('reports, telemetry shows in the usage and adds nothing', async () => {
    const place = await box.site(ada, 'Reports')
    const { id } = await running({}, place)
    await sendLogs(ada, id, apiRequest({ cost_usd: '2' }))
    await act(id, 'usage', { cost_usd: 5 })
    await act(id, 'usage', { cost_usd: 1, model: 'claude-opus-4-8' })
    expect((await act(id, 'complete', { cost_usd: 4 })).body).toMatchObject({
      cost_usd: 10,
      reported_cost_usd: null,
      usage: [
        { model: 'claude-opus-4-8', cost_usd: 2, source: 'telemetry' },
        { model: 'claude-opus-4-8', cost_usd: 1, source: 'reports' },
      ],
    })
    expect(await used(place)).toBe(10)
  })

  test('it can be given when the execution starts, and only a known word', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Later' })
    const queued = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'codex', max_cost_usd: 3 })
    expect(queued).toMatchObject({ cost_from: 'reports', max_cost_usd: 3 })
    expect((await act(queued.id, 'start', { cost_from: 'both' })).status).toBe(422)
    const { body } = await act(queued.id, 'start', { cost_from: 'telemetry', max_cost_usd: null })
    expect(body).toMatchObject({ status: 'running', cost_from: 'telemetry', max_cost_usd: null })
  })
})

describe('The history', () => {
  test('reads sums, and no usage', async () => {
    const place = await box.site(ada, 'Sums')
    const { id } = await running({ cost_from: 'telemetry' }, place)
    await sendLogs(ada, id, apiRequest({ cost_usd: '2' }))
    await box.sql.begin(async (tx) => {
      // A request that reads them waits until it is given up.
      await tx`lock table usage_records, execution_usage in access exclusive mode`
      for (const group_by of ['model', 'agent']) {
        const { status, body } = await ada.get(`${organization(place)}/budget/history?group_by=${group_by}`)
        expect([status, body[0].used_usd]).toEqual([200, 2])
      }
      expect(await used(place)).toBe(2)
    })
  })

  test('by model and agent adds up to the spend; what has no model is null', async () => {
    const place = await box.site(ada, 'History')
    const [claude, codex] = await Promise.all([running({ cost_from: 'telemetry' }, place), running({ agent: 'codex' }, place)])
    await sendLogs(ada, claude.id, apiRequest({ cost_usd: '2' }), apiRequest({ cost_usd: '1', model: 'haiku' }))
    await act(codex.id, 'usage', { cost_usd: 4, model: 'haiku' })
    await act(codex.id, 'usage', { cost_usd: 8 })
    const history = async (query: string) => (await ada.get(`${organization(place)}/budget/history?${query}`)).body
    const month = new Date().toISOString().slice(0, 7)
    expect(await history('group_by=model')).toEqual([
      { month, model: null, used_usd: 8 },
      { month, model: 'claude-opus-4-8', used_usd: 2 },
      { month, model: 'haiku', used_usd: 5 },
    ])
    expect(await history('group_by=agent')).toEqual([
      { month, agent: 'claude', used_usd: 3 },
      { month, agent: 'codex', used_usd: 12 },
    ])
    expect(await history('')).toEqual([{ month, used_usd: 15 }])
    await ada.delete(`/api/v1/workspaces/${place.workspace.id}`)
    expect(await history('group_by=model')).toHaveLength(3)
  })
})
