import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../bin/support/postgres.ts'
import { migrate } from '../sql/migrate.ts'
import { Receiver } from '../test/support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../test/support/signalbox.ts'
import { allTold, approveAll, makeHooks, openGates, settle, sumsOf, type Told } from './support.ts'

setDefaultTimeout(150_000)

const HOOKS = 4

/** A server of its own, that keeps what it promised: its disk is waited for. */
let postgres: Postgres
let folder: string
let box: Box
let actor: Actor
let site: Site
let receiver: Receiver
let approved = 0
const deaths: string[] = []

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
    process?.exited.then((code) => deaths.push(`${name} ended with ${code}: ${process.lines.slice(-12).join('\n')}`))
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

/** Approves while something bad is done to the database, and compares what was promised with what came of it. */
async function underLoad(gates: number, harm: () => Promise<void>): Promise<Told[]> {
  const ids = await openGates(box, actor, site.project.id, gates)
  const told: Told[] = []
  const approving = approveAll(actor, ids, told)
  await box.until('the load runs', async () => told.length > gates / 10)
  await harm()
  await approving
  approved += gates

  const odd = told.filter(({ status }) => ![200, 409, 503].includes(status))
  expect(odd.map(({ status, body }) => [status, body])).toEqual([])
  for (const { status, headers, body, ms } of told) {
    expect(ms).toBeLessThan(35_000)
    if (status !== 503) continue
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({ code: 'database_unavailable', status: 503 })
  }
  expect(deaths).toEqual([])
  await settle(box)
  expect(await sumsOf(box)).toEqual(allTold(approved, HOOKS))
  const ids_received = new Set(receiver.requests.map(({ headers }) => headers['x-signalbox-delivery']))
  expect(ids_received.size).toBe(approved * HOOKS)

  // No process was restarted for it, and new work flows at once.
  expect(deaths).toEqual([])
  const before = receiver.requests.length
  await box.approval(actor, (await box.running(actor, site.project.id)).id)
  approved += 1
  await receiver.waitFor(before + HOOKS)
  await settle(box)
  return told
}

async function back(): Promise<void> {
  postgres = await startPostgres({ dataDir: folder, port: postgres.port })
}

describe('the database goes away under API and workers, which', () => {
  test.each([
    ['shut down', () => postgres.stop()],
    [
      'killed',
      async () => {
        postgres.kill()
        await postgres.exited
      },
    ],
  ])('record once what was answered meanwhile, when it is %s in the middle of a dispatch', async (_, end) => {
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
    await box.until('every answer is told', async () => receiver.inFlight === 0)
    await back()
    await settle(box)
    expect(receiver.requests).toHaveLength(seen + HOOKS)
    expect(await sumsOf(box)).toEqual(allTold(approved, HOOKS))
    expect(deaths).toEqual([])
  })

  test('live on when it is shut down and started again', async () => {
    const told = await underLoad(200, async () => {
      await postgres.stop()
      await Bun.sleep(3_000)
      await back()
    })
    expect(told.some(({ status }) => status === 503)).toBeTrue()
  })

  test('live on when it crashes, and recovers from its log', async () => {
    const told = await underLoad(200, async () => {
      postgres.kill()
      await postgres.exited
      await back()
    })
    expect(told.length).toBeGreaterThanOrEqual(200)
  })

  test('live on when it stays away for longer than any heartbeat is good for', async () => {
    const told = await underLoad(100, async () => {
      await postgres.stop()
      await Bun.sleep(20_000)
      await back()
    })
    expect(told.some(({ status }) => status === 503)).toBeTrue()
  })

  test('live on when it is read-only for a while, as while a standby takes over', async () => {
    const told = await underLoad(200, async () => {
      const readOnly = async (value: 'on' | 'off') => {
        await box.sql.unsafe(`alter system set default_transaction_read_only = ${value}`)
        await box.sql`select pg_reload_conf()`
      }
      await readOnly('on')
      await Bun.sleep(8_000)
      // What only reads is answered all the while.
      expect((await actor.get(`/api/v1/organizations/${site.organization.id}`)).status).toBe(200)
      await readOnly('off')
    })
    expect(told.some(({ status }) => status === 503)).toBeTrue()
  })

  test('live on when all their connections are cut again and again', async () => {
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
