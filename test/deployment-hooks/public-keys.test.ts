import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import type { Received } from '../support/receiver.ts'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

const PUBLIC_KEY = /^whpk_[A-Za-z0-9+/]{43}=$/

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const path = (hook: Answer['body']) => `/api/v1/deployment-hooks/${hook.id}`
const shown = async (hook: Answer['body']) => (await bench.admin.get(path(hook))).body
const rotate = (hook: Answer['body'], input?: object) => bench.admin.make(`${path(hook)}/rotate-secret`, input)
const make = (input: object = {}) => bench.hooked({ signature: 'ed25519', ...input })

async function sendPing({ hook, receiver }: Awaited<ReturnType<Workbench['hooked']>>): Promise<Received> {
  await bench.admin.make(`${path(hook)}/test`, undefined, { Prefer: 'wait=10' })
  return receiver.requests.at(-1) as Received
}

/** Which signatures of a request a receiver with the public key accepts. */
function accepted(public_key: string, { headers, body }: Received): boolean[] {
  const x = Buffer.from(public_key.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ')
  return signatures.map((each) => verify(null, signed, key, Buffer.from(each.replace(/^v1a,/, ''), 'base64')))
}

describe('a hook with the signature ed25519', () => {
  test('shows the public key of a pair that the service makes, and no secret', async () => {
    const { hook } = await bench.hookTo('https://ci.example.com/', { signature: 'ed25519' })
    expect(hook).toMatchObject({ signature: 'ed25519', public_key: expect.stringMatching(PUBLIC_KEY), has_secret: false })
    expect(hook).not.toHaveProperty('secret')
    expect(await shown(hook)).toEqual(hook)
    const listed = await bench.admin.get(`/api/v1/projects/${hook.project_id}/deployment-hooks`)
    expect(listed.body).toEqual([hook])
    const other = await bench.hookTo('https://ci.example.com/', { signature: 'ed25519' })
    expect(other.hook.public_key).not.toBe(hook.public_key)
  })

  test('hmac is the default, without a public key', async () => {
    for (const input of [{}, { signature: 'hmac' }])
      expect((await bench.hookTo('https://ci.example.com/', input)).hook).toMatchObject({
        signature: 'hmac',
        public_key: null,
        has_secret: true,
        secret: expect.stringMatching(/^whsec_/),
      })
  })

  test('sends webhook-signature alone, which the public key verifies over id, timestamp and body', async () => {
    const made = await make({ name: 'Grüße 𝄞' })
    const request = await sendPing(made)
    expect(request.headers['webhook-signature']).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/)
    expect(request.headers).not.toHaveProperty('x-signalbox-signature')
    expect(request.headers).not.toHaveProperty('x-signalbox-signature-previous')
    expect(request.headers['webhook-id']).toBe(request.headers['x-signalbox-delivery'] ?? '')
    expect(accepted(made.hook.public_key, request)).toEqual([true])
    expect(accepted(made.hook.public_key, { ...request, body: `${request.body} ` })).toEqual([false])
    const headers = { ...request.headers, 'webhook-id': crypto.randomUUID() }
    expect(accepted(made.hook.public_key, { ...request, headers })).toEqual([false])
  })

  test('stores the private key encrypted; no response, event or audit entry contains it', async () => {
    const made = await make()
    const rotated = await rotate(made.hook)
    await sendPing(made)
    const [secrets] = await bench.box.sql<{ secret: Uint8Array; previous_secret: Uint8Array }[]>`
      select secret, previous_secret from deployment_hooks where id = ${made.hook.id}
    `
    for (const each of [secrets?.secret, secrets?.previous_secret]) {
      // Nonce, ciphertext and tag of `whsk_` and 44 characters.
      expect(each).toHaveLength(12 + 49 + 16)
      expect(Buffer.from(each ?? []).includes('whsk_')).toBeFalse()
    }
    for (const answer of [made.hook, rotated, await shown(made.hook)]) expect(JSON.stringify(answer)).not.toContain('whsk')
    const stored = await bench.box.sql`
      select 1 from audit_log_entries where resource_id = ${made.hook.id} and detail like '%whsk%'
      union all
      select 1 from outbox where data::text like '%whsk%'
      union all
      select 1 from dispatches where body like '%whsk%'
    `
    expect(stored).toHaveLength(0)
  })

  test('signs the body that its template renders', async () => {
    const body_template = { event: '{{/event}}', key: '{{secret:key}}', note: 'Grüße' }
    const made = await make({ body_template, template_secrets: { key: 'swordfish-4711' } })
    const request = await sendPing(made)
    expect(JSON.parse(request.body)).toEqual({ event: 'test.ping', key: 'swordfish-4711', note: 'Grüße' })
    expect(accepted(made.hook.public_key, request)).toEqual([true])
    const { headers, body } = request
    expect((await bench.admin.post(`${path(made.hook)}/verify`, { headers, body })).body.valid).toBeTrue()
    const masked = body.replace('swordfish-4711', '********')
    expect((await bench.admin.post(`${path(made.hook)}/verify`, { headers, body: masked })).body.valid).toBeFalse()
  })

  test('masks the signature in the headers of a dispatch', async () => {
    const made = await make()
    const { headers } = await sendPing(made)
    const { request_headers } = await bench.dispatch(headers['x-signalbox-delivery'] ?? '')
    expect(request_headers).toMatchObject({ 'webhook-signature': '********', 'webhook-timestamp': headers['webhook-timestamp'] })
    await rotate(made.hook)
    const names = Object.keys((await bench.dispatch(headers['x-signalbox-delivery'] ?? '')).request_headers)
    expect(names.filter((name) => name.startsWith('X-Signalbox-Signature'))).toEqual([])
  })

  test('signs triggers, retries and redeliveries anew', async () => {
    const { project, hook, receiver } = await make()
    receiver.answer = (_, number) => new Response('', { status: number === 1 ? 500 : 200 })
    await bench.approve(project)
    const [first, retry] = await receiver.waitFor(2)
    const dispatch = await bench.settled(hook)
    expect(retry?.headers['x-signalbox-attempt']).toBe('2')
    expect(retry?.body).toBe(first?.body as string)
    expect((await bench.act(dispatch, 'redeliver')).status).toBeLessThan(300)
    const redelivery = (await receiver.waitFor(3))[2]
    expect(redelivery?.headers['webhook-id']).toBe(dispatch.id)
    expect((await bench.ask(hook, 'trigger')).status).toBeLessThan(300)
    const trigger = (await receiver.waitFor(4))[3]
    for (const request of [first, retry, redelivery, trigger])
      expect(accepted(hook.public_key, request as Received)).toEqual([true])
  })

  test('tells its signature and public key in events about it', async () => {
    const { hook, receiver } = await make()
    await bench.admin.make(`${path(hook)}/trigger`, undefined, { Prefer: 'wait=10' })
    expect(JSON.parse(receiver.requests[0]?.body ?? '').data.hook).toMatchObject({
      signature: 'ed25519',
      public_key: hook.public_key,
      has_secret: false,
    })
    receiver.answer = () => new Response('', { status: 410 })
    await bench.admin.make(`${path(hook)}/trigger`, undefined, { Prefer: 'wait=10' })
    const [event] = await bench.box.sql`
      select data from outbox where name = 'hook.disabled' and data -> 'hook' ->> 'id' = ${hook.id}
    `
    expect(event?.data.hook).toMatchObject({ signature: 'ed25519', public_key: hook.public_key, has_secret: false })
  })

  test('can be moved to another host: its private key is never sent', async () => {
    const { hook } = await bench.hookTo('https://ci.example.com/', { signature: 'ed25519' })
    const changed = await bench.change(hook, { url: 'https://ci.example.net/' })
    expect(changed).toMatchObject({ url: 'https://ci.example.net/', public_key: hook.public_key })
  })
})

