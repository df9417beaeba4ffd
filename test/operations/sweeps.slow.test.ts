import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SWEEPS } from '../../worker/sweeps.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

let box: Box

beforeAll(async () => {
  box = await signalbox({ own: true })
})
afterAll(() => box.close())

const sweeps = () => box.sql<
  { sweep: string; overdue: boolean; last_success_at: string | null; last_failure_at: string | null }[]
>`
  select sweep, overdue, last_success_at, last_failure_at from ops.sweeps
`

async function health() {
  const [found] = await box.sql<[{ status: string; value: number; detail: string }]>`
    select status, value::float8 as value, detail from ops.health_detail where "check" = 'sweeps'
  `
  return found
}

test('every sweep is listed with its last success', async () => {
  await box.until('all sweeps succeeded', async () => (await sweeps()).length === SWEEPS.length, 60_000)
  const found = await sweeps()
  expect(found.map(({ sweep }) => sweep)).toEqual(SWEEPS.map(({ name }) => name).toSorted())
  for (const { sweep, last_failure_at, overdue } of found) expect([sweep, last_failure_at, overdue]).toEqual([sweep, null, false])
  const { status, value, detail } = await health()
  expect([status, value]).toEqual(['ok', 0])
  const [, list = ''] = /^last success: (.*)$/.exec(detail) ?? []
  const shown = list.split(', ').map((each) => /^(\w+) \d+ s ago$/.exec(each)?.[1] ?? each)
  expect(shown.toSorted()).toEqual(found.map(({ sweep }) => sweep))
})

test('a sweep that fails is logged as a warning, and health names it when it has not succeeded for a minute', async () => {
  const [worker] = box.workers
  if (!worker) throw new Error('There is a worker')
  await box.sql`alter table runtimes rename to runtimes_away`
  const logged = await worker.said('the sweep offline_runtimes failed')
  expect(JSON.parse(logged)).toMatchObject({ level: 'warn' })
  await box.sql`update workers set started_at = now() - interval '2 minutes'`
  await box.until('the failure is recorded', async () => (await sweeps()).some(({ last_failure_at }) => last_failure_at), 30_000)
  await box.sql`update ops.sweep_runs set succeeded_at = now() - interval '61 seconds' where name = 'offline_runtimes'`
  expect(await health()).toMatchObject({
    status: 'warning',
    value: 1,
    detail: expect.stringMatching(/^overdue: offline_runtimes; last success: offline_runtimes 6\d s ago, /),
  })
  await box.sql`alter table runtimes_away rename to runtimes`
  await box.until('health is well', async () => (await health()).status === 'ok', 30_000)
})

test('when the worker that sweeps is killed, another one takes over', async () => {
  const [first] = box.workers.splice(0)
  if (!first) throw new Error('There is a worker')
  await box.startWorker()
  // Registered before, so that it is not the first one by its age alone.
  await box.sql`update workers set started_at = now() - interval '2 minutes' where pid = ${first.pid}`
  await box.end(first, 'SIGKILL')
  await box.sql`update ops.sweep_runs set succeeded_at = null`
  await box.until(
    'the other worker sweeps',
    async () => (await sweeps()).some(({ sweep, last_success_at }) => sweep === 'late_events' && last_success_at !== null),
    60_000,
  )
})
