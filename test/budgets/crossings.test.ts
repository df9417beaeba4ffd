import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { budgetEventNames, budgetEvents, limitOrganization, siteWithLimit } from './support.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const report = (id: string, cost_usd: number) => ada.post(`/api/v1/executions/${id}/usage`, { cost_usd })

describe("A workspace's budget", () => {
  test('raises one alert when its threshold is exceeded, and one event when its limit is reached', async () => {
    const { site, execution } = await siteWithLimit(box, ada, 10)
    const { id } = site.organization
    await report(execution.id, 8)
    expect(await budgetEventNames(box, id)).toEqual([])
    await report(execution.id, 0.000001)
    expect(await budgetEventNames(box, id)).toEqual(['workspace budget.alert'])
    await report(execution.id, 1.5)
    expect(await budgetEventNames(box, id)).toHaveLength(1)
    await report(execution.id, 0.499999)
    expect(await budgetEventNames(box, id)).toEqual(['workspace budget.alert', 'workspace budget.exhausted'])
    await report(execution.id, 5)
    expect(await budgetEventNames(box, id)).toHaveLength(2)
    const { body } = await ada.get(`/api/v1/organizations/${id}/budget`)
    const [alert, exhausted] = await budgetEvents(box, id)
    expect([alert?.workspace_id, alert?.budget.budget_used_usd]).toEqual([site.workspace.id, 8.000001])
    expect(exhausted?.budget).toEqual({ ...body.workspaces[0], budget_used_usd: 10, usage_percent: 1 })
  })

  test('is evaluated when its limit is lowered, and not when the same limit is set again', async () => {
    const { site, execution } = await siteWithLimit(box, ada, null)
    const path = `/api/v1/workspaces/${site.workspace.id}`
    const after = async (change: object) => {
      expect((await ada.put(path, change)).status).toBe(200)
      return (await budgetEventNames(box, site.organization.id)).map((name) => name.split('.')[1])
    }
    await report(execution.id, 9)
    expect(await after({ budget_monthly_limit_usd: 100 })).toEqual([])
    expect(await after({ budget_monthly_limit_usd: 10 })).toEqual(['alert'])
    expect(await after({ budget_monthly_limit_usd: 10, budget_alert_threshold: 0.8 })).toEqual(['alert'])
    expect(await after({ name: 'Renamed' })).toEqual(['alert'])
    expect(await after({ budget_alert_threshold: 0.5 })).toEqual(['alert', 'alert'])
    expect(await after({ budget_monthly_limit_usd: 9 })).toEqual(['alert', 'alert', 'alert', 'exhausted'])
    expect(await after({ budget_monthly_limit_usd: null })).toHaveLength(4)
    expect(await after({ budget_monthly_limit_usd: 9 })).toHaveLength(6)
  })

  test('of zero is exhausted when it is created', async () => {
    const { organization } = await box.site(ada)
    await ada.make(`/api/v1/organizations/${organization.id}/workspaces`, { name: 'None', budget_monthly_limit_usd: 0 })
    expect(await budgetEventNames(box, organization.id)).toEqual(['workspace budget.alert', 'workspace budget.exhausted'])
  })
})

test("the organization's budget counts the spend of all workspaces, and its events have no workspace", async () => {
  const { site, execution } = await siteWithLimit(box, ada, null)
  await limitOrganization(ada, site, 10)
  const other = await ada.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Other' })
  const project = await ada.make(`/api/v1/workspaces/${other.id}/projects`, { name: 'Other' })
  const second = await box.running(ada, project.id)
  await report(execution.id, 6)
  await ada.post(`/api/v1/executions/${second.id}/complete`, { cost_usd: 4 })
  const events = await budgetEvents(box, site.organization.id)
  expect(events.map(({ name, workspace_id }) => [name, workspace_id])).toEqual([
    ['budget.alert', null],
    ['budget.exhausted', null],
  ])
  const { body } = await ada.get(`/api/v1/organizations/${site.organization.id}/budget`)
  expect(events.map(({ budget }) => budget)).toEqual([body, body])
})

test("the organization's budget is evaluated when its limit is lowered, and not when the same limit is set again", async () => {
  const { site, execution } = await siteWithLimit(box, ada, null)
  const { id } = site.organization
  await report(execution.id, 9)
  await limitOrganization(ada, site, 10)
  expect(await budgetEventNames(box, id)).toEqual(['organization budget.alert'])
  await limitOrganization(ada, site, 10)
  await ada.put(`/api/v1/organizations/${id}`, { name: 'Renamed', budget_alert_threshold: 0.8 })
  expect(await budgetEventNames(box, id)).toHaveLength(1)
  await limitOrganization(ada, site, 9)
  expect((await budgetEventNames(box, id)).slice(1)).toEqual(['organization budget.alert', 'organization budget.exhausted'])
})

test('a new month starts at zero and raises its own events', async () => {
  const { site, execution } = await siteWithLimit(box, ada, 10)
  const { id } = site.organization
  await report(execution.id, 10)
  expect(await budgetEventNames(box, id)).toHaveLength(2)
  // Moves the recorded spend to the previous month.
  for (const table of ['organization_spend', 'workspace_spend', 'agent_spend', 'budget_crossings']) {
    await box.sql`update ${box.sql(table)} set month = month - interval '1 month' where organization_id = ${id}`
  }
  const { body } = await ada.get(`/api/v1/organizations/${id}/budget`)
  expect([body.budget_used_usd, body.workspaces[0].usage_percent]).toEqual([0, 0])
  await report(execution.id, 9)
  expect(await budgetEventNames(box, id)).toHaveLength(3)
  await report(execution.id, 1)
  expect((await budgetEventNames(box, id)).slice(2)).toEqual(['workspace budget.alert', 'workspace budget.exhausted'])
})

test('fifty concurrent clients lose no spend, and each crossing raises one event', async () => {
  const { site } = await siteWithLimit(box, ada, 60)
  await limitOrganization(ada, site, 80)
  const executions = await Promise.all(Array.from({ length: 10 }, () => box.running(ada, site.project.id)))
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, client) => {
      const statuses: number[] = []
      for (let turn = 0; turn < 4; turn++) {
        statuses.push((await report(executions[(client + turn) % 10]?.id, 0.5)).status)
      }
      return statuses
    }),
  )
  expect(new Set(answers.flat())).toEqual(new Set([200]))
  const { body } = await ada.get(`/api/v1/organizations/${site.organization.id}/budget`)
  expect([body.budget_used_usd, body.workspaces_total_used_usd, body.workspaces[0].budget_used_usd]).toEqual([100, 100, 100])
  const events = await budgetEvents(box, site.organization.id)
  const at = events.map(({ name, workspace_id, budget }) => [name, workspace_id === null, budget.budget_used_usd])
  expect(at.sort()).toEqual([
    ['budget.alert', false, 48.5],
    ['budget.alert', true, 64.5],
    ['budget.exhausted', false, 60],
    ['budget.exhausted', true, 80],
  ])
})

test('concurrent reports and changes of the limit raise each crossing exactly once', async () => {
  for (let round = 0; round < 10; round++) {
    const { site, execution } = await siteWithLimit(box, ada, null)
    await Promise.all([
      report(execution.id, 5),
      ada.put(`/api/v1/workspaces/${site.workspace.id}`, { budget_monthly_limit_usd: 5 }),
      report(execution.id, 0.5),
    ])
    const kinds = (await budgetEventNames(box, site.organization.id)).map((name) => name.split('.')[1])
    expect(kinds.sort()).toEqual(['alert', 'exhausted'])
  }
})
