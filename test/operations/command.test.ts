import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { Process } from '../support/signalbox.ts'
import { failedJob, ops } from './support.ts'

let bench: Workbench
let environment: Record<string, string>

beforeAll(async () => {
  bench = await Workbench.open({ environment: { HOOK_RETRY_SECONDS: '0.1' } })
  environment = { DATABASE_URL: bench.box.url }
})
afterAll(() => bench.close())

const run = (...args: string[]) => ops(environment, ...args)

/** A job that nobody takes, which has waited for so long. */
async function waiting(seconds: number): Promise<string> {
  const [{ id }] = await bench.box.sql<[{ id: string }]>`
    select id::text
    from graphile_worker.add_job('of_another_version', '{}', run_at := now() - ${seconds} * interval '1 second')
  `
  return id
}

describe('the exit code', () => {
  test('is 0 where all is well', async () => {
    const { code, said } = await run()
    expect([code, said]).toEqual([0, expect.stringContaining('Health  ok')])
    expect(said).toContain('workers (1 online)')
  })

  test('is 1 where something failed for good, with what to do, until it is discarded', async () => {
    const id = await failedJob(bench.box)
    const { code, said } = await run()
    expect([code, said]).toEqual([1, expect.stringMatching(/! warning +jobs_failed +1 failed for good/)])
    expect(said).toContain('table ops.failed_jobs,')
    expect(said).toMatch(new RegExp(`Failed for good\\n.*\\n +${id}  mail_verification`))
    expect(await run('discard', id, '--reason', 'a test', '--yes')).toMatchObject({ code: 0, said: `job ${id}: discarded` })
    expect((await run()).code).toBe(0)
  })

  test('is 1 where a dispatch failed for good', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('no', { status: 500 })
    await bench.approve(project)
    const { id } = await bench.settled(hook)
    const { code, said } = await run()
    expect([code, said]).toEqual([1, expect.stringMatching(/! warning +dispatches_failed +1 failed for good/)])
    expect(said).toMatch(/Failing hooks\n.*\n +Deploy +Checkout +acme-robotics/)
    expect((await run('discard', id, '--reason', 'a test', '--yes')).code).toBe(0)
  })

  test('is 1 where something waits over a minute, and 2 where it does over five', async () => {
    const minute = await waiting(61)
    const warned = await run('--json')
    expect([warned.code, warned.json().status]).toEqual([1, 'warning'])
    const minutes = await waiting(301)
    const { code, said } = await run()
    expect([code, said]).toEqual([2, expect.stringMatching(/✗ critical +jobs_waiting +job waited .*of_another_version/)])
    await run('discard', minute, minutes, '--reason', 'a test', '--yes')
    expect((await run()).code).toBe(0)
  })

  test('is 0 where what waits is paused', async () => {
    const id = await waiting(1000)
    expect((await run()).code).toBe(2)
    expect((await run('pause', 'task:of_another_version', '--reason', 'a test', '--for', '1h')).code).toBe(0)
    const { code, said } = await run()
    expect([code, said]).toEqual([0, expect.stringMatching(/Paused\n.*\n +task:of_another_version/)])
    expect((await run('resume', 'task:of_another_version')).code).toBe(0)
    expect((await run('resume', 'task:of_another_version')).code).toBe(1)
    await run('discard', id, '--reason', 'a test', '--yes')
  })

  test('is 2 without a live worker', async () => {
    for (const worker of bench.box.workers) await bench.box.end(worker, 'SIGTERM')
    const { code, said } = await run()
    expect([code, said]).toEqual([2, expect.stringMatching(/✗ critical +workers +no live worker/)])
    await bench.box.startWorker()
    expect((await run()).code).toBe(0)
  })

  test('is 2 without a database, and says so to programs, too', async () => {
    const nowhere = { DATABASE_URL: 'postgres://ada:pass@127.0.0.1:1/signalbox' }
    for (const args of [[], ['--json'], ['resume', 'task:dispatch_hook']]) {
      const { code, said } = await ops(nowhere, ...args)
      expect([args, code, said]).toEqual([args, 2, expect.stringContaining('the database does not answer')])
      expect(said).not.toContain('pass')
    }
    const [check] = (await ops(nowhere, '--json')).json().health
    expect([check.check, check.status]).toEqual(['database', 'critical'])
    expect((await ops({ DATA_DIR: '/nonexistent' })).code).toBe(2)
    expect((await ops({ DATABASE_URL: 'nonsense' })).code).toBe(2)
    const empty = bench.box.url.replace(/[^/]+$/, 'postgres')
    expect(await ops({ DATABASE_URL: empty })).toMatchObject({ code: 2, said: expect.stringContaining('bun run migrate') })
  })

  test('is 64 where the command line is wrong, and 0 for help', async () => {
    const wrong = [
      ['--nonsense'],
      ['nonsense'],
      ['discard'],
      ['discard', '1'],
      ['pause', 'task:dispatch_hook'],
      ['retry'],
      ['retry', '1', '--all'],
    ]
    for (const args of [
      ...wrong,
      ['pause', 'a', '--reason', 'b', '--for', 'long'],
      ['resume'],
      ['resume', 'a', 'b'],
      ['unlock', 'a'],
    ]) {
      const { code, said } = await run(...args)
      expect([args, code, said]).toEqual([args, 64, expect.stringContaining('bun run ops [--watch]')])
    }
    expect(await run('--help')).toMatchObject({ code: 0, said: expect.stringContaining('exit code') })
  })
})

