import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { slack } from './stand-ins.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const sentenceOf = ({ body }: { body: string }): string => JSON.parse(body).blocks[1].text.text

describe('a chat tool', () => {
  test('gets one message at a time, in the order of events', async () => {
    const receiver = bench.receiver(slack())
    const { channel, project } = await bench.subscribedChannel('slack', { webhook_url: receiver.url })
    const answer = receiver.answer
    receiver.answer = async (...given) => {
      await Bun.sleep(20)
      return answer(...given)
    }
    const execution = await bench.box.running(bench.admin, project.id)
    const names = Array.from({ length: 8 }, (_, index) => `Gate ${index + 1}`)
    for (const name of names) await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name })
    await bench.logged(channel, (found) => found.length === 8 && found.every(({ status }) => status === 'succeeded'))
    expect(receiver.requests.map(sentenceOf)).toEqual(
      names.map((name) => `The gate “${name}” for #1 Pay by invoice waits for a decision.`),
    )
    expect(receiver.inFlightMax).toBe(1)
  })

  test('that asks to wait gets no other message before that time', async () => {
    const receiver = bench.receiver(slack())
    receiver.answer = () =>
      Response.json({ retry_after: 100, ok: false, error: 'rate_limited' }, { status: 429, headers: { 'Retry-After': '100' } })
    const { channel, project } = await bench.subscribedChannel('slack', { webhook_url: receiver.url })
    const execution = await bench.box.running(bench.admin, project.id)
    for (const name of ['One', 'Two', 'Three']) await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name })
    const entries = await bench.logged(channel, (found) => found.length === 3 && found.some((each) => each.attempt_count === 1))
    expect(entries.map(({ attempt_count, error }) => [attempt_count, error?.code ?? null]).sort()).toEqual([
      [0, null],
      [0, null],
      [1, 'rate_limited'],
    ])
    await bench.box.until('the wake-up job is set', async () => {
      const [job] = await bench.box.sql`
        select from ops.jobs_detail where key = ${`deliver_channel:${channel.id}`} and run_at > now() + interval '60 seconds'
      `
      return job !== undefined
    })
    expect(receiver.requests).toHaveLength(1)
    // A test message is sent nevertheless; the wait ends when the webhook URL changes.
    expect(await bench.tested(channel)).toMatchObject({ status: 'failed', error: { code: 'rate_limited' } })
    const fresh = bench.receiver(slack())
    await bench.admin.put(`${bench.path}/${channel.id}`, { config: { webhook_url: fresh.url } })
    await fresh.waitFor(2)
  })

  test('that refuses a message for good gets it once', async () => {
    const receiver = bench.receiver(slack())
    receiver.answer = () => new Response('no_service', { status: 404 })
    const { channel, project } = await bench.subscribedChannel('slack', { webhook_url: receiver.url })
    await bench.openGate(project)
    const entry = await bench.settled(channel)
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 1, response_status: 404, error: { code: 'no_service' } })
    expect(entry.error.detail).toContain('Create a new one in Slack')
    expect(receiver.requests).toHaveLength(1)
  })
})

test('slow channels do not delay others, not even as many as a worker has job slots', async () => {
  const slow = bench.receiver()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  slow.answer = async () => {
    await released
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
  // The same holds for an event while all of them are in flight.
  await bench.openGate(project)
  await quick.waitFor(2)
  expect(slow.inFlight).toBeGreaterThanOrEqual(25)
  // Webhooks get several requests at once, chat tools one.
  expect(slow.inFlightMax).toBeLessThanOrEqual(25 * 4)
  release()
})

test('one event reaches all 100 channels of a workspace', async () => {
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
})

test('the jobs of a channel carry the flag of its organization', async () => {
  const receiver = bench.receiver()
  receiver.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '500' } })
  const { channel, project } = await bench.subscribedChannel('webhook', { url: receiver.url })
  await bench.openGate(project)
  await bench.tried(channel)
  await bench.box.until('the wake-up job is set', async () => {
    const [job] = await bench.box.sql<{ organization_id: string; state: string }[]>`
      select organization_id, state from ops.jobs_detail where key = ${`deliver_channel:${channel.id}`}
    `
    return job?.organization_id === bench.site.organization.id && job?.state === 'scheduled'
  })
  const [health] = await bench.box.sql`select * from ops.channel_health_detail where channel_id = ${channel.id}`
  expect(health).toMatchObject({ pending: 1, failures: 1, channel: 'Release room', last_error: 'http_error' })
})

test('messages in flight at a killed worker are sent by another one, and recorded ones are not sent again', async () => {
  const ownBench = await Workbench.open({ own: true })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  try {
    const receiver = ownBench.receiver()
    receiver.answer = async (_, number) => {
      if (number === 1) await released
      return new Response('')
    }
    const { channel, project } = await ownBench.subscribedChannel('webhook', { url: receiver.url })
    await ownBench.openGate(project)
    await receiver.waitFor(1)
    const [worker] = ownBench.box.workers
    if (!worker) throw new Error('There is no worker')
    await ownBench.box.end(worker, 'SIGKILL')
    await ownBench.box.startWorker()
    expect(await ownBench.settled(channel)).toMatchObject({ status: 'succeeded', attempt_count: 1 })
    expect(receiver.requests).toHaveLength(2)
    const ids = receiver.requests.map(({ headers }) => headers['x-signalbox-delivery'])
    expect(new Set(ids).size).toBe(1)
  } finally {
    release()
    await ownBench.close()
  }
})

test('a worker that gets SIGTERM finishes requests in flight and leaves the rest to others', async () => {
  const ownBench = await Workbench.open({ own: true })
  try {
    const receiver = ownBench.receiver(slack())
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await released
      return new Response('ok')
    }
    const { channel, project } = await ownBench.subscribedChannel('slack', { webhook_url: receiver.url })
    const execution = await ownBench.box.running(ownBench.admin, project.id)
    for (const name of ['One', 'Two']) await ownBench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name })
    await receiver.waitFor(1)
    await ownBench.logged(channel, (found) => found.length === 2)
    const [worker] = ownBench.box.workers
    worker?.kill('SIGTERM')
    await worker?.said('worker stopping; finishing running work')
    release()
    expect(await worker?.exited).toBe(0)
    const entries = await ownBench.log(channel)
    expect(entries.map(({ status }) => status)).toEqual(['pending', 'succeeded'])
    await ownBench.box.startWorker()
    await ownBench.logged(channel, (found) => found.every(({ status }) => status === 'succeeded'))
    expect(receiver.requests).toHaveLength(2)
  } finally {
    await ownBench.close()
  }
})
