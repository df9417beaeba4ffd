import { afterEach, describe, expect, test } from 'bun:test'
import { Receiver } from '../test/support/receiver.ts'
import { type Box, type Process, signalbox } from '../test/support/signalbox.ts'
import { approveAll, expectedTotals, fetchTotals, makeHooks, openGates, waitUntilIdle } from './support.ts'

const HOOKS = 10
const IN_FLIGHT = 10

let box: Box
let receiver: Receiver

afterEach(async () => {
  await box.close()
  await receiver.stop()
})

/** The number of repeated requests. Fails if a repeated request has another body. */
function countRepeats(): number {
  const bodies = new Map<string, string>()
  let repeated = 0
  for (const { headers, body } of receiver.requests) {
    const id = headers['x-signalbox-delivery'] ?? ''
    const first = bodies.get(id)
    if (first !== undefined) {
      expect(body).toBe(first)
      repeated += 1
    }
    bodies.set(id, body)
  }
  return repeated
}

async function killWorker(worker: Process): Promise<void> {
  worker.kill('SIGKILL')
  await worker.exited
}

describe('a worker that is killed with -9', () => {
  test('loses nothing and repeats only requests in flight, however often and whenever it is killed', async () => {
    const KILLS = 8
    const APPROVALS = 200
    receiver = new Receiver()
    receiver.answer = async () => {
      await Bun.sleep(Math.random() * 40)
      return new Response('ok')
    }
    box = await signalbox({ own: true, workers: 2, environment: { HOOK_RETRY_SECONDS: '1,1,1' } })
    const actor = await box.user('Ada Lovelace')
    const site = await box.site(actor)
    await makeHooks(actor, site, receiver.url, HOOKS)
    const gates = await openGates(box, actor, site.project.id, APPROVALS)

    // The load comes in batches, so that each kill hits events being drained and requests in flight.
    const left = [...gates]
    for (let kill = 0; kill < KILLS; kill++) {
      const seen = receiver.requests.length
      const approving = approveAll(actor, left.splice(0, APPROVALS / KILLS), [])
      await receiver.waitFor(seen + 1 + Math.floor(Math.random() * 60))
      await Bun.sleep(Math.random() * 30)
      const victim = box.workers.splice(kill % 2, 1)[0]
      if (!victim) throw new Error('There are two workers')
      await killWorker(victim)
      await box.startWorker()
      await approving
    }
    await waitUntilIdle(box)

    expect(await fetchTotals(box)).toEqual(expectedTotals(APPROVALS, HOOKS))
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-signalbox-delivery'])).size).toBe(APPROVALS * HOOKS)
    expect(countRepeats()).toBeLessThanOrEqual(KILLS * HOOKS * IN_FLIGHT)
    // Dispatches drained by two workers in turn have sequences in the order of their events.
    const [{ late: disordered }] = await box.sql<[{ late: number }]>`
      select count(*) as late
      from (
        select event_id < lag(event_id) over (partition by hook_id order by sequence) as earlier,
               created_at = lag(created_at) over (partition by hook_id order by sequence) as together
        from dispatches
      ) as pair
      where earlier and together
    `
    expect(disordered).toBe(0)
  })

  test('with requests in flight repeats at most those, with the same id', async () => {
    receiver = new Receiver()
    const hold = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await hold.promise
      return new Response('ok')
    }
    box = await signalbox({ own: true })
    const actor = await box.user('Ada Lovelace')
    const site = await box.site(actor)
    await makeHooks(actor, site, receiver.url, 1)
    await approveAll(actor, await openGates(box, actor, site.project.id, 15), [])
    await receiver.waitFor(IN_FLIGHT)
    const [worker] = box.workers.splice(0)
    if (!worker) throw new Error('There is a worker')
    await killWorker(worker)
    hold.resolve()
    await box.startWorker()
    await waitUntilIdle(box)
    expect(await fetchTotals(box)).toEqual(expectedTotals(15, 1))
    expect(receiver.requests).toHaveLength(15 + IN_FLIGHT)
    expect(countRepeats()).toBe(IN_FLIGHT)
    // The attempt whose response was lost is not recorded, so the repeated request has its number.
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-signalbox-attempt']))).toEqual(new Set(['1']))
  })

  test('and not restarted is replaced by the other one within 60 seconds', async () => {
    receiver = new Receiver()
    box = await signalbox({ own: true, workers: 2 })
    const actor = await box.user('Ada Lovelace')
    const site = await box.site(actor)
    await makeHooks(actor, site, receiver.url, 6)
    let requests = 0
    receiver.answer = async () => {
      requests += 1
      await Bun.sleep(requests > 120 ? 5 : 1_000)
      return new Response('ok')
    }
    await approveAll(actor, await openGates(box, actor, site.project.id, 40), [])
    const owners = () =>
      box.sql<{ pid: number; lanes: number }[]>`
        select worker.pid, count(lane.hook_id) as lanes
        from workers as worker
        left join lanes as lane on lane.owner_id = worker.id
        group by worker.pid
        order by lanes desc
      `
    await receiver.waitFor(60)
    const [busiest] = await owners()
    expect(busiest?.lanes).toBeGreaterThan(0)
    const index = box.workers.findIndex(({ pid }) => pid === busiest?.pid)
    const [victim] = box.workers.splice(index, 1)
    if (!victim) throw new Error('The owner of a lane is one of the workers')
    await killWorker(victim)
    await waitUntilIdle(box, 60_000)
    expect(await fetchTotals(box)).toEqual(expectedTotals(40, 6))
    expect(countRepeats()).toBeLessThanOrEqual(6 * IN_FLIGHT)
    expect(await owners()).toHaveLength(1)
  })
})
