/** What agents cost: calls of tools beside the same requests to the API, and calls that wait for people. */
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { message } from '../../test/mcp/agents.ts'
import type { Resource } from '../support/api-client.ts'
import { observe, postmasterOf, residentBytes } from './cpu.ts'
import { bytes, ms, percentile, perSecond } from './figures.ts'
import { compareLoads, IN_FLIGHT } from './load.ts'
import { createProject, openGate, type Part, type Stage, startApi, until } from './stage.ts'

const GATES = 10
const IDLE_SECONDS = 2
const BETWEEN_CALLS_MS = 8

const toolCall = (headers: Record<string, string>, name: string, args: object) =>
  message(headers, 'tools/call', { name, arguments: args })

/** Sends a request on a connection of its own: `fetch` has at most 256 in progress. */
const send = (url: string, { body, ...options }: RequestOptions & { body?: string }) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { ...options, agent: false }, resolve)
      .on('error', reject)
      .end(body)
  })

/** Milliseconds of processor time that a process needs for a second. */
async function cpuOfSecond(pid: number): Promise<number> {
  const { seconds, cpu } = await observe({ pid: [pid] }, () => Bun.sleep(IDLE_SECONDS * 1000))
  return (cpu.pid * 1000) / seconds
}

/** Waits until a process has nothing to do, and has given back what it needed before. */
const untilIdle = (pid: number): Promise<void> => until('the API is idle', async () => (await cpuOfSecond(pid)) < 50, 0)

/** Bytes of memory of each of many streams. Of a process of its own, since memory is not given back. */
async function memoryOfStreams({ environment }: Stage, headers: Record<string, string>, count: number): Promise<number> {
  await using started = new AsyncDisposableStack()
  const { url, process: web } = await startApi(environment, started)
  const open = () => send(`${url}/api/v1/notifications/stream`, { headers })
  const streams = [await open()]
  await untilIdle(web.pid)
  const before = await residentBytes(web.pid)
  while (streams.length <= count) streams.push(await open())
  const grown = (await residentBytes(web.pid)) - before
  for (const stream of streams) stream.destroy()
  return grown / count
}

/** Many calls that wait for gates: their memory, what they need of PostgreSQL, and when they are answered after the decision. */
async function wait(stage: Stage, headers: Record<string, string>, project: Resource, count: number) {
  const { api, sql, environment } = stage
  await using started = new AsyncDisposableStack()
  const { url, process: web } = await startApi(environment, started)
  const postmaster = await postmasterOf(sql)
  const gates = await Promise.all(Array.from({ length: GATES }, () => openGate(stage, project.id)))
  const call = async (gate_id: string, seconds: number) =>
    (await (await send(`${url}/mcp`, toolCall(headers, 'wait_for_gate', { gate_id, wait: seconds }))).toArray()).join('')
  const untilApproved = async (id: string): Promise<number> => {
    const text = await call(id, 25)
    if (!text.includes('"status":"approved"')) throw new Error(`A call that waited was answered ${text.slice(0, 500)}`)
    return performance.now()
  }
  await Promise.all(gates.map(({ id }) => call(id, 1)))
  await untilIdle(web.pid)
  const idle = await cpuOfSecond(postmaster)
  const before = await residentBytes(web.pid)
  const answers = gates.map((): Promise<number>[] => [])
  // One after the other, as streams are opened: what calls that arrive at once leave behind is not what waiting needs.
  for (let number = 0; number < count; number++) {
    answers[number % GATES]?.push(untilApproved(gates[number % GATES]?.id ?? ''))
    await Bun.sleep(BETWEEN_CALLS_MS)
  }
  await untilIdle(web.pid)
  const memory = ((await residentBytes(web.pid)) - before) / count
  const waiting = await cpuOfSecond(postmaster)
  const delays: number[] = []
  for (const [index, { id }] of gates.entries()) {
    await api.post(`/gates/${id}/approve`, {})
    const decided = performance.now()
    delays.push(...(await Promise.all(answers[index] ?? [])).map((at) => at - decided))
  }
  return { memory, idle, waiting, slowest: percentile(delays, 1) }
}

export const part: Part = {
  about: `get_requirement as a tool and by the API, ${IN_FLIGHT} in flight, medians of 3 × 4 s in turns; 500 calls that wait for ${GATES} gates, beside 500 streams.`,
  async run(stage) {
    const { api, url, quick } = stage
    const project = await createProject(stage)
    const { id } = await api.post(`/projects/${project.id}/requirements`, { title: 'Pay by invoice' })
    const { token } = await api.post<{ token: string }>('/auth/tokens', { name: 'bench' })
    const headers = { Authorization: `Bearer ${token}` }
    const { headers: own, body } = toolCall(headers, 'get_requirement', { requirement_id: id })
    const expected = { status: 200, contains: 'Pay by invoice' }
    const read = await compareLoads(quick, {
      value: { method: 'POST', body, targets: [{ url: `${url}/mcp`, headers: own }], ...expected },
      baseline: { method: 'GET', targets: [{ url: `${url}/api/v1/requirements/${id}`, headers }], ...expected },
    })
    const count = quick ? 100 : 500
    const baseline = await memoryOfStreams(stage, headers, count)
    const { memory, idle, waiting, slowest } = await wait(stage, headers, project, count)
    return [
      perSecond('read as a tool, to the API', read, '≥ 0.67'),
      bytes('memory of a call that waits, to a stream', { value: memory, baseline }, '≤ 131072 B'),
      ms('PostgreSQL CPU of a second, to one in which none waits', { value: waiting, baseline: idle }),
      ms('decision to the last answer', slowest, '≤ 1000 ms'),
    ]
  },
}
