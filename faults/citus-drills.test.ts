/** What an operator does with a Citus cluster. `bun run test:citus --all` runs it on the cluster that it has started. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { distribute } from '../sql/citus/distribute.ts'
import { tenantTables } from '../sql/citus/layout.ts'
import { connect, type Sql } from '../sql/index.ts'
import { migrate } from '../sql/migrate.ts'
import { PageClient } from '../test/support/page-client.ts'
import { find } from '../test/support/programs.ts'
import { type Actor, type Box, Process, signalbox } from '../test/support/signalbox.ts'
import { emptyCluster, folder, portOf, Server } from './citus-support.ts'

setDefaultTimeout(600_000)

const SHARDS = 4
const STEADY = { statement_timeout: '0' }

/** How many rows each table of tenants has. */
async function countRows(sql: Sql): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tenantTables(sql)) {
    const [row] = await sql<[{ count: number }]>`select count(*) as count from ${sql(table)}`
    counts[table] = row.count
  }
  return counts
}

/** Creates organizations until one is on the node at a port. @returns its path */
async function organizationOn(box: Box, ada: Actor, port: number): Promise<string> {
  for (;;) {
    const { id } = await ada.make('/api/v1/organizations', { name: 'Tenant' })
    if ((await portOf(box, id)) === port) return `/api/v1/organizations/${id}`
  }
}

describe.skipIf(folder === undefined)('An operator', () => {
  /** On the database that had the seed. */
  let seeded: Box
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })

  test('distributes a database that has the seed: no row is lost, and its pages are shown', async () => {
    const url = await emptyCluster(`signalbox_seeded_${process.pid}`)
    await migrate(url)
    const plain = await signalbox({ own: true, url })
    const seed = new Process('bin/seed.ts', { SIGNALBOX_URL: plain.base })
    expect([await seed.exited, seed.lines.join('\n')]).toEqual([0, expect.any(String)])
    await plain.close()
    const sql = connect(url, 'signalbox tests', 1, STEADY)
    const before = await countRows(sql)
    const begun = performance.now()
    expect(await distribute(sql, { shards: SHARDS, log: () => {} })).toBeGreaterThan(100)
    console.log(`Distributed in ${Math.round((performance.now() - begun) / 1000)} s.`)
    const moved = await countRows(sql)
    await sql.end()
    expect(before.gates).toBeGreaterThan(10)
    expect(moved).toEqual(before)
    seeded = await signalbox({ own: true, url })
    closing.push(() => seeded.close())
    const visitor = new PageClient(seeded)
    await visitor.post('/sign-in', { email: 'ada@example.com', password: 'correct horse battery staple' })
    for (const path of ['/app', '/app/search?q=a']) expect((await visitor.open(path)).status).toBe(200)
  })

  test.each(['fast', 'immediate'] as const)(
    'restarts a node (%s): the first request is answered, or refused with 503',
    async (mode) => {
      const box = await signalbox({ own: true })
      closing.push(() => box.close())
      const ada = await box.user('Ada')
      const node = await Server.of('worker2')
      const path = await organizationOn(box, ada, node.port)
      // The connections of the coordinator to the node are kept, and lost with it.
      for (let times = 0; times < 4; times++) await ada.get(path)
      await node.stop(mode)
      await node.start()
      const first = await ada.post(`${path}/workspaces`, { name: 'Main' })
      const answers = [first, ...(await Promise.all(Array.from({ length: 4 }, () => ada.get(path))))]
      expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 503].includes(status))).toEqual([])
      await box.until('the node is used again', async () => (await ada.get(path)).status === 200)
    },
  )

  const clock = find('libfaketime', 'a node of a cluster with another clock')

  test.skipIf(clock === null)('is warned of a node with another clock', async () => {
    const box = await signalbox({ own: true, workers: 0 })
    closing.push(() => box.close())
    const check = async () => {
      const [found] = await box.sql<{ status: string; detail: string }[]>`
        select status, detail from ops.health_detail where "check" = 'clocks'
      `
      return found
    }
    expect((await check())?.status).toBe('ok')
    const node = await Server.of('worker2')
    await node.stop('fast')
    await node.start(`LD_PRELOAD=${clock} FAKETIME=+300`)
    try {
      await box.until('the node is back', async () => (await check())?.status === 'critical')
      expect((await check())?.detail).toMatch(new RegExp(`:${node.port} is (299|300)[.0-9]* s ahead`))
    } finally {
      await node.stop('fast')
      await node.start()
    }
    await box.until('the clock is right', async () => (await check())?.status === 'ok')
  })

  test('adds a node, moves shards to it under traffic, and removes it', async () => {
    const box = seeded
    const ada = await box.user('Ada')
    const site = await box.site(ada)
    const operator = connect(box.url, 'signalbox operator', 1, STEADY)
    const name = new URL(box.url).pathname.slice(1)
    const added = await Server.create('worker3')
    const own = connect(`postgresql://postgres@127.0.0.1:${added.port}/postgres`, 'signalbox operator', 1)
    await own`select set_config('citus.enable_create_database_propagation', 'off', false)`
    await own`create database ${own(name)}`
    await own.end()
    const extended = connect(`postgresql://postgres@127.0.0.1:${added.port}/${name}`, 'signalbox operator', 1)
    await extended`create extension citus`
    await extended.end()
    const begun = performance.now()
    await operator`select citus_add_node('127.0.0.1', ${added.port})`
    await operator`select citus_rebalance_start()`
    let isOver = false
    const over = operator`select citus_rebalance_wait()`.then(() => {
      isOver = true
    })
    const statuses = new Set<number>()
    const moves = new Set<string>()
    while (!isOver) {
      const { status } = await ada.post(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Goes on' })
      statuses.add(status)
      const [moving] = await box.sql<{ detail: string }[]>`select detail from ops.health_detail where "check" = 'shards'`
      if (moving) moves.add(moving.detail)
    }
    await over
    console.log(`Rebalanced in ${Math.round((performance.now() - begun) / 1000)} s.`)
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([])
    expect([...moves].join(' ')).toContain(`to 127.0.0.1:${added.port}`)
    const shards = async () => {
      const [{ count }] = await operator<[{ count: number }]>`
        select count(*) as count
        from pg_dist_shard_placement
        join pg_dist_shard using (shardid)
        where nodeport = ${added.port} and logicalrelid = 'organizations'::regclass
      `
      return count
    }
    expect(await shards()).toBeGreaterThan(0)
    // It may have to be repeated: what an earlier move has left behind is removed later.
    const drain = () => operator`select citus_drain_node('127.0.0.1', ${added.port})`.then(shards, () => 1)
    await box.until('the node is drained', async () => (await drain()) === 0, 120_000)
    await operator`select citus_remove_node('127.0.0.1', ${added.port})`
    await operator.end()
    await added.stop('fast')
    expect((await ada.get(`/api/v1/projects/${site.project.id}`)).status).toBe(200)
  })
})
