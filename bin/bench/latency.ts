/** Time from the commit of a change to the arrival of its request, on an idle worker. */
import { newSecret } from '../../core/security/signing.ts'
import type { Resource } from '../support/api-client.ts'
import { percentile } from './figures.ts'
import { localReceiver } from './local-receiver.ts'
import type { Part } from './part.ts'
import { createProjects, type Stage, startExecution, until, untilIdle } from './stage.ts'

/** The most that an execution can have. */
const GATES_PER_EXECUTION = 100
/** Long enough for the record of a dispatch, so that it does not overlap with the next one. */
const PAUSE_MS = 50

/** @returns milliseconds since the API's answer was read (just after the commit), and since the API was called */
async function measure(stage: Stage, count: number): Promise<{ fromAnswer: number[]; fromCall: number[] }> {
  const { api } = stage
  const arrivals = new Map<string, number>()
  await using receiver = localReceiver((body, at) => arrivals.set(JSON.parse(body).data.gate.id, at))
  const [project] = await createProjects(stage, 1)
  const hook = { name: 'Latency', url: receiver.url, secret: newSecret(), trigger_on: 'gate_approved' }
  await api.post(`/projects/${project?.id}/deployment-hooks`, hook)
  const warmUp = Math.ceil(count / 10)
  const gates = await openGates(stage, project?.id ?? '', warmUp + count)

  const fromAnswer: number[] = []
  const fromCall: number[] = []
  for (const [index, gate] of gates.entries()) {
    const called = performance.now()
    await api.post(`/gates/${gate.id}/approve`, {})
    const answered = performance.now()
    await until('The dispatch arrives', async () => arrivals.has(gate.id), 10_000, 1)
    const arrived = arrivals.get(gate.id) ?? Number.NaN
    if (index >= warmUp) {
      fromAnswer.push(arrived - answered)
      fromCall.push(arrived - called)
    }
    await Bun.sleep(PAUSE_MS)
  }
  return { fromAnswer, fromCall }
}

async function openGates(stage: Stage, project_id: string, count: number): Promise<Resource[]> {
  const gates: Resource[] = []
  while (gates.length < count) {
    const { id } = await startExecution(stage, project_id)
    for (let open = 0; open < GATES_PER_EXECUTION && gates.length < count; open++) {
      gates.push(await stage.api.post(`/executions/${id}/gates`, { name: 'Gate' }))
    }
  }
  await untilIdle(stage.sql)
  return gates
}

const gatesIn = (quick: boolean): number => (quick ? 20 : 200)

export const latency: Part = {
  name: 'latency',
  describe: (quick) =>
    `latency     ${gatesIn(quick)} gates approved one after another on an idle worker, until the request reaches the receiver: since the API's answer was read (just after its commit), and since the API was called.`,
  async run(stage, quick) {
    const { fromAnswer, fromCall } = await measure(stage, gatesIn(quick))
    return [
      { name: 'commit to request, p50', value: percentile(fromAnswer, 0.5), unit: 'ms', atMost: 5 },
      { name: 'commit to request, p95', value: percentile(fromAnswer, 0.95), unit: 'ms' },
      { name: 'commit to request, p99', value: percentile(fromAnswer, 0.99), unit: 'ms', atMost: 20 },
      { name: 'API call to request, p50', value: percentile(fromCall, 0.5), unit: 'ms' },
    ]
  },
}
