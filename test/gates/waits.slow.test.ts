/** Waiting for the decision of a gate: `GET /gates/{gate_id}` with `Prefer: wait`. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Recording, recordStatements } from '../support/recording-proxy.ts'
import { freshDatabase } from '../support/server.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { beforeWaitEnds, within } from '../support/within.ts'

/** The promised time. */
const SECOND = 1_000
/** Requests that wait at the same time. */
const MANY = 200

let recording: Recording
let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  recording = await recordStatements(await freshDatabase())
  box = await signalbox({ workers: 0, url: recording.url })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(async () => {
  await box.close()
  await recording[Symbol.asyncDispose]()
})

const open = async (name = 'Release review') => ada.make(`/api/v1/projects/${site.project.id}/gates`, { name })
const wait = ({ id }: { id: string }, seconds = 25, by = ada): Promise<Answer> =>
  by.get(`/api/v1/gates/${id}`, { Prefer: `wait=${seconds}` })
/** The statements that look at all gates that are waited for. */
const checks = () =>
  recording.statements.filter(({ text }) => /from gates as waited where waited.id = any\(/.test(text.replaceAll(/\s+/g, ' ')))

/** Resolves when the process looks at the gates that are waited for. */
async function nextCheck(): Promise<void> {
  const before = checks().length
  await box.until('the process looks', async () => checks().length > before)
}

describe('A request that waits', () => {
  test('is answered within a second of the decision', async () => {
    const gate = await open()
    const waiting = wait(gate)
    await nextCheck()
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    const { status, headers, body } = await within(SECOND, 'the decision', waiting)
    expect([status, headers.get('preference-applied'), body.status]).toEqual([200, 'wait=25', 'approved'])
  })

  test('is answered with the pending gate after its time', async () => {
    const { status, body } = await wait(await open(), 1)
    expect([status, body.status]).toEqual([200, 'pending'])
  })

  test('is answered at once if the gate is decided', async () => {
    const gate = await open()
    await ada.make(`/api/v1/gates/${gate.id}/reject`)
    const { headers, body } = await wait(gate)
    expect([headers.get('preference-applied'), body.status]).toEqual([null, 'rejected'])
  })

  test('gets 401 if its token was revoked meanwhile, and 404 if its gate was deleted', async () => {
    const gate = await open()
    const token = await ada.make('/api/v1/auth/tokens', { name: 'Agent' })
    const waiting = wait(gate, 25, ada.as(token.token))
    await nextCheck()
    await ada.delete(`/api/v1/auth/tokens/${token.id}`)
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    expect((await waiting).status).toBe(401)

    const other = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Short-lived' })
    const gone = await ada.make(`/api/v1/projects/${other.id}/gates`, { name: 'Release review' })
    const left = wait(gone)
    await nextCheck()
    await ada.delete(`/api/v1/projects/${other.id}`)
    expect((await left).status).toBe(404)
  })

  test('that is gone is waited for no longer', async () => {
    const client = new AbortController()
    const gate = await open()
    const waiting = fetch(`${box.base}/api/v1/gates/${gate.id}`, {
      headers: { Authorization: `Bearer ${ada.token}`, Prefer: 'wait=25' },
      signal: client.signal,
    }).catch(() => null)
    await nextCheck()
    client.abort()
    await waiting
    const noneWaits = box.until('nothing is waited for', async () => {
      const before = checks().length
      await Bun.sleep(2 * SECOND)
      return checks().length === before
    })
    await beforeWaitEnds('nothing is waited for', noneWaits)
  })
})

test('many that wait for many gates cost as many statements as one', async () => {
  const gates = await Promise.all(Array.from({ length: 50 }, (_, number) => open(`Review ${number}`)))
  const reads = () => recording.statements.filter(({ text }) => text.includes('from gates where gates.id =')).length
  const earlier = reads()
  const waiting = Array.from({ length: MANY }, (_, number) => wait(gates[number % gates.length]))
  await box.until('all have begun', async () => reads() - earlier >= MANY)
  await nextCheck()
  const [all, before] = [recording.statements.length, checks().length]
  await Bun.sleep(2 * SECOND)
  expect(checks().length - before).toBeLessThanOrEqual(6)
  // Others, such as the periodic ones of the process, are few.
  expect(recording.statements.length - all).toBeLessThan(40)
  const decided = Promise.all(waiting)
  await Promise.all(gates.map(({ id }) => ada.make(`/api/v1/gates/${id}/approve`)))
  for (const { body } of await decided) expect(body.status).toBe('approved')
})
