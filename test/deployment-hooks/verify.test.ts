import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { signatureHeaders, signingKeys } from '../../core/security/signing.ts'
import type { Received } from '../support/receiver.ts'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

type Hooked = Awaited<ReturnType<Workbench['hooked']>>

let bench: Workbench
let made: Hooked
let request: Received

beforeAll(async () => {
  bench = await Workbench.open()
  made = await bench.hooked({ secret: SECRET, name: 'Grüße' })
  request = await sendPing(made)
})

afterAll(() => bench.close())

const path = (hook: Answer['body']) => `/api/v1/deployment-hooks/${hook.id}`

async function sendPing({ hook, receiver }: Hooked): Promise<Received> {
  await bench.admin.make(`${path(hook)}/test`, undefined, { Prefer: 'wait=10' })
  const last = receiver.requests.at(-1)
  if (!last) throw new Error('Nothing came')
  return last
}

/** The failed checks, by name, with their details. No response contains a secret or a valid signature. */
async function failing(headers: Record<string, string>, body: string, hook = made.hook): Promise<Record<string, string>> {
  const { status, body: verdict } = await bench.admin.post(`${path(hook)}/verify`, { headers, body })
  expect(status).toBe(200)
  const text = JSON.stringify(verdict)
  for (const hidden of [
    SECRET,
    SECRET.slice(6),
    request.headers['x-signalbox-signature']?.slice(7),
    request.headers['webhook-signature'],
  ])
    expect(text).not.toContain(hidden ?? '')
  const failed = verdict.checks.filter(({ ok }: Answer['body']) => !ok)
  expect(verdict.valid).toBe(failed.length === 0)
  return Object.fromEntries(failed.map(({ name, detail }: Answer['body']) => [name, detail]))
}

/** The headers of the request, with some changed or (`undefined`) removed. */
const headersWith = (changed: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...request.headers, ...changed }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

const now = () => Math.floor(Date.now() / 1000)

/** Headers as a third party would sign them. */
const signed = (secret: string, body: string, timestamp = now()) => {
  const id = crypto.randomUUID()
  return { 'X-Signalbox-Delivery': id, ...signatureHeaders(signingKeys([secret]), { id, timestamp, body }) }
}

describe('an unmodified request', () => {
  test('is valid, and every check passes', async () => {
    const { body } = await bench.admin.post(`${path(made.hook)}/verify`, { headers: request.headers, body: request.body })
    expect(body.valid).toBeTrue()
    expect(body.checks.map(({ name, ok }: Answer['body']) => [name, ok])).toEqual(
      ['signature_form', 'key', 'body', 'id_and_time', 'clock', 'old_secret'].map((name) => [name, true]),
    )
  })

  test('is valid with one signature, and with header names in any case or in CGI form', async () => {
    const { 'x-signalbox-signature': github, 'x-signalbox-delivery': id } = request.headers as Record<string, string>
    for (const headers of [
      headersWith({ 'webhook-signature': undefined }),
      headersWith({ 'x-signalbox-signature': undefined }),
      { 'X-SIGNALBOX-SIGNATURE': github ?? '' },
      { HTTP_X_SIGNALBOX_SIGNATURE: github ?? '', HTTP_X_SIGNALBOX_DELIVERY: id ?? '' },
    ])
      expect(await failing(headers, request.body)).toEqual({})
  })

  test('can be verified by every member of the workspace, without side effects', async () => {
    const member = await bench.box.user('Mia Member')
    await bench.box.join(member, bench.site, 'member', 'member')
    const { status, body } = await member.post(`${path(made.hook)}/verify`, { headers: request.headers, body: request.body })
    expect([status, body.valid]).toEqual([200, true])
    expect((await bench.admin.get(path(made.hook))).body).toEqual(made.hook)
  })
})