describe('what is refused', () => {
  test.each([['plain'], ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], ['********'], [null]])(
    'the secret %p, for a new hook and in a change',
    async (secret) => {
      const { project, hook } = await bench.hookTo('https://ci.example.com/', { signature: 'ed25519' })
      const refused = { status: 422, body: { errors: [{ pointer: '/secret', code: 'not_allowed' }] } }
      const input = { name: 'Deploy', url: 'https://ci.example.com/', trigger_on: 'gate_approved', signature: 'ed25519', secret }
      expect(await bench.admin.post(`/api/v1/projects/${project.id}/deployment-hooks`, input)).toMatchObject(refused)
      expect(await bench.admin.put(path(hook), { secret })).toMatchObject(refused)
      expect(await shown(hook)).toEqual(hook)
    },
  )

  test('another signature later; the same one may be sent', async () => {
    for (const [signature, other] of [
      ['ed25519', 'hmac'],
      ['hmac', 'ed25519'],
    ]) {
      const { hook } = await bench.hookTo('https://ci.example.com/', { signature })
      const errors = [{ pointer: '/signature', code: 'unchangeable' }]
      expect(await bench.admin.put(path(hook), { signature: other })).toMatchObject({ status: 422, body: { errors } })
      expect(await bench.change(hook, { signature, name: 'Renamed' })).toMatchObject({ name: 'Renamed', signature })
      // The database refuses it too.
      const set = bench.box.sql`update deployment_hooks set signature = ${other as string} where id = ${hook.id}`
      expect(async () => await set).toThrow('is fixed')
    }
  })

  test.each([
    ['another kind', { signature: 'rsa' }, '/signature'],
    ['null', { signature: null }, '/signature'],
    ['a public key', { public_key: 'whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g=' }, '/public_key'],
  ])('%s', async (_, input, pointer) => {
    const { project } = await bench.hookTo('https://ci.example.com/')
    const { status, body } = await bench.admin.post(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: 'https://ci.example.com/',
      trigger_on: 'gate_approved',
      ...input,
    })
    expect([status, body.errors[0].pointer]).toEqual([422, pointer])
  })
})

