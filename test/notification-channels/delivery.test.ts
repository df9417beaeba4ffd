import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { slack } from './stand-ins.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const sentence = ({ body }: { body: string }): string => JSON.parse(body).blocks[1].text.text

describe('a chat tool', () => {
  test('gets one message after another, in the order of what happened', async () => {
    const receiver = bench.receiver(slack())
    const { channel, project } = await bench.told('slack', { webhook_url: receiver.url })
    const answer = receiver.answer
    receiver.answer = async (...given) => {
      await Bun.sleep(20)
      return answer(...given)
    }
    const execution = await bench.box.running(bench.admin, project.id)
    const names = Array.from({ length: 8 }, (_, index) => `Gate ${index + 1}`)
    for (const name of names) await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name })
    await bench.logged(channel, (found) => found.length === 8 && found.every(({ status }) => status === 'succeeded'))
    expect(receiver.requests.map(sentence)).toEqual(names.map((name) => `The gate “${name}” waits for a decision.`))
    expect(receiver.inFlightMax).toBe(1)
  })

  test('that asks to wait is not asked with another message before', async () => {
    const receiver = bench.receiver(slack())
    receiver.answer = () =>
      Response.json({ retry_after: 100, ok: false, error: 'rate_limited' }, { status: 429, headers: { 'Retry-After': '100' } })
    const { channel, project } = await bench.told('slack', { webhook_url: receiver.url })
    const execution = await bench.box.running(bench.admin, project.id)
    for (const name of ['One', 'Two', 'Three']) await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name })
    const entries = await bench.logged(channel, (found) => found.length === 3 && found.some((each) => each.attempt_count === 1))
    expect(entries.map(({ attempt_count, error }) => [attempt_count, error?.code ?? null]).sort()).toEqual([
      [0, null],
      [0, null],
      [1, 'rate_limited'],
    ])
    await bench.box.until('its alarm is set', async () => {
      const [job] = await bench.box.sql`
        select from ops.jobs_detail where key = ${`deliver_channel:${channel.id}`} and run_at > now() + interval '60 seconds'
      `
      return job !== undefined
    })
    expect(receiver.requests).toHaveLength(1)
    // A test is asked for by somebody who waits, and another webhook asked for nothing.
    expect(await bench.tested(channel)).toMatchObject({ status: 'failed', error: { code: 'rate_limited' } })
    const fresh = bench.receiver(slack())
    await bench.admin.put(`${bench.path}/${channel.id}`, { config: { webhook_url: fresh.url } })
    await fresh.waitFor(2)
  })

  test('that takes nothing of ours again fails once, where it says that for good', async () => {
    const receiver = bench.receiver(slack())
    receiver.answer = () => new Response('no_service', { status: 404 })
    const { channel, project } = await bench.told('slack', { webhook_url: receiver.url })
    await bench.openGate(project)
    const entry = await bench.settled(channel)
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 1, response_status: 404, error: { code: 'no_service' } })
    expect(entry.error.detail).toContain('make a new one in Slack')
    expect(receiver.requests).toHaveLength(1)
  })
})

test('one slow channel holds up no other, nor do as many slow ones as a worker runs jobs', async () => {
  const slow = bench.receiver()
  slow.answer = async () => {
    await Bun.sleep(12_000)
    return new Response('')
  }
  const quick = bench.receiver()
  const project = await bench.project()
  for (let number = 0; number < 25; number++) {
    const channel = await bench.channel('webhook', { url: `${slow.url}/${number}` })
    await bench.subscribe(channel, 'gate.pending', project)
  }
  const channel = await bench.channel('webhook', { url: quick.url })
  await bench.subscribe(channel, 'gate.pending', project)
  await bench.openGate(project)
  await slow.waitFor(25)
  await quick.waitFor(1)
  expect(slow.inFlight).toBe(25)
  // And what comes while all of them are under way.
  await bench.openGate(project)
  await quick.waitFor(2)
  expect(slow.inFlight).toBeGreaterThanOrEqual(25)
  // Programs get some at once, people one.
  expect(slow.inFlightMax).toBeLessThanOrEqual(25 * 4)
}, 60_000)

