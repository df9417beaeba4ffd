import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { apiRequest, attributes, codexEvent, nanoseconds, sendLogs, sendTraces, span, traces } from './otlp.ts'

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
  test('of inference become usage of the execution that their resource names', async () => {
    const { id } = await running()
    const given = { 'gen_ai.usage.cache_read.input_tokens': 400, 'gen_ai.usage.reasoning.output_tokens': 60 }
    expect(await sendTraces(ada, id, span(given), span())).toMatchObject(accepted)
    expect(await get(id)).toMatchObject({
      // (600 × 2 + 400 × 0.5 + 100 × 10 + 1000 × 2 + 100 × 10) millionths
      cost_usd: 0.0054,
      unpriced: 0,
      reported_cost_usd: null,
      usage: [
        {
          model: 'gpt-5',
          input_tokens: 2000,
          cached_input_tokens: 400,
          cache_write_tokens: 0,
          output_tokens: 200,
          reasoning_tokens: 60,
          cost_usd: 0.0054,
          source: 'telemetry',
        },
      ],
    })
  })

  test('count once, by trace and span, also in one export and by twenty exporters at once', async () => {
    const { id } = await running()
    const sent = [span(), span()]
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendTraces(ada, id, ...sent, ...sent)))
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array.from({ length: 20 }, () => [200, {}]))
    const first = await get(id)
    expect([first.usage[0].input_tokens, first.cost_usd]).toEqual([2000, 0.006])
    // The same span with other counts is the same span.
    await sendTraces(ada, id, { ...span({ 'gen_ai.usage.input_tokens': 9 }), traceId: sent[0]?.traceId, spanId: sent[0]?.spanId })
    expect(await get(id)).toEqual(first)
  })

  test('of agents and tools, and without tokens, are accepted and not counted', async () => {
    const { id } = await running()
    const others = [
      span({ 'gen_ai.operation.name': 'invoke_agent' }),
      span({ 'gen_ai.operation.name': 'execute_tool' }),
      span({ 'gen_ai.operation.name': 'embeddings' }),
      { ...span(), attributes: attributes({ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5' }) },
      { ...span(), attributes: attributes({ 'http.request.method': 'GET' }) },
      { ...span(), attributes: undefined },
      span({}, { name: 'claude_code.llm_request' }),
    ]
    expect(await sendTraces(ada, id, ...others)).toMatchObject(accepted)
    expect(await sendTraces(ada, null, ...others)).toMatchObject(accepted)
    expect(await get(id)).toMatchObject({ cost_usd: null, usage: [], unpriced: 0 })
  })

  test('of an unknown or foreign execution, or of none, are rejected with a message, and the rest is taken', async () => {
    const eve = await box.user('Eve')
    const foreign = await box.running(eve, (await box.site(eve, 'Other')).project.id, { cost_from: 'telemetry' })
    const { id } = await running()
    const groups = [id, foreign.id, crypto.randomUUID(), 'nonsense', null].map((each) => traces(each, span()).resourceSpans[0])
    const { status, body } = await ada.post('/otlp/v1/traces', {
      resourceSpans: [...groups, traces(foreign.id, span()).resourceSpans[0]],
    })
    expect([status, body.partialSuccess.rejectedSpans]).toEqual([200, '5'])
    expect(body.partialSuccess.errorMessage).toContain('4 name an execution that does not exist')
    expect(body.partialSuccess.errorMessage).toContain('1 name no execution')
    expect((await get(id)).usage).toMatchObject([{ input_tokens: 1000 }])
    expect((await eve.get(`/api/v1/executions/${foreign.id}`)).body).toMatchObject({ cost_usd: null, usage: [] })
  })

  test('of an execution that has not started are rejected; of one that has ended they count', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Waits' })
    const queued = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'codex', cost_from: 'telemetry' })
    expect((await sendTraces(ada, queued.id, span())).body.partialSuccess.rejectedSpans).toBe('1')
    const { id } = await running()
    await ada.make(`/api/v1/executions/${id}/complete`)
    expect(await sendTraces(ada, id, span())).toMatchObject(accepted)
    expect(await get(id)).toMatchObject({ status: 'completed', cost_usd: 0.003 })
  })

  test('with counts that cannot be are rejected, and clocks that are wrong count', async () => {
    const { id } = await running()
    const tokens = (input: string | number) => span({ 'gen_ai.usage.input_tokens': input })
    const double = (value: unknown) => ({
      ...span(),
      attributes: [...span().attributes.slice(0, 3), { key: 'gen_ai.usage.input_tokens', value: { doubleValue: value } }],
    })
    const invalid = [
      tokens(-1),
      tokens(2_147_483_648),
      tokens(1.5),
      tokens('many'),
      double('NaN'),
      double('Infinity'),
      double(1e300),
      span({ 'gen_ai.request.model': `x${'y'.repeat(200)}` }),
      span({ 'gen_ai.request.model': 'two\nlines' }),
      span({}, { spanId: '0000000000000000' }),
    ]
    const { body } = await sendTraces(ada, id, ...invalid, tokens(1), tokens('2'))
    expect(body.partialSuccess).toMatchObject({ rejectedSpans: '10' })
    const DAY = 86_400_000
    const at = (time: string) => span({}, { endTimeUnixNano: time })
    const times = [
      nanoseconds(new Date(Date.now() + DAY)),
      nanoseconds(new Date(Date.now() - DAY)),
      '0',
      '1',
      '18446744073709551615',
      'x',
      '1e30',
    ]
    expect(await sendTraces(ada, id, ...times.map(at))).toMatchObject(accepted)
    const found = await get(id)
    expect(found.usage[0].input_tokens).toBe(7003)
    // Nothing has a price in 1970.
    expect([found.unpriced, found.cost_usd]).toEqual([1, 0.020006])
    const [clock] = await box.sql`select count(*) as future from usage_records where execution_id = ${id} and used_at > now()`
    expect(clock?.future).toBe(0)
  })
})

