import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../bin/support/postgres.ts'
import { migrate } from '../sql/migrate.ts'
import { Receiver } from '../test/support/receiver.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../test/support/signalbox.ts'
import { approveAll, expectedTotals, fetchTotals, makeHooks, openGates, waitUntilIdle } from './support.ts'

const HOOKS = 4

/** A separate server with fsync, so that commits survive a crash. */
let postgres: Postgres
let folder: string
let box: Box
let actor: Actor
let site: Site
let receiver: Receiver
let approved = 0
const exits: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-fault-'))
  postgres = await startPostgres({ dataDir: folder })
  await migrate(postgres.url)
  receiver = new Receiver()
  receiver.answer = async () => {
    await Bun.sleep(20)
    return new Response('ok')
  }
  box = await signalbox({ url: postgres.url, workers: 2, environment: { HOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1' } })
  for (const [name, process] of Object.entries({ api: box.api, first: box.workers[0], second: box.workers[1] })) {
    process?.exited.then((code) => exits.push(`${name} ended with ${code}: ${process.lines.slice(-12).join('\n')}`))
  }
  actor = await box.user('Ada Lovelace')
  site = await box.site(actor)
  await makeHooks(actor, site, receiver.url, HOOKS)
})

afterAll(async () => {
  await box.close()
  await receiver.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Approves gates while a fault hits the database, and compares the responses with the result. */
async function underLoad(gates: number, fault: () => Promise<void>): Promise<Answer[]> {
  const ids = await openGates(box, actor, site.project.id, gates)
  const responses: Answer[] = []
  const approving = approveAll(actor, ids, responses)
  await box.until('the load runs', async () => responses.length > gates / 10)
  await fault()
  await approving
  approved += gates

  const unexpected = responses.filter(({ status }) => ![200, 409, 503].includes(status))
  expect(unexpected.map(({ status, body }) => [status, body])).toEqual([])
  for (const { status, headers, body } of responses) {
    if (status !== 503) continue
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({ code: 'database_unavailable', status: 503 })
  }
  expect(exits).toEqual([])
  await waitUntilIdle(box)
  expect(await fetchTotals(box)).toEqual(expectedTotals(approved, HOOKS))
  const ids_received = new Set(receiver.requests.map(({ headers }) => headers['x-signalbox-delivery']))
  expect(ids_received.size).toBe(approved * HOOKS)

  // No process was restarted, and new work is processed at once.
  expect(exits).toEqual([])
  const before = receiver.requests.length
  await box.approval(actor, (await box.running(actor, site.project.id)).id)
  approved += 1
  await receiver.waitFor(before + HOOKS)
  await waitUntilIdle(box)
  return responses
}

async function restartDatabase(): Promise<void> {
  postgres = await startPostgres({ dataDir: folder, port: postgres.port })
}

describe('API and workers, when the database goes away,', () => {
  test.each([
    ['shut down', () => postgres.stop()],
    [
      'killed',
      async () => {
        postgres.kill()
        await postgres.exited
      },
    ],
  ])('record the responses received meanwhile once, when it is %s in the middle of a dispatch', async (_, end) => {
    const usual = receiver.answer
    const seen = receiver.requests.length
    const away = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await away.promise
      return new Response('answered meanwhile')
    }
    await box.approval(actor, (await box.running(actor, site.project.id)).id)
    approved += 1
    await receiver.waitFor(seen + HOOKS)
    await end()
    away.resolve()
    receiver.answer = usual
    await box.until('every request got its response', async () => receiver.inFlight === 0)
    await restartDatabase()
    await waitUntilIdle(box)
    expect(receiver.requests).toHaveLength(seen + HOOKS)
    expect(await fetchTotals(box)).toEqual(expectedTotals(approved, HOOKS))
    expect(exits).toEqual([])
  })

  test('continue when it is shut down and started again', async () => {
    const responses = await underLoad(200, async () => {
      await postgres.stop()
      await Bun.sleep(3_000)
      await restartDatabase()
    })
    expect(responses.some(({ status }) => status === 503)).toBeTrue()
  })

  test('continue when it crashes and recovers', async () => {
    const responses = await underLoad(200, async () => {
      postgres.kill()
      await postgres.exited
      await restartDatabase()
    })
    expect(responses.length).toBeGreaterThanOrEqual(200)
  })

  test('continue when it is away for longer than the heartbeat timeout', async () => {
    const responses = await underLoad(100, async () => {
      await postgres.stop()
      await Bun.sleep(20_000)
      await restartDatabase()
    })
    expect(responses.some(({ status }) => status === 503)).toBeTrue()
  })

  test('continue when it is read-only for a while, as during a failover', async () => {
    const responses = await underLoad(200, async () => {
      const readOnly = async (value: 'on' | 'off') => {
        await box.sql.unsafe(`alter system set default_transaction_read_only = ${value}`)
        await box.sql`select pg_reload_conf()`
      }
      await readOnly('on')
      await Bun.sleep(8_000)
      // Reads succeed all the while.
      expect((await actor.get(`/api/v1/organizations/${site.organization.id}`)).status).toBe(200)
      await readOnly('off')
    })
    expect(responses.some(({ status }) => status === 503)).toBeTrue()
  })

  test('continue when all their connections are terminated repeatedly', async () => {
    await underLoad(400, async () => {
      for (let cut = 0; cut < 20; cut++) {
        await box.sql`
          select pg_terminate_backend(pid)
          from pg_stat_activity
          where pid <> pg_backend_pid()
            and backend_type = 'client backend'
            and datname = current_database()
        `.catch(() => {})
        await Bun.sleep(100 + Math.random() * 200)
      }
    })
  })
})
