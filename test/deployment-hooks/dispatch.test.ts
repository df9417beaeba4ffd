import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { type Received, Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let box: Box
let admin: Actor
let site: Site
const receivers: Receiver[] = []

beforeAll(async () => {
  box = await signalbox({ workers: 2 })
  admin = await box.user('Ada Lovelace')
  site = await box.site(admin)
})

afterAll(async () => {
  await box.close()
  await Promise.all(receivers.map((receiver) => receiver.stop()))
})

/** A project of its own, with a hook to a receiver of its own. */
async function hooked(input: object = {}): Promise<{ project: Answer['body']; hook: Answer['body']; receiver: Receiver }> {
  const receiver = new Receiver()
  receivers.push(receiver)
  const project = await admin.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Checkout' })
  const hook = await admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: `${receiver.url}/deploy?to=eu`,
    trigger_on: 'gate_approved',
    ...input,
  })
  return { project, hook, receiver }
}

const dispatchesOf = async (hook: Answer['body'], query = '') =>
  (await admin.get(`/api/v1/deployment-hooks/${hook.id}/dispatches${query}`)).body

const detail = async (request: Received): Promise<Answer['body']> => {
  const path = `/api/v1/dispatches/${request.headers['x-signalbox-delivery']}`
  await box.until('it is on record', async () => (await admin.get(path)).body.status !== 'pending')
  return (await admin.get(path)).body
}

