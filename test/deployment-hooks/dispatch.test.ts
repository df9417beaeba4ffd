import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 2 })
})

afterAll(() => bench.close())

describe('an approved gate', () => {
  test('is sent to the hook with the documented headers, envelope and signatures, and recorded', async () => {
    const { project, hook, receiver } = await bench.hooked({
      secret: WHSEC,
      environment: 'staging',
      headers: { 'X-Api-Key': 'k-1', Authorization: 'Bearer k-2' },
    })
    const execution = await bench.box.running(bench.admin, project.id)
    const gate = await bench.box.approval(bench.admin, execution.id)
    const request = await receiver.event('gate.approved')
    const dispatch = await bench.recorded(request)

    expect(request.method).toBe('POST')
    expect(request.path).toBe('/deploy')
    expect(request.headers).toEqual({
      accept: '*/*',
      'accept-encoding': 'identity',
      authorization: 'Bearer k-2',
      'content-length': String(Buffer.byteLength(request.body)),
      'content-type': 'application/json',
      host: new URL(receiver.url).host,
      'user-agent': 'Signalbox-Hooks/1',
      'webhook-id': dispatch.id,
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'x-api-key': 'k-1',
      'x-signalbox-attempt': '1',
      'x-signalbox-delivery': dispatch.id,
      'x-signalbox-event': 'gate.approved',
      'x-signalbox-sequence': '1',
      'x-signalbox-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    })

    const envelope = JSON.parse(request.body)
    expect(envelope).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'gate.approved',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      url: expect.stringMatching(new RegExp(`^https?://[^/]+/app/gates/${gate.id}$`)),
      organization: { id: bench.site.organization.id, name: bench.site.organization.name },
      workspace: { id: bench.site.workspace.id, name: bench.site.workspace.name },
      project: { id: project.id, name: project.name },
      hook: { id: hook.id, name: 'Deploy' },
      environment: 'staging',
      sequence: 1,
      data: {
        gate,
        execution: expect.objectContaining({ id: execution.id, status: 'running' }),
        requirement: { id: execution.requirement_id, number: 1, title: 'Pay by invoice' },
      },
    })
    expect(envelope.id).not.toBe(dispatch.id)
    expect(envelope.data.execution).not.toHaveProperty('artifacts')

    expect(dispatch).toEqual({
      id: dispatch.id,
      hook_id: hook.id,
      project_id: project.id,
      event: 'gate.approved',
      environment: 'staging',
      status: 'succeeded',
      attempt_count: 1,
      max_attempts: 3,
      next_attempt_at: null,
      response_status: 200,
      response_body: 'ok',
      duration_ms: expect.any(Number),
      error: null,
      sequence: 1,
      redelivery_of: null,
      superseded_by: null,
      rollout: null,
      override_reason: null,
      held_until: null,
      created_at: expect.any(String),
      completed_at: expect.any(String),
      payload: request.body,
      request_headers: expect.any(Object),
      attempts: [
        {
          number: 1,
          started_at: expect.any(String),
          address: '127.0.0.1',
          dns_ms: expect.any(Number),
          first_byte_ms: expect.any(Number),
          duration_ms: expect.any(Number),
          response_status: 200,
          response_headers: expect.objectContaining({ 'content-length': '2' }),
          response_body: 'ok',
          error: null,
        },
      ],
    })

    // The record shows the headers as sent, except those of the transport itself.
    const shown = Object.entries(dispatch.request_headers).map(([name, value]) => [name.toLowerCase(), value])
    const { accept, 'content-length': length, ...sent } = request.headers
    expect(Object.fromEntries(shown)).toEqual({
      ...sent,
      authorization: '********',
      'x-api-key': '********',
      'webhook-signature': '********',
      'x-signalbox-signature': '********',
    })
  })

  test('is signed with the decoded key of a whsec_ secret, as the Standard Webhooks library verifies', async () => {
    const { project, receiver } = await bench.hooked({ secret: WHSEC })
    const before = Math.floor(Date.now() / 1000)
    await bench.approve(project)
    const { body, headers } = await receiver.event('gate.approved')
    expect(new Webhook(WHSEC).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(WHSEC).verify(`${body} `, headers)).toThrow()
    const key = Buffer.from(WHSEC.slice(6), 'base64')
    expect(headers['x-signalbox-signature']).toBe(`sha256=${createHmac('sha256', key).update(body).digest('hex')}`)
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    expect(Number(headers['webhook-timestamp'])).toBeWithin(before, Date.now() / 1000 + 1)
  })

  test('is signed with the raw bytes of a plain secret, which the library accepts in raw mode', async () => {
    const secret = 'pläin secret'
    const { project, receiver } = await bench.hooked({ secret, name: 'Grüße 𝄞' })
    await bench.approve(project)
    const { body, headers } = await receiver.event('gate.approved')
    expect(body).toContain('Grüße 𝄞')
    expect(new Webhook(new TextEncoder().encode(secret), { format: 'raw' }).verify(body, headers)).toEqual(JSON.parse(body))
    expect(headers['x-signalbox-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  })

  test('carries an id and a timestamp but no signature when the hook has no secret', async () => {
    const { project, receiver } = await bench.hooked({ secret: null })
    await bench.approve(project)
    const { headers } = await receiver.event('gate.approved')
    expect(headers['webhook-id']).toBe(headers['x-signalbox-delivery'] as string)
    expect(headers['webhook-timestamp']).toMatch(/^\d{10}$/)
    const names = Object.keys(headers).filter((name) => name.includes('signature'))
    expect(names).toEqual([])
  })

  test('is sent only to the enabled hooks of its project that are triggered by gates', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const path = `/api/v1/projects/${project.id}/deployment-hooks`
    const make = (input: object) =>
      bench.admin.make(path, { name: 'Other', url: receiver.url, trigger_on: 'gate_approved', ...input })
    const [second, off, later] = await Promise.all([
      make({ url: `${receiver.url}/second` }),
      make({ url: `${receiver.url}/off`, enabled: false }),
      make({ url: `${receiver.url}/later`, trigger_on: 'workflow_done' }),
    ])
    const elsewhere = await bench.hooked()
    await bench.approve(project)
    await receiver.waitFor(2)
    await bench.box.settled()
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/deploy', '/second'])
    expect(elsewhere.receiver.requests).toEqual([])
    const totals = await Promise.all(
      [hook, second, off, later, elsewhere.hook].map(async (each) => (await bench.listed(each)).total),
    )
    expect(totals).toEqual([1, 1, 0, 0, 0])
  })

  test('is sent to every hook with the same event id, each time as a separate dispatch', async () => {
    const { project, receiver } = await bench.hooked()
    await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Second',
      url: receiver.url,
      trigger_on: 'gate_approved',
    })
    await bench.approve(project)
    const requests = await receiver.waitFor(2)
    expect(new Set(requests.map(({ body }) => JSON.parse(body).id)).size).toBe(1)
    expect(new Set(requests.map(({ headers }) => headers['x-signalbox-delivery'])).size).toBe(2)
  })

  test('can be traced by its request id from the log line of the route to that of the dispatch', async () => {
    const { project, receiver } = await bench.hooked()
    const execution = await bench.box.running(bench.admin, project.id)
    const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    const request_id = `trace-${crypto.randomUUID()}`
    await bench.admin.post(`/api/v1/gates/${gate.id}/approve`, {}, { 'X-Request-Id': request_id })
    const { headers } = await receiver.event('gate.approved')
    const route = JSON.parse(await bench.box.api.said(request_id))
    expect(route).toMatchObject({ request_id, route: '/api/v1/gates/:gate_id/approve', status: 200 })
    const dispatch = JSON.parse(
      await Promise.any(bench.box.workers.map((worker) => worker.said(headers['x-signalbox-delivery'] ?? ''))),
    )
    expect(dispatch).toMatchObject({ request_id, dispatch: headers['x-signalbox-delivery'], outcome: 'succeeded', status: 200 })
  })
})

test('a completed workflow is sent once to the hooks it triggers', async () => {
  const { project, receiver } = await bench.hooked({ trigger_on: 'workflow_done' })
  const graph_id = crypto.randomUUID()
  const first = await bench.box.running(bench.admin, project.id, { graph_id })
  const second = await bench.box.running(bench.admin, project.id, { graph_id })
  await Promise.all([first, second].map(({ id }) => bench.admin.make(`/api/v1/executions/${id}/complete`, { cost_usd: 1.5 })))
  const request = await receiver.event('workflow.completed')
  await bench.box.settled()
  expect(receiver.requests).toHaveLength(1)
  expect(request.headers['x-signalbox-event']).toBe('workflow.completed')
  const { data, sequence } = JSON.parse(request.body)
  expect(sequence).toBe(1)
  expect(Object.keys(data).sort()).toEqual(['executions', 'graph_id', 'requirements'])
  expect(data.graph_id).toBe(graph_id)
  expect(data.executions.map(({ id, status }: Answer['body']) => [id, status])).toEqual([
    [second.id, 'completed'],
    [first.id, 'completed'],
  ])
  expect(data.requirements).toEqual(
    [first, second].map(({ requirement_id }, index) => ({ id: requirement_id, number: index + 1, title: 'Pay by invoice' })),
  )
})

test('sequence has no gaps under concurrent approvals; header, envelope and record agree', async () => {
  const { project, hook, receiver } = await bench.hooked()
  const execution = await bench.box.running(bench.admin, project.id)
  const other = await bench.box.running(bench.admin, project.id)
  const gates = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      bench.admin.make(`/api/v1/executions/${(index % 2 ? execution : other).id}/gates`, { name: 'Review' }),
    ),
  )
  await Promise.all(gates.map(({ id }) => bench.admin.make(`/api/v1/gates/${id}/approve`)))
  const requests = await receiver.waitFor(60)
  await bench.box.settled()
  const expected = Array.from({ length: 60 }, (_, index) => index + 1)
  const numbers = requests.map(({ headers }) => Number(headers['x-signalbox-sequence']))
  expect([...numbers].sort((a, b) => a - b)).toEqual(expected)
  expect(requests.map(({ body }) => JSON.parse(body).sequence)).toEqual(numbers)
  const { items, total } = await bench.listed(hook, '?page_size=100')
  expect(total).toBe(60)
  expect(receiver.requests).toHaveLength(60)
  const recorded = new Map(items.map(({ id, sequence }: Answer['body']) => [id, sequence]))
  expect(requests.map(({ headers }) => recorded.get(headers['x-signalbox-delivery']))).toEqual(numbers)
})
