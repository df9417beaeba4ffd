/** Reads and writes through the API, against bare routes with the same SQL. */
import { Failure } from '../support/failure.ts'
import { type Compared, compared, median, versus } from './figures.ts'
import type { Load, LoadOrder } from './load.ts'
import type { Part } from './part.ts'
import { runHelper, startProcess } from './processes.ts'
import { makeProjects, type Stage } from './stage.ts'

interface Scale {
  rounds: number
  seconds: number
  warmUpSeconds: number
}

const READ_LIMIT = 0.7
const IN_FLIGHT = 16
/** Creations in one project take turns for its next number; a service has many projects. */
const PROJECTS = 16

const load = (order: LoadOrder): Promise<Load> => runHelper('bin/bench/load.ts', order)

/** Lets both run in turns, so that whatever else this machine does meets both. */
async function compare(scale: Scale, order: Omit<LoadOrder, 'seconds'>, paths: string[], origins: [string, string]) {
  const rates: [number[], number[]] = [[], []]
  let requests = 0
  for (let round = 0; round <= scale.rounds; round++) {
    for (const [side, origin] of origins.entries()) {
      const seconds = round === 0 ? scale.warmUpSeconds : scale.seconds
      const { requests: answered, seconds: took } = await load({ ...order, seconds, urls: paths.map((path) => origin + path) })
      requests += answered
      if (round > 0) rates[side]?.push(answered / took)
    }
  }
  return { ours: median(rates[0]), baseline: median(rates[1]), requests }
}

async function compareRequests(stage: Stage, scale: Scale): Promise<{ read: Compared; write: Compared }> {
  const { tenant, api, sql } = stage
  await using bare = startProcess('bin/bench/bare-server.ts', {
    ...stage.environment,
    BENCH_USER_ID: tenant.user_id,
    BENCH_SESSION_ID: tenant.session_id,
  })
  const origins: [string, string] = [stage.url, await bare.firstLine]
  const common = {
    inFlight: IN_FLIGHT,
    urls: [],
    headers: { Authorization: api.authorization, 'Content-Type': 'application/json' },
  }

  const read = await compare(
    scale,
    { ...common, method: 'GET', status: 200, contains: tenant.organization.id },
    [`/api/v1/organizations/${tenant.organization.id}`],
    origins,
  )

  const projects = await makeProjects(stage, PROJECTS)
  const body = JSON.stringify({ title: 'Pay by invoice', description: 'An invoice is sent within a minute of the order.' })
  const write = await compare(
    scale,
    { ...common, method: 'POST', status: 201, contains: '"number":', body },
    projects.map(({ id }) => `/api/v1/projects/${id}/requirements`),
    origins,
  )
  const [{ kept, audited }] = await sql<[{ kept: number; audited: number }]>`
    select
      (select count(*) from requirements) as kept,
      (select count(*) from audit_log_entries where action = 'requirement.created') as audited
  `
  if (kept !== write.requests || audited !== write.requests) {
    throw new Failure(`${write.requests} requirements were answered 201, but ${kept} are kept and ${audited} audited.`)
  }
  return { read, write }
}

const scaleOf = (quick: boolean): Scale =>
  quick ? { rounds: 1, seconds: 1, warmUpSeconds: 0.5 } : { rounds: 3, seconds: 4, warmUpSeconds: 2 }

export const requests: Part = {
  name: 'requests',
  conditions(quick) {
    const { rounds, seconds } = scaleOf(quick)
    return [
      `read      GET /organizations/{id}, against a bare Elysia route with the same two statements; ${IN_FLIGHT} in flight, median of ${rounds} × ${seconds} s in turns.`,
      `write     POST /projects/{id}/requirements over ${PROJECTS} projects, against a bare Elysia route with the same SQL in one transaction; as above.`,
    ].join('\n')
  },
  async run(stage, quick) {
    const { read, write } = await compareRequests(stage, scaleOf(quick))
    return {
      rows: [{ ...versus('authorised read', read), limit: `≥ ${READ_LIMIT}` }, versus('audited write', write)],
      figures: { authorised_read_per_second: compared(read), audited_write_per_second: compared(write) },
    }
  },
}
