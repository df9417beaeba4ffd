/** Time from the commit of a change to the arrival of its request, or to the answer to a claim, on an idle worker. */
import { Entrance } from '../../test/support/entrance.ts'
import { apiClient, type Resource } from '../support/api-client.ts'
import { delays, ms, percentile, WARM_UP } from './figures.ts'
import { startReceiver } from './receiver.ts'
import { createHook, createProject, openGate, type Part, type Stage, settle, untilIdle, withWorker } from './stage.ts'

const ROUND_TRIP_MS = 5
/** The most that a project can have. */
const PENDING_GATES = 100

/** Milliseconds from the answer to an approval to the request, for gates that are approved one after another. */
async function requests(stage: Stage, count: number): Promise<number[]> {
  await using receiver = startReceiver()
  const gates: string[] = []
  while (gates.length < count + WARM_UP) {
    const { id } = await createProject(stage)
    await createHook(stage, id, { url: receiver.url })
    for (let open = 0; open < PENDING_GATES; open++) gates.push((await openGate(stage, id)).id)
  }
  await untilIdle(stage.sql)
  return await delays(count, async () => {
    const gate = gates.shift()
    return { change: () => stage.api.post(`/gates/${gate}/approve`, {}), seen: receiver.next() }
  })
}

/** Milliseconds from the answer to a trigger to the answer to a claim that waits. */
export async function claims(stage: Stage, count: number): Promise<number[]> {
  const project = await createProject(stage)
  const { id } = await createHook(stage, project.id, { mode: 'pull' })
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
  about: `200 gates approved one after another on an idle worker, from the API's answer (just after its commit) until the request reaches the receiver. Then with a worker whose round trips to PostgreSQL take ${ROUND_TRIP_MS} ms.
Then 200 claims of a pull hook that wait, from the answer to the trigger (just after its commit) to the answer to the claim.`,
  async run(stage) {
    const count = stage.quick ? 20 : 200
    const near = await requests(stage, count)
    await using network = await Entrance.before(stage.environment.DATABASE_URL ?? '', ROUND_TRIP_MS / 2)
    const far = await withWorker(stage, { DATABASE_URL: network.url }, () => requests(stage, count))
    const waiting = await claims(stage, count)
    return [
      ms('commit to request, p50', percentile(near, 0.5), '≤ 5 ms'),
      ms('commit to request, p99', percentile(near, 0.99), '≤ 15 ms'),
      ms(`commit to request, p50, round trips of ${ROUND_TRIP_MS} ms`, percentile(far, 0.5), '≤ 45 ms'),
      ms('commit to waiting claim, p50', percentile(waiting, 0.5), '≤ 20 ms'),
      ms('commit to waiting claim, p99', percentile(waiting, 0.99)),
    ]
  },
}
