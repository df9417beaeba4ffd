import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { CALL_USD, completion, judgment, ModelServer, refusal, says, settingsFor } from '../support/model-server.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { compare, comparison, eventsAndAudit, fetchSpend } from './tracks.ts'

const server = new ModelServer()
/** A server to which no request may be sent. */
const elsewhere = new ModelServer()
let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ environment: { ...settingsFor(server), AI_TIMEOUT_SECONDS: '5' } })
  ada = await box.user('Ada')
})
afterAll(async () => {
  await box.close()
  await Promise.all([server.stop(), elsewhere.stop()])
})
beforeEach(async () => {
  site = await box.site(ada)
})

const runComparison = async (): Promise<Answer['body']> =>
  compare(ada, (await comparison(ada, site.project.id, { b: [{ ends: 'fail' }] })).id)
const good = JSON.stringify(judgment())
const never = () => new Promise<Response>(() => {})

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect (${status}) sends neither the request nor the key to another host`, async () => {
    const Location = `${elsewhere.url}/chat/completions`
    server.reset(() => new Response(null, { status, headers: { Location } }))
    const { result } = await runComparison()
    expect([result.judge.kind, result.judge.fallback_reason]).toEqual([
      'metrics',
      `The model's server redirected the request (${status}). Redirects are not followed: AI_BASE_URL must be the final URL.`,
    ])
    expect(server.asked).toHaveLength(2)
    expect(elsewhere.asked).toEqual([])
  })
}

/** The behavior of the server, the fallback reason, the number of calls, and the number of charged calls. */
const FAILURES: [string, () => Response | Promise<Response>, string, number, number][] = [
  [
    'a key that is refused',
    () => refusal(401, { message: 'Incorrect API key provided: sk-test-0123456789.' }),
    "The model's server rejected the API key (401).",
    2,
    0,
  ],
  [
    'an unknown model',
    () => refusal(404, { code: 'model_not_found' }),
    "The model's server does not have this model (404).",
    2,
    0,
  ],
  [
    'a question that is refused',
    () => refusal(400, { message: 'Too long.' }),
    "The model's server rejected the request (400).",
    2,
    0,
  ],
  [
    'a server that is always busy',
    () => refusal(429, {}, { 'Retry-After': '0' }),
    "The model's server was too busy (429) in all 3 attempts.",
    6,
    0,
  ],
  ['a server that always fails', () => refusal(500), "The model's server failed (500) in all 3 attempts.", 6, 0],
  ['a server that hangs', never, 'The model did not answer within 5 seconds.', 2, 0],
  [
    'a body that hangs',
    () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue('{"choices": [') }), {
        headers: { 'Content-Type': 'application/json' },
      }),
    'The model did not answer within 5 seconds.',
    2,
    0,
  ],
  [
    'a page instead of an answer',
    () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }),
    "The response of the model's server is not valid.",
    2,
    0,
  ],
  [
    'a body that is no JSON',
    () => new Response('{"choices":', { headers: { 'Content-Type': 'application/json' } }),
    "The response of the model's server is not valid.",
    2,
    0,
  ],
  [
    'no choice',
    () => Response.json({ choices: [], usage: { prompt_tokens: 1_000, completion_tokens: 200 } }),
    'The model returned an empty answer.',
    2,
    2,
  ],
  ['an empty answer', () => completion(null), 'The model returned an empty answer.', 2, 2],
  [
    'a refusal',
    () => completion(null, { message: { role: 'assistant', content: null, refusal: 'I will not.' } }),
    'The model refused to answer.',
    2,
    2,
  ],
  [
    'an answer held back by a filter',
    () => completion('', { finish_reason: 'content_filter' }),
    "The content filter of the model's server blocked the answer.",
    2,
    2,
  ],
  [
    'an answer that is cut off',
    () => completion(good.slice(0, 100), { finish_reason: 'length' }),
    'The answer was cut off: the model needed more than 4096 tokens.',
    2,
    2,
  ],
  ['truncated JSON that claims to be whole', () => completion(good.slice(0, -20)), 'The answer of the model is not JSON.', 2, 2],
  ['prose', () => completion('Track a is better.'), 'The answer of the model is not JSON.', 2, 2],
  ['another schema', () => completion('{"winner":"a"}'), 'The answer of the model does not match the schema.', 2, 2],
  [
    'a number out of range',
    () => says({ confidence: 7 }),
    'The answer of the model does not match the schema (/confidence).',
    2,
    2,
  ],
  [
    'an unknown word',
    () => says({ recommendation: 'a' as never }),
    'The answer of the model does not match the schema (/recommendation).',
    2,
    2,
  ],
]

describe('The metrics judge decides, and states the reason, after', () => {
  for (const [what, reply, reason, calls, paid] of FAILURES) {
    test(what, async () => {
      server.reset(reply)
      const { status, error, result } = await runComparison()
      expect([status, error, result.recommendation, result.rationale]).toEqual([
        'compared',
        null,
        'a',
        expect.stringContaining('\nTrack a is completed, and track b is not.'),
      ])
      const judge = { kind: 'metrics', model: null, prompt_version: null, order_consistent: null, fallback_reason: reason }
      expect([result.judge, result.cost_usd]).toEqual([judge, paid * CALL_USD])
      expect(server.asked).toHaveLength(calls)
      expect(await fetchSpend(ada, site)).toEqual([paid * CALL_USD, paid * CALL_USD])
    })
  }

  test('a failure in one order; the other one is charged', async () => {
    let calls = 0
    server.reset(() => (++calls === 1 ? says({ recommendation: 'first' }) : refusal(401)))
    const { result } = await runComparison()
    expect([result.judge.kind, result.cost_usd]).toEqual(['metrics', CALL_USD])
  })
})

