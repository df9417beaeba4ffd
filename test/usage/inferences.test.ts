/** Which spans and log records are a use of a model, and which count twice or cannot be. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { apiRequest, attributes, codexEvent, sendLogs, sendTraces, span, traces } from './otlp.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  await ada.put(`/api/v1/organizations/${site.organization.id}/model-prices`, [
    { model: 'gpt-5*', from: '2020-01-01T00:00:00Z', input: 2, cached_input: 0.5, cache_write: null, output: 10 },
  ])
})
afterAll(() => box.close())

const running = (input: object = { cost_from: 'telemetry' }) => box.running(ada, site.project.id, input)
const get = async (id: string) => (await ada.get(`/api/v1/executions/${id}`)).body
const accepted = { status: 200, body: {} }

describe('Spans', () => {
  test.each([
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cached_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'ai.usage.cachedInputTokens',
  ])('charge the tokens of the cache less, also by the name %s', async (name) => {
    const { id } = await running()
    expect(await sendTraces(ada, id, span({ [name]: 400 }))).toMatchObject(accepted)
    expect(await get(id)).toMatchObject({ cost_usd: 0.0024, usage: [{ input_tokens: 1000, cached_input_tokens: 400 }] })
  })

  test('without an operation count if they name a model and have counts', async () => {
    const { id } = await running()
    const { 'gen_ai.operation.name': _, ...unnamed } = { 'gen_ai.operation.name': '', 'gen_ai.request.model': 'gpt-5' }
    const tokens = { 'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100 }
    const older = { 'gen_ai.usage.prompt_tokens': 1000, 'gen_ai.usage.completion_tokens': 100 }
    const plain = (given: Record<string, string | number>) => ({ ...span(), attributes: attributes(given) })
    const counted = [
      plain({ ...unnamed, ...tokens }),
      plain({ 'gen_ai.response.model': 'gpt-5', 'gen_ai.operation.name': '', ...tokens }),
      plain({ ...unnamed, ...older, 'llm.request.type': 'completion' }),
    ]
    const others = [plain(tokens), plain(unnamed), plain({ ...unnamed, ...tokens, 'llm.request.type': 'embedding' })]
    expect(await sendTraces(ada, id, ...counted, ...others)).toMatchObject(accepted)
    expect((await get(id)).usage).toMatchObject([{ model: 'gpt-5', input_tokens: 3000, output_tokens: 300 }])
  })

  /** A span within another one. */
  const within = (outer: { traceId: string; spanId: string }, given: Record<string, string | number> = {}) =>
    span(given, { traceId: outer.traceId, parentSpanId: outer.spanId })
  const http = (outer: { traceId: string; spanId: string }) => ({ ...within(outer), name: 'POST', attributes: [] })

  test('of one call that a framework and its library both report count once: the inner one', async () => {
    const outer = span({ 'gen_ai.request.model': 'openai/gpt-5', 'gen_ai.usage.input_tokens': 5000 })
    const inner = within(outer)
    const sends = [[[outer, inner]], [[inner, outer]], [[inner], [outer], [inner, outer], [outer]]]
    for (const exports of sends) {
      const { id } = await running()
      for (const spans of exports) expect(await sendTraces(ada, id, ...spans)).toMatchObject(accepted)
      expect(await get(id)).toMatchObject({ cost_usd: 0.003, unpriced: 0, usage: [{ model: 'gpt-5', input_tokens: 1000 }] })
    }
    // The outer one counts if it came first, by another pipeline.
    const { id } = await running()
    for (const each of [outer, inner, outer]) expect(await sendTraces(ada, id, each)).toMatchObject(accepted)
    expect((await get(id)).usage).toMatchObject([{ model: 'openai/gpt-5', input_tokens: 5000 }])
  })

  test('of three layers, with others in between, and with several inner ones count once each', async () => {
    const outer = span({ 'gen_ai.usage.input_tokens': 9000 })
    const middle = within(outer, { 'gen_ai.usage.input_tokens': 5000 })
    const request = http(middle)
    const inner = [within(request), within(request)]
    for (const exports of [
      [[outer, middle, request, ...inner]],
      [[...inner, request], [middle], [outer]],
      [[inner[0], request], [middle, outer], [inner[1]]],
    ]) {
      const { id } = await running()
      for (const spans of exports) expect(await sendTraces(ada, id, ...(spans as object[]))).toMatchObject(accepted)
      expect(await get(id)).toMatchObject({ cost_usd: 0.006, unpriced: 0, usage: [{ input_tokens: 2000 }] })
    }
  })

  test('that are next to each other, within a tool, within another trace, or that cannot be all count', async () => {
    const { id } = await running()
    const outer = span()
    const tool = within(outer, { 'gen_ai.operation.name': 'execute_tool' })
    const elsewhere = span({}, { parentSpanId: outer.spanId })
    const loop = span({}, { spanId: 'aaaaaaaaaaaaaaaa', parentSpanId: 'bbbbbbbbbbbbbbbb' })
    const back = span({}, { traceId: loop.traceId, spanId: 'bbbbbbbbbbbbbbbb', parentSpanId: 'aaaaaaaaaaaaaaaa' })
    const itself = span({}, { spanId: 'cccccccccccccccc', parentSpanId: 'cccccccccccccccc' })
    expect(await sendTraces(ada, id, outer, tool, within(tool), elsewhere, loop, back, itself)).toMatchObject(accepted)
    expect((await get(id)).usage).toMatchObject([{ input_tokens: 6000 }])
    // The inner one is rejected, so the outer one counts.
    const { id: other } = await running()
    const { body } = await sendTraces(ada, other, outer, within(outer, { 'gen_ai.usage.input_tokens': -1 }))
    expect(body.partialSuccess.rejectedSpans).toBe('1')
    expect((await get(other)).usage).toMatchObject([{ input_tokens: 1000 }])
  })
})

