import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { limitOrganization, siteWithLimit } from './support.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const report = (id: string, cost_usd: number) => ada.post(`/api/v1/executions/${id}/usage`, { cost_usd })
const budget = async (site: Site) => (await ada.get(`/api/v1/organizations/${site.organization.id}/budget`)).body
const month = () => new Date().toISOString().slice(0, 7)

describe('The report', () => {
  test('without limits has nulls and zero usage', async () => {
    const site = await box.site(ada)
    expect(await budget(site)).toEqual({
      budget_monthly_limit_usd: null,
      budget_used_usd: 0,
      budget_alert_threshold: 0.8,
      usage_percent: 0,
      workspaces_total_used_usd: 0,
      workspaces_total_limit_usd: null,
      workspaces: [
        {
          workspace_id: site.workspace.id,
          workspace_name: 'Platform',
          budget_monthly_limit_usd: null,
          budget_used_usd: 0,
          budget_alert_threshold: 0.8,
          usage_percent: 0,
        },
      ],
    })
  })

  test('sums the existing limits, lists the newest workspace first, and keeps the spend of deleted ones', async () => {
    const { site, execution } = await siteWithLimit(box, ada, 200, 0.5)
    await limitOrganization(ada, site, 1000)
    const workspaces = `/api/v1/organizations/${site.organization.id}/workspaces`
    await ada.make(workspaces, { name: 'Free' })
    const none = await ada.make(workspaces, { name: 'None', budget_monthly_limit_usd: 0 })
    await report(execution.id, 45)
    const body = await budget(site)
    expect(body).toMatchObject({
      budget_monthly_limit_usd: 1000,
      budget_used_usd: 45,
      usage_percent: 0.045,
      workspaces_total_used_usd: 45,
      workspaces_total_limit_usd: 200,
    })
    expect(
      body.workspaces.map((each: { workspace_name: string; usage_percent: number }) => [each.workspace_name, each.usage_percent]),
    ).toEqual([
      ['None', 1],
      ['Free', 0],
      ['Platform', 0.225],
    ])
    await ada.delete(`/api/v1/workspaces/${none.id}`)
    await ada.delete(`/api/v1/workspaces/${site.workspace.id}`)
    expect(await budget(site)).toMatchObject({
      budget_used_usd: 45,
      workspaces_total_used_usd: 0,
      workspaces_total_limit_usd: null,
    })
  })
})

describe('An exhausted budget', () => {
  const refused = async (queued: string, requirement: string, level: string) => {
    for (const answer of [
      await ada.post(`/api/v1/requirements/${requirement}/executions`, { agent: 'claude' }),
      await ada.post(`/api/v1/executions/${queued}/start`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'budget_exhausted'])
      expect(answer.body.detail).toContain(level)
    }
    expect((await ada.get(`/api/v1/executions/${queued}`)).body.status).toBe('queued')
  }

  for (const level of ['workspace', 'organization'] as const) {
    test(`of the ${level} prevents starting executions, while running ones can finish`, async () => {
      const { site, execution } = await siteWithLimit(box, ada, level === 'workspace' ? 5 : null)
      if (level === 'organization') await limitOrganization(ada, site, 5)
      const requirements = `/api/v1/projects/${site.project.id}/requirements`
      const requirement = await ada.make(requirements, { title: 'Waits' })
      const queued = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
      await report(execution.id, 4.999999)
      await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
      await report(execution.id, 0.000001)
      await refused(queued.id, requirement.id, level)
      expect((await report(execution.id, 1)).status).toBe(200)
      const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
      expect((await ada.post(`/api/v1/gates/${gate.id}/approve`)).status).toBe(200)
      expect((await ada.post(`/api/v1/executions/${execution.id}/complete`, { cost_usd: 1 })).status).toBe(200)
      if (level === 'workspace') await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { budget_monthly_limit_usd: 7.5 })
      else await limitOrganization(ada, site, 7.5)
      expect((await ada.post(`/api/v1/executions/${queued.id}/start`)).status).toBe(200)
    })
  }

  test('of one organization does not affect others', async () => {
    const { site, execution } = await siteWithLimit(box, ada, null)
    await limitOrganization(ada, site, 1)
    await report(execution.id, 1)
    const other = await box.site(ada, 'Other')
    expect((await box.running(ada, other.project.id)).status).toBe('running')
  })
})

