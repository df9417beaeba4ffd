/** Claims of pull hooks: how many per second, and how long a waiting claim takes after the commit. */
import type { Resource } from '../support/api-client.ts'
import { median, percentile, type Row } from './figures.ts'
import { filler, notifyDrain, writeEvents } from './flood.ts'
import type { Part } from './part.ts'
import { createProjects, type Stage, settle, until } from './stage.ts'

const CLAIMERS = [1, 10, 100]
const dispatchesIn = (quick: boolean): number => (quick ? 300 : 5_000)
const waitsIn = (quick: boolean): number => (quick ? 20 : 200)
const WARM_UP = 10

interface PullHook {
  hook: Resource
  project: Resource
  token: string
}

async function createPullHook({ api }: Stage, project: Resource): Promise<PullHook> {
  const hook = await api.post<Resource>(`/projects/${project.id}/deployment-hooks`, {
    name: 'Pull',
    mode: 'pull',
    trigger_on: 'gate_approved',
  })
  const { token } = await api.post<{ token: string }>(`/deployment-hooks/${hook.id}/pull-token`, {})
  return { hook, project, token }
}

interface Claimed {
  dispatch: { id: string }
  lease_until: string
}

const post = (url: string, token: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

async function claimFrom({ url }: Stage, { hook, token }: PullHook, wait: number): Promise<Claimed[]> {
  const response = await post(`${url}/api/v1/deployment-hooks/${hook.id}/claim`, token, { wait })
  if (!response.ok) throw new Error(`A claim was answered with ${response.status}`)
  return (await response.json()) as Claimed[]
}

async function acknowledge({ url }: Stage, { token }: PullHook, { dispatch, lease_until }: Claimed): Promise<void> {
  const input = { outcome: 'succeeded', lease_until }
  const response = await post(`${url}/api/v1/dispatches/${dispatch.id}/acknowledge`, token, input)
  if (!response.ok) throw new Error(`An acknowledgement was answered with ${response.status}`)
}

/** @returns claims per second, each with its acknowledgement, of callers that claim one dispatch at a time */
async function claimRate(stage: Stage, pulled: PullHook, callers: number, count: number): Promise<number> {
  await writeEvents(stage.sql, { hooks: [pulled.hook.id], projects: [pulled.project.id] }, count, filler(64))
  await notifyDrain(stage.sql)
  await until('All dispatches are made', async () => {
    const [row] = await stage.sql<{ count: number }[]>`
      select count(*)::integer as count from deliveries where lane_id = ${pulled.hook.id}
    `
    return row?.count === count
  })
  const begun = performance.now()
  let claimed = 0
  const work = async () => {
    for (;;) {
      const [first] = await claimFrom(stage, pulled, 0)
      if (!first) return
      claimed += 1
      await acknowledge(stage, pulled, first)
    }
  }
  await Promise.all(Array.from({ length: callers }, work))
  if (claimed !== count) throw new Error(`${claimed} of ${count} dispatches were claimed`)
  return (count / (performance.now() - begun)) * 1000
}

/** @returns milliseconds from the answer to a trigger, just after its commit, to the answer to a claim that waits */
async function waits(stage: Stage, pulled: PullHook, count: number): Promise<number[]> {
  const samples: number[] = []
  for (let number = 0; number < WARM_UP + count; number++) {
    const waiting = claimFrom(stage, pulled, 25).then((claimed) => ({ claimed, at: performance.now() }))
    await Bun.sleep(50)
    await stage.api.post(`/deployment-hooks/${pulled.hook.id}/trigger`, {})
    const committed = performance.now()
    const { claimed, at } = await waiting
    const [first] = claimed
    if (!first) throw new Error('A claim that waited got nothing')
    await acknowledge(stage, pulled, first)
    if (number >= WARM_UP) samples.push(Math.max(0, at - committed))
  }
  return samples
}

export const pull: Part = {
  name: 'pull',
  describe: (quick) =>
    `pull        ${dispatchesIn(quick).toLocaleString('en')} dispatches of one pull hook, claimed one at a time and acknowledged by 1, 10 and 100 callers; and ${waitsIn(quick)} claims that wait, from the answer to the trigger (just after its commit) to the answer to the claim.`,
  async run(stage, quick) {
    const rows: Row[] = []
    const projects = await createProjects(stage, CLAIMERS.length + 1)
    for (const [index, callers] of CLAIMERS.entries()) {
      const pulled = await createPullHook(stage, projects[index] as Resource)
      await settle(stage.sql)
      const value = await claimRate(stage, pulled, callers, dispatchesIn(quick))
      rows.push({ name: `claims and acknowledgements, ${callers} at once`, value, unit: '/s' })
    }
    await settle(stage.sql)
    const samples = await waits(stage, await createPullHook(stage, projects.at(-1) as Resource), waitsIn(quick))
    rows.push({ name: 'commit to waiting claim, p50', value: median(samples), unit: 'ms', atMost: 20 })
    rows.push({ name: 'commit to waiting claim, p99', value: percentile(samples, 0.99), unit: 'ms' })
    return rows
  },
}
