import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const GIVEN = `00-${TRACE}-00f067aa0ba902b7-01`

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
})

afterAll(() => bench.close())

/** Approves a gate in a request with these headers. */
async function approve(project: { id: string }, headers: Record<string, string>): Promise<void> {
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, undefined, headers)
}

// biome-ignore lint/suspicious/noExplicitAny: log lines have any shape
const logLines = (): any[] =>
  [bench.box.api, ...bench.box.workers].flatMap((process) => process.lines).map((line) => JSON.parse(line))

test('The trace of a request is propagated through the outbox to the dispatch and every log line', async () => {
  const { project, hook, receiver } = await bench.hooked()
  await approve(project, { traceparent: GIVEN, tracestate: 'vendor=opaque', 'X-Request-Id': 'one-request' })
  const [request] = await receiver.waitFor(1)
  expect(request?.headers.traceparent).toBe(GIVEN)
  // tracestate is private to the caller's tracing system.
  expect(request?.headers.tracestate).toBeUndefined()
  const dispatch = await bench.settled(hook)
  expect(dispatch.request_headers.traceparent).toBe(GIVEN)
  await bench.box.workers[0]?.said('"message":"dispatch"')
  const joined = logLines().filter(({ request_id }) => request_id === 'one-request')
  const { organization } = bench.site
  expect(joined.map(({ message }) => message)).toEqual(expect.arrayContaining(['request', 'drained', 'dispatch']))
  for (const line of joined) expect(line).toMatchObject({ trace_id: TRACE, span_id: '00f067aa0ba902b7' })
  expect(joined.find(({ message }) => message === 'dispatch')).toMatchObject({
    dispatch: dispatch.id,
    hook: hook.id,
    organization: organization.id,
    outcome: 'succeeded',
    ms: expect.any(Number),
  })
  expect(joined.find(({ message }) => message === 'drained')).toMatchObject({
    event: 'gate.approved',
    organization: organization.id,
  })
})

test('Events raised by a dispatch belong to the trace of the original request', async () => {
  const { project, hook } = await bench.hooked()
  await bench.subscribeToOutcomes(project)
  await approve(project, { traceparent: GIVEN, 'X-Request-Id': 'what-follows' })
  const { id } = await bench.settled(hook)
  const [event] = await bench.box.sql`
    select request_id, traceparent from outbox where name = 'deployment.succeeded' and data -> 'dispatch' ->> 'id' = ${id}
  `
  expect(event).toEqual({ request_id: 'what-follows', traceparent: GIVEN })
})

test('A request without a trace starts none', async () => {
  const { project, receiver } = await bench.hooked()
  await approve(project, { 'X-Request-Id': 'no-trace' })
  const [request] = await receiver.waitFor(1)
  expect(request?.headers.traceparent).toBeUndefined()
  const line = logLines().find(({ request_id }) => request_id === 'no-trace')
  expect(line.trace_id).toBeUndefined()
})

const MALFORMED = [
  'garbage',
  '',
  `ff-${TRACE}-00f067aa0ba902b7-01`,
  `00-${TRACE}-00f067aa0ba902b7-01-more`,
  `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-00f067aa0ba902b7-1`,
  `${GIVEN}, ${GIVEN}`,
]

test('A malformed traceparent is ignored, and a new trace started', async () => {
  const { project, receiver } = await bench.hooked()
  const [first = '', ...others] = MALFORMED
  await approve(project, { traceparent: first })
  const [request] = await receiver.waitFor(1)
  expect(request?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  for (const [place, traceparent] of others.entries()) {
    const id = `malformed-${place}`
    expect((await bench.admin.get('/api/v1/users/me', { traceparent, 'X-Request-Id': id })).status).toBe(200)
    await bench.box.api.said(id)
    const line = logLines().find(({ request_id }) => request_id === id)
    expect([traceparent, line.trace_id]).not.toEqual([traceparent, TRACE])
  }
})

test('A later version of the header is parsed as far as it is known', async () => {
  await bench.admin.get('/api/v1/users/me', {
    traceparent: `01-${TRACE}-00f067aa0ba902b7-09-what-is-new`,
    'X-Request-Id': 'later',
  })
  await bench.box.api.said('later')
  expect(logLines().find(({ request_id }) => request_id === 'later').trace_id).toBe(TRACE)
})

test('A traceparent header configured for a hook takes precedence, in any case', async () => {
  const withHeader = await bench.hooked({ headers: { Traceparent: 'of-the-hook' } })
  await approve(withHeader.project, { traceparent: GIVEN })
  const [request] = await withHeader.receiver.waitFor(1)
  expect(request?.headers.traceparent).toBe('of-the-hook')
})

test('A redelivery, a manual trigger and a test belong to the trace of their request', async () => {
  const { project, hook, receiver } = await bench.hooked()
  await bench.approve(project)
  const dispatch = await bench.settled(hook)
  for (const [number, act] of [
    () => bench.act(dispatch, 'redeliver', { traceparent: GIVEN }),
    () => bench.ask(hook, 'trigger', {}, { traceparent: GIVEN }),
    () => bench.ask(hook, 'test', undefined, { traceparent: GIVEN }),
  ].entries()) {
    expect((await act()).status).toBe(202)
    const requests = await receiver.waitFor(number + 2)
    expect(requests.at(-1)?.headers.traceparent).toBe(GIVEN)
  }
})

test('Every request is logged in one line with its status', async () => {
  const ask = (method: string, path: string, id: string, headers: Record<string, string> = {}) =>
    fetch(bench.box.base + path, { method, headers: { 'X-Request-Id': id, ...headers } })
  await ask('GET', '/nowhere', 'unknown-path')
  await ask('DELETE', '/livez', 'unknown-method')
  await ask('HEAD', '/livez', 'only-head')
  await ask('OPTIONS', '/api/v1/organizations', 'preflight', { 'Access-Control-Request-Method': 'POST' })
  await ask('GET', '/api/v1/organizations', 'no-token')
  for (const [id, status] of [
    ['unknown-path', 404],
    ['unknown-method', 405],
    ['only-head', 200],
    ['preflight', 204],
    ['no-token', 401],
  ] as const) {
    await bench.box.api.said(`"request_id":"${id}"`)
    const found = logLines().filter(({ request_id }) => request_id === id)
    expect(found.map((line) => [line.message, line.status])).toEqual([['request', status]])
  }
})
