import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Received } from '../support/receiver.ts'
import { type Answer, signalbox } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const path = (hook: Answer['body']) => `/api/v1/deployment-hooks/${hook.id}`
const rotate = (hook: Answer['body'], input?: object) => bench.admin.make(`${path(hook)}/rotate-secret`, input)

async function sendPing({ hook, receiver }: Awaited<ReturnType<Workbench['hooked']>>): Promise<Received> {
  await bench.admin.make(`${path(hook)}/test`, undefined, { Prefer: 'wait=10' })
  const request = receiver.requests.at(-1)
  if (!request) throw new Error('Nothing came')
  return request
}

const hex = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(body)
    .digest('hex')}`

describe('rotating a secret', () => {
  test('shows the new secret once, and both sign for a day', async () => {
    const made = await bench.hooked({ secret: OLD })
    const before = Date.now()
    const { secret, previous_secret_until, ...hook } = await rotate(made.hook)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    expect(Date.parse(previous_secret_until) - 86_400_000).toBeWithin(before - 1, Date.now() + 2)
    expect(hook).toEqual({ ...made.hook, updated_at: hook.updated_at })
    expect((await bench.admin.get(path(hook))).body).toEqual(hook)

    const { body, headers } = await sendPing(made)
    expect(headers['x-signalbox-signature']).toBe(hex(secret, body))
    expect(headers['x-signalbox-signature-previous']).toBe(hex(OLD, body))
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
    for (const each of [secret, OLD]) expect(new Webhook(each).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD').verify(body, headers)).toThrow()
  })

  test('twice ends the secret before the last', async () => {
    const made = await bench.hooked({ secret: OLD })
    const first = (await rotate(made.hook)).secret
    const second = (await rotate(made.hook)).secret
    expect(new Set([OLD, first, second]).size).toBe(3)
    const { body, headers } = await sendPing(made)
    expect(headers['x-signalbox-signature']).toBe(hex(second, body))
    expect(headers['x-signalbox-signature-previous']).toBe(hex(first, body))
    expect(() => new Webhook(OLD).verify(body, headers)).toThrow()
  })

  test('without overlap ends the old secret at once', async () => {
    const made = await bench.hooked({ secret: OLD })
    const { secret, previous_secret_until } = await rotate(made.hook, { overlap_seconds: 0 })
    expect(previous_secret_until).toBeNull()
    const { body, headers } = await sendPing(made)
    expect(headers).not.toHaveProperty('x-signalbox-signature-previous')
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44}$/)
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(OLD).verify(body, headers)).toThrow()
  })

  test('stops signing with the old secret after the overlap, and deletes it a week later', async () => {
    const made = await bench.hooked({ secret: OLD })
    await rotate(made.hook, { overlap_seconds: 604_800 })
    expect((await sendPing(made)).headers).toHaveProperty('x-signalbox-signature-previous')
    const version = (await bench.admin.get(path(made.hook))).body.updated_at
    const endedFor = (days: number) => bench.box.sql`
      update deployment_hooks set previous_secret_until = now() - ${days} * interval '1 day' where id = ${made.hook.id}
    `
    const countStored = async () =>
      (await bench.box.sql`select from deployment_hooks where id = ${made.hook.id} and previous_secret is not null`).length
    const forget = async () => {
      await bench.box.sql`select graphile_worker.add_job('forget_expired', '{}', job_key := 'forget')`
      await bench.box.until('the job has run', async () => {
        const [{ jobs }] = await bench.box.sql<[{ jobs: number }]>`
          select count(*) as jobs from graphile_worker.jobs where key = 'forget'
        `
        return jobs === 0
      })
    }
    await endedFor(6)
    expect((await sendPing(made)).headers).not.toHaveProperty('x-signalbox-signature-previous')
    await forget()
    expect(await countStored()).toBe(1)
    await endedFor(8)
    await forget()
    expect(await countStored()).toBe(0)
    expect((await bench.admin.get(path(made.hook))).body.updated_at).toBe(version)
  })

  test('gives a hook without a secret its first one', async () => {
    const made = await bench.hooked({ secret: null })
    const { secret, has_secret, previous_secret_until } = await rotate(made.hook)
    expect([has_secret, previous_secret_until]).toEqual([true, null])
    const { body, headers } = await sendPing(made)
    expect(headers).not.toHaveProperty('x-signalbox-signature-previous')
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  })

  test('is undone by setting a secret: the old one stops signing at once', async () => {
    const made = await bench.hooked({ secret: OLD })
    await rotate(made.hook)
    await bench.admin.put(path(made.hook), { secret: 'plain' })
    expect((await sendPing(made)).headers).not.toHaveProperty('x-signalbox-signature-previous')
    expect(
      await bench.box.sql`select from deployment_hooks where previous_secret is not null and id = ${made.hook.id}`,
    ).toHaveLength(0)
  })

  test('applies to a retry that was already waiting', async () => {
    const { project, hook, receiver } = await bench.hooked({ secret: OLD })
    const rotated = Promise.withResolvers<Response>()
    receiver.answer = (_, number) => (number === 1 ? rotated.promise : new Response('ok'))
    await bench.approve(project)
    const [before] = await receiver.waitFor(1)
    const { secret } = await rotate(hook, { overlap_seconds: 0 })
    rotated.resolve(new Response('', { status: 500 }))
    const [, after] = await receiver.waitFor(2)
    expect(after?.body).toBe(before?.body as string)
    expect(before?.headers['x-signalbox-signature']).toBe(hex(OLD, before?.body ?? ''))
    expect(after?.headers['x-signalbox-signature']).toBe(hex(secret, after?.body ?? ''))
  })

  test('is done once per Idempotency-Key, and the repeated request returns the same secret', async () => {
    const { hook } = await bench.hooked({ secret: OLD })
    const key = { 'Idempotency-Key': `rotate-${hook.id}` }
    const answers = [
      await bench.admin.post(`${path(hook)}/rotate-secret`, {}, key),
      await bench.admin.post(`${path(hook)}/rotate-secret`, {}, key),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true')
  })

  test.each([
    [-1, 'too_small'],
    [604_801, 'too_large'],
    [1.5, 'wrong_type'],
    ['60', 'wrong_type'],
    [null, 'wrong_type'],
  ])('refuses an overlap of %p', async (overlap_seconds, code) => {
    const { hook } = await bench.hookTo('https://ci.example.com/')
    const { status, body } = await bench.admin.post(`${path(hook)}/rotate-secret`, { overlap_seconds })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ pointer: '/overlap_seconds', code }])
  })
})

test('a new SECRETS_KEY encrypts new values, and the old one still decrypts existing ones', async () => {
  const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'))
  const receiver = bench.receiver()
  const before = await signalbox({ own: true, workers: 0, environment: { SECRETS_KEY: first ?? '' } })
  const ada = await before.user('Ada Lovelace')
  const { project } = await before.site(ada)
  const hooks = `/api/v1/projects/${project.id}/deployment-hooks`
  const input = { name: 'Old', url: receiver.url, trigger_on: 'gate_approved', secret: OLD, headers: { 'X-Key': 'k-1' } }
  const old = await ada.make(hooks, input)
  await before.close()

  const between = await signalbox({ url: before.url, environment: { SECRETS_KEY: `${second},${first}` } })
  const key = { Authorization: `Bearer ${ada.token}` }
  const ping = (box: typeof between, id: string) =>
    box.request('POST', `/api/v1/deployment-hooks/${id}/test`, undefined, { ...key, Prefer: 'wait=10' })
  try {
    expect((await ping(between, old.id)).body.status).toBe('succeeded')
    const request = receiver.requests.at(-1)
    expect(request?.headers['x-key']).toBe('k-1')
    expect(new Webhook(OLD).verify(request?.body ?? '', request?.headers ?? {})).toBeObject()
    // A change encrypts with the new key, including the header values it keeps.
    const changed = { secret: `${OLD}AA`, headers: { 'X-Key': '********', 'X-New': 'n' } }
    expect((await between.request('PUT', `/api/v1/deployment-hooks/${old.id}`, changed, key)).status).toBe(200)
  } finally {
    await between.close()
  }

  const after = await signalbox({ url: before.url, environment: { SECRETS_KEY: second ?? '' } })
  try {
    expect((await ping(after, old.id)).body.status).toBe('succeeded')
    expect(receiver.requests.at(-1)?.headers['x-key']).toBe('k-1')
  } finally {
    await after.close()
  }
})