test('one event reaches all hundred channels of a workspace', async () => {
  const owner = await bench.box.user('Grace Hopper')
  const site = await bench.box.site(owner)
  const receiver = bench.receiver()
  const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  for (let number = 0; number < 100; number++) {
    const channel = await owner.make(path, { name: 'n', channel_type: 'webhook', config: { url: `${receiver.url}/${number}` } })
    await owner.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: 'execution.started' })
  }
  await bench.box.running(owner, site.project.id)
  await receiver.waitFor(100)
  expect(new Set(receiver.requests.map((request) => request.path)).size).toBe(100)
  const events = await bench.box.sql`select from channel_events where organization_id = ${site.organization.id}`
  expect(events).toHaveLength(1)
}, 60_000)

test('the jobs of a channel carry the flag of its tenant', async () => {
  const receiver = bench.receiver()
  receiver.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '500' } })
  const { channel, project } = await bench.told('webhook', { url: receiver.url })
  await bench.openGate(project)
  await bench.tried(channel)
  await bench.box.until('its alarm is set', async () => {
    const [job] = await bench.box.sql<{ organization_id: string; state: string }[]>`
      select organization_id, state from ops.jobs_detail where key = ${`deliver_channel:${channel.id}`}
    `
    return job?.organization_id === bench.site.organization.id && job?.state === 'scheduled'
  })
  const [health] = await bench.box.sql`select * from ops.channel_health_detail where channel_id = ${channel.id}`
  expect(health).toMatchObject({ pending: 1, failures: 1, channel: 'Release room', last_error: 'http_error' })
})

test('what a killed worker had under way is sent by another one, and by none twice that was on record', async () => {
  const own = await Workbench.open({ workers: 1 })
  try {
    const receiver = own.receiver()
    receiver.answer = async (_, number) => {
      if (number === 1) await Bun.sleep(20_000)
      return new Response('')
    }
    const { channel, project } = await own.told('webhook', { url: receiver.url })
    await own.openGate(project)
    await receiver.waitFor(1)
    const [worker] = own.box.workers
    if (!worker) throw new Error('There is no worker')
    await own.box.end(worker, 'SIGKILL')
    await own.box.startWorker()
    expect(await own.settled(channel)).toMatchObject({ status: 'succeeded', attempt_count: 1 })
    expect(receiver.requests).toHaveLength(2)
    const ids = receiver.requests.map(({ headers }) => headers['x-signalbox-delivery'])
    expect(new Set(ids).size).toBe(1)
  } finally {
    await own.close()
  }
}, 60_000)

test('a worker that is told to stop finishes what is under way, and leaves the rest to others', async () => {
  const own = await Workbench.open({ workers: 1 })
  try {
    const receiver = own.receiver(slack())
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await held
      return new Response('ok')
    }
    const { channel, project } = await own.told('slack', { webhook_url: receiver.url })
    const execution = await own.box.running(own.admin, project.id)
    for (const name of ['One', 'Two']) await own.admin.make(`/api/v1/executions/${execution.id}/gates`, { name })
    await receiver.waitFor(1)
    const [worker] = own.box.workers
    worker?.kill('SIGTERM')
    await worker?.said('finishes what it has begun')
    go()
    expect(await worker?.exited).toBe(0)
    const entries = await own.log(channel)
    expect(entries.map(({ status }) => status)).toEqual(['pending', 'succeeded'])
    await own.box.startWorker()
    await own.logged(channel, (found) => found.every(({ status }) => status === 'succeeded'))
    expect(receiver.requests).toHaveLength(2)
  } finally {
    await own.close()
  }
}, 60_000)
