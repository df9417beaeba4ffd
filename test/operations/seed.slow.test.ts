import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ApiClient, apiClient } from '../../bin/support/api-client.ts'
import { type Box, Process, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: ApiClient

beforeAll(async () => {
  box = await signalbox({ environment: { HOOK_RETRY_SECONDS: '0.2,60' } })
})
afterAll(() => box?.close())

interface Named {
  id: string
  name: string
}

async function seed(): Promise<string> {
  const process = new Process('bin/seed.ts', { SIGNALBOX_URL: box.base, DATABASE_URL: box.url })
  const code = await process.exited
  expect([code, process.lines.filter((line) => line.includes('✗'))]).toEqual([0, []])
  return process.lines.join('\n')
}

async function organization(): Promise<Named> {
  const [found, ...others] = await ada.get<Named[]>('/organizations')
  expect([found?.name, others]).toEqual(['Northwind Robotics', []])
  return found as Named
}

const workspaces = async () => ada.get<Named[]>(`/organizations/${(await organization()).id}/workspaces`)

async function projects(): Promise<Named[]> {
  return (await Promise.all((await workspaces()).map(({ id }) => ada.get<Named[]>(`/workspaces/${id}/projects`)))).flat()
}

/** A list of every project. */
const ofProjects = async <Item>(list: string): Promise<Item[]> =>
  (await Promise.all((await projects()).map(({ id }) => ada.get<Item[] | { items: Item[] }>(`/projects/${id}/${list}`)))).flatMap(
    (answer) => (Array.isArray(answer) ? answer : answer.items),
  )

const distinct = (values: string[]): string[] => [...new Set(values)].sort()

test('bun run seed creates an organization with a history, and says where to sign in', async () => {
  const printed = await seed()
  const [, password = ''] = /with the password "(.+)"/.exec(printed) ?? []
  const [, email = ''] = /(\S+@\S+) +owner/.exec(printed) ?? []
  ada = apiClient(box.base)
  const { access_token } = await ada.post<{ access_token: string }>('/auth/login', { email, password })
  ada.authorization = `Bearer ${access_token}`

  const { id } = await organization()
  expect(await ada.get<unknown[]>(`/organizations/${id}/members`)).toHaveLength(4)
  expect((await projects()).map(({ name }) => name).sort()).toEqual(['Checkout', 'Identity', 'Warehouse Vision'])
  const gates = await ofProjects<{ status: string }>('gates')
  expect(distinct(gates.map(({ status }) => status))).toEqual([
    'approved',
    'cancelled',
    'changes_requested',
    'pending',
    'rejected',
  ])
  const documents = await ofProjects<{ status: string }>('deliverables')
  expect(documents.map(({ status }) => status).sort()).toEqual(['draft', 'draft', 'published', 'published'])
  expect(await ofProjects<{ status: string }>('dual-track')).toMatchObject([{ status: 'decided' }])
  const requirements = await ofProjects<{ created_at: string }>('requirements')
  expect(Math.min(...requirements.map(({ created_at }) => Date.parse(created_at)))).toBeLessThan(Date.now() - 14 * 86_400_000)
  const log = `/organizations/${id}/audit-logs`
  for (const action of ['rollout.reported', 'deployment.rollback']) {
    const end_date = new Date(Date.now() - 90 * 86_400_000).toISOString()
    const { items } = await ada.get<{ items: unknown[] }>(`${log}?${new URLSearchParams({ action, end_date })}`)
    expect([action, items]).not.toEqual([action, []])
  }
  const verified = await ada.get<{ valid: boolean }>(`${log}/verify`)
  expect(verified.valid).toBe(true)
})

test('its hooks have dispatches that succeeded, were retried, failed and wait; its channels have messages', async () => {
  const hooks = await ofProjects<Named>('deployment-hooks')
  const lists = await Promise.all(
    hooks.map(({ id }) => ada.get<{ items: { status: string; attempt_count: number }[] }>(`/deployment-hooks/${id}/dispatches`)),
  )
  const dispatches = lists.flatMap(({ items }) => items)
  expect(distinct(dispatches.map(({ status }) => status))).toEqual(['failed', 'pending', 'succeeded'])
  expect(dispatches.some(({ status, attempt_count }) => status === 'succeeded' && attempt_count === 2)).toBe(true)
  const ofWorkspaces = (await workspaces()).map(({ id }) => ada.get<Named[]>(`/workspaces/${id}/notification-channels`))
  const channels = (await Promise.all(ofWorkspaces)).flat()
  expect(channels).not.toBeEmpty()
  for (const { id, name } of channels)
    expect([name, await ada.get<unknown[]>(`/notification-channels/${id}/logs`)]).not.toEqual([name, []])
})

test('its spend of several months adds up for agents and organization', async () => {
  const { id } = await organization()
  const months = await ada.get<{ month: string; used_usd: number }[]>(`/organizations/${id}/budget/history`)
  expect(months.length).toBe(4)
  const byAgent = await ada.get<{ month: string; used_usd: number }[]>(`/organizations/${id}/budget/history?group_by=agent`)
  for (const { month, used_usd } of months) {
    const sum = byAgent.filter((each) => each.month === month).reduce((total, each) => total + each.used_usd, 0)
    expect([month, sum.toFixed(2)]).toEqual([month, used_usd.toFixed(2)])
  }
})

test('a second run changes nothing; one after an interrupted run starts over', async () => {
  const { id } = await organization()
  const total = async () => (await ada.get<{ total: number }>(`/organizations/${id}/audit-logs`)).total
  const before = await total()
  expect(await seed()).toContain('already there')
  expect([(await organization()).id, await total()]).toEqual([id, before])

  await ada.put(`/organizations/${id}`, { settings: {} })
  expect(await seed()).not.toContain('already there')
  expect((await organization()).id).not.toBe(id)
})
