/** Gates in each state, for pictures: what an agent asks for, and what people decided. */
import type { Clients } from '../../bin/scenario/stage.ts'
import type { ApiClient, Resource } from '../../bin/support/api-client.ts'

const CI = 'https://ci.northwind.example.com/runs/4711'

/** @param commit whatever tells it from others */
const subjectOf = (commit: string) => ({
  uri: 'git+https://git.northwind.example.com/checkout',
  digest: { gitCommit: new Bun.CryptoHasher('sha1').update(commit).digest('hex') },
  version: 'v1.13.0',
})

const LOAD_TEST = {
  failed: { name: 'Load test', state: 'failed', url: CI, detail: 'The 99th percentile is 640 ms; the limit is 500 ms.' },
  passed: { name: 'Load test', state: 'passed', url: CI },
}

const evidenceOf = (load: keyof typeof LOAD_TEST) => ({
  summary: 'Invoices have a due date, and customers are reminded of it. The migration only adds a column.',
  metrics: { tests_passed: 418, lines_added: 312 },
  checks: [
    LOAD_TEST[load],
    ...['Unit tests', 'Integration tests', 'Dependency audit'].map((name) => ({ name, state: 'passed', url: CI })),
  ],
  links: [{ label: 'Pull request', url: 'https://git.northwind.example.com/checkout/pull/124' }],
})

interface Gate extends Resource {
  binding: string
}

/** Makes a policy for production and gates that follow it. @param name that of the gates @returns the paths of their pages, by the names of their pictures */
export async function playGates(
  { ada, grace, alan }: Clients,
  organization: Resource,
  project: Resource,
  name: string,
): Promise<Record<string, string>> {
  const group = async (group_name: string, member: ApiClient) => {
    const { id } = await ada.post(`/organizations/${organization.id}/groups`, { name: group_name })
    const { id: user_id } = await member.get<Resource>('/users/me')
    await ada.put(`/groups/${id}/members/${user_id}`, {})
    return { group_id: id, count: 1 }
  }
  const approvers = [await group('Security', ada), await group('Release', grace)]
  await ada.put(`/projects/${project.id}/environments/production/policy`, { approvers, require_subject: true })
  await ada.post(`/projects/${project.id}/deployment-hooks`, {
    name: 'Release to production',
    environment: 'production',
    mode: 'pull',
    trigger_on: 'gate_approved',
    report_within_seconds: 3600,
  })
  const requirement = await alan.post(`/projects/${project.id}/requirements`, {
    title: 'Remind customers of due invoices',
    acceptance_criteria: ['An invoice has a due date.', 'A reminder goes out the day before.'],
  })
  const start = async () => {
    const { id } = await alan.post(`/requirements/${requirement.id}/executions`, { agent: 'claude-code' })
    await alan.post(`/executions/${id}/start`, {})
    await alan.post(`/executions/${id}/usage`, { cost_usd: 12.4 })
    return id
  }
  const open = (execution: string, commit: string, load: keyof typeof LOAD_TEST) =>
    alan.post<Gate>(`/executions/${execution}/gates`, {
      name,
      description: 'Invoices get a due date. Is it ready for production?',
      environment: 'production',
      subject: subjectOf(commit),
      evidence: evidenceOf(load),
    })
  const path = ({ id }: Resource) => `/app/gates/${id}`

  const changed = await open(await start(), 'without an index', 'failed')
  await grace.post(`/gates/${changed.id}/request-changes`, { comment: 'The load test has to pass. An index on due_at may do.' })

  const approved = await open(await start(), 'with an index', 'passed')
  await ada.post(`/gates/${approved.id}/approve`, { binding: approved.binding, comment: 'No new permissions, no new data.' })
  await grace.post(`/gates/${approved.id}/approve`, { binding: approved.binding, comment: 'Ship it.' })

  const pending = await start()
  const superseded = await open(pending, 'first try', 'passed')
  return {
    'gate-pending': path(await open(pending, 'second try', 'failed')),
    'gate-approved': path(approved),
    'gate-changes-requested': path(changed),
    'gate-superseded': path(superseded),
  }
}
