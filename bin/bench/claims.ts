/** Claims of pull hooks: how many per second, and how long a waiting claim takes after the commit. */
import { apiClient, type Resource } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import { median, percentile, type Row } from './figures.ts'
import { untilDrained, writeEvents } from './flood.ts'
import { createProjects, type Part, type Stage, settle } from './stage.ts'

const CALLERS = [1, 10, 100]
const WARM_UP = 10

interface Claimed {
  dispatch: Resource
  lease_until: string
}

export async function createPullHook(stage: Stage) {
  const [project = { id: '' }] = await createProjects(stage, 1)
  const input = { name: 'Pull', mode: 'pull', trigger_on: 'gate_approved' }
  const { id } = await stage.api.post(`/projects/${project.id}/deployment-hooks`, input)
  const { token } = await stage.api.post<{ token: string }>(`/deployment-hooks/${id}/pull-token`, {})
  const puller = Object.assign(apiClient(stage.url), { authorization: `Bearer ${token}` })
  await settle(stage.sql)
  return { id, project_id: project.id, puller }
}
type PullHook = Awaited<ReturnType<typeof createPullHook>>

const claim = ({ id, puller }: PullHook, wait: number) => puller.post<Claimed[]>(`/deployment-hooks/${id}/claim`, { wait })

const acknowledge = ({ puller }: PullHook, { dispatch, lease_until }: Claimed) =>
  puller.post(`/dispatches/${dispatch.id}/acknowledge`, { outcome: 'succeeded', lease_until })

/** @returns claims per second, each with its acknowledgement, of callers that claim one dispatch at a time */
async function claimRate({ sql }: Stage, hook: PullHook, callers: number, count: number): Promise<number> {
  await writeEvents(sql, [hook.project_id], count)
  await untilDrained(sql)
  const begun = performance.now()
  let claimed = 0
  const work = async () => {
    for (let [first] = await claim(hook, 0); first; [first] = await claim(hook, 0)) {
      claimed++
      await acknowledge(hook, first)
    }
  }
  await Promise.all(Array.from({ length: callers }, work))
  if (claimed !== count) throw new Failure(`${claimed} of ${count} dispatches were claimed.`)
  return (count / (performance.now() - begun)) * 1000
}

/** @returns milliseconds from the answer to a trigger, just after its commit, to the answer to a claim that waits */
export async function waits({ api }: Stage, hook: PullHook, count: number): Promise<number[]> {
  const samples: number[] = []
  for (let number = 0; number < WARM_UP + count; number++) {
    const waiting = claim(hook, 25).then(([first]) => ({ first, at: performance.now() }))
    await Bun.sleep(50)
    await api.post(`/deployment-hooks/${hook.id}/trigger`, {})
    const committed = performance.now()
    const { first, at } = await waiting
    if (!first) throw new Failure('A claim that waited got nothing.')
    await acknowledge(hook, first)
    if (number >= WARM_UP) samples.push(Math.max(0, at - committed))
  }
  return samples
}

export const claims: Part = {
  name: 'claims',
  about:
    '5,000 dispatches of one pull hook, claimed one at a time and acknowledged by 1, 10 and 100 callers; and 200 claims that wait, from the answer to the trigger (just after its commit) to the answer to the claim.',
  async run(stage) {
    const [dispatches, waiting] = stage.quick ? [300, 20] : [5_000, 200]
    const rows: Row[] = []
    for (const callers of CALLERS) {
      const value = await claimRate(stage, await createPullHook(stage), callers, dispatches)
      rows.push({ name: `claims and acknowledgements, ${callers} at once`, value, unit: '/s' })
    }
    const samples = await waits(stage, await createPullHook(stage), waiting)
    rows.push({ name: 'commit to waiting claim, p50', value: median(samples), unit: 'ms', target: '≤ 20 ms' })
    rows.push({ name: 'commit to waiting claim, p99', value: percentile(samples, 0.99), unit: 'ms' })
    return rows
  },
}
