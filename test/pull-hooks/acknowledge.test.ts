import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PullWorkbench } from './workbench.ts'

let bench: PullWorkbench

beforeAll(async () => {
  bench = await PullWorkbench.open()
})

afterAll(() => bench.close())

describe('an acknowledgement', () => {
  test('may be a form whose detail looks like JSON, and none with a field that is given twice', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    const { dispatch, lease_until } = await bench.claimOne(pulled)
    const send = (outcomes: string[]) =>
      fetch(`${bench.box.base}/api/v1/dispatches/${dispatch.id}/acknowledge`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${pulled.token}` },
        body: new URLSearchParams([
          ['lease_until', lease_until],
          ['detail', '{"ok": true'],
          ...outcomes.map((each) => ['outcome', each]),
        ]),
      })
    const twice = await send(['failed', 'succeeded'])
    expect([twice.status, await twice.json()]).toMatchObject([422, { errors: [{ pointer: '/outcome', code: 'duplicate' }] }])
    const once = await send(['succeeded'])
    expect([once.status, await once.json()]).toMatchObject([200, { status: 'succeeded', response_body: '{"ok": true' }])
  })

  test('of success finishes the dispatch, with its detail as the response of the attempt', async () => {
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    const outcomes = await bench.subscribeToOutcomes(pulled.project)
    await bench.trigger(pulled)
    const claimed = await bench.claimOne(pulled)
    const { status, body } = await bench.acknowledge(pulled, claimed, { outcome: 'succeeded', detail: 'Build 4711' })
    expect([status, body.status, body.attempt_count, body.response_body, body.error]).toEqual([
      200,
      'succeeded',
      1,
      'Build 4711',
      null,
    ])
    expect(body.rollout).toMatchObject({ state: 'awaiting', deadline_at: expect.any(String) })
    const [attempt, ...others] = (await bench.dispatch(body.id)).attempts
    expect(others).toEqual([])
    expect(attempt).toMatchObject({ number: 1, response_body: 'Build 4711', response_status: null, address: null, error: null })
    const [message] = await outcomes.waitFor(1)
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      event: 'deployment.succeeded',
      data: { dispatch: { id: body.id, status: 'succeeded' } },
    })
  })

  test('of failure ends it without another attempt', async () => {
    const pulled = await bench.pulled()
    const outcomes = await bench.subscribeToOutcomes(pulled.project)
    await bench.trigger(pulled)
    const { body } = await bench.acknowledge(pulled, await bench.claimOne(pulled), { outcome: 'failed' })
    expect([body.status, body.attempt_count, body.error.code]).toEqual(['failed', 1, 'claimer_failed'])
    const [message] = await outcomes.waitFor(1)
    expect(JSON.parse(message?.body ?? '').event).toBe('deployment.failed')
  })

  test('of retry follows the schedule, up to max_attempts', async () => {
    const pulled = await bench.pulled()
    const { max_attempts } = await bench.trigger(pulled)
    for (let number = 1; number <= max_attempts; number++) {
      const claimed = await bench.claimOne(pulled)
      expect(claimed.headers['X-Signalbox-Attempt']).toBe(String(number))
      const before = Date.now()
      const { body } = await bench.acknowledge(pulled, claimed, { outcome: 'retry', detail: `try ${number}` })
      expect([body.status, body.attempt_count]).toEqual([number < max_attempts ? 'pending' : 'failed', number])
      // The schedule of tests is 0.2 s after each.
      if (number < max_attempts) expect(Date.parse(body.next_attempt_at)).toBeWithin(before + 199, Date.now() + 202)
      else expect(body.error.code).toBe('retry_requested')
    }
    const [dispatch] = (await bench.listed(pulled.hook)).items
    expect((await bench.dispatch(dispatch.id)).attempts.map((each: { number: number }) => each.number)).toEqual([1, 2, 3])
  })

  test('needs the lease that was given', async () => {
    const pulled = await bench.pulled()
    const dispatch = await bench.trigger(pulled)
    const lost = async (lease_until: string) => {
      const { status, body } = await bench.acknowledge(pulled, { dispatch, lease_until }, { outcome: 'succeeded' })
      expect([status, body.code]).toEqual([409, 'lease_lost'])
    }
    await lost(new Date(Date.now() + 60_000).toISOString())
    const claimed = await bench.claimOne(pulled)
    await lost(new Date(Date.parse(claimed.lease_until) + 1).toISOString())
    expect((await bench.acknowledge(pulled, claimed, { outcome: 'failed' })).status).toBe(200)
    await lost(claimed.lease_until)
  })

  test.each(['succeeded', 'failed', 'retry'] as const)('of the same outcome (%s) may be repeated', async (outcome) => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    const claimed = await bench.claimOne(pulled)
    const first = await bench.acknowledge(pulled, claimed, { outcome, detail: 'Build 4711' })
    const again = await bench.acknowledge(pulled, claimed, { outcome, detail: 'Build 4711' })
    expect([again.status, again.body]).toEqual([200, first.body])
    const other = outcome === 'failed' ? 'succeeded' : 'failed'
    expect((await bench.acknowledge(pulled, claimed, { outcome: other })).status).toBe(409)
    const { attempts } = await bench.dispatch(claimed.dispatch.id)
    expect(attempts).toHaveLength(1)
    if (outcome !== 'retry') return
    // Also when the dispatch was claimed again; that lease stays.
    const next = await bench.claimOne(pulled)
    expect((await bench.acknowledge(pulled, claimed, { outcome })).status).toBe(200)
    expect((await bench.acknowledge(pulled, next, { outcome: 'succeeded' })).body.attempt_count).toBe(2)
  })

  test('counts once, however many are sent at once', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    const claimed = await bench.claimOne(pulled)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        bench.acknowledge(pulled, claimed, { outcome: index % 2 === 0 ? 'succeeded' : 'failed' }),
      ),
    )
    // Those that agree with the first are repeats of it.
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(5).fill(409)])
    expect((await bench.dispatch(claimed.dispatch.id)).attempts).toHaveLength(1)
  })

  test('is limited to 16 KiB, and shows no secrets', async () => {
    const pulled = await bench.pulled({ secret: 'correct-horse-battery', report_within_seconds: 600 })
    await bench.trigger(pulled)
    const claimed = await bench.claimOne(pulled)
    const send = (detail: string) => bench.acknowledge(pulled, claimed, { outcome: 'succeeded', detail })
    expect((await send('é'.repeat(8_193))).body.errors[0].pointer).toBe('/detail')
    const token = claimed.headers['X-Signalbox-Report-Token']
    const { body } = await send(`<b> correct-horse-battery ${token}`)
    expect(body.response_body).toBe('<b> ******** ********')
  })

  test('shows no token of Signalbox, no matter who sends it', async () => {
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    const other = await bench.pulled()
    const detail = (of: string) => `token=${of} sbx_rep_${'a'.repeat(43)} ${other.token} "${encodeURIComponent(of)}"`
    const acknowledge = async (token: string) => {
      await bench.trigger(pulled)
      const { body } = await bench.acknowledge({ token }, await bench.claimOne(pulled), {
        outcome: 'failed',
        detail: detail(token),
      })
      return body.response_body
    }
    const masked = 'token=******** ******** ******** "********"'
    expect(await acknowledge(pulled.token)).toBe(masked)
    const own = await bench.admin.make('/api/v1/auth/tokens', { name: 'CI', scope: 'write', expires_at: null })
    expect(await acknowledge(own.token)).toBe(masked)
  })

  test('has a known outcome', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    const claimed = await bench.claimOne(pulled)
    expect((await bench.acknowledge(pulled, claimed, { outcome: 'done' })).status).toBe(422)
    expect((await bench.acknowledge(pulled, { ...claimed, lease_until: 'soon' }, { outcome: 'failed' })).status).toBe(422)
  })
})

describe('a lease that runs out', () => {
  test('is an attempt, and the dispatch can be claimed again at once', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    const first = await bench.claimOne(pulled)
    const waiting = bench.claimOne(pulled)
    await bench.runOut(first)
    const second = await waiting
    expect([second.dispatch.id, second.dispatch.attempt_count]).toEqual([first.dispatch.id, 1])
    const late = await bench.acknowledge(pulled, first, { outcome: 'succeeded' })
    expect([late.status, late.body.code]).toEqual([409, 'lease_lost'])
    expect((await bench.acknowledge(pulled, second, { outcome: 'succeeded' })).body.attempt_count).toBe(2)
    const { attempts } = await bench.dispatch(first.dispatch.id)
    expect(attempts.map(({ error }: { error: { code: string } | null }) => error?.code)).toEqual(['lease_expired', undefined])
  })

  test('fails the dispatch after the last attempt, without a claim', async () => {
    const pulled = await bench.pulled()
    const { id, max_attempts } = await bench.trigger(pulled)
    for (let number = 1; number <= max_attempts; number++) await bench.runOut(await bench.claimOne(pulled))
    const dispatch = await bench.once({ id }, ({ status }) => status !== 'pending')
    expect([dispatch.status, dispatch.attempt_count, dispatch.error.code]).toEqual(['failed', max_attempts, 'lease_expired'])
  })

  test('is ended by the worker', async () => {
    const pulled = await bench.pulled()
    const { id } = await bench.trigger(pulled)
    await bench.runOut(await bench.claimOne(pulled))
    expect((await bench.once({ id }, ({ attempt_count }) => attempt_count === 1)).error.code).toBe('lease_expired')
  })

  test('is judged by the clock of the database alone', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    const claimed = await bench.claimOne(pulled)
    // A claimer whose clock is an hour off returns the time as it was given.
    const { status } = await bench.acknowledge(pulled, claimed, { outcome: 'succeeded' })
    expect(status).toBe(200)
  })
})

test('the database keeps one lease per dispatch', async () => {
  const pulled = await bench.pulled()
  await bench.trigger(pulled)
  const { dispatch } = await bench.claimOne(pulled)
  const replace = bench.box.sql`
    update deliveries set lease_until = now() + interval '2 hours', due_at = now() + interval '2 hours' where id = ${dispatch.id}
  `
  await expect(replace.then(() => 'replaced')).rejects.toThrow('is leased until')
})
