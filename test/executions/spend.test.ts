import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const act = (id: string, action: string, body?: object) => ada.post(`/api/v1/executions/${id}/${action}`, body)

describe('Reported cost', () => {
  test('of sixty concurrent reports adds up exactly in execution, workspace and organization', async () => {
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

  test('adds up over all reports; no report is null, and 0 is 0', async () => {
    const { id } = await box.running(ada, site.project.id)
    await act(id, 'usage', { cost_usd: 0.1 })
    await act(id, 'usage', { cost_usd: 0.2 })
    expect((await act(id, 'complete', { cost_usd: 0.3 })).body.cost_usd).toBe(0.6)
    expect((await act(id, 'usage', { cost_usd: 0.000001 })).body.cost_usd).toBe(0.600001)
    const free = await box.running(ada, site.project.id)
    expect((await act(free.id, 'complete')).body.cost_usd).toBeNull()
    expect((await act(free.id, 'usage', { cost_usd: 0 })).body.cost_usd).toBe(0)
  })

  test('of the largest amount keeps its cents', async () => {
    const { id } = await box.running(ada, site.project.id)
    expect((await act(id, 'usage', { cost_usd: 999_999_999.99 })).body.cost_usd).toBe(999_999_999.99)
  })

  test('is rounded to six decimals, and rounding to zero changes nothing', async () => {
    const { id } = await box.running(ada, site.project.id)
    expect((await act(id, 'usage', { cost_usd: 1.1400000000000001 })).body.cost_usd).toBe(1.14)
    expect((await act(id, 'usage', { cost_usd: 0.00000049 })).body.cost_usd).toBe(1.14)
    expect((await act(id, 'complete', { cost_usd: 1.0000005 })).body.cost_usd).toBe(2.140001)
  })

  test('adds up beyond 1e9 wherever it is shown', async () => {
    const place = await box.site(ada, 'Large')
    const { id } = await box.running(ada, place.project.id)
    await ada.put(`/api/v1/workspaces/${place.workspace.id}`, { budget_monthly_limit_usd: 1e9 })
    for (const times of [1, 2, 3]) expect((await act(id, 'usage', { cost_usd: 1e9 })).body.cost_usd).toBe(times * 1e9)
    expect((await act(id, 'complete', { cost_usd: 1e9 })).body.cost_usd).toBe(4e9)
    const { body } = await ada.get(`/api/v1/organizations/${place.organization.id}/budget`)
    expect(body).toMatchObject({ budget_used_usd: 4e9, workspaces_total_used_usd: 4e9, workspaces_total_limit_usd: 1e9 })
    expect(body.workspaces[0]).toMatchObject({ budget_used_usd: 4e9, usage_percent: 4 })
    const history = await ada.get(`/api/v1/organizations/${place.organization.id}/budget/history?group_by=agent`)
    expect(history.body[0].used_usd).toBe(4e9)
  })

  test('beyond a sum of 1e12 is refused, and nothing of the report is stored', async () => {
    const tables = ['organization_spend', 'workspace_spend', 'agent_spend', 'executions'] as const
    for (const table of tables) {
      const place = await box.site(ada, `Full ${table}`)
      const { id } = await box.running(ada, place.project.id)
      await act(id, 'usage', { cost_usd: 1 })
      const column = table === 'executions' ? 'cost_usd' : 'used_usd'
      await box.sql`
        update ${box.sql(table)} set ${box.sql(column)} = 1e12 - 1 where organization_id = ${place.organization.id}
      `
      for (const [action, cost_usd] of [
        ['usage', 1.000001],
        ['complete', 1e9],
        ['fail', 2],
      ] as const) {
        const { status, body } = await act(id, action, { cost_usd })
        expect([table, action, status, body.code]).toEqual([table, action, 422, 'validation_failed'])
        expect(body.errors[0]).toMatchObject({ pointer: '/cost_usd', code: 'amount_out_of_range' })
      }
      expect((await ada.get(`/api/v1/executions/${id}`)).body.status).toBe('running')
      const last = await act(id, 'complete', { cost_usd: 1 })
      expect([table, last.status]).toEqual([table, 200])
      const [row] = await box.sql`
        select ${box.sql(column)} = 1e12 as is_full from ${box.sql(table)} where organization_id = ${place.organization.id}
      `
      expect([table, row?.is_full]).toEqual([table, true])
    }
  })
})
