import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { budgetEventNames, limitOrganization } from '../budgets/support.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { apiRequest, sendLogs } from './otlp.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const act = (id: string, action: string, body: object = {}) => ada.post(`/api/v1/executions/${id}/${action}`, body)
const cost = (usd: string) => apiRequest({ cost_usd: usd })

const overBudget = async (id: string) =>
  (
    await box.sql`
      select data -> 'execution' as execution
      from outbox
      where name = 'execution.over_budget'
        and data -> 'execution' ->> 'id' = ${id}
    `
  ).map(({ execution }) => execution)

describe('An execution with max_cost_usd', () => {
  test('is over budget once, when telemetry exceeds it, and continues', async () => {
    const { id } = await box.running(ada, site.project.id, { cost_from: 'telemetry', max_cost_usd: 2 })
    await sendLogs(ada, id, cost('2'))
    expect(await overBudget(id)).toEqual([])
    await Promise.all(Array.from({ length: 5 }, () => sendLogs(ada, id, cost('0.5'))))
    const [event, ...more] = await overBudget(id)
    expect([event.cost_usd, event.max_cost_usd, more]).toEqual([2.5, 2, []])
    expect((await act(id, 'complete')).body).toMatchObject({ status: 'completed', cost_usd: 4.5 })
  })

  test.each(['usage', 'complete', 'fail'])(
    'is over budget once by %s, and its entity tag stays that of the answer',
    async (action) => {
      const { id } = await box.running(ada, site.project.id, { max_cost_usd: 1 })
      const answer = await act(id, action, { cost_usd: 1.5 })
      expect(answer.status).toBe(200)
      expect((await ada.get(`/api/v1/executions/${id}`)).headers.get('etag')).toBe(answer.headers.get('etag'))
      await act(id, 'usage', { cost_usd: 1.5 })
      expect(await overBudget(id)).toHaveLength(1)
    },
  )

  test('is not over budget by telemetry that does not add to its cost', async () => {
    const { id } = await box.running(ada, site.project.id, { max_cost_usd: 1 })
    await sendLogs(ada, id, cost('5'))
    expect(await overBudget(id)).toEqual([])
  })
})

describe('An agent with a limit', () => {
  const limits = (of: Site) => `/api/v1/organizations/${of.organization.id}/agent-limits`

  test('cannot start another execution in the month once it is reached; what runs continues, and other agents start', async () => {
    const place = await box.site(ada, 'Limited')
    const set = await ada.put(limits(place), [
      { agent: 'codex', max_cost_usd: 3 },
      { agent: 'claude', max_cost_usd: 100 },
    ])
    expect([set.status, set.body]).toEqual([
      200,
      [
        { agent: 'claude', max_cost_usd: 100 },
        { agent: 'codex', max_cost_usd: 3 },
      ],
    ])
    expect((await ada.get(limits(place))).body).toEqual(set.body)
    const requirement = await ada.make(`/api/v1/projects/${place.project.id}/requirements`, { title: 'Waits' })
    const create = (agent: string) => ada.post(`/api/v1/requirements/${requirement.id}/executions`, { agent })
    const { body: queued } = await create('codex')
    const execution = await box.running(ada, place.project.id, { agent: 'codex', cost_from: 'telemetry' })
    await sendLogs(ada, execution.id, cost('2.999999'))
    expect((await create('codex')).status).toBe(201)
    await sendLogs(ada, execution.id, cost('0.000001'))
    for (const answer of [await create('codex'), await act(queued.id, 'start')]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'budget_exhausted'])
      expect(answer.body.detail).toContain('The agent codex has reached its limit of 3 USD')
    }
    expect((await create('claude')).status).toBe(201)
    await sendLogs(ada, execution.id, cost('1'))
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    expect((await ada.post(`/api/v1/gates/${gate.id}/approve`)).status).toBe(200)
    expect((await act(execution.id, 'complete')).body.cost_usd).toBe(4)
    // The next month.
    await box.sql`update agent_spend set month = month - interval '1 month' where organization_id = ${place.organization.id}`
    expect((await act(queued.id, 'start')).status).toBe(200)
  })

  test('that cannot be is refused', async () => {
    const limit = { agent: 'codex', max_cost_usd: 3 }
    for (const [body, pointer] of [
      [[{ ...limit, max_cost_usd: -1 }], '/0/max_cost_usd'],
      [[limit, { ...limit, agent: ' codex' }], '/1/agent'],
      [[{ agent: 'codex' }], '/0/max_cost_usd'],
    ] as const) {
      const answer = await ada.put(limits(site), body)
      expect([answer.status, answer.body.errors?.[0].pointer]).toEqual([422, pointer])
    }
  })

  test('is set and read by admins of the organization alone, as prices are', async () => {
    const [member, stranger] = [await box.user('Grace'), await box.user('Eve')]
    await box.join(member, site, 'member', 'admin')
    for (const path of [limits(site), `/api/v1/organizations/${site.organization.id}/model-prices`]) {
      for (const [actor, status] of [
        [member, 403],
        [stranger, 404],
      ] as const) {
        expect((await actor.get(path)).status).toBe(status)
        expect((await actor.put(path, [])).status).toBe(status)
      }
    }
  })
})

test('telemetry crosses budgets as reports do, and an exhausted one refuses only new executions', async () => {
  const place = await box.site(ada, 'Budgets')
  await ada.put(`/api/v1/workspaces/${place.workspace.id}`, { budget_monthly_limit_usd: 10 })
  await limitOrganization(ada, place, 12)
  const [one, other] = [
    await box.running(ada, place.project.id, { cost_from: 'telemetry' }),
    await box.running(ada, place.project.id, { cost_from: 'telemetry' }),
  ]
  await Promise.all([sendLogs(ada, one.id, cost('6')), sendLogs(ada, other.id, cost('3'))])
  expect(await budgetEventNames(box, place.organization.id)).toEqual(['workspace budget.alert'])
  await sendLogs(ada, one.id, cost('3'))
  expect((await budgetEventNames(box, place.organization.id)).toSorted()).toEqual([
    'organization budget.alert',
    'organization budget.exhausted',
    'workspace budget.alert',
    'workspace budget.exhausted',
  ])
  expect((await sendLogs(ada, one.id, cost('1'))).status).toBe(200)
  const requirement = await ada.make(`/api/v1/projects/${place.project.id}/requirements`, { title: 'Too late' })
  const { status, body } = await ada.post(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
  expect([status, body.code]).toEqual([409, 'budget_exhausted'])
  // Gates, hooks, reports and reading go on.
  const gate = await ada.make(`/api/v1/executions/${one.id}/gates`, { name: 'Review' })
  const hook = await ada.make(`/api/v1/projects/${place.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: 'http://127.0.0.1:1/',
    trigger_on: 'gate_approved',
  })
  expect((await ada.post(`/api/v1/gates/${gate.id}/approve`)).status).toBe(200)
  expect((await ada.post(`/api/v1/deployment-hooks/${hook.id}/trigger`)).status).toBe(202)
  expect((await act(one.id, 'usage', { cost_usd: 1 })).status).toBe(200)
  expect((await ada.get(`/api/v1/executions/${one.id}`)).body.status).toBe('running')
  expect((await act(one.id, 'complete')).status).toBe(200)
})
