/** A tenant with much to send leaves capacity to others, even where a worker may have one request in flight. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

let box: Box
const busy = new Receiver()
const quiet = new Receiver()

beforeAll(async () => {
  box = await signalbox({ environment: { DELIVERY_IN_FLIGHT: '1' } })
})

afterAll(async () => {
  await box.close()
  await Promise.all([busy.stop(), quiet.stop()])
})

/**
 *
 * A tenant with several hooks to one receiver.
 *
 * @returns approves a number of gates at once
 */
async function tenant(name: string, receiver: Receiver, hooks = 1, at = box): Promise<(count: number) => Promise<void>> {
  const admin: Actor = await at.user(name)
  const { project } = await at.site(admin)
  for (let each = 0; each < hooks; each++) {
    const hook = { name: `Deploy ${each}`, url: receiver.url, trigger_on: 'gate_approved' }
    await admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, hook)
  }
  return async (count) => {
    const execution = await at.running(admin, project.id)
    await Promise.all(Array.from({ length: count }, () => at.approval(admin, execution.id)))
  }
}

test('a lane with a growing backlog yields to other tenants', async () => {
  busy.answer = async () => {
    await Bun.sleep(50)
    return new Response('ok')
  }
  const approve = await tenant('Ada Lovelace', busy)
  const approveForOther = await tenant('Grace Hopper', quiet)
  let over = false
  // Faster than one request of 50 ms at a time can drain.
  const flood = (async () => {
    while (!over) await approve(10)
  })()
  await busy.waitFor(20)
  await approveForOther(1)
  await quiet.waitFor(1)
  // It was sent although the backlog keeps growing.
  const sent = busy.requests.length
  await busy.waitFor(sent + 20)
  over = true
  busy.answer = () => new Response('ok')
  await flood
  await box.settled()
})

test('a tenant whose many lanes are woken at once lets other tenants send in between', async () => {
  let answered = () => {}
  const firstAnswer = new Promise<void>((resolve) => {
    answered = resolve
  })
  const holding = new Receiver()
  holding.answer = async () => {
    await firstAnswer
    return new Response('ok')
  }
  const approve = await tenant('Mary Somerville', holding, 40)
  const approveQuietly = await tenant('Emmy Noether', quiet)
  await approve(1)
  // The first lane holds the only slot; the others wait for it.
  await holding.waitFor(1)
  await approveQuietly(1)
  await box.until('the other tenant waits as well', async () => {
    const [{ waits }] = await box.sql<[{ waits: boolean }]>`
      select count(distinct organization_id) = 2 as waits from deliveries where due_at <= now()
    `
    return waits
  })
  const before = quiet.requests.length
  answered()
  await quiet.waitFor(before + 1)
  // At most the ten lanes of one turn went first.
  expect(holding.requests.length).toBeLessThanOrEqual(12)
  await box.settled()
  expect(holding.requests).toHaveLength(40)
  await holding.stop()
})

test('a tenant with many slow receivers leaves a slot to others', async () => {
  const roomy = await signalbox({ environment: { DELIVERY_IN_FLIGHT: '5' } })
  let answered = () => {}
  const answers = new Promise<void>((resolve) => {
    answered = resolve
  })
  const holding = new Receiver()
  holding.answer = async () => {
    await answers
    return new Response('ok')
  }
  const approve = await tenant('Rosalind Franklin', holding, 10, roomy)
  const approveForOther = await tenant('Lise Meitner', quiet, 1, roomy)
  await approve(1)
  await holding.waitFor(4)
  const before = quiet.requests.length
  await approveForOther(1)
  await quiet.waitFor(before + 1)
  // No request was answered or abandoned.
  expect([holding.inFlight, holding.requests.length]).toEqual([4, 4])
  answered()
  await roomy.settled()
  expect(holding.requests).toHaveLength(10)
  await Promise.all([roomy.close(), holding.stop()])
})

test('several tenants with slow receivers leave a slot to others', async () => {
  const roomy = await signalbox({ environment: { DELIVERY_IN_FLIGHT: '20' } })
  const answers = Promise.withResolvers<void>()
  const holding = new Receiver()
  holding.answer = async () => {
    await answers.promise
    return new Response('ok')
  }
  const names = ['Maria Mitchell', 'Caroline Herschel', 'Annie Cannon', 'Henrietta Leavitt']
  const slow = await Promise.all(names.map((name) => tenant(name, holding, 10, roomy)))
  const approveQuietly = await tenant('Vera Rubin', quiet, 1, roomy)
  // The first two take what is not reserved.
  for (const [index, approve] of slow.entries()) {
    await approve(1)
    await holding.waitFor([10, 15, 16, 17][index] ?? 0)
  }
  const before = quiet.requests.length
  await approveQuietly(1)
  await quiet.waitFor(before + 1)
  expect([holding.inFlight, holding.requests.length]).toEqual([17, 17])
  answers.resolve()
  await roomy.settled()
  expect(holding.requests).toHaveLength(40)
  await Promise.all([roomy.close(), holding.stop()])
})

test('receivers that recently timed out share half of the slots, even when their lanes are leased again', async () => {
  const roomy = await signalbox({ environment: { DELIVERY_IN_FLIGHT: '4' } })
  const answers = Promise.withResolvers<void>()
  const holding = new Receiver()
  holding.answer = async () => {
    await answers.promise
    return new Response('ok')
  }
  const approve = await tenant('Sofja Kowalewskaja', holding, 6, roomy)
  const approveQuietly = await tenant('Dorothy Hodgkin', quiet, 1, roomy)
  await roomy.sql`
    insert into lane_health (lane_id, organization_id, failures, timed_out)
    select id, organization_id, 1, true
    from deployment_hooks
    where url = ${holding.url}
  `
  await approve(1)
  await holding.waitFor(2)
  for (let count = 0; count < 3; count++) {
    const before = quiet.requests.length
    await approveQuietly(1)
    await quiet.waitFor(before + 1)
  }
  expect([holding.inFlight, holding.requests.length]).toEqual([2, 2])
  answers.resolve()
  await roomy.settled()
  expect(holding.requests).toHaveLength(6)
  await Promise.all([roomy.close(), holding.stop()])
})
