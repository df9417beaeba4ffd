import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let receiver: Receiver

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const SECRET = `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`

async function hook(input: object = {}) {
  receiver = new Receiver()
  site = await box.site(ada)
  return ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: `${receiver.url}/deploy`,
    trigger_on: 'gate_approved',
    ...input,
  })
}

describe('An approved gate', () => {
  test('reaches the hook that waits for it, signed in both forms', async () => {
    const { id } = await hook({ secret: SECRET, environment: 'staging', headers: { 'X-Api-Key': 'k-1' } })
    const execution = await box.running(ada, site.project.id)
    const gate = await box.approval(ada, execution.id)

    const request = await receiver.event('gate.approved')
    expect(request.method).toBe('POST')
    expect(request.path).toBe('/deploy')
    const { items } = (await ada.get(`/api/v1/deployment-hooks/${id}/dispatches`)).body
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Signalbox-Hooks/1',
      'accept-encoding': 'identity',
      'x-api-key': 'k-1',
      'x-signalbox-event': 'gate.approved',
      'x-signalbox-delivery': items[0].id,
      'x-signalbox-attempt': '1',
      'x-signalbox-sequence': '1',
      'webhook-id': items[0].id,
    })

    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
    const hex = createHmac('sha256', key).update(request.body).digest('hex')
    expect(request.headers['x-signalbox-signature']).toBe(`sha256=${hex}`)
    expect(new Webhook(SECRET).verify(request.body, request.headers)).toBeTruthy()
    expect(() => new Webhook(SECRET).verify(`${request.body} `, request.headers)).toThrow()

    const envelope = JSON.parse(request.body)
    expect(envelope).toMatchObject({
      event: 'gate.approved',
      organization: { id: site.organization.id, name: 'Acme Robotics' },
      workspace: { id: site.workspace.id, name: 'Platform' },
      project: { id: site.project.id, name: 'Checkout' },
      hook: { id, name: 'Deploy' },
      environment: 'staging',
      sequence: 1,
      data: { gate: { id: gate.id, status: 'approved' }, execution: { id: execution.id, status: 'running' } },
    })
    expect(envelope.data.execution).not.toHaveProperty('artifacts')
    receiver.stop()
  })

  test('is on record with its attempt, and raises deployment.succeeded', async () => {
    const { id } = await hook()
    const execution = await box.running(ada, site.project.id)
    receiver.answer = () => new Response('deployed', { headers: { 'X-Build': '17' } })
    await box.approval(ada, execution.id)
    await receiver.event('gate.approved')
    await box.settled()

    const [listed] = (await ada.get(`/api/v1/deployment-hooks/${id}/dispatches`)).body.items
    expect(listed).toMatchObject({
      status: 'succeeded',
      attempt_count: 1,
      max_attempts: 3,
      response_status: 200,
      response_body: 'deployed',
      sequence: 1,
    })
    const { body: detail } = await ada.get(`/api/v1/dispatches/${listed.id}`)
    expect(detail.payload).toBe(receiver.requests[0]?.body)
    expect(detail.attempts).toHaveLength(1)
    expect(detail.attempts[0]).toMatchObject({
      number: 1,
      address: '127.0.0.1',
      response_status: 200,
      response_body: 'deployed',
      error: null,
    })
    expect(detail.attempts[0].response_headers['x-build']).toBe('17')

    const told = await box.sql`select name, data from outbox where project_id = ${site.project.id} and name like 'deployment.%'`
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ name: 'deployment.succeeded', data: { dispatch: { id: listed.id, status: 'succeeded' } } })
    expect(told[0]?.data.dispatch).not.toHaveProperty('response_body')
    receiver.stop()
  })

  test('does not reach a hook that is off, waits for something else, or belongs to another project', async () => {
    const project_id = (await hook({ enabled: false })).project_id
    const other = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Other' })
    const input = { name: 'x', url: `${receiver.url}/other`, trigger_on: 'gate_approved' }
    await ada.make(`/api/v1/projects/${other.id}/deployment-hooks`, input)
    await ada.make(`/api/v1/projects/${project_id}/deployment-hooks`, { ...input, trigger_on: 'workflow_done' })
    const execution = await box.running(ada, project_id)
    await box.approval(ada, execution.id)
    await box.settled()
    expect(receiver.requests).toHaveLength(0)
    receiver.stop()
  })
})

