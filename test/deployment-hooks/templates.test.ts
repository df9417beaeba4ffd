/** Body templates, from the API to the receiver. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { Answer } from '../support/signalbox.ts'
import { errorsOf, pathOf, Workbench } from './workbench.ts'

type Body = Answer['body']

const TOKEN = 'glptt-0f1e2d3c4b5a'
const WAIT = { Prefer: 'wait=25' }

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const put = (hook: Body, input: object) => bench.admin.put(pathOf(hook), input)

describe('a body template', () => {
  test('may use the subject, the approvals and the answers of a gate', async () => {
    const at = (path: string) => `{{/data/gate/${path}}}`
    const body_template = {
      commit: at('subject/digest/gitCommit'),
      text: `${at('subject/version')} by ${at('approvals/0/name')}, ticket ${at('answers/ticket')}`,
      percent: at('answers/percent'),
      counts: at('approvals/0/counts'),
      missing: at('answers/other'),
    }
    const { project, receiver } = await bench.hooked({ body_template })
    const gate = await bench.admin.make(`/api/v1/projects/${project.id}/gates`, {
      name: 'Release',
      environment: 'production',
      subject: { uri: 'git+https://git.example.com/a', digest: { gitCommit: 'a'.repeat(40) }, version: 'v1.5.0' },
      fields: [
        { name: 'ticket', label: 'Ticket', type: 'text' },
        { name: 'percent', label: 'Percent', type: 'number' },
      ],
    })
    await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, {
      binding: gate.binding,
      answers: { ticket: 'OPS-1', percent: 12.5 },
    })
    await receiver.waitFor(1)
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toEqual({
      commit: 'a'.repeat(40),
      text: `v1.5.0 by ${bench.admin.name}, ticket OPS-1`,
      percent: 12.5,
      counts: true,
      missing: null,
    })
  })

  test('makes the body of every event: rendered once, kept, signed and sent', async () => {
    const body_template = {
      z: '{{/event}}',
      a: ['{{/sequence}}', 'gate {{/data/gate/name}} in {{/environment}}', '{{/data/target_version}}', '{{{{/event}}'],
      project: '{{/project}}',
    }
    const { project, hook, receiver } = await bench.hooked({ secret: 'plain', body_template })
    receiver.answer = (_, number) => new Response('', { status: number === 1 ? 500 : 200 })
    expect(hook).toMatchObject({ body_template, template_secrets: {}, filter: null })
    await bench.approve(project)
    const dispatch = await bench.settled(hook)
    const [first, second] = receiver.requests
    const expected = {
      z: 'gate.approved',
      a: [1, expect.stringMatching(/^gate .+ in production$/), null, '{{/event}}'],
      project: { id: project.id, name: 'Checkout' },
    }
    expect(JSON.parse(first?.body ?? '')).toEqual(expected)
    expect(first?.body).toStartWith('{"z":"gate.approved","a":[1,')
    expect(second?.body).toBe(first?.body as string)
    expect(dispatch.payload).toBe(first?.body)
    expect(first?.headers['x-signalbox-signature']).toBe(
      `sha256=${createHmac('sha256', 'plain')
        .update(first?.body ?? '')
        .digest('hex')}`,
    )
    // A retry or redelivery keeps the bytes, whatever the template is by then.
    await bench.change(hook, { body_template: null })
    const { body: again } = await bench.act(dispatch, 'redeliver', WAIT)
    expect(again.status).toBe('succeeded')
    expect(receiver.requests.at(-1)?.body).toBe(first?.body as string)

    await bench.change(hook, { body_template: ['{{/event}}', '{{/sequence}}', '{{/data/target_version}}'] })
    await bench.ask(hook, 'test', undefined, WAIT)
    await bench.ask(hook, 'trigger', undefined, WAIT)
    await bench.admin.post(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version: 'v1' }, WAIT)
    expect(receiver.requests.slice(3).map(({ body }) => JSON.parse(body))).toEqual([
      ['test.ping', null, null],
      ['manual.trigger', 2, null],
      ['deployment.rollback', 3, 'v1'],
    ])
  })

  test('of one hook leaves the body of another as it is', async () => {
    const { project, receiver } = await bench.hooked()
    const other = bench.receiver()
    const input = { name: 'Plain', url: other.url, trigger_on: 'gate_approved', body_template: '{{/data}}' }
    await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, input)
    await bench.approve(project)
    const [[envelope], [data]] = await Promise.all([receiver.waitFor(1), other.waitFor(1)])
    expect(JSON.parse(data?.body ?? '')).toEqual(JSON.parse(envelope?.body ?? '').data)
    expect(JSON.parse(envelope?.body ?? '')).toMatchObject({ event: 'gate.approved', sequence: 1 })
  })

  test('may be any JSON, and keeps the order of its keys', async () => {
    for (const body_template of ['{{/event}}', 7, true, [], {}, { b: 1, a: [null, { '{{': '' }] }]) {
      const { hook } = await bench.hookTo('http://127.0.0.1:1/', { body_template })
      const shown = (await bench.admin.get(pathOf(hook))).body.body_template
      expect(JSON.stringify(shown)).toBe(JSON.stringify(body_template))
      await bench.change(hook, { body_template: [body_template] })
      expect((await bench.change(hook, { body_template: null })).body_template).toBeNull()
    }
  })

  test('has only values put in: they cannot add placeholders, fields or secrets', async () => {
    const name = '"},{{secret:token}} {{/data}} {{{{'
    const body_template = { note: 'Gate {{/data/gate/name}}', name: '{{/data/gate/name}}' }
    const { project, hook, receiver } = await bench.hooked({ body_template, template_secrets: { token: TOKEN } })
    const execution = await bench.box.running(bench.admin, project.id)
    const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name })
    await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, {})
    await bench.settled(hook)
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toEqual({ note: `Gate ${name}`, name })
  })

  test('that refers to itself is put in once', async () => {
    const body_template = { self: '{{/data/hook/body_template}}' }
    const { hook, receiver } = await bench.hooked({ body_template })
    await bench.ask(hook, 'test', undefined, WAIT)
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toEqual({ self: body_template })
  })

  test('is refused if a string is malformed, with a pointer to it', async () => {
    expect(errorsOf(await bench.create({ body_template: { 'a/b': ['{{ok', { c: 'x {{event}}' }], d: '{{/event}}' } }))).toEqual([
      422,
      '/body_template/a~1b/0 malformed',
      '/body_template/a~1b/1/c malformed',
    ])
    expect(errorsOf(await bench.create({ body_template: '{{secret:nothing}}' }))).toEqual([422, '/body_template unknown_secret'])
  })

  test('has at most twenty errors, with short pointers, however long its names are', async () => {
    const { status, body } = await bench.create({ body_template: { ['~'.repeat(11_000)]: Array(4_000).fill('{{') } })
    expect([status, body.errors.length]).toEqual([422, 20])
    expect(JSON.stringify(body).length).toBeLessThan(32_768)
  })

  test('is at most 32 KiB and 16 levels deep', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])
    expect((await bench.create({ body_template: nested(16) })).status).toBe(201)
    expect(errorsOf(await bench.create({ body_template: nested(17) }))).toEqual([422, '/body_template nested_too_deep'])
    expect((await bench.create({ body_template: 'é'.repeat(16_383) })).status).toBe(201)
    expect(errorsOf(await bench.create({ body_template: `${'é'.repeat(16_383)}x` }))).toEqual([422, '/body_template too_long'])
  })

  test('may name the values of reports only where report_within_seconds is set', async () => {
    const input = { report_within_seconds: null }
    for (const name of ['url', 'token'])
      expect(errorsOf(await bench.create({ ...input, body_template: { r: `{{report:${name}}}` } }))).toEqual([
        422,
        '/body_template/r reports_required',
      ])
  })

  test('is audited by its change, and an equal one changes nothing', async () => {
    const { hook } = await bench.hookTo('http://127.0.0.1:1/', { body_template: { a: 1, b: 2 } })
    const same = await put(hook, { body_template: { b: 2, a: 1 }, filter: null, template_secrets: {} })
    expect(same.body.updated_at).toBe(hook.updated_at)
    const changed = await put(hook, { body_template: { a: 1 }, filter: { '/event': 'gate.approved' } })
    expect(changed.body.updated_at > hook.updated_at).toBe(true)
    expect((await bench.lastEntry(hook.id)).detail).toContain('body_template from {"a":1,"b":2} to {"a":1}; filter from none to')
  })
})

describe('a rendered body that is larger than 1 MiB', () => {
  /** A template that repeats a description of 10,000 characters. */
  const body_template = Array.from({ length: 110 }, () => '{{/data/gate/description}}')

  async function approveLarge(project: Body): Promise<void> {
    const execution = await bench.box.running(bench.admin, project.id)
    const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, {
      name: 'Large',
      description: 'x'.repeat(10_000),
    })
    await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, {})
  }

  test('is not sent: its dispatch fails, raises deployment.failed, and has nothing to redeliver', async () => {
    const { project, hook, receiver } = await bench.hooked({ body_template })
    const outcomes = await bench.subscribeToOutcomes(project)
    const since = new Date(Date.now() - 60_000).toISOString()
    await approveLarge(project)
    const dispatch = await bench.settled(hook)
    expect(dispatch).toMatchObject({
      status: 'failed',
      attempt_count: 0,
      attempts: [],
      sequence: 1,
      payload: '',
      error: { code: 'payload_too_large' },
      next_attempt_at: null,
      completed_at: expect.any(String),
    })
    const event = JSON.parse((await outcomes.event('deployment.failed')).body)
    const { payload: _, request_headers: __, attempts: ___, response_body: ____, ...shown } = dispatch
    expect(event.data.dispatch).toEqual(shown)
    const redelivered = await bench.act(dispatch, 'redeliver')
    expect([redelivered.status, redelivered.body.code]).toEqual([409, 'invalid_transition'])
    expect((await bench.ask(hook, 'recover', { since })).body).toEqual({ redelivered: 0 })
    const [retried] = await bench.box.sql`select outcome from ops.retry(array[${dispatch.id}])`
    expect(retried?.outcome).toStartWith('not possible')
    expect(receiver.requests).toHaveLength(0)
    expect((await bench.listed(hook, '?status=failed')).total).toBe(1)
    // Also after an operator has discarded it, which replaces its error.
    await bench.box.sql`select from ops.discard(array[${dispatch.id}], 'given up')`
    const again = await bench.act(dispatch, 'redeliver')
    expect([again.status, again.body.code, again.body.detail]).toEqual([
      409,
      'invalid_transition',
      expect.stringContaining('its body was too large'),
    ])

    // A smaller event is sent, with the next sequence.
    await bench.approve(project)
    await bench.dispatches(hook, (found) => found.some(({ status }) => status === 'succeeded'))
    expect(receiver.requests[0]?.headers['x-signalbox-sequence']).toBe('2')
  })

  test('does not keep other hooks from the event', async () => {
    const { project, receiver } = await bench.hooked()
    const input = { name: 'Large', url: receiver.url, trigger_on: 'gate_approved', body_template }
    const large = await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, input)
    await approveLarge(project)
    expect((await bench.settled(large)).error.code).toBe('payload_too_large')
    await receiver.waitFor(1)
  })

  test('of a test fails at once and raises nothing', async () => {
    const repeated = Array.from({ length: 1_000 }, () => '{{/data}}')
    const { project, hook } = await bench.hooked({ body_template: repeated })
    const { status, body } = await bench.ask(hook, 'test', undefined, WAIT)
    expect([status, body.status, body.error.code]).toEqual([200, 'failed', 'payload_too_large'])
    const events = await bench.box.sql`select from outbox where project_id = ${project.id} and name = 'deployment.failed'`
    expect(events).toHaveLength(0)
  })
})
