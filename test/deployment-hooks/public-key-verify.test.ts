import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { decrypt } from '../../core/security/secrets.ts'
import { newKeyPair, signatureHeaders, signerOf, signingKeys } from '../../core/security/signing.ts'
import type { Received } from '../support/receiver.ts'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Hooked = Awaited<ReturnType<Workbench['hooked']>>

let bench: Workbench
let made: Hooked
let request: Received

beforeAll(async () => {
  bench = await Workbench.open()
  made = await bench.hooked({ signature: 'ed25519', name: 'Grüße' })
  request = await sendPing(made)
})

afterAll(() => bench.close())

const path = (hook: Answer['body']) => `/api/v1/deployment-hooks/${hook.id}`

async function sendPing({ hook, receiver }: Hooked): Promise<Received> {
  await bench.admin.make(`${path(hook)}/test`, undefined, { Prefer: 'wait=10' })
  return receiver.requests.at(-1) as Received
}

async function judged(headers: Record<string, string>, body: string, hook = made.hook): Promise<Answer['body']> {
  const { status, body: verdict } = await bench.admin.post(`${path(hook)}/verify`, { headers, body })
  expect(status).toBe(200)
  expect(JSON.stringify(verdict)).not.toMatch(/whsk_|v1a,\S{44}/)
  expect(verdict.valid).toBe(verdict.checks.every(({ ok }: Answer['body']) => ok))
  return verdict
}

/** The failed checks, by name, with their details. */
async function failing(headers: Record<string, string>, body: string, hook = made.hook): Promise<Record<string, string>> {
  const { checks } = await judged(headers, body, hook)
  return Object.fromEntries(
    checks.filter(({ ok }: Answer['body']) => !ok).map(({ name, detail }: Answer['body']) => [name, detail]),
  )
}

/** The headers of the request, with some changed or (`undefined`) removed. */
const headersWith = (changed: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...request.headers, ...changed }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

/** The private key of a hook, which no response shows. */
async function storedPrivateKey(hook: Answer['body']): Promise<string> {
  const [{ secret }] = await bench.box.sql<[{ secret: Uint8Array }]>`select secret from deployment_hooks where id = ${hook.id}`
  return decrypt(secret)
}

const now = () => Math.floor(Date.now() / 1000)

describe('an unmodified request', () => {
  test('is valid, and every check passes', async () => {
    const { valid, checks } = await judged(request.headers, request.body)
    expect(valid).toBeTrue()
    expect(checks.map(({ name, ok }: Answer['body']) => [name, ok])).toEqual(
      ['signature_form', 'key', 'body', 'id_and_time', 'clock', 'old_secret'].map((name) => [name, true]),
    )
  })

  test('is valid with header names in CGI form, and alongside signatures of other keys and kinds', async () => {
    const cgi = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, value]),
    )
    expect(await failing(cgi, request.body)).toEqual({})
    const others = `v1a,${'A'.repeat(86)}== v1,${'A'.repeat(43)}= ${request.headers['webhook-signature']}`
    expect(await failing(headersWith({ 'webhook-signature': others }), request.body)).toEqual({})
  })

  test('is valid in a redelivery, which has the id of the first dispatch', async () => {
    const [first] = made.receiver.requests
    expect((await bench.act({ id: first?.headers['x-signalbox-delivery'] }, 'redeliver')).status).toBeLessThan(300)
    const again = (await made.receiver.waitFor(2))[1] as Received
    expect(again.headers['webhook-id']).toBe(request.headers['webhook-id'] as string)
    expect(await failing(again.headers, again.body)).toEqual({})
  })
})

describe('the signature_form check', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ['no signature', { 'webhook-signature': undefined }, 'no webhook-signature, the only signature of this hook'],
    ['a signature of a secret', { 'webhook-signature': `v1,${'A'.repeat(43)}=` }, 'private key (v1a), not with a secret (v1)'],
    ['an empty signature', { 'webhook-signature': '' }, 'must be "v1a," and 88 characters of base64'],
    ['a missing version', { 'webhook-signature': `${'A'.repeat(86)}==` }, 'must be "v1a,"'],
    ['a short signature', { 'webhook-signature': 'v1a,AAAA' }, 'must be "v1a,"'],
    ['a missing id', { 'webhook-id': undefined }, 'webhook-id is missing'],
    ['a missing timestamp', { 'webhook-timestamp': undefined }, 'webhook-timestamp is missing'],
    ['a timestamp in milliseconds', { 'webhook-timestamp': '1795253400123' }, 'milliseconds'],
    ['a date as timestamp', { 'webhook-timestamp': '2026-11-21T09:30:00Z' }, 'must be an integer: seconds'],
  ])('reports %s', async (_, changed, detail) => {
    const faults = await failing(headersWith(changed), request.body)
    expect(Object.keys(faults)).toEqual(['signature_form'])
    expect(faults.signature_form).toContain(detail)
  })

  test('of a hook with a secret reports a public-key signature', async () => {
    const { hook } = await bench.hooked()
    const { signature_form } = await failing(request.headers, request.body, hook)
    expect(signature_form).toContain('must be "v1," and 44 characters')
  })
})