test("neither the server's words nor the key appear in a response or a log line", async () => {
  server.reset(() => refusal(401, { message: 'Incorrect API key provided: sk-test-0123456789.' }))
  const body = await runComparison()
  const said = [...box.api.lines, ...box.workers.flatMap(({ lines }) => lines)].join('\n')
  expect(said).toContain('no valid answer from the model')
  for (const text of [JSON.stringify(body), said]) {
    expect(text).not.toContain('sk-test')
    expect(text).not.toContain('Incorrect API key')
  }
})

describe('Temporary failures are retried:', () => {
  for (const [what, reply] of [
    ['a busy server that says when to come back', () => refusal(429, {}, { 'Retry-After': '1' })],
    ['a server that fails once', () => refusal(503)],
  ] as const) {
    test(what, async () => {
      const seen = new Set<string>()
      server.reset(({ text }) => {
        if (seen.has(text)) return says({ recommendation: 'tie' })
        seen.add(text)
        return reply()
      })
      const { result } = await runComparison()
      expect([result.judge.kind, result.cost_usd, server.asked.length]).toEqual(['model', 2 * CALL_USD, 4])
    })
  }

  test('Retry-After is respected', async () => {
    const first = new Map<string, number>()
    const waits: number[] = []
    server.reset(({ text, at }) => {
      const before = first.get(text)
      if (before === undefined) {
        first.set(text, at)
        return refusal(429, {}, { 'Retry-After': '2' })
      }
      waits.push(at - before)
      return says()
    })
    await runComparison()
    expect(waits).toHaveLength(2)
    // Its own delay would be half a second.
    for (const wait of waits) expect(wait).toBeGreaterThan(1_900)
  })
})

test('an answer wrapped in prose or a code block is accepted', async () => {
  server.reset(() => completion(`Here it is:\n\`\`\`json\n${good}\n\`\`\``))
  expect((await runComparison()).result.judge.kind).toBe('model')
})

test('characters that the database cannot store are removed from an answer', async () => {
  server.reset(() => says({ rationale: 'Fine\u0000 so \ud800far.', evidence: '\u0000' }))
  const { result } = await runComparison()
  expect(result.judge.kind).toBe('model')
  expect(result.rationale).toContain('Fine so \ufffdfar.')
})

test('missing or invalid usage costs nothing', async () => {
  for (const usage of [null, { prompt_tokens: -5, completion_tokens: 'many' }, { prompt_tokens: 1e300 }]) {
    server.reset(() => completion(good, {}, usage))
    expect((await runComparison()).result).toMatchObject({ judge: { kind: 'model' }, cost_usd: 0 })
  }
})

describe('An exhausted budget', () => {
  for (const level of ['workspace', 'organization'] as const) {
    test(`of the ${level} leaves the decision to the metrics judge, without a call`, async () => {
      server.reset(() => says())
      await box.sql`
        update ${box.sql(`${level}s`)} set budget_monthly_limit_usd = ${CALL_USD} where id = ${site[level].id}
      `
      // Created before the budget is exhausted, because their executions could not start afterwards.
      const made = () => comparison(ada, site.project.id, { b: [{ ends: 'fail' }] })
      const [first, second] = [await made(), await made()]
      // This comparison reaches the limit.
      expect((await compare(ada, first.id)).result.judge.kind).toBe('model')
      const events = await box.sql`
          select name
          from outbox
          where organization_id = ${site.organization.id}
            and name like 'budget.%'
          order by name
        `
      expect(events.map(({ name }) => name)).toEqual(['budget.alert', 'budget.exhausted'])
      server.reset(() => says())
      const { result } = await compare(ada, second.id)
      expect(result).toMatchObject({
        recommendation: 'a',
        judge: { kind: 'metrics', fallback_reason: `The budget of the ${level} is exhausted, so the model was not used.` },
        cost_usd: 0,
      })
      expect(server.asked).toHaveLength(0)
    })
  }
})

test('with AI_ON_FAILURE=fail the comparison fails with a reason, and can be repeated', async () => {
  const strict = await signalbox({ environment: { ...settingsFor(server), AI_ON_FAILURE: 'fail' } })
  try {
    const eve = await strict.user('Eve')
    const place = await strict.site(eve)
    server.reset(() => completion('Track a.'))
    const { id } = await comparison(eve, place.project.id)
    const failed = await compare(eve, id)
    expect(failed).toMatchObject({ status: 'failed', result: null, error: 'The answer of the model is not JSON.' })
    expect(await fetchSpend(eve, place)).toEqual([2 * CALL_USD, 2 * CALL_USD])
    server.reset(() => says())
    expect(await compare(eve, id)).toMatchObject({ status: 'compared', error: null, result: { cost_usd: 2 * CALL_USD } })
    expect(await eventsAndAudit(strict, id)).toEqual({
      events: ['dual_track.failed', 'dual_track.compared'],
      audit: ['dual_track.created', 'dual_track.started', 'dual_track.failed', 'dual_track.started', 'dual_track.compared'],
    })
    // An exhausted budget is not a failure of the model.
    await strict.sql`update organizations set budget_monthly_limit_usd = 0 where id = ${place.organization.id}`
    expect(await compare(eve, id)).toMatchObject({ status: 'compared', result: { judge: { kind: 'metrics' } } })
  } finally {
    await strict.close()
  }
})