test('spans of several executions are distinguished, whatever ids they have in common', async () => {
  const [one, other, third] = await Promise.all([running(), running(), running()])
  const outer = span({ 'gen_ai.usage.input_tokens': 5000 })
  const inner = span({}, { traceId: outer.traceId, parentSpanId: outer.spanId })
  const parts = (pairs: [string, object[]][]) => ({
    resourceSpans: pairs.flatMap(([id, spans]) => traces(id, ...spans).resourceSpans),
  })
  const all: [string, object[]][] = [
    [one.id, [inner, outer]],
    // An inner one whose outer one is of another execution, and the reverse.
    [other.id, [outer, outer]],
    [third.id, [inner]],
  ]
  for (const order of [all, all.toReversed()]) {
    expect(await ada.post('/otlp/v1/traces', parts(order))).toMatchObject(accepted)
    const used = await Promise.all([one, other, third].map(async ({ id }) => (await get(id)).usage))
    expect(used).toMatchObject([[{ input_tokens: 1000 }], [{ input_tokens: 5000 }], [{ input_tokens: 1000 }]])
  }
})

test('of names of several generations in one span the newest that has a value counts', async () => {
  const { id } = await running()
  const usage = (name: string) => `gen_ai.usage.${name}`
  const [input, cached] = [usage('input_tokens'), usage('cache_read.input_tokens')]
  const fitting = [
    span({ [usage('prompt_tokens')]: 9000, [usage('cache_read_input_tokens')]: 8000, [cached]: 400 }),
    span({ 'gen_ai.response.model': '', 'gen_ai.operation.name': 'CHAT', [usage('completion_tokens')]: 7 }),
  ]
  expect(await sendTraces(ada, id, ...fitting)).toMatchObject(accepted)
  expect((await get(id)).usage).toMatchObject([
    { model: 'gpt-5', input_tokens: 2000, cached_input_tokens: 400, output_tokens: 200 },
  ])
  const impossible = [
    span({ [input]: 10, [usage('prompt_tokens')]: 9000, [cached]: 400 }),
    span({ [cached]: 1001, [usage('cache_read_input_tokens')]: 0 }),
    span({ [usage('cache_creation_input_tokens')]: 600, [usage('details.cached_tokens')]: 401 }),
    span({ [usage('reasoning_tokens')]: 101, [usage('completion_tokens')]: 9000 }),
    span({ [input]: '' }),
    span({ [input]: '-0.5' }),
    span({ [cached]: 'NaN' }),
  ]
  const { body } = await sendTraces(ada, id, ...impossible)
  expect(body.partialSuccess.rejectedSpans).toBe(String(impossible.length))
})

test('counts that do not fit together, or that are none, are rejected from every sender', async () => {
  const { id } = await running()
  const usage = (name: string) => `gen_ai.usage.${name}`
  const count = (value: object) => ({
    ...span(),
    attributes: [...span().attributes, { key: 'gen_ai.usage.reasoning.output_tokens', value }],
  })
  const spans = [
    span({ [usage('input_tokens')]: 10_000, [usage('cache_read.input_tokens')]: 50_000 }),
    span({ [usage('cache_read_input_tokens')]: 1001 }),
    span({ [usage('cache_read.input_tokens')]: 600, [usage('cache_creation.input_tokens')]: 401 }),
    span({ [usage('reasoning.output_tokens')]: 101 }),
    span({ [usage('cache_write.input_tokens')]: -1 }),
    span({ [usage('output_tokens')]: 0.5 }),
    count({ boolValue: true }),
    count({ intValue: '' }),
    count({ intValue: '0x10' }),
    count({ doubleValue: 'Infinity' }),
    count({ arrayValue: { values: [] } }),
    count({ stringValue: '9'.repeat(1001) }),
  ]
  const sent = await sendTraces(ada, id, ...spans, count({}), count({ intValue: null }))
  expect(sent.body.partialSuccess).toMatchObject({
    rejectedSpans: String(spans.length),
    errorMessage: expect.stringContaining('have counts, costs, names or ids that are not valid'),
  })
  const records = [
    codexEvent({ cached_token_count: 2001 }),
    codexEvent({ cached_token_count: 1500, cache_write_token_count: '501' }),
    codexEvent({ reasoning_token_count: 301 }),
    codexEvent({ output_token_count: '-1' }),
    apiRequest({ cache_read_tokens: '1.5' }),
    apiRequest({ output_tokens: '2147483648' }),
    { eventName: 'gen_ai.client.inference.operation.details', attributes: spans[0]?.attributes },
  ]
  expect((await sendLogs(ada, id, ...records)).body.partialSuccess.rejectedLogRecords).toBe(String(records.length))
  const { usage: counted, cost_usd } = await get(id)
  expect([counted.length, counted[0].input_tokens, cost_usd]).toEqual([1, 2000, 0.006])
})
