/**
 * Expand and contract: an additive migration is applied while API and workers of this version use the tables that it
 * changes, without an effect on requests or dispatches.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../sql/migrate.ts'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { untilReleaseWaits } from './releases.ts'

const NEXT = '9999_example.sql'

/** What a next version might add: columns with defaults, and indexes, on tables that every approval writes to. */
const EXPAND = `
  alter table gates add column priority integer not null default 0;
  create index gates_priority on gates (project_id, priority);
  alter table outbox add column priority integer not null default 0;
  alter table deliveries add column priority integer not null default 0;
  create index deliveries_priority on deliveries (lane_id, priority);
  alter table dispatches add column priority integer not null default 0;
  create index dispatches_priority on dispatches (hook_id, priority);
`

let bench: Workbench
let folder: string

beforeAll(async () => {
  bench = await Workbench.open({ own: true, workers: 2 })
  folder = await mkdtemp(join(tmpdir(), 'signalbox-migrations-'))
  await cp(join(import.meta.dir, '../../sql/migrations'), folder, { recursive: true })
  await Bun.write(join(folder, NEXT), EXPAND)
})
afterAll(async () => {
  await bench.close()
  await rm(folder, { recursive: true, force: true })
})

test('adding columns and indexes to busy tables fails no request and loses no dispatch', async () => {
  const { project, hook, receiver } = await bench.hooked()
  const { box, admin } = bench
  const approved: string[] = []
  let isOver = false
  /** Approves one gate after another. A response that is not a success fails the test. */
  const approveUntilOver = async () => {
    const execution = await box.running(admin, project.id)
    for (let last = false; !last; ) {
      last = isOver
      approved.push((await box.approval(admin, execution.id)).id)
    }
  }
  const clients = Array.from({ length: 4 }, approveUntilOver)
  await receiver.waitFor(20)

  // A transaction that has read these tables: the release waits for it, and writers wait for the release.
  let release: Promise<string[]> = Promise.resolve([])
  await box.sql.begin(async (tx) => {
    await tx`select from dispatches limit 1`
    release = migrate(box.url, undefined, folder)
    await untilReleaseWaits(box.sql)
  })
  expect(await release).toEqual([NEXT])
  const before = approved.length
  await receiver.waitFor(receiver.requests.length + 20)
  isOver = true
  await Promise.all(clients)
  expect(approved.length).toBeGreaterThan(before)

  await box.settled()
  const gates = receiver.requests.map(({ body }) => JSON.parse(body).data.gate.id)
  expect(gates.toSorted()).toEqual(approved.toSorted())
  const [history] = await box.sql`
    select count(*) as dispatches, bool_and(status = 'succeeded') as succeeded, bool_and(priority = 0) as priority
    from dispatches
    where hook_id = ${hook.id}
  `
  expect({ ...history }).toEqual({ dispatches: approved.length, succeeded: true, priority: true })
})

test('a partition created afterwards has the column and the index', async () => {
  await bench.box.sql`
    select ensure_partitions(
      '{dispatches,dispatch_bodies,dispatch_attempts}', '7 days', now() + interval '90 days', now() + interval '90 days'
    )
  `
  const [{ partitions, indexes }] = await bench.box.sql<[{ partitions: number; indexes: number }]>`
    select
      (select count(*) from partitions_of('dispatches')) as partitions,
      (select count(*) from pg_inherits where inhparent = 'dispatches_priority'::regclass) as indexes
  `
  expect(indexes).toBe(partitions)
})
