/** What agents cost: calls of tools beside the same requests to the API, and calls that wait for people. */
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Resource } from '../support/api-client.ts'
import { cpuOf, postmasterOf, residentBytes } from './cpu.ts'
import { medians, percentile } from './figures.ts'
import { IN_FLIGHT, type LoadOrder, runLoad } from './load.ts'
import { createProjects, type Part, type Stage, startApi, until } from './stage.ts'

const REVISION = '2026-07-28'
const GATES = 10
const IDLE_SECONDS = 2

/** A call of a tool, as a client of the latest revision sends it. */
function toolCall(token: string, name: string, args: object) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': name,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } })
  return { method: 'POST' as const, headers, body }
}

/** Rates and processor times of a read as a tool and by the API, in turns. */
async function compareReads({ url, process: web, quick }: Stage, token: string, { id }: Resource) {
  const [rounds, seconds] = quick ? [2, 2] : [5, 3]
  const { method, headers, body } = toolCall(token, 'get_requirement', { requirement_id: id })
  const expected = { status: 200, contains: 'Pay by invoice' }
  const path = `${url}/api/v1/requirements/${id}`
  const api: Omit<LoadOrder, 'seconds'> = {
    method: 'GET',
    targets: [{ url: path, headers: { Authorization: headers.Authorization } }],
    ...expected,
  }
  const tool: Omit<LoadOrder, 'seconds'> = { method, targets: [{ url: `${url}/mcp`, headers }], body, ...expected }
  const cpu = { value: 0, baseline: 0 }
  const measure = (name: keyof typeof cpu, order: Omit<LoadOrder, 'seconds'>) => async (isWarmUp: boolean) => {
    const before = await cpuOf([web.pid])
    const load = await runLoad({ ...order, seconds })
    if (!isWarmUp) cpu[name] += (((await cpuOf([web.pid])) - before) * 1000) / load.requests / rounds
    return load.requests / load.seconds
  }
  const rates = await medians(rounds, { value: measure('value', tool), baseline: measure('baseline', api) })
  return { rates, cpu }
}

/** Sends a request on a connection of its own: `fetch` has at most 256 in progress. */
function send(url: string, { body, ...options }: RequestOptions & { body?: string }): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, { ...options, agent: false }, resolve)
    .on('error', reject)
    .end(body)
  return promise
}

/** Milliseconds of processor time that processes need for a second. */
async function cpuOfSecond(pid: number): Promise<number> {
  const before = await cpuOf([pid])
  await Bun.sleep(IDLE_SECONDS * 1000)
  return (((await cpuOf([pid])) - before) * 1000) / IDLE_SECONDS
}

/** Bytes of memory of each of many streams. Of a process of its own, since memory is not given back. */
async function memoryOfStreams({ environment }: Stage, token: string, count: number): Promise<number> {
  await using started = new AsyncDisposableStack()
  const { url, process: web } = await startApi(environment, started)
  const open = () => send(`${url}/api/v1/notifications/stream`, { headers: { Authorization: `Bearer ${token}` } })
  const streams = [await open()]
  const before = await residentBytes(web.pid)
  while (streams.length <= count) streams.push(await open())
  const grown = (await residentBytes(web.pid)) - before
  for (const stream of streams) stream.destroy()
  return grown / count
}

/** Many calls that wait for gates: their memory, what they need of PostgreSQL, and when they are answered after the decision. */
async function wait({ api, sql, environment }: Stage, token: string, project: Resource, count: number) {
  await using started = new AsyncDisposableStack()
  const { url, process: web } = await startApi(environment, started)
  const postmaster = await postmasterOf(sql)
  const open = () => api.post(`/projects/${project.id}/gates`, { name: crypto.randomUUID() })
  const gates = await Promise.all(Array.from({ length: GATES }, open))
  const call = async (gate_id: string, seconds: number) => {
    const { body, ...options } = toolCall(token, 'wait_for_gate', { gate_id, wait: seconds })
    return (await (await send(`${url}/mcp`, { ...options, body })).toArray()).join('')
  }
  const untilApproved = async (id: string): Promise<number> => {
    const text = await call(id, 25)
    if (!text.includes('"status":"approved"')) throw new Error(`A call that waited was answered ${text.slice(0, 500)}`)
    return performance.now()
  }
  await Promise.all(gates.map(({ id }) => call(id, 1)))
  const idle = await cpuOfSecond(postmaster)
  const before = await residentBytes(web.pid)
  const answers = gates.map(({ id }) => Promise.all(Array.from({ length: count / GATES }, () => untilApproved(id))))
  await until('all calls wait', async () => (await cpuOfSecond(web.pid)) < 50, 0)
  const memory = ((await residentBytes(web.pid)) - before) / count
  const postgres = { value: await cpuOfSecond(postmaster), baseline: idle }
  const delays: number[] = []
  for (const [index, { id }] of gates.entries()) {
    await api.post(`/gates/${id}/approve`, {})
    const decided = performance.now()
    delays.push(...((await answers[index]) ?? []).map((at) => at - decided))
  }
  return { memory, postgres, slowest: percentile(delays, 1) }
}

export const mcp: Part = {
  name: 'mcp',
  about: `get_requirement as a tool and by the API, ${IN_FLIGHT} in flight, medians of 5 × 3 s in turns; 500 calls that wait for ${GATES} gates, beside 500 streams.`,
  async run(stage) {
    const { api, quick } = stage
    const [project = { id: '' }] = await createProjects(stage, 1)
    const requirement = await api.post(`/projects/${project.id}/requirements`, { title: 'Pay by invoice' })
    const { token } = await api.post<{ id: string; token: string }>('/auth/tokens', { name: 'bench' })
    const { rates, cpu } = await compareReads(stage, token, requirement)
    const count = quick ? 100 : 500
    const baseline = await memoryOfStreams(stage, token, count)
    const { memory, postgres, slowest } = await wait(stage, token, project, count)
    return [
      { name: 'read as a tool, to the API', ...rates, unit: '/s', target: '≥ 0.67' },
      { name: 'API CPU of a read as a tool, to the API', ...cpu, unit: 'ms' },
      { name: 'memory of a call that waits, to a stream', value: memory, baseline, unit: 'B', target: '≤ 131072 B' },
      { name: 'PostgreSQL CPU of a second, to one in which none waits', ...postgres, unit: 'ms' },
      { name: 'decision to the last answer', value: slowest, unit: 'ms', target: '≤ 1000 ms' },
    ]
  },
}
