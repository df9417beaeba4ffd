import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
})

afterAll(() => bench.close())

test('a backlog too large to be fetched at once is sent by one job', async () => {
  const { hook, receiver } = await bench.hooked({ paused: true })
  for (let each = 0; each < 60; each++) await bench.ask(hook, 'trigger')
  await bench.box.sql`update dispatches set body = body || repeat(' ', 50000)`
  await bench.change(hook, { paused: false })
  await receiver.waitFor(60)
  await bench.box.settled()
  const [worker] = bench.box.workers
  if (worker) await bench.box.end(worker, 'SIGTERM')
  const [{ runs }] = await bench.box.sql<[{ runs: number }]>`
    select count(*) as runs from ops.job_runs where task = 'dispatch_hook'
  `
  // The one job that unpausing the hook added.
  expect(runs).toBe(1)
})
