import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { signaturesOf, signingKey } from '../../core/security/signing.ts'
import { beforeWaitEnds } from '../support/within.ts'
import { PullWorkbench } from './workbench.ts'

let bench: PullWorkbench

beforeAll(async () => {
  bench = await PullWorkbench.open()
})

afterAll(() => bench.close())

describe('a claim', () => {
  test('returns the dispatch, its payload and signed headers, and leases it', async () => {
    const pulled = await bench.pulled({ secret: 'cq8yV2l', report_within_seconds: 600 })
    const { id } = await bench.trigger(pulled)
    const before = Date.now()
    const { dispatch, payload, headers, lease_until } = await bench.claimOne(pulled, { lease_seconds: 120 })
    const after = Date.now()
    expect([dispatch.id, dispatch.status, dispatch.attempt_count]).toEqual([id, 'pending', 0])
    expect(JSON.parse(payload)).toMatchObject({ event: 'manual.trigger', hook: { id: pulled.hook.id }, sequence: 1 })
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'X-Signalbox-Event': 'manual.trigger',
      'X-Signalbox-Delivery': id,
      'X-Signalbox-Attempt': '1',
      'X-Signalbox-Sequence': '1',
      'X-Signalbox-Report-Url': expect.stringContaining(`/dispatches/${id}/report`),
      'X-Signalbox-Report-Token': expect.stringMatching(/^sbx_rep_/),
      'webhook-id': id,
    })
    const timestamp = headers['webhook-timestamp']
    const key = signingKey('cq8yV2l') as Uint8Array
    expect([headers['webhook-signature'], headers['X-Signalbox-Signature']]).toEqual(
      Object.values(signaturesOf(key, { id, timestamp, body: payload })).reverse(),
    )
    expect(Number(timestamp)).toBeWithin(Math.floor(before / 1000), after / 1000 + 1)
    expect(Date.parse(lease_until) - 120_000).toBeWithin(before - 1, after + 2)
    expect((await bench.claimWith(pulled.token, pulled.hook)).body).toEqual([])
  })

  test('has a default lease of a minute and a default limit of one, oldest due first', async () => {
    const pulled = await bench.pulled()
    const ids = [await bench.trigger(pulled), await bench.trigger(pulled), await bench.trigger(pulled)].map(({ id }) => id)
    const before = Date.now()
    const first = await bench.claimOne(pulled)
    expect(Date.parse(first.lease_until) - 60_000).toBeWithin(before - 1, Date.now() + 2)
    const others = await bench.claim(pulled, { limit: 10 })
    expect([first, ...others].map(({ dispatch }) => dispatch.id)).toEqual(ids)
  })

  test('validates its input', async () => {
    const { hook, token } = await bench.pulled()
    for (const [field, value] of [
      ['limit', 0],
      ['limit', 11],
      ['wait', -1],
      ['wait', 26],
      ['lease_seconds', 29],
      ['lease_seconds', 3601],
      ['lease_seconds', 60.5],
    ] as const) {
      const { status, body } = await bench.claimWith(token, hook, { [field]: value })
      expect([status, body.errors[0].pointer]).toEqual([422, `/${field}`])
    }
  })

  test('answers at once without wait, and after it if nothing comes', async () => {
    const { hook, token } = await bench.pulled()
    expect((await beforeWaitEnds('an answer', bench.claimWith(token, hook))).body).toEqual([])
    expect((await bench.claimWith(token, hook, { wait: 1 })).body).toEqual([])
  })

  test('that waits gets what is committed meanwhile, of the drain or of a request', async () => {
    const pulled = await bench.pulled()
    const waiting = bench.claimOne(pulled)
    await bench.approve(pulled.project)
    expect((await waiting).dispatch.event).toBe('gate.approved')
    const again = bench.claimOne(pulled)
    await bench.trigger(pulled)
    expect((await again).dispatch.event).toBe('manual.trigger')
  })

  test('is made by an admin as well, and by no other member', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    const { status, body } = await bench.ask(pulled.hook, 'claim', { wait: 20 })
    expect([status, body.length]).toEqual([200, 1])
    const input = { outcome: 'succeeded', lease_until: body[0].lease_until }
    const path = `/api/v1/dispatches/${body[0].dispatch.id}/acknowledge`
    const member = await bench.box.user('Grace Hopper')
    await bench.box.join(member, bench.site, 'member', 'member')
    const outsider = await bench.box.user('Mallory')
    const refused = [
      await member.post(`/api/v1/deployment-hooks/${pulled.hook.id}/claim`, { wait: 20 }),
      await member.post(`/api/v1/deployment-hooks/${pulled.hook.id}/pull-token`),
      await member.post(path, input),
      await outsider.post(`/api/v1/deployment-hooks/${pulled.hook.id}/claim`, {}),
      await outsider.post(path, input),
    ]
    expect(refused.map((each) => each.status)).toEqual([403, 403, 403, 404, 404])
    const done = await bench.admin.post(path, input)
    expect([done.status, done.body.status]).toEqual([200, 'succeeded'])
  })

  test('is not repeated, and does not go on waiting, for a user who is no admin any more', async () => {
    const pulled = await bench.pulled()
    const lead = await bench.box.user('Lead')
    await bench.box.join(lead, bench.site, 'member', 'admin')
    const path = `/api/v1/deployment-hooks/${pulled.hook.id}/claim`
    await bench.trigger(pulled)
    const repeated = () => lead.post(path, { wait: 5 }, { 'Idempotency-Key': `lead-${pulled.hook.id}` })
    expect((await repeated()).body).toHaveLength(1)
    const waiting = [lead.post(path, { wait: 20 }), lead.post(path, { wait: 20 }, { 'Idempotency-Key': 'waits' })]
    // Once a claim that came later has waited in vain, these wait as well.
    expect(await bench.claim(pulled, { wait: 1 })).toEqual([])
    await bench.box.sql`update workspace_members set role = 'member' where user_id = ${lead.id}`
    await bench.trigger(pulled)
    const answers = await Promise.all(waiting)
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    expect((await repeated()).status).toBe(403)
    expect(await bench.claim(pulled)).toHaveLength(1)
  })

  test('repeated with the same Idempotency-Key returns the same lease', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    await bench.trigger(pulled)
    const claim = () => bench.ask(pulled.hook, 'claim', { wait: 5 }, { 'Idempotency-Key': `claim-${pulled.hook.id}` })
    const first = await claim()
    expect(first.body).toHaveLength(1)
    expect((await claim()).body).toEqual(first.body)
  })

  test('gives each dispatch to one of twenty callers at once', async () => {
    const pulled = await bench.pulled()
    const ids = await Promise.all(Array.from({ length: 30 }, async () => (await bench.trigger(pulled)).id))
    const claims = await Promise.all(Array.from({ length: 20 }, () => bench.claim(pulled, { limit: 2, wait: 0 })))
    const claimed = claims.flat().map(({ dispatch }) => dispatch.id)
    expect(new Set(claimed).size).toBe(claimed.length)
    const rest = (await Promise.all(Array.from({ length: 5 }, () => bench.claim(pulled, { limit: 10, wait: 0 })))).flat()
    expect([...claimed, ...rest.map(({ dispatch }) => dispatch.id)].sort()).toEqual(ids.sort())
  })

  test('that waits with others gets one dispatch each', async () => {
    const pulled = await bench.pulled()
    const waiting = Array.from({ length: 20 }, () => bench.claimOne(pulled))
    for (let made = 0; made < 20; made++) await bench.trigger(pulled)
    const ids = (await Promise.all(waiting)).map(({ dispatch }) => dispatch.id)
    expect(new Set(ids).size).toBe(20)
  })
})

describe('a hook that workers send to', () => {
  test('has no pull token, no claims and no acknowledgements', async () => {
    const { hook } = await bench.hookTo('http://127.0.0.1:1/')
    const dispatch = (await bench.ask(hook, 'trigger')).body
    const answers = [
      await bench.ask(hook, 'pull-token'),
      await bench.ask(hook, 'claim', {}),
      await bench.admin.post(`/api/v1/dispatches/${dispatch.id}/acknowledge`, {
        outcome: 'succeeded',
        lease_until: new Date().toISOString(),
      }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, 'not_a_pull_hook']))
  })
})
