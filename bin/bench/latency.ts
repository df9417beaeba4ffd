/** From the commit of a change to the arrival of its request, one after another on an idle machine. */

import { newSecret } from '../../core/security/signing.ts'
import type { Thing } from '../support/api-client.ts'
import { milliseconds, percentile, roundedEach } from './figures.ts'
import type { Part } from './part.ts'
import { idle, makeProjects, type Stage, until } from './stage.ts'

const LIMIT_P50_MS = 5
const LIMIT_P99_MS = 20
/** As many as an execution can have. */
const GATES_PER_EXECUTION = 100
/** What a dispatch leaves behind (its record, its own event) must be over before the next. */
const PAUSE_MS = 50

interface Percentiles {
  p50: number
  p95: number
  p99: number
}

interface Latency {
  /** Milliseconds since the API's answer, which comes just after the commit, was read. */
  from_answer: Percentiles
  /** Milliseconds since the API was called. */
  from_request: Percentiles
}

const percentiles = (samples: number[]): Percentiles => ({
  p50: percentile(samples, 0.5),
  p95: percentile(samples, 0.95),
  p99: percentile(samples, 0.99),
})

/** The receiver is in this process, so that one clock sees both ends. */
async function measureLatency(stage: Stage, count: number): Promise<Latency> {
  const { api, sql } = stage
  const arrived = new Map<string, number>()
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const now = performance.now()
      const { data } = (await request.json()) as { data: { gate: Thing } }
      arrived.set(data.gate.id, now)
      return new Response('ok')
    },
  })
  try {
    const [project] = await makeProjects(stage, 1)
    const hook = { name: 'Latency', url: receiver.url.href, secret: newSecret(), trigger_on: 'gate_approved' }
    await api.post(`/projects/${project?.id}/deployment-hooks`, hook)
    const warmUp = Math.ceil(count / 10)
    const gates = await openGates(stage, project?.id ?? '', warmUp + count)

    const fromAnswer: number[] = []
    const fromRequest: number[] = []
    for (const [index, gate] of gates.entries()) {
      const sent = performance.now()
      await api.post(`/gates/${gate.id}/approve`, {})
      const answered = performance.now()
      await until('The dispatch arrives', async () => arrived.has(gate.id), 10_000, 1)
      const at = arrived.get(gate.id) ?? Number.NaN
      if (index >= warmUp) {
        fromAnswer.push(at - answered)
        fromRequest.push(at - sent)
      }
      await Bun.sleep(PAUSE_MS)
    }
    await idle(sql)
    return { from_answer: percentiles(fromAnswer), from_request: percentiles(fromRequest) }
  } finally {
    await receiver.stop(true)
  }
}

async function openGates({ api, sql }: Stage, project_id: string, count: number): Promise<Thing[]> {
  const requirement = await api.post(`/projects/${project_id}/requirements`, { title: 'Latency' })
  const gates: Thing[] = []
  while (gates.length < count) {
    const { id } = await api.post(`/requirements/${requirement.id}/executions`, { agent: 'bench' })
    await api.post(`/executions/${id}/start`, {})
    for (let open = 0; open < GATES_PER_EXECUTION && gates.length < count; open++) {
      gates.push(await api.post(`/executions/${id}/gates`, { name: 'Gate' }))
    }
  }
  await idle(sql)
  return gates
}

const gatesOf = (quick: boolean): number => (quick ? 20 : 200)

export const latency: Part = {
  name: 'latency',
  conditions: (quick) =>
    `commit    ${gatesOf(quick)} gates approved one after another on an idle worker; until the request is in the receiver, since the API's answer was read (just after its commit), and since the API was called.`,
  async run(stage, quick) {
    const { from_answer, from_request } = await measureLatency(stage, gatesOf(quick))
    return {
      rows: [
        { name: 'commit to request, p50', ours: milliseconds(from_answer.p50), limit: `≤ ${LIMIT_P50_MS} ms` },
        { name: 'commit to request, p95', ours: milliseconds(from_answer.p95) },
        { name: 'commit to request, p99', ours: milliseconds(from_answer.p99), limit: `≤ ${LIMIT_P99_MS} ms` },
        { name: 'API call to request, p50', ours: milliseconds(from_request.p50) },
      ],
      figures: { commit_to_dispatch_ms: roundedEach(from_answer), request_to_dispatch_ms: roundedEach(from_request) },
    }
  },
}
