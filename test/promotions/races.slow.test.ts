/** What happens at once around a promotion: whichever comes first, nothing is sent that no longer runs in the environment before. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Body, type Chain, PromotionWorkbench, V1, V2 } from './workbench.ts'

let bench: PromotionWorkbench

beforeAll(async () => {
  bench = await PromotionWorkbench.open({ workers: 2 })
})
afterAll(() => bench.close())

const deadlocks = async (): Promise<number> => {
  const [{ count }] = await bench.box.sql<[{ count: number }]>`
    select deadlocks::integer as count from pg_stat_database where datname = current_database()
  `
  return count
}

let before: number
beforeEach(async () => {
  before = await deadlocks()
})
// Transactions are retried after deadlocks: without this they would only take a second more.
afterEach(async () => {
  expect(await deadlocks()).toBe(before)
})

const ROUNDS = 5

/** A subject that soaks, and is approved for production. */
async function waiting(policy: object = {}): Promise<Chain & { gate: Body }> {
  const chain = await bench.chain({ soak_seconds: 3600, ...policy })
  await bench.run(chain.staging, V1)
  const gate = await bench.approved(chain.project, V1)
  await bench.first(chain.production)
  return { ...chain, gate }
}

/** The first dispatch of production was either sent, or cancelled and never sent. */
async function eitherWay({ production }: Chain): Promise<string> {
  const [first = ''] = await bench.outcomes(production)
  expect(['succeeded', 'not_promoted']).toContain(first)
  const { attempt_count } = await bench.first(production)
  expect(attempt_count).toBe(first === 'succeeded' ? 1 : 0)
  return first
}

test('the soak ends while a rollback is made', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const chain = await waiting()
    await Promise.all([bench.policy(chain.project, { soak_seconds: 0 }), bench.rollback(chain.project, 'staging')])
    await eitherWay(chain)
  }
})

test('the rollout before is reported as failed while the gate is approved', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const chain = await bench.chain({ soak_seconds: 3600 })
    await bench.run(chain.staging, V1)
    const { body: gate } = await bench.open(chain.project, V1)
    const dispatch = await bench.triggered(chain.staging)
    await Promise.all([bench.approveGate(gate), bench.report(dispatch, { state: 'failed', digest: V1 })])
    await bench.first(chain.production)
    expect(await bench.outcomes(chain.production)).toEqual(['not_promoted'])
  }
})

test('a hook is added while the gate is approved and the rollout before is reported as failed', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const chain = await bench.chain({ soak_seconds: 3600 })
    await bench.run(chain.staging, V1)
    const { body: gate } = await bench.open(chain.project, V1)
    const dispatch = await bench.triggered(chain.staging)
    const [added] = await Promise.all([
      bench.hookIn(chain.project, 'production', { name: 'Another' }),
      bench.approveGate(gate),
      bench.report(dispatch, { state: 'failed', digest: V1 }),
    ])
    await bench.first(chain.production)
    // It was there when the approval was fanned out, or gets nothing.
    for (const outcome of await bench.outcomes(added)) expect(outcome).toBe('not_promoted')
  }
})

test('the soak ends while the rollout before is reported as failed', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const chain = await waiting()
    const dispatch = await bench.triggered(chain.staging)
    const [{ status }] = await Promise.all([
      bench.report(dispatch, { state: 'failed', digest: V1 }),
      bench.policy(chain.project, { soak_seconds: 0 }),
    ])
    expect(status).toBe(200)
    await eitherWay(chain)
  }
})

test('rollouts of one digest succeed and fail at once: the order of their commits counts', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { project, staging } = await bench.chain()
    const [one, other] = [await bench.triggered(staging), await bench.triggered(staging)]
    await Promise.all([
      bench.report(one, { state: 'succeeded', digest: V1 }),
      bench.report(other, { state: 'failed', digest: V1 }),
    ])
    const [last] = await bench.box.sql<{ state: string }[]>`
      select state from rollouts where project_id = ${project.id} and reported_at is not null order by reported_at desc limit 1
    `
    expect((await bench.open(project, V1)).status).toBe(last?.state === 'succeeded' ? 201 : 422)
  }
})

test('a clock that is set back does not bring back what failed', async () => {
  const chain = await waiting()
  // As if the clock had been a day ahead when it succeeded.
  await bench.age(chain.project, 'staging', -86_400)
  await bench.run(chain.staging, V1, 'failed')
  expect(await bench.outcomes(chain.production)).toEqual(['not_promoted'])
  expect((await bench.open(chain.project, V1, { name: 'Again' })).status).toBe(422)
  await bench.run(chain.staging, V1)
  expect((await bench.open(chain.project, V1, { name: 'Again' })).status).toBe(201)
})

test('the policy changes while the soak ends: at most one gate opens, and none after the answer', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { project, staging } = await bench.chain({ open_gate: true })
    const [, { updated_at }] = await Promise.all([bench.run(staging, V1), bench.policy(project, { soak_seconds: 3600 })])
    await bench.box.until('no environment is due', async () => {
      const [{ idle }] = await bench.box.sql<[{ idle: boolean }]>`
        select not exists (select 1 from promotions where project_id = ${project.id} and due_at <= now()) as idle
      `
      return idle
    })
    const gates = await bench.gates(project)
    expect(gates.length).toBeLessThanOrEqual(1)
    for (const gate of gates) expect(gate.created_at <= updated_at).toBe(true)
  }
})

test('many subjects are promoted while people approve: each gate opens once, and nothing deadlocks for good', async () => {
  const { project, staging } = await bench.chain({ open_gate: true })
  for (const digest of [V1, V2, { gitCommit: 'a'.repeat(40) }, { gitCommit: 'b'.repeat(40) }]) {
    await bench.run(staging, digest)
    const [newest] = await bench.gates(project)
    if (newest?.status === 'pending') await bench.admin.post(`/api/v1/gates/${newest.id}/approve`, { binding: newest.binding })
  }
  await bench.box.until('the last is open', async () =>
    (await bench.gates(project)).some(({ subject }: Body) => subject.digest.gitCommit === 'b'.repeat(40)),
  )
  const digests = (await bench.gates(project)).map(({ subject }: Body) => subject.digest.gitCommit)
  expect(new Set(digests).size).toBe(digests.length)
})
