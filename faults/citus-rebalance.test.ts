/** Shards of a Citus cluster that move while requests change their rows. `bun run test:citus` runs it on the cluster that it has started. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Sql } from '../sql/index.ts'
import { Receiver } from '../test/support/receiver.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../test/support/signalbox.ts'
import { folder, portOf } from './citus-support.ts'
import { approveAll, expectedTotals, fetchTotals, makeHooks, openGates, waitUntilIdle } from './support.ts'

setDefaultTimeout(300_000)

const HOOKS = 2
const BATCH = 20

let box: Box
let ada: Actor
let site: Site
/** A session that may take as long as it likes. */
let operator: Sql
const receiver = new Receiver()
let approved = 0

/** Approves gates until the operation ends, and compares the responses with what is stored. */
async function underLoad(operate: () => Promise<void>): Promise<void> {
  // Before: opening them is not retried.
  const prepared = await openGates(box, ada, site.project.id, 400)
  const responses: Answer[] = []
  let over = false
  const operation = operate().finally(() => {
    over = true
  })
  operation.catch(() => {})
  while (!over || responses.length === 0) {
    const gates = prepared.splice(0, BATCH)
    if (gates.length === 0) break
    await approveAll(ada, gates, responses, 2)
    approved += gates.length
  }
  await operation
  const unexpected = responses.filter(({ status }) => ![200, 409, 503].includes(status))
  expect(unexpected.map(({ status, body }) => [status, body])).toEqual([])
  for (const { status, headers, body } of responses) {
    if (status !== 503) continue
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(body.code).toBe('database_unavailable')
  }
  await waitUntilIdle(box)
  expect(await fetchTotals(box)).toEqual(expectedTotals(approved, HOOKS))
  expect(new Set(receiver.requests.map(({ headers }) => headers['x-signalbox-delivery'])).size).toBe(approved * HOOKS)
}

describe.skipIf(folder === undefined)('Requests that change rows', () => {
  beforeAll(async () => {
    box = await signalbox({ own: true })
    ada = await box.user('Ada')
    site = await box.site(ada)
    await makeHooks(ada, site, receiver.url, HOOKS)
    operator = connect(box.url, 'signalbox operator', 1, { statement_timeout: '0' })
  })
  afterAll(async () => {
    await operator.end({ timeout: 1 })
    await receiver.stop()
    await box.close()
  })

  test('go on while the shards of their organization move to another node: no event is lost, and none is sent twice', async () => {
    const from = await portOf(box, site.organization.id)
    await underLoad(async () => {
      await operator`
        select citus_move_shard_placement(
          get_shard_id_for_distribution_column('organizations', ${site.organization.id}::uuid),
          '127.0.0.1', ${from}, '127.0.0.1', min(nodeport)
        )
        from pg_dist_node
        where groupid > 0 and nodeport <> ${from}
      `
    })
    expect(await portOf(box, site.organization.id)).not.toBe(from)
  })

  test('go on while the shards of all nodes are rebalanced', async () => {
    const placed = async () => {
      const found = await box.sql<{ shards: number }[]>`
        select count(*) as shards
        from pg_dist_shard_placement
        join pg_dist_shard using (shardid)
        where logicalrelid = 'organizations'::regclass
        group by nodeport
        order by nodeport
      `
      return found.map(({ shards }) => shards)
    }
    // The move of the first test left more shards on one node.
    expect(new Set(await placed()).size).toBe(2)
    await underLoad(async () => {
      await operator`select citus_rebalance_start()`
      await operator`select citus_rebalance_wait()`
    })
    expect(new Set(await placed()).size).toBe(1)
  })

  test('go on while their organization gets a shard of its own', async () => {
    const shard = async () => {
      const [{ id }] = await box.sql<[{ id: string }]>`
        select get_shard_id_for_distribution_column('organizations', ${site.organization.id}::uuid) as id
      `
      return id
    }
    const before = await shard()
    await underLoad(async () => {
      // Without blocking writes, Citus 13 sends updates without the key of the new shard, which never ends.
      await operator`
        select isolate_tenant_to_new_shard('organizations', ${site.organization.id}::uuid, 'CASCADE', 'block_writes')
      `
    })
    expect(await shard()).not.toBe(before)
  })
})
