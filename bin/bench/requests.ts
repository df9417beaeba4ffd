/** Authorized reads and audited writes through the API, against bare routes with the same SQL. */
import { Failure } from '../support/failure.ts'
import { perSecond } from './figures.ts'
import { compareLoads, IN_FLIGHT, type Workload } from './load.ts'
import { startProcess } from './processes.ts'
import { createProject, createTenants, type Part } from './stage.ts'

/** Writes in one project wait for each other to get its next number; a real service has many projects. */
export const ORGANIZATIONS = 16

/** `GET /organizations/{id}` and `POST /projects/{id}/requirements`, by a user of each organization. */
export async function createWorkloads(origin: string): Promise<Record<'read' | 'write', Workload>> {
  const reads: Workload['targets'] = []
  const writes: Workload['targets'] = []
  for (const tenant of await createTenants(origin, ORGANIZATIONS)) {
    const own = { Authorization: tenant.api.authorization, 'Content-Type': 'application/json' }
    // For bin/bench/bare-server.ts.
    const headers = { ...own, 'X-User': tenant.user_id, 'X-Session': tenant.session_id }
    reads.push({ url: `${origin}/api/v1/organizations/${tenant.organization.id}`, headers })
    writes.push({ url: `${origin}/api/v1/projects/${(await createProject(tenant)).id}/requirements`, headers })
  }
  const body = JSON.stringify({ title: 'Pay by invoice', description: 'An invoice is sent within a minute of the order.' })
  return {
    read: { method: 'GET', targets: reads, status: 200, contains: '"name":"Bench"' },
    write: { method: 'POST', targets: writes, body, status: 201, contains: '"number":' },
  }
}

/** The same requests to another API of the same database. */
export const sentTo = (origin: string, { targets, ...workload }: Workload): Workload => ({
  ...workload,
  targets: targets.map(({ url, headers }) => ({ url: origin + new URL(url).pathname, headers })),
})

export const part: Part = {
  about: `GET /organizations/{id} and POST /projects/{id}/requirements in ${ORGANIZATIONS} organizations of a user each, against bare Elysia routes with the same SQL; ${IN_FLIGHT} in flight, median of 3 × 4 s in turns.`,
  async run({ url, environment, quick, sql }) {
    await using bare = startProcess('bin/bench/bare-server.ts', environment)
    const bareUrl = await bare.firstLine
    const compare = (value: Workload) => compareLoads(quick, { value, baseline: sentTo(bareUrl, value) })
    const { read, write } = await createWorkloads(url)
    const reads = await compare(read)
    const writes = await compare(write)
    const [{ stored, audited }] = await sql<[{ stored: number; audited: number }]>`
      select
        (select count(*) from requirements) as stored,
        (select count(*) from audit_log_entries where action = 'requirement.created') as audited
    `
    if (stored !== writes.answered || audited !== writes.answered) {
      throw new Failure(`${writes.answered} requirements were answered 201, but ${stored} are stored and ${audited} are audited.`)
    }
    return [perSecond('authorized read, to a bare server', reads, '≥ 0.7'), perSecond('audited write, to a bare server', writes)]
  },
}
