/** Tenants beside each other: how long the single events of some take while others have much to send. */
import { newSecret } from '../../core/security/signing.ts'
import { residentBytes } from './cpu.ts'
import { bytes, ms, percentile, times } from './figures.ts'
import { untilDrained, writeEvents } from './flood.ts'
import { startReceiver } from './receiver.ts'
import { createProject, createTenant, type Part, type Stage, settle, type Tenant } from './stage.ts'

const [BUSY, QUIET] = [50, 100]
const DISPATCHES = 9_000
const BODY_BYTES = 64 * 1024
const FLOOD = 20_000
/** The most that a project can have. */
const HOOKS = 100
const SLOW_MS = 10_000
/** Between two single events, each of another tenant. */
const EVERY_MS = 40

interface Site extends Pick<Tenant, 'api'> {
  project: string
  hook: string
}

/** Tenants with one project and one hook each, whose requests go to the path `/<index>`. */
async function openSites(stage: Stage, count: number, url: string): Promise<Site[]> {
  const sites: Site[] = []
  while (sites.length < count) {
    const tenant = await createTenant(stage.url)
    const { id } = await createProject(tenant)
    const hook = { name: 'Deploy', url: `${url}/${sites.length}`, secret: newSecret(), trigger_on: 'gate_approved' }
    sites.push({ api: tenant.api, project: id, hook: (await tenant.api.post(`/projects/${id}/deployment-hooks`, hook)).id })
  }
  return sites
}

/** Milliseconds from the commit of an event until the requests of all hooks of its project have arrived. */
async function measureWide(stage: Stage, hooks: number, turns: number): Promise<number> {
  await using receiver = startReceiver()
  const { api } = stage
  const { id } = await createProject(stage)
  for (let made = 0; made < hooks; made++) {
    await api.post(`/projects/${id}/deployment-hooks`, { name: `Deploy ${made}`, url: receiver.url, trigger_on: 'gate_approved' })
  }
  const samples = await times(
    turns,
    () => settle(stage.sql),
    async () => {
      await writeEvents(stage.sql, [id], 1)
      await receiver.untilReceived(hooks)
      receiver.clear()
    },
  )
  return percentile(samples, 0.5)
}

/**
 * Commits single events of quiet tenants for as long as something else runs.
 *
 * @param commits gets when each event was committed, by the name of its gate
 * @returns the memory of the worker
 */
async function beside(stage: Stage, quiet: Site[], commits: Map<string, number>, run: () => Promise<unknown>): Promise<number> {
  let isRunning = true
  let peak = 0
  const running = run().finally(() => {
    isRunning = false
  })
  for (let turn = 0; isRunning; turn++) {
    const gate = `${commits.size}`
    commits.set(gate, await writeEvents(stage.sql, [quiet[turn % quiet.length]?.project ?? ''], 1, gate))
    peak = Math.max(peak, await residentBytes(stage.worker.pid))
    await Bun.sleep(EVERY_MS)
  }
  await running
  return peak
}

export const part: Part = {
  about: `single events of ${QUIET} tenants, one every ${EVERY_MS} ms, until their requests arrive: while ${DISPATCHES.toLocaleString('en')} dispatches of ${BUSY} others, with bodies of 64 KiB, become due at the same moment; during a flood of ${FLOOD.toLocaleString('en')} events of one tenant; and while ${BUSY} tenants have more dispatches than fit in flight, to receivers that take ${SLOW_MS / 1000} s. First request: of each of the ${BUSY}, after all were resumed; the slowest. Wide event: until the requests of all ${HOOKS} hooks of its project have arrived, median of 10.`,
  async run(stage) {
    const { sql, quick } = stage
    const share = quick ? 10 : 1
    const commits = new Map<string, number>()
    const latencies: number[] = []
    const first = new Map<string, number>()
    await using one = startReceiver(0, (body, at) => {
      // A request can arrive before the answer to its commit has been read.
      latencies.push(Math.max(0, at - (commits.get(JSON.parse(body).data.gate.name) ?? at)))
    })
    await using many = startReceiver(0, (_, at, path) => void first.set(path, first.get(path) ?? at))
    const quiet = await openSites(stage, QUIET / share, one.url)
    const singlesBeside = async (run: () => Promise<unknown>) => {
      const memory = await beside(stage, quiet, commits, run)
      await one.untilReceived(commits.size)
      return { memory, p99: percentile(latencies.splice(0), 0.99) }
    }
    const busy = await openSites(stage, BUSY / share, many.url)
    const setPaused = (paused: boolean) =>
      Promise.all(busy.map(({ api, hook }) => api.put(`/deployment-hooks/${hook}`, { paused })))
    const projects = busy.map(({ project }) => project)
    const count = DISPATCHES / share
    await setPaused(true)
    for (let written = 0; written < count; written += 500)
      await writeEvents(sql, projects, Math.min(500, count - written), 'Review', BODY_BYTES)
    await untilDrained(sql)
    await settle(sql)
    let begun = 0
    const large = await singlesBeside(async () => {
      await setPaused(false)
      begun = performance.now()
      await many.untilReceived(count)
    })
    const slowest = Math.max(...[...first.values()].map((at) => at - begun))
    const recovered = first.size
    many.clear()
    await settle(sql)
    const flood = await singlesBeside(async () => {
      await writeEvents(sql, projects.slice(0, 1), FLOOD / share)
      await many.untilReceived(FLOOD / share)
    })
    // Before the slow requests, which occupy the worker after their hooks are deleted.
    const wide = await measureWide(stage, quick ? 10 : HOOKS, quick ? 3 : 10)
    await using slow = startReceiver(SLOW_MS)
    const waiting = await openSites(stage, BUSY / share, slow.url)
    await settle(sql)
    const besideSlow = await singlesBeside(async () => {
      for (const { project } of waiting) await writeEvents(sql, [project], 20)
      await Bun.sleep(2 * SLOW_MS)
    })
    await Promise.all(waiting.map(({ api, hook }) => api.delete(`/deployment-hooks/${hook}`)))
    return [
      ms(`first request of ${recovered} tenants`, slowest, { target: '≤ 2000 ms' }),
      ms('single events beside them, p99', large.p99, { target: '≤ 300 ms' }),
      bytes('memory of the worker', large.memory, { target: '≤ 209715200 B' }),
      ms('single events beside a flood, p99', flood.p99, { target: '≤ 150 ms' }),
      ms('single events beside slow receivers, p99', besideSlow.p99, { target: '≤ 150 ms' }),
      ms('wide event, last request', wide),
    ]
  },
}
