import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { EXIT_CODES } from '../../bin/ops/figures.ts'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { Process } from '../support/signalbox.ts'
import { failedJob, ops } from './support.ts'

let bench: Workbench
let environment: Record<string, string>

beforeAll(async () => {
  bench = await Workbench.open({ own: true, environment: { HOOK_RETRY_SECONDS: '0.1' } })
  environment = { DATABASE_URL: bench.box.url }
})
afterAll(() => bench.close())

const run = (...args: string[]) => ops(environment, ...args)

/** Adds a job that no worker takes, as if it had waited for this long. Returns its id. */
async function addWaitingJob(seconds: number): Promise<string> {
  const [{ id }] = await bench.box.sql<[{ id: string }]>`
    select id::text
    from graphile_worker.add_job('of_another_version', '{}', run_at := now() - ${seconds} * interval '1 second')
  `
  return id
}

describe('the exit code', () => {
  test('is 0 when everything is healthy', async () => {
    const { code, output } = await run()
    expect([code, output]).toEqual([0, expect.stringContaining('Health  ok')])
    expect(output).toContain('workers (1 online)')
  })

  test('is 1 with advice when a job failed for good, until it is discarded', async () => {
    const id = await failedJob(bench.box)
    const { code, output } = await run()
    expect([code, output]).toEqual([1, expect.stringMatching(/! warning +jobs_failed +1 failed permanently/)])
    expect(output).toContain('table ops.failed_jobs,')
    expect(output).toMatch(new RegExp(`Failed permanently\\n.*\\n +${id}  mail_verification`))
    expect(await run('discard', id, '--reason', 'a test', '--yes')).toMatchObject({ code: 0, output: `job ${id}: discarded` })
    expect((await run()).code).toBe(0)
  })

  test('is 1 when a dispatch failed for good', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('no', { status: 500 })
    await bench.approve(project)
    const { id } = await bench.settled(hook)
    const { code, output } = await run()
    expect([code, output]).toEqual([1, expect.stringMatching(/! warning +dispatches_failed +1 failed permanently/)])
    expect(output).toMatch(/Failing hooks\n.*\n +Deploy +Checkout +acme-robotics/)
    expect((await run('discard', id, '--reason', 'a test', '--yes')).code).toBe(0)
  })

  test('is 1 when a job has waited for over a minute, and 2 after five', async () => {
    const minute = await addWaitingJob(61)
    const warned = await run('--json')
    expect([warned.code, warned.json().status]).toEqual([1, 'warning'])
    const minutes = await addWaitingJob(301)
    const { code, output } = await run()
    expect([code, output]).toEqual([2, expect.stringMatching(/✗ critical +jobs_waiting +job waited .*of_another_version/)])
    await run('discard', minute, minutes, '--reason', 'a test', '--yes')
    expect((await run()).code).toBe(0)
  })

  test('is 0 when the waiting job is paused', async () => {
    const id = await addWaitingJob(1000)
    expect((await run()).code).toBe(2)
    expect((await run('pause', 'task:of_another_version', '--reason', 'a test', '--for', '1h')).code).toBe(0)
    const { code, output } = await run()
    expect([code, output]).toEqual([0, expect.stringMatching(/Paused\n.*\n +task:of_another_version/)])
    expect((await run('resume', 'task:of_another_version')).code).toBe(0)
    expect((await run('resume', 'task:of_another_version')).code).toBe(1)
    await run('discard', id, '--reason', 'a test', '--yes')
  })

  test('is 2 without a live worker', async () => {
    for (const worker of bench.box.workers) await bench.box.end(worker, 'SIGTERM')
    const { code, output } = await run()
    expect([code, output]).toEqual([2, expect.stringMatching(/✗ critical +workers +no worker is online/)])
    await bench.box.startWorker()
    expect((await run()).code).toBe(0)
  })

  test('is 2 without a database, also with --json', async () => {
    const nowhere = { DATABASE_URL: 'postgres://ada:pass@127.0.0.1:1/signalbox' }
    for (const args of [[], ['--json'], ['resume', 'task:dispatch_hook']]) {
      const { code, output } = await ops(nowhere, ...args)
      expect([args, code, output]).toEqual([args, 2, expect.stringContaining('the database does not answer')])
      expect(output).not.toContain('pass')
    }
    const [check] = (await ops(nowhere, '--json')).json().health
    expect([check.check, check.status]).toEqual(['database', 'critical'])
    expect((await ops({ DATA_DIR: '/nonexistent' })).code).toBe(2)
    for (const args of [[], ['resume', 'task:dispatch_hook']]) {
      const { code, output } = await ops({ DATABASE_URL: 'nonsense' }, ...args)
      expect([code, output]).toEqual([2, expect.stringContaining('DATABASE_URL must be')])
      expect(output).not.toMatch(/^ +at /m)
    }
    const empty = bench.box.url.replace(/[^/]+$/, 'postgres')
    expect(await ops({ DATABASE_URL: empty })).toMatchObject({ code: 2, output: expect.stringContaining('bun run migrate') })
  })

  test('is 64 for a wrong command line, and 0 for --help', async () => {
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
      const { code, output } = await run(...args)
      expect([args, code, output]).toEqual([args, 64, expect.stringContaining('bun run ops [--watch]')])
    }
    expect(await run('--help')).toMatchObject({ code: 0, output: expect.stringContaining('exit code') })
  })
})

