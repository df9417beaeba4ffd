/** Pages of the web app: their rate against the same reads through the API, and the memory of an API with many open pages. */
import { createHash } from 'node:crypto'
import type { Sql } from '../../sql/index.ts'
import type { Resource } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import { medians } from './figures.ts'
import type { Part } from './part.ts'
import { startProcess } from './processes.ts'
import { IN_FLIGHT, sendLoad } from './requests.ts'
import { createProjects, type Stage, signInToApp, startExecution, until, untilIdle } from './stage.ts'
import type { StreamOrder } from './stream-clients.ts'
import { createUsers, startApi, type User } from './streams.ts'

/** Pending gates, all of which `/app` shows. */
const GATES = 20
/** A page may take one and a half times as long as the same reads. */
const RATIO = 0.67

const scaleOf = (quick: boolean) => (quick ? { rounds: 1, seconds: 1, open: 200 } : { rounds: 5, seconds: 3, open: 1_000 })

interface Scene {
  project: Resource
  gate: Resource & { execution_id: string }
  requirement: Resource
}

async function setScene(stage: Stage): Promise<Scene> {
  const { api } = stage
  const [project] = (await createProjects(stage, 1)) as [Resource]
  const execution = await startExecution(stage, project.id)
  let gate: Scene['gate'] | undefined
  for (let number = 1; number <= GATES; number++) {
    gate = await api.post(`/executions/${execution.id}/gates`, { name: `Release review ${number}`, required_approvals: 2 })
  }
  const { requirement_id } = await api.get<{ requirement_id: string }>(`/executions/${execution.id}`)
  await untilIdle(stage.sql)
  return { project, gate: gate as Scene['gate'], requirement: { id: requirement_id } }
}

/**
 * Pages per second, and how often per second all of their reads are answered by the API.
 *
 * @param reads an odd number of paths, so that each concurrent sender takes them in turn
 */
async function compare(stage: Stage, cookie: string, page: string, reads: string[], quick: boolean) {
  const { rounds, seconds } = scaleOf(quick)
  const rateOf = async (paths: string[], headers: Record<string, string>): Promise<number> => {
    const load = await sendLoad(stage.url, { paths, order: { method: 'GET', headers, status: 200, contains: '' } }, seconds)
    return load.requests / load.seconds / paths.length
  }
  return medians(rounds, {
    value: () => rateOf([page], { Cookie: cookie }),
    baseline: () =>
      rateOf(
        reads.map((path) => `/api/v1${path}`),
        { Authorization: stage.api.authorization },
      ),
  })
}

/** Gives each user a session of the web app, and makes them admins of the organization. @returns their cookies */
async function signInAll(sql: Sql, users: User[], organization_id: string): Promise<string[]> {
  const cookies = users.map(() => `sbx_sc_${crypto.randomUUID()}`)
  const hashes = cookies.map((cookie) => createHash('sha256').update(cookie).digest('hex'))
  await sql`
    insert into session_cookies (hash, session_id)
    select decode(hash, 'hex'), session_id
    from unnest(${hashes}::text[], ${users.map(({ session_id }) => session_id)}::uuid[]) as cookie (hash, session_id)
  `
  await sql`
    insert into organization_members (organization_id, user_id, role)
    select ${organization_id}, user_id, 'admin' from unnest(${users.map(({ user_id }) => user_id)}::uuid[]) as user_id
  `
  await sql`
    insert into member_organizations (organization_id, user_id, role)
    select ${organization_id}, user_id, 'admin' from unnest(${users.map(({ user_id }) => user_id)}::uuid[]) as user_id
  `
  return cookies.map((cookie) => `signalbox=${cookie}`)
}

/** Opens `/app` once with each cookie. */
async function openAll(url: string, cookies: string[]): Promise<void> {
  const waiting = [...cookies]
  const open = async (): Promise<void> => {
    for (let cookie = waiting.pop(); cookie; cookie = waiting.pop()) {
      const response = await fetch(`${url}/app`, { headers: { Cookie: cookie }, redirect: 'manual' })
      if (response.status !== 200 || !(await response.text()).includes('Release review 1')) {
        throw new Failure(`/app answered ${response.status}, or without its gates.`)
      }
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, open))
}

/** The memory of an API with open pages of different users, and the time until all of them are told about a new gate. */
async function measureOpenPages(stage: Stage, { project }: Scene, count: number) {
  const { sql, environment, tenant } = stage
  const cookies = await signInAll(sql, await createUsers(sql, count), tenant.organization.id)
  await using api = await startApi(stage)
  await openAll(api.url, cookies)
  await using clients = startProcess('bin/bench/stream-clients.ts', environment)
  const clientsUrl = await clients.firstLine
  const counters = async () => (await (await fetch(clientsUrl)).json()) as { open: number; received: number }
  const order: StreamOrder = {
    port: api.port,
    path: '/app/live',
    headers: cookies.map((cookie) => `Cookie: ${cookie}`),
    greeting: 'event: change',
    counted: 'event: change',
  }
  await fetch(clientsUrl, { method: 'POST', body: JSON.stringify(order) })
  await until('All pages are open', async () => (await counters()).open === count)
  const memory = await api.memory()
  const execution = await startExecution(stage, project.id)
  await untilIdle(sql)
  const { received } = await counters()
  const begun = performance.now()
  await stage.api.post(`/executions/${execution.id}/gates`, { name: 'New review' })
  await until('All pages are told', async () => (await counters()).received >= received + count, 20_000, 5)
  return { memory, wait: performance.now() - begun }
}

export const pages: Part = {
  name: 'pages',
  describe(quick) {
    const { rounds, seconds, open } = scaleOf(quick)
    return [
      `pages       /app with ${GATES} gates, and the page of a gate, against the same reads through the API; ${IN_FLIGHT} in flight, median of ${rounds} × ${seconds} s in turns. Then the`,
      `            memory of an API with ${open.toLocaleString('en')} open pages of different users, and the time from opening a gate until all of them are told.`,
    ].join('\n')
  },
  async run(stage, quick) {
    const scene = await setScene(stage)
    const { project, gate, requirement } = scene
    const cookie = await signInToApp(stage)
    // What `/app` shows: gates, notifications, disabled hooks and channels, and budgets.
    const overview = [
      `/projects/${project.id}/gates?status=pending`,
      '/notifications?unread_only=true',
      `/projects/${project.id}/deployment-hooks`,
      `/workspaces/${stage.tenant.workspace.id}/notification-channels`,
      `/organizations/${stage.tenant.organization.id}/budget`,
    ]
    const details = [`/gates/${gate.id}`, `/executions/${gate.execution_id}`, `/requirements/${requirement.id}`]
    const app = await compare(stage, cookie, '/app', overview, quick)
    const gatePage = await compare(stage, cookie, `/app/gates/${gate.id}`, details, quick)
    const { open } = scaleOf(quick)
    const { memory, wait } = await measureOpenPages(stage, scene, open)
    const count = open.toLocaleString('en')
    return [
      { name: '/app, to the same reads', ...app, unit: '/s', ratioAtLeast: RATIO },
      { name: "a gate's page, to the same reads", ...gatePage, unit: '/s', ratioAtLeast: RATIO },
      { name: `memory, API with ${count} open pages`, value: memory, unit: 'MiB', atMost: 150 },
      { name: `new gate to ${count} open pages`, value: wait, unit: 'ms', atMost: 2_000 },
    ]
  },
}
