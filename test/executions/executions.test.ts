import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let requirement: { id: string }

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
})
afterAll(() => box.close())

const queue = (input: object = {}, of = requirement.id) =>
  ada.make(`/api/v1/requirements/${of}/executions`, { agent: 'claude-code', ...input })
const act = (id: string, action: string, body?: object) => ada.post(`/api/v1/executions/${id}/${action}`, body)
const events = async (project_id: string) =>
  (await box.sql<{ name: string }[]>`select name from outbox where project_id = ${project_id} order by id`).map(
    ({ name }) => name,
  )

test('a new execution waits in the queue', async () => {
  const { status, headers, body } = await ada.post(`/api/v1/requirements/${requirement.id}/executions`, {
    agent: ' claude-code ',
  })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/executions/${body.id}`])
  expect(body).toEqual({
    id: expect.any(String),
    organization_id: site.organization.id,
    workspace_id: site.workspace.id,
    project_id: site.project.id,
    requirement_id: requirement.id,
    graph_id: expect.any(String),
    agent: 'claude-code',
    runtime_id: null,
    status: 'queued',
    summary: null,
    error: null,
    cost_usd: null,
    metrics: {},
    artifacts: [],
    created_by: ada.id,
    started_by: null,
    started_at: null,
    finished_at: null,
    created_at: expect.any(String),
    updated_at: body.created_at,
  })
  expect((await queue()).graph_id).not.toBe(body.graph_id)
})

test('an unknown runtime, or one of another organization, is refused by name', async () => {
  const elsewhere = await box.site(ada, 'Elsewhere')
  const [runtime] = await box.sql`
    insert into runtimes (organization_id, name, hostname, owner_id)
    values (${elsewhere.organization.id}, 'far', 'far.example.com', ${ada.id})
    returning id
  `
  for (const runtime_id of [crypto.randomUUID(), runtime?.id]) {
    const { status, body } = await ada.post(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'a', runtime_id })
    expect([status, body.errors[0].pointer]).toEqual([422, '/runtime_id'])
  }
  const [own] = await box.sql`
    insert into runtimes (organization_id, name, hostname, owner_id)
    values (${site.organization.id}, 'near', 'near.example.com', ${ada.id})
    returning id
  `
  expect((await queue({ runtime_id: own?.id })).runtime_id).toBe(own?.id)
})

describe('From every state, every action', () => {
  const REACH: Record<string, (id: string) => Promise<unknown>> = {
    queued: async () => {},
    running: (id) => act(id, 'start'),
    awaiting_gate: async (id) => {
      await act(id, 'start')
      await act(id, 'gates', { name: 'Gate' })
    },
    completed: async (id) => {
      await act(id, 'start')
      await act(id, 'complete')
    },
    failed: async (id) => {
      await act(id, 'start')
      await act(id, 'fail')
    },
    cancelled: (id) => act(id, 'cancel'),
  }
  // The state that follows; null where it is refused.
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
      test(`${action} of one that is ${state} ${next ? `makes it ${next}` : 'is refused'}`, async () => {
        const { id } = await queue()
        await REACH[state]?.(id)
        const before = (await ada.get(`/api/v1/executions/${id}`)).body
        expect(before.status).toBe(state)
        const told = await events(site.project.id)
        const answer = await act(id, action, BODIES[action])
        const after = (await ada.get(`/api/v1/executions/${id}`)).body
        if (next) {
          expect([answer.status, after.status]).toEqual([action === 'gates' ? 201 : 200, next])
          return
        }
        expect([answer.status, answer.body.code]).toEqual([409, 'invalid_transition'])
        expect(answer.body.detail).toContain(state)
        expect(after).toEqual(before)
        expect(await events(site.project.id)).toEqual(told)
      })
    }
  }
})

describe('What an execution reports', () => {
  test('is kept: summary, costs, metrics and artifacts, and who and when', async () => {
    const { id } = await queue()
    const started = (await act(id, 'start')).body
    expect(started).toMatchObject({ status: 'running', started_by: ada.id, finished_at: null })
    expect(started.started_at).toBe(started.updated_at)
    const artifacts = [
      { name: 'diff', kind: 'patch', content: '+1' },
      { name: 'log', url: 'https://ci.example.com/1' },
    ]
    const metrics = { tests_passed: 42, lines_added: 10.5 }
    const { body } = await act(id, 'complete', { summary: 'Done.', cost_usd: 0.25, metrics, artifacts })
    expect(body).toMatchObject({ status: 'completed', summary: 'Done.', cost_usd: 0.25, metrics, artifacts, error: null })
    expect(body.finished_at >= body.started_at).toBe(true)
    expect((await ada.get(`/api/v1/executions/${id}`)).body).toEqual(body)
  })

  test('of a failure keeps its error and its costs', async () => {
    const execution = await box.running(ada, site.project.id)
    const { body } = await act(execution.id, 'fail', { error: 'Out of memory', cost_usd: 0.5, metrics: { retries: 2 } })
    expect(body).toMatchObject({
      status: 'failed',
      error: 'Out of memory',
      cost_usd: 0.5,
      metrics: { retries: 2 },
      summary: null,
    })
  })

  test('is refused by name where it is out of bounds', async () => {
    const { id } = await box.running(ada, site.project.id)
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`m${index}`, 1]))
    const cases: [object, string][] = [
      [{ cost_usd: -0.01 }, '/cost_usd'],
      [{ cost_usd: 0.0000001 }, '/cost_usd'],
      [{ cost_usd: '1' }, '/cost_usd'],
      [{ summary: 'x'.repeat(10_001) }, '/summary'],
      [{ metrics: { tests_passed: '42' } }, '/metrics/tests_passed'],
      [{ metrics: { tests_passed: -1 } }, '/metrics/tests_passed'],
      [{ metrics: { tests_passed: 1e16 } }, '/metrics/tests_passed'],
      [{ metrics: many }, '/metrics'],
      [{ artifacts: Array(101).fill({ name: 'x' }) }, '/artifacts'],
      [{ artifacts: [{ kind: 'x' }] }, '/artifacts/0/name'],
      [{ artifacts: [{ name: 'x', url: 'javascript:1' }] }, '/artifacts/0/url'],
      [{ artifacts: [{ name: 'x', content: 'y'.repeat(65_537) }] }, '/artifacts/0/content'],
      [{ error: 'not here' }, '/error'],
    ]
    for (const [body, pointer] of cases) {
      const answer = await act(id, 'complete', body)
      expect([pointer, answer.status, answer.body.errors?.map((each: { pointer: string }) => each.pointer)]).toEqual([
        pointer,
        422,
        [pointer],
      ])
    }
    expect((await act(id, 'complete', { artifacts: [{ name: 'x', content: 'y'.repeat(65_536) }] })).status).toBe(200)
  })
})

describe('Money', () => {
  test('of sixty reports at once adds up to the last digit, in execution, workspace and organization', async () => {
    const place = await box.site(ada, 'Money')
    const executions = await Promise.all([1, 2, 3].map(() => box.running(ada, place.project.id)))
    const reports = Array.from({ length: 60 }, (_, index) => ({ id: executions[index % 3].id, cost_usd: 0.1 + index / 1e6 }))
    const answers = await Promise.all(
      reports.map(({ id, cost_usd }) => act(id, 'usage', { cost_usd: Number(cost_usd.toFixed(6)) })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // 60 × 0.1 and 0 + 1 + … + 59 millionths.
    const total = 6.00177
    const each = await Promise.all(executions.map(async ({ id }) => (await ada.get(`/api/v1/executions/${id}`)).body.cost_usd))
    expect(each.sort()).toEqual([2.00057, 2.00059, 2.00061])
    expect((await ada.get(`/api/v1/workspaces/${place.workspace.id}`)).body.budget_used_usd).toBe(total)
    expect((await ada.get(`/api/v1/organizations/${place.organization.id}`)).body.budget_used_usd).toBe(total)
  })

  test('adds what the end reports to what was reported before, and after; none reported is null, and 0 is 0', async () => {
    const { id } = await box.running(ada, site.project.id)
    await act(id, 'usage', { cost_usd: 0.1 })
    await act(id, 'usage', { cost_usd: 0.2 })
    expect((await act(id, 'complete', { cost_usd: 0.3 })).body.cost_usd).toBe(0.6)
    expect((await act(id, 'usage', { cost_usd: 0.000001 })).body.cost_usd).toBe(0.600001)
    const free = await box.running(ada, site.project.id)
    expect((await act(free.id, 'complete')).body.cost_usd).toBeNull()
    expect((await act(free.id, 'usage', { cost_usd: 0 })).body.cost_usd).toBe(0)
  })

  test('of the largest size is kept to the cent', async () => {
    const { id } = await box.running(ada, site.project.id)
    expect((await act(id, 'usage', { cost_usd: 999_999_999.99 })).body.cost_usd).toBe(999_999_999.99)
  })
})

describe('Events', () => {
  test('tell of each move, once, in order, with the execution as the API shows it, without its artifacts', async () => {
    const place = await box.site(ada, 'Events')
    const { id } = await box.running(ada, place.project.id)
    const { body } = await act(id, 'complete', { artifacts: [{ name: 'x', content: 'y' }] })
    expect(await events(place.project.id)).toEqual(['execution.started', 'execution.completed', 'workflow.completed'])
    const [event] = await box.sql`select * from outbox where project_id = ${place.project.id} and name = 'execution.completed'`
    const { artifacts: _, ...shown } = body
    expect(event).toMatchObject({
      organization_id: place.organization.id,
      workspace_id: place.workspace.id,
      data: { execution: shown },
    })
    expect(event?.data.execution).not.toHaveProperty('artifacts')
  })

  test('and audit entries are written with the change, or all three are not', async () => {
    const place = await box.site(ada, 'All Or Nothing')
    const { id } = await box.running(ada, place.project.id)
    await box.sql
      .unsafe(`
        create function refuse_event() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
        create trigger refuse_event before insert on outbox for each row
          when (new.name = 'execution.cancelled' and new.project_id = '${place.project.id}') execute function refuse_event()
      `)
      .simple()
    expect((await act(id, 'cancel')).status).toBe(500)
    expect((await ada.get(`/api/v1/executions/${id}`)).body.status).toBe('running')
    const entries = () => box.sql`select action from audit_log_entries where resource_id = ${id} order by id`
    expect((await entries()).map(({ action }) => action)).toEqual(['execution.created', 'execution.started'])
    await box.sql`drop trigger refuse_event on outbox`
    expect((await act(id, 'cancel')).status).toBe(200)
    expect((await entries()).map(({ action }) => action)).toEqual([
      'execution.created',
      'execution.started',
      'execution.cancelled',
    ])
    expect(await events(place.project.id)).toEqual(['execution.started', 'execution.cancelled'])
  })

  test('twenty who start one at once: one does, and it is told once', async () => {
    const place = await box.site(ada, 'Twenty')
    const made = await ada.make(`/api/v1/projects/${place.project.id}/requirements`, { title: 'Once' })
    const { id } = await queue({}, made.id)
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(id, 'start')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await events(place.project.id)).toEqual(['execution.started'])
  })
})

describe('A workflow', () => {
  let place: Site
  const completions = async (graph_id: string) => {
    const [{ count }] = await box.sql<[{ count: number }]>`
      select count(*) as count from outbox where name = 'workflow.completed' and data ->> 'graph_id' = ${graph_id}
    `
    return count
  }
  const newRequirement = async () => (await ada.make(`/api/v1/projects/${place.project.id}/requirements`, { title: 'Part' })).id
  const run = async (graph_id: string, of: string) => {
    const { id } = await queue({ graph_id }, of)
    await act(id, 'start')
    return id
  }

  beforeAll(async () => {
    place = await box.site(ada, 'Workflows')
  })

  test('whose last two executions end at once is completed exactly once, twenty times over', async () => {
    for (let round = 0; round < 20; round++) {
      const graph_id = crypto.randomUUID()
      const ids = await Promise.all([run(graph_id, await newRequirement()), run(graph_id, await newRequirement())])
      const answers = await Promise.all(ids.map((id) => act(id, 'complete')))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await completions(graph_id)).toBe(1)
    }
  })

  test('is not completed while anything in it waits, runs, or stands at a gate', async () => {
    const graph_id = crypto.randomUUID()
    const [first, second] = [await run(graph_id, await newRequirement()), await run(graph_id, await newRequirement())]
    await act(second, 'gates', { name: 'Gate' })
    await act(first, 'complete')
    expect(await completions(graph_id)).toBe(0)
    const { body } = await ada.get(`/api/v1/executions/${second}/gates`)
    await ada.make(`/api/v1/gates/${body[0].id}/approve`)
    expect(await completions(graph_id)).toBe(0)
    await act(second, 'complete')
    expect(await completions(graph_id)).toBe(1)
  })

  test('is not completed by a failure, and is once the failed one was retried', async () => {
    const graph_id = crypto.randomUUID()
    const part = await newRequirement()
    await act(await run(graph_id, part), 'fail')
    expect(await completions(graph_id)).toBe(0)
    await act(await run(graph_id, part), 'complete')
    expect(await completions(graph_id)).toBe(1)
  })

  test('is completed when what was cancelled leaves only what is completed', async () => {
    const graph_id = crypto.randomUUID()
    const [first, second] = [await run(graph_id, await newRequirement()), await run(graph_id, await newRequirement())]
    await act(first, 'complete')
    await act(second, 'cancel')
    expect(await completions(graph_id)).toBe(1)
  })

  test('of which all was cancelled is never completed', async () => {
    const graph_id = crypto.randomUUID()
    const [first, second] = [await run(graph_id, await newRequirement()), await run(graph_id, await newRequirement())]
    await act(first, 'cancel')
    await act(second, 'cancel')
    expect(await completions(graph_id)).toBe(0)
  })

  test('may be completed again by a later execution', async () => {
    const graph_id = crypto.randomUUID()
    const part = await newRequirement()
    await act(await run(graph_id, part), 'complete')
    await act(await run(graph_id, part), 'complete')
    expect(await completions(graph_id)).toBe(2)
  })

  test('is one of its project alone: the same graph_id elsewhere is another', async () => {
    const graph_id = crypto.randomUUID()
    await run(graph_id, requirement.id)
    await act(await run(graph_id, await newRequirement()), 'complete')
    const rows =
      await box.sql`select project_id from outbox where name = 'workflow.completed' and data ->> 'graph_id' = ${graph_id}`
    expect(rows.map(({ project_id }) => project_id)).toEqual([place.project.id])
  })
})

test('the list is filtered by status and agent', async () => {
  const made = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Filtered' })
  const first = await queue({ agent: 'first' }, made.id)
  await queue({ agent: 'second' }, made.id)
  await act(first.id, 'start')
  const agents = async (query: string) =>
    (await ada.get(`/api/v1/requirements/${made.id}/executions?${query}`)).body.items.map(({ agent }: { agent: string }) => agent)
  expect(await agents('')).toEqual(['second', 'first'])
  expect(await agents('status=running')).toEqual(['first'])
  expect(await agents('agent=second')).toEqual(['second'])
  expect(await agents('agent=second&status=running')).toEqual([])
})
