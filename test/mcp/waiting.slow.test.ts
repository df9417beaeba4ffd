/** Agents that wait for people: many at the same time, some of which are gone before the decision. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { request } from 'node:http'
import { type Recording, recordStatements } from '../support/recording-proxy.ts'
import { freshDatabase } from '../support/server.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { beforeWaitEnds, within } from '../support/within.ts'
import { GENERATIONS, message, modern, recordOf } from './agents.ts'

/** The promised time. */
const SECOND = 1_000
const MANY = 500
/** Of memory for each call that waits. A stream takes about as much. */
const MAX_KIB_EACH = 128

let recording: Recording
let box: Box
let ada: Actor
let site: Site
let token: string

beforeAll(async () => {
  recording = await recordStatements(await freshDatabase())
  box = await signalbox({ workers: 0, url: recording.url })
  ada = await box.user('Ada')
  site = await box.site(ada)
  token = (await ada.make('/api/v1/auth/tokens', { name: 'Agent' })).token
})
afterAll(async () => {
  await box.close()
  await recording[Symbol.asyncDispose]()
})

const open = () => ada.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'Release review' })
/** The statements that look at all gates that are waited for. */
const checks = () =>
  recording.statements.filter(({ text }) => /from gates as waited where waited.id = any\(/.test(text.replaceAll(/\s+/g, ' ')))
    .length

/** How often a gate was read. */
const reads = () => recording.statements.filter(({ text }) => text.includes('from gates where gates.id =')).length

async function nextCheck(): Promise<void> {
  const before = checks()
  await box.until('the process looks', async () => checks() > before)
}

/** Resolves when nothing waits any more. */
const untilNoneWaits = () =>
  box.until('nothing is waited for', async () => {
    const before = checks()
    await Bun.sleep(2 * SECOND)
    return checks() === before
  })

/** Resident memory of the API in KiB; 0 where the system does not report it. */
async function memory(): Promise<number> {
  const text = await Bun.file(`/proc/${box.api.pid}/status`)
    .text()
    .catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
}

test.each(Object.entries(GENERATIONS))('a %s agent hears of the decision within a second', async (_, connect) => {
  const gate = await open()
  await using agent = await connect(box.base, token)
  const waiting = agent.call('wait_for_gate', { gate_id: gate.id })
  await nextCheck()
  await ada.make(`/api/v1/gates/${gate.id}/approve`)
  expect(recordOf(await within(SECOND, 'the decision', waiting), 'gate').status).toBe('approved')
})

test('the pending gate comes back after the time that the agent waits, at most 25 s', async () => {
  const gate = await open()
  await using agent = await modern(box.base, token)
  const result = await agent.call('wait_for_gate', { gate_id: gate.id, wait: 1 })
  expect(recordOf(result, 'gate').status).toBe('pending')
  expect(result.content[0]?.text).toContain('Call wait_for_gate')
  for (const wait of [0, 26, 1.5, '5', null]) {
    const { isError, content } = await agent.call('wait_for_gate', { gate_id: gate.id, wait })
    expect([wait, isError, content[0]?.text]).toEqual([wait, true, expect.stringContaining('/wait must be a whole number')])
  }
})

test.each(Object.entries(GENERATIONS))('a %s agent that is gone is waited for no longer', async (_, connect) => {
  const gate = await open()
  const agent = await connect(box.base, token)
  const waiting = agent.call('wait_for_gate', { gate_id: gate.id, wait: 25 }).catch(() => null)
  await nextCheck()
  await agent[Symbol.asyncDispose]()
  await waiting
  await beforeWaitEnds('nothing is waited for', untilNoneWaits())
})

test('an agent whose token is revoked while it waits learns nothing', async () => {
  const gate = await open()
  const stolen = await ada.make('/api/v1/auth/tokens', { name: 'Stolen' })
  await using agent = await modern(box.base, stolen.token)
  const waiting = agent.call('wait_for_gate', { gate_id: gate.id })
  waiting.catch(() => {})
  await nextCheck()
  await ada.delete(`/api/v1/auth/tokens/${stolen.id}`)
  await ada.make(`/api/v1/gates/${gate.id}/approve`)
  await expect(waiting).rejects.toThrow('401')
})

/** Calls a tool. Through `node:http`: `fetch` has at most 256 requests in progress. @returns the status of the gate */
function waitFor(gate_id: string, wait = 25): Promise<string> {
  const call = { name: 'wait_for_gate', arguments: { gate_id, wait } }
  const { body, ...options } = message({ Authorization: `Bearer ${token}` }, 'tools/call', call)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  request(`${box.base}/mcp`, { ...options, agent: false }, async (response) => {
    let text = ''
    for await (const chunk of response) text += chunk
    resolve(JSON.parse(text).result.structuredContent.gate.status)
  })
    .on('error', reject)
    .end(body)
  return promise
}

test(`${MANY} agents that wait cost as many statements as one, and as much memory as streams`, async () => {
  const gates = await Promise.all(Array.from({ length: 10 }, open))
  // What the first calls need is there for all.
  await Promise.all(gates.map(({ id }) => waitFor(id, 1)))
  const [before, begun] = [await memory(), reads()]
  const waiting = Array.from({ length: MANY }, (_, number) => waitFor(gates[number % gates.length].id))
  await box.until('all wait', async () => reads() - begun >= MANY)
  const grown = (await memory()) - before
  console.log(`${Math.round(grown / MANY)} KiB for each of ${MANY} waiting calls`)
  expect(grown / MANY).toBeLessThan(MAX_KIB_EACH)
  const start = checks()
  await Bun.sleep(2 * SECOND)
  expect(checks() - start).toBeLessThanOrEqual(6)
  await Promise.all(gates.map(({ id }) => ada.make(`/api/v1/gates/${id}/approve`)))
  for (const status of await Promise.all(waiting)) expect(status).toBe('approved')
})
