/** Authorized reads and audited writes through the API, against bare routes with the same SQL. */
import { apiClient } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import { medians } from './figures.ts'
import { IN_FLIGHT, type LoadOrder, runLoad } from './load.ts'
import { startProcess } from './processes.ts'
import { createOrganization, type Part, signIn } from './stage.ts'

/** Writes in one project wait for each other to get its next number; a real service has many projects. */
export const ORGANIZATIONS = 16

/** Requests to an API; their targets are paths. */
export type Workload = Omit<LoadOrder, 'seconds'>

/** `GET /organizations/{id}` and `POST /projects/{id}/requirements`, by a user of each organization. */
export async function createWorkloads(url: string): Promise<Record<'read' | 'write', Workload>> {
  const reads: Workload['targets'] = []
  const writes: Workload['targets'] = []
  for (let made = 0; made < ORGANIZATIONS; made++) {
    const api = apiClient(url)
    const { user_id, session_id } = await signIn(api, 'register', `${crypto.randomUUID()}@example.com`)
    const { organization, workspace } = await createOrganization(api)
    const project = await api.post(`/workspaces/${workspace.id}/projects`, { name: 'Bench' })
    const own = { Authorization: api.authorization, 'Content-Type': 'application/json' }
    // For bin/bench/bare-server.ts.
    const headers = { ...own, 'X-User': user_id, 'X-Session': session_id }
    reads.push({ url: `/api/v1/organizations/${organization.id}`, headers })
    writes.push({ url: `/api/v1/projects/${project.id}/requirements`, headers })
  }
  const body = JSON.stringify({ title: 'Pay by invoice', description: 'An invoice is sent within a minute of the order.' })
  return {
    read: { method: 'GET', targets: reads, status: 200, contains: '"name":"Bench"' },
    write: { method: 'POST', targets: writes, body, status: 201, contains: '"number":' },
  }
}

export const sendLoad = (origin: string, { targets, ...order }: Workload, seconds: number) =>
  runLoad({ ...order, targets: targets.map(({ url, headers }) => ({ url: origin + url, headers })), seconds })

export const requests: Part = {
  name: 'requests',
  about: `GET /organizations/{id} and POST /projects/{id}/requirements in ${ORGANIZATIONS} organizations of a user each, against bare Elysia routes with the same SQL; ${IN_FLIGHT} in flight, median of 3 × 4 s in turns.`,
  async run({ url, environment, quick, sql }) {
    const [rounds, seconds] = quick ? [1, 1] : [3, 4]
    await using bare = startProcess('bin/bench/bare-server.ts', environment)
    const bareUrl = await bare.firstLine
    let answered = 0
    const compare = async (workload: Workload) => {
      const rateOf = (origin: string) => async (isWarmUp: boolean) => {
        const load = await sendLoad(origin, workload, isWarmUp ? seconds / 2 : seconds)
        answered += load.requests
        return load.requests / load.seconds
      }
      return medians(rounds, { value: rateOf(url), baseline: rateOf(bareUrl) })
    }
    const { read, write } = await createWorkloads(url)
    const reads = await compare(read)
    answered = 0
    const writes = await compare(write)
    const [{ stored, audited }] = await sql<[{ stored: number; audited: number }]>`
      select
        (select count(*) from requirements) as stored,
        (select count(*) from audit_log_entries where action = 'requirement.created') as audited
    `
    if (stored !== answered || audited !== answered) {
      throw new Failure(`${answered} requirements were answered 201, but ${stored} are stored and ${audited} are audited.`)
    }
    return [
      { name: 'authorized read, to a bare server', ...reads, unit: '/s', target: '≥ 0.7' },
      { name: 'audited write, to a bare server', ...writes, unit: '/s' },
    ]
  },
}
