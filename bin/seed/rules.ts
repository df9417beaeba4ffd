/** Who decides in the organization of the seed data, what environments require, and which programs act in it. Set after the work was played. */
import { apiClient, type Resource } from '../support/api-client.ts'
import type { Clients, Person } from './accounts.ts'
import type { Site } from './organization.ts'

const GROUPS: { name: string; description: string; members: Person[] }[] = [
  { name: 'Release managers', description: 'Decide what reaches customers.', members: ['ada', 'grace'] },
  { name: 'Account security', description: 'Look at whatever touches accounts and permissions.', members: ['alan', 'margaret'] },
]

const SERVICE_ACCOUNTS: { name: string; description: string; project: 'checkout' | 'identity' | null; scopes: string[] }[] = [
  {
    name: 'Checkout pipeline',
    description: 'Builds Checkout, opens its gates and reports its rollouts.',
    project: 'checkout',
    scopes: ['gates:open', 'rollouts:report'],
  },
  {
    name: 'Coding agents',
    description: 'What runs on the build farm.',
    project: null,
    scopes: ['work:read', 'executions:write', 'usage:write', 'gates:open'],
  },
  {
    name: 'Identity verifier',
    description: 'Asks before a cluster starts an image whether it was approved.',
    project: 'identity',
    scopes: ['gates:read', 'work:read'],
  },
]

const AGENT_LIMITS = [
  { agent: 'claude-code', max_cost_usd: 900 },
  { agent: 'codex', max_cost_usd: 400 },
]

export async function createRules(clients: Clients, site: Site, url: string): Promise<void> {
  const { ada, grace } = clients
  const home = `/organizations/${site.organization.id}`
  const approvers: { group_id: string; count: number }[] = []
  for (const { members, ...group } of GROUPS) {
    const { id } = await ada.post(`${home}/groups`, group)
    for (const person of members) {
      const { id: user_id } = await clients[person].get<Resource>('/users/me')
      await ada.put(`/groups/${id}/members/${user_id}`, {})
    }
    approvers.push({ group_id: id, count: 1 })
  }
  await grace.put(`/projects/${site.identity.id}/environments/production/policy`, {
    approvers,
    prevent_self_approval: true,
    require_checks: true,
    freezes: [
      { name: 'Weekend', rrule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16', duration_seconds: 230_400, time_zone: 'Europe/Berlin' },
    ],
  })
  await grace.put(`/projects/${site.checkout.id}/environments/preview/policy`, {
    required_approvals: 1,
    expires_in_seconds: 86_400,
  })
  for (const { project, ...account } of SERVICE_ACCOUNTS) {
    const within = project === null ? {} : { workspace_id: site.platform.id, project_id: site[project].id }
    const { id } = await ada.post(`${home}/service-accounts`, { ...account, ...within })
    await useKey(clients, id, url)
  }
  await ada.put(`${home}/agent-limits`, AGENT_LIMITS)
}

/** Makes a key for three months, and uses it once. */
async function useKey({ ada }: Clients, account_id: string, url: string): Promise<void> {
  const expires_at = new Date(Date.now() + 90 * 86_400_000).toISOString()
  const { key } = await ada.post<{ key: string }>(`/service-accounts/${account_id}/keys`, { name: 'Vault', expires_at })
  const program = apiClient(url)
  program.authorization = `Bearer ${key}`
  await program.get('/users/me')
}