describe('rotate-secret', () => {
  test('makes a new pair, shows its public key, and both private keys sign for a day', async () => {
    const made = await make()
    const before = Date.now()
    const { previous_secret_until, ...hook } = await rotate(made.hook)
    expect(hook).not.toHaveProperty('secret')
    expect(hook.public_key).toMatch(PUBLIC_KEY)
    expect(hook.public_key).not.toBe(made.hook.public_key)
    expect(Date.parse(previous_secret_until) - 86_400_000).toBeWithin(before - 1, Date.now() + 2)
    expect(hook).toEqual({ ...made.hook, public_key: hook.public_key, updated_at: hook.updated_at })
    expect(await shown(hook)).toEqual(hook)
    expect((await bench.lastEntry(hook.id)).detail).toContain('rotated the key pair of the deployment hook')

    const request = await sendPing(made)
    expect(request.headers).not.toHaveProperty('x-signalbox-signature-previous')
    expect(accepted(hook.public_key, request)).toEqual([true, false])
    expect(accepted(made.hook.public_key, request)).toEqual([false, true])
  })

  test('ends the previous key with the overlap, and the one before it at once', async () => {
    const made = await make()
    const second = await rotate(made.hook, { overlap_seconds: 3600 })
    const third = await rotate(made.hook, { overlap_seconds: 3600 })
    const both = await sendPing(made)
    expect([made.hook, second, third].map(({ public_key }) => accepted(public_key, both))).toEqual([
      [false, false],
      [false, true],
      [true, false],
    ])
    await bench.box.sql`update deployment_hooks set previous_secret_until = now() where id = ${made.hook.id}`
    expect(accepted(third.public_key, await sendPing(made))).toEqual([true])
    const last = await rotate(made.hook, { overlap_seconds: 0 })
    expect(last.previous_secret_until).toBeNull()
    expect(accepted(last.public_key, await sendPing(made))).toEqual([true])
  })

  test('applies to a retry that was already waiting', async () => {
    const { project, hook, receiver } = await make()
    const rotated = Promise.withResolvers<Response>()
    receiver.answer = (_, number) => (number === 1 ? rotated.promise : new Response('ok'))
    await bench.approve(project)
    const [before] = await receiver.waitFor(1)
    const { public_key } = await rotate(hook, { overlap_seconds: 0 })
    rotated.resolve(new Response('', { status: 500 }))
    const [, after] = await receiver.waitFor(2)
    expect(accepted(hook.public_key, before as Received)).toEqual([true])
    expect(accepted(public_key, after as Received)).toEqual([true])
  })
})
