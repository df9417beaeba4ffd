/** What one tenant sends leaves room for others, also where a worker has room for one request alone. */
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

/** A tenant whose approvals go to so many hooks of one receiver; what is returned approves so many gates at once. */
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

test('a lane for which more and more comes leaves its place to others', async () => {
  busy.answer = async () => {
    await Bun.sleep(50)
    return new Response('ok')
  }
  const approve = await tenant('Ada Lovelace', busy)
  const approveQuietly = await tenant('Grace Hopper', quiet)
  let over = false
  // Faster than one request of 50 ms at a time takes away.
  const flood = (async () => {
    while (!over) await approve(10)
  })()
  await busy.waitFor(20)
  await approveQuietly(1)
  await quiet.waitFor(1)
  // It waited behind the flood, which goes on.
  const sent = busy.requests.length
  await busy.waitFor(sent + 20)
  over = true
  busy.answer = () => new Response('ok')
  await flood
  await box.settled()
}, 60_000)

test('a tenant that has many lanes woken at once lets those of others go first', async () => {
  let answered = () => {}
  const first = new Promise<void>((resolve) => {
    answered = resolve
  })
  const holding = new Receiver()
  holding.answer = async () => {
    await first
    return new Response('ok')
  }
  const approve = await tenant('Mary Somerville', holding, 40)
  const approveQuietly = await tenant('Emmy Noether', quiet)
  await approve(1)
  // Its first lane has the one request that may be in flight, and the others wait for it.
  await holding.waitFor(1)
  await approveQuietly(1)
  await box.until('the other tenant waits, too', async () => {
    const [{ waits }] = await box.sql<[{ waits: boolean }]>`
      select count(distinct organization_id) = 2 as waits from deliveries where due_at <= now()
    `
    return waits
  })
  const before = quiet.requests.length
  answered()
  await quiet.waitFor(before + 1)
  // No more were before it than ten lanes of a turn.
  expect(holding.requests.length).toBeLessThanOrEqual(12)
  await box.settled()
  expect(holding.requests).toHaveLength(40)
  await holding.stop()
}, 60_000)

test('a tenant with many slow receivers leaves a place for others', async () => {
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
  const approveQuietly = await tenant('Lise Meitner', quiet, 1, roomy)
  await approve(1)
  await holding.waitFor(4)
  const before = quiet.requests.length
  await approveQuietly(1)
  await quiet.waitFor(before + 1)
  // Nothing was answered, nor given up.
  expect([holding.inFlight, holding.requests.length]).toEqual([4, 4])
  answered()
  await roomy.settled()
  expect(holding.requests).toHaveLength(10)
  await Promise.all([roomy.close(), holding.stop()])
}, 60_000)

test('receivers that timed out the last time share half of the requests, also when their lanes are served anew', async () => {
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
}, 60_000)