describe('an approved gate', () => {
  test('arrives at the hook with the headers, the envelope and the signatures of the contract, and on record', async () => {
    const { project, hook, receiver } = await hooked({
      secret: WHSEC,
      environment: 'staging',
      headers: { 'X-Api-Key': 'k-1', Authorization: 'Bearer k-2' },
    })
    const execution = await box.running(admin, project.id)
    const gate = await box.approval(admin, execution.id)
    const request = await receiver.event('gate.approved')
    const dispatch = await detail(request)

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
      organization: { id: site.organization.id, name: site.organization.name },
      workspace: { id: site.workspace.id, name: site.workspace.name },
      project: { id: project.id, name: project.name },
      hook: { id: hook.id, name: 'Deploy' },
      environment: 'staging',
      sequence: 1,
      data: { gate, execution: expect.objectContaining({ id: execution.id, status: 'running' }) },
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
      created_at: expect.any(String),
      completed_at: expect.any(String),
      payload: request.body,
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
  })

  test('is signed with the decoded key of a whsec_ secret, as its library checks', async () => {
    const { project, receiver } = await hooked({ secret: WHSEC })
    await box.approval(admin, (await box.running(admin, project.id)).id)
    const { body, headers } = await receiver.event('gate.approved')
    expect(new Webhook(WHSEC).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(WHSEC).verify(`${body} `, headers)).toThrow()
    const key = Buffer.from(WHSEC.slice(6), 'base64')
    expect(headers['x-signalbox-signature']).toBe(`sha256=${createHmac('sha256', key).update(body).digest('hex')}`)
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(30)
  })

  test('is signed with the bytes of a plain secret, which the library takes in raw form', async () => {
    const secret = 'pläin secret'
    const { project, receiver } = await hooked({ secret, name: 'Grüße 𝄞' })
    await box.approval(admin, (await box.running(admin, project.id)).id)
    const { body, headers } = await receiver.event('gate.approved')
    expect(body).toContain('Grüße 𝄞')
    expect(new Webhook(new TextEncoder().encode(secret), { format: 'raw' }).verify(body, headers)).toEqual(JSON.parse(body))
    expect(headers['x-signalbox-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  })

  test('carries no signature where there is no secret', async () => {
    const { project, receiver } = await hooked()
    await box.approval(admin, (await box.running(admin, project.id)).id)
    const { headers } = await receiver.event('gate.approved')
    const names = Object.keys(headers).filter((name) => name.includes('signature'))
    expect(names).toEqual([])
  })

  test('goes to the hooks of its project that wait for it, and to no other', async () => {
    const { project, hook, receiver } = await hooked()
    const path = `/api/v1/projects/${project.id}/deployment-hooks`
    const make = (input: object) => admin.make(path, { name: 'Other', url: receiver.url, trigger_on: 'gate_approved', ...input })
    const [second, off, later] = await Promise.all([
      make({ url: `${receiver.url}/second` }),
      make({ url: `${receiver.url}/off`, enabled: false }),
      make({ url: `${receiver.url}/later`, trigger_on: 'workflow_done' }),
    ])
    const elsewhere = await hooked()
    await box.approval(admin, (await box.running(admin, project.id)).id)
    await receiver.waitFor(2)
    await box.settled()
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/deploy', '/second'])
    expect(elsewhere.receiver.requests).toEqual([])
    const totals = await Promise.all(
      [hook, second, off, later, elsewhere.hook].map(async (each) => (await dispatchesOf(each)).total),
    )
    expect(totals).toEqual([1, 1, 0, 0, 0])
  })

  test('is told to every hook with the same event id, and to each as a dispatch of its own', async () => {
    const { project, receiver } = await hooked()
    await admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Second',
      url: receiver.url,
      trigger_on: 'gate_approved',
    })
    await box.approval(admin, (await box.running(admin, project.id)).id)
    const requests = await receiver.waitFor(2)
    expect(new Set(requests.map(({ body }) => JSON.parse(body).id)).size).toBe(1)
    expect(new Set(requests.map(({ headers }) => headers['x-signalbox-delivery'])).size).toBe(2)
  })

  test('is followed by the id of its request, from the log line of the route to that of the dispatch', async () => {
    const { project, receiver } = await hooked()
    const execution = await box.running(admin, project.id)
    const gate = await admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    const request_id = `trace-${crypto.randomUUID()}`
    await admin.post(`/api/v1/gates/${gate.id}/approve`, {}, { 'X-Request-Id': request_id })
    const { headers } = await receiver.event('gate.approved')
    const route = JSON.parse(await box.api.said(request_id))
    expect(route).toMatchObject({ request_id, route: '/api/v1/gates/:gate_id/approve', status: 200 })
    const dispatch = JSON.parse(await Promise.any(box.workers.map((worker) => worker.said(request_id))))
    expect(dispatch).toMatchObject({ request_id, dispatch: headers['x-signalbox-delivery'], outcome: 'succeeded', status: 200 })
  })
})

test('a workflow that is done arrives at the hooks that wait for that, once', async () => {
  const { project, receiver } = await hooked({ trigger_on: 'workflow_done' })
  const graph_id = crypto.randomUUID()
  const first = await box.running(admin, project.id, { graph_id })
  const second = await box.running(admin, project.id, { graph_id })
  await Promise.all([first, second].map(({ id }) => admin.make(`/api/v1/executions/${id}/complete`, { cost_usd: 1.5 })))
  const request = await receiver.event('workflow.completed')
  await box.settled()
  expect(receiver.requests).toHaveLength(1)
  expect(request.headers['x-signalbox-event']).toBe('workflow.completed')
  const { data, sequence } = JSON.parse(request.body)
  expect(sequence).toBe(1)
  expect(Object.keys(data).sort()).toEqual(['executions', 'graph_id'])
  expect(data.graph_id).toBe(graph_id)
  expect(data.executions.map(({ id, status }: Answer['body']) => [id, status])).toEqual([
    [second.id, 'completed'],
    [first.id, 'completed'],
  ])
})

test('sequence counts up without a gap over many approvals at once; header, envelope and record agree', async () => {
  const { project, hook, receiver } = await hooked()
  const execution = await box.running(admin, project.id)
  const other = await box.running(admin, project.id)
  const gates = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      admin.make(`/api/v1/executions/${(index % 2 ? execution : other).id}/gates`, { name: 'Review' }),
    ),
  )
  await Promise.all(gates.map(({ id }) => admin.make(`/api/v1/gates/${id}/approve`)))
  const requests = await receiver.waitFor(60)
  await box.settled()
  const expected = Array.from({ length: 60 }, (_, index) => index + 1)
  const numbers = requests.map(({ headers }) => Number(headers['x-signalbox-sequence']))
  expect([...numbers].sort((a, b) => a - b)).toEqual(expected)
  expect(requests.map(({ body }) => JSON.parse(body).sequence)).toEqual(numbers)
  const { items, total } = await dispatchesOf(hook, '?page_size=100')
  expect(total).toBe(60)
  expect(receiver.requests).toHaveLength(60)
  const recorded = new Map(items.map(({ id, sequence }: Answer['body']) => [id, sequence]))
  expect(requests.map(({ headers }) => recorded.get(headers['x-signalbox-delivery']))).toEqual(numbers)
})