test('what cannot be undone is not done where nobody can be asked', async () => {
  const id = await waiting(0)
  const { code, said } = await run('discard', id, '--reason', 'a test')
  expect([code, said]).toEqual([64, expect.stringContaining('say --yes')])
  expect((await run('retry', '--all')).code).toBe(64)
  expect(await bench.box.sql`select from ops.jobs where id = ${id}`).toHaveLength(1)
  await run('discard', id, '--reason', 'a test', '--yes')
})

test('a job is retried by its id, by its task, and with all others', async () => {
  const id = await failedJob(bench.box)
  const failedAgain = () =>
    bench.box.until(
      'it failed again',
      async () => (await bench.box.sql`select from ops.failed_jobs where id = ${id}`).length === 1,
    )
  expect(await run('retry', id)).toMatchObject({ code: 0, said: `job ${id}: tried again` })
  await failedAgain()
  expect((await run('retry', '--task', 'mail_verification', '--yes', '--json')).json()).toEqual({ count: 1 })
  await failedAgain()
  expect(await run('retry', '--all', '--yes')).toMatchObject({ code: 0, said: '1 tried again' })
  await failedAgain()
  expect(await run('retry', '--task', 'nonsense', '--yes')).toMatchObject({
    code: 1,
    said: expect.stringContaining('There is no task'),
  })
  const actions = await bench.box.sql<
    { application_name: string }[]
  >`select distinct application_name from ops.action_log_detail where 'retry' = action`
  expect(actions.map(({ application_name }) => application_name)).toEqual([expect.stringMatching(/^signalbox ops \(.+@.+\)$/)])
  await run('discard', id, '--reason', 'a test', '--yes')
})

test('--json is one document, and no line for people is longer than a terminal is wide', async () => {
  const { organization } = bench.site
  const id = await failedJob(bench.box, 'nonsense', [`org:${organization.id}`])
  await run(
    'pause',
    `org:${organization.id}`,
    '--reason',
    'They flood the queue with very many approvals, and said themselves that it is a test',
  )
  const { said, json } = await run('--json')
  expect(said.split('\n')).toHaveLength(1)
  expect(Object.keys(json())).toEqual([
    'at',
    'status',
    'health',
    'queues',
    'workers',
    'failing_hooks',
    'failing_channels',
    'tenants',
    'failed',
    'paused',
  ])
  expect(json().tenants[0]).toMatchObject({ organization: 'acme-robotics', failed: 1, paused: true })
  const lines = (await run()).said.split('\n')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120)
  await run('resume', `org:${organization.id}`)
  await run('discard', id, '--reason', 'a test', '--yes')
})

test('--watch looks again and again, until it is stopped', async () => {
  const watching = new Process(['bin/ops.ts', '--watch', '--json'], environment)
  await bench.box.until('it looked twice', async () => watching.lines.length >= 2)
  watching.kill('SIGTERM')
  expect(await watching.exited).toBe(0)
})
