import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { signalbox } from '../support/signalbox.ts'
import { Collector, type SpanRecord } from './collector.ts'

const collector = new Collector()
let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({
    own: true,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=let-me-in',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      // Long enough for a busy worker to release the lane: a job starts the second attempt.
      HOOK_RETRY_SECONDS: '3,3',
    },
  })
})

afterAll(async () => {
  await bench.close()
  await collector.stop()
})

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

async function waitForSpan(what: string, matches: (span: SpanRecord) => boolean): Promise<SpanRecord> {
  await bench.box.until(`a span: ${what}`, async () => collector.spans.some(matches))
  return collector.spans.find(matches) as SpanRecord
}

test('One trace contains the request, its transaction, the drain, the dispatch and the message', async () => {
  const { project, hook, receiver } = await bench.hooked()
  const toChannel = bench.receiver()
  const channels = `/api/v1/workspaces/${bench.site.workspace.id}/notification-channels`
  const channel = await bench.admin.make(channels, { name: 'Audit', channel_type: 'webhook', config: { url: toChannel.url } })
  await bench.admin.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: 'gate.approved' })
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, undefined, {
    traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    'X-Request-Id': 'exported',
  })
  const [sent] = await receiver.waitFor(1)
  const [message] = await toChannel.waitFor(1)

  const inTrace = (name: string) => waitForSpan(name, (span) => span.traceId === TRACE && span.name === name)
  const request = await inTrace('POST /api/v1/gates/:gate_id/approve')
  const transaction = await inTrace('transaction')
  const drain = await inTrace('drain gate.approved')
  const dispatch = await inTrace('dispatch gate.approved')
  const notify = await inTrace('notify webhook')
  expect(request).toMatchObject({ parentSpanId: '00f067aa0ba902b7', kind: 2, service: 'signalbox-api' })
  expect(request.attributes).toMatchObject({
    'http.route': '/api/v1/gates/:gate_id/approve',
    'http.response.status_code': 200,
    'signalbox.request_id': 'exported',
  })
  expect(transaction.parentSpanId).toBe(request.spanId)
  expect(drain).toMatchObject({ parentSpanId: request.spanId, service: 'signalbox-worker' })
  expect(dispatch).toMatchObject({ parentSpanId: drain.spanId, kind: 3 })
  expect(dispatch.attributes).toMatchObject({ 'signalbox.hook_id': hook.id, 'signalbox.request_id': 'exported' })
  expect(notify.parentSpanId).toBe(drain.spanId)
  // Both in the order of time: a drain is requested before its span begins, and a dispatch fetched before it is sent.
  expect(drain.events?.map(({ name }) => name)).toEqual(['requested', 'started'])
  expect(dispatch.events?.map(({ name }) => name)).toEqual(['fetched', 'sent', 'answered'])
  const answered = BigInt(dispatch.events?.[2]?.timeUnixNano ?? 0)
  expect(answered).toBeGreaterThan(BigInt(dispatch.startTimeUnixNano))
  expect(answered).toBeLessThan(BigInt(dispatch.endTimeUnixNano))
  expect(request.resource['deployment.environment.name']).toBe('test')
  // The parent of the receiver's spans is the attempt.
  expect(sent?.headers.traceparent).toBe(`00-${TRACE}-${dispatch.spanId}-01`)
  expect(message?.headers.traceparent).toBe(`00-${TRACE}-${notify.spanId}-01`)
  for (const { path, headers } of collector.requests) {
    expect([path, headers['x-collector-key']]).toEqual(['/v1/traces', 'let-me-in'])
  }
})

