/** Time from the commit of a change to the arrival of its request, on an idle worker. */
import { newSecret } from '../../core/security/signing.ts'
import { percentile } from './figures.ts'
import { startProcess } from './processes.ts'
import { startReceiver } from './receiver.ts'
import { slowNetwork } from './slow-network.ts'
import { createProjects, type Part, type Stage, untilIdle, untilWorkersReady, withoutWorker } from './stage.ts'

/** The most that an execution can have. */
const GATES_PER_EXECUTION = 100
/** Long enough for the record of a dispatch and the release of its lane, so that these do not overlap with the next one. */
const PAUSE_MS = 100
const ROUND_TRIP_MS = 5

/** @returns the ids of open gates */
async function openGates({ api, sql }: Stage, project_id: string, count: number): Promise<string[]> {
  const gates: string[] = []
  while (gates.length < count) {
    const requirement = await api.post(`/projects/${project_id}/requirements`, { title: 'Bench' })
    const execution = await api.post(`/requirements/${requirement.id}/executions`, { agent: 'bench' })
    await api.post(`/executions/${execution.id}/start`, {})
    for (let open = 0; open < GATES_PER_EXECUTION && gates.length < count; open++) {
      gates.push((await api.post(`/executions/${execution.id}/gates`, { name: 'Gate' })).id)
    }
  }
  await untilIdle(sql)
  return gates
}

/** Milliseconds from the answer of the API and from the call, for gates that are approved one after another. */
async function measure(stage: Stage) {
  const { api, quick } = stage
  const arrivals = new Map<string, number>()
  await using receiver = startReceiver(0, (body, at) => arrivals.set(JSON.parse(body).data.gate.id, at))
  const [project] = await createProjects(stage, 1)
  const hook = { name: 'Latency', url: receiver.url, secret: newSecret(), trigger_on: 'gate_approved' }
  await api.post(`/projects/${project?.id}/deployment-hooks`, hook)
  const [warmUp, count] = quick ? [2, 20] : [20, 200]
  const fromAnswer: number[] = []
  const fromCall: number[] = []
  for (const [index, gate] of (await openGates(stage, project?.id ?? '', warmUp + count)).entries()) {
    const called = performance.now()
    await api.post(`/gates/${gate}/approve`, {})
    const answered = performance.now()
    await receiver.untilReceived(index + 1)
    const arrived = arrivals.get(gate) ?? Number.NaN
    if (index >= warmUp) {
      fromAnswer.push(arrived - answered)
      fromCall.push(arrived - called)
    }
    await Bun.sleep(PAUSE_MS)
  }
  return { fromAnswer, fromCall }
}

export const latency: Part = {
  name: 'latency',
  about: `200 gates approved one after another on an idle worker, until the request reaches the receiver: since the API's answer was read (just after its commit), and since the API was called. Then with a worker whose round trips to PostgreSQL take ${ROUND_TRIP_MS} ms.`,
  async run(stage) {
    const { fromAnswer, fromCall } = await measure(stage)
    const farFromAnswer = await withoutWorker(stage, async () => {
      await using network = await slowNetwork(stage.environment.DATABASE_URL ?? '', ROUND_TRIP_MS)
      await using _ = startProcess('worker/main.ts', { ...stage.environment, DATABASE_URL: network.url })
      await untilWorkersReady(stage.sql, 1)
      return (await measure(stage)).fromAnswer
    })
    return [
      { name: 'commit to request, p50', value: percentile(fromAnswer, 0.5), unit: 'ms', target: '≤ 5 ms' },
      { name: 'commit to request, p95', value: percentile(fromAnswer, 0.95), unit: 'ms' },
      { name: 'commit to request, p99', value: percentile(fromAnswer, 0.99), unit: 'ms', target: '≤ 15 ms' },
      { name: 'API call to request, p50', value: percentile(fromCall, 0.5), unit: 'ms' },
      {
        name: `commit to request, p50, round trips of ${ROUND_TRIP_MS} ms`,
        value: percentile(farFromAnswer, 0.5),
        unit: 'ms',
        target: '≤ 45 ms',
      },
    ]
  },
}
