/** The organization of the seed data: members, workspaces, projects, runtimes and budgets. */
import type { ApiClient, Resource } from '../support/api-client.ts'
import { type Clients, PEOPLE, type Person } from './accounts.ts'

const NAME = 'Northwind Robotics'
const MEMBERS: Person[] = ['grace', 'alan', 'margaret']

interface Organization extends Resource {
  settings: { seed?: 'complete' }
}

export interface Site {
  organization: Resource
  platform: Resource
  checkout: Resource
  identity: Resource
  vision: Resource
  runtimes: Resource[]
}

/** @returns whether a run has completed; the organization of one that was interrupted is deleted */
export async function isSeeded({ ada }: Clients): Promise<boolean> {
  const list = await ada.get<(Resource & { name: string })[]>('/organizations?limit=100')
  const found = list.filter(({ name }) => name === NAME)
  const organizations = await Promise.all(found.map(({ id }) => ada.get<Organization>(`/organizations/${id}`)))
  if (organizations.some(({ settings }) => settings.seed === 'complete')) return true
  for (const { id } of organizations) await ada.delete(`/organizations/${id}`)
  return false
}

/** Marks the organization as complete, for later runs. */
export const markSeeded = ({ ada }: Clients, { organization }: Site): Promise<unknown> =>
  ada.put(`/organizations/${organization.id}`, { settings: { seed: 'complete' } })

export async function createSite({ ada, grace }: Clients): Promise<Site> {
  const organization = await ada.post('/organizations', {
    name: NAME,
    description: 'Robots that pick, pack and load, and the shop that sells them.',
  })
  await ada.put(`/organizations/${organization.id}`, { budget_monthly_limit_usd: 620, budget_alert_threshold: 0.8 })
  const users: Partial<Record<Person, string>> = {}
  for (const person of MEMBERS) {
    const { email, role } = PEOPLE[person]
    const member = await ada.post<{ user_id: string }>(`/organizations/${organization.id}/members`, { email, role })
    users[person] = member.user_id
  }
  await ada.post(`/organizations/${organization.id}/members`, { email: 'katherine@example.com', role: 'member' })

  const workspaceIn = (input: object) => grace.post(`/organizations/${organization.id}/workspaces`, input)
  const platform = await workspaceIn({ name: 'Platform', description: 'The shop.', budget_monthly_limit_usd: 500 })
  const research = await workspaceIn({ name: 'Research', description: 'Perception and planning.' })
  for (const [workspace, person] of [
    [platform, 'alan'],
    [platform, 'margaret'],
    [research, 'margaret'],
  ] as const) {
    await grace.post(`/workspaces/${workspace.id}/members`, { user_id: users[person], role: 'member' })
  }

  const projectIn = (workspace: Resource, name: string, description: string) =>
    grace.post(`/workspaces/${workspace.id}/projects`, {
      name,
      description,
      support: 'https://help.northwind.example.com/',
      version_scheme: 'semver',
      repository_url: `https://git.example.com/northwind/${name.toLowerCase().replaceAll(' ', '-')}`,
    })
  return {
    organization,
    platform,
    checkout: await projectIn(platform, 'Checkout', 'Basket, payment and invoices.'),
    identity: await projectIn(platform, 'Identity', 'Accounts, sign-in and permissions.'),
    vision: await projectIn(research, 'Warehouse Vision', 'Finds parcels and pallets in camera images.'),
    runtimes: await createRuntimes(ada, organization),
  }
}

async function createRuntimes(ada: ApiClient, organization: Resource): Promise<Resource[]> {
  const inputs = [
    { name: 'Build farm', hostname: 'build-1.northwind.example.com', agents: ['claude-code', 'codex'] },
    { name: 'Research workstation', hostname: 'ws-7.northwind.example.com', agents: ['claude-code'] },
  ]
  return await Promise.all(inputs.map((input) => ada.post(`/organizations/${organization.id}/runtimes`, input)))
}
