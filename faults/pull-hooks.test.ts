/** Pull hooks while claimers, workers and the API fail. */
import { afterEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PullWorkbench } from '../test/pull-hooks/workbench.ts'
import { Process } from '../test/support/signalbox.ts'

let bench: PullWorkbench

afterEach(() => bench.close())

/** Ends the leases of claimers that were killed, as if their time had passed. */
async function runOutAbandoned(): Promise<void> {
  const abandoned = await bench.box.sql<{ id: string }[]>`
    select id from deliveries where lease_until > now() and leased_at < now() - interval '1 second'
  `
  for (const { id } of abandoned) await bench.runOut({ dispatch: { id } })
}

test('twenty claimers, some killed between claim and acknowledge, and a worker killed: nothing is lost, nothing done twice', async () => {
  const DISPATCHES = 120
  bench = await PullWorkbench.open({ own: true, workers: 2 })
  const pulled = await bench.pulled()
  const ids = await Promise.all(Array.from({ length: DISPATCHES }, async () => (await bench.trigger(pulled)).id as string))
  const acknowledged: string[] = []
  let over = false
  let number = 0

  /** Claims one after another; every fourth claim, the claimer is killed before it acknowledges. */
  const claimer = async () => {
    while (!over) {
      const mine = number++
      const [claimed] = await bench.claim(pulled, { wait: 1 })
      if (!claimed) continue
      if (mine % 4 === 0 && claimed.dispatch.attempt_count < 2) continue
      const { status } = await bench.acknowledge(pulled, claimed, { outcome: 'succeeded' })
      if (status === 200) acknowledged.push(claimed.dispatch.id)
      else expect(status).toBe(409)
    }
  }
  /** Is killed while it waits for the response to a claim, which may have leased something. */
  const aborted = async () => {
    while (!over) {
      await fetch(`${bench.box.base}/api/v1/deployment-hooks/${pulled.hook.id}/claim`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${pulled.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ wait: 1 }),
        signal: AbortSignal.timeout(Math.random() * 20),
      }).catch(() => null)
      await Bun.sleep(500)
    }
  }
  const claimers = [...Array.from({ length: 20 }, claimer), aborted()]
  await bench.box.until('some are acknowledged', async () => acknowledged.length > 20)
  const [victim] = bench.box.workers.splice(0, 1)
  victim?.kill('SIGKILL')
  await victim?.exited
  await bench.box.until(
    'all are finished',
    async () => {
      await runOutAbandoned()
      const waiting = await bench.box.sql`select from deliveries where lane_id = ${pulled.hook.id}`
      return waiting.length === 0
    },
    120_000,
  )
  over = true
  await Promise.all(claimers)

  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  const rows = await bench.box.sql<{ id: string; status: string; attempt_count: number; numbers: number[]; codes: string[] }[]>`
    select
      dispatch.id, dispatch.status, dispatch.attempt_count,
      array_agg(attempt.number order by attempt.number) as numbers,
      array_agg(coalesce(attempt.error ->> 'code', 'none') order by attempt.number) as codes
    from dispatches as dispatch
    join dispatch_attempts as attempt on attempt.dispatch_id = dispatch.id and attempt.organization_id = dispatch.organization_id
    where dispatch.hook_id = ${pulled.hook.id}
    group by dispatch.id, dispatch.status, dispatch.attempt_count
  `
  expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort())
  for (const { id, status, attempt_count, numbers, codes } of rows) {
    expect(numbers).toEqual(Array.from({ length: attempt_count }, (_, index) => index + 1))
    expect(status).toBe(acknowledged.includes(id) ? 'succeeded' : 'failed')
    const last = status === 'succeeded' ? 'none' : 'lease_expired'
    expect(codes).toEqual([...Array(attempt_count - 1).fill('lease_expired'), last])
  }
  expect(rows.some(({ attempt_count }) => attempt_count > 1)).toBeTrue()
})

test('a claim gets what is committed while notifications are lost', async () => {
  bench = await PullWorkbench.open({ own: true })
  const pulled = await bench.pulled()
  await bench.trigger(pulled)
  // The API listens from the first claim on.
  await bench.acknowledge(pulled, await bench.claimOne(pulled), { outcome: 'succeeded' })
  const waiting = bench.claimOne(pulled)
  const lost = await bench.box.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen %signalbox_changes%'
  `
  expect(lost).toHaveLength(1)
  const { id } = await bench.trigger(pulled)
  expect((await waiting).dispatch.id).toBe(id)
  // Nothing notifies of the end of a lease either.
  const later = bench.claimOne(pulled)
  await bench.runOut({ dispatch: { id } })
  expect((await later).dispatch.id).toBe(id)
})

test('an API that shuts down answers the claims that wait, and leases nothing more', async () => {
  bench = await PullWorkbench.open({ own: true })
  const pulled = await bench.pulled()
  const waiting = Array.from({ length: 20 }, () => bench.claimWith(pulled.token, pulled.hook, { wait: 25 }))
  // One of them is answered, so the others have arrived.
  await bench.acknowledge(pulled, await claimedByOneOf(waiting, pulled), { outcome: 'succeeded' })
  expect(await bench.box.end(bench.box.api, 'SIGTERM')).toBe(0)
  const answers = await Promise.all(waiting)
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(answers.filter(({ body }) => body.length > 0)).toHaveLength(1)
  await bench.box.startApi()
  const { id } = await bench.trigger(pulled)
  expect((await bench.claimOne(pulled)).dispatch.id).toBe(id)
})

/** Triggers a hook until one of the claims that wait gets the dispatch. */
async function claimedByOneOf(
  waiting: ReturnType<PullWorkbench['claimWith']>[],
  pulled: Parameters<PullWorkbench['trigger']>[0],
) {
  await bench.trigger(pulled)
  const { body } = await Promise.race(waiting)
  return body[0]
}

test('leases follow the clock of the database, whatever the clock of the API says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-clock-'))
  const file = join(folder, 'offset')
  writeFileSync(file, '0')
  bench = await PullWorkbench.open({ own: true })
  await bench.box.end(bench.box.api, 'SIGTERM')
  const environment = { ...bench.box.environment, CLOCK_OFFSET: file }
  bench.box.api = new Process(['--preload', './faults/shifted-clock.ts', 'api/server.ts'], environment)
  await bench.box.api.said('API listening')
  const pulled = await bench.pulled()
  for (const offset of [3_600, -3_600]) {
    // Access tokens do follow the clock of the API.
    writeFileSync(file, '0')
    await bench.trigger(pulled)
    writeFileSync(file, String(offset))
    const claimed = await bench.claimOne(pulled, { lease_seconds: 60 })
    const [lease] = await bench.box.sql<{ left: number }[]>`
      select extract(epoch from lease_until - now())::double precision as left from deliveries where id = ${claimed.dispatch.id}
    `
    expect(lease?.left).toBeWithin(0, 60)
    expect(Math.abs(Number(claimed.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
    await bench.runOut(claimed)
    expect((await bench.acknowledge(pulled, claimed, { outcome: 'succeeded' })).body.code).toBe('lease_lost')
    const again = await bench.claimOne(pulled, { lease_seconds: 60 })
    const { status, body } = await bench.acknowledge(pulled, again, { outcome: 'succeeded' })
    expect([status, body.id, body.attempt_count]).toEqual([200, claimed.dispatch.id, 2])
    expect(Math.abs(Date.parse(body.completed_at) - Date.now())).toBeLessThan(60_000)
  }
  await rm(folder, { recursive: true })
})
