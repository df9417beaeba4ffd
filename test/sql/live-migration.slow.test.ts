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
import { Process } from '../support/signalbox.ts'
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

/** How many gates an execution can have. */
const GATES = 100

let bench: Workbench
let folder: string

beforeAll(async () => {
  bench = await Workbench.open({ own: true, workers: 2, environment: { HOOK_RETRY_SECONDS: '1,1,1,1' } })
  folder = await mkdtemp(join(tmpdir(), 'signalbox-migrations-'))
  await cp(join(import.meta.dir, '../../sql/migrations'), folder, { recursive: true })
})
afterAll(async () => {
  await bench.close()
  await rm(folder, { recursive: true, force: true })
})

/** Approves one gate after another, with several clients. A response that is not a success fails the test. */
class Approvals {
  readonly approved: string[] = []
  #isOver = false
  readonly #clients: Promise<void>[]

  constructor(project: { id: string }) {
    this.#clients = Array.from({ length: 4 }, async () => {
      for (let last = false; !last; ) {
        const execution = await bench.box.running(bench.admin, project.id)
        for (let count = 0; count < GATES && !last; count++) {
          last = this.#isOver
          this.approved.push((await bench.box.approval(bench.admin, execution.id)).id)
        }
      }
    })
    for (const client of this.#clients) client.catch(() => {})
  }

  /** Resolves when some more are approved. */
  async goOn(): Promise<void> {
    const target = this.approved.length + 8
    await Promise.race([
      Promise.all(this.#clients),
      bench.box.until('more gates are approved', async () => this.approved.length >= target),
    ])
  }

  async stop(): Promise<string[]> {
    this.#isOver = true
    await Promise.all(this.#clients)
    return this.approved
  }
}

/** What a release may change: the columns of every table and view, and what it has applied. */
const schema = async () => [
  await bench.box.sql`select name from schema_migrations order by name`,
  await bench.box.sql`
    select attrelid::regclass::text as relation, attname as name
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relnamespace in ('public'::regnamespace, 'ops'::regnamespace, 'queue'::regnamespace, 'graphile_worker'::regnamespace)
      and not attisdropped
    order by 1, 2
  `,
]

const releases = () => bench.box.sql<{ query: string }[]>`
  select query from pg_stat_activity where datname = current_database() and application_name = 'signalbox release'
`

test('a release that fails or is killed at any migration changes nothing, and what runs does not notice', async () => {
  const { project, receiver } = await bench.hooked()
  // Every dispatch is retried, and so each lane woken later.
  const seen = new Set<string | undefined>()
  receiver.answer = ({ headers }) => {
    const status = seen.has(headers['webhook-id']) ? 200 : 500
    seen.add(headers['webhook-id'])
    return new Response(null, { status })
  }
  const before = await schema()
  const approvals = new Approvals(project)
  const steps = EXPAND.split(/^(?=.*table (?:outbox|dispatches))/m)
  for (const [index, step] of steps.entries()) await Bun.write(join(folder, `999${index}_step.sql`), step)
  for (const [index, step] of steps.entries()) {
    const file = join(folder, `999${index}_step.sql`)
    await approvals.goOn()
    await Bun.write(file, `${step} select 1 / 0;`)
    const failing = new Process(['test/sql/release-of.ts', bench.box.url, folder], {})
    expect(await failing.exited).not.toBe(0)
    await failing.isRead
    expect(failing.lines.join('\n')).toContain('division by zero')
    expect(await schema()).toEqual(before)

    await approvals.goOn()
    // Longer than a statement of a request may take.
    await Bun.write(file, `${step} select pg_sleep(120);`)
    const killed = new Process(['test/sql/release-of.ts', bench.box.url, folder], {})
    await bench.box.until('the migration runs', async () => (await releases()).some(({ query }) => query.includes('pg_sleep')))
    killed.kill('SIGKILL')
    await killed.exited
    await bench.box.until('the server has ended its session', async () => (await releases()).length === 0)
    expect(await schema()).toEqual(before)
    await Bun.write(file, step)
  }
  const approved = await approvals.stop()
  await bench.box.settled()
  const gates = receiver.requests.map(({ body }) => JSON.parse(body).data.gate.id)
  expect(gates.toSorted()).toEqual([...approved, ...approved].toSorted())
  const lines = [bench.box.api, ...bench.box.workers].flatMap((process) => process.lines)
  expect(lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
  for (const index of steps.keys()) await rm(join(folder, `999${index}_step.sql`))
})

test('adding columns and indexes to busy tables fails no request and loses no dispatch', async () => {
  await Bun.write(join(folder, NEXT), EXPAND)
  const { project, hook, receiver } = await bench.hooked()
  const { box } = bench
  const approvals = new Approvals(project)
  await receiver.waitFor(20)

  // A transaction that has read these tables: the release waits for it, and writers wait for the release.
  let release: Promise<string[]> = Promise.resolve([])
  await box.sql.begin(async (tx) => {
    await tx`select from dispatches limit 1`
    release = migrate(box.url, undefined, folder)
    await untilReleaseWaits(box.sql)
  })
  expect(await release).toEqual([NEXT])
  await approvals.goOn()
  await receiver.waitFor(receiver.requests.length + 20)
  const approved = await approvals.stop()

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
      '{dispatches,repeated_attempts}', '7 days', now() + interval '90 days', now() + interval '90 days'
    )
  `
  const [{ partitions, indexes }] = await bench.box.sql<[{ partitions: number; indexes: number }]>`
    select
      (select count(*) from partitions_of('dispatches')) as partitions,
      (select count(*) from pg_inherits where inhparent = 'dispatches_priority'::regclass) as indexes
  `
  expect(indexes).toBe(partitions)
})
