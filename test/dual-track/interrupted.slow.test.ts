import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Asked, CALL_USD, ModelServer, says, settingsFor } from '../support/model-server.ts'
import { type Actor, type Box, type Process, type Site, signalbox } from '../support/signalbox.ts'
import { comparison, eventsAndAudit, fetchSpend, type Tracks } from './tracks.ts'

const server = new ModelServer()
let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ own: true, environment: settingsFor(server) })
  ada = await box.user('Ada')
})
afterAll(async () => {
  await box.close()
  await server.stop()
})
beforeEach(async () => {
  site = await box.site(ada)
})

const TRACKS: Tracks = { a: [{ report: { summary: 'TRACK A' } }], b: [{}] }
const isFirstOrder = ({ data }: Asked) => JSON.stringify(data.first).includes('TRACK A')
const statusOf = async (id: string) => (await ada.get(`/api/v1/dual-track/${id}`)).body.status
const waitForStatus = (id: string, status: string) => box.until(`it is ${status}`, async () => (await statusOf(id)) === status)
const jobsLeft = () => box.sql`select from graphile_worker.jobs where task_identifier = 'compare_tracks'`
const waitForJob = () => box.until('its job is done', async () => (await jobsLeft()).length === 0)
const theWorker = (): Process => {
  const [worker] = box.workers
  if (!worker) throw new Error('There is a worker')
  return worker
}

/** Starts a comparison whose model answers are held until `release` is called. */
async function startHeldComparison(): Promise<{ id: string; release: () => void }> {
  const hold = Promise.withResolvers<void>()
  server.reset(async () => {
    await hold.promise
    return says({ recommendation: 'first' })
  })
  const { id } = await comparison(ada, site.project.id, TRACKS)
  await ada.make(`/api/v1/dual-track/${id}/compare`)
  await server.waitFor(2)
  return { id, release: () => hold.resolve() }
}

test('cancelling a comparison in progress drops its outcome, and keeps its cost charged', async () => {
  const { id, release } = await startHeldComparison()
  const { status, body } = await ada.post(`/api/v1/dual-track/${id}/cancel`)
  expect([status, body.status]).toEqual([200, 'cancelled'])
  release()
  await waitForJob()
  expect((await ada.get(`/api/v1/dual-track/${id}`)).body).toEqual(body)
  expect((await eventsAndAudit(box, id)).events).toEqual(['dual_track.cancelled'])
  expect(await fetchSpend(ada, site)).toEqual([2 * CALL_USD, 2 * CALL_USD])
})

test('deleting a comparison in progress drops its outcome, and keeps its cost charged', async () => {
  const { id, release } = await startHeldComparison()
  expect((await ada.delete(`/api/v1/dual-track/${id}`)).status).toBe(204)
  release()
  await waitForJob()
  expect((await ada.get(`/api/v1/dual-track/${id}`)).status).toBe(404)
  expect((await eventsAndAudit(box, id)).events).toEqual([])
  expect(await fetchSpend(ada, site)).toEqual([2 * CALL_USD, 2 * CALL_USD])
})

test('deleting the organization of a comparison in progress drops it without errors', async () => {
  const { release } = await startHeldComparison()
  await box.sql`delete from organizations where id = ${site.organization.id}`
  release()
  await waitForJob()
  site = await box.site(ada)
  const { id } = await comparison(ada, site.project.id)
  await ada.make(`/api/v1/dual-track/${id}/compare`)
  await waitForStatus(id, 'compared')
})

test('an abandoned run writes nothing into the next one', async () => {
  const { id, release } = await startHeldComparison()
  await box.sql`update dual_track_comparisons set status = 'failed', error = 'Given up.' where id = ${id}`
  await ada.make(`/api/v1/dual-track/${id}/compare`)
  server.reply = (asked) => says({ recommendation: isFirstOrder(asked) ? 'second' : 'first', confidence: 0.6 })
  release()
  await waitForStatus(id, 'compared')
  const { result } = (await ada.get(`/api/v1/dual-track/${id}`)).body
  expect(result).toMatchObject({ recommendation: 'b', confidence: 0.6, cost_usd: 2 * CALL_USD })
  expect((await eventsAndAudit(box, id)).events).toEqual(['dual_track.compared'])
  expect(await fetchSpend(ada, site)).toEqual([4 * CALL_USD, 4 * CALL_USD])
})

test('a killed worker leaves the comparison to the next one, which only asks for the missing answer', async () => {
  server.reset((asked) => (isFirstOrder(asked) ? says({ recommendation: 'first', confidence: 0.9 }) : new Promise(() => {})))
  const { id } = await comparison(ada, site.project.id, TRACKS)
  await ada.make(`/api/v1/dual-track/${id}/compare`)
  await box.until('one answer is stored', async () => {
    const [row] = await box.sql`select from dual_track_comparisons where id = ${id} and model_answers ? 'ab'`
    return row !== undefined
  })
  await server.waitFor(2)
  await box.end(theWorker(), 'SIGKILL')
  box.workers.length = 0
  expect(await statusOf(id)).toBe('comparing')
  server.reset(() => says({ recommendation: 'second', confidence: 0.7 }))
  await box.startWorker()
  await waitForStatus(id, 'compared')
  expect(server.asked.map(isFirstOrder)).toEqual([false])
  const { result } = (await ada.get(`/api/v1/dual-track/${id}`)).body
  expect(result).toMatchObject({ recommendation: 'a', confidence: 0.8, cost_usd: 2 * CALL_USD })
  expect((await eventsAndAudit(box, id)).events).toEqual(['dual_track.compared'])
  expect(await fetchSpend(ada, site)).toEqual([2 * CALL_USD, 2 * CALL_USD])
})

test('a stored answer is used only while the tracks are unchanged', async () => {
  server.reset((asked) => (isFirstOrder(asked) ? says({ recommendation: 'first' }) : new Promise(() => {})))
  const made = await comparison(ada, site.project.id, { ...TRACKS, b: [{ ends: 'running' }] })
  await ada.make(`/api/v1/dual-track/${made.id}/compare`)
  await box.until('one answer is stored', async () => {
    const [row] = await box.sql`select from dual_track_comparisons where id = ${made.id} and model_answers ? 'ab'`
    return row !== undefined
  })
  await server.waitFor(2)
  await box.end(theWorker(), 'SIGKILL')
  box.workers.length = 0
  const { body } = await ada.get(`/api/v1/requirements/${made.work_item_id}/executions?status=running`)
  await ada.make(`/api/v1/executions/${body.items[0].id}/complete`)
  server.reset(() => says({ recommendation: 'tie' }))
  await box.startWorker()
  await waitForStatus(made.id, 'compared')
  expect(server.asked).toHaveLength(2)
  const { result } = (await ada.get(`/api/v1/dual-track/${made.id}`)).body
  expect(result).toMatchObject({ recommendation: 'tie', judge: { order_consistent: true }, cost_usd: 0.0048 })
})

test('a worker that gets SIGTERM finishes its comparison', async () => {
  const { id, release } = await startHeldComparison()
  const worker = theWorker()
  worker.kill('SIGTERM')
  await worker.said('worker stopping; finishing running work')
  release()
  expect(await worker.exited).toBe(0)
  box.workers.length = 0
  expect(await statusOf(id)).toBe('compared')
  expect(await jobsLeft()).toHaveLength(0)
  await box.startWorker()
})