describe('the signature_form check', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ['no signature', { 'x-signalbox-signature': undefined, 'webhook-signature': undefined }, 'neither X-Signalbox-Signature nor'],
    ['no sha256= prefix', { 'x-signalbox-signature': 'a'.repeat(64) }, 'does not start with "sha256="'],
    ['a short signature', { 'x-signalbox-signature': 'sha256=abc' }, 'has 3 characters'],
    ['an upper-case signature', { 'x-signalbox-signature': `sha256=${'A'.repeat(64)}` }, 'contains upper-case letters'],
    ['an empty signature', { 'x-signalbox-signature': '' }, 'does not start with "sha256="'],
    ['a missing version', { 'webhook-signature': `${'a'.repeat(43)}=` }, 'must be "v1,"'],
    ['a missing id', { 'webhook-id': undefined }, 'webhook-id is missing'],
    ['a missing timestamp', { 'webhook-timestamp': undefined }, 'webhook-timestamp is missing'],
    ['a timestamp in milliseconds', { 'webhook-timestamp': '1795253400123' }, 'milliseconds'],
    ['a date as timestamp', { 'webhook-timestamp': '2026-11-21T09:30:00Z' }, 'must be an integer: seconds'],
  ])('reports %s', async (_, changed, detail) => {
    const faults = await failing(headersWith(changed), request.body)
    expect(Object.keys(faults)).toEqual(['signature_form'])
    expect(faults.signature_form).toContain(detail)
  })
})

describe('the key check', () => {
  test('reports the key of another hook or of a third party', async () => {
    const other = signed('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', request.body)
    expect(
      await failing({ ...other, 'X-Signalbox-Delivery': request.headers['x-signalbox-delivery'] ?? '' }, request.body),
    ).toEqual({
      key: expect.stringContaining('neither the current nor the previous secret of this hook'),
    })
    expect(await failing(other, request.body)).toEqual({ key: expect.stringContaining('no dispatch with the id') })
    const elsewhere = await bench.hooked({ secret: 'plain' })
    expect(await failing(request.headers, request.body, elsewhere.hook)).toHaveProperty('key')
  })

  test('reports the text of a whsec_ secret used as the key, with or without its prefix', async () => {
    const hmac = (key: string) => `sha256=${createHmac('sha256', key).update(request.body).digest('hex')}`
    const mine = headersWith({ 'webhook-signature': undefined, 'x-signalbox-signature': hmac(SECRET) })
    expect(await failing(mine, request.body)).toEqual({ key: expect.stringContaining('the text of the secret as the key') })
    const without = headersWith({ 'webhook-signature': undefined, 'x-signalbox-signature': hmac(SECRET.slice(6)) })
    expect(await failing(without, request.body)).toEqual({ key: expect.stringContaining('Decode that text from base64') })
  })

  test('reports a plain secret that was decoded from base64', async () => {
    const plain = 'cGxhaW4gc2VjcmV0'
    const { hook } = await bench.hooked({ secret: plain })
    expect(await failing(signed(`whsec_${plain}`, 'x'), 'x', hook)).toEqual({ key: expect.stringContaining('raw mode') })
    expect(await failing(signed(plain, 'x'), 'x', hook)).toEqual({})
  })

  test('reports a hook without a secret', async () => {
    const { hook } = await bench.hooked({ secret: null })
    expect(await failing(signed(SECRET, 'x'), 'x', hook)).toEqual({ key: expect.stringContaining('has no secret') })
  })
})

