/** How long a claim that waits takes after the commit. */
import { apiClient, type Resource } from '../support/api-client.ts'
import { delays, ms, percentile } from './figures.ts'
import { createProject, type Part, type Stage, settle } from './stage.ts'

/** @returns milliseconds from the answer to a trigger, just after its commit, to the answer to a claim that waits */
export async function waits(stage: Stage, count: number): Promise<number[]> {
  const project = await createProject(stage)
  const input = { name: 'Pull', mode: 'pull', trigger_on: 'gate_approved' }
  const { id } = await stage.api.post(`/projects/${project.id}/deployment-hooks`, input)
  const { token } = await stage.api.post<{ token: string }>(`/deployment-hooks/${id}/pull-token`, {})
  const puller = Object.assign(apiClient(stage.url), { authorization: `Bearer ${token}` })
  await settle(stage.sql)
  const claim = async (): Promise<number> => {
    type Claimed = { dispatch: Resource; lease_until: string }
    const [first] = await puller.post<Claimed[]>(`/deployment-hooks/${id}/claim`, { wait: 25 })
    const at = performance.now()
    if (!first) return Number.NaN
    const { dispatch, lease_until } = first
    await puller.post(`/dispatches/${dispatch.id}/acknowledge`, { outcome: 'succeeded', lease_until })
    return at
  }
  const change = () => stage.api.post(`/deployment-hooks/${id}/trigger`, {})
  return delays(count, async () => ({ change, seen: claim() }))
}

export const part: Part = {
  about:
    '200 claims of a pull hook that wait, from the answer to the trigger (just after its commit) to the answer to the claim.',
  async run(stage) {
    const samples = await waits(stage, stage.quick ? 20 : 200)
    return [
      ms('commit to waiting claim, p50', percentile(samples, 0.5), { target: '≤ 20 ms' }),
      ms('commit to waiting claim, p99', percentile(samples, 0.99)),
    ]
  },
}
