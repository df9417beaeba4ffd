import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Recording, recordStatements } from '../support/recording-proxy.ts'
import { freshDatabase } from '../support/server.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

const CALLERS = 5
const EACH = 40
/** Statements of the process in a second, for all that wait together. */
const POLLS_A_SECOND = 200

let recording: Recording
let box: Box
let actors: Actor[]

beforeAll(async () => {
  recording = await recordStatements(await freshDatabase())
  box = await signalbox({ workers: 0, url: recording.url })
  actors = await Promise.all(Array.from({ length: CALLERS }, (_, number) => box.user(`Ada ${number}`)))
})
afterAll(async () => {
  await box.close()
  await recording[Symbol.asyncDispose]()
})

test('many requests that wait poll no more often than few', async () => {
  const [ada] = actors as [Actor]
  const site = await box.site(ada)
  for (const actor of actors.slice(1)) await box.join(actor, site, 'admin')
  const { id } = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: 'http://127.0.0.1:9/',
    trigger_on: 'gate_approved',
  })
  const path = `/api/v1/deployment-hooks/${id}/test`
  const waiting = actors.flatMap((actor) =>
    Array.from({ length: EACH }, () => actor.post(path, undefined, { Prefer: 'wait=25' })),
  )
  const countDispatches = async () => (await box.sql`select from dispatches where hook_id = ${id}`).length
  await box.until('all have begun', async () => (await countDispatches()) === CALLERS * EACH)
  await Bun.sleep(1_000)
  const before = recording.statements.length
  await Bun.sleep(2_000)
  // Others, such as the periodic ones of the process, are few.
  expect(recording.statements.length - before).toBeLessThan(2 * 2 * POLLS_A_SECOND)
  await ada.delete(`/api/v1/deployment-hooks/${id}`)
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(404)
})