describe('a test.ping', () => {
  test('is answered at once, and goes out without a sequence', async () => {
    const { hook, receiver } = await hooked({ secret: WHSEC })
    const { status, body, headers } = await admin.post(`/api/v1/deployment-hooks/${hook.id}/test`)
    expect(status).toBe(202)
    expect(headers.get('location')).toBe(`/api/v1/dispatches/${body.id}`)
    expect(headers.get('preference-applied')).toBeNull()
    expect(body).toMatchObject({ status: 'pending', event: 'test.ping', attempt_count: 0, max_attempts: 1, sequence: null })
    const request = await receiver.event('test.ping')
    expect(request.headers).not.toHaveProperty('x-signalbox-sequence')
    expect(request.headers['webhook-id']).toBe(body.id)
    expect(new Webhook(WHSEC).verify(request.body, request.headers)).toMatchObject({
      event: 'test.ping',
      sequence: null,
      data: { hook: { id: hook.id } },
    })
    expect(await detail(request)).toMatchObject({ status: 'succeeded', sequence: null, attempt_count: 1 })
  })

  test('takes no number: what comes after it counts on', async () => {
    const { project, hook, receiver } = await hooked()
    const execution = await box.running(admin, project.id)
    await box.approval(admin, execution.id)
    await admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    await box.approval(admin, execution.id)
    const approvals = await receiver.waitFor(2, ({ headers }) => headers['x-signalbox-event'] === 'gate.approved')
    expect(approvals.map(({ headers }) => headers['x-signalbox-sequence']).sort()).toEqual(['1', '2'])
  })

  test('is answered with its outcome where the caller prefers to wait', async () => {
    const { hook, receiver } = await hooked()
    receiver.answer = () => new Response('teapot', { status: 418 })
    const path = `/api/v1/deployment-hooks/${hook.id}/test`
    const { status, body, headers } = await admin.post(path, undefined, { Prefer: 'respond-async, wait=15' })
    expect(status).toBe(200)
    expect(headers.get('preference-applied')).toBe('wait=15')
    expect(body).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      response_status: 418,
      response_body: 'teapot',
      error: { code: 'http_error' },
    })
    // Tried once, and nothing about the hook has changed.
    expect((await admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body).toEqual(hook)
    expect(receiver.requests).toHaveLength(1)
  })

  test('that takes longer than the caller would wait is answered as it stands', async () => {
    const { hook, receiver } = await hooked()
    const answer = Promise.withResolvers<Response>()
    receiver.answer = () => answer.promise
    const path = `/api/v1/deployment-hooks/${hook.id}/test`
    const { status, body, headers } = await admin.post(path, undefined, { Prefer: 'wait=1' })
    answer.resolve(new Response('late'))
    expect(status).toBe(202)
    expect(body.status).toBe('pending')
    expect(headers.get('preference-applied')).toBeNull()
    const [request] = await receiver.waitFor(1)
    expect(await detail(request as Received)).toMatchObject({ status: 'succeeded', response_body: 'late' })
  })

  test.each(['wait', 'wait=soon', 'wait=-1', 'wait=1.5', 'nonsense'])('ignores the preference %p', async (prefer) => {
    const { hook } = await hooked()
    const { status } = await admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: prefer })
    expect(status).toBe(202)
  })

  test('is not repeated under the same Idempotency-Key, and the repeat may wait for the first', async () => {
    const { hook, receiver } = await hooked()
    const path = `/api/v1/deployment-hooks/${hook.id}/test`
    const key = { 'Idempotency-Key': `ping-${hook.id}` }
    const first = await admin.post(path, undefined, key)
    const second = await admin.post(path, undefined, { ...key, Prefer: 'wait=10' })
    expect([first.status, second.status]).toEqual([202, 200])
    expect(second.body).toMatchObject({ id: first.body.id, status: 'succeeded' })
    const third = await admin.post(path, undefined, key)
    expect([third.status, third.body.id]).toEqual([202, first.body.id])
    expect(third.headers.get('idempotent-replayed')).toBe('true')
    await box.settled()
    expect(receiver.requests).toHaveLength(1)
  })

  test('goes out of a hook that its owner made switched off', async () => {
    const { hook, receiver } = await hooked({ enabled: false })
    const { body } = await admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    expect(body.status).toBe('succeeded')
    expect(receiver.requests).toHaveLength(1)
  })

  test('with a 410 switches no hook off', async () => {
    const { hook, receiver } = await hooked()
    receiver.answer = () => new Response('gone', { status: 410 })
    const { body } = await admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    expect(body).toMatchObject({ status: 'failed', response_status: 410 })
    expect((await admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body).toEqual(hook)
  })
})

