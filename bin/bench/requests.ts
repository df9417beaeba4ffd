/** Authorized reads and audited writes through the API, against bare routes with the same SQL. */
import { Failure } from '../support/failure.ts'
import { medians } from './figures.ts'
import type { Load, LoadOrder } from './load.ts'
import type { Part } from './part.ts'
import { runHelper, startProcess } from './processes.ts'
import { createProjects, type Stage } from './stage.ts'

export const IN_FLIGHT = 16
/** Writes in one project wait for each other to get its next number; a real service has many projects. */
export const PROJECTS = 16

/** A request and the paths that it goes to in turn. */
export interface Workload {
  paths: string[]
  order: Pick<LoadOrder, 'method' | 'headers' | 'authorizations' | 'body' | 'status' | 'contains'>
}

/** `GET /organizations/{id}` and `POST /projects/{id}/requirements`. */
export async function workloads(stage: Stage): Promise<{ read: Workload; write: Workload }> {
  const { api, tenant } = stage
  const headers = { Authorization: api.authorization, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ title: 'Pay by invoice', description: 'An invoice is sent within a minute of the order.' })
  const projects = await createProjects(stage, PROJECTS)
  return {
    read: {
      paths: [`/api/v1/organizations/${tenant.organization.id}`],
      order: { method: 'GET', headers, status: 200, contains: tenant.organization.id },
    },
    write: {
      paths: projects.map(({ id }) => `/api/v1/projects/${id}/requirements`),
      order: { method: 'POST', headers, body, status: 201, contains: '"number":' },
    },
  }
}

export const sendLoad = (origin: string, { paths, order }: Workload, seconds: number): Promise<Load> =>
  runHelper('bin/bench/load.ts', {
    ...order,
    urls: paths.map((path) => origin + path),
    inFlight: IN_FLIGHT,
    seconds,
  } satisfies LoadOrder)

const scaleOf = (quick: boolean) =>
  quick ? { rounds: 1, seconds: 1, warmUpSeconds: 0.5 } : { rounds: 3, seconds: 4, warmUpSeconds: 2 }

/** @returns requests per second to both servers, and the requests that were answered in total */
async function compare(workload: Workload, api: string, bare: string, quick: boolean) {
  const { rounds, seconds, warmUpSeconds } = scaleOf(quick)
  let answered = 0
  const rateOf = async (origin: string, isWarmUp: boolean): Promise<number> => {
    const load = await sendLoad(origin, workload, isWarmUp ? warmUpSeconds : seconds)
    answered += load.requests
    return load.requests / load.seconds
  }
  const rates = await medians(rounds, {
    value: (isWarmUp) => rateOf(api, isWarmUp),
    baseline: (isWarmUp) => rateOf(bare, isWarmUp),
  })
  return { rates, answered }
}

async function verifyWrites({ sql }: Stage, answered: number): Promise<void> {
  const [{ stored, audited }] = await sql<[{ stored: number; audited: number }]>`
    select
      (select count(*) from requirements) as stored,
      (select count(*) from audit_log_entries where action = 'requirement.created') as audited
  `
  if (stored !== answered || audited !== answered) {
    throw new Failure(`${answered} requirements were answered 201, but ${stored} are stored and ${audited} are in the audit log.`)
  }
}

export const requests: Part = {
  name: 'requests',
  describe(quick) {
    const { rounds, seconds } = scaleOf(quick)
    return `requests    GET /organizations/{id} and POST /projects/{id}/requirements over ${PROJECTS} projects, against bare Elysia routes with the same SQL; ${IN_FLIGHT} in flight, median of ${rounds} × ${seconds} s in turns.`
  },
  async run(stage, quick) {
    await using bare = startProcess('bin/bench/bare-server.ts', {
      ...stage.environment,
      BENCH_USER_ID: stage.tenant.user_id,
      BENCH_SESSION_ID: stage.tenant.session_id,
    })
    const bareOrigin = await bare.firstLine
    const { read, write } = await workloads(stage)
    const reads = await compare(read, stage.url, bareOrigin, quick)
    const writes = await compare(write, stage.url, bareOrigin, quick)
    await verifyWrites(stage, writes.answered)
    return [
      { name: 'authorized read, to a bare server', ...reads.rates, unit: '/s', ratioAtLeast: 0.7 },
      { name: 'audited write, to a bare server', ...writes.rates, unit: '/s' },
    ]
  },
}