test('A request without a trace starts one, and jobs have their own spans', async () => {
  const { project, receiver } = await bench.hooked()
  // Its second attempt is started by a job.
  receiver.answer = (_, number) => new Response('', { status: number === 1 ? 500 : 200 })
  await bench.approve(project)
  const [sent] = await receiver.waitFor(1)
  const [, trace_id] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(sent?.headers.traceparent ?? '') ?? []
  expect(trace_id).toBeDefined()
  await waitForSpan('the request', (span) => span.traceId === trace_id && span.name === 'POST /api/v1/gates/:gate_id/approve')
  await waitForSpan('a job', ({ name, kind }) => name === 'job dispatch_hook' && kind === 5)
})

test('Failures are marked as errors, and no secret is exported', async () => {
  const { project, receiver } = await bench.hooked({ secret: 'hook-secret-42', headers: { 'X-Key': 'header-secret-42' } })
  receiver.answer = () => new Response('no', { status: 500 })
  await bench.approve(project)
  const failed = await waitForSpan('a failure', ({ name, status }) => name === 'dispatch gate.approved' && status.code === 2)
  expect(failed.attributes).toMatchObject({ 'error.type': 'http_error', 'http.response.status_code': 500 })
  const all = JSON.stringify(collector.spans)
  for (const secret of ['hook-secret-42', 'header-secret-42', bench.admin.token]) expect(all).not.toContain(secret)
})

test('An unsampled trace is not exported, but is propagated', async () => {
  const unsampled = 'a'.repeat(32)
  const { project, receiver } = await bench.hooked()
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, undefined, { traceparent: `00-${unsampled}-00f067aa0ba902b7-00` })
  const [sent] = await receiver.waitFor(1)
  expect(sent?.headers.traceparent).toMatch(new RegExp(`^00-${unsampled}-[0-9a-f]{16}-00$`))
  expect(collector.spans.filter(({ traceId }) => traceId === unsampled)).toEqual([])
})

test('Remaining spans are exported when a process stops', async () => {
  await bench.admin.get('/api/v1/users/me', { 'X-Request-Id': 'the-last-one' })
  await bench.box.api.said('the-last-one')
  expect(await bench.box.end(bench.box.api, 'SIGTERM')).toBe(0)
  expect(collector.spans.some(({ attributes }) => attributes['signalbox.request_id'] === 'the-last-one')).toBe(true)
  await bench.box.startApi()
})

test('The default encoding is protobuf', async () => {
  const protobuf = new Collector()
  const box = await signalbox({ own: true, workers: 0, environment: { OTEL_EXPORTER_OTLP_ENDPOINT: protobuf.url } })
  await box.request('GET', '/livez')
  await box.end(box.api, 'SIGTERM')
  expect(new Set(protobuf.requests.map(({ path, type }) => `${path} ${type}`))).toEqual(
    new Set(['/v1/traces application/x-protobuf']),
  )
  await box.close()
  await protobuf.stop()
})

test('An unreachable collector has no effect beyond one warning', async () => {
  const away = new Collector()
  const { url } = away
  await away.stop()
  const box = await signalbox({
    own: true,
    workers: 0,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: '1000' },
  })
  for (let times = 0; times < 50; times++) expect((await box.request('GET', '/livez')).status).toBe(200)
  await box.api.said('could not export traces')
  expect(await box.end(box.api, 'SIGTERM')).toBe(0)
  expect(box.api.lines.filter((line) => line.includes('could not export traces'))).toHaveLength(1)
  await box.close()
})

test('Without an endpoint, OpenTelemetry is not loaded', async () => {
  const script = `
    const { startTracing, beginRequest } = await import('./core/platform/traces.ts')
    await startTracing('api')
    if (beginRequest('GET', null, () => ({})) !== null) throw new Error('a trace began')
    console.log(JSON.stringify(Object.keys(require.cache).filter((path) => path.includes('opentelemetry'))))
  `
  const run = Bun.spawn([process.execPath, '-e', script], {
    cwd: `${import.meta.dir}/../..`,
    env: { ...process.env },
    stdout: 'pipe',
  })
  expect((await new Response(run.stdout).text()).trim()).toBe('[]')
})
