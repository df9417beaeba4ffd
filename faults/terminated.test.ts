import { afterEach, describe, expect, test } from 'bun:test'
import { Receiver } from '../test/support/receiver.ts'
import { type Box, signalbox } from '../test/support/signalbox.ts'
import { within } from '../test/support/within.ts'
import { approveAll, expectedTotals, fetchTotals, makeHooks, openGates, waitUntilIdle } from './support.ts'

let box: Box
let receiver: Receiver

afterEach(async () => {
  await box.close()
  await receiver.stop()
})

const SLOW_MS = 3_000
/** Platforms kill a process 30 seconds after SIGTERM. */
const STOP_MS = 25_000

describe('SIGTERM', () => {
  test.each([1, 4])(
    'to the worker, %d times, lets requests in flight end, records them, and releases the rest',
    async (signals) => {
      receiver = new Receiver()
      const answers = Promise.withResolvers<void>()
      receiver.answer = async () => {
        await answers.promise
        return new Response('slow but sure')
      }
      box = await signalbox({ own: true })
      const actor = await box.user('Ada Lovelace')
      const site = await box.site(actor)
      await makeHooks(actor, site, receiver.url, 2)
      await approveAll(actor, await openGates(box, actor, site.project.id, 25), [])
      await receiver.waitFor(20)

      const [worker] = box.workers.splice(0)
      if (!worker) throw new Error('There is a worker')
      setTimeout(answers.resolve, SLOW_MS)
      for (let signal = 0; signal < signals; signal++) {
        worker.kill('SIGTERM')
        await Bun.sleep(200)
      }
      expect(await within(STOP_MS, 'the worker ended', worker.exited)).toBe(0)

      // Exactly the sent dispatches are recorded.
      const sent = receiver.requests.map(({ headers }) => headers['x-signalbox-delivery'] as string)
      const recorded = await box.sql<{ id: string }[]>`select id from dispatches where status = 'succeeded' order by id`
      expect(recorded.map(({ id }) => id)).toEqual([...sent].sort())
      expect(sent).toHaveLength(20)
      expect(
        await box.sql`select id, task_identifier, locked_by from graphile_worker.jobs where locked_at is not null`,
      ).toHaveLength(0)
      expect(await box.sql`select id from lanes where owner_id is not null`).toHaveLength(0)
      expect(await box.sql`select id from workers`).toHaveLength(0)

      // The next worker sends the rest, and repeats nothing.
      receiver.answer = () => new Response('ok')
      await box.startWorker()
      await waitUntilIdle(box)
      expect(await fetchTotals(box)).toEqual(expectedTotals(25, 2))
      expect(receiver.requests).toHaveLength(50)
    },
  )

  test('to the API lets a request that waits for an outcome get it', async () => {
    receiver = new Receiver()
    receiver.answer = async () => {
      await Bun.sleep(SLOW_MS)
      return new Response('slow but sure')
    }
    box = await signalbox({ own: true })
    const actor = await box.user('Ada Lovelace')
    const site = await box.site(actor)
    const [hook] = await makeHooks(actor, site, receiver.url, 1)
    const waiting = actor.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=20' })
    await receiver.waitFor(1)
    box.api.kill('SIGTERM')
    const { status, body } = await within(STOP_MS, 'the response came', waiting)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'succeeded', response_body: 'slow but sure' })
    expect(await within(STOP_MS, 'the API ended', box.api.exited)).toBe(0)
    // The port is free, and the dispatch is recorded.
    await box.startApi()
    expect((await actor.get(`/api/v1/dispatches/${body.id}`)).body).toMatchObject({ id: body.id, status: 'succeeded' })
  })
})