describe('Log records', () => {
  test('of Claude Code count by their request, with the cached tokens added up and the cost as reported', async () => {
    const { id } = await running()
    const event = apiRequest()
    expect(await sendLogs(ada, id, event, event)).toMatchObject(accepted)
    expect(await sendLogs(ada, id, { ...event, timeUnixNano: '5' })).toMatchObject(accepted)
    expect(await get(id)).toMatchObject({
      cost_usd: 0.0123,
      usage: [
        {
          model: 'claude-opus-4-8',
          input_tokens: 5310,
          cached_input_tokens: 5000,
          cache_write_tokens: 300,
          output_tokens: 200,
          cost_usd: 0.0123,
        },
      ],
    })
    for (const cost_usd of ['-1', 'NaN', '1e10', 'free']) {
      expect((await sendLogs(ada, id, apiRequest({ cost_usd }))).body.partialSuccess.rejectedLogRecords).toBe('1')
    }
    const largest = '2147483647'
    expect((await sendLogs(ada, id, apiRequest({ cache_read_tokens: largest }))).body.partialSuccess.rejectedLogRecords).toBe('1')
  })

  test('of Codex count by all that is in them, as sent', async () => {
    const { id } = await running()
    const event = codexEvent()
    const later = { ...event, observedTimeUnixNano: nanoseconds(new Date(Date.now() + 1)) }
    expect(await sendLogs(ada, id, event, later)).toMatchObject(accepted)
    expect(await sendLogs(ada, id, later, event)).toMatchObject(accepted)
    // 2 × (500 × 2 + 1500 × 0.5 + 300 × 10) millionths
    expect(await get(id)).toMatchObject({
      cost_usd: 0.0095,
      usage: [{ model: 'gpt-5-codex', input_tokens: 4000, cached_input_tokens: 3000, output_tokens: 600, reasoning_tokens: 400 }],
    })
  })

  test('of Codex count over websockets, too, and those of an unknown execution are rejected', async () => {
    const { id } = await running()
    expect(await sendLogs(ada, id, codexEvent({ 'event.name': 'codex.websocket_event' }))).toMatchObject(accepted)
    expect((await get(id)).usage).toMatchObject([{ input_tokens: 2000 }])
    const { body } = await sendLogs(ada, crypto.randomUUID(), codexEvent(), codexEvent())
    expect(body.partialSuccess).toMatchObject({
      rejectedLogRecords: '2',
      errorMessage: expect.stringContaining('2 name an execution that does not exist'),
    })
  })

  test('of other events are accepted and not counted', async () => {
    const { id } = await running()
    const prompt = {
      body: { stringValue: 'claude_code.user_prompt' },
      attributes: attributes({ prompt: 'Secret', input_tokens: 5 }),
    }
    const chunk = { attributes: attributes({ 'event.name': 'codex.sse_event', 'event.kind': 'response.output_text.delta' }) }
    expect(await sendLogs(ada, id, prompt, chunk, {})).toMatchObject(accepted)
    expect((await get(id)).usage).toEqual([])
  })

  test.each(['span first', 'event first'])('about an inference and its span count once (%s)', async (order) => {
    const { id } = await running()
    const inference = span({ 'gen_ai.response.id': 'resp_1' })
    const { traceId, spanId } = inference
    const event = { eventName: 'gen_ai.client.inference.operation.details', traceId, spanId, attributes: inference.attributes }
    const sends = [() => sendTraces(ada, id, inference), () => sendLogs(ada, id, event, event)]
    for (const send of order === 'span first' ? sends : sends.toReversed()) expect(await send()).toMatchObject(accepted)
    expect((await get(id)).usage).toMatchObject([{ input_tokens: 1000 }])
    const other = span({ 'gen_ai.response.id': 'resp_2' })
    await sendLogs(ada, id, { eventName: 'gen_ai.client.inference.operation.details', traceId, attributes: other.attributes })
    expect((await get(id)).usage).toMatchObject([{ input_tokens: 2000 }])
  })
})

test('the audit log has who began to send telemetry of an execution, and not each export', async () => {
  const { id } = await running()
  await Promise.all(Array.from({ length: 5 }, () => sendTraces(ada, id, span())))
  await sendLogs(ada, id, apiRequest())
  const entries = await box.sql`
    select actor_name, detail from audit_log_entries where resource_id = ${id} and action = 'execution.usage_reported'
  `
  expect([...entries]).toEqual([{ actor_name: 'Ada', detail: 'Ada began to send telemetry of the execution by claude.' }])
  const { id: other } = await running()
  await sendTraces(ada, other, span({ 'gen_ai.operation.name': 'execute_tool' }))
  const [none] = await box.sql`
    select from audit_log_entries where resource_id = ${other} and action = 'execution.usage_reported'
  `
  expect(none).toBeUndefined()
})

test('prompts and answers are not stored', async () => {
  const { id } = await running()
  const secret = `Tell nobody ${crypto.randomUUID()}`
  const said = { 'gen_ai.input.messages': secret, 'gen_ai.output.messages': secret, prompt: secret }
  await sendTraces(ada, id, span(said, { name: secret, events: [{ name: secret, attributes: attributes(said) }] }))
  await sendLogs(ada, id, apiRequest(said), { ...codexEvent(said), body: { stringValue: secret } })
  expect((await get(id)).usage).toHaveLength(3)
  const tables = await box.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  `
  for (const { name } of tables) {
    const [found] = await box.sql`select from ${box.sql(name)} as each where each::text like ${`%${secret}%`} limit 1`
    expect([name, found]).toEqual([name, undefined])
  }
})