describe('the key check', () => {
  test('reports the key of a third party, and of another hook', async () => {
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = request.headers
    const forged = signerOf('ed25519', [newKeyPair().private_key])({ id, timestamp, body: request.body })
    expect(await failing(headersWith(forged), request.body)).toEqual({
      key: expect.stringContaining('neither the current nor the previous private key of this hook'),
    })
    const elsewhere = await bench.hooked({ signature: 'ed25519' })
    expect(await failing(request.headers, request.body, elsewhere.hook)).toEqual({
      key: expect.stringContaining('has no dispatch with the id'),
    })
  })

  test('does not accept an HMAC with the public key as its secret', async () => {
    const signed = { id: crypto.randomUUID(), timestamp: now(), body: 'x' }
    const { public_key } = made.hook
    for (const secret of [public_key, public_key.slice(5), `whsec_${public_key.slice(5)}`])
      expect(await failing(signatureHeaders(signingKeys([secret]), signed), 'x')).toHaveProperty('signature_form')
  })
})

describe('the body check', () => {
  test.each<[string, (body: string) => string, string]>([
    ['that is empty', () => '', 'is empty'],
    ['with an extra line break', (body) => `${body}\n`, 'White space'],
    ['parsed and serialized again', (body) => JSON.stringify(JSON.parse(body), null, 2), 'parsed and serialized again'],
    ['read as Latin-1', (body) => Buffer.from(body).toString('latin1'), 'Latin-1'],
    ['in another normal form', (body) => body.normalize('NFD'), 'normalization'],
    ['that is truncated', (body) => body.slice(0, 50), 'truncated after 50 of'],
    ['with a changed word', (body) => body.replace('test.ping', 'gate.ping'), 'starting at character'],
  ])('reports a body %s, and confirms the key', async (_, alter, detail) => {
    const altered = alter(request.body)
    expect(altered).not.toBe(request.body)
    expect(await failing(request.headers, altered)).toEqual({ body: expect.stringContaining(detail) })
  })

  test('needs the signature alone when the dispatch is not on record any more', async () => {
    const hooked = await bench.hooked({ signature: 'ed25519' })
    const { headers, body } = await sendPing(hooked)
    await bench.box.sql`delete from dispatches where hook_id = ${hooked.hook.id}`
    const { valid, checks } = await judged(headers, body, hooked.hook)
    expect(valid).toBeTrue()
    expect(checks[2]).toEqual({ name: 'body', ok: true, detail: 'The body is what was signed.' })
    expect(Object.keys(await failing(headers, `${body} `, hooked.hook))).toEqual(['key'])
  })
})

describe('the id_and_time and clock checks', () => {
  test('report which of id and timestamp was altered, also together with the body', async () => {
    const seconds = String(Number(request.headers['webhook-timestamp']) + 1)
    const time = headersWith({ 'webhook-timestamp': seconds })
    expect(await failing(time, request.body)).toEqual({ id_and_time: expect.stringMatching(/^webhook-timestamp differs/) })
    const id = headersWith({ 'webhook-id': crypto.randomUUID() })
    expect(await failing(id, request.body)).toEqual({ id_and_time: expect.stringMatching(/^webhook-id differs/) })
    const both = headersWith({ 'webhook-id': crypto.randomUUID(), 'webhook-timestamp': seconds })
    expect(await failing(both, `${request.body}\n`)).toEqual({
      id_and_time: expect.stringMatching(/^webhook-id and webhook-timestamp differ/),
      body: expect.stringContaining('White space'),
    })
  })

  test.each([
    [-400, 'may be replayed'],
    [400, 'in the future'],
  ])('report a timestamp that is %i seconds off', async (offset, detail) => {
    const changed = headersWith({ 'webhook-timestamp': String(now() + offset) })
    expect(await failing(changed, request.body)).toEqual({
      id_and_time: expect.stringContaining('webhook-timestamp differs'),
      clock: expect.stringContaining(detail),
    })
  })

  test('report an old recording, and one from the future', async () => {
    const hooked = await bench.hooked({ signature: 'ed25519' })
    const sign = signerOf('ed25519', [await storedPrivateKey(hooked.hook)])
    const signed = (age: number) => sign({ id: crypto.randomUUID(), timestamp: now() - age, body: 'x' })
    expect(await failing(signed(200), 'x', hooked.hook)).toEqual({})
    expect(await failing(signed(400), 'x', hooked.hook)).toEqual({ clock: expect.stringContaining('may be replayed') })
    expect(await failing(signed(-400), 'x', hooked.hook)).toEqual({ clock: expect.stringContaining('in the future') })
  })
})

describe('the old_secret check', () => {
  test('accepts a previous private key during its overlap, reports it afterwards, and forgets it after the next rotation', async () => {
    const hooked = await bench.hooked({ signature: 'ed25519' })
    const old = await sendPing(hooked)
    const rotate = (overlap_seconds: number) => bench.admin.make(`${path(hooked.hook)}/rotate-secret`, { overlap_seconds })
    await rotate(3600)
    const { valid, checks } = await judged(old.headers, old.body, hooked.hook)
    expect([valid, checks.at(-1).detail]).toEqual([true, expect.stringContaining('previous private key, which is still valid')])
    const both = await sendPing(hooked)
    expect(await failing(both.headers, both.body, hooked.hook)).toEqual({})
    await bench.box.sql`update deployment_hooks set previous_secret_until = now() where id = ${hooked.hook.id}`
    expect(await failing(old.headers, old.body, hooked.hook)).toEqual({
      old_secret: expect.stringContaining('previous private key, which is no longer valid'),
    })
    await rotate(0)
    expect(await failing(both.headers, both.body, hooked.hook)).toHaveProperty('old_secret')
    expect(await failing(old.headers, old.body, hooked.hook)).toHaveProperty('key')
  })
})