describe('A completed workflow', () => {
  test('reaches its hook once, when the last of two executions of the graph ends', async () => {
    await hook({ trigger_on: 'workflow_done' })
    const graph_id = crypto.randomUUID()
    const executions = await Promise.all([1, 2].map(() => box.running(ada, site.project.id, { graph_id })))
    await Promise.all(executions.map(({ id }) => ada.make(`/api/v1/executions/${id}/complete`, { cost_usd: 0.5 })))
    const request = await receiver.event('workflow.completed')
    await box.settled()
    expect(receiver.requests).toHaveLength(1)
    const { data } = JSON.parse(request.body)
    expect(data.graph_id).toBe(graph_id)
    expect(data.executions.map(({ status }: { status: string }) => status)).toEqual(['completed', 'completed'])
    receiver.stop()
  })
})

describe('The sequence of a hook', () => {
  test('has no gap and no repeat over many approvals at once, and header, envelope and record agree', async () => {
    const { id } = await hook()
    const executions = await Promise.all(Array.from({ length: 10 }, () => box.running(ada, site.project.id)))
    await Promise.all(executions.flatMap((execution) => [1, 2, 3].map(() => box.approval(ada, execution.id))))
    await receiver.waitFor(30)
    await box.settled()
    const { items } = (await ada.get(`/api/v1/deployment-hooks/${id}/dispatches?page_size=100`)).body
    expect(items.map(({ sequence }: { sequence: number }) => sequence).sort((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
    const bySequence = new Map(items.map((item: { sequence: number; id: string }) => [item.sequence, item.id]))
    for (const request of receiver.requests) {
      const sequence = Number(request.headers['x-signalbox-sequence'])
      expect(JSON.parse(request.body).sequence).toBe(sequence)
      expect(bySequence.get(sequence)).toBe(request.headers['x-signalbox-delivery'])
    }
    receiver.stop()
  })
})

describe('A test', () => {
  test('is answered with its outcome under Prefer: wait, and takes no sequence', async () => {
    const { id } = await hook({ secret: 'plain' })
    const answer = await ada.post(`/api/v1/deployment-hooks/${id}/test`, undefined, { Prefer: 'wait=10' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('preference-applied')).toBe('wait=10')
    expect(answer.body).toMatchObject({
      event: 'test.ping',
      status: 'succeeded',
      sequence: null,
      attempt_count: 1,
      max_attempts: 1,
    })
    const [request] = receiver.requests
    expect(request?.headers).not.toHaveProperty('x-signalbox-sequence')
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: 'test.ping',
      sequence: null,
      data: { hook: { id, has_secret: true } },
    })
    expect(new Webhook('plain', { format: 'raw' }).verify(request?.body ?? '', request?.headers ?? {})).toBeTruthy()
    receiver.stop()
  })

  test('is answered at once without it, as it stands', async () => {
    const { id } = await hook()
    const answer = await ada.post(`/api/v1/deployment-hooks/${id}/test`)
    expect(answer.status).toBe(202)
    expect(answer.body.status).toBe('pending')
    expect(answer.headers.get('location')).toBe(`/api/v1/dispatches/${answer.body.id}`)
    await receiver.event('test.ping')
    receiver.stop()
  })

  test('is tried once, and raises no deployment event', async () => {
    const { id } = await hook({ enabled: false })
    receiver.answer = () => new Response('no', { status: 500 })
    const { body } = await ada.post(`/api/v1/deployment-hooks/${id}/test`, undefined, { Prefer: 'wait=10' })
    expect(body).toMatchObject({ status: 'failed', attempt_count: 1, error: { code: 'http_error' } })
    const told = await box.sql`select name from outbox where project_id = ${site.project.id} and name like 'deployment.%'`
    expect(told).toHaveLength(0)
    receiver.stop()
  })
})

test('One request id joins the log of the API with that of the worker', async () => {
  await hook()
  const execution = await box.running(ada, site.project.id)
  const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
  await ada.post(`/api/v1/gates/${gate.id}/approve`, undefined, { 'X-Request-Id': 'follow-me-17' })
  await receiver.event('gate.approved')
  const [route] = await Promise.all([box.api.said('follow-me-17'), box.workers[0]?.said('follow-me-17')])
  expect(JSON.parse(route)).toMatchObject({ method: 'POST', status: 200 })
  receiver.stop()
})
