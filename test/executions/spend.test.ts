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