test('irreversible actions are refused without a terminal to confirm them', async () => {
  const id = await addWaitingJob(0)
  const { code, output } = await run('discard', id, '--reason', 'a test')
  expect([code, output]).toEqual([64, expect.stringContaining('confirm with --yes')])
  expect((await run('retry', '--all')).code).toBe(64)
  expect(await bench.box.sql`select from ops.jobs where id = ${id}`).toHaveLength(1)
  await run('discard', id, '--reason', 'a test', '--yes')
})

test('a job can be retried by id, by task, or with all others', async () => {
  const id = await failedJob(bench.box)
  const failedAgain = () =>
    bench.box.until(
      'it failed again',
      async () => (await bench.box.sql`select from ops.failed_jobs where id = ${id}`).length === 1,
    )
  expect(await run('retry', id)).toMatchObject({ code: 0, output: `job ${id}: retried` })
  await failedAgain()
  expect((await run('retry', '--task', 'mail_verification', '--yes', '--json')).json()).toEqual({ count: 1 })
  await failedAgain()
  expect(await run('retry', '--all', '--yes')).toMatchObject({ code: 0, output: '1 retried' })
  await failedAgain()
  expect(await run('retry', '--task', 'nonsense', '--yes')).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no task'),
  })
  const actions = await bench.box.sql<
    { application_name: string }[]
  >`select distinct application_name from ops.action_log_detail where 'retry' = action`
  expect(actions.map(({ application_name }) => application_name)).toEqual([expect.stringMatching(/^signalbox ops \(.+@.+\)$/)])
  await run('discard', id, '--reason', 'a test', '--yes')
})

test('--json prints one document, and lines for people fit a terminal', async () => {
  const { organization } = bench.site
  const id = await failedJob(bench.box, 'nonsense', [`org:${organization.id}`])
  await run(
    'pause',
    `org:${organization.id}`,
    '--reason',
    'They flood the queue with very many approvals and have confirmed that it is a test',
  )
  const { output, json } = await run('--json')
  expect(output.split('\n')).toHaveLength(1)
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
  const lines = (await run()).output.split('\n')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120)
  await run('resume', `org:${organization.id}`)
  await run('discard', id, '--reason', 'a test', '--yes')
})

test('--watch repeats until it is stopped', async () => {
  const watching = new Process(['bin/ops.ts', '--watch', '--json'], environment)
  await bench.box.until('it has printed twice', async () => watching.lines.length >= 2)
  watching.kill('SIGTERM')
  const code = await watching.exited
  await watching.isRead
  const { status } = JSON.parse(watching.lines.at(-1) ?? '')
  expect(code).toBe(EXIT_CODES[status as keyof typeof EXIT_CODES])
})

test('texts of others neither control the terminal nor change the direction of text', async () => {
  const reason = 'of \u202Eothers\u2069 \x9b31mred\x1b[2J'
  await bench.box.sql`select ops.pause('task:mail_verification', ${reason})`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  const unsafe = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/
  const [shown, json] = [await run(), await run('--json')]
  expect(shown.output).toMatch(/of .?others/)
  expect([shown.output, json.output].map((output) => unsafe.exec(output))).toEqual([null, null])
  expect(JSON.stringify(json.json())).toContain(JSON.stringify(reason).slice(1, -1))
  await bench.box.sql`select ops.resume('task:mail_verification')`
})