test('every outcome but that of a test.ping is told as an event of its own, which triggers no hook', async () => {
  const { project, hook, receiver } = await hooked()
  const execution = await box.running(admin, project.id)
  await box.approval(admin, execution.id)
  await receiver.waitFor(1)
  await admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
  receiver.answer = () => new Response('never', { status: 400, headers: { 'X-Signalbox-Control': 'stop' } })
  await box.approval(admin, execution.id)
  await receiver.waitFor(3)
  await box.settled()
  const events = await box.sql<{ name: string; dispatch: Answer['body'] }[]>`
    select name, data -> 'dispatch' as dispatch
    from outbox
    where project_id = ${project.id}
      and name like 'deployment.%'
    order by id
  `
  expect(events.map(({ name, dispatch }) => [name, dispatch.status, dispatch.sequence, dispatch.response_status])).toEqual([
    ['deployment.succeeded', 'succeeded', 1, 200],
    ['deployment.failed', 'failed', 2, 400],
  ])
  // As GET shows it, without bodies.
  for (const { dispatch } of events) {
    const { response_body, payload, attempts, ...shown } = (await admin.get(`/api/v1/dispatches/${dispatch.id}`)).body
    expect(new Date(dispatch.created_at).toISOString()).toBe(shown.created_at)
    for (const name of ['created_at', 'completed_at']) {
      delete shown[name]
      delete dispatch[name]
    }
    expect(dispatch).toEqual(shown)
    expect([response_body, payload, attempts].every(Boolean)).toBeTrue()
  }
  expect(receiver.requests).toHaveLength(3)
})

test('dispatches are listed newest first, in pages, by status and by event', async () => {
  const { project, hook, receiver } = await hooked()
  const execution = await box.running(admin, project.id)
  for (let index = 0; index < 3; index++) {
    await box.approval(admin, execution.id)
    await receiver.waitFor(index + 1)
  }
  receiver.answer = () => new Response('no', { status: 500 })
  await admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
  await box.settled()
  const { items, ...page } = await dispatchesOf(hook)
  expect(page).toEqual({ total: 4, page: 1, page_size: 20 })
  expect(items.map(({ sequence }: Answer['body']) => sequence)).toEqual([null, 3, 2, 1])
  const second = await dispatchesOf(hook, '?page=2&page_size=3')
  expect(second).toMatchObject({ total: 4, page: 2, page_size: 3, items: [{ sequence: 1 }] })
  expect((await dispatchesOf(hook, '?status=failed')).items).toMatchObject([{ event: 'test.ping' }])
  expect((await dispatchesOf(hook, '?event=gate.approved&status=succeeded')).total).toBe(3)
  expect((await dispatchesOf(hook, '?status=cancelled')).total).toBe(0)
  expect((await admin.get(`/api/v1/deployment-hooks/${hook.id}/dispatches?status=lost`)).status).toBe(422)
})
