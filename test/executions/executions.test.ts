import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Work } from './work.ts'

let work: Work

beforeAll(async () => {
  work = await Work.begin()
})
afterAll(() => work.box.close())

test('a new execution is queued', async () => {
  const { status, headers, body } = await work.ada.post(`/api/v1/requirements/${work.requirement.id}/executions`, {
    agent: ' claude-code ',
  })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/executions/${body.id}`])
  expect(body).toEqual({
    id: expect.any(String),
    organization_id: work.site.organization.id,
    workspace_id: work.site.workspace.id,
    project_id: work.site.project.id,
    requirement_id: work.requirement.id,
    graph_id: expect.any(String),
    agent: 'claude-code',
    runtime_id: null,
    status: 'queued',
    summary: null,
    error: null,
    cost_usd: null,
    cost_from: 'reports',
    reported_cost_usd: null,
    max_cost_usd: null,
    usage: [],
    unpriced: 0,
    metrics: {},
    artifacts: [],
    created_by: work.ada.id,
    actor: { type: 'user', id: work.ada.id, name: work.ada.name },
    started_by: null,
    started_at: null,
    finished_at: null,
    created_at: expect.any(String),
    updated_at: body.created_at,
  })
  expect((await work.queue()).graph_id).not.toBe(body.graph_id)
})

test('a new execution is started in the same transaction if the request says so', async () => {
  const started = await work.queue({ start: true })
  expect(started).toMatchObject({
    status: 'running',
    created_by: work.ada.id,
    started_by: work.ada.id,
    started_at: expect.any(String),
  })
  const entries = await work.box.sql`
    select action, created_at = ${started.created_at} as is_together
    from audit_log_entries
    where resource_id = ${started.id}
    order by id
  `
  expect([...entries]).toEqual(['execution.created', 'execution.started'].map((action) => ({ action, is_together: true })))
})

test('an unknown runtime, or one of another organization, is refused', async () => {
  const elsewhere = await work.box.site(work.ada, 'Elsewhere')
  const [runtime] = await work.box.sql`
    insert into runtimes (organization_id, name, hostname, owner_id)
    values (${elsewhere.organization.id}, 'far', 'far.example.com', ${work.ada.id})
    returning id
  `
  for (const runtime_id of [crypto.randomUUID(), runtime?.id]) {
    const { status, body } = await work.ada.post(`/api/v1/requirements/${work.requirement.id}/executions`, {
      agent: 'a',
      runtime_id,
    })
    expect([status, body.errors[0].pointer]).toEqual([422, '/runtime_id'])
  }
  const [own] = await work.box.sql`
    insert into runtimes (organization_id, name, hostname, owner_id)
    values (${work.site.organization.id}, 'near', 'near.example.com', ${work.ada.id})
    returning id
  `
  expect((await work.queue({ runtime_id: own?.id })).runtime_id).toBe(own?.id)
})

describe('State transitions:', () => {
  const SETUP: Record<string, (id: string) => Promise<unknown>> = {
    queued: async () => {},
    running: (id) => work.act(id, 'start'),
    awaiting_gate: async (id) => {
      await work.act(id, 'start')
      await work.act(id, 'gates', { name: 'Gate' })
    },
    completed: async (id) => {
      await work.act(id, 'start')
      await work.act(id, 'complete')
    },
    failed: async (id) => {
      await work.act(id, 'start')
      await work.act(id, 'fail')
    },
    cancelled: (id) => work.act(id, 'cancel'),
  }
  // The next status; null where the action is refused.
  const TABLE: Record<string, Record<string, string | null>> = {
    queued: { start: 'running', complete: null, fail: null, cancel: 'cancelled', gates: null, usage: null },
    running: {
      start: null,
      complete: 'completed',
      fail: 'failed',
      cancel: 'cancelled',
      gates: 'awaiting_gate',
      usage: 'running',
    },
    awaiting_gate: {
      start: null,
      complete: null,
      fail: 'failed',
      cancel: 'cancelled',
      gates: 'awaiting_gate',
      usage: 'awaiting_gate',
    },
    completed: { start: null, complete: null, fail: null, cancel: null, gates: null, usage: 'completed' },
    failed: { start: null, complete: null, fail: null, cancel: null, gates: null, usage: 'failed' },
    cancelled: { start: null, complete: null, fail: null, cancel: null, gates: null, usage: null },
  }
  const BODIES: Record<string, object> = { gates: { name: 'Gate' }, usage: { cost_usd: 1 } }

  for (const [state, actions] of Object.entries(TABLE)) {
    for (const [action, next] of Object.entries(actions)) {
      test(`${action} when ${state} ${next ? `leads to ${next}` : 'is refused'}`, async () => {
        const { id } = await work.queue()
        await SETUP[state]?.(id)
        const before = (await work.ada.get(`/api/v1/executions/${id}`)).body
        expect(before.status).toBe(state)
        const eventsBefore = await work.events(work.site.project.id)
        const answer = await work.act(id, action, BODIES[action])
        const after = (await work.ada.get(`/api/v1/executions/${id}`)).body
        if (next) {
          expect([answer.status, after.status]).toEqual([action === 'gates' ? 201 : 200, next])
          return
        }
        expect([answer.status, answer.body.code]).toEqual([409, 'invalid_transition'])
        expect(answer.body.detail).toStartWith('The execution is ')
        expect(answer.body.detail).toContain(state)
        expect(after).toEqual(before)
        expect(await work.events(work.site.project.id)).toEqual(eventsBefore)
      })
    }
  }
})

describe('The report of an execution', () => {
  test('is stored: summary, cost, metrics, artifacts, user and times', async () => {
    const { id } = await work.queue()
    const started = (await work.act(id, 'start')).body
    expect(started).toMatchObject({ status: 'running', started_by: work.ada.id, finished_at: null })
    expect(Date.parse(started.started_at)).toBeLessThanOrEqual(Date.parse(started.updated_at))
    const artifacts = [
      { name: 'diff', kind: 'patch', content: '+1' },
      { name: 'log', url: 'https://ci.example.com/1' },
    ]
    const metrics = { tests_passed: 42, lines_added: 10.5 }
    const { body } = await work.act(id, 'complete', { summary: 'Done.', cost_usd: 0.25, metrics, artifacts })
    expect(body).toMatchObject({ status: 'completed', summary: 'Done.', cost_usd: 0.25, metrics, artifacts, error: null })
    expect(body.finished_at >= body.started_at).toBe(true)
    expect((await work.ada.get(`/api/v1/executions/${id}`)).body).toEqual(body)
  })

  test('of a failure is stored with its error and cost', async () => {
    const execution = await work.box.running(work.ada, work.site.project.id)
    const { body } = await work.act(execution.id, 'fail', { error: 'Out of memory', cost_usd: 0.5, metrics: { retries: 2 } })
    expect(body).toMatchObject({
      status: 'failed',
      error: 'Out of memory',
      cost_usd: 0.5,
      metrics: { retries: 2 },
      summary: null,
    })
  })

  test('is refused when a value is out of bounds', async () => {
    const { id } = await work.box.running(work.ada, work.site.project.id)
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`m${index}`, 1]))
    const cases: [object, string][] = [
      [{ cost_usd: -0.01 }, '/cost_usd'],
      [{ cost_usd: 1_000_000_000.01 }, '/cost_usd'],
      [{ cost_usd: '1' }, '/cost_usd'],
      [{ summary: 'x'.repeat(10_001) }, '/summary'],
      [{ metrics: { tests_passed: '42' } }, '/metrics/tests_passed'],
      [{ metrics: { tests_passed: -1 } }, '/metrics/tests_passed'],
      [{ metrics: { tests_passed: 1e16 } }, '/metrics/tests_passed'],
      [{ metrics: many }, '/metrics'],
      [{ metrics: { 'a\nb': null } }, '/metrics'],
      [{ metrics: { 'a\u2028b': { c: 1 } } }, '/metrics'],
      [{ artifacts: Array(101).fill({ name: 'x' }) }, '/artifacts'],
      [{ artifacts: [{ kind: 'x' }] }, '/artifacts/0/name'],
      [{ artifacts: [{ name: 'x', url: 'javascript:1' }] }, '/artifacts/0/url'],
      [{ artifacts: [{ name: 'x', content: 'y'.repeat(65_537) }] }, '/artifacts/0/content'],
      [{ error: 'not here' }, '/error'],
    ]
    for (const [body, pointer] of cases) {
      const answer = await work.act(id, 'complete', body)
      expect([pointer, answer.status, answer.body.errors?.map((each: { pointer: string }) => each.pointer)]).toEqual([
        pointer,
        422,
        [pointer],
      ])
    }
    expect((await work.act(id, 'complete', { artifacts: [{ name: 'x', content: 'y'.repeat(65_536) }] })).status).toBe(200)
  })
})

test('the list can be filtered by status and agent', async () => {
  const made = await work.ada.make(`/api/v1/projects/${work.site.project.id}/requirements`, { title: 'Filtered' })
  const first = await work.queue({ agent: 'first' }, made.id)
  await work.queue({ agent: 'second' }, made.id)
  await work.act(first.id, 'start')
  const agents = async (query: string) =>
    (await work.ada.get(`/api/v1/requirements/${made.id}/executions?${query}`)).body.items.map(
      ({ agent }: { agent: string }) => agent,
    )
  expect(await agents('')).toEqual(['second', 'first'])
  expect(await agents('status=running')).toEqual(['first'])
  expect(await agents('agent=second')).toEqual(['second'])
  expect(await agents('agent=second&status=running')).toEqual([])
})
