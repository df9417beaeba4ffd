/** Authorized reads and audited writes through the API, against bare routes with the same SQL. */
import { Failure } from '../support/command.ts'
import { costOf } from './costs.ts'
import { compareCpu, inTurns, type Row } from './figures.ts'
import { createProject, createTenants, type Part, startProcess, untilIdle } from './stage.ts'

/** Writes in one project wait for each other to get its next number; a real service has many projects. */
export const ORGANIZATIONS = 16
/** Concurrent requests, each on a connection that is kept open. */
export const IN_FLIGHT = 16

export interface Workload {
  /** Where requests go in turn, each with its headers, and with its body if they differ. */
  targets: { path: string; headers: Record<string, string>; body?: string }[]
  body?: string
}

/** `GET /organizations/{id}` and `POST /projects/{id}/requirements`, by a user of each organization. */
export async function createWorkloads(origin: string): Promise<Record<'read' | 'write', Workload>> {
  const body = JSON.stringify({ title: 'Pay by invoice', description: 'An invoice is sent within a minute of the order.' })
  const [read, write]: [Workload, Workload] = [{ targets: [] }, { targets: [], body }]
  for (const tenant of await createTenants(origin, ORGANIZATIONS)) {
    const own = { Authorization: tenant.api.authorization, 'Content-Type': 'application/json' }
    // For bin/bench/bare-server.ts.
    const headers = { ...own, 'X-User': tenant.user_id, 'X-Session': tenant.session_id }
    read.targets.push({ path: `/api/v1/organizations/${tenant.organization.id}`, headers })
    write.targets.push({ path: `/api/v1/projects/${(await createProject(tenant)).id}/requirements`, headers })
  }
  return { read, write }
}

/** Sends requests as fast as they are answered for some seconds. @returns how many were answered */
export async function sendLoad(origin: string, { targets, body }: Workload, seconds: number): Promise<number> {
  let requests = 0
  const end = performance.now() + seconds * 1000
  const work = async (first: number) => {
    for (let turn = first; performance.now() < end; turn += IN_FLIGHT) {
      const { path, headers, body: own = body } = targets[turn % targets.length] ?? { path: '', headers: {} }
      const response = await fetch(origin + path, { method: own ? 'POST' : 'GET', headers, body: own })
      const text = await response.text()
      if (!response.ok) throw new Failure(`${path} answered ${response.status}: ${text.slice(0, 500)}`)
      requests++
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, index) => work(index)))
  return requests
}

export const part: Part = {
  about: `processor time of API, worker and PostgreSQL for GET /organizations/{id} and POST /projects/{id}/requirements in ${ORGANIZATIONS} organizations of a user each; ${IN_FLIGHT} in flight, three rounds of 4 s in turns. Baseline: bare Elysia routes with the same SQL. The worker seals the audit entries of both.`,
  async run({ url, environment, quick, sql, processes }) {
    await using bare = startProcess('bin/bench/bare-server.ts', environment)
    const servers = { api: { origin: url, web: processes.web }, bare: { origin: await bare.firstLine, web: [bare.pid] } }
    let written = 0
    const rows: Row[] = []
    for (const [name, workload] of Object.entries(await createWorkloads(url))) {
      const measure = ({ origin, web }: typeof servers.api) =>
        costOf({ ...processes, web }, async () => {
          const answered = await sendLoad(origin, workload, quick ? 1 : 4)
          // What a change leaves to the worker is part of its cost.
          await untilIdle(sql)
          if (name === 'write') written += answered
          return answered
        })
      const { api, bare } = await inTurns(quick ? 1 : 3, { api: () => measure(servers.api), bare: () => measure(servers.bare) })
      const what = name === 'read' ? 'an authorized read' : 'an audited write'
      rows.push(compareCpu(`CPU of ${what}, to a bare server`, ['web', 'worker', 'postgres'], api, bare, 1.11))
    }
    const [{ audited }] = await sql<[{ audited: number }]>`
      select count(*) as audited from requirements join audit_log_entries as entry on entry.resource_id = requirements.id
    `
    if (audited !== written) throw new Failure(`${written} requirements were answered 201, but ${audited} are audited.`)
    return rows
  },
}