describe('the body check', () => {
  test.each<[string, (body: string) => string, string]>([
    ['that is empty', () => '', 'is empty'],
    ['with an extra line break', (body) => `${body}\n`, 'White space'],
    ['parsed and serialized again', (body) => JSON.stringify(JSON.parse(body), null, 2), 'parsed and serialized again'],
    [
      'with its keys in another order',
      (body) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse())),
      'serialized again',
    ],
    ['read as Latin-1', (body) => Buffer.from(body).toString('latin1'), 'Latin-1'],
    ['in another normal form', (body) => body.normalize('NFD'), 'normalization'],
    ['that is truncated', (body) => body.slice(0, 50), 'truncated after 50 of'],
    ['with a changed word', (body) => body.replace('test.ping', 'gate.ping'), 'starting at character'],
  ])('reports a body %s, and confirms the key', async (_, alter, detail) => {
    const altered = alter(request.body)
    expect(altered).not.toBe(request.body)
    expect(await failing(request.headers, altered)).toEqual({ body: expect.stringContaining(detail) })
  })

  test('needs the signature alone when the dispatch is unknown', async () => {
    const headers = signed(SECRET, 'mine')
    expect(await failing(headers, 'mine')).toEqual({})
    expect(Object.keys(await failing(headers, 'yours'))).toEqual(['key'])
  })
})

describe('the clock and id_and_time checks', () => {
  test('report an old recording', async () => {
    expect(await failing(signed(SECRET, 'x', now() - 400), 'x')).toEqual({ clock: expect.stringContaining('may be replayed') })
    expect(await failing(signed(SECRET, 'x', now() - 200), 'x')).toEqual({})
  })

  test('report a timestamp in the future', async () => {
    expect(await failing(signed(SECRET, 'x', now() + 400), 'x')).toEqual({ clock: expect.stringContaining('in the future') })
  })

  test('report whether the timestamp or the id was altered', async () => {
    const time = headersWith({ 'webhook-timestamp': String(Number(request.headers['webhook-timestamp']) + 1) })
    expect(await failing(time, request.body)).toEqual({ id_and_time: expect.stringContaining('webhook-timestamp') })
    const id = headersWith({ 'webhook-id': crypto.randomUUID() })
    expect(await failing(id, request.body)).toEqual({ id_and_time: expect.stringContaining('webhook-id differs') })
  })
})

describe('the old_secret check', () => {
  test('accepts a previous secret during its overlap, reports it afterwards, and forgets it after the next rotation', async () => {
    const hooked = await bench.hooked({ secret: SECRET })
    const old = await sendPing(hooked)
    const rotate = (overlap_seconds: number) => bench.admin.make(`${path(hooked.hook)}/rotate-secret`, { overlap_seconds })
    const { secret } = await rotate(3600)
    expect(await failing(old.headers, old.body, hooked.hook)).toEqual({})
    const both = await sendPing(hooked)
    expect(await failing(both.headers, both.body, hooked.hook)).toEqual({})
    await bench.box.sql`update deployment_hooks set previous_secret_until = now() where id = ${hooked.hook.id}`
    const faults = await failing(old.headers, old.body, hooked.hook)
    expect(faults).toEqual({ old_secret: expect.stringContaining('no longer valid') })
    expect(JSON.stringify(faults)).not.toContain(secret)
    await rotate(0)
    expect(await failing(both.headers, both.body, hooked.hook)).toHaveProperty('old_secret')
    expect(await failing(old.headers, old.body, hooked.hook)).toHaveProperty('key')
  })
})

test.each<[string, object, [string, string]]>([
  ['missing headers', { body: 'x' }, ['/headers', 'required']],
  ['a missing body', { headers: {} }, ['/body', 'required']],
  ['a parsed body', { headers: {}, body: { id: 1 } }, ['/body', 'wrong_type']],
  ['headers as a list', { headers: [], body: 'x' }, ['/headers', 'wrong_type']],
  ['a header as a list', { headers: { 'X-A': ['a'] }, body: 'x' }, ['/headers/X-A', 'wrong_type']],
  ['a secret', { headers: {}, body: 'x', secret: 'x' }, ['/secret', 'unknown_field']],
])('%s is refused', async (_, input, fault) => {
  const { status, body } = await bench.admin.post(`${path(made.hook)}/verify`, input)
  expect(status).toBe(422)
  expect(body.errors.map(({ pointer, code }: Answer['body']) => [pointer, code])).toEqual([fault])
})