describe('The history', () => {
  const history = async (site: Site, query = '') =>
    (await ada.get(`/api/v1/organizations/${site.organization.id}/budget/history${query}`)).body

  test('is grouped by workspace, project or agent, and keeps deleted ones', async () => {
    const site = await box.site(ada)
    const second = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Second' })
    const [first, other] = [await box.running(ada, site.project.id), await box.running(ada, second.id, { agent: 'codex' })]
    await report(first.id, 1.25)
    await report(other.id, 2)
    await ada.post(`/api/v1/executions/${other.id}/complete`, { cost_usd: 0.5 })
    await box.sql`
      insert into agent_spend (organization_id, month, workspace_id, project_id, agent, used_usd)
      values (${site.organization.id}, '2020-01-01', ${site.workspace.id}, ${second.id}, 'codex', 7)
    `
    await ada.delete(`/api/v1/workspaces/${site.workspace.id}`)
    const now = month()
    expect(await history(site)).toEqual([{ month: now, used_usd: 3.75 }])
    expect(await history(site, '?group_by=workspace')).toEqual([{ month: now, workspace_id: site.workspace.id, used_usd: 3.75 }])
    expect(await history(site, '?group_by=project')).toEqual([
      { month: now, project_id: site.project.id, used_usd: 1.25 },
      { month: now, project_id: second.id, used_usd: 2.5 },
    ])
    const byAgent = [
      { month: now, agent: 'claude', used_usd: 1.25 },
      { month: now, agent: 'codex', used_usd: 2.5 },
      { month: '2020-01', agent: 'codex', used_usd: 7 },
    ]
    expect(await history(site, '?group_by=agent&from=2020-01')).toEqual(byAgent)
    expect(await history(site, '?group_by=agent&from=2019-01&to=2020-01')).toEqual(byAgent.slice(2))
    expect(await history(site, '?group_by=agent&to=2020-06')).toEqual(byAgent.slice(2))
    expect(await history(site, '?group_by=agent&from=2020-02&to=2020-06')).toEqual([])
  })

  test('is paginated', async () => {
    const site = await box.site(ada)
    await box.sql`
      insert into agent_spend (organization_id, month, workspace_id, project_id, agent, used_usd)
      select
        ${site.organization.id}, ${`${month()}-01`}::date - months * interval '1 month', ${site.workspace.id}, ${site.project.id},
        agent, 1
      from generate_series(0, 2) as months, unnest(array['a: b', 'B', 'ä']) as agent
    `
    const seen: string[] = []
    let path: string | undefined = `/api/v1/organizations/${site.organization.id}/budget/history?group_by=agent&limit=2`
    for (let pages = 0; path; pages++) {
      expect(pages).toBeLessThan(5)
      const { headers, body } = await ada.get(path)
      seen.push(...body.map((each: { month: string; agent: string }) => `${each.month} ${each.agent}`))
      path = /<(.*)>/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toHaveLength(9)
    expect(new Set(seen).size).toBe(9)
    expect(
      seen
        .toSorted()
        .reverse()
        .map((each) => each.slice(0, 7)),
    ).toEqual(seen.map((each) => each.slice(0, 7)))
  })

  test('refuses invalid months and inverted ranges', async () => {
    const site = await box.site(ada)
    for (const [query, pointer] of [
      ['from=2026-13', '/from'],
      ['from=2026-1', '/from'],
      ['to=2026-00', '/to'],
      ['to=0000-01', '/to'],
      ['from=2026-02&to=2026-01', '/from'],
      ['group_by=user', '/group_by'],
      ['after=nonsense', '/after'],
      ['after=2026-13', '/after'],
    ]) {
      const { status, body } = await ada.get(`/api/v1/organizations/${site.organization.id}/budget/history?${query}`)
      expect([query, status, body.errors?.[0].pointer]).toEqual([query ?? '', 422, pointer])
    }
  })
})

test('only admins of the organization can read its spend', async () => {
  const site = await box.site(ada)
  const [stranger, lead] = [await box.user('Stranger'), await box.user('Lead')]
  await box.join(lead, site, 'member', 'admin')
  for (const path of ['budget', 'budget/history']) {
    expect((await lead.get(`/api/v1/organizations/${site.organization.id}/${path}`)).status).toBe(403)
    expect((await stranger.get(`/api/v1/organizations/${site.organization.id}/${path}`)).status).toBe(404)
  }
})
